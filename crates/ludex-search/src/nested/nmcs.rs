//! NMCS: nested Monte-Carlo search.
//!
//! Tristan Cazenave, "Nested Monte-Carlo search", IJCAI 2009. A search of level 0 plays to the end
//! at random. A search of level n, at each step of its game, tries every move and finishes the game
//! by a search of level n - 1. It remembers the best game that it has seen so far and follows it,
//! so that a step never leads below what is known already.
//!
//! ```text
//! level 2   o───o───o───o───> the best game known, one move at a time
//!           ├─ level 1 from each move
//!           │    o───o───o───> the best game known below
//!           │    ├─ a random game from each move
//! ```
//!
//! A node of the budget is a random game. Start reading at `Search::level`.

use ludex_core::{Game, Payoff, PositionOf};

use super::playout::uniform;
use super::runs::{SequencePlayer, Sequences, Worker};
use crate::error::SearchError;
use crate::spec::{Spec, SpecError};

/// What NMCS does by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NmcsConfig {
    /// How deep searches are nested. Each level multiplies the work by the moves of a whole game.
    pub level: u32,
    /// Whether the best game so far is followed. Without, each step follows the best of its own
    /// trials only, which is much weaker and there to see that.
    pub memorise: bool,
    /// A game that has not ended after this many moves is broken off.
    pub plies: u32,
}

impl Default for NmcsConfig {
    fn default() -> Self {
        Self { level: 2, memorise: true, plies: 10_000 }
    }
}

/// The player `nmcs`.
pub type Nmcs = SequencePlayer<NmcsConfig>;

impl NmcsConfig {
    /// The same with the options of a spec.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            level: spec.take_within("level", self.level, 0..=super::HIGHEST)?,
            memorise: spec.take_switch("memorise", self.memorise)?,
            plies: spec.take_within("plies", self.plies, 1..=u32::MAX)?,
        })
    }
}

impl<G: Game> Sequences<G> for NmcsConfig {
    fn describe(&self) -> String {
        format!("nested Monte-Carlo search of level {}", self.level)
    }

    fn run(&self, worker: &mut Worker<'_, G>) -> Result<(), SearchError> {
        let position = worker.root.position.clone();
        Search { config: self, worker, path: Vec::new() }.level(self.level, position)?;
        Ok(())
    }
}

struct Search<'s, 'w, G: Game> {
    config: &'s NmcsConfig,
    worker: &'s mut Worker<'w, G>,
    /// The moves from the root to the position that is looked at.
    path: Vec<G::Move>,
}

/// The best game that a search knows: what it gives, and its moves from the root.
struct Best<M> {
    payoff: Option<Payoff>,
    moves: Vec<M>,
}

impl<M: Copy> Best<M> {
    fn improve(&mut self, payoff: Payoff, moves: &[M]) {
        if self.payoff.is_none_or(|old| payoff.score > old.score) {
            self.payoff = Some(payoff);
            self.moves.clear();
            self.moves.extend_from_slice(moves);
        }
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// Plays a game of this level from a position. Its moves are added to the path; what it
    /// gives is `None` where it did not end.
    fn level(
        &mut self,
        level: u32,
        mut position: PositionOf<G>,
    ) -> Result<Option<Payoff>, SearchError> {
        if level == 0 {
            return self.playout(position);
        }
        let game = self.worker.root.game;
        let mut best = Best { payoff: None, moves: Vec::new() };
        let mut moves = Vec::new();
        for ply in 0..self.config.plies {
            self.worker.budget.tick()?;
            game.moves(&position, self.worker.player, &mut moves)?;
            if moves.is_empty() {
                super::must_be_over(game, &position)?;
                let payoff = self.worker.payoff(&position)?;
                if ply == 0 {
                    // Over before it began: no random game was played, and yet it is one.
                    self.worker.budget.begin_playout()?;
                    self.worker.finish(payoff, &self.path);
                }
                return Ok(Some(payoff));
            }
            moves.sort_unstable();
            let step = self.step(level, &position, &moves, &mut best)?;
            let Some(mv) = step else { return Ok(None) };
            game.apply(&mut position, &[mv])?;
            self.path.push(mv);
        }
        Ok(None)
    }

    /// Tries each move with a search of the level below; the move to play.
    fn step(
        &mut self,
        level: u32,
        position: &PositionOf<G>,
        moves: &[G::Move],
        best: &mut Best<G::Move>,
    ) -> Result<Option<G::Move>, SearchError> {
        let depth = self.path.len();
        if !self.config.memorise {
            best.payoff = None;
        }
        for &mv in moves {
            let mut position = position.clone();
            self.worker.root.game.apply(&mut position, &[mv])?;
            self.path.push(mv);
            if let Some(payoff) = self.level(level - 1, position)? {
                best.improve(payoff, &self.path);
            }
            self.path.truncate(depth);
        }
        // Without one finished game there is nothing to follow.
        Ok(if best.payoff.is_some() { best.moves.get(depth).copied() } else { None })
    }

    /// Plays to the end at random.
    fn playout(&mut self, position: PositionOf<G>) -> Result<Option<Payoff>, SearchError> {
        let payoff = uniform(self.worker, position, self.config.plies, &mut self.path)?;
        if let Some(payoff) = payoff {
            self.worker.finish(payoff, &self.path);
        }
        Ok(payoff)
    }
}
