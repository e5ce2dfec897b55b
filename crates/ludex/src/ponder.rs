//! Thinking on the opponent's time.
//!
//! A player searches the position in which the opponent is to move. What it keeps of that (a
//! tree, a table) is there when its own turn comes, whatever the opponent has played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ludex_core::Limits;
use ludex_jit::CompiledGame;
use ludex_search::SearchRoot;

use crate::clock::RealClock;
use crate::players::LoadedPlayer;

/// Lets a player search a position while something else is done, and no longer.
pub fn ponder_while<T>(
    player: &mut LoadedPlayer,
    root: SearchRoot<'_, CompiledGame>,
    done: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let clock = &RealClock::start();
            let limits = Limits { stop: Some(&stop), clock, ..Limits::default() };
            // A fault occurs again at the player's own turn, and is reported then.
            let _ = player.search(root, limits, &mut |_| {});
        });
        let done = done();
        stop.store(true, Ordering::Relaxed);
        done
    })
}

/// How many threads can run at once here.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}
