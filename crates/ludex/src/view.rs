//! A position and its moves, as plain data.

use std::fmt;

use ludex_core::{Game, Position};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::{Ending, turn_text};
use crate::error::Result;
use crate::game::LoadedGame;
use crate::info::InfoReport;
use crate::schema::Schema;

/// How a game ended: the result in words, and the score of each player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The result in words.
    pub result: String,
    /// The score of each player, first player first.
    pub scores: Vec<i64>,
}

impl From<Ending> for Outcome {
    fn from(ending: Ending) -> Self {
        Self { scores: ending.scores(), result: ending.text }
    }
}

/// A position: `ludex.position/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionView {
    /// `ludex.position/1`.
    pub schema: Schema<1>,
    /// The position as text.
    pub position: String,
    /// Who decides next; nothing when the game is over.
    pub turn: Option<String>,
    /// The position drawn with letters.
    pub board: String,
    /// What kind of game it is.
    pub info: InfoReport,
    /// How the game ended, if it is over.
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
}

impl PositionView {
    /// A position of a game.
    pub fn new(loaded: &LoadedGame, position: &Position) -> Result<Self> {
        let game = &loaded.game;
        Ok(Self {
            schema: Schema::of("position"),
            position: game.write(&position.state),
            turn: turn_text(game, loaded.turn(position)?),
            board: game.draw(&position.state),
            info: loaded.info().into(),
            outcome: loaded.ending(position)?.map(Into::into),
        })
    }
}

impl fmt::Display for PositionView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.board)?;
        writeln!(f, "position: {}", self.position)?;
        if let Some(outcome) = &self.outcome {
            writeln!(f, "result: {}", outcome.result)?;
        }
        writeln!(f, "game: {}", self.info.text)
    }
}

/// The legal moves of a position: `ludex.moves/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveList {
    /// `ludex.moves/1`.
    pub schema: Schema<1>,
    /// Their names, sorted.
    pub moves: Vec<String>,
    /// How the game ended, if it is over.
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
}

impl MoveList {
    /// The legal moves of a position.
    pub fn new(loaded: &LoadedGame, position: &Position) -> Result<Self> {
        Ok(Self {
            schema: Schema::of("moves"),
            moves: loaded.moves(position)?,
            outcome: loaded.ending(position)?.map(Into::into),
        })
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|it| writeln!(f, "{it}"))?;
        match &self.outcome {
            Some(outcome) => writeln!(f, "the game is over: {}", outcome.result),
            None => Ok(()),
        }
    }
}
