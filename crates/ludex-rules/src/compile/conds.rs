//! Truth values, as jumps: `and` and `or` look at their right side only when
//! needed, so that the reasons of what follows name no more than was asked.

use ludex_diagnostics::Diagnostic;
use ludex_ir::{Binary, Block, Inst, Reg, SetReg, Unary, Var, inst};

use crate::ast::{BinaryOp, Expr, ExprKind, Pattern, UnaryOp};

use super::Compiler;
use super::build::Builder;
use super::cells::CellRef;
use super::exprs::Val;
use super::types::{Const, Type};

/// A set that is asked square by square.
///
/// Asking only the square in question keeps everything else out of the
/// reasons; what cannot be asked that way is computed whole, once.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// The contents of the square fit a mask.
    Mask(Reg),
    /// The square is in a set that has been computed.
    Whole(SetReg),
    /// The square's cell in a set of cells is 1.
    Cells(CellRef),
    /// The square is this one.
    Same(Reg),
    /// In both.
    Both(Box<Plan>, Box<Plan>),
    /// In either.
    Either(Box<Plan>, Box<Plan>),
    /// In the first, not in the second.
    Less(Box<Plan>, Box<Plan>),
}

impl Compiler {
    /// A truth value in a register.
    pub(crate) fn truth(&mut self, b: &mut Builder, expr: &Expr) -> Val {
        if let ExprKind::Is { square, pattern, negated: false } = &expr.kind {
            return match self.is(b, square, pattern) {
                Some(reg) => Val { ty: Type::Bool, var: Var::Int(reg) },
                None => Self::broken(b),
            };
        }
        let dst = b.int();
        b.push(Inst::Const { dst, value: 0 });
        let (yes, done) = (b.block(), b.block());
        self.cond(b, expr, yes, done);
        b.at(yes);
        b.push(Inst::Const { dst, value: 1 });
        b.jump_to(done);
        Val { ty: Type::Bool, var: Var::Int(dst) }
    }

    fn is(&mut self, b: &mut Builder, square: &Expr, pattern: &Pattern) -> Option<Reg> {
        let square = self.expr_as(b, square, Type::Square);
        let mask = self.pattern_mask(b, pattern);
        let (square, mask) = (square?, mask?);
        let dst = b.int();
        b.push(Inst::Test { dst, array: inst::BOARD, index: Some(square), mask });
        Some(dst)
    }

