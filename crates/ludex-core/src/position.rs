//! A position: a state with its history.

use std::fmt::Debug;

use crate::game::Game;
use crate::state::{State, Trail};

/// One position of a game: its state, and what the rules remember of the positions before it.
///
/// The two travel together, because whatever the rules say may depend on both.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Position<S = State, T = Trail> {
    /// The cells and nothing else.
    pub state: S,
    /// What the rules remember of earlier positions.
    pub trail: T,
}

/// A position of the game `G`.
pub type PositionOf<G> = Position<<G as Game>::State, <G as Game>::Trail>;

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "it has a `clone_from`, for parts that own memory"
)]
impl<S: Clone, T: Clone> Clone for Position<S, T> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), trail: self.trail.clone() }
    }

    // Searches copy positions all the time: into memory that is there.
    fn clone_from(&mut self, source: &Self) {
        self.state.clone_from(&source.state);
        self.trail.clone_from(&source.trail);
    }
}

impl<S: Copy, T: Copy> Copy for Position<S, T> {}

impl<S, T: Default> Position<S, T> {
    /// A state without a history.
    pub fn of(state: S) -> Self {
        Self { state, trail: T::default() }
    }
}
