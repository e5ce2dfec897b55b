//! Any legal move, each as likely as any other.

use ludex_core::{Game, Limits, Random};

use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, SearchRoot};
use crate::result::{SearchResult, mover};

/// Moves at random.
#[derive(Clone, Debug)]
pub struct RandomMover {
    random: Random,
}

impl RandomMover {
    /// A player whose moves follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { random: Random::stream(seed, 0, 0) }
    }
}

impl<G: Game> GamePlayer<G> for RandomMover {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        _watch: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        if mover(root.game, root.position)?.is_none() {
            return Ok(SearchResult::default());
        }
        let mut result = SearchResult::unsearched(root.game, root.position)?;
        let chosen = self.random.below(result.lines.len() as u32) as usize;
        result.lines.swap(0, chosen);
        result.elapsed = limits.clock.elapsed();
        result.found = result.elapsed;
        Ok(result)
    }

    fn reseed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }

    fn describe(&self) -> String {
        "any legal move".to_owned()
    }
}
