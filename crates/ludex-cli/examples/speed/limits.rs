//! The ceiling: an outside program that plays some of the games written by hand.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// What the outside program calls a game, and what we call it.
pub(crate) const NAMES: [(&str, &str); 8] = [
    ("tictactoe", "tictactoe"),
    ("connect4", "connect4"),
    ("breakthrough", "breakthrough"),
    ("othello", "othello"),
    ("hex11", "hex:11"),
    ("gomoku15", "gomoku:15"),
    ("loa", "loa"),
    ("chess", "chess"),
];

/// Moves per second of games written by hand, by our names.
pub(crate) type Ceilings = BTreeMap<String, f64>;

/// Runs the program `limits`, which plays each of its games for a number of seconds.
pub(crate) fn run(program: &Path, seconds: f64) -> Result<Ceilings, Box<dyn Error>> {
    let shown = program.display();
    let output = Command::new(program)
        .arg(seconds.to_string())
        .output()
        .map_err(|error| format!("`{shown}` cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` failed: {}", output.status).into());
    }
    let ceilings = read(&String::from_utf8(output.stdout)?);
    if ceilings.is_empty() {
        return Err(format!("`{shown}` printed no table of games").into());
    }
    Ok(ceilings)
}

/// Reads its table: a game, playouts per second, moves per second, and more.
fn read(table: &str) -> Ceilings {
    let row = |line: &str| {
        let mut columns = line.split_whitespace();
        let outside = columns.next()?;
        let moves: f64 = columns.nth(1)?.parse().ok()?;
        let (_, ours) = NAMES.iter().find(|(it, _)| *it == outside)?;
        Some(((*ours).to_owned(), moves))
    };
    table.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_by_our_names() {
        let table = "game   playouts/s  moves/s  length\nhex11   203703  21889107   107.5\n\
                     checkers  1  2  3\nloa  7502\n";
        assert_eq!(read(table), Ceilings::from([("hex:11".to_owned(), 21_889_107.0)]));
        assert!(read("no table").is_empty());
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(Path::new("no/such/program"), 1.0).expect_err("it is not there");
        assert!(error.to_string().contains("`no/such/program` cannot be run"), "{error}");
    }
}
