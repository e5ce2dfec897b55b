//! Tic-tac-toe by hand: three in a row on a board of three by three.
//!
//! A twin of the rules file of the same name: the same squares, the same texts.

use std::sync::LazyLock;

use ludex_core::{
    Fault, Game, GameInfo, Heuristics, Payoff, Player, Position, Roles, RolesOf, TextError, Turn,
};

/// The rules of tic-tac-toe.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The men on the board, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The squares of each player, bit 0 for a1, bit 1 for b1, bit 8 for c3.
    pub men: [u16; 2],
    /// Who is to move.
    pub mover: Player,
}

/// A square, counted like the bits of a [`Board`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

/// What the players' men look like.
const MARKS: [char; 2] = ['X', 'O'];

/// Rows, columns, diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

const FULL: u16 = 0o777;

impl Board {
    /// The player who has three in a row; in a position that no game reaches,
    /// the first of two.
    pub fn winner(self) -> Option<Player> {
        let has_line = |men: u16| LINES.iter().any(|line| men & line == *line);
        [Player(0), Player(1)].into_iter().find(|it| has_line(self.men[it.index()]))
    }

    fn empty(self) -> u16 {
        FULL & !(self.men[0] | self.men[1])
    }

    fn is_over(self) -> bool {
        self.empty() == 0 || self.winner().is_some()
    }

    /// What stands on `square`.
    fn mark(self, square: u8) -> Option<char> {
        (0..2).find(|&it| self.men[it] >> square & 1 == 1).map(|it| MARKS[it])
    }

    fn row(self, rank: u8) -> String {
        let mut row = String::new();
        let mut gap = 0;
        for file in 0..3 {
            match self.mark(3 * rank + file) {
                Some(mark) => {
                    flush(&mut gap, &mut row);
                    row.push(mark);
                }
                None => gap += 1,
            }
        }
        flush(&mut gap, &mut row);
        row
    }

    /// Reads one row; its rank is 0 at the bottom.
    fn read_row(&mut self, rank: u8, row: &str) -> Result<(), TextError> {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(gap) = letter.to_digit(10).filter(|it| (1..=3).contains(it)) {
                file += gap;
            } else if let Some(player) = MARKS.iter().position(|&it| it == letter) {
                if file < 3 {
                    self.men[player] |= 1 << (3 * u32::from(rank) + file);
                }
                file += 1;
            } else {
                return Err(TextError::new(format!("`{letter}` is not X, O, 1, 2 or 3")));
            }
        }
        match file {
            3 => Ok(()),
            _ => Err(TextError::new(format!("the row `{row}` has {file} squares and not 3"))),
        }
    }
}

fn flush(gap: &mut u32, row: &mut String) {
    if *gap > 0 {
        row.push_str(&gap.to_string());
        *gap = 0;
    }
}

static BOARD: LazyLock<ludex_core::Board> = LazyLock::new(|| {
    let squares = |line: u16| (0..9).filter(move |it| line >> it & 1 == 1).collect();
    // Three rows, three columns, and a diagonal in each of its directions.
    let directions = [0, 0, 0, 1, 1, 1, 2, 3];
    ludex_core::Board {
        squares: 9,
        lines: directions.into_iter().zip(LINES.map(squares)).collect(),
        kinds: 1,
        men: vec![(Some(Player(0)), 0), (Some(Player(1)), 0)],
        ..ludex_core::Board::default()
    }
});

static INFO: LazyLock<GameInfo> =
    LazyLock::new(|| GameInfo { identity: Some(0x0ddc_0ffe), ..GameInfo::two_players("X", "O") });

impl Game for TicTacToe {
    type State = Board;
    type Trail = ();
    type Move = Square;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Board, ()> {
        Position::of(Board { men: [0, 0], mover: Player(0) })
    }

    fn position(&self, state: Board) -> Position<Board, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Board, ()>) -> Result<Turn, Fault> {
        Ok(if state.is_over() { Turn::Over } else { Turn::Of(state.mover) })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Board, ()>,
        player: Player,
        moves: &mut Vec<Square>,
    ) -> Result<(), Fault> {
        moves.clear();
        if player == state.mover && !state.is_over() {
            let empty = state.empty();
            moves.extend((0..9).filter(|square| empty >> square & 1 == 1).map(Square));
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Board, ()>,
        moves: &[Square],
    ) -> Result<(), Fault> {
        for square in moves {
            state.men[state.mover.index()] |= 1 << (square.0 % 9);
        }
        state.mover = Player(1 - state.mover.0);
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Board, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        Ok(match state.winner() {
            Some(winner) if winner == player => Payoff::WIN,
            Some(_) => Payoff::LOSS,
            None => Payoff::DRAW,
        })
    }

    fn name(&self, _state: &Board, mv: Square) -> String {
        format!("{}{}", char::from(b'a' + mv.0 % 3), 1 + mv.0 / 3)
    }

    fn write(&self, state: &Board) -> String {
        let rows: Vec<String> = (0..3).rev().map(|rank| state.row(rank)).collect();
        format!("{} {}", rows.join("/"), MARKS[state.mover.index()])
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        let [rows, mover] = crate::words(text)?;
        let Some(mover) = (0..2).find(|&it| mover == MARKS[it].to_string()) else {
            return Err(TextError::new(format!("`{mover}` is not a player")));
        };
        let mut board = Board { men: [0, 0], mover: Player(mover as u8) };
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != 3 {
            return Err(TextError::new(format!("{} rows and not 3", rows.len())));
        }
        for (rank, row) in (0..3).rev().zip(rows) {
            board.read_row(rank, row)?;
        }
        Ok(board)
    }

    fn draw(&self, state: &Board) -> String {
        let row = |rank: u8| (0..3).map(move |file| state.mark(3 * rank + file).unwrap_or('.'));
        (0..3).rev().map(|rank| row(rank).collect::<String>() + "\n").collect()
    }

    fn roles(&self) -> RolesOf<'_, Self> {
        Roles { heuristics: Some(self), board: Some(&BOARD), ..Roles::default() }
    }
}

impl Heuristics<Board, (), Square> for TicTacToe {
    fn count_men(&self, state: &Board, counts: &mut Vec<u32>) {
        counts.clear();
        counts.extend(state.men.map(u16::count_ones));
    }

    fn men(&self, state: &Board, men: &mut Vec<(u16, u8)>) {
        let of = |player: usize| (0..9).filter(move |it| state.men[player] >> it & 1 == 1);
        men.clear();
        men.extend((0..2).flat_map(|player| of(player).map(move |it| (it, player as u8))));
    }
}
