//! Thinking on the opponent's time.
//!
//! A player thinks about the position in which the opponent is to move. What it keeps of that (a
//! tree, a table) is there when its own turn comes, whatever the opponent has played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ludex_core::Budget;
use ludex_search::{Limits, Task};

use crate::clock::RealClock;
use crate::engine::Engine;
use crate::players::Thinker;

/// Lets a player think about a position while something else is done, and no longer.
pub(crate) fn meanwhile<T>(
    thinker: &mut Thinker,
    task: Task<'_, Engine>,
    done: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let budget = Budget { stop: Some(&stop), ..Budget::default() };
            let clock = RealClock::start();
            // What goes wrong goes wrong again at its own turn, and is told then.
            let _ = thinker.think(task, &mut Limits { budget, clock: &clock, watch: &mut |_| {} });
        });
        let done = done();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

/// How many threads can run at once here.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}
