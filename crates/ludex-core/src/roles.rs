//! What a game offers besides its rules.

use std::fmt;

use crate::board::Board;
use crate::game::Game;
use crate::heuristics::Heuristics;
use crate::prover::Prover;
use crate::shortcuts::Shortcuts;

/// The roles of the game `G`.
pub type RolesOf<'g, G> = Roles<'g, <G as Game>::State, <G as Game>::Trail, <G as Game>::Move>;

/// What a game offers besides its rules; nothing by default.
///
/// The roles are generic over states and moves, and not over the game, so that a game made of another
/// one hands on what that one offers.
pub struct Roles<'g, S, T, M> {
    /// What it does faster than by listing.
    pub shortcuts: Option<&'g dyn Shortcuts<S, T, M>>,
    /// What helps a search to play well.
    pub heuristics: Option<&'g dyn Heuristics<S, T, M>>,
    /// What finds forced wins and only defences.
    pub prover: Option<&'g dyn Prover<S, T, M>>,
    /// Its squares and men.
    pub board: Option<&'g Board>,
}

// Not derived: derives would ask states and moves to be `Clone` and `Default`.
impl<S, T, M> Clone for Roles<'_, S, T, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, T, M> Copy for Roles<'_, S, T, M> {}

impl<S, T, M> Default for Roles<'_, S, T, M> {
    fn default() -> Self {
        Self { shortcuts: None, heuristics: None, prover: None, board: None }
    }
}

impl<S, T, M> fmt::Debug for Roles<'_, S, T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roles")
            .field("shortcuts", &self.shortcuts.is_some())
            .field("heuristics", &self.heuristics.is_some())
            .field("prover", &self.prover.is_some())
            .field("board", &self.board.is_some())
            .finish()
    }
}
