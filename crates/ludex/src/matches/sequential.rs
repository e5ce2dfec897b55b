//! A sequential test over games that end in any order.

use std::collections::BTreeMap;

use ludex_arena::statistics::{Pentanomial, Sprt, SprtState};

/// A test that takes the pairs in their order, whenever they end: the match stops at the same pair
/// however many games are played at once.
#[derive(Debug)]
pub(super) struct SequentialTest {
    sprt: Sprt,
    /// Points of the first seat in games whose pair, or one before it, is not complete.
    waiting: BTreeMap<u64, f64>,
    pairs: Pentanomial,
    /// How many games were taken.
    seen: u64,
    decided: bool,
}

impl SequentialTest {
    /// A test without games.
    pub(super) fn new(sprt: Sprt) -> Self {
        let (waiting, pairs) = (BTreeMap::new(), Pentanomial::default());
        Self { sprt, waiting, pairs, seen: 0, decided: false }
    }

    /// Adds a game; after how many games the test was decided, if this decides it.
    pub(super) fn add(&mut self, number: u64, points_of_first_seat: f64) -> Option<u64> {
        // In the second game of a pair the sides are exchanged.
        let exchanged = number % 2 == 1;
        let points = if exchanged { 1.0 - points_of_first_seat } else { points_of_first_seat };
        self.waiting.insert(number, points);
        while !self.decided {
            let (one, other) = (self.waiting.get(&self.seen)?, self.waiting.get(&(self.seen + 1))?);
            self.pairs.add(one + other);
            self.waiting.remove(&self.seen);
            self.waiting.remove(&(self.seen + 1));
            self.seen += 2;
            self.decided = self.sprt.state(self.pairs) != SprtState::Undecided;
        }
        Some(self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_looks_at_pairs_in_their_order() {
        let results =
            |number: u64| if number.is_multiple_of(2) { 1.0 } else { f64::from(number % 6 == 1) };
        let decided = |order: &[u64]| {
            let mut test = SequentialTest::new(Sprt::new(0.0, 200.0));
            order.iter().find_map(|&it| test.add(it, results(it)))
        };
        let order: Vec<u64> = (0..200).collect();
        let mut shuffled = order.clone();
        shuffled.chunks_mut(5).for_each(<[u64]>::reverse);
        let games = decided(&order);
        assert!(games.is_some_and(|it| it > 2 && it < 200), "{games:?}");
        assert_eq!(games, decided(&shuffled));
    }
}
