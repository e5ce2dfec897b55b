//! Lines of Action: positions in which a player wins in one or three plies.
//!
//! ```text
//! ......../....o.oo/x.....o./.x....../.o.o..../.xx...o./x..x..o./x..o....<tab>x<tab>1<tab>a1-a4 a6-c4
//! ```
//!
//! Rows from the top, `x` is Black.

use crate::case::{Case, Format, Known, Proof, packed_row};

pub(crate) const FORMAT: Format = Format {
    name: "Lines of Action wins",
    criterion: "solved: a listed move, or another that is proved to win; wrong: a proved draw \
                or loss, or a proof of a sooner win",
    accepts,
    read,
};

fn accepts(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.len() == 4 && (fields[1] == "x" || fields[1] == "o") && fields[0].contains('/')
}

fn read(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [board, mover, plies, moves] = fields.as_slice() else {
        return Err("a board, a player, a number of plies and moves are wanted".to_owned());
    };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.iter().any(|it| it.len() != rows.len()) {
        return Err("the board is not square".to_owned());
    }
    let man = |it: char| match it {
        'x' => Ok(Some('X')),
        'o' => Ok(Some('O')),
        '.' => Ok(None),
        other => Err(format!("`{other}` is no square")),
    };
    let mut packed = Vec::new();
    for row in &rows {
        let men = row.chars().map(man).collect::<Result<Vec<_>, _>>()?;
        packed.push(packed_row(men.into_iter()));
    }
    let turn = match *mover {
        "x" => 'b',
        "o" => 'w',
        other => return Err(format!("`{other}` is no player: x or o is to move")),
    };
    let plies = plies.parse::<u32>().ok().filter(|it| (1..=100).contains(it));
    let soonest = Some(plies.ok_or("the number of plies is none")?);
    let best: Vec<String> = moves.split_whitespace().map(|it| it.replace(['-', 'x'], "")).collect();
    if best.is_empty() {
        return Err("there are no moves".to_owned());
    }
    let known = Known { value: Some(1), best, soonest, proof: Proof::Solves, ..Known::default() };
    let game = if rows.len() == 8 { "loa".to_owned() } else { format!("loa:{}", rows.len()) };
    Ok(Case::of(game, format!("{} {turn}", packed.join("/")), known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Goal;

    #[test]
    fn a_row() {
        let line = "..xo./x...o/...../...../x...o\tx\t3\ta1-a4 a4xb5";
        assert!(accepts(line));
        let case = read(line).unwrap();
        assert_eq!(case.position.as_deref(), Some("2XO1/X3O/5/5/X3O b"));
        assert_eq!(case.game, "loa:5");
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!(known.best, ["a1a4", "a4b5"]);
    }

    #[test]
    fn bad_lines_are_told() {
        assert!(read("../...\tx\t1\ta1-a2").is_err());
        assert!(read("z./..\tx\t1\ta1-a2").is_err());
        assert!(read("../..\tx\tsoon\ta1-a2").is_err());
        assert!(read("../..\tx\t1\t").is_err());
    }
}
