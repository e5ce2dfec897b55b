//! Explains a position: what is threatened, why, and what the only defences are.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::core::Turn;
use ludex::explain::{ThreatsRequest, explain_move, explain_threats};

pub(crate) fn main() -> ludex::Result<()> {
    let game = ludex::load("gomoku")?;
    let position = game.reach(None, "h8 h10 i8 j6 j8")?;
    let Turn::Of(mover) = game.turn(&position)? else { panic!("the game goes on") };

    let request = ThreatsRequest { why_not: Some("f8".to_owned()), ..ThreatsRequest::default() };
    let report = explain_threats(&game, &position, mover, &request)?;
    println!("{}", report.text);
    for reason in &report.threats[0].reasons {
        println!("{} is {}", reason.cell, reason.condition);
    }
    println!("defences: {}", report.defences.join(" "));
    println!("{}", report.why_not.expect("it was asked").text);
    assert!(report.threats[0].shape.is_some() && report.defences.len() < report.replies);

    let chess = ludex::load("chess")?;
    let start = chess.reach(None, "")?;
    let knight = explain_move(&chess, &start, None, "g1f3")?;
    println!("{knight}");
    assert_eq!(knight.first.legal, Some(true));
    Ok(())
}
