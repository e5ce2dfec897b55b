//! Several threads on one tree.
//!
//! Guillaume Chaslot, Mark Winands and Jaap van den Herik, "Parallel Monte-Carlo tree search",
//! 2008: tree parallelization with virtual loss; see [`tree`](super::tree) for why no lock is
//! needed.
//!
//! The thread that asked is one of the workers, and the only one that tells of improvements.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use ludex_core::{Budget, Clock, Fault, Game};

use super::search::{Search, Worker};
use super::tree::ROOT;

/// Why the workers stopped. Where they give several reasons the largest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Halt {
    /// Another worker did.
    Told,
    /// The tree has no room left.
    Full,
    /// The budget is spent.
    Spent,
    /// The root is proved.
    Solved,
}

/// What workers watch.
struct Signals<'a> {
    budget: Budget<'a>,
    clock: &'a dyn Clock,
    /// Playouts begun, over all rounds.
    begun: &'a AtomicU64,
    stop: AtomicBool,
}

/// Simulates with all workers until something ends it. `report` is called by this thread between
/// playouts, with the number begun.
pub(crate) fn run<G: Game>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
    (budget, clock): (Budget<'_>, &dyn Clock),
    begun: &AtomicU64,
    report: &mut dyn FnMut(u64),
) -> Result<Halt, Fault> {
    let signals = Signals { budget, clock, begun, stop: AtomicBool::new(false) };
    let Some((first, others)) = workers.split_first_mut() else { return Ok(Halt::Spent) };
    std::thread::scope(|scope| {
        let signals = &signals;
        let others: Vec<_> = others
            .iter_mut()
            .map(|worker| scope.spawn(move || work(search, worker, signals, &mut |_| {})))
            .collect();
        let mut halt = work(search, first, signals, report);
        for other in others {
            let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // A fault of any is a fault of all.
            halt = halt.and_then(|halt| theirs.map(|it| halt.max(it)));
        }
        halt
    })
}

/// What one thread does.
fn work<G: Game>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    signals: &Signals<'_>,
    report: &mut dyn FnMut(u64),
) -> Result<Halt, Fault> {
    let halt = loop {
        if let Some(halt) = halted(search, signals) {
            break Ok(halt);
        }
        let number = signals.begun.fetch_add(1, Relaxed);
        if signals.budget.nodes.is_some_and(|limit| limit <= number) {
            signals.begun.fetch_sub(1, Relaxed);
            break Ok(Halt::Spent);
        }
        if let Err(fault) = worker.simulate(search) {
            break Err(fault);
        }
        report(number + 1);
    };
    signals.stop.store(true, Relaxed);
    halt
}

fn halted<G: Game>(search: &Search<'_, G>, signals: &Signals<'_>) -> Option<Halt> {
    // A playout takes a microsecond at the very least: the clock may be read before each.
    let Signals { budget, clock, begun, stop } = signals;
    if search.config.solver && search.tree.node(ROOT).bounds().value().is_some() {
        Some(Halt::Solved)
    } else if budget.is_spent(begun.load(Relaxed), *clock) {
        Some(Halt::Spent)
    } else if search.tree.is_full() && !search.tree.frozen {
        Some(Halt::Full)
    } else if stop.load(Relaxed) {
        Some(Halt::Told)
    } else {
        None
    }
}
