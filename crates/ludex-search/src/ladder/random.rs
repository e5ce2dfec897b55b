//! The lowest rung: any legal move, each as likely as any other.

use ludex_core::{Fault, Game, Limits, Random};

use crate::player::{Player, SearchRoot, Watch};
use crate::thought::{Thought, mover};

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

impl<G: Game> Player<G> for RandomMover {
    fn think(
        &mut self,
        task: SearchRoot<'_, G>,
        limits: Limits<'_>,
        _watch: &mut Watch<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        if mover(task.game, task.position)?.is_none() {
            return Ok(Thought::default());
        }
        let mut thought = Thought::unjudged(task.game, task.position)?;
        let chosen = self.random.below(thought.lines.len() as u32) as usize;
        thought.lines.swap(0, chosen);
        thought.elapsed = limits.clock.elapsed();
        thought.found = thought.elapsed;
        Ok(thought)
    }

    fn reseed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }

    fn describe(&self) -> String {
        "any legal move".to_owned()
    }
}
