//! The evaluation of the plain searches: the one that was asked for, the file's own where it has
//! one, and else mobility.

use ludex_core::{Fault, Game, GameExt, PositionOf};

use crate::evaluation::{Choice, Chosen, Evaluate, MOST, Standpoint, has_author_evaluation};
use crate::player::PlayerOptions;

/// An evaluation that is made when the game is known.
#[derive(Debug)]
pub(crate) struct BaselineEvaluation<G: Game> {
    choice: Choice,
    other: Chosen<G>,
    author: RoundedAuthorEvaluation,
}

impl<G: Game> BaselineEvaluation<G> {
    /// Nothing made yet. `Auto` stands for the file's own and, without one, for mobility: these
    /// searches do not learn by themselves.
    pub(crate) fn new(choice: Choice, unit: u32, options: PlayerOptions) -> Self {
        let other = if choice == Choice::Auto { Choice::Mobility } else { choice };
        Self {
            choice,
            other: Chosen::new(other, options),
            author: RoundedAuthorEvaluation { unit },
        }
    }

    /// The evaluation for a game.
    pub(crate) fn of(&mut self, game: &G) -> Result<&dyn Evaluate<G>, Fault> {
        if self.is_author(game)? { Ok(&self.author) } else { self.other.of(game) }
    }

    /// Whether that is the file's own.
    pub(crate) fn is_author(&self, game: &G) -> Result<bool, Fault> {
        match self.choice {
            Choice::File => Ok(true),
            Choice::Auto => has_author_evaluation(game),
            _ => Ok(false),
        }
    }
}

/// The opinion of the author of the rules, to the nearest whole number of its units; 0 without
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
