//! The budget of the game's prover beside a search.
//!
//! A call of the prover ([`GameExt::forced_win`](ludex_core::GameExt::forced_win)) may take as long
//! as thousands of nodes, so it gets a small part of the search's limits.

use std::time::Duration;

use ludex_core::{Effort, Fault, Limits, Sought};

/// One part in this many of the time of a search is for the prover.
const SHARE: u32 = 10;

/// A position of the prover takes about as long as this many nodes of a search.
const COST: u64 = 100;

/// What the prover has spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProverBudget {
    positions: u64,
    time: Duration,
}

impl ProverBudget {
    /// Calls the prover for wins by threats, at `positions` positions and for a part of what is
    /// left of the time and of the nodes; not at all where earlier calls have cost enough, for a
    /// search that has visited `nodes`.
    ///
    /// Without a limit of time the clock is never read, so that the search can be repeated.
    pub(crate) fn look<T>(
        &mut self,
        limits: Limits<'_>,
        positions: u64,
        nodes: u64,
        ask: impl FnOnce(Effort<'_>) -> Result<Sought<T>, Fault>,
    ) -> Result<ProverAnswer<T>, Fault> {
        let left = limits.nodes.map_or(u64::MAX, |it| it.saturating_sub(nodes) / u64::from(SHARE));
        let limits = Limits { nodes: Some(positions.min(left)), ..limits };
        if left == 0 {
            return Ok(ProverAnswer::OverBudget);
        }
        if limits.time.is_none() {
            let price = self.positions.saturating_mul(COST * u64::from(SHARE));
            return if price > nodes {
                Ok(ProverAnswer::OverBudget)
            } else {
                self.ask(limits, ask)
            };
        }
        let now = limits.clock.elapsed();
        if self.time * SHARE > now {
            return Ok(ProverAnswer::OverBudget);
        }
        let time = limits.time.map(|it| it.min(now + it.saturating_sub(now) / SHARE));
        let found = self.ask(Limits { time, ..limits }, ask);
        self.time += limits.clock.elapsed().saturating_sub(now);
        found
    }

    fn ask<T>(
        &mut self,
        limits: Limits<'_>,
        ask: impl FnOnce(Effort<'_>) -> Result<Sought<T>, Fault>,
    ) -> Result<ProverAnswer<T>, Fault> {
        let Sought { found, positions } = ask(Effort { order: 1, limits })?;
        self.positions += positions;
        Ok(ProverAnswer::Answered(found, positions))
    }
}

/// What the prover answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProverAnswer<T> {
    /// It was not called: earlier calls have cost too much.
    OverBudget,
    /// What it found, and at how many positions.
    Answered(Option<T>, u64),
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use ludex_core::Clock;

    use super::*;

    /// A clock that is moved by hand, in milliseconds.
    #[derive(Default)]
    struct Hand(AtomicU64);

    impl Clock for Hand {
        fn elapsed(&self) -> Duration {
            Duration::from_millis(self.0.load(Relaxed))
        }
    }

    #[test]
    fn looks_take_their_part_of_the_time_and_no_more() {
        let (clock, mut prover_budget) = (Hand::default(), ProverBudget::default());
        let limits =
            Limits { time: Some(Duration::from_secs(1)), clock: &clock, ..Limits::default() };
        let mut look = |takes: u64| {
            prover_budget.look(limits, 5, 0, |effort| {
                assert_eq!(effort.limits.nodes, Some(5));
                let limit = effort.limits.time.expect("there is a clock");
                let left = limit.saturating_sub(clock.elapsed());
                assert!(left <= Duration::from_millis(100), "{left:?}");
                clock.0.fetch_add(takes, Relaxed);
                Ok(Sought::<()> { found: None, positions: 5 })
            })
        };
        assert_eq!(look(30), Ok(ProverAnswer::Answered(None, 5)));
        clock.0.store(299, Relaxed);
        assert_eq!(look(0), Ok(ProverAnswer::OverBudget));
        clock.0.store(300, Relaxed);
        assert_eq!(look(1), Ok(ProverAnswer::Answered(None, 5)));
        assert_eq!(look(1), Ok(ProverAnswer::OverBudget));
    }

    #[test]
    fn without_a_clock_nodes_are_counted() {
        let mut prover_budget = ProverBudget::default();
        let mut look = |nodes| {
            prover_budget.look(Limits::of_nodes(100_000), 7, nodes, |effort| {
                assert_eq!((effort.limits.nodes, effort.limits.time), (Some(7), None));
                Ok(Sought { found: Some(1), positions: 7 })
            })
        };
        assert_eq!(look(0), Ok(ProverAnswer::Answered(Some(1), 7)));
        assert_eq!(look(6_999), Ok(ProverAnswer::OverBudget));
        assert_eq!(look(7_000), Ok(ProverAnswer::Answered(Some(1), 7)));
    }

    #[test]
    fn a_part_of_the_nodes_is_all_there_is() {
        let look = |nodes| {
            ProverBudget::default().look(Limits::of_nodes(100), 50, nodes, |effort| {
                let positions = effort.limits.nodes.expect("they are limited");
                Ok(Sought { found: Some(()), positions })
            })
        };
        assert_eq!(look(0), Ok(ProverAnswer::Answered(Some(()), 10)));
        assert_eq!(look(50), Ok(ProverAnswer::Answered(Some(()), 5)));
        assert_eq!(look(95), Ok(ProverAnswer::OverBudget));
    }
}
