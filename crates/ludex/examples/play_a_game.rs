//! Plays a game of Connect Four: a search against random moves.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::sync::Arc;

use ludex::{AnalysisRequest, Session, StopToken, analysis};

pub(crate) fn main() -> ludex::Result<()> {
    let game = Arc::new(ludex::load("connect4:5,4")?);
    let mut session = Session::new(game.clone());
    while session.ending()?.is_none() {
        let is_first = session.turns().len().is_multiple_of(2);
        let player = if is_first { "alphabeta" } else { "random" };
        let request = AnalysisRequest::for_nodes(session.position().clone(), 500).by(player);
        let found = analysis::start(game.clone(), request, StopToken::new())?.wait()?;
        session.play(&found.best.expect("the game goes on"))?;
    }
    println!("{}", session.draw());
    let ending = session.ending()?.expect("the game is over");
    println!("{} after {} moves", ending.text, session.turns().len());
    session.undo();
    assert!(session.ending()?.is_none());
    Ok(())
}
