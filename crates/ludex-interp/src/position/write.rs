//! From a state to its text.

use ludex_core::State;
use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::{Array, ArrayRole, PositionField, Program};

use super::{counts_kinds, fields, places};
use crate::tables::Tables;

/// The text of a position.
pub(crate) fn write(tables: &Tables, state: &State) -> String {
    let mut writer = Writer::new(tables, state);
    let fields = fields(writer.program);
    let mut parts: Vec<String> = fields.iter().map(|field| writer.field(field)).collect();
    parts.extend(writer.settings());
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// What is to be said beside the board and the turn, as `name=value`; numbers and the like also
/// where they have their default if `all`.
pub(crate) fn settings(tables: &Tables, state: &State, all: bool) -> Vec<String> {
    let mut writer = Writer { all, ..Writer::new(tables, state) };
    writer.field(&PositionField::Board);
    writer.field(&PositionField::Turn);
    writer.settings()
}

struct Writer<'a> {
    program: &'a Program,
    values: Vec<i64>,
    /// The cells that have been written.
    told: Vec<bool>,
    /// Whether numbers are told even if they have their default.
    all: bool,
}

impl<'a> Writer<'a> {
    fn new(tables: &'a Tables, state: &State) -> Self {
        let values = tables.layout.values(state);
        Self { program: &tables.program, told: vec![false; values.len()], values, all: false }
    }

    /// The text of a field; the cells in it are told.
    fn field(&mut self, field: &PositionField) -> String {
        match field {
            PositionField::Board => {
                for &square in &self.program.look.at {
                    if square >= 0 {
                        self.told[square as usize] = true;
                    }
                }
                self.rows()
            }
            PositionField::Turn => {
                let cell = self.array(TURN).base;
                self.told[cell] = true;
                word(&self.program.look.players, self.values[cell])
            }
            PositionField::Flags(flags) => {
                let mut letters = String::new();
                for (letter, cell) in flags {
                    self.told[*cell] = true;
                    if self.values[*cell] != 0 {
                        letters.push_str(letter);
                    }
                }
                if letters.is_empty() { "-".to_owned() } else { letters }
            }
            PositionField::Cell(cell) => {
                self.told[*cell] = true;
                self.value(*cell)
            }
            PositionField::Text(text) => text.clone(),
        }
    }

    fn array(&self, id: ludex_ir::ArrayId) -> &'a Array {
        &self.program.arrays[id.0 as usize]
    }

    /// The rows of the grid, from the top.
    fn rows(&self) -> String {
        let look = &self.program.look;
        if look.at.is_empty() {
            return "-".to_owned();
        }
        let rows: Vec<String> =
            look.at.chunks(look.columns.max(1)).rev().map(|it| self.row(it)).collect();
        rows.join("/")
    }

    fn row(&self, squares: &[i16]) -> String {
        let mut row = String::new();
        let mut empty = 0;
        for &square in squares {
            let code = usize::try_from(square).map_or(0, |square| self.values[square]);
            if code == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                row.push_str(&empty.to_string());
                empty = 0;
            }
            row.push_str(&self.symbol(code));
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        row
    }

    fn symbol(&self, code: i64) -> String {
        let man = usize::try_from(code - 1).ok().and_then(|it| self.program.men.get(it));
        man.map_or_else(|| "-".to_owned(), |man| man.symbol.clone())
    }

    /// `name=value` for everything that has not been told and differs from its default.
    fn settings(&self) -> Vec<String> {
        let mut settings = Vec::new();
        let board = self.array(BOARD);
        let places = places(self.program);
        let rows_told = (0..board.len).all(|it| self.told[it] || places.contains(&it));
        if !rows_told {
            settings.push(format!("{}={}", board.name, self.rows()));
        }
        for cell in places.into_iter().filter(|&it| self.differs(it)) {
            settings.push(format!("{}={}", self.program.cell_name(cell), self.value(cell)));
        }
        for array in &self.program.arrays[1..] {
            self.array_settings(array, &mut settings);
        }
        settings
    }

    fn array_settings(&self, array: &Array, settings: &mut Vec<String>) {
        let cells = array.base..array.base + array.len;
        let group = match array.role {
            ArrayRole::Set => self.program.squares,
            _ if counts_kinds(self.program, array) => self.program.kinds.len(),
            _ => 1,
        };
        let starts = cells.step_by(group.max(1));
        for first in starts.filter(|&first| (first..first + group).any(|it| self.differs(it))) {
            let name = self.program.cell_name(first);
            let whole = name.rsplit_once('.').map_or(name.as_str(), |(whole, _)| whole);
            settings.push(match array.role {
                ArrayRole::Set => format!("{whole}={}", self.set(first)),
                _ if counts_kinds(self.program, array) => format!("{whole}={}", self.kinds(first)),
                _ => format!("{name}={}", self.value(first)),
            });
        }
    }

    fn differs(&self, cell: usize) -> bool {
        let (array, _) = self.program.cell(cell);
        let always = self.all && !matches!(array.role, ArrayRole::Set | ArrayRole::Board);
        !self.told[cell] && (always || self.values[cell] != array.default)
    }

    fn set(&self, first: usize) -> String {
        let members = (0..self.program.squares).filter(|it| self.values[first + it] != 0);
        let names: Vec<&str> = members.map(|it| self.program.look.squares[it].as_str()).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(",") }
    }

    fn kinds(&self, first: usize) -> String {
        let symbols = self.program.look.kinds.iter().enumerate();
        let counted = symbols.filter(|&(kind, _)| self.differs(first + kind));
        let text = |(kind, symbol)| format!("{symbol}{}", self.values[first + kind]);
        counted.map(text).collect::<Vec<_>>().concat()
    }

    fn value(&self, cell: usize) -> String {
        let value = self.values[cell];
        match self.program.cell(cell).0.role {
            ArrayRole::Board => self.symbol(value),
            ArrayRole::Turn | ArrayRole::Player => word(&self.program.players, value),
            ArrayRole::Bool | ArrayRole::Set => (if value == 0 { "no" } else { "yes" }).to_owned(),
            ArrayRole::Square => word(&self.program.look.squares, value),
            ArrayRole::Kind => word(&self.program.kinds, value),
            ArrayRole::Number | ArrayRole::Counter => value.to_string(),
        }
    }
}

fn word(words: &[String], index: i64) -> String {
    let word = usize::try_from(index).ok().and_then(|it| words.get(it));
    word.map_or_else(|| "-".to_owned(), Clone::clone)
}
