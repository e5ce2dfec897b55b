//! `ludex explain`: why the rules list a move, or give a result; and what is threatened.

use std::time::Duration;

use clap::Args;
use ludex::explain::{ThreatsRequest, explain_move, explain_result, explain_threats};
use ludex::{EngineKind, Error};
use ludex_core::Turn;

use crate::args::{PositionArgs, duration};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{GoalArgs, open_goal};
use crate::output::Out;

/// Arguments of `explain`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex explain chess --move g1f3
  ludex explain chess --move e7e5 --side Black
  ludex explain tictactoe --moves 'a1 b1 a2 b2 a3'
  ludex explain gomoku --moves 'h8 h10 i8 j6 j8'
  ludex explain gomoku --moves 'h8 h10 i8 j6 j8' --why-not f8
  printf 'goal \"Take c3\" for go\\nresult\\n  if me == Black and c3 is empty: victory\\n' > c3.goal
  ludex explain go:9 --position '9/9/9/9/9/1X7/1XO6/2X6/9 b' --goal c3.goal

With --goal all this is about a goal (docs/reference/language.md, 6.1), and not about winning the
game. Without --move the result is explained, if the game is over; otherwise what the player to
move can force by threats, what the other player threatens, what that needs, and the only
defences: the moves after which no win of the same shape is left. Every other move is shown to
lose.

A move is explained as `moves` of the rules list it, before the rules check whether it leaves a
king to be taken. Many squares with the same condition are one line; --json has each of them.
Moves and results are explained by the interpreter, whatever --engine says.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// The move to explain
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    mv: Option<String>,

    /// Whose move, result or threats: a player's name or number
    #[arg(long, value_name = "PLAYER")]
    side: Option<String>,

    /// Explain why this move is no defence
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true, conflicts_with = "mv")]
    why_not: Option<String>,

    /// How far threats are followed: 1 for direct threats, 2 for threats of these
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=2))]
    order: u8,

    /// Node budget for the threats of each side
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Time limit for the threats of each side
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    time: Duration,
}

/// Explains.
pub(crate) fn run(args: &ExplainArgs, out: &mut Out) -> Done {
    if args.mv.is_none() {
        let (loaded, position) =
            open_goal(&args.position, &args.goal, args.position.game.engine.to_play())?;
        let side = args.side.as_deref().map(|it| loaded.player(it)).transpose()?;
        if let Turn::Of(mover) = loaded.turn(&position)? {
            let request = ThreatsRequest {
                side,
                why_not: args.why_not.clone(),
                has_goal: args.goal.is_given(),
                order: args.order,
                nodes: args.nodes,
                time: args.time,
                stop: interrupt::token().clone(),
            };
            out.result(&explain_threats(&loaded, &position, mover, &request)?)?;
            return Ok(Answer::Yes);
        }
    }
    if args.why_not.is_some() {
        return Err(Error::new("the game is over here: no move is a defence"));
    }
    // Native code would not be used.
    let (loaded, position) = open_goal(&args.position, &args.goal, EngineKind::Interpreter)?;
    let side = args.side.as_deref().map(|it| loaded.player(it)).transpose()?;
    let report = match &args.mv {
        Some(name) => explain_move(&loaded, &position, side, name)?,
        None => explain_result(&loaded, &position, side)?,
    };
    out.result(&report)?;
    Ok(Answer::Yes)
}
