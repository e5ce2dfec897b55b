//! Static evaluations: what a position looks worth without search.
//!
//! An evaluation is in thousandths, from the view of the player to move. One thousand is about a
//! man; nothing reaches [`MOST`], so that a proved win is always worth more than an
//! evaluation.

use ludex_core::{Fault, Game, GameExt, Player, PositionOf};

pub mod family;
pub mod lazy;
pub mod learned;
pub mod material;
pub mod mobility;
pub mod patterns;
pub mod piece_mobility;
pub mod playouts;
pub mod scale;
pub mod squares;
pub mod standard;
pub mod sum;

pub use family::{EvaluationChoice, EvaluationFamily, EvaluationStart, EvaluationTraining};
pub use lazy::LazyEvaluation;
pub use learned::{Learned, Training, TrainingConfig};
pub use material::Material;
pub use mobility::Mobility;
pub use patterns::Patterns;
pub(crate) use piece_mobility::MobilityCount;
pub use piece_mobility::PieceMobility;
pub use playouts::PlayoutMean;
pub use squares::Squares;
pub use standard::has_author_evaluation;
pub(crate) use standard::{families, mobility};
pub use sum::Sum;

/// Evaluations are kept between this and its negative.
pub const MOST: i32 = 1_000_000;

/// From where a position is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standpoint {
    /// Who is to move: the value is for this player.
    pub mover: Player,
    /// The player that the search plays for.
    pub side: Player,
    /// How many plies below its root the position is.
    pub depth: u32,
}

/// A static evaluation, perhaps with a policy.
///
/// Only [`evaluate`](Self::evaluate) and [`describe`](Self::describe) have to be written. An
/// evaluation that is cheaper for several positions at once, as a network is, has its own
/// [`evaluate_batch`](Self::evaluate_batch).
pub trait Evaluate<G: Game>: Send + Sync {
    /// What a position is worth to the player to move, seen from a standpoint.
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault>;

    /// Replaces the contents of `values` by what each of `positions` is worth: the same as
    /// [`evaluate`](Self::evaluate) says, one by one.
    fn evaluate_batch(
        &self,
        game: &G,
        positions: &[(PositionOf<G>, Standpoint)],
        values: &mut Vec<i32>,
    ) -> Result<(), Fault> {
        values.clear();
        for (position, from) in positions {
            values.push(self.evaluate(game, position, *from)?);
        }
        Ok(())
    }

    /// How promising each of the legal `moves` looks, as weights of any scale, 0 or more; `None`
    /// without a policy. Searches try promising moves first; they leave none out. A weight that is
    /// negative or not a number counts as 0; where all are 0 the policy is uniform.
    fn policy(
        &self,
        _game: &G,
        _position: &PositionOf<G>,
        _from: Standpoint,
        _moves: &[G::Move],
    ) -> Result<Option<Vec<f32>>, Fault> {
        Ok(None)
    }

    /// What a man of a kind is about worth, for the order in which captures are looked at; `None`
    /// where it cannot tell.
    fn man(&self, _kind: u8) -> Option<i32> {
        None
    }

    /// How an evaluation reads as a utility from -1 to 1: an odd function that never decreases.
    fn utility(&self, value: i32) -> f64 {
        (f64::from(value) / 4000.0).tanh()
    }

    /// What it is, in a few words.
    fn describe(&self) -> String;
}

/// The weights of a policy as [`Evaluate::policy`] defines them: finite, and 0 for what is negative
/// or not a number.
pub(crate) fn usable_weights(mut weights: Vec<f32>) -> Vec<f32> {
    for weight in &mut weights {
        *weight = if *weight > 0.0 { weight.min(f32::MAX) } else { 0.0 };
    }
    weights
}

/// No evaluation: every position that is not over is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvaluation;

impl<G: Game> Evaluate<G> for NoEvaluation {
    fn evaluate(&self, _game: &G, _state: &PositionOf<G>, _from: Standpoint) -> Result<i32, Fault> {
        Ok(0)
    }

    fn describe(&self) -> String {
        "no evaluation".to_owned()
    }
}

/// The evaluation of the author of the rules; 0 without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuthorEvaluation;

impl<G: Game> Evaluate<G> for AuthorEvaluation {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let value = game.evaluate(position, from.side, from.depth)?.unwrap_or(0.0);
        Ok((value * 1000.0).clamp(f64::from(-MOST), f64::from(MOST)) as i32)
    }

    fn describe(&self) -> String {
        "the file's own evaluation".to_owned()
    }
}
