//! Stops an analysis from another thread: the best move so far is the answer.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ludex::{AnalysisRequest, Session, StopToken, analysis};

pub(crate) fn main() -> ludex::Result<()> {
    let game = Arc::new(ludex::load("hex:7")?);
    let position = Session::new(game.clone()).position().clone();
    let request = AnalysisRequest::for_time(position, Duration::from_mins(10)).by("uct");
    let stop = StopToken::new();
    let running = analysis::start(game, request, stop.clone())?;
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        stop.stop();
    });
    let answer = running.wait()?;
    stopper.join().expect("the other thread ends");
    assert!(answer.interrupted && answer.seconds < 60.0);
    println!("best of {} playouts: {}", answer.nodes, answer.best.expect("a move was found"));
    Ok(())
}
