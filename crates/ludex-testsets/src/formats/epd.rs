//! Chess positions with best moves (`bm`), moves to avoid (`am`) and mates (`dm`): EPD, and the
//! ways in which people write it.
//!
//! ```text
//! 1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - ; bm Qd1 + ; id BK.01
//! ```
//!
//! Semicolons, the two counters of moves and even `bm` itself are missing in some sets.

use crate::case::{Case, Format, Known, Proof};

pub(crate) const FORMAT: Format = Format {
    name: "chess positions with best moves (EPD)",
    criterion: "solved: one of the best moves (bm), none to avoid (am); with a mate (dm) also any \
                move that is proved to win; wrong: with dm, a proved draw or loss, or a sooner mate",
    accepts,
    read,
};

/// The operations that are read, and those whose operand ends where the next begins.
const OPERATIONS: [&str; 5] = ["bm", "am", "dm", "id", "c0"];

fn accepts(line: &str) -> bool {
    let mut fields = line.split_whitespace();
    let board = fields.next().unwrap_or_default();
    board.split('/').count() == 8
        && fields.next().is_some_and(|it| it == "w" || it == "b")
        && !line.contains('\t')
        && !line.contains(";D1 ")
}

fn read(line: &str) -> Result<Case, String> {
    let spaced = line.replace(';', " ; ");
    let mut words = spaced.split_whitespace().peekable();
    let mut field = || words.next().ok_or("the position is not whole");
    let (board, turn, castling, passing) = (field()?, field()?, field()?, field()?);
    // One known set has `-1` where `- 1` is meant.
    let passing = if passing.starts_with('-') { "-" } else { passing };
    while words.next_if(|it| it.parse::<u32>().is_ok()).is_some() {}
    let position = format!("{board} {turn} {castling} {passing} 0 1");
    let mut known = Known::default();
    let mut operation = "bm";
    for word in words {
        if word == ";" {
            // An operation ends here; a comment may follow without a name.
            operation = if operation == "bm" && known.best.is_empty() { "bm" } else { "" };
        } else if OPERATIONS.contains(&word) {
            operation = word;
        } else {
            operand(&mut known, operation, word)?;
        }
    }
    if known.best.is_empty() && known.avoid.is_empty() && known.soonest.is_none() {
        return Err("there is no `bm`, `am` or `dm`".to_owned());
    }
    Ok(Case::of("chess", position, known))
}

fn operand(known: &mut Known, operation: &str, word: &str) -> Result<(), String> {
    match operation {
        // A sign of check that stands alone is no move.
        "bm" | "am" if !word.starts_with(|it: char| it.is_ascii_alphabetic()) => {}
        "bm" => known.best.push(word.to_owned()),
        "am" => known.avoid.push(word.to_owned()),
        "dm" => {
            let moves = word.parse::<u32>().ok().filter(|it| (1..=500).contains(it));
            let moves = moves.ok_or_else(|| format!("`{word}` is no number of moves"))?;
            known.soonest = Some(2 * moves - 1);
            known.value = Some(1);
            known.proof = Proof::Solves;
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Goal;

    fn known(rest: &str) -> Known {
        let line = format!("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - {rest}");
        assert!(accepts(&line));
        let Goal::Play(known) = read(&line).unwrap().goal else { panic!() };
        known
    }

    #[test]
    fn people_write_it_in_many_ways() {
        assert_eq!(known("- ; bm Qd1 + ; id BK.01").best, ["Qd1"]);
        assert_eq!(known("- bm Qd1+; id \"BK.01\";").best, ["Qd1+"]);
        assert_eq!(known("-1 12 ; bm b4").best, ["b4"]);
        assert_eq!(known("- 1 1 Be2 dm 21").best, ["Be2"]);
        let both = known("- 1 10 ; bm Nh6 Nc5; am Ne5");
        assert_eq!((both.best.len(), both.avoid.len()), (2, 1));
        assert_eq!(known("- 0 1 bm Rc8+ dm 26").soonest, Some(51));
        assert_eq!(known("- ; bm Qd4; id LCTII.POS.09 c0 Boissel - Del Gobbo, 1994").best, ["Qd4"]);
    }

    #[test]
    fn bad_lines_are_told() {
        assert!(read("8/8/8/8/8/8/8/8 w").is_err());
        assert!(read("8/8/8/8/8/8/8/8 w - - ; id x").is_err());
        assert!(read("8/8/8/8/8/8/8/8 w - - dm many").is_err());
    }
}
