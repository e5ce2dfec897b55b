//! What all players are: they search a position within limits.

use ludex_core::{Game, Limits, PositionOf};

use crate::error::SearchError;
use crate::evaluation::scale::Aim;
use crate::result::SearchResult;
use crate::spec::{Spec, SpecError};

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
    /// How many threads may search.
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

/// More threads than this are never started.
const MOST_THREADS: usize = 256;

impl PlayerOptions {
    /// The same with the options `threads`, `seed` and `memory` (in megabytes) of a spec.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            threads: spec.take("threads", self.threads)?.clamp(1, MOST_THREADS),
            seed: spec.take("seed", self.seed)?,
            memory: match spec.take_given::<usize>("memory")? {
                Some(megabytes) => megabytes.saturating_mul(1 << 20),
                None => self.memory,
            },
        })
    }
}

/// A player of games of one type.
///
/// It may keep what it has learned (a tree, a table) from one position to the next of the
/// same game; it finds the new position in what it has by itself. With one thread, a seed and a
/// budget of nodes, the same positions in the same order give the same results.
pub trait GamePlayer<G: Game>: Send {
    /// Searches until the limits are reached or everything is proved. However tight the limits, the
    /// result has a move where there is a legal one.
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError>;

    /// Gets ready for a game before its clock starts: what a player would learn about the rules
    /// at its first move it learns here, within the limits. Calling it is optional.
    fn prepare(&mut self, _game: &G, _limits: Limits<'_>) -> Result<(), SearchError> {
        Ok(())
    }

    /// Forgets what was kept: the next position belongs to another game.
    fn forget(&mut self) {}

    /// The random choices of the games to come follow from this seed. What was learned about the
    /// rules stays: that follows from the seed the player was made with.
    fn reseed(&mut self, _seed: u64) {}

    /// From now on searches are about who wins, or about points. A player with one aim ignores
    /// this.
    fn aim_at(&mut self, _aim: Aim) {}

    /// What the player is and why, in a line.
    fn describe(&self) -> String;
}
