//! From a text, which may be anything, to a state.

use ludex_core::{State, TextError};
use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::{Array, ArrayRole, IndexKind, PositionField, Program};

use super::{counts_kinds, fields};
use crate::tables::Tables;

/// A longer text is not looked at.
const LONGEST: usize = 1 << 18;

/// The position that `text` describes.
pub(crate) fn read(tables: &Tables, text: &str) -> Result<State, TextError> {
    if text.len() > LONGEST {
        return Err(TextError::new(format!("a position of more than {LONGEST} bytes")));
    }
    let mut reader = Reader { program: &tables.program, values: defaults(&tables.program) };
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let at = |token: &str| token.as_ptr() as usize - text.as_ptr() as usize;
    let mut left = tokens.as_slice();
    for field in fields(&tables.program) {
        let wanted = match &field {
            PositionField::Text(fixed) => fixed.split_whitespace().count(),
            _ => 1,
        };
        for _ in 0..wanted {
            let Some((&token, rest)) = left.split_first() else { break };
            if reader.is_setting(token) {
                break;
            }
            reader.field(&field, token).map_err(|error| shifted(error, at(token)))?;
            left = rest;
        }
        if field == PositionField::Board && left.len() == tokens.len() {
            return Err(TextError::new("a position begins with the rows of the board"));
        }
    }
    for token in left {
        reader.setting(token).map_err(|error| shifted(error, at(token)))?;
    }
    Ok(tables.layout.state(&reader.values))
}

/// An error whose place was counted from `start`.
fn shifted(error: TextError, start: usize) -> TextError {
    TextError { at: Some(start + error.at.unwrap_or(0)), ..error }
}

fn defaults(program: &Program) -> Vec<i64> {
    let each = |array: &Array| {
        let value = if array.role == ArrayRole::Board { 0 } else { array.default };
        std::iter::repeat_n(value.clamp(array.lo, array.hi), array.len)
    };
    program.arrays.iter().flat_map(each).collect()
}

/// What a name in `name=value` stands for.
enum Target {
    Cell(usize),
    /// The first cell of a set.
    Set(usize),
    /// The first of one cell for each kind.
    Kinds(usize),
    Rows,
}

struct Reader<'a> {
    program: &'a Program,
    values: Vec<i64>,
}

