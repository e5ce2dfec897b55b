//! `ludex explain`: why the rules list a move, or give a result; and what is threatened.
//!
//! A reason is a cell and what was asked of it. In every position in which the
//! cells are as the reasons say, the rules list the same move or give the same
//! result.

mod grouped;
mod position;

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Args;
use ludex::ending::Ending;
use ludex::game::LoadedGame;
use ludex::source::Source as Text;
use ludex::{EngineKind, Error, Result, board};
use ludex_core::text::nearest;
use ludex_core::{Game, GameExt, Player, Position, State, Turn};
use ludex_diagnostics::{LineColumn, line_column};
use ludex_ir::inst::TURN;
use ludex_ir::{OutcomeKind, PackedMove};
use ludex_study::text::condition_text;
use ludex_study::{Explained, Given, Listed, Reason, Source, Study};
use serde_json::{Value, json};

use crate::args::{PlaceArgs, duration};
use crate::failure::{Answer, Done};
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

With --goal all this is about a goal (docs/reference/language.md, 6.1), and not about winning the game.
Without --move the result is explained, if the game is over; otherwise what the player to move
can force by threats, what the other one threatens, what that needs, and the only defences: the
moves after which no win of the same shape is left. Everything else is shown to lose.

A move is explained as `moves` of the rules list it, before it is asked whether it leaves a king to
be taken. Where the same is asked of many squares, they are told in one line; --json has each of
them. Moves and results are explained by the interpreter, whatever --engine says.")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    goal: GoalArgs,

    /// The move to explain
    #[arg(long = "move", value_name = "MOVE", allow_hyphen_values = true)]
    mv: Option<String>,

    /// Whose move, result or threats: a player's name or number
    #[arg(long, value_name = "PLAYER")]
    side: Option<String>,

    /// Say why this move is no defence
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true, conflicts_with = "mv")]
    why_not: Option<String>,

    /// How far threats are followed: 1 for direct threats, 2 for threats of such
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=2))]
    order: u8,

    /// Positions to look at for each side's threats, at most
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How long to look for each side's threats, at most
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    time: Duration,
}

/// Something explained.
struct Explanation {
    /// What it is, in words.
    what: String,
    /// For a move, whether it is legal and not only listed by `moves`.
    legal: Option<bool>,
    /// Whose it is.
    player: Player,
    /// Who is to move.
    turn: Player,
    reasons: Vec<Reason>,
    history: bool,
    place: u32,
}

/// Explains.
pub(crate) fn run(args: &ExplainArgs, out: &mut Out) -> Done {
    if args.mv.is_none() {
        let (loaded, place) = open_goal(&args.place, &args.goal, args.place.game.engine.to_play())?;
        let side = args.side.as_deref().map(|it| loaded.player(it)).transpose()?;
        if let Turn::Of(mover) = loaded.turn(&place)? {
            return position::run(args, &loaded, &place, mover, side, out);
        }
    }
    if args.why_not.is_some() {
        let message = "the game is over here, so no move helps or does not";
        return Err(Error::new(message));
    }
    // Reasons are found by a reading of the program, of which the interpreter is the other one.
    let (loaded, place) = open_goal(&args.place, &args.goal, EngineKind::Interpreter)?;
    let side = args.side.as_deref().map(|it| loaded.player(it)).transpose()?;
    let explained = match &args.mv {
        Some(name) => vec![explain_move(&loaded, &place, side, name)?],
        None => explain_result(&loaded, &place, side)?,
    };
    let all: Vec<Told<'_>> =
        explained.iter().map(|it| Told { loaded: &loaded, state: &place.state, it }).collect();
    if out.is_json() {
        let mut value = all.first().map(Told::as_json).unwrap_or_default();
        if args.mv.is_none() {
            value["result"] = json!(loaded.ending(&place)?.map(|it| it.text));
            value["explanations"] = all.iter().map(Told::as_json).collect();
        }
        out.json(&value)?;
    } else {
        let texts: Vec<String> = all.iter().map(Told::text).collect();
        out.text(&texts.join("\n"))?;
    }
    Ok(Answer::Yes)
}

