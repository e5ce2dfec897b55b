//! How long contestants may think, and the clocks that run while they do.

use std::time::Duration;

use ludex_search::timing::GameClock;

/// How long contestants may think: what a match agrees on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Pace {
    /// As long for every move.
    pub per_move: Option<Duration>,
    /// The same, where nothing else is said, for contestants that have no limits of their own.
    pub usual: Option<Duration>,
    /// A clock for the whole game, one for each seat.
    pub clock: Option<GameClock>,
    /// At most so many nodes for a move.
    pub nodes: Option<u64>,
    /// At most so many plies ahead.
    pub depth: Option<u32>,
    /// A move that takes so much longer than `per_move` loses on time; where nothing is said, it
    /// is only noted.
    pub grace: Option<Duration>,
}

impl Pace {
    /// A budget of nodes for each move: with one thread and a seed, the repeatable kind.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether it is time that ends the thinking of contestants without limits of their own.
    pub fn is_timed(&self) -> bool {
        let by_clock = self.clock.is_some() || self.per_move.is_some() || self.usual.is_some();
        by_clock && self.nodes.is_none()
    }
}

/// What a contestant may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Its time.
    pub time: Time,
    /// At most so many nodes.
    pub nodes: Option<u64>,
    /// At most so many plies ahead.
    pub depth: Option<u32>,
}

/// The time there is for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Nobody looks at the clock.
    Unlimited,
    /// So much for this move.
    Move(Duration),
    /// What the clocks of the game show.
    Game {
        /// The contestant's own.
        own: GameClock,
        /// That of its opponent; where there are several, of the one who moves next.
        other: GameClock,
    },
}

impl Allowance {
    /// When an answer is too late in any case; `None` where nobody looks at the clock.
    pub fn deadline(&self) -> Option<Duration> {
        match self.time {
            Time::Unlimited => None,
            Time::Move(time) => Some(time),
            Time::Game { own, .. } => Some(own.left),
        }
    }
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    pace: Pace,
    /// What is left, for every seat; nothing where there is no clock for the whole game.
    left: Option<Vec<GameClock>>,
}

impl Clocks {
    /// Clocks before the first move.
    pub(crate) fn new(pace: Pace, seats: usize) -> Self {
        Self { pace, left: pace.clock.map(|it| vec![it; seats]) }
    }

    /// What a seat may spend on its next move, where `usual` says whether the usual time is for it.
    pub(crate) fn allowance(&self, seat: usize, usual: bool) -> Allowance {
        let usual = self.pace.usual.filter(|_| usual);
        let time = match (&self.left, self.pace.per_move.or(usual)) {
            (Some(left), _) => Time::Game { own: left[seat], other: left[(seat + 1) % left.len()] },
            (None, Some(time)) => Time::Move(time),
            (None, None) => Time::Unlimited,
        };
        Allowance { time, nodes: self.pace.nodes, depth: self.pace.depth }
    }

    /// Takes a move off a seat's clock; whether there was time enough.
    pub(crate) fn spend(&mut self, seat: usize, spent: Duration) -> bool {
        if let Some(left) = &mut self.left {
            let Some(after) = left[seat].after(spent) else {
                left[seat].left = Duration::ZERO;
                return false;
            };
            left[seat] = after;
            return true;
        }
        let limit = self.pace.per_move.zip(self.pace.grace).map(|(time, grace)| time + grace);
        limit.is_none_or(|it| spent <= it)
    }

    /// What is left on a seat's clock.
    pub(crate) fn left(&self, seat: usize) -> Option<Duration> {
        self.left.as_ref().map(|it| it[seat].left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_and_gets_its_increment() {
        let (second, tenth) = (Duration::from_secs(1), Duration::from_millis(100));
        let clock = Some(GameClock::new(second, tenth));
        let mut clocks = Clocks::new(Pace { clock, ..Pace::default() }, 2);
        assert!(clocks.spend(0, tenth * 3));
        assert_eq!(clocks.left(0), Some(tenth * 8));
        assert_eq!(clocks.left(1), Some(second));
        assert_eq!(clocks.allowance(1, true).deadline(), Some(second));
        assert!(!clocks.spend(0, second));
        assert_eq!(clocks.left(0), Some(Duration::ZERO));
    }

    #[test]
    fn a_long_move_loses_only_where_that_was_agreed() {
        let (time, late) = (Duration::from_millis(10), Duration::from_millis(80));
        let pace = Pace { per_move: Some(time), ..Pace::default() };
        assert!(Clocks::new(pace, 2).spend(0, late));
        let grace = Some(Duration::from_millis(50));
        assert!(!Clocks::new(Pace { grace, ..pace }, 2).spend(0, late));
        assert!(Clocks::new(Pace { grace, ..pace }, 2).spend(0, time * 5));
    }
}
