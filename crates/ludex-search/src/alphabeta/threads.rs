//! Several threads on one table.
//!
//! Known as lazy SMP: every thread runs the same search and they only meet in the table, where
//! each finds what the others have found. That they do not all do the same at the same time comes
//! by itself; every other helper starts a ply deeper to help it along.
//!
//! The answer is the first thread's, unless a helper has finished a deeper iteration.

use std::sync::Mutex;
use std::sync::atomic::Ordering as Atomic;

use ludex_core::{Game, Player};

use super::root::Root;
use super::worker::{Shared, Worker};
use crate::error::SearchError;
use crate::player::SearchRoot;

/// The deepest iteration that any helper has finished, and what it found.
pub(super) struct Results<M> {
    best: Mutex<(u32, Vec<Root<M>>)>,
}

impl<M: Copy> Results<M> {
    /// What helpers have found at more than `depth`.
    pub(super) fn deepest(&self, depth: u32) -> Option<(u32, Vec<Root<M>>)> {
        let best = self.best.lock().expect("no thread panics with this lock");
        (best.0 > depth).then(|| best.clone())
    }

    fn offer(&self, depth: u32, roots: &[Root<M>]) {
        let mut best = self.best.lock().expect("no thread panics with this lock");
        if depth > best.0 {
            *best = (depth, roots.to_vec());
        }
    }
}

/// Runs `first` with a number of helpers, which stop when it has stopped.
pub(super) fn with_helpers<G: Game>(
    shared: &Shared<'_, G>,
    root: SearchRoot<'_, G>,
    mover: Player,
    roots: &[Root<G::Move>],
    helpers: usize,
    first: impl FnOnce(&Results<G::Move>) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let results = Results { best: Mutex::new((0, Vec::new())) };
    std::thread::scope(|scope| {
        for number in 0..helpers {
            let results = &results;
            scope.spawn(move || help(shared, root, mover, roots.to_vec(), number, results));
        }
        let outcome = first(&results);
        shared.stop.store(true, Atomic::Relaxed);
        outcome
    })
}

/// A helper's search. A fault is the first thread's to report: it meets the same rules.
fn help<G: Game>(
    shared: &Shared<'_, G>,
    root: SearchRoot<'_, G>,
    mover: Player,
    mut roots: Vec<Root<G::Move>>,
    number: usize,
    results: &Results<G::Move>,
) {
    let mut worker = Worker::new(shared, root.position, mover);
    let deepest = shared.limits.depth.unwrap_or(u32::MAX).min(shared.config.depth).max(1);
    for depth in (1 + number as u32 % 2).min(deepest)..=deepest {
        let found = worker.iterate(&mut roots, mover, depth);
        worker.tell();
        if found.is_err() {
            return;
        }
        results.offer(depth, &roots);
        if roots.iter().all(|it| it.is_finished) {
            return;
        }
    }
}
