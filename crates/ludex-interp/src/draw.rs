//! The board as text, for people.
//!
//! ```text
//! 3 x . o
//! 2 . x .          2 squares wide, rows from the top, `.` for empty
//! 1 . . o
//!   a b c
//! X to move
//! ```
//!
//! Hexagonal boards slant: each row stands half a cell to the right of the one
//! below it. Graph boards are drawn with their lines where every line is
//! straight; otherwise as bare points.

use ludex_core::State;
use ludex_ir::{GridKind, Look, Program};

use crate::position::settings;
use crate::tables::Tables;

/// Columns between two points of a graph, and rows.
const GRAPH_PITCH: (usize, usize) = (4, 2);

/// The board, the other cells, and whose turn it is.
pub(crate) fn draw(tables: &Tables, state: &State) -> String {
    let program = &tables.program;
    let values = tables.layout.values(state);
    let picture = Picture { program, values: &values };
    let mut lines = match program.look.grid {
        _ if program.look.at.is_empty() => Vec::new(),
        GridKind::None => Vec::new(),
        GridKind::Square => picture.rows(0),
        GridKind::Hex => picture.rows(1),
        GridKind::Graph => picture.graph().unwrap_or_else(|| picture.rows(0)),
    };
    // Without a board the numbers are all there is to see.
    let others = settings(tables, state, lines.is_empty());
    lines.extend(others.into_iter().map(|it| it.replacen('=', ": ", 1)));
    let turn = usize::try_from(values[tables.turn_cell()]).ok();
    if let Some(player) = turn.and_then(|it| program.players.get(it)) {
        lines.push(format!("{player} to move"));
    }
    let mut text = String::new();
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

struct Picture<'a> {
    program: &'a Program,
    values: &'a [i64],
}

