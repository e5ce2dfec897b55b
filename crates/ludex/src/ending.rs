//! Turns, results and counts in words.

use ludex_core::playout::payoffs;
use ludex_core::{Fault, Game, GameExt, Payoff, PositionOf, Turn};

/// Who decides next, by name; nothing when the game is over.
pub fn turn_text<G: Game>(game: &G, turn: Turn) -> Option<String> {
    match turn {
        Turn::Over => None,
        Turn::Of(player) => Some(game.player_name(player)),
        Turn::Joint(players) => {
            let names: Vec<String> = players.iter().map(|it| game.player_name(it)).collect();
            Some(names.join(" and "))
        }
        Turn::Chance => Some("chance".to_owned()),
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// In words: `White wins`, `draw, 32 to 32`, `123 points`.
    pub text: String,
    /// The same without points: `White wins`, `draw`, `end`.
    pub verdict: String,
    /// What each player earned, first player first.
    pub payoffs: Vec<Payoff>,
}

impl Ending {
    /// The ending of a game with these payoffs.
    pub fn new(names: &[String], payoffs: Vec<Payoff>) -> Self {
        let verdict = verdict(names, &payoffs);
        let text = match payoffs.as_slice() {
            [only] => count(only.score, "point"),
            all if has_points(all) => format!("{verdict}, {}", score_text(all)),
            _ => verdict.clone(),
        };
        Self { text, verdict, payoffs }
    }

    /// Each player's score, first player first.
    pub fn scores(&self) -> Vec<i64> {
        self.payoffs.iter().map(|it| it.score).collect()
    }
}

/// How a game that is over ended.
pub fn ending<G: Game>(game: &G, position: &PositionOf<G>) -> Result<Ending, Fault> {
    Ok(Ending::new(&names(game), payoffs(game, position)?.to_vec()))
}

/// The players' names, first player first.
pub fn names<G: Game>(game: &G) -> Vec<String> {
    game.info().players.clone()
}

/// Who won, as the `expect` block of a rules file has it.
fn verdict(names: &[String], payoffs: &[Payoff]) -> String {
    let best = payoffs.iter().map(|it| it.utility).fold(f64::NEG_INFINITY, f64::max);
    let pairs = names.iter().zip(payoffs);
    let winners: Vec<&str> =
        pairs.filter(|(_, it)| it.utility >= best).map(|(name, _)| name.as_str()).collect();
    match winners.as_slice() {
        _ if names.len() == 1 => "end".to_owned(),
        [winner] => format!("{winner} wins"),
        all if all.len() == names.len() => "draw".to_owned(),
        several if best > 0.0 => format!("{} win", several.join(" and ")),
        several => format!("{} draw", several.join(" and ")),
    }
}

/// Whether the scores say more than who won.
pub fn has_points(payoffs: &[Payoff]) -> bool {
    payoffs.len() == 1 || payoffs.iter().any(|it| !(-1..=1).contains(&it.score))
}

fn score_text(payoffs: &[Payoff]) -> String {
    let scores: Vec<String> = payoffs.iter().map(|it| it.score.to_string()).collect();
    scores.join(" to ")
}

/// A number of things: `1 game`, `2 games`.
pub fn count(number: i64, thing: &str) -> String {
    format!("{number} {thing}{}", if number.abs() == 1 { "" } else { "s" })
}

/// A number of plies: `1 ply`, `2 plies`.
pub fn in_plies(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(payoffs: &[Payoff], expected: &str) {
        let names = ["A", "B", "C"].map(str::to_owned);
        assert_eq!(Ending::new(&names[..payoffs.len()], payoffs.to_vec()).text, expected);
    }

    #[test]
    fn results_are_said_in_words() {
        let points = |score, utility| Payoff { score, utility };
        check(&[Payoff::WIN, Payoff::LOSS], "A wins");
        check(&[Payoff::DRAW, Payoff::DRAW], "draw");
        check(&[points(24, -1.0), points(40, 1.0)], "B wins, 24 to 40");
        check(&[points(32, 0.0), points(32, 0.0)], "draw, 32 to 32");
        check(&[Payoff::WIN, Payoff::LOSS, Payoff::WIN], "A and C win");
        check(&[Payoff::DRAW, Payoff::LOSS, Payoff::DRAW], "A and C draw");
        check(&[points(17, 0.1)], "17 points");
        check(&[points(1, 0.1)], "1 point");
    }
}
