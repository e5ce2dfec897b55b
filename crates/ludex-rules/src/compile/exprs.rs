//! Expressions.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::{Binary, Inst, PathOf, Reg, SetBinary, SetReg, Unary, Var, inst};

use crate::ast::{BinaryOp, Expr, ExprKind, Name, Owner, Pattern, UnaryOp};

use super::Compiler;
use super::build::Builder;
use super::fold::Folded;
use super::names::{MEMBER_WORDS, nearest};
use super::types::{Const, Type};

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Val {
    /// Its type.
    pub(crate) ty: Type,
    /// Where it is.
    pub(crate) var: Var,
}

impl Compiler {
    /// Something harmless after a mistake.
    pub(crate) fn broken(b: &mut Builder) -> Val {
        Val { ty: Type::Broken, var: Var::Int(b.literal(0)) }
    }

    /// The value of an expression in a number register, as type `want`.
    pub(crate) fn expr_as(&mut self, b: &mut Builder, expr: &Expr, want: Type) -> Option<Reg> {
        let val = self.expr_to(b, expr, want)?;
        match val.var {
            Var::Int(reg) => Some(reg),
            _ => None,
        }
    }

    /// The value of an expression, turned into type `want`; `None` if that was wrong.
    pub(crate) fn expr_to(&mut self, b: &mut Builder, expr: &Expr, want: Type) -> Option<Val> {
        if want == Type::Set {
            return Some(Val { ty: Type::Set, var: Var::Set(self.set_expr(b, expr)?) });
        }
        let val = self.expr(b, expr);
        self.coerce(b, val, want, expr.span)
    }

    /// Turns a value into type `want`, or reports that it cannot be.
    pub(crate) fn coerce(
        &mut self,
        b: &mut Builder,
        val: Val,
        want: Type,
        span: Span,
    ) -> Option<Val> {
        let fits = val.ty == want
            || val.ty == Type::None && want.has_none()
            || val.ty == Type::EmptyPath && matches!(want, Type::Path(_));
        match (val.ty, want, val.var) {
            (Type::Broken, _, _) | (_, Type::Broken, _) => None,
            _ if fits => Some(Val { ty: want, var: val.var }),
            (Type::Int, Type::Real, Var::Int(src)) => {
                let dst = b.int();
                b.push(Inst::Unary { op: Unary::Real, dst, src });
                Some(Val { ty: Type::Real, var: Var::Int(dst) })
            }
            (Type::Square, Type::Set, Var::Int(square)) => {
                let set = self.empty_set(b);
                b.push(Inst::SetInsert { set, square });
                Some(Val { ty: Type::Set, var: Var::Set(set) })
            }
            _ => {
                self.wrong_type(val.ty, want, span);
                None
            }
        }
    }

    fn wrong_type(&mut self, found: Type, want: Type, span: Span) {
        let mut diagnostic =
            Diagnostic::error("wrong-type", span, format!("{want} is expected here"))
                .label(format!("this is {found}"));
        diagnostic = match (found, want) {
            (Type::Set, Type::Bool) => {
                diagnostic.help("ask `any …` or `no …` to test whether a set has squares")
            }
            (Type::Set, Type::Int) => diagnostic.help("use `count(…)` for the number of squares"),
            (Type::Set, Type::Square) => {
                diagnostic.help("use `first(…)`, or a loop `for a in …`, to get its squares")
            }
            (Type::Square, Type::Bool) => {
                diagnostic.help("ask something about the square, such as `.empty` or `is mine`")
            }
            (Type::Int, Type::Bool) => diagnostic.help("compare the number, as in `… > 0`"),
            (Type::Kind | Type::Player, Type::Bool) => {
                diagnostic.help("compare it, as in `… == me`, or ask about a square: `a is pawn`")
            }
            (Type::Real, _) => {
                diagnostic.help("real numbers are for evaluations; the rules use whole numbers")
            }
            (Type::Square, Type::Int) => {
                diagnostic.help("`a.rank` and `a.file` are numbers; `a + north` is a step from `a`")
            }
            (Type::Square, Type::Kind) => diagnostic
                .help("squares are compared with `==`; `a.kind` is the kind of the man on `a`"),
            (Type::Square, Type::Player) => {
                diagnostic.help("`a.owner` is the owner of the man on `a`")
            }
            (Type::Path(_) | Type::EmptyPath, Type::Set) => {
                diagnostic.help("keep the path in a variable and walk along it: `for b in way`")
            }
            (Type::Directions, Type::Set) => {
                diagnostic.help("keep the list in a variable, or use `neighbours(s, directions)`")
            }
            (_, Type::Bool) => diagnostic.help("write a test, such as `… == …` or `a is empty`"),
            (_, Type::Player) => diagnostic.help("write `me`, `opponent` or the name of a player"),
            (_, Type::Kind) => diagnostic.help("write the name of one of the `men`"),
            (_, Type::Square) => {
                diagnostic.help("write a square, such as `a1`, `a + north` or a variable")
            }
            (_, Type::Set) => {
                diagnostic.help("write a set, such as `mine`, `rank(2)` or `{a1, b2}`")
            }
            (_, Type::Direction) => {
                diagnostic.help("write a direction, such as `north`, `forward` or `(1,2)`")
            }
            (_, Type::Directions) => {
                diagnostic.help("write a list of directions, such as `eight` or `[north, (1,2)]`")
            }
            (_, Type::Path(_)) => {
                diagnostic.help("begin a path with `[]` and make it longer with `way + b`")
            }
            _ => diagnostic.help("write a number, or something that gives one, such as `count(…)`"),
        };
        self.report(diagnostic);
    }

