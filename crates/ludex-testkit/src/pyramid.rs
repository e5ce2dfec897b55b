//! Pyramid: a puzzle of one player. Walk down a triangle of numbers, a step to the left or to the
//! right each time; the score is the sum of the numbers on the way.
//!
//! ```text
//!       3          rows [[3], [7, 4], [2, 4, 6]]: the best way is 3 + 7 + 4 = 14,
//!      7 4         and `lr` leads there
//!     2 4 6
//! ```
//!
//! The best score is known from the bottom up (dynamic programming), however large the triangle is.

use std::sync::LazyLock;

use ludex_core::info::Results;
use ludex_core::{
    Fault, Game, GameInfo, Heuristics, Payoff, Player, Position, Random, Roles, RolesOf, TextError,
    Turn,
};

use crate::words;

/// The rules of the puzzle: its triangle, with one number more in each row.
#[derive(Clone, Debug)]
pub struct Pyramid {
    rows: Vec<Vec<u32>>,
}

/// Where the walker is, and what it has gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Walker {
    /// The row, from the top.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
    /// The sum of the numbers on the way, the present one included.
    pub sum: u32,
}

/// A step down: to the right or to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Whether it goes to the right.
    pub right: bool,
}

impl Pyramid {
    /// The puzzle of a triangle.
    ///
    /// # Panics
    ///
    /// Where the rows are not those of a triangle: that is a mistake in the test.
    pub fn new(rows: Vec<Vec<u32>>) -> Self {
        let is_triangle = rows.iter().enumerate().all(|(row, it)| it.len() == row + 1);
        assert!(is_triangle && !rows.is_empty(), "each row has one number more");
        Self { rows }
    }

    /// A triangle of random numbers from 0 to 9.
    pub fn random(seed: u64, rows: usize) -> Self {
        let mut random = Random::stream(seed, 0, 0);
        Self::new((0..rows).map(|row| (0..=row).map(|_| random.below(10)).collect()).collect())
    }

    /// The best score there is.
    pub fn best(&self) -> u32 {
        let mut below = vec![0; self.rows.len() + 1];
        for row in self.rows.iter().rev() {
            let best = |column: usize| row[column] + below[column].max(below[column + 1]);
            below = (0..row.len()).map(best).collect();
        }
        below[0]
    }

    fn is_last(&self, state: &Walker) -> bool {
        state.row + 1 >= self.rows.len()
    }
}

static INFO: LazyLock<GameInfo> =
    LazyLock::new(|| GameInfo { results: Results::Points, ..GameInfo::puzzle("Walker") });

impl Game for Pyramid {
    type State = Walker;
    type Trail = ();
    type Move = Step;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Walker, ()> {
        Position::of(Walker { row: 0, column: 0, sum: self.rows[0][0] })
    }

    fn position(&self, state: Walker) -> Position<Walker, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Walker, ()>) -> Result<Turn, Fault> {
        Ok(if self.is_last(state) { Turn::Over } else { Turn::Of(Player(0)) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Walker, ()>,
        player: Player,
        moves: &mut Vec<Step>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player.0 == 0 && !self.is_last(state) {
            moves.extend([false, true].map(|right| Step { right }));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Walker, ()>,
        moves: &[Step],
    ) -> Result<(), Fault> {
        if let [step] = *moves
            && !self.is_last(state)
        {
            state.row += 1;
            state.column += usize::from(step.right);
            state.sum += self.rows[state.row][state.column];
        }
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Walker, ()>,
        _player: Player,
    ) -> Result<Payoff, Fault> {
        if !self.is_last(state) {
            return Ok(Payoff::DRAW);
        }
        let utility = 2.0 * f64::from(state.sum) / f64::from(self.best().max(1)) - 1.0;
        Ok(Payoff { score: i64::from(state.sum), utility })
    }

    fn name(&self, _state: &Walker, step: Step) -> String {
        if step.right { "r" } else { "l" }.to_owned()
    }

    fn write(&self, state: &Walker) -> String {
        format!("{} {} {}", state.row, state.column, state.sum)
    }

    fn read(&self, text: &str) -> Result<Walker, TextError> {
        let wrong = |_| TextError::new(format!("`{text}` is not row, column and sum"));
        let [row, column, sum] = words(text)?;
        let (row, column): (usize, usize) =
            (row.parse().map_err(wrong)?, column.parse().map_err(wrong)?);
        let sum = sum.parse().map_err(wrong)?;
        if row >= self.rows.len() || column > row || sum > 1_000_000 {
            return Err(TextError::new(format!("there is no place `{text}`")));
        }
        Ok(Walker { row, column, sum })
    }

    /// The same step is another one elsewhere.
    fn roles(&self) -> RolesOf<'_, Self> {
        Roles { heuristics: Some(self), ..Roles::default() }
    }
}

impl Heuristics<Walker, (), Step> for Pyramid {
    fn move_code(&self, state: &Walker, step: Step) -> Option<u64> {
        Some(crate::hash_words([state.row as u64, state.column as u64, u64::from(step.right)]))
    }
}
