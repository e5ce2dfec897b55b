//! Reads the record of a game, replays it, and exports it as PGN.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::export::{Format, export};
use ludex::replay;

const RECORD: &str = "\
game: chess
players: Légal, Saint Brie
result: 1, -1

e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1 c4f7 e8e7 c3d5
";

pub(crate) fn main() -> ludex::Result<()> {
    let game = ludex::load("chess")?;
    let record = replay::parse(RECORD, "a string")?;
    let report = replay::check(&game, &record);
    print!("{report}");
    assert!(report.ok && report.moves == 13, "{report:?}");

    let pgn = export(&game, &record, Format::Pgn)?;
    print!("{pgn}");
    assert!(pgn.contains("7. Nd5# 1-0"), "{pgn}");

    // A record that breaks the rules says where.
    let wrong = replay::parse(&RECORD.replace("f3e5", "f3e6"), "a string")?;
    let report = replay::check(&game, &wrong);
    println!("{}", report.difference.expect("a knight does not move so"));
    Ok(())
}
