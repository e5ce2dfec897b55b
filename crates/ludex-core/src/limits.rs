//! When a search must end: nodes, time, depth, a stop flag, and the clock that measures the time.
//!
//! Nothing in this crate reads a real clock: it is made at the rim, and a test may bring its own.
//! A node limit needs no clock at all, which is what makes a search repeatable.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Measures the time since a search began.
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

/// When a search must end. A limit that is `None` does not limit.
///
/// ```
/// use ludex_core::Limits;
///
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// assert!(!limits.is_reached(999));
/// assert!(limits.is_reached(1_000));
/// ```
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// How many nodes to visit; each search says what it counts as a node.
    pub nodes: Option<u64>,
    /// How long to search.
    pub time: Option<Duration>,
    /// How many plies to look ahead.
    pub depth: Option<u32>,
    /// A flag by which another thread ends the search.
    pub stop: Option<&'a AtomicBool>,
    /// Measures the time; it is read only where `time` is a limit.
    pub clock: &'a dyn Clock,
}

impl Default for Limits<'_> {
    /// No limit at all, and a clock that stands still.
    fn default() -> Self {
        Self { nodes: None, time: None, depth: None, stop: None, clock: &StoppedClock }
    }
}

impl Limits<'_> {
    /// A limit of `nodes` and nothing else: with one thread, the repeatable kind.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether a search that has visited `nodes` nodes must end now.
    ///
    /// The clock is read only where time is limited. Reading costs a system call then; a search
    /// of small nodes checks every thousand nodes or so.
    pub fn is_reached(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| limit <= nodes)
            || self.is_stopped()
            || self.time.is_some_and(|limit| limit <= self.clock.elapsed())
    }

    /// Whether the stop flag has been raised.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the end may depend on the speed of the machine: by a time limit, or by a stop flag.
    pub fn is_timed(&self) -> bool {
        self.time.is_some() || self.stop.is_some()
    }

    /// Whether nothing but its own end stops a search; the depth is no such limit.
    pub fn is_endless(&self) -> bool {
        self.nodes.is_none() && !self.is_timed()
    }

    /// The same, with a limit of `nodes` where nothing else would ever end a search.
    #[must_use]
    pub fn or_nodes(self, nodes: u64) -> Self {
        if self.is_endless() { Self { nodes: Some(nodes), ..self } } else { self }
    }

    /// What is left when `nodes` nodes have been visited.
    #[must_use]
    pub fn after(self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|it| it.saturating_sub(nodes)), ..self }
    }

    /// The same with the first of `parts` equal parts of the time that is left.
    #[must_use]
    pub fn part_of_time(self, parts: u32) -> Self {
        let part = |time: Duration| {
            let elapsed = self.clock.elapsed();
            elapsed + time.saturating_sub(elapsed) / parts
        };
        Self { time: self.time.map(part), ..self }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, time, depth, stop, clock: _ } = self;
        f.debug_struct("Limits")
            .field("nodes", nodes)
            .field("time", time)
            .field("depth", depth)
            .field("stop", stop)
            .finish_non_exhaustive()
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
    fn no_limit_is_never_reached() {
        let limits = Limits { clock: &Fixed(Duration::MAX), ..Limits::default() };
        assert!(!limits.is_reached(u64::MAX) && limits.is_endless());
        assert_eq!(limits.or_nodes(7).nodes, Some(7));
    }

    #[test]
    fn time_runs_out() {
        let at = |seconds| Fixed(Duration::from_secs_f64(seconds));
        let time = Some(Duration::from_secs(5));
        assert!(!Limits { time, clock: &at(4.999), ..Limits::default() }.is_reached(0));
        assert!(Limits { time, clock: &at(5.0), ..Limits::default() }.is_reached(0));
    }

    #[test]
    fn the_flag_stops_everything() {
        let flag = AtomicBool::new(false);
        let limits = Limits { stop: Some(&flag), ..Limits::of_nodes(10) };
        assert!(!limits.is_reached(0));
        flag.store(true, Ordering::Relaxed);
        assert!(limits.is_reached(0));
    }

    #[test]
    fn what_is_left_is_shared_out() {
        let clock = Fixed(Duration::from_secs(2));
        let limits =
            Limits { time: Some(Duration::from_secs(10)), clock: &clock, ..Limits::of_nodes(10) };
        assert_eq!(limits.after(4).nodes, Some(6));
        assert_eq!(limits.after(11).nodes, Some(0));
        assert_eq!(limits.part_of_time(4).time, Some(Duration::from_secs(4)));
    }
}
