//! Go reading: can a string be captured, or saved?
//!
//! ```text
//! 15<tab>attack F9<tab>19<tab>D16 G16<tab>N16 F9<tab>1 G9<tab>
//! ```
//!
//! A number, the question, the size of the board, the black stones, the white stones, the answer, and a
//! star where the program that the set comes from is known to be wrong. `attack F9`: can
//! the opponent of the string at F9 capture it, moving first? `defend F9`: can its owner save it,
//! moving first? The answer begins with 1 for yes, 0 for no, or 2 or 3 for ways of ko; moves follow.
//!
//! Whether a ko can be won depends on threats elsewhere. In a game that is about one string such a
//! threat needs no answer, so answers of ko are not compared.

use crate::case::{Case, Format, Goal, Wanted, packed_row};

pub(crate) const FORMAT: Format = Format {
    name: "Go reading",
    criterion: "solved: the capture is proved by threats where the set says that it works without \
                ko; wrong: where it says that it does not; what is not captured is never proved",
    accepts,
    read,
};

/// The letters of columns: there is no I.
const COLUMNS: &str = "ABCDEFGHJKLMNOPQRST";

fn accepts(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    let question = fields.get(1).and_then(|it| it.split_once(' ')).map(|it| it.0);
    fields.len() >= 6 && matches!(question, Some("attack" | "defend"))
}

fn read(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [_, question, size, black, white, answer, ..] = fields.as_slice() else {
        return Err("six fields are wanted".to_owned());
    };
    let size: usize = size
        .parse()
        .ok()
        .filter(|it| (2..=19).contains(it))
        .ok_or_else(|| format!("`{size}` is no size of a board: 2 to 19 points a side"))?;
    let (asked, vertex) = question.split_once(' ').ok_or("the question has no string")?;
    let mut board = vec![None; size * size];
    for (stones, man) in [(black, 'X'), (white, 'O')] {
        for stone in stones.split_whitespace() {
            let at = point(stone, size)?;
            if board[at].replace(man).is_some() {
                return Err(format!("there are two stones on `{stone}`"));
            }
        }
    }
    let at = point(vertex, size)?;
    let owner = board[at].ok_or_else(|| format!("there is no stone on `{vertex}`"))?;
    let attacks = match asked {
        "attack" => true,
        "defend" => false,
        other => return Err(format!("`{other}` is no question; `attack` and `defend` are")),
    };
    let (prey, hunter) = if owner == 'X' { ("Black", "White") } else { ("White", "Black") };
    let mover = if attacks == (owner == 'X') { 'w' } else { 'b' };
    let rows: Vec<String> =
        board.chunks(size).rev().map(|row| packed_row(row.iter().copied())).collect();
    let wanted =
        Wanted { goal: goal(at, size, prey, hunter), attacks, reached: known(answer, attacks)? };
    Ok(Case {
        game: format!("go:{size}"),
        position: Some(format!("{} {mover}", rows.join("/"))),
        moves: Vec::new(),
        goal: Goal::Reach(wanted),
    })
}

/// The number of a point, row by row from below.
fn point(vertex: &str, size: usize) -> Result<usize, String> {
    let wrong = || format!("`{vertex}` is no point of the board");
    let letter = vertex.get(..1).ok_or_else(wrong)?;
    let column = COLUMNS.find(letter).filter(|&it| it < size).ok_or_else(wrong)?;
    let row = vertex[1..].parse::<usize>().ok().filter(|it| (1..=size).contains(it));
    Ok((row.ok_or_else(wrong)? - 1) * size + column)
}

/// What is to be reached: the point is no longer its owner's.
fn goal(at: usize, size: usize, prey: &str, hunter: &str) -> String {
    let (column, row) = (at % size + 1, at / size + 1);
    format!(
        "goal \"A string is captured\" for go\n\nresult\n  \
         if me == {hunter} and at({column}, {row}) is not {prey} stone: victory\n"
    )
}

/// Whether the string is captured.
fn known(answer: &str, attacks: bool) -> Result<Option<bool>, String> {
    let worth = answer.split_whitespace().next().unwrap_or_default();
    match worth.trim_matches(['(', ')']) {
        "1" => Ok(Some(attacks)),
        "0" => Ok(Some(!attacks)),
        "2" | "3" | "2|3" => Ok(None),
        _ => Err(format!("`{answer}` is no answer: 0 to 3, and moves")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(line: &str) -> (String, Wanted) {
        let case = read(line).unwrap();
        let Goal::Reach(wanted) = case.goal else { panic!() };
        (case.position.unwrap(), wanted)
    }

    #[test]
    fn a_line_becomes_a_position_and_a_goal() {
        let (position, wanted) = wanted("7\tdefend J1\t9\tA9\tJ1 B9\t1 (H1|J2)\t*");
        assert_eq!(position, "XO7/9/9/9/9/9/9/9/8O w");
        assert_eq!((wanted.attacks, wanted.reached), (false, Some(false)));
        assert!(wanted.goal.contains("me == Black and at(9, 1) is not White stone"));
    }

    #[test]
    fn answers_are_about_the_capture() {
        let of = |question: &str, answer: &str| {
            wanted(&format!("7\t{question} A1\t9\tA1\tB9\t{answer}\t")).1.reached
        };
        assert_eq!((of("attack", "1 A2"), of("attack", "0")), (Some(true), Some(false)));
        assert_eq!((of("defend", "1 A2"), of("defend", "0")), (Some(false), Some(true)));
        assert_eq!((of("attack", "(2|3) A2"), of("defend", "3 A2")), (None, None));
    }

    #[test]
    fn mistakes_are_told() {
        for (line, why) in [
            ("7\tattack I1\t9\tA1\tB9\t1", "`I1` is no point"),
            ("7\tattack C1\t9\tA1\tB9\t1", "there is no stone on `C1`"),
            ("7\tattack A1\t99\tA1\tB9\t1", "`99` is no size"),
            ("7\tattack A1\t9\tA1\tA1\t1", "two stones on `A1`"),
            ("7\tattack A1\t9\tA1\tB9\tmaybe", "`maybe` is no answer"),
        ] {
            let told = read(line).unwrap_err();
            assert!(told.contains(why), "{told}");
        }
    }
}
