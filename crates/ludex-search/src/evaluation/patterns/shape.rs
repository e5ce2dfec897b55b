//! Windows: a few squares in a row, and what stands on them read as one number.

use ludex_core::{Game, GameExt};

/// No window is wider than this.
const WIDEST: usize = 5;

/// The most ways to fill a window.
const MOST_FILLINGS: usize = 4096;

/// The most windows.
const MOST_WINDOWS: usize = 8192;

/// The windows of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How many different things a square can hold, nothing among them.
    pub(crate) contents: usize,
    /// How many squares a window has.
    pub(crate) width: usize,
    /// How many directions there are.
    pub(crate) directions: usize,
    /// In how many ways a window can be filled.
    pub(crate) fillings: usize,
    /// The rows of the board, with the numbers of their directions.
    rows: Vec<(u16, Vec<u16>)>,
    /// The squares of all windows, those of the first window first.
    squares: Vec<u16>,
    /// The direction of each window.
    direction: Vec<u16>,
    /// For each square the windows that it belongs to.
    through: Vec<Vec<u16>>,
}

impl Shape {
    /// The windows of a game's board, if it has rows and not too many kinds of men.
    pub(crate) fn of<G: Game>(game: &G) -> Option<Self> {
        let contents = game.board().men.len() + 1;
        let mut rows = game.board().lines.clone();
        let longest = rows.iter().map(|it| it.1.len()).max()?;
        let width = width(contents, longest)?;
        rows.retain(|it| it.1.len() >= width);
        let mut numbers: Vec<u16> = rows.iter().map(|it| it.0).collect();
        numbers.dedup();
        for row in &mut rows {
            row.0 = numbers.iter().position(|&it| it == row.0)? as u16;
        }
        let count: usize = rows.iter().map(|it| it.1.len() + 1 - width).sum();
        if count > MOST_WINDOWS {
            return None;
        }
        let fillings = contents.pow(width as u32);
        let mut shape = Self {
            contents,
            width,
            directions: numbers.len(),
            fillings,
            rows: Vec::new(),
            squares: Vec::new(),
            direction: Vec::new(),
            through: vec![Vec::new(); game.board().squares],
        };
        rows.into_iter().for_each(|row| shape.add(row));
        Some(shape)
    }

    fn add(&mut self, row: (u16, Vec<u16>)) {
        for window in row.1.windows(self.width) {
            for &square in window {
                self.through[usize::from(square)].push(self.direction.len() as u16);
            }
            self.squares.extend(window);
            self.direction.push(row.0);
        }
        self.rows.push(row);
    }

    /// Fills `board` with what stands on each square: 0 for nothing, else the code of the man and
    /// 1.
    pub(crate) fn fill(&self, men: &[(u16, u8)], board: &mut Vec<u8>) {
        board.clear();
        board.resize(self.through.len(), 0);
        for &(square, code) in men {
            board[usize::from(square)] = code + 1;
        }
    }

    /// Calls `each` with the direction and the filling of every window, row by row.
    pub(crate) fn for_each(&self, board: &[u8], mut each: impl FnMut(usize, usize)) {
        let highest = self.fillings / self.contents;
        for (direction, row) in &self.rows {
            let content = |place: usize| usize::from(board[usize::from(row[place])]);
            let mut filling = 0;
            for place in 0..row.len() {
                if place >= self.width {
                    filling -= content(place - self.width) * highest;
                }
                filling = filling * self.contents + content(place);
                if place + 1 >= self.width {
                    each(usize::from(*direction), filling);
                }
            }
        }
    }

    /// The windows that a square belongs to.
    pub(crate) fn through(&self, square: usize) -> &[u16] {
        &self.through[square]
    }

    /// The direction of a window.
    pub(crate) fn direction(&self, window: u16) -> usize {
        usize::from(self.direction[usize::from(window)])
    }

    /// How a window is filled.
    pub(crate) fn filling(&self, window: u16, board: &[u8]) -> usize {
        let first = usize::from(window) * self.width;
        let squares = &self.squares[first..first + self.width];
        squares.iter().fold(0, |sum, &it| sum * self.contents + usize::from(board[usize::from(it)]))
    }

    /// What stands on the squares of a window, first to last.
    pub(crate) fn contents_of(&self, mut filling: usize) -> Vec<usize> {
        let mut contents = vec![0; self.width];
        for place in contents.iter_mut().rev() {
            *place = filling % self.contents;
            filling /= self.contents;
        }
        contents
    }

    /// The opposite: the number of a filling.
    pub(crate) fn number(&self, contents: impl Iterator<Item = usize>) -> usize {
        contents.fold(0, |sum, it| sum * self.contents + it)
    }
}

/// How wide windows can be, if they can be at all.
fn width(contents: usize, longest: usize) -> Option<usize> {
    let fits = |width: &usize| {
        contents.checked_pow(*width as u32).is_some_and(|fillings| fillings <= MOST_FILLINGS)
    };
    (2..=WIDEST.min(longest)).rev().find(fits).filter(|_| contents > 1)
}