impl Reader<'_> {
    fn field(&mut self, field: &PositionField, token: &str) -> Result<(), TextError> {
        match field {
            PositionField::Board => self.rows(token),
            PositionField::Turn => self.turn(token),
            PositionField::Flags(flags) => self.flags(flags, token),
            PositionField::Cell(cell) => self.cell(*cell, token),
            PositionField::Text(_) => Ok(()),
        }
    }

    fn is_setting(&self, token: &str) -> bool {
        token.split_once('=').is_some_and(|(name, _)| self.target(name).is_ok())
    }

    fn setting(&mut self, token: &str) -> Result<(), TextError> {
        let Some((name, value)) = token.split_once('=') else {
            let message =
                format!("`{}` is too much: what follows here is `name=value`", cut(token));
            return Err(TextError::new(message));
        };
        let value_at = name.len() + 1;
        match self.target(name)? {
            Target::Cell(cell) => self.cell(cell, value),
            Target::Set(first) => self.set(first, value),
            Target::Kinds(first) => self.kinds(first, value),
            Target::Rows => self.rows(value),
        }
        .map_err(|error| shifted(error, value_at))
    }

    // The board.

    fn rows(&mut self, text: &str) -> Result<(), TextError> {
        let look = &self.program.look;
        if look.at.is_empty() {
            let message = "there is no board: `-` stands for it";
            return if text == "-" { Ok(()) } else { Err(TextError::new(message)) };
        }
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != look.rows {
            let message = format!("the board has {} rows, not {}", look.rows, rows.len());
            return Err(TextError::new(message));
        }
        let mut at = 0;
        for (index, row) in rows.iter().enumerate() {
            self.row(look.rows - 1 - index, row).map_err(|error| shifted(error, at))?;
            at += row.len() + 1;
        }
        Ok(())
    }

    /// Reads a row; rows count from the bottom.
    fn row(&mut self, row: usize, text: &str) -> Result<(), TextError> {
        let columns = self.program.look.columns;
        let mut rest = text;
        let mut column = 0;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
            if digits > 0 {
                column += rest[..digits].parse::<usize>().unwrap_or(usize::MAX).min(columns + 1);
                rest = &rest[digits..];
            } else {
                let (code, symbol) = self.man(rest).map_err(|error| error.at(at))?;
                self.put(row, column, code).map_err(|error| error.at(at))?;
                column += 1;
                rest = &rest[symbol..];
            }
            if column > columns {
                let message = format!("row {} has more than {columns} squares", row + 1);
                return Err(TextError::new(message).at(at));
            }
        }
        if column != columns {
            let message = format!("row {} has {column} squares, not {columns}", row + 1);
            return Err(TextError::new(message));
        }
        Ok(())
    }

    /// The man whose symbol the text begins with, and how long that is: the longest counts.
    fn man(&self, text: &str) -> Result<(i64, usize), TextError> {
        let men = self.program.men.iter().enumerate();
        let fitting =
            men.filter(|(_, man)| !man.symbol.is_empty() && text.starts_with(&man.symbol));
        // Of several equals the first counts, so the last minimum of the opposite is no good.
        let longest = fitting.min_by_key(|(_, man)| std::cmp::Reverse(man.symbol.len()));
        longest.map(|(index, man)| (index as i64 + 1, man.symbol.len())).ok_or_else(|| {
            let letter: String = text.chars().take(1).collect();
            let symbols = self.program.men.iter().map(|man| man.symbol.as_str());
            TextError::new(format!("there is no man `{letter}`")).or_nearest(&letter, symbols)
        })
    }

    fn put(&mut self, row: usize, column: usize, code: i64) -> Result<(), TextError> {
        let look = &self.program.look;
        let square = (column < look.columns).then(|| look.at.get(row * look.columns + column));
        match square.flatten().map(|&square| usize::try_from(square)) {
            Some(Ok(square)) => {
                self.values[square] = code;
                Ok(())
            }
            Some(Err(_)) => {
                let (row, column) = (row + 1, column + 1);
                let message = format!("there is no square in column {column} of row {row}");
                Err(TextError::new(message))
            }
            None => {
                let (row, columns) = (row + 1, look.columns);
                Err(TextError::new(format!("row {row} has more than {columns} squares")))
            }
        }
    }

    // Cells.

    fn turn(&mut self, token: &str) -> Result<(), TextError> {
        let letters = &self.program.look.players;
        match index_of(letters, token) {
            Some(player) => {
                self.values[self.program.arrays[TURN.0 as usize].base] = player;
                Ok(())
            }
            None => self.cell(self.program.arrays[TURN.0 as usize].base, token).map_err(|error| {
                let nearest = error.nearest.clone().or_else(|| letters.first().cloned());
                TextError { nearest, ..error }
            }),
        }
    }

    fn flags(&mut self, flags: &[(String, usize)], token: &str) -> Result<(), TextError> {
        for (_, cell) in flags {
            self.values[*cell] = 0;
        }
        let mut rest = if token == "-" { "" } else { token };
        while !rest.is_empty() {
            let fitting = flags.iter().filter(|it| !it.0.is_empty() && rest.starts_with(&it.0));
            let Some((letter, cell)) = fitting.max_by_key(|it| it.0.len()) else {
                let letter: String = rest.chars().take(1).collect();
                let letters = flags.iter().map(|it| it.0.as_str());
                return Err(TextError::new(format!("there is no flag `{letter}`"))
                    .at(token.len() - rest.len())
                    .or_nearest(&letter, letters));
            };
            self.values[*cell] = 1;
            rest = &rest[letter.len()..];
        }
        Ok(())
    }

    /// Reads the value of one cell.
    fn cell(&mut self, cell: usize, text: &str) -> Result<(), TextError> {
        let program = self.program;
        let (array, _) = program.cell(cell);
        let value = match array.role {
            ArrayRole::Board if text == "-" => 0,
            ArrayRole::Board => match self.man(text)? {
                (code, symbol) if symbol == text.len() => code,
                _ => return Err(TextError::new(format!("there is no man `{}`", cut(text)))),
            },
            ArrayRole::Turn | ArrayRole::Player => one_of(&program.players, text, "player", array)?,
            ArrayRole::Square => one_of(&program.look.squares, text, "square", array)?,
            ArrayRole::Kind => one_of(&program.kinds, text, "kind", array)?,
            ArrayRole::Bool | ArrayRole::Set => truth(text)?,
            ArrayRole::Number | ArrayRole::Counter => number(text)?,
        };
        self.assign(cell, value)
    }

    /// Sets a cell that has room for the value; a counter stops at its limit.
    fn assign(&mut self, cell: usize, value: i64) -> Result<(), TextError> {
        let (array, _) = self.program.cell(cell);
        let (lo, hi) = (array.lo, array.hi);
        let value = if array.role == ArrayRole::Counter { value.min(hi) } else { value };
        if value < lo || value > hi {
            let name = self.program.cell_name(cell);
            let message = format!("`{name}` cannot be {value}: its range is {lo}..{hi}");
            return Err(TextError::new(message));
        }
        self.values[cell] = value;
        Ok(())
    }

    fn set(&mut self, first: usize, text: &str) -> Result<(), TextError> {
        self.values[first..first + self.program.squares].fill(0);
        if text == "-" {
            return Ok(());
        }
        for name in text.split(',') {
            let square = self.square(name)?;
            self.values[first + square] = 1;
        }
        Ok(())
    }

    fn square(&self, name: &str) -> Result<usize, TextError> {
        let squares = &self.program.look.squares;
        index_of(squares, name)
            .map(|it| it as usize)
            .ok_or_else(|| unknown("square", name, squares))
    }

    /// Reads `P2G1`.
    fn kinds(&mut self, first: usize, text: &str) -> Result<(), TextError> {
        let symbols = &self.program.look.kinds;
        let mut rest = text;
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let fitting =
                symbols.iter().enumerate().filter(|(_, it)| rest.starts_with(it.as_str()));
            let Some((kind, symbol)) = fitting.max_by_key(|(_, it)| it.len()) else {
                let letter: String = rest.chars().take(1).collect();
                return Err(unknown("kind", &letter, symbols).at(at));
            };
            rest = &rest[symbol.len()..];
            let digit = |it: char| it.is_ascii_digit() || it == '-';
            let digits = rest.len() - rest.trim_start_matches(digit).len();
            self.assign(first + kind, number(&rest[..digits]).map_err(|error| error.at(at))?)
                .map_err(|error| error.at(at))?;
            rest = &rest[digits..];
        }
        Ok(())
    }

    // Names.

    /// What `name` in `name=value` stands for.
    fn target(&self, name: &str) -> Result<Target, TextError> {
        let mut parts = name.split('.');
        let first = parts.next().unwrap_or_default();
        let Some(array) = self.program.arrays.iter().find(|array| array.name == first) else {
            return self.place(name);
        };
        let parts: Vec<&str> = parts.take(array.indices.len() + 2).collect();
        if array.role == ArrayRole::Board {
            return if parts.is_empty() { Ok(Target::Rows) } else { self.place(name) };
        }
        let squares = if array.role == ArrayRole::Set { self.program.squares } else { 1 };
        let wanted = array.indices.len();
        if counts_kinds(self.program, array) && parts.len() + 1 == wanted {
            let (index, stride) = self.index(array, &parts)?;
            return Ok(Target::Kinds(array.base + index * stride));
        }
        if parts.len() == wanted {
            let (index, _) = self.index(array, &parts)?;
            let first = array.base + index * squares;
            return Ok(if array.role == ArrayRole::Set {
                Target::Set(first)
            } else {
                Target::Cell(first)
            });
        }
        if array.role == ArrayRole::Set && parts.len() == wanted + 1 {
            let (index, _) = self.index(array, &parts[..wanted])?;
            return Ok(Target::Cell(array.base + index * squares + self.square(parts[wanted])?));
        }
        let message = format!("`{}` has {wanted} indices, not {}", array.name, parts.len());
        Err(TextError::new(message))
    }

    /// The number that the first indices of an array give, and how many cells (or sets) there
    /// are for each.
    fn index(&self, array: &Array, parts: &[&str]) -> Result<(usize, usize), TextError> {
        let program = self.program;
        let mut index = 0;
        for (&kind, part) in array.indices.iter().zip(parts) {
            let value = match kind {
                IndexKind::Player => find("player", part, &program.players)?,
                IndexKind::Kind => find("kind", part, &program.kinds)?,
                IndexKind::Number(count) => match part.parse::<usize>() {
                    Ok(value) if value < count as usize => value,
                    _ => {
                        let (name, last) = (&array.name, count.saturating_sub(1));
                        let message =
                            format!("`{}` is no index of `{name}`: they are 0..{last}", cut(part));
                        return Err(TextError::new(message));
                    }
                },
            };
            index = index * program.index_len(kind) + value;
        }
        let rest = &array.indices[parts.len()..];
        Ok((index, rest.iter().map(|&kind| program.index_len(kind)).product()))
    }

    fn place(&self, name: &str) -> Result<Target, TextError> {
        if let Some(square) = index_of(&self.program.look.squares, name) {
            return Ok(Target::Cell(self.program.arrays[BOARD.0 as usize].base + square as usize));
        }
        let places = super::places(self.program);
        let arrays = self.program.arrays.iter().map(|array| array.name.as_str());
        let known = arrays.chain(places.iter().map(|&it| self.program.look.squares[it].as_str()));
        let message = format!("there is no cell `{}`", cut(name));
        Err(TextError::new(message).or_nearest(name, known))
    }
}

