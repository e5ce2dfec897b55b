//! Chess mates: a position, in how many moves it is mate, and one line that mates.
//!
//! ```text
//! 5R2/1N3p2/3pk3/6PR/3Q4/B3K3/8/8 w - -<tab>2<tab>d4g4 e6d5 g4e4
//! ```

use crate::case::{Case, Format, Known, Proof};

pub(crate) const FORMAT: Format = Format {
    name: "chess mates",
    criterion: "solved: the first move of the line, or another that is proved to win in \
                no more plies; wrong: a proved draw or loss, or a proof of a sooner mate",
    accepts,
    read,
};

/// No set has longer mates than this.
const LONGEST: u32 = 500;

fn accepts(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    let [position, moves, _] = fields.as_slice() else { return false };
    position.split('/').count() == 8 && moves.parse::<u32>().is_ok()
}

fn read(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [position, moves, mate] = fields.as_slice() else {
        return Err("a position, a number of moves and a line are wanted".to_owned());
    };
    let moves = moves.parse::<u32>().ok().filter(|it| (1..=LONGEST).contains(it));
    let moves = moves.ok_or("the number of moves is none")?;
    let first = mate.split_whitespace().next().ok_or("the line has no move")?;
    let known = Known {
        value: Some(1),
        best: vec![first.to_owned()],
        soonest: Some(2 * moves - 1),
        proof: Proof::SolvesInTime,
        ..Known::default()
    };
    Ok(Case::of("chess", format!("{position} 0 1"), known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Goal;

    #[test]
    fn a_mate_in_two_takes_three_plies() {
        let case = read("5R2/1N3p2/3pk3/6PR/3Q4/B3K3/8/8 w - -\t2\td4g4 e6d5 g4e4").unwrap();
        let Goal::Play(known) = case.goal else { panic!() };
        assert_eq!((known.soonest, known.best), (Some(3), vec!["d4g4".to_owned()]));
        assert!(read("x\t0\te2e4").is_err());
        assert!(read("x\t2\t").is_err());
    }
}
