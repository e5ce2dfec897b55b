//! The result of a search: what is proved apart from what is evaluated.

use std::time::Duration;

use ludex_core::{Fault, Game, Player, PositionOf, Turn};

use crate::error::SearchError;
use crate::support::Unsupported;

/// The result of a search of one position, on one player's turn.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The moves with their values, the one to play first. Only empty where the game is over.
    pub lines: Vec<Line<M>>,
    /// Nodes visited; each search says what it counts as a node.
    pub nodes: u64,
    /// How many plies deep the whole search looked, where that has a meaning; else 0.
    pub depth: u32,
    /// Time since the search began, when this was said.
    pub elapsed: Duration,
    /// When the best line was found.
    pub found: Duration,
}

impl<M> Default for SearchResult<M> {
    fn default() -> Self {
        let (elapsed, found) = (Duration::ZERO, Duration::ZERO);
        Self { lines: Vec::new(), nodes: 0, depth: 0, elapsed, found }
    }
}

/// The result for one move, from the view of the player whose move it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The move.
    pub mv: M,
    /// Its estimated value, from -1 (lost) to 1 (won).
    pub value: f64,
    /// Whether the value is only the most that it can be worth: the search has seen that the
    /// move is no better than another and has not asked by how much.
    pub is_at_most: bool,
    /// The estimate in the search's own measure (thousandths of an
    /// evaluation, points of a score), where it has one.
    pub score: Option<f64>,
    /// What is proved of it.
    pub proved: Option<Proved>,
    /// How many playouts or nodes the value rests on.
    pub visits: u64,
    /// How the game is expected to go on, this move first.
    pub pv: Vec<M>,
}

/// A value that is proved, from the view of the player whose move it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proved {
    /// The utility under best play of both, from -1 to 1. A player who can be sure of no less
    /// but has not shown that there is no more has `exact` unset.
    pub utility: f64,
    /// Whether the value is no more and no less than that. Otherwise it is a bound that
    /// decides: at least `utility` if that is above 0, at most if below.
    pub exact: bool,
    /// In how many plies the game ends at most, the move itself counted, where that is known.
    pub plies: Option<u32>,
    /// By how many points, where these are counted and that is known, too.
    pub points: Option<i64>,
}

impl Proved {
    /// A win.
    pub const WIN: Self = Self { utility: 1.0, exact: true, plies: None, points: None };
    /// A draw.
    pub const DRAW: Self = Self { utility: 0.0, exact: true, plies: None, points: None };
    /// A loss.
    pub const LOSS: Self = Self { utility: -1.0, exact: true, plies: None, points: None };

    /// So much, and no more or less.
    pub fn exactly(utility: f64) -> Self {
        Self { utility, ..Self::DRAW }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        if self.utility > 0.0 {
            "win"
        } else if self.utility < 0.0 {
            "loss"
        } else {
            "draw"
        }
    }

    /// The same within `plies` plies.
    #[must_use]
    pub fn within(self, plies: u32) -> Self {
        Self { plies: Some(plies), ..self }
    }
}

impl<M: Copy> Line<M> {
    /// A line of which nothing is known yet.
    pub fn new(mv: M) -> Self {
        let (value, is_at_most, score, proved, visits) = (0.0, false, None, None, 0);
        Self { mv, value, is_at_most, score, proved, visits, pv: vec![mv] }
    }
}

impl<M: Copy + Ord> SearchResult<M> {
    /// The move to play.
    pub fn best(&self) -> Option<M> {
        self.lines.first().map(|line| line.mv)
    }

    /// All legal moves of a position, without values: what there is before a search has begun.
    pub fn unsearched<G: Game<Move = M>>(
        game: &G,
        position: &PositionOf<G>,
    ) -> Result<Self, Fault> {
        let mut moves = Vec::new();
        if let Turn::Of(player) = game.turn(position)? {
            game.moves(position, player, &mut moves)?;
            if moves.is_empty() {
                let message = "a player is to move and has no move".to_owned();
                return Err(Fault { code: "no-move", message, place: None });
            }
        }
        // The order of a list is the engine's affair: sorted, it is the same in all.
        moves.sort_unstable();
        Ok(Self { lines: moves.into_iter().map(Line::new).collect(), ..Self::default() })
    }
}

/// The player whose turn it is; `None` if the game is over. A search for one decision at a
/// time has nothing to say about the turns of chance or of several players.
pub fn mover<G: Game>(game: &G, position: &PositionOf<G>) -> Result<Option<Player>, SearchError> {
    match game.turn(position)? {
        Turn::Over => Ok(None),
        Turn::Of(player) => Ok(Some(player)),
        Turn::Joint(_) | Turn::Chance => Err(Unsupported::NoSingleTurn.into()),
    }
}
