//! Time controls, the limits of a move, and the clocks of a game.

use std::time::Duration;

use ludex_search::timing::GameClock;

/// The time control of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// A fixed time for each move.
    pub per_move: Option<Duration>,
    /// The time for each move of contestants without limits of their own, where no time control was
    /// given.
    pub default_time: Option<Duration>,
    /// A clock for the whole game, one for each seat.
    pub clock: Option<GameClock>,
    /// The node budget of a move.
    pub nodes: Option<u64>,
    /// The greatest search depth, in plies.
    pub depth: Option<u32>,
    /// A move that overruns `per_move` by more than this forfeits the game; without it an overrun is
    /// only reported.
    pub grace: Option<Duration>,
}

impl TimeControl {
    /// A node budget for each move: repeatable with one thread and a seed.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether time limits the thinking of contestants without limits of their own.
    pub fn is_timed(&self) -> bool {
        let by_clock =
            self.clock.is_some() || self.per_move.is_some() || self.default_time.is_some();
        by_clock && self.nodes.is_none()
    }
}

/// The limits of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveLimits {
    /// The time limit.
    pub time: TimeLimit,
    /// The node budget.
    pub nodes: Option<u64>,
    /// The greatest search depth, in plies.
    pub depth: Option<u32>,
}

/// The time limit of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// No clock runs.
    Unlimited,
    /// A fixed time for this move.
    Move(Duration),
    /// The clocks of the game.
    Game {
        /// The contestant's own.
        own: GameClock,
        /// The opponent's; with several opponents, that of the one who moves next.
        other: GameClock,
    },
}

impl MoveLimits {
    /// The time after which any answer is too late; `None` where no clock runs.
    pub fn deadline(&self) -> Option<Duration> {
        match self.time {
            TimeLimit::Unlimited => None,
            TimeLimit::Move(time) => Some(time),
            TimeLimit::Game { own, .. } => Some(own.left),
        }
    }
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    time_control: TimeControl,
    /// The clock of every seat; `None` without a clock for the whole game.
    left: Option<Vec<GameClock>>,
}

impl Clocks {
    /// Clocks before the first move.
    pub(crate) fn new(time_control: TimeControl, seats: usize) -> Self {
        Self { time_control, left: time_control.clock.map(|it| vec![it; seats]) }
    }

    /// The limits of a seat's next move; `has_own_limits` takes the default time away.
    pub(crate) fn limits(&self, seat: usize, has_own_limits: bool) -> MoveLimits {
        let TimeControl { per_move, default_time, nodes, depth, .. } = self.time_control;
        let time = match (&self.left, per_move.or(default_time.filter(|_| !has_own_limits))) {
            (Some(left), _) => {
                TimeLimit::Game { own: left[seat], other: left[(seat + 1) % left.len()] }
            }
            (None, Some(time)) => TimeLimit::Move(time),
            (None, None) => TimeLimit::Unlimited,
        };
        MoveLimits { time, nodes, depth }
    }

    /// Takes the time of a move off a seat's clock; `false` is a time forfeit.
    pub(crate) fn spend(&mut self, seat: usize, spent: Duration) -> bool {
        if let Some(left) = &mut self.left {
            let Some(after) = left[seat].after(spent) else {
                left[seat].left = Duration::ZERO;
                return false;
            };
            left[seat] = after;
            return true;
        }
        let TimeControl { per_move, grace, .. } = self.time_control;
        let limit = per_move.zip(grace).map(|(time, grace)| time + grace);
        limit.is_none_or(|it| spent <= it)
    }

    /// The time left on a seat's clock.
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
        let mut clocks = Clocks::new(TimeControl { clock, ..TimeControl::default() }, 2);
        assert!(clocks.spend(0, tenth * 3));
        assert_eq!(clocks.left(0), Some(tenth * 8));
        assert_eq!(clocks.left(1), Some(second));
        assert_eq!(clocks.limits(1, false).deadline(), Some(second));
        assert!(!clocks.spend(0, second));
        assert_eq!(clocks.left(0), Some(Duration::ZERO));
    }

    #[test]
    fn a_time_overrun_forfeits_only_beyond_the_grace() {
        let (time, late) = (Duration::from_millis(10), Duration::from_millis(80));
        let control = TimeControl { per_move: Some(time), ..TimeControl::default() };
        assert!(Clocks::new(control, 2).spend(0, late));
        let grace = Some(Duration::from_millis(50));
        assert!(!Clocks::new(TimeControl { grace, ..control }, 2).spend(0, late));
        assert!(Clocks::new(TimeControl { grace, ..control }, 2).spend(0, time * 5));
    }
}
