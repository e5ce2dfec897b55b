//! Cells by name: reading, testing and writing them.

use ludex_diagnostics::Diagnostic;
use ludex_ir::{ArrayId, IndexKind, Inst, Reg, Var};

use crate::ast::{AssignOp, Expr, ExprKind};

use super::Compiler;
use super::build::Builder;
use super::exprs::Val;
use super::types::Type;

/// A cell (or, for sets, a set of cells) that an expression names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRef {
    /// The array.
    pub(crate) array: ArrayId,
    /// Which element (for sets, which set); `None` is the first.
    pub(crate) index: Option<Reg>,
    /// The type of the element.
    pub(crate) ty: Type,
}

impl Compiler {
    /// The name at the root of `x[i][j]` and the indices.
    fn indexed(expr: &Expr) -> Option<(&str, Vec<&Expr>)> {
        match &expr.kind {
            ExprKind::Name(name) => Some((name, Vec::new())),
            ExprKind::Index(base, index) => {
                let (name, mut indices) = Self::indexed(base)?;
                indices.push(index);
                Some((name, indices))
            }
            _ => None,
        }
    }

    /// Whether an expression names a cell.
    pub(crate) fn names_cell(&self, b: &Builder, expr: &Expr) -> bool {
        Self::indexed(expr)
            .is_some_and(|(name, _)| b.local(name).is_none() && self.cells.contains_key(name))
    }

    /// The cell that an expression names; reports what is wrong with it.
    pub(crate) fn cell_ref(&mut self, b: &mut Builder, expr: &Expr) -> Option<CellRef> {
        let Some((name, indices)) = Self::indexed(expr) else {
            self.wrong_type_span(
                expr.span,
                "the name of a cell",
                "cells are declared with `cell`: `cell phase: 0..2`",
            );
            return None;
        };
        let Some(info) = self.cells.get(name).cloned() else {
            if b.local(name).is_some() {
                let help = format!(
                    "`{name}` is a variable: write `{name} = …` to change it, or declare a `cell`"
                );
                self.wrong_type_span(expr.span, "a cell", &help);
            } else {
                self.unknown_cell(name, expr.span);
            }
            return None;
        };
        let kinds = self.arrays[info.array as usize].indices.clone();
        if kinds.len() != indices.len() {
            let what: Vec<&str> = kinds
                .iter()
                .map(|it| match it {
                    IndexKind::Player => "[me]",
                    IndexKind::Kind => "[k]",
                    IndexKind::Number(_) => "[0]",
                })
                .collect();
            let message = match kinds.len() {
                0 => format!("`{name}` is one cell, without an index"),
                1 => format!("`{name}` has one index"),
                n => format!("`{name}` has {n} indices"),
            };
            self.report(
                Diagnostic::error("wrong-indices", expr.span, message)
                    .label(format!(
                        "{} given",
                        if indices.is_empty() {
                            "none".to_owned()
                        } else {
                            indices.len().to_string()
                        }
                    ))
                    .help(format!("write for example `{name}{}`", what.concat())),
            );
            return None;
        }
        let mut registers = Vec::new();
        for (kind, index) in kinds.iter().zip(&indices) {
            let want = match kind {
                IndexKind::Player => Type::Player,
                IndexKind::Kind => Type::Kind,
                IndexKind::Number(_) => Type::Int,
            };
            registers.push(self.expr_as(b, index, want)?);
        }
        let lens: Vec<u32> = kinds.iter().map(|it| self.index_len(*it) as u32).collect();
        let index = match (&registers[..], &lens[..]) {
            ([i], _) => Some(*i),
            ([i, j], [rows, columns]) => {
                let dst = b.int();
                b.push(Inst::Pair { dst, i: *i, j: *j, rows: *rows, columns: *columns });
                Some(dst)
            }
            _ => None,
        };
        Some(CellRef { array: ArrayId(info.array), index, ty: info.ty })
    }

    fn index_len(&self, kind: IndexKind) -> usize {
        match kind {
            IndexKind::Player => self.players.len(),
            IndexKind::Kind => self.kinds.len(),
            IndexKind::Number(count) => count as usize,
        }
    }

    /// The value of a cell.
    pub(crate) fn load_cell(&mut self, b: &mut Builder, cell: CellRef) -> Val {
        if cell.ty == Type::Set {
            let dst = b.set();
            b.push(Inst::SetLoad { dst, array: cell.array, index: cell.index });
            return Val { ty: Type::Set, var: Var::Set(dst) };
        }
        let dst = b.int();
        let CellRef { array, index, ty } = cell;
        // An index that is out of range reads as `no`, not as -1.
        b.push(match ty {
            Type::Bool => Inst::TestRange { dst, array, index, lo: 1, hi: 1 },
            _ => Inst::Load { dst, array, index },
        });
        Val { ty, var: Var::Int(dst) }
    }

    /// The register with the number of the cell of `square` in a set of a set array.
    pub(crate) fn set_element(&mut self, b: &mut Builder, cell: CellRef, square: Reg) -> Reg {
        let columns = self.board.squares() as u32;
        let rows =
            (self.arrays[cell.array.0 as usize].len as u32).checked_div(columns).unwrap_or(0);
        let i = cell.index.unwrap_or_else(|| b.literal(0));
        let dst = b.int();
        b.push(Inst::Pair { dst, i, j: square, rows, columns });
        dst
    }

    /// `set x = e`, `set x += e`, `set x -= e`.
    pub(crate) fn set_cell(&mut self, b: &mut Builder, cell: &Expr, op: AssignOp, value: &Expr) {
        let Some(target) = self.cell_ref(b, cell) else { return };
        let CellRef { array, index, ty } = target;
        if ty == Type::Set {
            let Some(src) = self.set_expr(b, value) else { return };
            b.push(match op {
                AssignOp::Set => Inst::SetStore { array, index, src },
                AssignOp::Add => Inst::SetUpdate { array, index, src, add: true },
                AssignOp::Sub => Inst::SetUpdate { array, index, src, add: false },
            });
            return;
        }
        let Some(value) = self.expr_as(b, value, ty) else { return };
        match op {
            AssignOp::Set => b.push(Inst::Store { array, index, value }),
            _ if ty != Type::Int => {
                let help = "`+=` and `-=` are for numbers and sets; write `set … = …`";
                self.wrong_type_span(cell.span, "a cell that holds a number", help);
            }
            AssignOp::Add => b.push(Inst::Add { array, index, delta: value }),
            AssignOp::Sub => {
                let delta = b.int();
                b.push(Inst::Unary { op: ludex_ir::Unary::Neg, dst: delta, src: value });
                b.push(Inst::Add { array, index, delta });
            }
        }
    }
}
