//! Searches ten games at once in ten threads; one of them is stopped, the others are not.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::sync::Arc;
use std::thread;

use ludex::{AnalysisRequest, Session, StopToken, analysis};

const GAMES: &str =
    "tictactoe connect4 othello breakthrough hex:5 gomoku:9 chess checkers clobber loa:6";

pub(crate) fn main() -> ludex::Result<()> {
    let names = || GAMES.split_whitespace();
    let threads: Vec<_> = names().map(|name| thread::spawn(move || search(name))).collect();
    for (name, thread) in names().zip(threads) {
        let answer = thread.join().expect("a search does not panic")?;
        println!("{name}: {} after {} nodes", answer.best.expect("a move"), answer.nodes);
        assert_eq!(answer.interrupted, name == "hex:5");
    }
    Ok(())
}

fn search(name: &str) -> ludex::Result<analysis::Analysis> {
    let game = Arc::new(ludex::load(name)?);
    let position = Session::new(game.clone()).position().clone();
    let nodes = if name == "hex:5" { u64::MAX } else { 2_000 };
    let request = AnalysisRequest::for_nodes(position, nodes).by("uct");
    let stop = StopToken::new();
    let running = analysis::start(game, request, stop.clone())?;
    if name == "hex:5" {
        stop.stop();
    }
    running.wait()
}
