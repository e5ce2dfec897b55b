//! The role of a prover: what is known of a position without a search of one's own.

use crate::game::Fault;
use crate::limits::Limits;
use crate::position::Position;

/// Finds forced wins, and the only defences against them.
///
/// Only for games of two players in which one's win is the other's loss. What it finds holds by
/// the rules, whatever the opponent plays; what it does not find is unknown.
pub trait Prover<S, T, M>: Send + Sync {
    /// A win that the player to move can force, if one is found within the effort.
    fn forced_win(
        &self,
        position: &Position<S, T>,
        effort: Effort<'_>,
    ) -> Result<Sought<Forced<M>>, Fault>;

    /// The moves of the player to move that may help against a win that the opponent threatens, if
    /// such a threat is found within the effort. Every other move loses by the rules; where none
    /// is left, all do. They are in ascending order.
    fn only_defences(
        &self,
        position: &Position<S, T>,
        effort: Effort<'_>,
    ) -> Result<Sought<Vec<M>>, Fault>;

    /// Whether answers are quick and often decide, so that a proof should ask in every position.
    fn is_decisive(&self) -> bool {
        false
    }
}

/// How far to look for forced wins and defences.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// 1 for threats to win at once, 2 for threats of such threats, and so on.
    pub order: u8,
    /// When to end; a node is a position that is looked at.
    pub limits: Limits<'a>,
}

impl Effort<'_> {
    /// A look at `positions` positions, without a time limit.
    pub fn of_positions(positions: u64, order: u8) -> Self {
        Effort { order, limits: Limits::of_nodes(positions) }
    }
}

/// What came of looking for what is forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sought<T> {
    /// What was found.
    pub found: Option<T>,
    /// How many positions were looked at.
    pub positions: u64,
}

/// A win that can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced<M> {
    /// The move that begins it.
    pub mv: M,
    /// In how many turns the game is won at the latest, this move included.
    pub plies: u32,
}
