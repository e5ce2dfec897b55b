//! Streams an analysis: every improvement is an event, the answer is the last one.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::sync::Arc;

use ludex::{AnalysisRequest, Event, Session, StopToken, analysis};

pub(crate) fn main() -> ludex::Result<()> {
    let game = Arc::new(ludex::load("othello")?);
    let session = Session::new(game.clone());
    let request = AnalysisRequest::for_nodes(session.position().clone(), 20_000).by("alphabeta");
    for event in analysis::start(game, request, StopToken::new())? {
        match event {
            Event::Ready { description, .. } => println!("ready: {description}"),
            Event::Progress { nodes, .. } => println!("{nodes} nodes"),
            Event::Improved(now) | Event::Proved(now) => {
                let line = &now.lines[0];
                println!("depth {}: {} {}", now.depth, line.value_text(), line.pv.join(" "));
            }
            Event::Done(answer) => {
                let answer = answer?;
                println!("best: {}", answer.best.as_deref().unwrap_or("none"));
                println!("{}", serde_json::to_string(&answer).expect("plain data is JSON"));
            }
        }
    }
    Ok(())
}
