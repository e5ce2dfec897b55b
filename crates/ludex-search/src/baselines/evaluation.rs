//! The evaluation of the plain searches: the one that was asked for, the file's own where it has
//! one, and else mobility.

use ludex_core::{Fault, Game, GameExt, PositionOf};

use crate::error::SearchError;
use crate::evaluation::{
    Evaluate, EvaluationChoice, LazyEvaluation, MOST, Standpoint, TrainingConfig,
    has_author_evaluation, mobility,
};
use crate::player::PlayerOptions;

/// An evaluation that is made when the game is known.
#[derive(Debug)]
pub(crate) struct BaselineEvaluation<G: Game> {
    /// The name it was chosen by.
    name: String,
    other: LazyEvaluation<G>,
    author: RoundedAuthorEvaluation,
}

impl<G: Game> BaselineEvaluation<G> {
    /// Nothing made yet. `auto` stands for the file's own and, without one, for mobility: these
    /// searches do not learn by themselves.
    pub(crate) fn new(choice: EvaluationChoice<G>, unit: u32, options: PlayerOptions) -> Self {
        let name = choice.name().to_owned();
        let other = if name == "auto" { mobility() } else { choice };
        let training = TrainingConfig { seed: options.seed, ..TrainingConfig::default() };
        let other = LazyEvaluation::new(other, training);
        Self { name, other, author: RoundedAuthorEvaluation { unit } }
    }

    /// The evaluation for a game.
    pub(crate) fn of(&mut self, game: &G) -> Result<&dyn Evaluate<G>, SearchError> {
        if self.is_author(game)? { Ok(&self.author) } else { self.other.of(game) }
    }

    /// Whether that is the file's own.
    pub(crate) fn is_author(&self, game: &G) -> Result<bool, Fault> {
        match self.name.as_str() {
            "file" => Ok(true),
            "auto" => has_author_evaluation(game),
            _ => Ok(false),
        }
    }
}

/// The evaluation of the author of the rules, to the nearest whole number of its units; 0 without
/// one. A search that plays the first of equals must not make equals by cutting off.
#[derive(Clone, Copy, Debug)]
struct RoundedAuthorEvaluation {
    /// How many steps the search tells apart between 0 and 1. With 1 a file can speak of whole
    /// numbers as large as evaluations get.
    unit: u32,
}

impl<G: Game> Evaluate<G> for RoundedAuthorEvaluation {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let value = game.evaluate(position, from.side, from.depth)?.unwrap_or(0.0);
        let steps = (value * f64::from(self.unit)).round();
        Ok(steps.clamp(f64::from(-MOST), f64::from(MOST)) as i32)
    }

    fn describe(&self) -> String {
        "the file's own evaluation".to_owned()
    }
}