    /// Goes to `yes` if `expr` holds, else to `no`. The current block is ended.
    pub(crate) fn cond(&mut self, b: &mut Builder, expr: &Expr, yes: Block, no: Block) {
        if let Some(Const::Bool(value)) = self.fold(Some(b), expr, None) {
            b.close(ludex_ir::End::Jump(if value { yes } else { no }));
            return;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, x, y) => {
                let mid = b.block();
                self.cond(b, x, mid, no);
                b.at(mid);
                self.cond(b, y, yes, no);
            }
            ExprKind::Binary(BinaryOp::Or, x, y) => {
                let mid = b.block();
                self.cond(b, x, yes, mid);
                b.at(mid);
                self.cond(b, y, yes, no);
            }
            ExprKind::Unary(UnaryOp::Not, x) => self.cond(b, x, no, yes),
            ExprKind::Is { square, pattern, negated } => {
                let reg = self.is(b, square, pattern).unwrap_or(b.me);
                if *negated { b.branch(reg, no, yes) } else { b.branch(reg, yes, no) }
            }
            ExprKind::Binary(BinaryOp::In, x, y) => self.membership(b, x, y, yes, no),
            ExprKind::Binary(BinaryOp::NotIn, x, y) => self.membership(b, x, y, no, yes),
            ExprKind::CouldTake { they, kind } => {
                let Some(number) = self.kind_number(&kind.text) else {
                    self.unknown_kind(&kind.text, kind.span);
                    b.branch(b.me, yes, no);
                    return;
                };
                self.could_take(b, *they, number, yes, no);
            }
            ExprKind::NoReply => {
                let player = self.other_player(b, 1);
                let dst = b.int();
                b.push(Inst::Reply { dst, player });
                b.branch(dst, no, yes);
            }
            _ if self.names_cell(b, expr) => {
                let Some(cell) = self.cell_ref(b, expr) else {
                    b.branch(b.me, yes, no);
                    return;
                };
                if cell.ty != Type::Bool {
                    let val = self.load_cell(b, cell);
                    self.coerce(b, val, Type::Bool, expr.span);
                }
                let dst = b.int();
                let CellRef { array, index, .. } = cell;
                b.push(Inst::TestRange { dst, array, index, lo: 1, hi: 1 });
                b.branch(dst, yes, no);
            }
            _ => {
                let reg = self.expr_as(b, expr, Type::Bool).unwrap_or(b.me);
                b.branch(reg, yes, no);
            }
        }
    }

    fn could_take(&mut self, b: &mut Builder, they: bool, kind: u8, yes: Block, no: Block) {
        let func = self.takes_function(kind);
        let ask = |b: &mut Builder, player: Reg, otherwise: Block| {
            let dst = b.int();
            b.call(func, vec![Var::Int(player)], Some(Var::Int(dst)));
            b.branch(dst, yes, otherwise);
        };
        if !they {
            ask(b, b.me, no);
            return;
        }
        let others = self.players.len().saturating_sub(1);
        if others == 0 {
            b.close(ludex_ir::End::Jump(no));
        }
        for offset in 1..=others {
            let player = self.other_player(b, offset);
            let next = if offset == others { no } else { b.block() };
            ask(b, player, next);
            b.at(next);
        }
    }

    /// The player `offset` places after `me`.
    pub(crate) fn other_player(&mut self, b: &mut Builder, offset: usize) -> Reg {
        let count = self.players.len().max(1);
        let data = (0..count).map(|it| ((it + offset) % count) as i64).collect();
        let table = self.table("player after", 1, data);
        b.seen_by_me(table)
    }

    fn membership(&mut self, b: &mut Builder, x: &Expr, y: &Expr, yes: Block, no: Block) {
        let square = self.expr_as(b, x, Type::Square);
        let plan = self.plan(b, y);
        match (square, plan) {
            (Some(square), Some(plan)) => self.ask(b, &plan, square, yes, no),
            _ => b.branch(b.me, yes, no),
        }
    }

    /// How to ask square by square whether it is in a set.
    pub(crate) fn plan(&mut self, b: &mut Builder, expr: &Expr) -> Option<Plan> {
        let two = |this: &mut Self, b: &mut Builder, x: &Expr, y: &Expr| {
            let (x, y) = (this.plan(b, x), this.plan(b, y));
            Some((Box::new(x?), Box::new(y?)))
        };
        if self.fold_all(Some(b), expr).is_none() {
            match &expr.kind {
                ExprKind::Binary(BinaryOp::Intersection, x, y) => {
                    return two(self, b, x, y).map(|(x, y)| Plan::Both(x, y));
                }
                ExprKind::Binary(BinaryOp::Union, x, y) => {
                    return two(self, b, x, y).map(|(x, y)| Plan::Either(x, y));
                }
                ExprKind::Binary(BinaryOp::Sub, x, y) => {
                    return two(self, b, x, y).map(|(x, y)| Plan::Less(x, y));
                }
                ExprKind::Unary(UnaryOp::Complement, x) => {
                    // All squares of the grid that are not in it: `none` and places are in neither.
                    let all = self.grid_set(|_, _| true);
                    let family = self.family("all", vec![all]);
                    let grid = b.set();
                    b.push(Inst::SetConst { dst: grid, family, index: None });
                    let x = self.plan(b, x)?;
                    return Some(Plan::Less(Box::new(Plan::Whole(grid)), Box::new(x)));
                }
                ExprKind::Pattern(pattern) => return self.pattern_mask(b, pattern).map(Plan::Mask),
                ExprKind::Name(name) if b.local(name).is_none() => {
                    if let Some(mask) = self.word_mask(b, name) {
                        return Some(Plan::Mask(mask));
                    }
                }
                _ => {}
            }
            if self.names_cell(b, expr) {
                let cell = self.cell_ref(b, expr)?;
                return match cell.ty {
                    Type::Set => Some(Plan::Cells(cell)),
                    _ => {
                        let val = self.load_cell(b, cell);
                        self.whole_plan(b, val, expr)
                    }
                };
            }
            let val = self.expr(b, expr);
            return self.whole_plan(b, val, expr);
        }
        if let Some(value) = self.fold(Some(b), expr, None)
            && let Some(mask) = self.const_mask(b, &value)
        {
            return Some(Plan::Mask(mask));
        }
        let val = self.expr(b, expr);
        self.whole_plan(b, val, expr)
    }

    fn whole_plan(&mut self, b: &mut Builder, val: Val, expr: &Expr) -> Option<Plan> {
        if let (Type::Square, Var::Int(square)) = (val.ty, val.var) {
            return Some(Plan::Same(square));
        }
        match self.coerce(b, val, Type::Set, expr.span)?.var {
            Var::Set(set) => Some(Plan::Whole(set)),
            _ => None,
        }
    }

    /// Goes to `yes` if `square` is in the set that `plan` describes.
    pub(crate) fn ask(&mut self, b: &mut Builder, plan: &Plan, square: Reg, yes: Block, no: Block) {
        let dst = b.int();
        match plan {
            Plan::Mask(mask) => {
                let (array, index, mask) = (inst::BOARD, Some(square), *mask);
                b.push(Inst::Test { dst, array, index, mask });
            }
            Plan::Whole(set) => b.push(Inst::Contains { dst, set: *set, square }),
            Plan::Cells(cell) => {
                let index = Some(self.set_element(b, *cell, square));
                b.push(Inst::TestRange { dst, array: cell.array, index, lo: 1, hi: 1 });
            }
            Plan::Same(other) => {
                b.push(Inst::Binary { op: Binary::Eq, dst, a: square, b: *other });
            }
            Plan::Both(x, y) | Plan::Less(x, y) => {
                let mid = b.block();
                self.ask(b, x, square, mid, no);
                b.at(mid);
                let swap = matches!(plan, Plan::Less(..));
                let (yes, no) = if swap { (no, yes) } else { (yes, no) };
                return self.ask(b, y, square, yes, no);
            }
            Plan::Either(x, y) => {
                let mid = b.block();
                self.ask(b, x, square, yes, mid);
                b.at(mid);
                return self.ask(b, y, square, yes, no);
            }
        }
        b.branch(dst, yes, no);
    }

    /// `x op y` as a truth value in a register.
    pub(crate) fn comparison(
        &mut self,
        b: &mut Builder,
        op: BinaryOp,
        x: &Expr,
        y: &Expr,
    ) -> Option<Reg> {
        if self.names_cell(b, x)
            && let Some(value) = self.fold(Some(b), y, None)
            && let Some(reg) = self.cell_comparison(b, op, x, &value)
        {
            return Some(reg);
        }
        if self.compared_with_option(b, x, y) || self.compared_with_option(b, y, x) {
            return None;
        }
        let (left, right) = (self.expr(b, x), self.expr(b, y));
        let want = match (left.ty, right.ty) {
            (Type::Broken, _) | (_, Type::Broken) => return None,
            (Type::Real, _) | (_, Type::Real) => Type::Real,
            (Type::None, other) | (other, _) => other,
        };
        let orders = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        if orders && !matches!(want, Type::Int | Type::Real) {
            let help = match want {
                Type::Set => "compare `count(…)`, the number of squares",
                Type::Square => "compare `a.rank` or `a.file`",
                _ => "compare with `==` or `!=`",
            };
            self.report(
                Diagnostic::error("wrong-type", x.span.to(y.span), "only numbers have an order")
                    .label(format!("compares {want}"))
                    .help(help),
            );
            return None;
        }
        if matches!((left.ty, right.ty), (Type::Square, Type::Set) | (Type::Set, Type::Square)) {
            self.report(
                Diagnostic::error(
                    "wrong-type",
                    x.span.to(y.span),
                    "a square is compared with a set of squares",
                )
                .label("one side is a square, the other a set")
                .help(
                    "ask what stands on it, `a is empty`, or whether it is in the set, `a in camp`",
                ),
            );
            return None;
        }
        if matches!(want, Type::Set | Type::Path(_) | Type::EmptyPath) {
            self.report(
                Diagnostic::error(
                    "wrong-type",
                    x.span.to(y.span),
                    "sets and paths are not compared",
                )
                .label(format!("compares {want}"))
                .help("ask `no (s - t)` to see whether `s` has nothing outside `t`"),
            );
            return None;
        }
        let left = self.coerce(b, left, want, x.span);
        let right = self.coerce(b, right, want, y.span);
        let (Val { var: Var::Int(left), .. }, Val { var: Var::Int(right), .. }) = (left?, right?)
        else {
            return None;
        };
        Some(compare(b, op, want == Type::Real, left, right))
    }

    /// Whether `x` is an option that is a word and `y` is none of its words; then that is reported.
    fn compared_with_option(&mut self, b: &Builder, x: &Expr, y: &Expr) -> bool {
        let ExprKind::Name(option) = &x.kind else { return false };
        let known = self.option_infos.iter().find(|it| it.name == *option);
        let Some(super::OptionKind::Words(words)) = known.map(|it| it.kind.clone()) else {
            return false;
        };
        if b.local(option).is_some() {
            return false;
        }
        let near = match &y.kind {
            ExprKind::Name(word) => super::names::nearest(word, words.iter().map(String::as_str)),
            _ => None,
        };
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its values are {}", words.join(", ")),
        };
        let message = format!("the option `{option}` never has this value");
        self.report(
            Diagnostic::error("unknown-word", y.span, message)
                .label("not one of its words")
                .help(help),
        );
        true
    }

    /// A cell compared with a constant: asked of the cell itself, so that the
    /// reason is the range and not the value.
    fn cell_comparison(
        &mut self,
        b: &mut Builder,
        op: BinaryOp,
        x: &Expr,
        value: &Const,
    ) -> Option<Reg> {
        let number = value.number()?;
        let cell = self.cell_ref(b, x)?;
        let fits = value.ty() == Some(cell.ty) || *value == Const::None && cell.ty.has_none();
        if !fits || cell.ty == Type::Set {
            return None;
        }
        let array = &self.arrays[cell.array.0 as usize];
        let (min, max) = (array.lo, array.hi);
        let (lo, hi) = match op {
            BinaryOp::Eq | BinaryOp::Ne => (number, number),
            BinaryOp::Lt => (min, number.saturating_sub(1)),
            BinaryOp::Le => (min, number),
            BinaryOp::Gt => (number.saturating_add(1), max),
            _ => (number, max),
        };
        let dst = b.int();
        let CellRef { array, index, .. } = cell;
        b.push(Inst::TestRange { dst, array, index, lo, hi });
        if op == BinaryOp::Ne {
            let not = b.int();
            b.push(Inst::Unary { op: Unary::Not, dst: not, src: dst });
            return Some(not);
        }
        Some(dst)
    }
}

fn compare(b: &mut Builder, op: BinaryOp, real: bool, x: Reg, y: Reg) -> Reg {
    let (op, x, y) = match op {
        BinaryOp::Gt => (BinaryOp::Lt, y, x),
        BinaryOp::Ge => (BinaryOp::Le, y, x),
        _ => (op, x, y),
    };
    let code = match (op, real) {
        (BinaryOp::Lt, false) => Binary::Lt,
        (BinaryOp::Le, false) => Binary::Le,
        (BinaryOp::Eq, false) => Binary::Eq,
        (BinaryOp::Lt, true) => Binary::RLt,
        (BinaryOp::Le, true) => Binary::RLe,
        (BinaryOp::Eq | BinaryOp::Ne, true) => Binary::REq,
        _ => Binary::Ne,
    };
    let dst = b.binary(code, x, y);
    if op == BinaryOp::Ne && real {
        let not = b.int();
        b.push(Inst::Unary { op: Unary::Not, dst: not, src: dst });
        return not;
    }
    dst
}
