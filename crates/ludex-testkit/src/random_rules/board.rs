//! Boards: squares with and without wraps, of one colour, hexagons, graphs, or none.

use super::author::Author;

/// The kind of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Grid {
    #[default]
    None,
    Square,
    Hex,
    Graph,
}

impl Author<'_> {
    /// Writes the board and takes down its squares and directions.
    pub(super) fn board(&mut self) {
        match self.below(24) {
            0 => {}
            1..=4 => self.hex_board(),
            5..=7 => self.graph_board(),
            _ => self.square_board(),
        }
        if self.sheet.grid != Grid::None && self.percent(15) {
            self.line("places box, goal");
            self.sheet.places = vec!["box".to_owned(), "goal".to_owned()];
        }
    }

    /// A side: mostly small, now and then up to 12, so that one, two and three words are met.
    fn side(&mut self) -> u32 {
        match self.below(20) {
            0 => 1,
            1..=3 => self.between(2, 3),
            4..=10 => self.between(4, 6),
            11..=15 => self.between(7, 8),
            _ => self.between(9, 12),
        }
    }

    fn square_board(&mut self) {
        let (columns, rows) = (self.side(), self.side());
        let wrap = match self.below(8) {
            0 => " wrap columns",
            1 => " wrap rows",
            2 => " wrap both",
            _ => "",
        };
        // One colour only, if a wrap does not mix the colours.
        let mixes = (wrap.contains("columns") && columns % 2 == 1)
            || (wrap.contains("rows") && rows % 2 == 1)
            || (wrap.contains("both") && (columns % 2 == 1 || rows % 2 == 1));
        let colour = if !mixes && columns * rows > 2 && self.percent(12) {
            if self.percent(50) { " on dark" } else { " on light" }
        } else {
            ""
        };
        self.line(&format!("board square {columns} by {rows}{wrap}{colour}"));
        self.sheet.grid = Grid::Square;
        (self.sheet.columns, self.sheet.rows) = (columns, rows);
        self.sheet.squares = names(columns, rows, |x, y| match colour {
            " on dark" => (x + y) % 2 == 0,
            " on light" => (x + y) % 2 == 1,
            _ => true,
        });
        self.eight_directions();
        self.sheet.lists.push("forwards".to_owned());
    }

    fn hex_board(&mut self) {
        let (columns, rows) = (self.between(1, 11), self.between(2, 11));
        self.line(&format!("board hex {columns} by {rows}"));
        self.sheet.grid = Grid::Hex;
        (self.sheet.columns, self.sheet.rows) = (columns, rows);
        self.sheet.squares = names(columns, rows, |_, _| true);
        self.sheet.directions =
            ["north", "south", "east", "west", "northwest", "southeast"].map(str::to_owned).into();
        self.sheet.lists = ["six"].map(str::to_owned).into();
    }

    /// Points of a small grid, each joined to most of its neighbours.
    fn graph_board(&mut self) {
        let (columns, rows) = (self.between(2, 5), self.between(1, 5));
        let mut points = Vec::new();
        for (x, y) in cells(columns, rows) {
            if points.len() < 2 || self.percent(85) {
                points.push((x, y));
            }
        }
        let places: Vec<String> =
            points.iter().map(|&(x, y)| format!("{} ({x},{y})", name(x, y))).collect();
        let mut lines = vec![format!("{} {}", name(points[0].0, points[0].1), {
            let (x, y) = points[1];
            name(x, y)
        })];
        for (at, &(x, y)) in points.iter().enumerate() {
            for &(u, v) in &points[at + 1..] {
                let near = u.abs_diff(x) <= 1 && v.abs_diff(y) <= 1;
                let line = format!("{} {}", name(x, y), name(u, v));
                if near && !lines.contains(&line) && self.percent(65) {
                    lines.push(line);
                }
            }
        }
        self.line("board graph");
        self.line(&format!("  points {}", places.join(", ")));
        self.line(&format!("  lines {}", lines.join("; ")));
        self.sheet.grid = Grid::Graph;
        self.sheet.squares = points.iter().map(|&(x, y)| name(x, y)).collect();
        self.eight_directions();
    }

    fn eight_directions(&mut self) {
        self.sheet.directions =
            ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"]
                .map(str::to_owned)
                .into();
        self.sheet.lists = ["orthogonal", "diagonal", "eight"].map(str::to_owned).into();
    }
}

/// The name of the square in a column and a row, from 0.
fn name(x: u32, y: u32) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

fn cells(columns: u32, rows: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
}

fn names(columns: u32, rows: u32, exists: impl Fn(u32, u32) -> bool) -> Vec<String> {
    cells(columns, rows).filter(|&(x, y)| exists(x, y)).map(|(x, y)| name(x, y)).collect()
}
