//! `ludex show`: a position, drawn.

use clap::Args;
use ludex::ending::turn_text;
use ludex_core::Game;
use serde_json::json;

use crate::args::PlaceArgs;
use crate::failure::{Answer, Done};
use crate::open::open;
use crate::output::Out;

/// Arguments of `show`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex show chess
  ludex show go:9 --moves 'e5 c3'
  ludex show tictactoe --position '3/1X1/3 o'")]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    place: PlaceArgs,
}

/// Shows a position.
pub(crate) fn run(args: &ShowArgs, out: &mut Out) -> Done {
    let (loaded, place) = open(&args.place)?;
    let game = &loaded.game;
    let turn = turn_text(game, loaded.turn(&place)?);
    let ending = loaded.ending(&place)?;
    let position = game.write(&place.state);
    let board = game.draw(&place.state);
    if out.is_json() {
        let mut value = json!({ "position": position, "turn": turn, "board": board });
        if let Some(ending) = ending {
            value["result"] = json!(ending.text);
            value["scores"] = json!(ending.scores());
        }
        out.json(&value)?;
        return Ok(Answer::Yes);
    }
    out.text(&board)?;
    out.line(format_args!("position: {position}"))?;
    if let Some(ending) = ending {
        out.line(format_args!("result: {}", ending.text))?;
    }
    Ok(Answer::Yes)
}