impl Picture<'_> {
    fn look(&self) -> &Look {
        &self.program.look
    }

    /// What is drawn at a place of the grid: nothing where there is no square.
    fn symbol(&self, square: i16) -> &str {
        match usize::try_from(square).map(|square| self.values[square]) {
            Err(_) => "",
            Ok(0) => ".",
            Ok(code) => self.program.men.get(code as usize - 1).map_or("?", |man| &man.symbol),
        }
    }

    /// Rows of cells with labels; each row stands `slant` half cells to the right of the one below.
    fn rows(&self, slant: usize) -> Vec<String> {
        let look = self.look();
        let labels = Labels::of(look);
        let men = self.program.men.iter().map(|man| width(&man.symbol));
        let widest = men.chain(labels.files.iter().map(|it| width(it))).max().unwrap_or(1).max(1);
        // A half cell must be a whole number of columns.
        let pitch = if slant > 0 { (widest + 1).next_multiple_of(2) } else { widest + 1 };
        let margin = labels.ranks.iter().map(|it| width(it)).max().unwrap_or(0);
        let indent = |row: usize| " ".repeat(row * slant * pitch / 2);
        let cells = |cells: Vec<&str>| -> String {
            cells.iter().map(|it| " ".repeat(pitch - width(it).min(pitch)) + it).collect()
        };
        let mut lines = Vec::new();
        for (row, squares) in look.at.chunks(look.columns.max(1)).enumerate().rev() {
            let rank = &labels.ranks[row];
            let symbols = squares.iter().map(|&square| self.symbol(square)).collect();
            lines.push(format!("{rank:>margin$}{}{}", indent(row), cells(symbols)));
        }
        if labels.files.iter().any(|it| !it.is_empty()) {
            let files = labels.files.iter().map(String::as_str).collect();
            lines.push(format!("{:>margin$}{}", "", cells(files)));
        }
        lines
    }

    /// Points and lines; `None` if a line cannot be drawn with letters.
    fn graph(&self) -> Option<Vec<String>> {
        let look = self.look();
        let (wide, high) = GRAPH_PITCH;
        let size = (look.columns * wide, look.rows * high);
        let mut canvas = Canvas { size, letters: vec![' '; size.0 * size.1] };
        for &(a, b) in &look.edges {
            canvas.edge(self.place(a)?, self.place(b)?)?;
        }
        for (index, &square) in look.at.iter().enumerate().filter(|&(_, &square)| square >= 0) {
            let (column, row) = (index % look.columns, index / look.columns);
            for (offset, letter) in self.symbol(square).chars().take(wide).enumerate() {
                canvas.put(column * wide + offset, row * high, letter);
            }
        }
        let labels = Labels::of(look);
        let margin = labels.ranks.iter().map(|it| width(it)).max().unwrap_or(0);
        let mut lines = canvas.lines(|row| {
            let rank = if row % high == 0 { labels.ranks[row / high].as_str() } else { "" };
            format!("{rank:>margin$} ")
        });
        if labels.files.iter().any(|it| !it.is_empty()) {
            let files: Vec<String> = labels.files.iter().map(|it| format!("{it:<wide$}")).collect();
            lines.push(format!("{:>margin$} {}", "", files.concat()));
        }
        Some(lines)
    }

    /// Column and row of a square.
    fn place(&self, square: u16) -> Option<(usize, usize)> {
        let look = self.look();
        let index = look.at.iter().position(|&it| i64::from(it) == i64::from(square))?;
        Some((index % look.columns, index / look.columns))
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// What stands beside the rows and below the columns: empty where names do not follow the grid.
struct Labels {
    ranks: Vec<String>,
    files: Vec<String>,
}

impl Labels {
    fn of(look: &Look) -> Self {
        let mut ranks = vec![String::new(); look.rows];
        let mut files = vec![String::new(); look.columns];
        for (index, &square) in look.at.iter().enumerate() {
            let Ok(square) = usize::try_from(square) else { continue };
            let name = &look.squares[square];
            let rank = name.trim_start_matches(|it: char| !it.is_ascii_digit());
            let file = &name[..name.len() - rank.len()];
            let fits = !rank.is_empty()
                && !file.is_empty()
                && agree(&mut ranks[index / look.columns], rank)
                && agree(&mut files[index % look.columns], file);
            if !fits {
                return Self {
                    ranks: vec![String::new(); look.rows],
                    files: vec![String::new(); look.columns],
                };
            }
        }
        Self { ranks, files }
    }
}

/// Makes `label` be `name` if it is nothing yet; whether it now is `name`.
fn agree(label: &mut String, name: &str) -> bool {
    if label.is_empty() {
        name.clone_into(label);
    }
    label == name
}

/// Letters in rows, counted from the bottom.
struct Canvas {
    size: (usize, usize),
    letters: Vec<char>,
}

impl Canvas {
    fn put(&mut self, x: usize, y: usize, letter: char) {
        if x < self.size.0 && y < self.size.1 {
            self.letters[y * self.size.0 + x] = letter;
        }
    }

    /// Draws a straight line; `None` if it is not one of the eight directions.
    fn edge(&mut self, a: (usize, usize), b: (usize, usize)) -> Option<()> {
        let (wide, high) = GRAPH_PITCH;
        let (a, b) = (a.min(b), a.max(b));
        let run = b.0 - a.0;
        let rise = b.1 as isize - a.1 as isize;
        let letter = match rise {
            0 => '-',
            _ if run == 0 => '|',
            _ if run != rise.unsigned_abs() => return None,
            1.. => '/',
            _ => '\\',
        };
        // In letters: how far it goes right and up, and in how many steps.
        let steps = (run * wide).max(rise.unsigned_abs() * high).max(1);
        for step in 1..steps {
            let x = a.0 * wide + run * wide * step / steps;
            let up = rise * high as isize * step as isize;
            if up % steps as isize != 0 {
                continue;
            }
            let y = a.1 as isize * high as isize + up / steps as isize;
            let crossed =
                matches!((self.at(x, y as usize), letter), ('/' | 'X', '\\') | ('\\' | 'X', '/'));
            self.put(x, y as usize, if crossed { 'X' } else { letter });
        }
        Some(())
    }

    fn at(&self, x: usize, y: usize) -> char {
        self.letters.get(y * self.size.0 + x).copied().unwrap_or(' ')
    }

    /// The rows from the top, each after what `before` gives for it.
    fn lines(&self, before: impl Fn(usize) -> String) -> Vec<String> {
        let rows = self.letters.chunks(self.size.0.max(1)).enumerate().rev();
        let lines = rows.map(|(row, letters)| before(row) + &letters.iter().collect::<String>());
        // The last row of points has an empty one above it.
        lines.skip(GRAPH_PITCH.1 - 1).collect()
    }
}