    /// A new empty set.
    pub(crate) fn empty_set(&mut self, b: &mut Builder) -> SetReg {
        let bits = ludex_ir::Bits::empty(self.board.squares());
        let family = self.family("empty", vec![bits]);
        let dst = b.set();
        b.push(Inst::SetConst { dst, family, index: None });
        dst
    }

    /// The squares, places included, whose contents fit a mask.
    pub(crate) fn set_where(&mut self, b: &mut Builder, mask: Reg) -> SetReg {
        let dst = b.set();
        b.push(Inst::SetWhere { dst, mask });
        dst
    }

    /// A set: patterns, kinds, players and squares stand for sets here.
    pub(crate) fn set_expr(&mut self, b: &mut Builder, expr: &Expr) -> Option<SetReg> {
        if let ExprKind::Name(name) = &expr.kind
            && b.local(name).is_none()
            && let Some(mask) = self.word_mask(b, name)
        {
            return Some(self.set_where(b, mask));
        }
        if let Some(value) = self.fold(Some(b), expr, None)
            && let Some(mask) = self.const_mask(b, &value)
        {
            return Some(self.set_where(b, mask));
        }
        let val = self.expr(b, expr);
        match self.coerce(b, val, Type::Set, expr.span)?.var {
            Var::Set(set) => Some(set),
            _ => None,
        }
    }

    /// Puts a constant into a register.
    fn emit_folded(&mut self, b: &mut Builder, folded: Folded, span: Span) -> Val {
        let values = match folded {
            Folded::Same(value) => vec![value],
            Folded::Each(values) => values,
        };
        if let [Const::List(items)] = &values[..]
            && values[0].ty().is_none()
        {
            let _ = items;
            return self.stray_list(b, span);
        }
        let ty = values.iter().filter_map(Const::ty).find(|it| *it != Type::None);
        let ty = ty.unwrap_or(Type::None);
        let index = (values.len() > 1).then_some(b.me);
        match ty {
            Type::Set => {
                let sets = values.into_iter().filter_map(|it| self.as_bits(it)).collect();
                let family = self.family("region", sets);
                let dst = b.set();
                b.push(Inst::SetConst { dst, family, index });
                Val { ty, var: Var::Set(dst) }
            }
            Type::Directions => {
                let lists = values.into_iter().map(|it| self.list_number(it)).collect();
                self.emit_numbers(b, ty, lists)
            }
            Type::Word | Type::Text => {
                self.report(
                    Diagnostic::error(
                        "stray-word",
                        span,
                        "the word of an option can only be compared",
                    )
                    .label("a word or a text is no value")
                    .help("compare the option with one of its words: `if start == crosscut`"),
                );
                Self::broken(b)
            }
            _ => {
                let numbers = values.iter().filter_map(Const::number).collect();
                self.emit_numbers(b, ty, numbers)
            }
        }
    }