/// Why the rules list a move.
fn explain_move(
    loaded: &LoadedGame,
    place: &Position,
    side: Option<Player>,
    name: &str,
) -> Result<Explanation> {
    let game = loaded.game.interpreter();
    let player = side.unwrap_or_else(|| game.mover(&place.state));
    let state = with_turn(loaded, &place.state, player);
    let study = Study::new(game.program());
    let position = Position { state, trail: place.trail.clone() };
    let listed = study.moves(&position, player).map_err(|it| loaded.blame(it))?;
    let legal = game.named(&position, player, name).map_err(|it| loaded.blame(it))?;
    let found = find(loaded, &position.state, &listed, legal, name)?;
    let who = game.player_name(player);
    let what = if legal.is_some() {
        format!("{who} can play {name}")
    } else {
        format!("the rules list {name} for {who}, but it is not legal here")
    };
    Ok(Explanation {
        what,
        legal: Some(legal.is_some()),
        player,
        turn: player,
        reasons: found.reasons.clone(),
        history: found.history,
        place: found.place,
    })
}

/// The same cells with another player to move.
fn with_turn(loaded: &LoadedGame, state: &State, player: Player) -> State {
    let layout = loaded.game.interpreter().layout();
    let mut values = layout.values(state);
    values[turn_cell(loaded)] = i64::from(player.0);
    layout.state(&values)
}

fn turn_cell(loaded: &LoadedGame) -> usize {
    loaded.game.program().arrays[TURN.0 as usize].base
}

/// The listed move that is meant: the legal one, or else the first that is called so.
fn find<'l>(
    loaded: &LoadedGame,
    state: &State,
    listed: &'l [Explained<Listed>],
    legal: Option<PackedMove>,
    name: &str,
) -> Result<&'l Explained<Listed>> {
    if let Some(found) = listed.iter().find(|it| Some(it.item.mv) == legal) {
        return Ok(found);
    }
    let names: Vec<String> = listed.iter().map(|it| loaded.game.name(state, it.item.mv)).collect();
    if let Some(index) = names.iter().position(|it| it == name) {
        return Ok(&listed[index]);
    }
    let message = format!("`{name}` is not a move that the rules list here");
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`ludex moves {}` lists the legal moves", loaded.rules().spec()),
    };
    Err(Error::with_help(message, help))
}

/// Why the game is over: what the rules say, for one player or for all.
fn explain_result(
    loaded: &LoadedGame,
    place: &Position,
    side: Option<Player>,
) -> Result<Vec<Explanation>> {
    let Some(ending) = loaded.ending(&place)? else {
        let message = "the game goes on here, so there is no result to explain";
        return Err(Error::with_help(message, "name a move with --move"));
    };
    let study = Study::new(loaded.game.program());
    let mut explained = Vec::new();
    for player in (0..loaded.game.players()).map(|it| Player(it as u8)) {
        let given = given(loaded, &study, place, player)?;
        if side.is_none_or(|it| it == player) {
            let turn = loaded.game.interpreter().mover(&place.state);
            explained.extend(given.into_iter().map(|it| explanation(loaded, player, turn, it)));
        }
    }
    if explained.is_empty() {
        return Err(nothing_said(loaded, side, &ending));
    }
    Ok(explained)
}

/// What the rules say for a player: `result` and `adjudicate` come before `stuck`.
fn given(
    loaded: &LoadedGame,
    study: &Study,
    position: &Position,
    player: Player,
) -> Result<Vec<Explained<Given>>> {
    let blame = |fault| loaded.blame(fault);
    // Having no legal move comes before what is adjudicated, so ask without that first.
    let ruled = loaded.game.interpreter().clone().with_adjudication(false);
    let mut by_result = false;
    for other in (0..ruled.players()).map(|it| Player(it as u8)) {
        by_result |= !ruled.outcomes(position, other).map_err(blame)?.is_empty();
    }
    let stuck = !by_result && ruled.turn(position).map_err(blame)? == Turn::Over;
    if !stuck {
        return study.results(position, player).map_err(blame);
    }
    if ruled.mover(&position.state) == player {
        return study.stuck(position, player).map_err(blame);
    }
    Ok(Vec::new())
}

