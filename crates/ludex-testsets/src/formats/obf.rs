//! Othello positions with the score of every move (`.obf`, as Edax has them).
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;
//! ```
//!
//! The 64 squares from A1 on, the first row first. Its letters and numbers are ours: row 1 is our
//! rank 1, which we draw at the bottom.

use crate::case::{Case, Format, Known, packed_row};

pub(crate) const FORMAT: Format = Format {
    name: "Othello positions with scores (OBF)",
    criterion: "solved: no other move has a higher score; wrong: a proved win, draw or loss \
                of a move whose score says otherwise",
    accepts,
    read,
};

const SIDE: usize = 8;

fn accepts(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    board.len() == SIDE * SIDE && board.chars().all(|it| "-XO.".contains(it))
}

fn read(line: &str) -> Result<Case, String> {
    let mut fields = line.split(';').map(str::trim);
    let first = fields.next().unwrap_or_default();
    let (board, turn) = first.split_once(' ').ok_or("the player to move is missing")?;
    let turn = match turn.trim() {
        "X" => "b",
        "O" => "w",
        other => return Err(format!("`{other}` is no player: X or O is to move")),
    };
    if !accepts(board) {
        return Err("the board has not 64 squares of `X`, `O` and `-`".to_owned());
    }
    let men: Vec<Option<char>> =
        board.chars().map(|it| (it == 'X' || it == 'O').then_some(it)).collect();
    let rows: Vec<String> =
        men.chunks(SIDE).rev().map(|row| packed_row(row.iter().copied())).collect();
    let scores = fields.filter(|it| !it.is_empty()).map(score).collect::<Result<Vec<_>, _>>()?;
    let most = scores.iter().map(|(_, score)| *score).max().ok_or("there are no scores")?;
    let best = scores.iter().filter(|(_, it)| *it == most).map(|(name, _)| name.clone()).collect();
    let value = Some(most.signum() as i8);
    let known = Known { value, best, scores, ..Known::default() };
    Ok(Case::of("othello", format!("{} {turn}", rows.join("/")), known))
}

fn score(field: &str) -> Result<(String, i64), String> {
    let bad = || format!("`{field}` is no move with its score, as in `G8:+18`");
    let (square, score) = field.split_once(':').ok_or_else(bad)?;
    let score = score.trim().parse().map_err(|_| bad())?;
    Ok((square.trim().to_ascii_lowercase(), score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Goal;

    const LINE: &str =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";

    #[test]
    fn the_first_row_is_the_first_rank() {
        let case = read(LINE).unwrap();
        let position = case.position.unwrap();
        assert!(position.ends_with("/2XXXXX1 b"), "{position}");
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!(known.best, ["g8"]);
        assert_eq!(known.scores, [("g8".to_owned(), 18), ("h1".to_owned(), 12)]);
    }

    #[test]
    fn bad_lines_are_told() {
        assert!(read("XO X; A1:+1").is_err());
        assert!(read(&LINE.replace(" X;", " Z;")).is_err());
        assert!(read(&LINE.replace("+18", "many")).is_err());
        assert!(read(&LINE[..66]).is_err());
    }
}
