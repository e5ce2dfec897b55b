//! How long a search may think, and who tells it the time.
//!
//! Nothing in this crate reads a clock: the real one is made at the rim, and a
//! test may bring its own. A budget of nodes needs no clock at all, which is
//! what makes a search repeatable.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells how much time has passed since a search began.
pub trait Clock: Send + Sync {
    /// Time since the clock was started. Never runs backwards.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches that count nodes only.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoppedClock;

impl Clock for StoppedClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// What a search may spend. A limit that is `None` does not limit.
///
/// ```
/// use ludex_core::budget::{Budget, StoppedClock};
///
/// let budget = Budget { nodes: Some(1_000), ..Budget::default() };
/// assert!(!budget.is_spent(999, &StoppedClock));
/// assert!(budget.is_spent(1_000, &StoppedClock));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    /// How many nodes to visit; each search says what it counts as a node.
    pub nodes: Option<u64>,
    /// How long to think.
    pub time: Option<Duration>,
    /// How many plies to look ahead.
    pub depth: Option<u32>,
    /// A flag that somebody else raises to end the search.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// A budget of `nodes` and nothing else: with one thread, the repeatable kind.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether a search that has visited `nodes` nodes must end now.
    ///
    /// The clock is read only where time is limited. Asking costs a system call
    /// then; a search of small nodes asks every thousand or so.
    pub fn is_spent(&self, nodes: u64, clock: &dyn Clock) -> bool {
        self.nodes.is_some_and(|limit| limit <= nodes)
            || self.is_stopped()
            || self.time.is_some_and(|limit| limit <= clock.elapsed())
    }

    /// Whether somebody has raised the stop flag.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock whose hands are where the test put them.
    struct Fixed(Duration);

    impl Clock for Fixed {
        fn elapsed(&self) -> Duration {
            self.0
        }
    }

    #[test]
    fn no_limit_is_never_spent() {
        let budget = Budget::default();
        assert!(!budget.is_spent(u64::MAX, &Fixed(Duration::MAX)));
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget { time: Some(Duration::from_secs(5)), ..Budget::default() };
        assert!(!budget.is_spent(0, &Fixed(Duration::from_millis(4_999))));
        assert!(budget.is_spent(0, &Fixed(Duration::from_secs(5))));
    }

    #[test]
    fn the_flag_stops_everything() {
        let flag = AtomicBool::new(false);
        let budget = Budget { nodes: Some(10), stop: Some(&flag), ..Budget::default() };
        assert!(!budget.is_spent(0, &StoppedClock));
        flag.store(true, Ordering::Relaxed);
        assert!(budget.is_spent(0, &StoppedClock));
    }
}
