//! UCT as a player: the search itself, with its paper, is [`crate::uct`](mod@crate::uct).

use std::f64::consts::SQRT_2;

use ludex_core::{Game, Limits};

use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::{SearchResult, mover};
use crate::uct::{UctConfig, uct};

/// UCT as it was published. A playout is a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Uct {
    /// Weight of the exploration term, for rewards from 0 to 1.
    pub exploration: f64,
    /// Playouts where the budget has no limit that would ever end the search.
    pub playouts: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// About how many bytes the tree may take.
    pub memory: usize,
}

impl Uct {
    /// UCT with the usual settings.
    pub fn new(options: PlayerOptions) -> Self {
        let PlayerOptions { seed, memory, .. } = options;
        Self { exploration: SQRT_2, playouts: super::PLAYOUTS, seed, memory }
    }
}

impl<G: Game> GamePlayer<G> for Uct {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        if mover(root.game, root.position)?.is_none() {
            return Ok(SearchResult::default());
        }
        let config = UctConfig {
            exploration: self.exploration,
            seed: self.seed,
            playouts: self.playouts,
            memory: self.memory,
            ..UctConfig::default()
        };
        let report = uct(root.game, root.position, &config, limits)?;
        let result = report.into_result(limits.clock.elapsed());
        observer(&result);
        Ok(result)
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn describe(&self) -> String {
        format!("UCT, c={}", self.exploration)
    }
}
