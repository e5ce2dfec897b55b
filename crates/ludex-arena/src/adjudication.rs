//! Ending games early where both players say how they end.
//!
//! A game is only cut short by what *both* have said, several moves in a row: the one who is losing
//! that it is lost and the other that it is won, or both that nothing will come of it. What one of
//! them believes is not enough, and a player that says nothing plays to the end.

use crate::contestant::Opinion;

/// When a game is cut short. Nothing here means never.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Adjudication {
    /// When it is lost for one of them.
    pub resign: Option<Rule>,
    /// When it is a draw.
    pub draw: Option<Rule>,
}

/// What both have to say, and how often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// For a loss: at least so far from even, from 0 to 1. For a draw: at most so far.
    pub value: f64,
    /// In so many moves in a row, of each.
    pub moves: u32,
    /// Not before so many moves have been played, of both together.
    pub after: u32,
}

impl Rule {
    /// Reads `0.95 3` or `0.95,3`: how far from even, in how many moves, wherever in the game they are.
    pub fn read_any_time(text: &str) -> Option<Self> {
        let parts = text.split([',', ' ']).filter(|it| !it.is_empty()).count();
        Self::read(text).filter(|_| parts == 2)
    }

    /// Reads `0.02 6 40` or `0.02,6,40`: how far from even, in how many moves, after how many of all.
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

/// What has been said in a game so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bench {
    rules: Adjudication,
    /// How many moves in a row each seat has thought itself lost, won, and even.
    lost: [u32; 2],
    won: [u32; 2],
    even: [u32; 2],
    moves: u32,
}

/// How a game was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// This seat has lost.
    Lost(usize),
    /// Nobody has.
    Draw,
}

impl Bench {
    pub(crate) fn new(rules: Adjudication) -> Self {
        Self { rules, lost: [0; 2], won: [0; 2], even: [0; 2], moves: 0 }
    }

    /// Hears what a seat thinks of its move; decides if there is something to decide.
    pub(crate) fn hear(&mut self, seat: usize, opinion: Option<&Opinion>) -> Option<Verdict> {
        self.moves += 1;
        let value = opinion.map(|it| it.value);
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

    fn hear(bench: &mut Bench, values: &[f64]) -> Option<Verdict> {
        let mut verdict = None;
        for (ply, &value) in values.iter().enumerate() {
            verdict = bench.hear(ply % 2, Some(&Opinion::new(value)));
        }
        verdict
    }

    fn bench() -> Bench {
        let resign = Some(Rule { value: 0.9, moves: 2, after: 0 });
        let draw = Some(Rule { value: 0.05, moves: 2, after: 6 });
        Bench::new(Adjudication { resign, draw })
    }

    #[test]
    fn both_have_to_agree_that_it_is_lost() {
        assert_eq!(hear(&mut bench(), &[-0.95, 0.95, -0.95, 0.95]), Some(Verdict::Lost(0)));
        assert_eq!(hear(&mut bench(), &[0.95, -0.95, 0.95, -0.95]), Some(Verdict::Lost(1)));
        assert_eq!(
            hear(&mut bench(), &[-0.95, 0.5, -0.95, 0.5]),
            None,
            "one sees it, one does not"
        );
        assert_eq!(hear(&mut bench(), &[-0.95, 0.95, 0.0, 0.95, -0.95, 0.95]), None, "in a row");
        assert_eq!(hear(&mut bench(), &[0.95, 0.95, 0.95, 0.95]), None, "both think they win");
    }

    #[test]
    fn a_draw_is_agreed_not_too_early() {
        assert_eq!(hear(&mut bench(), &[0.0; 4]), None);
        assert_eq!(hear(&mut bench(), &[0.0; 6]), Some(Verdict::Draw));
        let mut silent = bench();
        assert!((0..20).all(|it| silent.hear(it % 2, None).is_none()), "who says nothing plays on");
    }

    #[test]
    fn nothing_is_cut_short_without_rules() {
        let mut bench = Bench::new(Adjudication::default());
        assert_eq!(hear(&mut bench, &[-1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0]), None);
    }
}
