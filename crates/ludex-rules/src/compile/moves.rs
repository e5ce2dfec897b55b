//! Move statements and the actions they are made of.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::program::MAX_STATEMENTS;
use ludex_ir::{
    Binary, Func, Inst, Operand, OperandKind, PathOf, Reg, Say, Statement, StatementId, Var, inst,
};

use crate::ast::{Action, Expr, ExprKind, Man, Owner, Routine, Stmt, StmtKind};

use super::Compiler;
use super::build::{Builder, Context, Local, Mode};
use super::calls::element_type;
use super::types::{Const, Type};

impl Compiler {
    /// `move ...`.
    pub(crate) fn move_stmt(
        &mut self,
        b: &mut Builder,
        span: Span,
        quiet: bool,
        actions: &[Stmt],
        body: &[Stmt],
        weight: Option<&Expr>,
    ) {
        if b.context != Context::Lists {
            let help =
                "moves are listed in `moves`, `candidates` and procedures; `stuck` may say `pass`";
            self.misplaced(span, "a move", b.context.describe(), help);
            return;
        }
        if let Mode::Takes(kind) = b.mode {
            if !quiet {
                self.taking_move(b, actions, body, kind);
            }
            return;
        }
        if let Some(weight) = weight.filter(|_| !b.heuristic) {
            self.misplaced(
                weight.span,
                "a weight",
                "the moves of the rules have none",
                "weigh moves in `candidates`, or in a procedure that they use",
            );
        }
        let captured = self.captured(b, actions, body);
        let Some(operands) = self.operands(&captured, span) else {
            // There may be more to report inside.
            self.effect(&captured, actions, body, span);
            return;
        };
        let skip = b.block();
        self.void_check(b, actions, skip);
        let effect = self.effect(&captured, actions, body, span);
        let place = self.place(span);
        let twins = operands.iter().any(|it| it.kind.is_path());
        let statement =
            self.add_statement(Statement { operands, effect, quiet, twins, place }, span);
        let weight = weight.and_then(|it| self.expr_as(b, it, Type::Real));
        let args = captured.iter().map(|(_, local)| local.var).collect();
        b.place(place);
        b.push(Inst::Emit { statement, args, weight });
        b.jump_to(skip);
    }

    pub(crate) fn add_statement(&mut self, statement: Statement, span: Span) -> StatementId {
        if self.statements.len() >= MAX_STATEMENTS {
            let message = format!("the file has more than {MAX_STATEMENTS} `move` statements");
            // Once is enough.
            if !self.diagnostics.iter().any(|it| it.code == "too-many-statements") {
                self.report(
                    Diagnostic::error("too-many-statements", span, message)
                        .label("one too many")
                        .help("share them: let a loop or a `procedure` list similar moves"),
                );
            }
            return StatementId(0);
        }
        self.statements.push(statement);
        StatementId(self.statements.len() as u16 - 1)
    }

    /// The variables that a move remembers: those around it that it uses. A
    /// path comes last, as moves pack it.
    pub(crate) fn captured(
        &mut self,
        b: &Builder,
        actions: &[Stmt],
        body: &[Stmt],
    ) -> Vec<(String, Local)> {
        let mut names = Vec::new();
        super::warnings::names_in(actions, &mut names);
        super::warnings::names_in(body, &mut names);
        let mut captured: Vec<(String, Local)> = Vec::new();
        for name in names {
            if let Some(local) = b.local(&name)
                && captured.iter().all(|(it, _)| *it != name)
            {
                captured.push((name, local));
            }
        }
        captured.sort_by_key(|(_, local)| matches!(local.var, Var::Path(_)));
        captured
    }

