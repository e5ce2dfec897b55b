//! Loops.

use ludex_ir::{Binary, Block, End, Inst, PathOf, Reg, Var};

use crate::ast::{Expr, ExprKind, Name, Stmt};

use super::Compiler;
use super::build::{Builder, Context, Local, Loop};
use super::calls::element_type;
use super::conds::Plan;
use super::exprs::Val;
use super::fold::Folded;
use super::types::{Const, Type};

impl Compiler {
    /// Lowers the body of a loop.
    pub(crate) fn in_loop(
        &mut self,
        b: &mut Builder,
        on_break: Block,
        on_continue: Block,
        body: &[Stmt],
    ) {
        b.loops.push(Loop { on_break, on_continue, tries: b.tries });
        self.stmts(b, body);
        b.loops.pop();
    }

    fn bind(b: &mut Builder, name: &Name, ty: Type, reg: Reg, exists: bool) {
        b.scopes.push(std::collections::HashMap::new());
        b.declare(&name.text, Local { ty, var: Var::Int(reg), exists });
    }

    /// `for x in e`.
    pub(crate) fn for_stmt(&mut self, b: &mut Builder, var: &Name, over: &Expr, body: &[Stmt]) {
        match self.fold_all(Some(b), over) {
            Some(Folded::Same(Const::List(items))) => {
                return self.for_constants(b, var, vec![items], over, body);
            }
            Some(Folded::Each(lists)) if lists.iter().all(|it| matches!(it, Const::List(_))) => {
                let lists = lists
                    .into_iter()
                    .filter_map(|it| match it {
                        Const::List(items) => Some(items),
                        _ => None,
                    })
                    .collect();
                return self.for_constants(b, var, lists, over, body);
            }
            _ => {}
        }
        if let ExprKind::List(items) = &over.kind {
            return self.for_list(b, var, items, body);
        }
        if let ExprKind::Name(name) = &over.kind
            && let Some(local) = b.local(name)
        {
            match (local.ty, local.var) {
                (Type::Directions, Var::Int(list)) => {
                    return self.for_directions(b, var, list, body);
                }
                (Type::Path(of), Var::Path(path)) => return self.for_path(b, var, path, of, body),
                (Type::EmptyPath, _) => return,
                _ => {}
            }
        }
        self.for_set(b, var, over, body);
    }

    /// A loop over the numbers from 0 to `count - 1`. The body is given the register of the
    /// number, the block to go to for the next one, and the block after the loop.
    pub(crate) fn counted(
        &mut self,
        b: &mut Builder,
        count: Reg,
        body: impl FnOnce(&mut Self, &mut Builder, Reg, Block, Block),
    ) {
        let index = b.constant(0);
        let one = b.literal(1);
        let (inside, next, done) = (b.block(), b.block(), b.block());
        // Asked before the first round and after each: a round is then two blocks, not three.
        let more = b.binary(Binary::Lt, index, count);
        b.branch(more, inside, done);
        b.at(inside);
        body(self, b, index, next, done);
        b.jump_to(next);
        b.push(Inst::Binary { op: Binary::Add, dst: index, a: index, b: one });
        b.push(Inst::Binary { op: Binary::Lt, dst: more, a: index, b: count });
        b.branch(more, inside, done);
        b.at(done);
    }

    /// A constant list, the same for everybody or one for each player.
    fn for_constants(
        &mut self,
        b: &mut Builder,
        var: &Name,
        lists: Vec<Vec<Const>>,
        over: &Expr,
        body: &[Stmt],
    ) {
        let length = lists.iter().map(Vec::len).max().unwrap_or(0);
        let types: Vec<Type> = lists.iter().flatten().filter_map(Const::ty).collect();
        let ty = types.iter().copied().find(|it| *it != Type::None).unwrap_or(Type::Square);
        let mixed = types.iter().any(|it| *it != ty && *it != Type::None);
        let plain = lists.iter().flatten().all(|it| it.number().is_some());
        if mixed || !plain {
            let help =
                "list only squares, only numbers, only kinds, only players or only directions";
            self.wrong_type_span(over.span, "a list of things of one type", help);
            return self.broken_loop(b, var, body);
        }
        let mut data = Vec::new();
        for list in &lists {
            let numbers = list.iter().filter_map(Const::number);
            data.extend(numbers.chain(std::iter::repeat(-1)).take(length));
        }
        let table = self.table("list", length.max(1), data);
        let row = if lists.len() > 1 { b.me } else { b.literal(0) };
        let count = b.literal(length as i64);
        let may_be_none = ty.has_none();
        self.counted(b, count, |this, b, index, next, done| {
            let item = b.int();
            b.push(Inst::Lookup { dst: item, table, i: row, j: Some(index) });
            if may_be_none {
                this.skip_none(b, item, next);
            }
            Self::bind(b, var, ty, item, true);
            this.in_loop(b, done, next, body);
            b.scopes.pop();
        });
    }

