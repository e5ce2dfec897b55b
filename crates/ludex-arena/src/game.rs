//! A played game: its moves, its points, its termination.

use std::time::Duration;

use crate::contestant::Failure;
use crate::points::Points;

/// A played game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The position it began with; `None` for the usual one.
    pub start: Option<String>,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves after it.
    pub moves: Vec<MoveMade>,
    /// The points of every seat.
    pub points: Points,
    /// The score that the rules give every player, first player first; empty where the rules did not
    /// end the game.
    pub scores: Vec<i64>,
    /// Why it ended.
    pub end: Termination,
    /// The longest time overrun of a move, beyond the fixed time for a move.
    pub overrun: Duration,
    /// The nodes that every seat searched.
    pub nodes: Vec<u64>,
}

impl PlayedGame {
    /// The thinking time of all players.
    pub fn duration(&self) -> Duration {
        self.moves.iter().filter_map(|it| it.spent).sum()
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MoveMade {
    /// Its name in the rules.
    pub name: String,
    /// The seat that made it: 0, 1, …; `None` for chance.
    pub seat: Option<usize>,
    /// The time it took.
    pub spent: Option<Duration>,
    /// The time left on the clock after it, the increment added.
    pub left: Option<Duration>,
    /// The mover's score of the position, from -1 to 1.
    pub value: Option<f64>,
    /// The same as the mover writes it: `cp 35`.
    pub score_text: Option<String>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes searched.
    pub nodes: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Termination {
    /// By the rules.
    Rules,
    /// This seat lost on time.
    TimeForfeit(usize),
    /// This seat failed.
    Failed(usize, Failure),
    /// This seat resigned.
    Resigned(usize),
    /// Adjudicated as a loss of this seat.
    AdjudicatedLoss(usize),
    /// Adjudicated as a draw.
    AdjudicatedDraw,
    /// A draw by the move limit.
    MoveLimit,
    /// The match was stopped: the game does not count.
    Interrupted,
}

impl Termination {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::TimeForfeit(_) => "time",
            Self::Failed(_, failure) => failure.kind.name(),
            Self::Resigned(_) => "resigned",
            Self::AdjudicatedLoss(_) | Self::AdjudicatedDraw => "adjudicated",
            Self::MoveLimit => "length",
            Self::Interrupted => "interrupted",
        }
    }

    /// The seat that lost, where the rules did not end the game.
    pub fn loser(&self) -> Option<usize> {
        match self {
            Self::TimeForfeit(seat)
            | Self::Failed(seat, _)
            | Self::Resigned(seat)
            | Self::AdjudicatedLoss(seat) => Some(*seat),
            Self::Rules | Self::AdjudicatedDraw | Self::MoveLimit | Self::Interrupted => None,
        }
    }

    /// The termination in one line for the record; `None` where the rules ended the game.
    pub fn words(&self, names: &[impl AsRef<str>]) -> Option<String> {
        let name = |seat: usize| names.get(seat).map_or("?", AsRef::as_ref);
        Some(match self {
            Self::Rules => return None,
            Self::TimeForfeit(seat) => format!("{} lost on time", name(*seat)),
            Self::Failed(seat, failure) => {
                format!("{} failed ({}): {}", name(*seat), failure.kind.name(), failure.reason)
            }
            Self::Resigned(seat) => format!("{} resigned", name(*seat)),
            Self::AdjudicatedLoss(seat) => format!("adjudicated: {} has lost", name(*seat)),
            Self::AdjudicatedDraw => "adjudicated: draw".to_owned(),
            Self::MoveLimit => "draw by the move limit".to_owned(),
            Self::Interrupted => "interrupted".to_owned(),
        })
    }
}