    fn operands(&mut self, captured: &[(String, Local)], span: Span) -> Option<Vec<Operand>> {
        let mut operands = Vec::new();
        for (name, local) in captured {
            let kind = match local.ty {
                Type::Bool => OperandKind::Bool,
                Type::Square => OperandKind::Square,
                Type::Direction => OperandKind::Direction,
                Type::Directions => OperandKind::Directions,
                Type::Kind => OperandKind::Kind,
                Type::Player => OperandKind::Player,
                Type::Int => OperandKind::Number,
                Type::Path(PathOf::Squares) => OperandKind::PathOfSquares,
                Type::Path(PathOf::Directions) | Type::EmptyPath => OperandKind::PathOfDirections,
                Type::Broken => return None,
                other => {
                    self.report(
                        Diagnostic::error(
                            "cannot-remember",
                            span,
                            format!("a move cannot remember `{name}`"),
                        )
                        .label(format!("`{name}` is {other}"))
                        .help("compute it again inside the move, for instance in an `action`"),
                    );
                    return None;
                }
            };
            operands.push(Operand { name: name.clone(), kind });
        }
        let paths = operands.iter().filter(|it| it.kind.is_path()).count();
        let bits: u32 = operands.iter().map(|it| self.operand_width(it.kind)).sum();
        if paths > 1 || bits > ludex_ir::moves::OPERAND_BITS {
            self.report(
                Diagnostic::error("too-much-to-remember", span, "this move remembers too much")
                    .label(if paths > 1 {
                        format!("uses {paths} paths that were made outside of it; one is the most")
                    } else {
                        format!(
                            "uses {} variables from outside, {bits} bits; {} is the most",
                            operands.len(),
                            ludex_ir::moves::OPERAND_BITS
                        )
                    })
                    .help("compute some of the values inside the move instead"),
            );
            return None;
        }
        Some(operands)
    }

    fn operand_width(&self, kind: OperandKind) -> u32 {
        let values = match kind {
            OperandKind::Bool => 2,
            OperandKind::Square => self.board.squares() + 1,
            OperandKind::Direction | OperandKind::Directions => 512,
            OperandKind::Kind => self.kinds.len() + 1,
            OperandKind::Player => self.players.len() + 1,
            OperandKind::Number => return ludex_ir::moves::NUMBER_BITS,
            // Room for at least two elements.
            OperandKind::PathOfSquares | OperandKind::PathOfDirections => 1 << 24,
        };
        usize::BITS - (values.max(2) - 1).leading_zeros()
    }

    /// A move whose own line acts on `none` is not listed.
    fn void_check(&mut self, b: &mut Builder, actions: &[Stmt], skip: ludex_ir::Block) {
        for action in actions {
            let StmtKind::Act(action) = &action.kind else { continue };
            let squares: Vec<&Expr> = match action {
                Action::Go { from, to } => vec![from, to],
                Action::Take(at) | Action::Put { on: at, .. } | Action::Become { at, .. } => {
                    vec![at]
                }
                _ => continue,
            };
            for square in squares {
                if self.may_be_none(b, square)
                    && let Some(reg) = self.expr_as(b, square, Type::Square)
                {
                    let none = b.literal(-1);
                    let exists = b.binary(Binary::Lt, none, reg);
                    let inside = b.block();
                    b.branch(exists, inside, skip);
                    b.at(inside);
                }
            }
        }
    }