fn explanation(
    loaded: &LoadedGame,
    player: Player,
    turn: Player,
    it: Explained<Given>,
) -> Explanation {
    let who = loaded.game.player_name(player);
    let outcome = match (it.item.kind, it.item.score) {
        (OutcomeKind::Victory, _) => format!("{who} has won"),
        (OutcomeKind::Loss, _) => format!("{who} has lost"),
        (OutcomeKind::Draw, _) => format!("it is a draw for {who}"),
        (OutcomeKind::Score, score) => format!("{who} has {} points", score.unwrap_or(0)),
    };
    let part = match it.item.source {
        Source::Result => "",
        Source::Adjudicate => ", by adjudication",
        Source::Stuck => ", having no move",
    };
    Explanation {
        legal: None,
        what: outcome + part,
        player,
        turn,
        reasons: it.reasons,
        history: it.history,
        place: it.place,
    }
}

fn nothing_said(loaded: &LoadedGame, side: Option<Player>, ending: &Ending) -> Error {
    let who = side.map_or_else(|| "anybody".to_owned(), |it| loaded.game.player_name(it));
    let message = format!("the rules say nothing for {who} here; the result is: {}", ending.text);
    Error::with_help(message, "leave out --side to see what they say for the others")
}

/// An explanation with what is needed to tell it.
struct Told<'a> {
    loaded: &'a LoadedGame,
    state: &'a State,
    it: &'a Explanation,
}

impl Told<'_> {
    /// The reasons without the turn, which is told apart.
    fn reasons(&self) -> impl Iterator<Item = &Reason> {
        let turn = turn_cell(self.loaded);
        self.it.reasons.iter().filter(move |it| it.cell != turn)
    }

    /// Line, column and text of the rule that fired.
    fn rule(&self) -> Option<(usize, usize, &str)> {
        let span = self.loaded.span(self.it.place)?;
        let source = &self.source().text;
        let LineColumn { line, column } = line_column(source, span.start as usize);
        Some((line, column, source.lines().nth(line - 1)?.trim()))
    }

    /// The text in which that rule is.
    fn source(&self) -> &Text {
        self.loaded.source_at(self.it.place)
    }

    fn board(&self) -> String {
        let program = self.loaded.game.program();
        let values = self.loaded.game.interpreter().layout().values(self.state);
        let squares: BTreeSet<usize> =
            self.reasons().map(|it| it.cell).filter(|&it| it < program.squares).collect();
        board::draw_marked(program, &values, &squares)
    }

    fn text(&self) -> String {
        let Explanation { what, player, history, .. } = self.it;
        let program = self.loaded.game.program();
        let mut text = format!("{what}\n");
        if let Some((line, column, rule)) = self.rule() {
            let file = &self.source().file;
            text.push_str(&format!("  by {file}:{line}:{column}: {rule}\n"));
        }
        text.push_str("because\n");
        for line in grouped::lines(program, self.reasons(), *player) {
            text.push_str(&format!("  {line}\n"));
        }
        if *history {
            text.push_str("  and because of the positions before\n");
        }
        text.push_str(&format!("  with {} to move\n", self.turn()));
        text.push_str(&self.board());
        text
    }

    /// Who is to move.
    fn turn(&self) -> String {
        self.loaded.game.player_name(self.it.turn)
    }

    fn as_json(&self) -> Value {
        let Explanation { what, legal, player, history, .. } = self.it;
        let program = self.loaded.game.program();
        let reasons: Vec<Value> = self
            .reasons()
            .map(|it| {
                let condition = condition_text(program, it.cell, it.allowed, *player);
                json!({ "cell": program.cell_name(it.cell), "condition": condition })
            })
            .collect();
        let rule = self.rule().map(|(line, column, text)| {
            json!({ "file": self.source().file, "line": line, "column": column, "text": text })
        });
        json!({
            "what": what,
            "legal": legal,
            "player": self.loaded.game.player_name(*player),
            "reasons": reasons,
            "turn": self.turn(),
            "history": history,
            "rule": rule,
            "board": self.board(),
        })
    }
}