    /// Goes to `next` if `item` is none.
    fn skip_none(&mut self, b: &mut Builder, item: Reg, next: Block) {
        let none = b.literal(-1);
        let exists = b.binary(Binary::Lt, none, item);
        let inside = b.block();
        b.branch(exists, inside, next);
        b.at(inside);
    }

    /// A list of squares (or other values) that are known only in play.
    fn for_list(&mut self, b: &mut Builder, var: &Name, items: &[Expr], body: &[Stmt]) {
        let vals: Vec<Val> = items.iter().map(|it| self.expr(b, it)).collect();
        let ty = vals.iter().map(|it| it.ty).find(|it| *it != Type::None).unwrap_or(Type::None);
        if matches!(ty, Type::Set | Type::Path(_) | Type::EmptyPath) {
            let span =
                items.first().map_or(var.span, |first| first.span.to(items[items.len() - 1].span));
            let help =
                "a list has squares, numbers, kinds, players or directions; join sets with `|`";
            self.wrong_type_span(span, "a list of single things", help);
            return self.broken_loop(b, var, body);
        }
        if ty == Type::Broken {
            return self.broken_loop(b, var, body);
        }
        let mut registers = Vec::new();
        for (val, item) in vals.into_iter().zip(items) {
            match self.coerce(b, val, ty, item.span) {
                Some(Val { var: Var::Int(reg), .. }) => registers.push(reg),
                _ => return self.broken_loop(b, var, body),
            }
        }
        let count = b.literal(registers.len() as i64);
        let may_be_none = ty.has_none();
        self.counted(b, count, |this, b, index, next, done| {
            let item = b.int();
            let chosen = b.block();
            for (position, &reg) in registers.iter().enumerate() {
                let here = b.literal(position as i64);
                let same = b.binary(Binary::Eq, index, here);
                let (take, other) = (b.block(), b.block());
                b.branch(same, take, other);
                b.at(take);
                b.push(Inst::Copy { dst: item, src: reg });
                b.close(End::Jump(chosen));
                b.at(other);
            }
            b.push(Inst::Const { dst: item, value: -1 });
            b.jump_to(chosen);
            if may_be_none {
                this.skip_none(b, item, next);
            }
            Self::bind(b, var, ty, item, true);
            this.in_loop(b, done, next, body);
            b.scopes.pop();
        });
    }

    fn for_directions(&mut self, b: &mut Builder, var: &Name, list: Reg, body: &[Stmt]) {
        let count = b.int();
        b.push(Inst::ListLen { dst: count, list });
        self.counted(b, count, |this, b, index, next, done| {
            let item = b.int();
            b.push(Inst::ListItem { dst: item, list, index });
            Self::bind(b, var, Type::Direction, item, true);
            this.in_loop(b, done, next, body);
            b.scopes.pop();
        });
    }

    fn for_path(
        &mut self,
        b: &mut Builder,
        var: &Name,
        path: ludex_ir::PathReg,
        of: PathOf,
        body: &[Stmt],
    ) {
        let count = b.int();
        b.push(Inst::PathLen { dst: count, path });
        self.counted(b, count, |this, b, index, next, done| {
            let item = b.int();
            b.push(Inst::PathItem { dst: item, path, index, of });
            Self::bind(b, var, element_type(of), item, true);
            this.in_loop(b, done, next, body);
            b.scopes.pop();
        });
    }

