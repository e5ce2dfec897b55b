//! The board with some of its squares marked: `[P]`.

use std::collections::BTreeSet;

use ludex_ir::{GridKind, Program};

/// Draws the board whose cells have these values; nothing where there is no board.
///
/// Squares stand where the game's own drawing has them, with more room between them.
pub fn draw_marked(program: &Program, values: &[i64], marked: &BTreeSet<usize>) -> String {
    let look = &program.look;
    if look.at.is_empty() || look.columns == 0 {
        return String::new();
    }
    let pitch = pitch(program);
    let slant = if look.grid == GridKind::Hex { pitch / 2 } else { 0 };
    let mut lines = Vec::new();
    for (row, squares) in look.at.chunks(look.columns).enumerate().rev() {
        let cells = squares.iter().map(|&square| cell(program, values, marked, square));
        let rank = squares.iter().find_map(|&square| rank(program, square)).unwrap_or_default();
        lines.push(format!(
            "{rank:>3} {:indent$}{}",
            "",
            row_text(cells, pitch),
            indent = slant * row
        ));
    }
    let files = (0..look.columns).map(|column| format!(" {}", file(program, column)));
    lines.push(format!("    {}", row_text(files, pitch)));
    lines.iter().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// Columns from one square to the next; even on hexagonal boards, which need half of it.
fn pitch(program: &Program) -> usize {
    let widest = program.men.iter().map(|it| it.symbol.chars().count()).max().unwrap_or(1);
    let pitch = widest.max(1) + 2;
    if program.look.grid == GridKind::Hex { pitch.next_multiple_of(2) } else { pitch }
}

fn row_text(cells: impl Iterator<Item = String>, pitch: usize) -> String {
    cells.fold(String::new(), |text, cell| text + &format!("{cell:<pitch$}"))
}

fn cell(program: &Program, values: &[i64], marked: &BTreeSet<usize>, square: i16) -> String {
    let Ok(square) = usize::try_from(square) else { return String::new() };
    let symbol = match usize::try_from(values[square]) {
        Ok(0) | Err(_) => ".",
        Ok(code) => program.men.get(code - 1).map_or("?", |it| &it.symbol),
    };
    if marked.contains(&square) { format!("[{symbol}]") } else { format!(" {symbol}") }
}

/// The number of the row that a square stands in, if its name has one.
fn rank(program: &Program, square: i16) -> Option<&str> {
    let name = program.look.squares.get(usize::try_from(square).ok()?)?;
    let digits = name.find(|it: char| it.is_ascii_digit())?;
    Some(&name[digits..])
}

/// The letters of a column, if the name of its lowest square has some.
fn file(program: &Program, column: usize) -> &str {
    let look = &program.look;
    let mut squares = look.at.iter().skip(column).step_by(look.columns);
    let lowest = squares.find_map(|&it| usize::try_from(it).ok());
    let name = lowest.and_then(|it| look.squares.get(it)).map_or("", String::as_str);
    name.find(|it: char| it.is_ascii_digit()).map_or("", |at| &name[..at])
}
