//! `ludex show`: a position, drawn.

use clap::Args;
use ludex::view::PositionView;

use crate::args::PositionArgs;
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
    position: PositionArgs,
}

/// Shows a position.
pub(crate) fn run(args: &ShowArgs, out: &mut Out) -> Done {
    let (loaded, position) = open(&args.position)?;
    out.result(&PositionView::new(&loaded, &position)?)?;
    Ok(Answer::Yes)
}
