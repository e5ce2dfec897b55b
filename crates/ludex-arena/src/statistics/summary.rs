//! The result line of a match between two players, as the field writes it.

use std::fmt::Write;

use super::normal;
use super::pentanomial::Pentanomial;
use super::score::{Estimate, Score};
use super::sprt::{Sprt, SprtState};

/// The likelihood of superiority (LOS) of the first player: by pairs where they vary, and else by wins
/// and losses. `None` without a decided game.
pub fn los(pairs: Pentanomial, score: Score) -> Option<f64> {
    let decided = score.wins + score.losses;
    let by_games = || {
        let difference = score.wins as f64 - score.losses as f64;
        (decided > 0).then(|| normal::cdf(difference / (decided as f64).sqrt()))
    };
    pairs.los().or_else(by_games)
}

/// `Elo +12.3 ± 8.1, LOS 99.8 %, LLR 2.95 [0, 5] H1 accepted`, from the view of the first player. The
/// brackets hold H0 and H1 in normalised Elo.
///
/// The Elo difference and its 95 % interval are those of the pairs where they vary, and else of the
/// games.
///
/// ```
/// use ludex_arena::statistics::{Pentanomial, Score, Sprt, summary};
///
/// let pairs = Pentanomial([379, 10_170, 21_828, 10_640, 343]);
/// let score = Score { wins: 22_000, draws: 43_000, losses: 21_720 };
/// let line = summary(pairs, score, Some(Sprt::new(0.0, 2.0)));
/// assert_eq!(line, "Elo +1.6 ± 1.2, LOS 99.5 %, LLR 2.95 [0, 2] H1 accepted");
/// ```
pub fn summary(pairs: Pentanomial, score: Score, test: Option<Sprt>) -> String {
    let mut line = elo_text(pairs.elo().unwrap_or_else(|| score.elo()));
    if let Some(los) = los(pairs, score) {
        let _ = write!(line, ", LOS {:.1} %", 100.0 * los);
    }
    if let Some(test) = test {
        let _ = write!(line, ", {}", llr_text(test, pairs));
    }
    line
}

/// `Elo +12.3 ± 8.1`; with an infinite end the interval itself, `Elo +∞ [+190.8, +∞]`.
fn elo_text(Estimate { value, low, high }: Estimate) -> String {
    let error = (high - low) / 2.0;
    if value.is_finite() && error.is_finite() {
        return format!("Elo {} ± {error:.1}", signed(value));
    }
    let [value, low, high] = [value, low, high].map(signed);
    format!("Elo {value} [{low}, {high}]")
}

/// A number with its sign; infinity as a symbol.
fn signed(number: f64) -> String {
    if number.is_finite() {
        // Rounded first, so that a little below 0 is no `-0.0`.
        format!("{:+.1}", (10.0 * number).round() / 10.0 + 0.0)
    } else if number > 0.0 {
        "+∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}

/// `LLR 2.95 [0, 5] H1 accepted`; an undecided test shows the bounds of its LLR.
fn llr_text(test: Sprt, pairs: Pentanomial) -> String {
    let (lower, upper) = test.bounds();
    let state = match test.state(pairs) {
        SprtState::Undecided => format!("undecided, bounds {lower:.2}, {upper:.2}"),
        SprtState::AcceptH0 => "H0 accepted".to_owned(),
        SprtState::AcceptH1 => "H1 accepted".to_owned(),
    };
    format!("LLR {:.2} [{}, {}] {state}", test.llr(pairs), test.elo0, test.elo1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pairs: [u64; 5], score: [u64; 3], test: Option<Sprt>, expected: &str) {
        let [wins, draws, losses] = score;
        let line = summary(Pentanomial(pairs), Score { wins, draws, losses }, test);
        assert_eq!(line, expected);
    }

    #[test]
    fn a_match_without_a_test() {
        check([10, 20, 100, 20, 10], [100, 120, 100], None, "Elo +0.0 ± 23.3, LOS 50.0 %");
    }

    #[test]
    fn the_state_of_a_test() {
        let test = Some(Sprt::new(0.0, 2.0));
        let line =
            |pairs| summary(Pentanomial(pairs), Score { wins: 1, draws: 0, losses: 1 }, test);
        assert!(line([9000, 10_640, 21_828, 10_170, 343]).ends_with("[0, 2] H0 accepted"));
        let undecided = "LLR 0.00 [0, 2] undecided, bounds -2.94, 2.94";
        assert!(line([0; 5]).ends_with(undecided), "{}", line([0; 5]));
        check([0; 5], [1, 0, 1], None, "Elo +0.0 ± 392.5, LOS 50.0 %");
    }

    #[test]
    fn won_matches_have_an_infinite_difference() {
        check([0, 0, 0, 0, 5], [10, 0, 0], None, "Elo +∞ [+166.2, +∞], LOS 99.9 %");
        check([0; 5], [0, 0, 0], None, "Elo +0.0 [−∞, +∞]");
    }
}
