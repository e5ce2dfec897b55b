//! Playouts as an evaluation: the mean result of random games from a position.
//!
//! Bruce Abramson, "Expected-outcome: a general model of static evaluation", 1990.

use ludex_core::{Fault, Game, GameExt, PositionOf, Random, playout};

use super::{Evaluate, Standpoint};

/// The mean result of some random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutMean {
    /// How many games.
    pub games: u32,
    /// Turns after which a game counts as drawn.
    pub plies: u32,
    /// Seed of every random choice. The games of a position follow from it and the position, so
    /// that a position is always worth the same.
    pub seed: u64,
}

impl Default for PlayoutMean {
    fn default() -> Self {
        Self { games: 10, plies: 1000, seed: 0 }
    }
}

impl<G: Game> Evaluate<G> for PlayoutMean {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let mut random = Random::stream(self.seed, game.hash(&position.state), 0);
        let mut players = playout::Playouts::default();
        let mut at = position.clone();
        let mut sum = 0.0;
        for _ in 0..self.games {
            at.clone_from(position);
            let played = players.run(game, &mut at, &mut random, self.plies)?;
            let mine = played.payoffs.and_then(|it| it.get(from.mover.index()).copied());
            sum += mine.map_or(0.0, |it| it.utility);
        }
        let mean = sum / f64::from(self.games.max(1));
        // The inverse of how an evaluation reads as a utility; a hundred won games are no proof.
        Ok((4000.0 * mean.clamp(-0.999, 0.999).atanh()) as i32)
    }

    fn describe(&self) -> String {
        format!("the mean of {} playouts", self.games)
    }
}