    /// Whether an expression is a square that may be `none`.
    fn may_be_none(&mut self, b: &Builder, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                b.local(name).is_some_and(|it| it.ty == Type::Square && !it.exists)
                    || self.is_square_cell(b, expr)
            }
            ExprKind::Member(base, word) => {
                !super::names::MEMBER_WORDS[..10].contains(&word.text.as_str())
                    && self.geometric(b, base)
            }
            ExprKind::Binary(crate::ast::BinaryOp::Add, x, _) => self.geometric(b, x),
            ExprKind::Call { name, .. } => match self.routines.get(&name.text) {
                Some(Routine { returns: Some(returns), .. }) => {
                    let returns = returns.clone();
                    self.type_of(&returns) == Type::Square
                }
                _ => matches!(name.text.as_str(), "first" | "at"),
            },
            ExprKind::Index(..) => self.is_square_cell(b, expr),
            _ => false,
        }
    }

    fn is_square_cell(&self, b: &Builder, expr: &Expr) -> bool {
        let mut base = expr;
        while let ExprKind::Index(inner, _) = &base.kind {
            base = inner;
        }
        matches!(&base.kind, ExprKind::Name(name) if b.local(name).is_none()
            && self.cells.get(name).is_some_and(|it| it.ty == Type::Square))
    }

    fn geometric(&mut self, b: &Builder, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => b.local(name).is_some_and(|it| it.ty == Type::Square),
            _ => self.may_be_none(b, expr),
        }
    }

    /// The function that carries out a move.
    pub(crate) fn effect(
        &mut self,
        captured: &[(String, Local)],
        actions: &[Stmt],
        body: &[Stmt],
        span: Span,
    ) -> Func {
        let func = self.reserve();
        let mut b =
            Builder::new(&format!("effect{}", self.statements.len()), Mode::Plain, Context::Acts);
        let place = self.place(span);
        b.place(place);
        for (name, local) in captured {
            let ty =
                if local.ty == Type::EmptyPath { Type::Path(PathOf::Directions) } else { local.ty };
            let var = b.var(ty);
            b.params.push(var);
            b.declare(name, Local { ty, var, exists: local.exists });
        }
        let mut seen = Vec::new();
        let written = self.writes(actions, &mut seen) || self.writes(body, &mut seen);
        if !written {
            self.say_usual(&mut b, captured, actions, body, span);
        }
        self.stmts_together(&mut b, actions, body);
        self.finish(b, func);
        func
    }

    /// Actions and block in one scope: the block sees what the actions declare.
    fn stmts_together(&mut self, b: &mut Builder, actions: &[Stmt], body: &[Stmt]) {
        let all: Vec<Stmt> = actions.iter().chain(body).cloned().collect();
        self.stmts(b, &all);
    }

    /// Whether statements say how the move is written, also in actions they call.
    fn writes(&self, stmts: &[Stmt], seen: &mut Vec<String>) -> bool {
        stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Act(Action::Write(_)) => true,
            StmtKind::If { then, otherwise, .. } => {
                self.writes(then, seen) || self.writes(otherwise, seen)
            }
            StmtKind::For { body, .. }
            | StmtKind::ForRange { body, .. }
            | StmtKind::ForRay { body, .. }
            | StmtKind::While { body, .. } => self.writes(body, seen),
            StmtKind::Call(Expr { kind: ExprKind::Call { name, .. }, .. }) => {
                if seen.contains(&name.text) {
                    return false;
                }
                seen.push(name.text.clone());
                self.routines.get(&name.text).is_some_and(|it| self.writes(&it.body, seen))
            }
            _ => false,
        })
    }

    /// How a move is written when the file does not say: by what it does first.
    fn say_usual(
        &mut self,
        b: &mut Builder,
        captured: &[(String, Local)],
        actions: &[Stmt],
        body: &[Stmt],
        span: Span,
    ) {
        let all: Vec<&Action> = actions
            .iter()
            .chain(body)
            .filter_map(|it| match &it.kind {
                StmtKind::Act(action) => Some(action),
                _ => None,
            })
            .collect();
        let mut said = false;
        for action in &all {
            match action {
                Action::Go { from, to } if !said => {
                    self.say_square(b, from);
                    self.say_square(b, to);
                    said = true;
                }
                Action::Put { man, on } if !said => {
                    if self.fold(Some(b), &man.kind, None).is_none()
                        && let Some(kind) = self.kind_expr(b, &man.kind)
                    {
                        b.push(Inst::Say { piece: Say::Drops(kind) });
                    }
                    said = self.say_square(b, on);
                }
                Action::Put { on, .. } => {
                    let chosen =
                        matches!(&on.kind, ExprKind::Name(name) if b.local(name).is_some());
                    if chosen {
                        b.push(Inst::Say { piece: Say::Text("/".to_owned()) });
                        self.say_square(b, on);
                    }
                }
                Action::Become { man, .. } if said => {
                    if self.fold(Some(b), &man.kind, None).is_none()
                        && let Some(kind) = self.kind_expr(b, &man.kind)
                    {
                        b.push(Inst::Say { piece: Say::Becomes(kind) });
                    }
                }
                Action::Pass if !said => {
                    b.push(Inst::Say { piece: Say::Text("pass".to_owned()) });
                    said = true;
                }
                _ => {}
            }
        }
        if !said {
            self.say_choices(b, captured, span);
        }
    }

    fn say_square(&mut self, b: &mut Builder, square: &Expr) -> bool {
        let val = self.expr(b, square);
        match (val.ty, val.var) {
            (Type::Square, Var::Int(reg)) => {
                b.push(Inst::Say { piece: Say::Square(reg) });
                true
            }
            // What is wrong has been reported.
            (Type::Broken, _) => true,
            _ => false,
        }
    }

    /// A move that only calls actions or sets cells is written by its choices.
    fn say_choices(&mut self, b: &mut Builder, captured: &[(String, Local)], span: Span) {
        let mut said = false;
        for (name, local) in captured {
            let Some(here) = b.local(name) else { continue };
            match (local.ty, here.var) {
                (Type::Path(of), Var::Path(path)) => {
                    if of == PathOf::Squares {
                        said = true;
                        self.say_path(b, path, of);
                    }
                }
                (ty, Var::Int(reg)) => {
                    said = true;
                    self.say_value(b, ty, reg);
                }
                _ => {}
            }
        }
        if !said {
            self.report(
                Diagnostic::error(
                    "unnamed-move",
                    span,
                    "this move has no usual way of being written",
                )
                .label("it neither goes, puts nor passes")
                .help("say how: `write \"swap\"`, or `write a, b`"),
            );
        }
    }

    fn say_path(&mut self, b: &mut Builder, path: ludex_ir::PathReg, of: PathOf) {
        let count = b.int();
        b.push(Inst::PathLen { dst: count, path });
        let index = b.constant(0);
        let one = b.literal(1);
        let (head, inside, done) = (b.block(), b.block(), b.block());
        b.jump_to(head);
        let more = b.binary(Binary::Lt, index, count);
        b.branch(more, inside, done);
        b.at(inside);
        let item = b.int();
        b.push(Inst::PathItem { dst: item, path, index, of });
        self.say_value(b, element_type(of), item);
        b.push(Inst::Binary { op: Binary::Add, dst: index, a: index, b: one });
        b.close(ludex_ir::End::Jump(head));
        b.at(done);
    }

    fn say_value(&mut self, b: &mut Builder, ty: Type, reg: Reg) {
        b.push(Inst::Say {
            piece: match ty {
                Type::Square => Say::Square(reg),
                Type::Kind => Say::Kind(reg),
                Type::Direction => Say::Direction(reg),
                Type::Player => Say::Player(reg),
                _ => Say::Number(reg),
            },
        });
    }

    /// A partial move.
    pub(crate) fn act_stmt(&mut self, b: &mut Builder, action: &Action, span: Span) {
        if b.context == Context::Stuck && matches!(action, Action::Pass) {
            let statement = self.pass_statement(span);
            b.push(Inst::Emit { statement, args: Vec::new(), weight: None });
            return;
        }
        if b.context != Context::Acts {
            let help = match b.context {
                Context::Lists => "to list it as a move, write `move` before it",
                Context::Judges if matches!(action, Action::Pass) => {
                    "`pass` is said in `stuck`, or is a move: `move pass`"
                }
                _ => "actions stand in a `move`, a `try` or an `action`",
            };
            self.misplaced(span, "an action", b.context.describe(), help);
            return;
        }
        match action {
            Action::Go { from, to } => self.go(b, from, to),
            Action::Take(what) => {
                let code = b.literal(0);
                self.store_on(b, what, code);
            }
            Action::Put { man, on } => {
                if let Some(code) = self.man_code(b, man) {
                    self.store_on(b, on, code);
                }
            }
            Action::Become { at, man } => self.become_man(b, at, man),
            Action::Set { cell, op, value } => self.set_cell(b, cell, *op, value),
            Action::Reset(name) => {
                if !self.counters.contains(&name.text) {
                    self.report(
                        Diagnostic::error(
                            "not-a-counter",
                            name.span,
                            format!("`{}` is not a counter", name.text),
                        )
                        .label("not declared with `counter`")
                        .help(if self.cells.contains_key(&name.text) {
                            format!("it is a cell: write `set {} = 0`", name.text)
                        } else {
                            format!("declare it: `counter {} to 100`", name.text)
                        }),
                    );
                    return;
                }
                let cell = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
                let zero = Expr { kind: ExprKind::Int(0), span: name.span };
                self.set_cell(b, &cell, crate::ast::AssignOp::Set, &zero);
            }
            Action::Irreversible => b.push(Inst::Irreversible),
            Action::Next(player) => {
                if let Some(player) = self.expr_as(b, player, Type::Player) {
                    b.push(Inst::Next { player });
                }
            }
            Action::Pass => {}
            Action::Write(parts) => self.write(b, parts),
        }
    }

    fn go(&mut self, b: &mut Builder, from: &Expr, to: &Expr) {
        let (from, to) = (self.expr_as(b, from, Type::Square), self.expr_as(b, to, Type::Square));
        let (Some(from), Some(to)) = (from, to) else { return };
        let code = b.int();
        b.push(Inst::Load { dst: code, array: inst::BOARD, index: Some(from) });
        let zero = b.literal(0);
        // Nothing to carry from `none`: -1 would not be a man.
        let code = b.binary(Binary::Max, code, zero);
        b.push(Inst::Store { array: inst::BOARD, index: Some(from), value: zero });
        b.push(Inst::Store { array: inst::BOARD, index: Some(to), value: code });
    }

    /// Stores a code on a square or on every square of a set.
    fn store_on(&mut self, b: &mut Builder, on: &Expr, value: Reg) {
        if let Some(Const::Square(_)) = self.fold(Some(b), on, None) {
            if let Some(square) = self.expr_as(b, on, Type::Square) {
                b.push(Inst::Store { array: inst::BOARD, index: Some(square), value });
            }
            return;
        }
        let is_set_word = matches!(&on.kind, ExprKind::Name(name) if b.local(name).is_none())
            && self.fold_all(Some(b), on).is_none()
            && !self.names_cell(b, on);
        if is_set_word {
            if let Some(set) = self.set_expr(b, on) {
                b.push(Inst::StoreAll { set, value });
            }
            return;
        }
        let val = self.expr(b, on);
        match (val.ty, val.var) {
            (Type::Square | Type::None, Var::Int(square)) => {
                b.push(Inst::Store { array: inst::BOARD, index: Some(square), value });
            }
            _ => {
                if let Some(super::exprs::Val { var: Var::Set(set), .. }) =
                    self.coerce(b, val, Type::Set, on.span)
                {
                    b.push(Inst::StoreAll { set, value });
                }
            }
        }
    }

    /// The code of a man that is put somewhere.
    fn man_code(&mut self, b: &mut Builder, man: &Man) -> Option<Reg> {
        let kind = self.kind_expr(b, &man.kind)?;
        let Some(owner) = &man.owner else {
            return self.neutral_code(b, man, kind);
        };
        if let Some(Const::Kind(kind)) = self.fold(Some(b), &man.kind, None)
            && self.neutral[kind as usize]
        {
            self.report(
                Diagnostic::error(
                    "wrong-owner",
                    man.span,
                    format!("a {} belongs to no player", self.kinds[kind as usize]),
                )
                .label("a `neutral` man with an owner")
                .help(format!("leave the owner away: `{}`", self.kinds[kind as usize])),
            );
            return None;
        }
        let owner = match owner {
            Owner::My => b.me,
            Owner::Their => self.other_player(b, 1),
            Owner::Player(player) => self.expr_as(b, player, Type::Player)?,
        };
        Some(self.owned_code(b, owner, kind))
    }

    fn owned_code(&mut self, b: &mut Builder, owner: Reg, kind: Reg) -> Reg {
        let mut data = Vec::new();
        for player in 0..self.players.len() as u8 {
            for kind in 0..self.kinds.len() as u8 {
                let same = |man: &ludex_ir::Man| man.owner == Some(player) && man.kind == kind;
                let position = self.men.iter().position(same);
                data.push(position.map_or(0, |it| it as i64 + 1));
            }
        }
        let table = self.table("man", self.kinds.len().max(1), data);
        let dst = b.int();
        b.push(Inst::Lookup { dst, table, i: owner, j: Some(kind) });
        let zero = b.literal(0);
        b.binary(Binary::Max, dst, zero)
    }

    fn neutral_code(&mut self, b: &mut Builder, man: &Man, kind: Reg) -> Option<Reg> {
        if let Some(Const::Kind(number)) = self.fold(Some(b), &man.kind, None)
            && !self.neutral[number as usize]
        {
            let name = self.kinds[number as usize].clone();
            self.report(
                Diagnostic::error("missing-owner", man.span, format!("whose {name} is this?"))
                    .label("an owner is missing")
                    .help(format!("write `my {name}`, or declare `men {name} neutral`")),
            );
            return None;
        }
        let data = (0..self.kinds.len() as u8)
            .map(|kind| {
                let same = |man: &ludex_ir::Man| man.owner.is_none() && man.kind == kind;
                self.men.iter().position(same).map_or(0, |it| it as i64 + 1)
            })
            .collect();
        let table = self.table("neutral man", 1, data);
        let dst = b.int();
        b.push(Inst::Lookup { dst, table, i: kind, j: None });
        let zero = b.literal(0);
        Some(b.binary(Binary::Max, dst, zero))
    }

    fn become_man(&mut self, b: &mut Builder, at: &Expr, man: &Man) {
        if man.owner.is_some() {
            if let Some(code) = self.man_code(b, man) {
                self.store_on(b, at, code);
            }
            return;
        }
        let (square, kind) = (self.expr_as(b, at, Type::Square), self.kind_expr(b, &man.kind));
        let (Some(square), Some(kind)) = (square, kind) else { return };
        let old = b.int();
        b.push(Inst::Load { dst: old, array: inst::BOARD, index: Some(square) });
        let kinds = self.kinds.len() as u8;
        let mut data = vec![0; kinds as usize];
        for man in &self.men {
            for kind in 0..kinds {
                let same = |it: &ludex_ir::Man| {
                    it.kind == kind && (it.owner == man.owner || it.owner.is_none())
                };
                data.push(self.men.iter().position(same).map_or(0, |it| it as i64 + 1));
            }
        }
        let table = self.table("becomes", kinds.max(1) as usize, data);
        let dst = b.int();
        b.push(Inst::Lookup { dst, table, i: old, j: Some(kind) });
        let zero = b.literal(0);
        let value = b.binary(Binary::Max, dst, zero);
        b.push(Inst::Store { array: inst::BOARD, index: Some(square), value });
    }

    fn write(&mut self, b: &mut Builder, parts: &[Expr]) {
        for part in parts {
            if let ExprKind::Text(text) = &part.kind {
                if text.chars().any(char::is_whitespace) || text.is_empty() {
                    self.report(
                        Diagnostic::error(
                            "bad-text",
                            part.span,
                            "a move is written without blanks",
                        )
                        .label(if text.is_empty() { "an empty text" } else { "has a blank in it" })
                        .help("write letters and signs, such as `write a, \"-\", b`"),
                    );
                }
                b.push(Inst::Say { piece: Say::Text(text.clone()) });
                continue;
            }
            let val = self.expr(b, part);
            match (val.ty, val.var) {
                (Type::Path(of), Var::Path(path)) => self.say_path(b, path, of),
                (
                    Type::Square
                    | Type::Kind
                    | Type::Direction
                    | Type::Player
                    | Type::Int
                    | Type::Bool,
                    Var::Int(reg),
                ) => self.say_value(b, val.ty, reg),
                (Type::Broken, _) => {}
                _ => self.wrong_type_span(
                    part.span,
                    "something that can be written",
                    "write texts, squares, kinds, players, directions, numbers and paths; no sets",
                ),
            }
        }
    }

    /// The statement behind `pass` in a `stuck` block.
    fn pass_statement(&mut self, span: Span) -> StatementId {
        if let Some(pass) = self.pass {
            return StatementId(pass);
        }
        let pass = Stmt { kind: StmtKind::Act(Action::Pass), span };
        let effect = self.effect(&[], &[pass], &[], span);
        let place = self.place(span);
        let statement =
            Statement { operands: Vec::new(), effect, quiet: true, twins: false, place };
        let id = self.add_statement(statement, span);
        self.pass = Some(id.0);
        id
    }
}
