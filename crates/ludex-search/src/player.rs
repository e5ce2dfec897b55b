//! What all players are: something that thinks about a position within a budget.

use ludex_core::{Fault, Game, Limits, PositionOf};

use crate::evaluation::scale::Aim;
use crate::result::SearchResult;

/// The root of a search: a position, with the rules it is played by.
#[derive(Debug)]
pub struct SearchRoot<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position.
    pub position: &'a PositionOf<G>,
}

// Not derived: a derive would ask the game itself to be `Copy`.
impl<G: Game> Clone for SearchRoot<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for SearchRoot<'_, G> {}

/// Observes a search: it is called with every improvement, such as a new best move, a deeper
/// iteration or a proof; from the thread that called the search, and not too often.
pub type Observer<'a, M> = dyn FnMut(&SearchResult<M>) + 'a;

/// What is common to all players, whatever they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// How many threads may think.
    pub threads: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// About how many bytes trees and tables may take.
    pub memory: usize,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self { threads: 1, seed: 0, memory: 256 << 20 }
    }
}

/// Something that plays.
///
/// A player may keep what it has learnt (a tree, a table) from one position to the next of the
/// same game; it finds the new position in what it has by itself. With one thread, a seed and a
/// budget of nodes, the same positions in the same order give the same thoughts.
pub trait GamePlayer<G: Game>: Send {
    /// Thinks until the budget is spent or everything is known. However small the budget, there
    /// is a move where there is a legal one.
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault>;

    /// Gets ready for a game before its clock starts: what a player would learn about the rules
    /// at its first move it learns here, within the limits. Nobody has to call it.
    fn prepare(&mut self, _game: &G, _limits: Limits<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// Forgets what was kept: the next position belongs to another game.
    fn forget(&mut self) {}

    /// The random choices of the games to come follow from this seed. What was learned about the
    /// rules stays: that follows from the seed the player was made with.
    fn reseed(&mut self, _seed: u64) {}

    /// From now on thoughts are about who wins, or about points. Who knows of one aim only goes on as before.
    fn aim_at(&mut self, _aim: Aim) {}

    /// What the player is and why, in a line, for those who ask.
    fn describe(&self) -> String;
}
