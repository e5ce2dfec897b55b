//! The lowest rung: any legal move, each as likely as any other.

use ludex_core::{Fault, Game, Random};

use crate::player::{Limits, Player, Task};
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
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        if mover(task.game, task.state, task.trail)?.is_none() {
            return Ok(Thought::default());
        }
        let mut thought = Thought::unjudged(task.game, task.state, task.trail)?;
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
