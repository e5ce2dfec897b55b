//! The initial position.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::ArrayRole;

use crate::ast::{Expr, ExprKind, File, ItemKind, Man, Owner, StartKind, StartLine};

use super::Compiler;
use super::build::{Builder, Context, Mode};
use super::names::CONSTANT;
use super::types::{Const, Type};

impl Compiler {
    /// The value of every cell at the start.
    pub(crate) fn start_cells(&mut self, file: &File) -> Vec<i64> {
        let mut cells: Vec<i64> = self
            .arrays
            .iter()
            .flat_map(|array| std::iter::repeat_n(array.default, array.len))
            .collect();
        for item in &file.items {
            if let ItemKind::Start(lines) = &item.kind {
                for line in lines {
                    self.start_line(&mut cells, line);
                }
            }
        }
        cells
    }

    fn start_line(&mut self, cells: &mut [i64], line: &StartLine) {
        match &line.kind {
            StartKind::Place { man, on } => {
                let Some(code) = self.constant_man(man) else { return };
                for target in on {
                    for square in self.constant_squares(target) {
                        cells[square] = code;
                    }
                }
            }
            StartKind::Rows(text) => self.start_rows(cells, text, line.span),
            StartKind::Set { cell, value } => self.start_set(cells, cell, value),
            StartKind::Scatter { men, on, seed } => {
                let codes: Vec<i64> = men.iter().filter_map(|it| self.constant_man(it)).collect();
                let squares = self.constant_squares(on);
                let seed = self.fold_int(seed).unwrap_or(0);
                scatter(cells, &codes, &squares, seed as u64);
            }
            StartKind::Turn(player) => match self.fold(None, player, None) {
                Some(Const::Player(player)) => {
                    let turn = self.arrays[1].base;
                    cells[turn] = i64::from(player);
                }
                _ => self.not_a_player(player),
            },
            StartKind::If { cond, then, otherwise } => {
                if let Some(holds) = self.constant_truth(cond) {
                    for line in if holds { then } else { otherwise } {
                        self.start_line(cells, line);
                    }
                }
            }
        }
    }

