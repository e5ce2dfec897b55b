//! Adjudication: ending games early by the scores that both players report.
//!
//! A game is adjudicated only by the scores of *both* players, several moves in a row: one reports a
//! loss and the other a win, or both report an even position. The score of one player is not enough,
//! and a game in which a player reports no score is played to its end.

use crate::contestant::ReportedScore;

/// When a game is adjudicated. The default is never.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Adjudication {
    /// When as a loss.
    pub resign: Option<Rule>,
    /// When as a draw.
    pub draw: Option<Rule>,
}

/// The scores that both players have to report, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// A distance from even, from 0 to 1: for a loss the least, for a draw the greatest.
    pub value: f64,
    /// The number of moves in a row, of each player.
    pub moves: u32,
    /// The number of moves of both players before which no game is adjudicated.
    pub after: u32,
}

impl Rule {
    /// Reads `0.95 3` or `0.95,3`: distance from even and number of moves, anywhere in the game.
    pub fn read_any_time(text: &str) -> Option<Self> {
        let parts = text.split([',', ' ']).filter(|it| !it.is_empty()).count();
        Self::read(text).filter(|_| parts == 2)
    }

    /// Reads `0.02 6 40` or `0.02,6,40`: distance from even, number of moves, moves before it.
    pub fn read(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split([',', ' ']).filter(|it| !it.is_empty()).collect();
        let (value, moves, after) = match parts.as_slice() {
            [value, moves] => (value, moves, 0),
            [value, moves, after] => (value, moves, after.parse().ok()?),
            _ => return None,
        };
        let value = value.parse().ok().filter(|it| (0.0..=1.0).contains(it))?;
        let moves = moves.parse().ok().filter(|&it| it > 0)?;
        Some(Self { value, moves, after })
    }
}

/// Counts the reported scores of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    /// The moves in a row in which each seat reported a loss, a win, an even position.
    lost: [u32; 2],
    won: [u32; 2],
    even: [u32; 2],
    moves: u32,
}

/// How a game is adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// As a loss of this seat.
    Lost(usize),
    /// As a draw.
    Draw,
}

impl Adjudicator {
    pub(crate) fn new(rules: Adjudication) -> Self {
        Self { rules, lost: [0; 2], won: [0; 2], even: [0; 2], moves: 0 }
    }

    /// Counts the score that a seat reports with its move; the verdict, if there is one.
    pub(crate) fn judge(&mut self, seat: usize, score: Option<&ReportedScore>) -> Option<Verdict> {
        self.moves += 1;
        let value = score.map(|it| it.value);
        let resign = self.rules.resign.map_or(f64::INFINITY, |it| it.value);
        let draw = self.rules.draw.map_or(f64::NEG_INFINITY, |it| it.value);
        count(&mut self.lost[seat], value.is_some_and(|it| it <= -resign));
        count(&mut self.won[seat], value.is_some_and(|it| it >= resign));
        count(&mut self.even[seat], value.is_some_and(|it| it.abs() <= draw));
        self.lost().or_else(|| self.drawn())
    }

    fn lost(&self) -> Option<Verdict> {
        let rule = self.rules.resign.filter(|it| self.moves >= it.after)?;
        let loser = |&it: &usize| self.lost[it] >= rule.moves && self.won[1 - it] >= rule.moves;
        (0..2).find(loser).map(Verdict::Lost)
    }

    fn drawn(&self) -> Option<Verdict> {
        let rule = self.rules.draw.filter(|it| self.moves >= it.after)?;
        self.even.iter().all(|&it| it >= rule.moves).then_some(Verdict::Draw)
    }
}

fn count(counter: &mut u32, goes_on: bool) {
    *counter = if goes_on { counter.saturating_add(1) } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(adjudicator: &mut Adjudicator, values: &[f64]) -> Option<Verdict> {
        let mut verdict = None;
        for (ply, &value) in values.iter().enumerate() {
            verdict = adjudicator.judge(ply % 2, Some(&ReportedScore::new(value)));
        }
        verdict
    }

    fn adjudicator() -> Adjudicator {
        let resign = Some(Rule { value: 0.9, moves: 2, after: 0 });
        let draw = Some(Rule { value: 0.05, moves: 2, after: 6 });
        Adjudicator::new(Adjudication { resign, draw })
    }

    #[test]
    fn both_have_to_agree_that_it_is_lost() {
        assert_eq!(judge(&mut adjudicator(), &[-0.95, 0.95, -0.95, 0.95]), Some(Verdict::Lost(0)));
        assert_eq!(judge(&mut adjudicator(), &[0.95, -0.95, 0.95, -0.95]), Some(Verdict::Lost(1)));
        assert_eq!(
            judge(&mut adjudicator(), &[-0.95, 0.5, -0.95, 0.5]),
            None,
            "one sees it, one does not"
        );
        assert_eq!(
            judge(&mut adjudicator(), &[-0.95, 0.95, 0.0, 0.95, -0.95, 0.95]),
            None,
            "in a row"
        );
        assert_eq!(
            judge(&mut adjudicator(), &[0.95, 0.95, 0.95, 0.95]),
            None,
            "both think they win"
        );
    }

    #[test]
    fn a_draw_is_not_adjudicated_too_early() {
        assert_eq!(judge(&mut adjudicator(), &[0.0; 4]), None);
        assert_eq!(judge(&mut adjudicator(), &[0.0; 6]), Some(Verdict::Draw));
        let mut silent = adjudicator();
        let goes_on = (0..20).all(|it| silent.judge(it % 2, None).is_none());
        assert!(goes_on, "without scores there is no verdict");
    }

    #[test]
    fn nothing_is_adjudicated_without_rules() {
        let mut adjudicator = Adjudicator::new(Adjudication::default());
        assert_eq!(judge(&mut adjudicator, &[-1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
