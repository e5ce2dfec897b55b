//! `ludex moves`: the legal moves of a position.

use anyhow::Result;
use clap::Args;
use ludex_core::turns::{Choices, turn_name};
use serde_json::json;

use crate::args::PlaceArgs;
use crate::failure::{Answer, Done};
use crate::load::Loaded;
use crate::output::Out;
use crate::place::{Place, open};

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
    let ending = place.ending(&loaded)?;
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
pub(crate) fn legal(loaded: &Loaded, place: &Place) -> Result<Vec<String>> {
    let Place { state, trail } = place;
    let mut choices = Choices::default();
    choices.fill(&loaded.game, state, trail).map_err(|it| loaded.blame(it))?;
    let mut turn = Vec::new();
    let mut names = Vec::new();
    for index in 0..choices.count() {
        choices.nth(index, &mut turn);
        names.push(turn_name(&loaded.game, state, &turn));
    }
    names.sort();
    Ok(names)
}