    fn not_a_player(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.unknown_player(name, expr.span),
            _ => self.wrong_type_span(expr.span, "a player", "name one of the `players`"),
        }
    }

    /// The code of a constant man.
    fn constant_man(&mut self, man: &Man) -> Option<i64> {
        let Some(Const::Kind(kind)) = self.fold(None, &man.kind, None) else {
            if let ExprKind::Name(name) = &man.kind.kind {
                self.unknown_kind(name, man.kind.span);
            } else {
                self.wrong_type_span(man.kind.span, "a kind of man", "name one of the `men`");
            }
            return None;
        };
        let owner = match &man.owner {
            None => None,
            Some(Owner::Player(player)) => match self.fold(None, player, None) {
                Some(Const::Player(player)) => Some(player),
                _ => {
                    self.not_a_player(player);
                    return None;
                }
            },
            Some(_) => {
                let first = self.players.first().cloned().unwrap_or_default();
                let help = format!(
                    "at the start no player is `me`: name the owner, as in `{first} {}`",
                    self.kinds[kind as usize]
                );
                self.wrong_type_span(man.span, "a player and a kind", &help);
                return None;
            }
        };
        let found = self.men.iter().position(|it| it.owner == owner && it.kind == kind);
        if found.is_none() {
            let name = self.kinds[kind as usize].clone();
            let first = self.players.first().cloned().unwrap_or_default();
            self.report(match owner {
                None => {
                    Diagnostic::error("missing-owner", man.span, format!("whose {name} is this?"))
                        .label("an owner is missing")
                        .help(format!("name its owner: `{first} {name} on …`"))
                }
                Some(_) => Diagnostic::error(
                    "wrong-owner",
                    man.span,
                    format!("a {name} belongs to no player"),
                )
                .label("a `neutral` man with an owner")
                .help(format!("leave the owner away: `{name} on …`")),
            });
        }
        found.map(|it| it as i64 + 1)
    }

    fn constant_squares(&mut self, expr: &Expr) -> Vec<usize> {
        let value = self.fold(None, expr, None).and_then(|it| self.as_bits(it));
        match value {
            Some(bits) => bits.iter().collect(),
            None => {
                let mut b = Builder::new(CONSTANT, Mode::Plain, Context::Function);
                let by_player = self.fold_all(None, expr).is_some();
                if self.set_expr(&mut b, expr).is_some() {
                    let label = if by_player {
                        "differs from player to player"
                    } else {
                        "known only in play"
                    };
                    self.report(
                        Diagnostic::error(
                            "not-constant",
                            expr.span,
                            "these must be constant squares",
                        )
                        .label(label)
                        .help("name squares, ranks or files: `a1, h1`, `rank(2)`"),
                    );
                }
                Vec::new()
            }
        }
    }

    fn start_set(&mut self, cells: &mut [i64], cell: &Expr, value: &Expr) {
        let set_cell = matches!(&cell.kind, ExprKind::Name(name)
        if self.cells.get(name).is_some_and(|it| {
            let array = &self.arrays[it.array as usize];
            array.role == ArrayRole::Set && array.indices.is_empty()
        }));
        if set_cell && let ExprKind::Name(name) = &cell.kind {
            let base = self.arrays[self.cells[name].array as usize].base;
            for square in self.constant_squares(value) {
                cells[base + square] = 1;
            }
            return;
        }
        let Some(index) = self.constant_cell(cell) else { return };
        let folded = self.fold(None, value, None);
        let number = self.arrays.iter().position(|it| (it.base..it.base + it.len).contains(&index));
        let Some(number) = number else { return };
        let array = &self.arrays[number];
        let info = self.cells.values().find(|it| it.array as usize == number);
        let ty = info.map_or(Type::Int, |it| it.ty);
        match self.cell_value(folded.as_ref(), array.role, ty, array.lo..=array.hi) {
            Ok(value) => cells[index] = value,
            Err(_) if folded.is_none() && self.explain(value) => {}
            Err(what) => {
                let message = format!("this cannot be the value of `{}`", self.arrays[number].name);
                self.report(
                    Diagnostic::error("bad-default", value.span, message)
                        .label(what)
                        .help("the start is made of constants; options are constants, too"),
                );
            }
        }
    }

    /// Rows from the top: digits for empty squares, symbols for men.
    fn start_rows(&mut self, cells: &mut [i64], text: &str, span: Span) {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.board.rows {
            let message =
                format!("the board has {} rows, the text has {}", self.board.rows, rows.len());
            self.report(
                Diagnostic::error("bad-rows", span, message)
                    .label("one part for each row, with `/` between")
                    .help("write the rows from the top; a row of eight empty squares is `8`"),
            );
            return;
        }
        for (from_top, row) in rows.iter().enumerate() {
            let y = self.board.rows - 1 - from_top;
            if let Err(message) = self.start_row(cells, row, y) {
                self.report(
                    Diagnostic::error(
                        "bad-rows",
                        span,
                        format!("in row {}, `{row}`: {message}", y + 1),
                    )
                    .label("does not fit the board and its men")
                    .help(self.rows_help()),
                );
                return;
            }
        }
    }

    fn rows_help(&self) -> String {
        let symbols: Vec<&str> = self.men.iter().map(|it| it.symbol.as_str()).take(20).collect();
        format!("use numbers for empty squares and the symbols of the men: {}", symbols.join(" "))
    }

    fn start_row(&self, cells: &mut [i64], row: &str, y: usize) -> Result<(), String> {
        let mut rest = row;
        let mut x = 0;
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() {
                let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let empty: usize = rest[..len].parse().map_err(|_| "a number too large")?;
                x += empty.min(10_000);
                rest = &rest[len..];
                continue;
            }
            let man = self
                .men
                .iter()
                .enumerate()
                .filter(|(_, man)| rest.starts_with(&man.symbol))
                .max_by_key(|(_, man)| man.symbol.len());
            let Some((index, man)) = man else {
                return Err(format!("no man has the symbol `{first}`"));
            };
            match self.board.square_at(x as i64, y as i64) {
                Some(square) => cells[square] = index as i64 + 1,
                None => return Err(format!("there is no square for `{}`", man.symbol)),
            }
            x += 1;
            rest = &rest[man.symbol.len()..];
        }
        if x == self.board.columns {
            Ok(())
        } else {
            Err(format!("it has {x} squares instead of {}", self.board.columns))
        }
    }
}

/// Fills squares at random with men, the same way for the same seed. The
/// generator is `splitmix64`.
fn scatter(cells: &mut [i64], codes: &[i64], squares: &[usize], seed: u64) {
    if codes.is_empty() {
        return;
    }
    let mut state = seed;
    for &square in squares {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        cells[square] = codes[((u128::from(z) * codes.len() as u128) >> 64) as usize];
    }
}