/// The start of a text, short enough for a message.
fn cut(text: &str) -> &str {
    text.char_indices().nth(32).map_or(text, |(end, _)| &text[..end])
}

fn index_of(words: &[String], word: &str) -> Option<i64> {
    words.iter().position(|it| it == word).map(|it| it as i64)
}

fn find(what: &str, word: &str, words: &[String]) -> Result<usize, TextError> {
    index_of(words, word).map(|it| it as usize).ok_or_else(|| unknown(what, word, words))
}

fn unknown(what: &str, word: &str, words: &[String]) -> TextError {
    TextError::new(format!("there is no {what} `{}`", cut(word)))
        .or_nearest(word, words.iter().map(String::as_str))
}

/// One of some words, or `-` for none where the array has room for it.
fn one_of(words: &[String], text: &str, what: &str, array: &Array) -> Result<i64, TextError> {
    if text == "-" && array.lo < 0 {
        return Ok(-1);
    }
    index_of(words, text).ok_or_else(|| unknown(what, text, words))
}

fn truth(text: &str) -> Result<i64, TextError> {
    match text {
        "yes" | "1" => Ok(1),
        "no" | "0" => Ok(0),
        _ => Err(TextError::new(format!("`{}` is neither `yes` nor `no`", cut(text)))),
    }
}

fn number(text: &str) -> Result<i64, TextError> {
    text.parse().map_err(|_| TextError::new(format!("`{}` is not a whole number", cut(text))))
}
