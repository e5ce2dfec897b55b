//! The role of heuristics: what helps a search to play well and proves nothing.

use crate::game::{Fault, Player};
use crate::position::Position;

/// What helps a search to play well. It changes no answer of the rules, and nothing that is called
/// proved may rest on it.
///
/// Every method has an answer that says "not known".
pub trait Heuristics<S, T, M> {
    /// The evaluation of a position by the author of the rules, from the view of the player to
    /// move. `side` is the player that the search plays for and `depth` how many turns below its
    /// root the position is.
    fn evaluate(
        &self,
        _position: &Position<S, T>,
        _side: Player,
        _depth: u32,
    ) -> Result<Option<f64>, Fault> {
        Ok(None)
    }

    /// The candidate moves of the author's policy: legal moves, best first, with their weights.
    fn candidates(
        &self,
        _position: &Position<S, T>,
        _side: Player,
        _depth: u32,
    ) -> Result<Option<Candidates<M>>, Fault> {
        Ok(None)
    }

    /// The same without a check against the list of legal moves: each candidate can be played,
    /// but the rules may not list it, or not as this number. Much faster where legal moves are
    /// many; a move to be made is never taken from here.
    fn unchecked_candidates(
        &self,
        position: &Position<S, T>,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<M>>, Fault> {
        self.candidates(position, side, depth)
    }

    /// The state after a null move: the next player is to move, as if the mover had passed. It
    /// need not be legal, nor even possible; `None` where it makes no sense.
    fn null_move(&self, _state: &S) -> Option<S> {
        None
    }

    /// Whether the player to move is in check: whether the rules would forbid leaving the position
    /// as it is, because a king could be taken, say. The position is not quiet then, and a null
    /// move says nothing of it.
    fn in_check(&self, _position: &Position<S, T>) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Replaces the contents of `counts` by how many men each player has of each kind: those of
    /// the first player first, as many numbers for each as the board has
    /// [kinds](crate::Board::kinds).
    fn count_men(&self, _state: &S, counts: &mut Vec<u32>) {
        counts.clear();
    }

    /// Replaces the contents of `men` by the square and the code of every man on the board, in any
    /// order.
    fn men(&self, _state: &S, men: &mut Vec<(u16, u8)>) {
        men.clear();
    }

    /// Which man a move captures, as far as that is seen without playing it. A man without an
    /// owner counts.
    fn capture(&self, _state: &S, _mv: M) -> Capture {
        Capture::Unknown
    }

    /// The kind of the man that makes a move, as far as that is seen without playing it.
    fn mover_kind(&self, _state: &S, _mv: M) -> Option<u8> {
        None
    }

    /// A number for what a move does, whatever the position: equal for the same move of the
    /// same player where it captures both times or neither time, different for others, up to the
    /// accidents of hashing.
    fn move_code(&self, _state: &S, _mv: M) -> Option<u64> {
        None
    }
}

/// The candidate moves of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates<M> {
    /// The moves with their weights, best first.
    pub moves: Vec<(M, f64)>,
    /// Whether no other move is to be searched.
    pub only: bool,
}

/// What a move captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// No man of another player.
    Nothing,
    /// A man of this kind, or the first of several.
    Man(u8),
    /// That is only seen when it is played.
    Unknown,
}
