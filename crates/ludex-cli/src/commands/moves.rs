//! `ludex moves`: the legal moves of a position.

use clap::Args;
use ludex::Result;
use ludex::game::LoadedGame;
use ludex_core::Position;
use ludex_core::turns::{Choices, turn_name};
use serde_json::json;

use crate::args::PlaceArgs;
use crate::failure::{Answer, Done};
use crate::open::open;
use crate::output::Out;

/// Arguments of `moves`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex moves chess
  ludex moves chess --moves 'f2f3 e7e5 g2g4 d8h4'
  ludex moves draughts --json | jq '.moves | length'")]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    place: PlaceArgs,
}

/// Lists the moves, sorted.
pub(crate) fn run(args: &MovesArgs, out: &mut Out) -> Done {
    let (loaded, place) = open(&args.place)?;
    let moves = legal(&loaded, &place)?;
    let ending = loaded.ending(&place)?;
    if out.is_json() {
        let mut value = json!({ "moves": moves });
        if let Some(ending) = ending {
            value["result"] = json!(ending.text);
            value["scores"] = json!(ending.scores());
        }
        out.json(&value)?;
        return Ok(Answer::Yes);
    }
    for name in moves {
        out.line(name)?;
    }
    if let Some(ending) = ending {
        out.line(format_args!("the game is over: {}", ending.text))?;
    }
    Ok(Answer::Yes)
}

/// The names of the legal moves, sorted.
pub(crate) fn legal(loaded: &LoadedGame, place: &Position) -> Result<Vec<String>> {
    let mut choices = Choices::default();
    choices.fill(&loaded.game, place).map_err(|it| loaded.blame(it))?;
    let mut turn = Vec::new();
    let mut names = Vec::new();
    for index in 0..choices.count() {
        choices.nth(index, &mut turn);
        names.push(turn_name(&loaded.game, &place.state, &turn));
    }
    names.sort();
    Ok(names)
}
