//! Hex: puzzles and openings (Benzene's regression tests).
//!
//! ```text
//! 50<tab>6x6-hayward-01<tab>6x6<tab>e1 e2<tab>d1 f1<tab>dfpn-solver-find-winning white<tab>d3
//! 63<tab>4x4-hein-04<tab>4x4<tab>d1 a4<tab>c2<tab>dfpn-solve-state white<tab>white
//! 6x6<tab>b a1<tab>white<tab>dfpn-solve-6x6
//! ```
//!
//! The first kind asks for a winning move and lists some, the second for the winner, the third
//! for the winner after one move. Black joins the first and the last row, as with us; a1 is an
//! acute corner there, too, so that names of cells are the same.

use crate::case::{Case, Format, Goal, Known, Proof, is_word, packed_row};

pub(crate) const FORMAT: Format = Format {
    name: "Hex puzzles",
    criterion: "solved: a listed move or a proved win, or where the winner is asked for, a proof of \
                the right one; wrong: a proof that differs from the winner, or a listed move called \
                lost",
    accepts,
    read,
};

const LARGEST: usize = 19;

fn accepts(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    match fields.len() {
        7 => Size::read(fields[2]).is_ok(),
        3 | 4 => Size::read(fields[0]).is_ok() && fields[1].starts_with("b "),
        _ => false,
    }
}

fn read(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    match fields.as_slice() {
        [_, _, size, black, white, query, expected] => {
            puzzle(Size::read(size)?, black, white, query, expected)
        }
        [size, first, winner, ..] => opening(Size::read(size)?, first, winner),
        _ => Err("this is no puzzle and no opening".to_owned()),
    }
}

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    columns: usize,
    rows: usize,
}

impl Size {
    fn read(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is no size of a board");
        let (columns, rows) = text.split_once('x').ok_or_else(bad)?;
        let number = |it: &str| it.parse().ok().filter(|it| (2..=LARGEST).contains(it));
        let (columns, rows) = number(columns).zip(number(rows)).ok_or_else(bad)?;
        Ok(Self { columns, rows })
    }

    /// The game on such a board.
    fn game(self) -> String {
        let Self { columns, rows } = self;
        if columns == rows {
            format!("hex:{columns}")
        } else {
            format!("hex:{columns},rows={rows}")
        }
    }
}

fn puzzle(
    size: Size,
    black: &str,
    white: &str,
    query: &str,
    expected: &str,
) -> Result<Case, String> {
    let mut board = vec![None; size.columns * size.rows];
    put(&mut board, size, black, 'X')?;
    put(&mut board, size, white, 'O')?;
    let (question, mover) = query.split_once(' ').ok_or("the query names no player")?;
    let letter = letter(mover)?;
    let known = if question.ends_with("find-winning") {
        winning_moves(expected)
    } else {
        winner(mover, expected)?
    };
    let rows: Vec<String> =
        board.chunks(size.columns).rev().map(|row| packed_row(row.iter().copied())).collect();
    let position = format!("{} {letter}", rows.join("/"));
    Ok(Case::of(size.game(), position, known))
}

fn letter(player: &str) -> Result<char, String> {
    match player {
        "black" => Ok('b'),
        "white" => Ok('w'),
        _ => Err(format!("`{player}` is no player")),
    }
}

/// Moves that win; the position is lost where there is none. The lists leave out some moves that win
/// as well, as the program that made them drops what another move is as good as: so a proof of another
/// win is no contradiction.
fn winning_moves(expected: &str) -> Known {
    let best: Vec<String> = expected.split_whitespace().map(str::to_ascii_lowercase).collect();
    let value = Some(if best.is_empty() { -1 } else { 1 });
    Known { value, best, proof: Proof::Solves, ..Known::default() }
}

fn winner(mover: &str, winner: &str) -> Result<Known, String> {
    letter(winner)?;
    let value = Some(if winner == mover { 1 } else { -1 });
    Ok(Known { value, ..Known::default() })
}

fn put(board: &mut [Option<char>], size: Size, cells: &str, stone: char) -> Result<(), String> {
    for cell in cells.split_whitespace().filter(|it| *it != "-") {
        let bad = || format!("there is no cell `{cell}`");
        let column = cell.bytes().next().map(|it| it.to_ascii_lowercase().wrapping_sub(b'a'));
        let column = column.map(usize::from).filter(|it| *it < size.columns).ok_or_else(bad)?;
        let row = cell.get(1..).and_then(|it| it.parse::<usize>().ok());
        let row = row.filter(|it| (1..=size.rows).contains(it)).ok_or_else(bad)?;
        let place = &mut board[(row - 1) * size.columns + column];
        if place.replace(stone).is_some() {
            return Err(format!("there are two stones on `{cell}`"));
        }
    }
    Ok(())
}

fn opening(size: Size, first: &str, winner_name: &str) -> Result<Case, String> {
    let cell = first.strip_prefix("b ").map(str::trim).filter(|it| is_word(it));
    let cell = cell.ok_or("Black's first move is wanted, as in `b a1`")?;
    let known = winner("white", winner_name)?;
    Ok(Case {
        game: size.game(),
        position: None,
        moves: vec![cell.to_ascii_lowercase()],
        goal: Goal::Play(known),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_and_openings() {
        let line = "50\t6x6-h\t6x6\te1 e2\td1 f1\tdfpn-solver-find-winning white\td3";
        assert!(accepts(line));
        let case = read(line).unwrap();
        assert_eq!(case.position.as_deref(), Some("6/6/6/6/4X1/3OXO w"));
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!(
            (known.value, known.best, known.proof),
            (Some(1), vec!["d3".into()], Proof::Solves)
        );
        let line = "6x6\tb a3\tblack\tdfpn";
        assert!(accepts(line));
        let case = read(line).unwrap();
        assert_eq!((case.game.as_str(), case.moves), ("hex:6", vec!["a3".to_owned()]));
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!(known.value, Some(-1));
        let case = read("6x7\tb f7\twhite\tdfpn").unwrap();
        assert_eq!((case.game.as_str(), case.moves), ("hex:6,rows=7", vec!["f7".to_owned()]));
        let line = "1\tx\t3x2\tc1\ta2\tfind-winning black\tb1";
        assert_eq!(read(line).unwrap().position.as_deref(), Some("O2/2X b"));
    }

    #[test]
    fn bad_lines_are_told() {
        for (size, black, query) in [
            ("6x7", "a8", "find-winning white"),
            ("1x6", "a1", "find-winning white"),
            ("6x6", "z1", "find-winning white"),
            ("6x6", "a1 a1", "find-winning white"),
            ("6x6", "a1", "find-winning"),
            ("6x6", "a1", "solve-state green"),
            ("999x999", "a1", "solve-state white"),
        ] {
            let line = format!("1\tx\t{size}\t{black}\tb1\t{query}\twhite");
            assert!(read(&line).is_err(), "{line}");
        }
    }
}
