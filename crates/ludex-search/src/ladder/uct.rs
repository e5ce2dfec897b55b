//! UCT as a player: the search itself, with its paper, is [`crate::uct`](mod@crate::uct).

use ludex_core::{Fault, Game, Limits};

use crate::player::{Player, SearchRoot, Watch};
use crate::thought::{Line, Thought, mover};
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

impl<G: Game> Player<G> for Uct {
    fn think(
        &mut self,
        task: SearchRoot<'_, G>,
        limits: Limits<'_>,
        watch: &mut Watch<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        if mover(task.game, task.position)?.is_none() {
            return Ok(Thought::default());
        }
        let config = UctConfig {
            exploration: self.exploration,
            seed: self.seed,
            playouts: self.playouts,
            memory: self.memory,
            ..UctConfig::default()
        };
        let report = uct(task.game, task.position, &config, limits)?;
        let lines = report.decisions.first().map_or(&[][..], |it| &it.lines);
        let lines = lines.iter().map(|line| Line {
            value: line.value,
            visits: line.visits,
            pv: line.pv.iter().map_while(|turn| turn.first().copied()).collect(),
            ..Line::new(line.mv)
        });
        let elapsed = limits.clock.elapsed();
        let thought = Thought {
            lines: lines.collect(),
            nodes: report.playouts,
            depth: 0,
            elapsed,
            found: elapsed,
        };
        watch(&thought);
        Ok(thought)
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn describe(&self) -> String {
        format!("UCT, c={}", self.exploration)
    }
}
