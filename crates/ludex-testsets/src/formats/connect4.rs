//! Connect Four: the columns played, and the score of the position (Pascal Pons' test sets).
//!
//! ```text
//! 32164625 11
//! ```
//!
//! Columns are counted from 1. The score is 0 for a draw; else, for the player to move, the number
//! of own men (of the opponent's, if negative) that are still in hand when the game is won, plus 1.

use crate::case::{Case, Format, Goal, Known};

pub(crate) const FORMAT: Format = Format {
    name: "connect-four moves with a score",
    criterion: "solved: the value of the move played is proved, and it is the right one \
                (--judge asks another player whether an unproved move keeps it); wrong: a proof that differs",
    accepts,
    read,
};

const COLUMNS: u32 = 7;
const ROWS: usize = 6;

fn accepts(line: &str) -> bool {
    let Some((moves, score)) = line.split_once(' ') else { return false };
    !moves.is_empty()
        && moves.chars().all(|it| it.is_ascii_digit())
        && score.trim().parse::<i64>().is_ok()
}

fn read(line: &str) -> Result<Case, String> {
    let (columns, score) = line.split_once(' ').ok_or("moves and a score are wanted")?;
    let score: i32 = score.trim().parse().map_err(|_| "the score is no number".to_owned())?;
    if !(-21..=21).contains(&score) {
        return Err(format!("a score of {score} cannot be"));
    }
    let moves = squares(columns)?;
    let soonest = soonest(moves.len() as i32, score);
    let known = Known { value: Some(score.signum() as i8), soonest, ..Known::default() };
    Ok(Case { game: "connect4".to_owned(), position: None, moves, goal: Goal::Play(known) })
}

/// The squares to which the men fall.
fn squares(columns: &str) -> Result<Vec<String>, String> {
    let mut heights = [0_usize; COLUMNS as usize];
    let mut squares = Vec::new();
    for digit in columns.chars() {
        let column = digit.to_digit(10).filter(|it| (1..=COLUMNS).contains(it));
        let column = column.ok_or_else(|| format!("there is no column {digit}"))? as usize - 1;
        heights[column] += 1;
        if heights[column] > ROWS {
            return Err(format!("column {digit} is full"));
        }
        squares.push(format!("{}{}", char::from(b'a' + column as u8), heights[column]));
    }
    Ok(squares)
}

/// After how many plies the player to move wins, `played` plies after the start.
fn soonest(played: i32, score: i32) -> Option<u32> {
    let own = 22 - score;
    (score > 0).then(|| (2 * (own - played / 2) - 1).max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_fall_on_each_other() {
        let case = read("4454 -3").unwrap();
        assert_eq!(case.moves, ["d1", "d2", "e1", "d3"]);
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!((known.value, known.soonest), (Some(-1), None));
    }

    #[test]
    fn scores_say_when_a_win_comes() {
        // Four in a row with the fourth man, at the earliest on ply 7.
        assert_eq!(soonest(6, 18), Some(1));
        assert_eq!(soonest(0, 1), Some(41));
    }

    #[test]
    fn bad_lines_are_told() {
        assert!(read("8 1").is_err());
        assert!(read("4444444 1").is_err());
        assert!(read("4 99").is_err());
        assert!(!accepts("hello 1") && !accepts("44"));
    }
}
