//! Plays a match, and shows how sure its result is.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::StopToken;
use ludex::matches::{Match, MatchEvent, MatchRequest};

pub(crate) fn main() -> ludex::Result<()> {
    let game = ludex::load("connect4:5,4")?;
    let request = MatchRequest::of_nodes("uct", "random", 200);
    let to_play = Match::new(&game, request)?;
    let report = to_play.play(&StopToken::new(), &mut |event| {
        if let MatchEvent::Game { fixture, score, .. } = event {
            println!("game {}: {score}", fixture.number + 1);
        }
        Ok(())
    })?;
    let meeting = &report.table[0];
    let rate = meeting.rate.expect("games were played");
    let percent = |it: Option<f64>| 100.0 * it.expect("a rate is finite");
    println!("{} of {} games", meeting.points, meeting.games);
    println!("{:.0} % to {:.0} % of the points", percent(rate.low), percent(rate.high));
    println!("{}", report.summary.expect("two players have met"));
    assert!(rate.low > Some(0.5), "a search is better than chance");
    Ok(())
}