    fn is_kind(&mut self, b: &Builder, expr: &Expr) -> bool {
        matches!(self.fold(Some(b), expr, None), Some(Const::Kind(_)))
    }

    /// The squares that fit a pattern.
    pub(crate) fn pattern_set(&mut self, b: &mut Builder, pattern: &Pattern) -> Val {
        match self.pattern_mask(b, pattern) {
            Some(mask) => Val { ty: Type::Set, var: Var::Set(self.set_where(b, mask)) },
            None => Self::broken(b),
        }
    }

    fn stray_list(&mut self, b: &mut Builder, span: Span) -> Val {
        self.report(
            Diagnostic::error("stray-list", span, "a list can only be walked through")
                .label("a list as a value")
                .help("use it in `for x in […]`; for a set of squares write `{…}`"),
        );
        Self::broken(b)
    }

    /// The number of a constant list of directions.
    pub(crate) fn list_number(&mut self, value: Const) -> i64 {
        let Const::List(items) = value else { return -1 };
        let list = items
            .iter()
            .filter_map(|it| match it {
                Const::Direction(direction) => Some(*direction),
                _ => None,
            })
            .collect();
        self.board.list(list) as i64
    }

    /// A number that may depend on `me`.
    fn emit_numbers(&mut self, b: &mut Builder, ty: Type, numbers: Vec<i64>) -> Val {
        if numbers.windows(2).all(|it| it[0] == it[1]) {
            let reg = b.literal(numbers.first().copied().unwrap_or(0));
            return Val { ty, var: Var::Int(reg) };
        }
        let table = self.table("by player", 1, numbers);
        let reg = b.seen_by_me(table);
        Val { ty, var: Var::Int(reg) }
    }

    /// The value of an expression.
    pub(crate) fn expr(&mut self, b: &mut Builder, expr: &Expr) -> Val {
        if let Some(folded) = self.fold_all(Some(b), expr) {
            return self.emit_folded(b, folded, expr.span);
        }
        match &expr.kind {
            ExprKind::Name(name) => self.name(b, name, expr.span),
            ExprKind::Pattern(pattern) => self.pattern_set(b, pattern),
            ExprKind::Set(items) => self.set_literal(b, items),
            ExprKind::List(items) if items.is_empty() => {
                let dst = b.path();
                b.push(Inst::PathEmpty { dst });
                Val { ty: Type::EmptyPath, var: Var::Path(dst) }
            }
            ExprKind::List(_) => self.stray_list(b, expr.span),
            ExprKind::Unary(op, x) => self.unary(b, *op, x, expr),
            ExprKind::Binary(op, x, y) => self.binary(b, *op, x, y, expr),
            ExprKind::Is { .. } | ExprKind::CouldTake { .. } | ExprKind::NoReply => {
                self.truth(b, expr)
            }
            ExprKind::Member(x, name) => self.member(b, x, name),
            ExprKind::Call { name, args, as_player } => {
                self.call(b, name, args, as_player.as_deref(), expr.span)
            }
            ExprKind::Index(..) => match self.cell_ref(b, expr) {
                Some(cell) => self.load_cell(b, cell),
                None => Self::broken(b),
            },
            // `(rook, queen)` reads like a step until one knows that these are kinds.
            ExprKind::Step(x, y) if self.is_kind(b, x) && self.is_kind(b, y) => {
                let kinds = vec![(**x).clone(), (**y).clone()];
                let pattern = Pattern { owner: None, kinds, span: expr.span };
                self.pattern_set(b, &pattern)
            }
            ExprKind::Step(x, y) => self.step_or_kinds(b, x, y, expr.span),
            ExprKind::Text(_) => {
                self.wrong_type_span(expr.span, "a value", "texts stand in `write` only");
                Self::broken(b)
            }
            ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Broken => Self::broken(b),
        }
    }

