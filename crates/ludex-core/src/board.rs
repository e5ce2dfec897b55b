//! The board of a game, for what learns or draws by squares.

use crate::game::Player;

/// The squares of a game's board, how they lie, and the men that stand on them.
///
/// It is read from the rules; what they do not speak of is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// How many squares there are.
    pub squares: usize,
    /// The squares next to each square, by the single steps that the rules speak of; empty where
    /// that is not known.
    pub neighbours: Vec<Vec<u16>>,
    /// The straight rows of squares, each with the number of its direction: along each of the
    /// board's directions, without the opposite one.
    pub lines: Vec<(u16, Vec<u16>)>,
    /// How many kinds of men there are; 0 where there are no men.
    pub kinds: usize,
    /// The men that there can be: their owner, if they have one, and their kind. The index of a
    /// man in this list is its code.
    pub men: Vec<(Option<Player>, u8)>,
}

/// The board of a game that has none.
pub(crate) static NONE: Board =
    Board { squares: 0, neighbours: Vec::new(), lines: Vec::new(), kinds: 0, men: Vec::new() };
