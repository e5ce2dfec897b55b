//! The budget of a search that plays whole games, perhaps in several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ludex_core::Limits;

use crate::error::SearchError;

/// How many moves are played between two looks at the clock.
const MOVES_PER_LOOK: u32 = 32;

/// The limits of a search, with the playouts that its threads have begun.
pub(super) struct SharedPlayouts<'a> {
    pub(super) limits: Limits<'a>,
    playouts: AtomicU64,
    is_over: AtomicBool,
}

impl<'a> SharedPlayouts<'a> {
    /// Limits of a search that has not begun.
    pub(super) fn new(limits: Limits<'a>) -> Self {
        Self { limits, playouts: AtomicU64::new(0), is_over: AtomicBool::new(false) }
    }

    /// How many playouts have begun.
    pub(super) fn playouts(&self) -> u64 {
        self.playouts.load(Ordering::Relaxed)
    }

    /// Ends the search in all threads.
    pub(super) fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// One thread's check whether the search must end.
pub(super) struct StopCondition<'a> {
    pub(super) shared: &'a SharedPlayouts<'a>,
    moves_to_look: u32,
}

impl<'a> StopCondition<'a> {
    /// The check of a thread that has not begun.
    pub(super) fn new(shared: &'a SharedPlayouts<'a>) -> Self {
        Self { shared, moves_to_look: 0 }
    }

    /// Asks for another playout.
    pub(super) fn begin_playout(&self) -> Result<(), SearchError> {
        let before = self.shared.playouts.fetch_add(1, Ordering::Relaxed);
        if self.shared.limits.nodes.is_some_and(|limit| limit <= before) {
            self.shared.playouts.fetch_sub(1, Ordering::Relaxed);
            return Err(SearchError::Stopped);
        }
        Ok(())
    }

    /// Is asked at every move: looks at the clock now and then.
    pub(super) fn tick(&mut self) -> Result<(), SearchError> {
        if self.moves_to_look > 0 {
            self.moves_to_look -= 1;
            return Ok(());
        }
        self.moves_to_look = MOVES_PER_LOOK;
        self.look()
    }

    /// Looks at the clock.
    pub(super) fn look(&self) -> Result<(), SearchError> {
        let shared = self.shared;
        if shared.is_over.load(Ordering::Relaxed) || shared.limits.is_reached(0) {
            return Err(SearchError::Stopped);
        }
        Ok(())
    }
}