    /// `(x, y)` that is no constant step: two kinds of men, `(rook, queen)`, or a mistake.
    fn step_or_kinds(&mut self, b: &mut Builder, x: &Expr, y: &Expr, span: Span) -> Val {
        let kind = |this: &mut Self, it: &Expr| {
            matches!(this.fold(Some(b), it, None), Some(Const::Kind(_)))
        };
        if kind(self, x) || kind(self, y) {
            let pattern = Pattern { owner: None, kinds: vec![x.clone(), y.clone()], span };
            return match self.pattern_mask(b, &pattern) {
                Some(mask) => Val { ty: Type::Set, var: Var::Set(self.set_where(b, mask)) },
                None => Self::broken(b),
            };
        }
        self.report(
            Diagnostic::error("bad-step", span, "this step cannot be used on the board")
                .label("expected two constant numbers, `(columns, rows)`, not beyond the board")
                .help("a step that is known only in play is made of several: `a + n * east + m * north`"),
        );
        Self::broken(b)
    }

    fn name(&mut self, b: &mut Builder, name: &str, span: Span) -> Val {
        if let Some(local) = b.local(name) {
            return Val { ty: local.ty, var: local.var };
        }
        if self.cells.contains_key(name) {
            let expr = Expr { kind: ExprKind::Name(name.to_owned()), span };
            return match self.cell_ref(b, &expr) {
                Some(cell) => self.load_cell(b, cell),
                None => Self::broken(b),
            };
        }
        if let Some(mask) = self.word_mask(b, name) {
            return Val { ty: Type::Set, var: Var::Set(self.set_where(b, mask)) };
        }
        let dst = b.int();
        let ty = match name {
            "me" => {
                b.push(Inst::Copy { dst, src: b.me });
                Type::Player
            }
            "to_move" => {
                b.push(Inst::Load { dst, array: inst::TURN, index: None });
                Type::Player
            }
            "repeats" => {
                if self.history == ludex_ir::History::None {
                    self.report(
                        Diagnostic::error("no-history", span, "the file does not keep a history")
                            .label("asks how often the position was there before")
                            .help("add a line `history position` (or `history board`)"),
                    );
                }
                b.push(Inst::Repeats { dst });
                Type::Int
            }
            "side" | "depth" if b.heuristic => {
                if name == "side" {
                    b.push(Inst::Side { dst });
                    Type::Player
                } else {
                    b.push(Inst::Depth { dst });
                    Type::Int
                }
            }
            "forward" | "back" | "left" | "right" | "forwards" => {
                // Once is enough: all of them are mended by one change.
                if !self.diagnostics.iter().any(|it| it.code == "no-forward") {
                    let players: Vec<String> = self
                        .players
                        .iter()
                        .zip(["north", "south", "east", "west"])
                        .map(|(player, way)| format!("{player} forward {way}"))
                        .collect();
                    self.report(
                        Diagnostic::error(
                            "no-forward",
                            span,
                            format!("`{name}` has no meaning here"),
                        )
                        .label("not all players have a forward direction")
                        .help(format!("say where forward is: `players {}`", players.join(", "))),
                    );
                }
                return Self::broken(b);
            }
            _ => {
                self.unknown_name(Some(b), name, span);
                return Self::broken(b);
            }
        };
        Val { ty, var: Var::Int(dst) }
    }

    fn set_literal(&mut self, b: &mut Builder, items: &[Expr]) -> Val {
        let set = self.empty_set(b);
        for item in items {
            let val = self.expr(b, item);
            match (val.ty, val.var) {
                (Type::Square, Var::Int(square)) => b.push(Inst::SetInsert { set, square }),
                (Type::None | Type::Broken, _) => {}
                _ => {
                    if let Some(Val { var: Var::Set(other), .. }) =
                        self.coerce(b, val, Type::Set, item.span)
                    {
                        b.push(Inst::SetBinary {
                            op: SetBinary::Union,
                            dst: set,
                            a: set,
                            b: other,
                        });
                    }
                }
            }
        }
        Val { ty: Type::Set, var: Var::Set(set) }
    }

