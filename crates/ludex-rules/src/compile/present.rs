//! How a game is written and drawn.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::{GridKind, IndexKind, Look, PositionField};

use crate::ast::{self, Expr, ExprKind, NotationLine};

use super::Compiler;
use super::types::{Const, Type};

impl Compiler {
    /// Reads the `notation` block.
    pub(crate) fn declare_notation(&mut self, lines: &[NotationLine]) {
        for line in lines {
            match line {
                NotationLine::Word(word) => self.notations.push(word.text.clone()),
                NotationLine::Position(fields, _) => {
                    let fields = fields.iter().filter_map(|it| self.position_field(it)).collect();
                    self.position = Some(fields);
                }
            }
        }
    }

    fn position_field(&mut self, field: &ast::PositionField) -> Option<PositionField> {
        Some(match field {
            ast::PositionField::Board(_) => PositionField::Board,
            ast::PositionField::Turn(_) => PositionField::Turn,
            ast::PositionField::Text(text, _) => PositionField::Text(text.clone()),
            ast::PositionField::Cell(cell) => PositionField::Cell(self.constant_cell(cell)?),
            ast::PositionField::Flags(flags, span) => {
                let mut letters = Vec::new();
                for (letter, cell) in flags {
                    let Some(number) = self.constant_cell(cell) else { continue };
                    let array =
                        self.arrays.iter().find(|it| (it.base..it.base + it.len).contains(&number));
                    if array.is_some_and(|it| (it.lo, it.hi) != (0, 1)) {
                        self.wrong_type_span(
                            cell.span,
                            "a truth value",
                            "only cells of type `bool` can be flags",
                        );
                        continue;
                    }
                    letters.push((letter.clone(), number));
                }
                if letters.iter().any(|(it, _)| it == "-" || it.is_empty()) {
                    self.report(
                        Diagnostic::error("bad-text", *span, "a flag needs a letter")
                            .label("`-` or an empty text")
                            .help("write a letter and a cell: `flags (K short[White])`"),
                    );
                }
                PositionField::Flags(letters)
            }
        })
    }

    /// The number of the cell that an expression with constant indices names.
    pub(crate) fn constant_cell(&mut self, expr: &Expr) -> Option<usize> {
        let mut indices = Vec::new();
        let mut base = expr;
        while let ExprKind::Index(inner, index) = &base.kind {
            indices.insert(0, index);
            base = inner;
        }
        let ExprKind::Name(name) = &base.kind else {
            self.wrong_type_span(expr.span, "the name of a cell", "write `ep` or `short[White]`");
            return None;
        };
        let Some(info) = self.cells.get(name).cloned() else {
            self.unknown_cell(name, expr.span);
            return None;
        };
        let array = self.arrays[info.array as usize].clone();
        if indices.len() != array.indices.len() || info.ty == Type::Set {
            return self.not_a_cell(expr.span);
        }
        let mut cell = 0;
        for (index, kind) in indices.iter().zip(&array.indices) {
            let len = match kind {
                IndexKind::Player => self.players.len(),
                IndexKind::Kind => self.kinds.len(),
                IndexKind::Number(count) => *count as usize,
            };
            let value = self.constant_index(index, *kind)?;
            match usize::try_from(value).ok().filter(|it| *it < len) {
                Some(index) => cell = cell * len + index,
                None => return self.not_a_cell(expr.span),
            }
        }
        Some(array.base + cell)
    }

    fn constant_index(&mut self, index: &Expr, kind: IndexKind) -> Option<i64> {
        match (kind, self.fold(None, index, None), &index.kind) {
            (IndexKind::Player, Some(Const::Player(player)), _) => Some(i64::from(player)),
            (IndexKind::Kind, Some(Const::Kind(kind)), _) => Some(i64::from(kind)),
            (IndexKind::Number(_), Some(Const::Int(number)), _) => Some(number),
            (IndexKind::Player, None, ExprKind::Name(name)) => {
                self.unknown_player(name, index.span);
                None
            }
            (IndexKind::Kind, None, ExprKind::Name(name)) => {
                self.unknown_kind(name, index.span);
                None
            }
            (_, None, _) if self.explain(index) => None,
            _ => {
                self.not_a_cell(index.span);
                None
            }
        }
    }

    fn not_a_cell(&mut self, span: Span) -> Option<usize> {
        self.report(
            Diagnostic::error("wrong-indices", span, "this does not name one cell")
                .label(
                    "a set, or an index that is missing, too much or not a constant of its range",
                )
                .help("write `ep` for a single cell, `short[White]` for one of several"),
        );
        None
    }

    /// How it all looks.
    pub(crate) fn look(&self) -> Look {
        let initial = |name: &str| name.chars().next().map(|it| it.to_ascii_lowercase());
        let unique = self
            .players
            .iter()
            .enumerate()
            .all(|(i, a)| self.players.iter().skip(i + 1).all(|b| initial(a) != initial(b)));
        let players = self
            .players
            .iter()
            .map(|name| match initial(name) {
                Some(letter) if unique => letter.to_string(),
                _ => name.clone(),
            })
            .collect();
        Look {
            squares: self.board.names.clone(),
            grid: if self.board.on_grid == 0 { GridKind::None } else { self.board.grid },
            columns: self.board.columns,
            rows: self.board.rows,
            at: self.board.at.clone(),
            edges: self.board.edges.clone(),
            kinds: self.kind_symbols.clone(),
            players,
            position: self.position.clone(),
            notations: self.notations.clone(),
        }
    }
}
