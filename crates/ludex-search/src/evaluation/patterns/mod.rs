//! Patterns: a value for every way to fill a few squares in a row.
//!
//! A man on a square says nothing about its neighbours; rows of men, men that protect one another,
//! gaps and blocked paths are seen in windows of up to five squares along each direction of the
//! board. Whose turn it is matters to what a row of men is worth, so there is a table for each
//! player to move. The values are learned (see [`super::learned`]); Michael Buro learned such
//! tables for Othello ("Improving heuristic mini-max search by supervised learning", 2002).

mod shape;

use std::cell::RefCell;
use std::sync::OnceLock;

use ludex_core::{Game, Player};

pub(crate) use shape::Shape;

/// A value for every filling of a window, for the player to move.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// How many different things a square can hold, nothing among them.
    pub contents: usize,
    /// How many squares a window has.
    pub width: usize,
    /// How many directions there are.
    pub directions: usize,
    /// The values: for each player to move, each direction and each filling.
    pub table: Vec<i32>,
    /// The windows of the board, once there is one to look at.
    shape: OnceLock<Option<Shape>>,
}

impl PartialEq for Patterns {
    fn eq(&self, other: &Self) -> bool {
        (self.contents, self.width, self.directions, &self.table)
            == (other.contents, other.width, other.directions, &other.table)
    }
}

impl Eq for Patterns {}

thread_local! {
    /// The squares of the position being looked at: memory that is kept.
    static BOARD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Patterns {
    /// A table for windows of this size; `None` where it has not a value for every filling.
    pub fn new(contents: usize, width: usize, directions: usize, table: Vec<i32>) -> Option<Self> {
        let fillings = contents.checked_pow(u32::try_from(width).ok()?)?;
        let size = fillings.checked_mul(directions)?.checked_mul(2)?;
        let shape = OnceLock::new();
        (table.len() == size).then_some(Self { contents, width, directions, table, shape })
    }

    /// Whether these can be patterns of a game.
    pub fn fits<G: Game>(&self, game: &G) -> bool {
        self.shape(game).is_some()
    }

    fn shape<G: Game>(&self, game: &G) -> Option<&Shape> {
        let of_game = || {
            Shape::of(game).filter(|it| {
                (it.contents, it.width, it.directions)
                    == (self.contents, self.width, self.directions)
            })
        };
        self.shape.get_or_init(of_game).as_ref()
    }

    /// The sum over all windows of a board with these men, for the player to move.
    pub fn sum<G: Game>(&self, game: &G, men: &[(u16, u8)], mover: Player) -> i32 {
        let Some(shape) = self.shape(game) else { return 0 };
        BOARD.with_borrow_mut(|board| {
            shape.fill(men, board);
            let half = self.table.len() / 2;
            let table = &self.table[half * mover.index().min(1)..][..half];
            let mut sum = 0_i32;
            shape.for_each(board, |direction, filling| {
                sum = sum.saturating_add(table[direction * shape.fillings + filling]);
            });
            sum
        })
    }
}