    fn unary(&mut self, b: &mut Builder, op: UnaryOp, x: &Expr, whole: &Expr) -> Val {
        match op {
            UnaryOp::Not => self.truth(b, whole),
            UnaryOp::Any | UnaryOp::No => {
                let Some(set) = self.set_expr(b, x) else { return Self::broken(b) };
                let mut dst = b.int();
                b.push(Inst::Any { dst, set });
                if op == UnaryOp::No {
                    let src = dst;
                    dst = b.int();
                    b.push(Inst::Unary { op: Unary::Not, dst, src });
                }
                Val { ty: Type::Bool, var: Var::Int(dst) }
            }
            UnaryOp::Complement => {
                let Some(set) = self.set_expr(b, x) else { return Self::broken(b) };
                let all = self.grid_set(|_, _| true);
                let family = self.family("all", vec![all]);
                let grid = b.set();
                b.push(Inst::SetConst { dst: grid, family, index: None });
                let dst = b.set();
                b.push(Inst::SetBinary { op: SetBinary::Difference, dst, a: grid, b: set });
                Val { ty: Type::Set, var: Var::Set(dst) }
            }
            UnaryOp::Neg => {
                let val = self.expr(b, x);
                let op = match val.ty {
                    Type::Int => Unary::Neg,
                    Type::Real => Unary::RNeg,
                    Type::Direction => Unary::Opposite,
                    Type::Broken => return val,
                    _ => {
                        self.wrong_type(val.ty, Type::Int, x.span);
                        return Self::broken(b);
                    }
                };
                let Var::Int(src) = val.var else { return Self::broken(b) };
                let dst = b.int();
                b.push(Inst::Unary { op, dst, src });
                Val { ty: val.ty, var: Var::Int(dst) }
            }
        }
    }

