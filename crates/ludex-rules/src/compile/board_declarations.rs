//! Declarations of boards: their squares, points, lines and places.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::GridKind;
use ludex_ir::program::MAX_SQUARES;

use crate::ast::{Board, Expr, Name, Wrap};

use super::Compiler;
use super::board::{BoardInfo, COMPASS};
use super::names::nearest;

impl Compiler {
    pub(crate) fn declare_board(&mut self, board: &Board, span: Span) {
        if self.board.grid != GridKind::None {
            self.report(
                Diagnostic::error("duplicate-board", span, "the game has two boards")
                    .label("the second one")
                    .help("keep one `board` line"),
            );
            return;
        }
        match board {
            Board::Square { columns, rows, wrap, on } => {
                let (columns, rows) = self.board_size(columns, rows, span);
                let wrap = (
                    matches!(wrap, Wrap::Columns | Wrap::Both),
                    matches!(wrap, Wrap::Rows | Wrap::Both),
                );
                let parity = on.as_ref().map(|it| usize::from(it.text == "light"));
                let keep = |x: usize, y: usize| parity.is_none_or(|it| (x + y) % 2 == it);
                self.board = BoardInfo::grid(GridKind::Square, columns, rows, wrap, keep);
            }
            Board::Hex { columns, rows } => {
                let (columns, rows) = self.board_size(columns, rows, span);
                self.board =
                    BoardInfo::grid(GridKind::Hex, columns, rows, (false, false), |_, _| true);
            }
            Board::Graph { points, lines } => self.declare_graph(points, lines, span),
        }
        // The named directions come first, in one order on every board.
        for (name, _) in COMPASS {
            self.board.named_direction(name);
        }
    }

    /// The size of a board; of a small one after a mistake, so that the rest can be looked at.
    fn board_size(&mut self, columns: &Expr, rows: &Expr, span: Span) -> (usize, usize) {
        let (Some(columns), Some(rows)) = (self.fold_int(columns), self.fold_int(rows)) else {
            self.board_failed = true;
            return (8, 8);
        };
        let fits = (1..=200).contains(&columns)
            && (1..=200).contains(&rows)
            && (columns * rows) as usize <= MAX_SQUARES;
        if !fits {
            self.report(
                Diagnostic::error(
                    "board-too-large",
                    span,
                    format!("a board of {columns} by {rows} squares cannot be used"),
                )
                .label(format!("a board has at least 1 and at most {MAX_SQUARES} squares, in at most 200 columns and rows"))
                .help("choose another size, for instance `board square 40 by 40`"),
            );
            self.board_failed = true;
            return (8, 8);
        }
        (columns as usize, rows as usize)
    }

    fn declare_graph(
        &mut self,
        points: &[(Name, Option<(i64, i64)>)],
        lines: &[Vec<Name>],
        span: Span,
    ) {
        // Points without coordinates stand in a row of their own.
        let mut placed = Vec::new();
        for (index, (name, at)) in points.iter().enumerate() {
            let (x, y) = at.unwrap_or((index as i64, 0));
            if !(0..=60).contains(&x) || !(0..=60).contains(&y) {
                let message = format!("`{}` lies at ({x},{y})", name.text);
                self.bad_range(name.span, message, "coordinates go from 0 to 60", "move the point");
                self.failed.insert(name.text.clone());
                continue;
            }
            let spot = (x as usize, y as usize);
            if placed.iter().any(|(text, _)| *text == name.text) {
                self.duplicate(&name.text, name.span);
                continue;
            }
            if let Some((other, _)) = placed.iter().find(|(_, at)| *at == spot) {
                self.report(
                    Diagnostic::error(
                        "same-place",
                        name.span,
                        format!("`{}` lies where `{other}` lies", name.text),
                    )
                    .label(format!("also at ({x},{y})"))
                    .help("give every point coordinates of its own"),
                );
                self.failed.insert(name.text.clone());
                continue;
            }
            placed.push((name.text.clone(), spot));
        }
        if placed.is_empty() || placed.len() > MAX_SQUARES {
            let message = format!("a graph of {} points cannot be used", placed.len());
            self.bad_range(
                span,
                message,
                "at least 1, at most 1600",
                "list the points: `points a1 (0,0), b1 (1,0)`",
            );
            self.board_failed = true;
            return;
        }
        let columns = placed.iter().map(|(_, at)| at.0 + 1).max().unwrap_or(0);
        let rows = placed.iter().map(|(_, at)| at.1 + 1).max().unwrap_or(0);
        self.board = BoardInfo::from_points(GridKind::Graph, columns, rows, &placed);
        for line in lines {
            for pair in line.windows(2) {
                self.add_edge(&pair[0], &pair[1]);
            }
        }
    }

    fn add_edge(&mut self, a: &Name, b: &Name) {
        let find = |this: &mut Self, name: &Name| {
            let found = this.board.by_name.get(&name.text).copied();
            if found.is_none() && !this.failed.contains(&name.text) {
                let near = nearest(&name.text, this.board.names.iter().map(String::as_str));
                let mut diagnostic = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("the board has no point `{}`", name.text),
                )
                .label("not among the points");
                diagnostic = match near {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!(
                        "add it: `points {} (0,0)`, at its place in the drawing",
                        name.text
                    )),
                };
                this.report(diagnostic);
            }
            found
        };
        let (Some(from), Some(to)) = (find(self, a), find(self, b)) else { return };
        for (here, there, name) in [(from, to, a), (to, from, b)] {
            let offset = self.board.edge_offset(here, there);
            let clash = self.board.edges.iter().any(|&(x, y)| {
                let (x, y) = (x as usize, y as usize);
                (x == here && y != there && self.board.edge_offset(here, y) == offset)
                    || (y == here && x != there && self.board.edge_offset(here, x) == offset)
            });
            if clash {
                self.report(
                    Diagnostic::error(
                        "two-edges-one-way",
                        name.span,
                        format!("two lines leave `{}` in the same direction", name.text),
                    )
                    .label(format!("the line between `{}` and `{}` is the second", a.text, b.text))
                    .help("move a point so that each line leaves in a direction of its own"),
                );
                return;
            }
        }
        let edge = (from.min(to) as u16, from.max(to) as u16);
        if !self.board.edges.contains(&edge) {
            self.board.edges.push(edge);
        }
    }

    pub(crate) fn declare_places(&mut self, names: &[Name]) {
        for name in names {
            if !self.board.add_place(&name.text) {
                self.duplicate(&name.text, name.span);
            }
        }
    }
}
