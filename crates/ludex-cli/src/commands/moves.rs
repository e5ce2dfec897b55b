//! `ludex moves`: the legal moves of a position.

use clap::Args;
use ludex::view::MoveList;

use crate::args::PositionArgs;
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
    position: PositionArgs,
}

/// Lists the moves, sorted.
pub(crate) fn run(args: &MovesArgs, out: &mut Out) -> Done {
    let (loaded, position) = open(&args.position)?;
    out.result(&MoveList::new(&loaded, &position)?)?;
    Ok(Answer::Yes)
}
