//! The role of shortcuts: what an engine does faster than by listing and choosing.

use crate::game::Fault;
use crate::playout::Playout;
use crate::position::Position;
use crate::random::Random;

/// What an engine does faster than by listing moves and choosing one.
///
/// `None` is "no faster way": the caller lists then, which [`GameExt`](crate::GameExt) does by
/// itself. An answer is the one that listing gives.
pub trait Shortcuts<S, T, M> {
    /// How many different turns can be played: 0 when the game is over, and for a joint turn
    /// the product over its players.
    fn count_moves(&self, _position: &Position<S, T>) -> Option<Result<u64, Fault>> {
        None
    }

    /// How much work it is to list the moves of a position, in steps of the engine; the same
    /// every time. `None` where steps are not counted.
    fn listing_steps(&self, _position: &Position<S, T>) -> Option<u64> {
        None
    }

    /// Plays on at random for at most `limit` turns, as
    /// [`Playouts::listed`](crate::playout::Playouts::listed) would; with `None`, nothing is done.
    ///
    /// `position` becomes the last one. A game that is over after exactly
    /// `limit` turns has its payoffs. Which numbers are drawn from `random` is not
    /// fixed: equal generators give equal games from one engine, not from two.
    fn playout(
        &self,
        _position: &mut Position<S, T>,
        _random: &mut Random,
        _limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        None
    }

    /// The same, and `moves` becomes the moves that were played, in their order; `None` also for
    /// turns that are not one player's. Equal generators give the game that `playout` plays.
    fn traced_playout(
        &self,
        _position: &mut Position<S, T>,
        _random: &mut Random,
        _limit: u32,
        _moves: &mut Vec<M>,
    ) -> Option<Result<Playout, Fault>> {
        None
    }

    /// The 64-bit hash of all cells, where it is kept up to date.
    fn hash(&self, _state: &S) -> Option<u64> {
        None
    }

    /// Another hash of all cells, independent of the first. Two implementations of one game need
    /// not have the same.
    fn second_hash(&self, _state: &S) -> Option<u64> {
        None
    }
}
