//! Flat Monte-Carlo: as many random games for each move, and the best mean is played.
//!
//! Bruce Abramson, "Expected-outcome: a general model of static evaluation", 1990; Bernd
//! Brügmann, "Monte Carlo Go", 1993.

use ludex_core::{Game, Limits, Random};

use super::ucb::{Arm, Arms};
use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, SearchRoot};
use crate::result::SearchResult;

/// Flat Monte-Carlo as a player. A playout is a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Flat {
    /// Playouts where the budget has no limit that would ever end the search.
    pub playouts: u64,
    /// Seed of every random choice.
    pub seed: u64,
}

impl<G: Game> GamePlayer<G> for Flat {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let Some(mut arms) = Arms::new(root)? else { return Ok(SearchResult::default()) };
        let limits = limits.or_nodes(self.playouts);
        let mut random = Random::stream(self.seed, 0, 0);
        while !limits.is_reached(arms.playouts) {
            let next = arms.playouts as usize % arms.list.len();
            arms.try_out(root, next, &mut random)?;
        }
        // Equal visits say nothing: the mean decides.
        Ok(arms.result((limits, observer), |arm: &Arm<G::Move>| arm.mean()))
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn describe(&self) -> String {
        "flat Monte-Carlo".to_owned()
    }
}