    fn binary(&mut self, b: &mut Builder, op: BinaryOp, x: &Expr, y: &Expr, whole: &Expr) -> Val {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::In | BinaryOp::NotIn => self.truth(b, whole),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => match self.comparison(b, op, x, y) {
                Some(reg) => Val { ty: Type::Bool, var: Var::Int(reg) },
                None => Self::broken(b),
            },
            BinaryOp::Union => self.sets(b, SetBinary::Union, x, y),
            BinaryOp::Intersection => self.sets(b, SetBinary::Intersection, x, y),
            _ => self.arithmetic(b, op, x, y, whole.span),
        }
    }

    fn sets(&mut self, b: &mut Builder, op: SetBinary, x: &Expr, y: &Expr) -> Val {
        let (x, y) = (self.set_expr(b, x), self.set_expr(b, y));
        let (Some(x), Some(y)) = (x, y) else { return Self::broken(b) };
        let dst = b.set();
        b.push(Inst::SetBinary { op, dst, a: x, b: y });
        Val { ty: Type::Set, var: Var::Set(dst) }
    }

    /// Whether an expression is a set even though its constant value is a kind or player.
    fn is_set_word(&mut self, b: &Builder, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) if b.local(name).is_none() => {
                matches!(name.as_str(), "empty" | "mine" | "theirs" | "occupied" | "neutral")
                    || self.kind_number(name).is_some()
                    || self.player_number(name).is_some()
            }
            ExprKind::Pattern(_) => true,
            _ => false,
        }
    }

    fn arithmetic(&mut self, b: &mut Builder, op: BinaryOp, x: &Expr, y: &Expr, span: Span) -> Val {
        if op == BinaryOp::Sub && self.is_set_word(b, x) {
            return self.sets(b, SetBinary::Difference, x, y);
        }
        let left = self.expr(b, x);
        match (op, left.ty, left.var) {
            (_, Type::Broken, _) => left,
            (BinaryOp::Sub, Type::Set, Var::Set(a)) => {
                let Some(other) = self.set_expr(b, y) else { return Self::broken(b) };
                let dst = b.set();
                b.push(Inst::SetBinary { op: SetBinary::Difference, dst, a, b: other });
                Val { ty: Type::Set, var: Var::Set(dst) }
            }
            (BinaryOp::Add, Type::Square | Type::None, Var::Int(from)) => {
                if let ExprKind::Binary(BinaryOp::Mul, n, d) = &y.kind
                    && self.fold_all(Some(b), y).is_none()
                {
                    return self.several_steps(b, from, n, d);
                }
                let Some(dir) = self.expr_as(b, y, Type::Direction) else { return Self::broken(b) };
                let dst = b.int();
                b.push(Inst::Step { dst, from, dir });
                Val { ty: Type::Square, var: Var::Int(dst) }
            }
            (BinaryOp::Sub, Type::Square, Var::Int(from)) => {
                let Some(dir) = self.expr_as(b, y, Type::Direction) else { return Self::broken(b) };
                let back = b.int();
                b.push(Inst::Unary { op: Unary::Opposite, dst: back, src: dir });
                let dst = b.int();
                b.push(Inst::Step { dst, from, dir: back });
                Val { ty: Type::Square, var: Var::Int(dst) }
            }
            (BinaryOp::Add, Type::Path(_) | Type::EmptyPath, Var::Path(src)) => {
                self.longer_path(b, left.ty, src, y)
            }
            (_, Type::Int | Type::Real, _) => self.numbers(b, op, left, y, span),
            (BinaryOp::Add, Type::Set, _) => {
                self.report(
                    Diagnostic::error("wrong-type", span, "sets are not added")
                        .label("the left side is a set")
                        .help("use `|` for the squares of both"),
                );
                Self::broken(b)
            }
            (BinaryOp::Add, Type::Direction, _) => {
                self.report(
                    Diagnostic::error(
                        "not-constant",
                        span,
                        "only constant directions can be added",
                    )
                    .label("one of them is a variable")
                    .help("step twice: `a + d + e`"),
                );
                Self::broken(b)
            }
            _ => {
                self.wrong_type(left.ty, Type::Int, x.span);
                Self::broken(b)
            }
        }
    }

    /// `a + n * d`: `n` steps, one after the other.
    fn several_steps(&mut self, b: &mut Builder, from: Reg, n: &Expr, d: &Expr) -> Val {
        let count = self.expr_as(b, n, Type::Int);
        let dir = self.expr_as(b, d, Type::Direction);
        let (Some(count), Some(dir)) = (count, dir) else { return Self::broken(b) };
        let at = b.int();
        b.push(Inst::Copy { dst: at, src: from });
        let known = match self.fold(Some(b), n, None) {
            Some(Const::Int(n)) => usize::try_from(n).ok().filter(|it| *it <= 16),
            _ => None,
        };
        if let Some(known) = known {
            for _ in 0..known {
                b.push(Inst::Step { dst: at, from: at, dir });
            }
        } else {
            self.counted(b, count, |_, b, _, _, _| {
                b.push(Inst::Step { dst: at, from: at, dir });
            });
        }
        Val { ty: Type::Square, var: Var::Int(at) }
    }

    fn longer_path(&mut self, b: &mut Builder, ty: Type, src: ludex_ir::PathReg, y: &Expr) -> Val {
        let item = self.expr(b, y);
        let of = match (ty, item.ty) {
            (Type::EmptyPath | Type::Path(PathOf::Squares), Type::Square) => PathOf::Squares,
            (Type::EmptyPath | Type::Path(PathOf::Directions), Type::Direction) => {
                PathOf::Directions
            }
            (_, Type::Broken) => return Self::broken(b),
            (Type::Path(PathOf::Directions), _) => {
                self.wrong_type(item.ty, Type::Direction, y.span);
                return Self::broken(b);
            }
            _ => {
                self.wrong_type(item.ty, Type::Square, y.span);
                return Self::broken(b);
            }
        };
        let Var::Int(item) = item.var else { return Self::broken(b) };
        let dst = b.path();
        b.push(Inst::PathPush { dst, src, item, of });
        Val { ty: Type::Path(of), var: Var::Path(dst) }
    }

    fn numbers(&mut self, b: &mut Builder, op: BinaryOp, left: Val, y: &Expr, span: Span) -> Val {
        let right = self.expr(b, y);
        let want =
            if left.ty == Type::Real || right.ty == Type::Real { Type::Real } else { Type::Int };
        let left = self.coerce(b, left, want, span);
        let right = self.coerce(b, right, want, y.span);
        let (Some(Val { var: Var::Int(x), .. }), Some(Val { var: Var::Int(y), .. })) =
            (left, right)
        else {
            return Self::broken(b);
        };
        let op = match (op, want) {
            (BinaryOp::Add, Type::Int) => Binary::Add,
            (BinaryOp::Sub, Type::Int) => Binary::Sub,
            (BinaryOp::Mul, Type::Int) => Binary::Mul,
            (BinaryOp::Div, Type::Int) => Binary::Div,
            (BinaryOp::Rem, Type::Int) => Binary::Rem,
            (BinaryOp::Add, _) => Binary::RAdd,
            (BinaryOp::Sub, _) => Binary::RSub,
            (BinaryOp::Mul, _) => Binary::RMul,
            (BinaryOp::Div, _) => Binary::RDiv,
            _ => {
                self.report(
                    Diagnostic::error("wrong-type", span, "`%` is for whole numbers")
                        .label("one side is a real number")
                        .help("use whole numbers on both sides"),
                );
                return Self::broken(b);
            }
        };
        Val { ty: want, var: Var::Int(b.binary(op, x, y)) }
    }

    fn member(&mut self, b: &mut Builder, x: &Expr, name: &Name) -> Val {
        let word = name.text.as_str();
        if matches!(word, "empty" | "mine" | "theirs" | "occupied" | "neutral") {
            let pattern = Pattern {
                owner: None::<Owner>,
                kinds: vec![Expr { kind: ExprKind::Name(word.to_owned()), span: name.span }],
                span: name.span,
            };
            let is = ExprKind::Is { square: Box::new(x.clone()), pattern, negated: false };
            return self.truth(b, &Expr { kind: is, span: x.span.to(name.span) });
        }
        let Some(square) = self.expr_as(b, x, Type::Square) else { return Self::broken(b) };
        let dst = b.int();
        let ty = match word {
            "exists" => {
                let none = b.literal(-1);
                b.push(Inst::Binary { op: Binary::Lt, dst, a: none, b: square });
                Type::Bool
            }
            "kind" | "owner" => {
                let code = b.int();
                b.push(Inst::Load { dst: code, array: inst::BOARD, index: Some(square) });
                let of = |man: &ludex_ir::Man| match word {
                    "kind" => i64::from(man.kind),
                    _ => man.owner.map_or(-1, i64::from),
                };
                let data = std::iter::once(-1).chain(self.men.iter().map(of)).collect();
                let table = self.table(word, 1, data);
                b.push(Inst::Lookup { dst, table, i: code, j: None });
                if word == "kind" { Type::Kind } else { Type::Player }
            }
            "file" | "rank" => {
                let of = |at: &Option<(usize, usize)>| {
                    at.map_or(-1, |(column, row)| {
                        (if word == "file" { column } else { row }) as i64 + 1
                    })
                };
                let data = self.board.coordinates.iter().map(of).collect();
                let table = self.table(word, 1, data);
                b.push(Inst::Lookup { dst, table, i: square, j: None });
                Type::Int
            }
            _ => return self.step_member(b, square, name),
        };
        Val { ty, var: Var::Int(dst) }
    }

    /// `a.north`, `a.forward`.
    fn step_member(&mut self, b: &mut Builder, from: Reg, name: &Name) -> Val {
        let word = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
        let known = self.board.list_word(&name.text).is_none()
            && (matches!(name.text.as_str(), "forward" | "back" | "left" | "right")
                || self.board.named_direction(&name.text).is_some());
        if !known {
            let mut words: Vec<&str> = MEMBER_WORDS.to_vec();
            words.extend(super::board::COMPASS.iter().map(|(name, _)| *name));
            let mut diagnostic = Diagnostic::error(
                "unknown-property",
                name.span,
                format!("a square has no `{}`", name.text),
            )
            .label("not a property or a direction of this board");
            let direction = super::board::COMPASS.iter().any(|(it, _)| *it == name.text);
            diagnostic = match nearest(&name.text, words) {
                _ if direction => diagnostic.help(self.directions_help()),
                Some(near) => diagnostic.help(format!("did you mean `.{near}`?")),
                None => diagnostic.help(
                    "a square has `.empty`, `.mine`, `.theirs`, `.occupied`, `.neutral`, `.exists`, `.kind`, `.owner`, `.file`, `.rank` and directions",
                ),
            };
            self.report(diagnostic);
            return Self::broken(b);
        }
        let Some(dir) = self.expr_as(b, &word, Type::Direction) else { return Self::broken(b) };
        let dst = b.int();
        b.push(Inst::Step { dst, from, dir });
        Val { ty: Type::Square, var: Var::Int(dst) }
    }
}