    /// The squares of a set. While moves are listed nothing changes under the
    /// loop, so each square is asked when its turn comes; an action computes
    /// the set first, since it may change what it is asked about.
    fn for_set(&mut self, b: &mut Builder, var: &Name, over: &Expr, body: &[Stmt]) {
        let plan = if b.context == Context::Acts {
            self.set_expr(b, over).map(|src| {
                // A set in a variable may change in the loop.
                let variable =
                    matches!(&over.kind, ExprKind::Name(name) if b.local(name).is_some());
                let dst = if variable { b.set() } else { src };
                if variable {
                    b.push(Inst::SetCopy { dst, src });
                }
                Plan::Whole(dst)
            })
        } else {
            self.plan(b, over)
        };
        match plan {
            Some(Plan::Whole(set)) => {
                let square = b.constant(-1);
                let (head, inside, done) = (b.block(), b.block(), b.block());
                b.jump_to(head);
                b.push(Inst::NextMember { dst: square, set, after: square });
                let none = b.literal(-1);
                let more = b.binary(Binary::Lt, none, square);
                b.branch(more, inside, done);
                b.at(inside);
                // The body may change its variable, not the loop's.
                let item = b.int();
                b.push(Inst::Copy { dst: item, src: square });
                Self::bind(b, var, Type::Square, item, true);
                self.in_loop(b, done, head, body);
                b.scopes.pop();
                b.close(End::Jump(head));
                b.at(done);
            }
            Some(plan) => {
                let count = b.literal(self.board.squares() as i64);
                self.counted(b, count, |this, b, index, next, done| {
                    let inside = b.block();
                    this.ask(b, &plan, index, inside, next);
                    b.at(inside);
                    let item = b.int();
                    b.push(Inst::Copy { dst: item, src: index });
                    Self::bind(b, var, Type::Square, item, true);
                    this.in_loop(b, done, next, body);
                    b.scopes.pop();
                });
            }
            None => self.broken_loop(b, var, body),
        }
    }

    /// A loop over something that was wrong: what else is wrong in it is reported, too.
    fn broken_loop(&mut self, b: &mut Builder, var: &Name, body: &[Stmt]) {
        let (next, done) = (b.block(), b.block());
        let item = b.literal(-1);
        Self::bind(b, var, Type::Broken, item, false);
        self.in_loop(b, done, next, body);
        b.scopes.pop();
        b.jump_to(next);
        b.jump_to(done);
    }

    /// `for i in lo..hi`.
    pub(crate) fn for_range(
        &mut self,
        b: &mut Builder,
        var: &Name,
        lo: &Expr,
        hi: &Expr,
        body: &[Stmt],
    ) {
        let (lo, hi) = (self.expr_as(b, lo, Type::Int), self.expr_as(b, hi, Type::Int));
        let (Some(lo), Some(hi)) = (lo, hi) else { return self.broken_loop(b, var, body) };
        let one = b.literal(1);
        let length = b.binary(Binary::Sub, hi, lo);
        let count = b.binary(Binary::Add, length, one);
        self.counted(b, count, |this, b, index, next, done| {
            let item = b.binary(Binary::Add, lo, index);
            Self::bind(b, var, Type::Int, item, true);
            this.in_loop(b, done, next, body);
            b.scopes.pop();
        });
    }

    /// `for b from a along d`: to the edge, or back to where it began.
    pub(crate) fn for_ray(
        &mut self,
        b: &mut Builder,
        var: &Name,
        from: &Expr,
        along: &Expr,
        body: &[Stmt],
    ) {
        let from = self.expr_as(b, from, Type::Square);
        let dir = self.expr_as(b, along, Type::Direction);
        let (Some(from), Some(dir)) = (from, dir) else { return self.broken_loop(b, var, body) };
        let at = b.int();
        b.push(Inst::Copy { dst: at, src: from });
        // The starting square must stay what it was even if the body assigns to it.
        let start = b.int();
        b.push(Inst::Copy { dst: start, src: from });
        let (head, middle, inside, done) = (b.block(), b.block(), b.block(), b.block());
        b.jump_to(head);
        b.push(Inst::Step { dst: at, from: at, dir });
        let none = b.literal(-1);
        let exists = b.binary(Binary::Lt, none, at);
        b.branch(exists, middle, done);
        b.at(middle);
        let back = b.binary(Binary::Eq, at, start);
        b.branch(back, done, inside);
        b.at(inside);
        let item = b.int();
        b.push(Inst::Copy { dst: item, src: at });
        Self::bind(b, var, Type::Square, item, true);
        self.in_loop(b, done, head, body);
        b.scopes.pop();
        b.close(End::Jump(head));
        b.at(done);
    }
}
