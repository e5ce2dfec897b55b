//! Statements and whole algorithms.

use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::{End, Func, Inst, OutcomeKind, Var};

use crate::ast::{Algorithm, AssignOp, BinaryOp, Expr, ExprKind, Outcome, Stmt, StmtKind};

use super::Compiler;
use super::build::{Builder, Context, Local, Mode};
use super::types::Type;

impl Compiler {
    /// Lowers one of the algorithms.
    pub(crate) fn algorithm(&mut self, which: Algorithm, body: &[Stmt], span: Span) -> Func {
        let (name, context) = match which {
            Algorithm::Moves => ("moves", Context::Lists),
            Algorithm::Result => ("result", Context::Judges),
            Algorithm::Stuck => ("stuck", Context::Stuck),
            Algorithm::Adjudicate => ("adjudicate", Context::Judges),
            Algorithm::Evaluate | Algorithm::EvaluateForSide => ("evaluate", Context::Function),
            Algorithm::Features => ("features", Context::Features),
            Algorithm::Candidates | Algorithm::CandidatesOnly => ("candidates", Context::Lists),
        };
        let func = self.reserve();
        let mut b = Builder::new(name, Mode::Plain, context);
        let place = self.place(span);
        b.place(place);
        b.heuristic = which.is_heuristic();
        if name == "evaluate" {
            self.give_result(&mut b, Type::Real);
        }
        self.stmts(&mut b, body);
        self.finish(b, func);
        func
    }

    /// The function that tells whether a move just made was illegal.
    pub(crate) fn illegal(&mut self, conds: &[&Expr]) -> Func {
        let func = self.reserve();
        let mut b = Builder::new("illegal", Mode::Plain, Context::Function);
        self.give_result(&mut b, Type::Bool);
        let (yes, done) = (b.block(), b.block());
        for cond in conds {
            let place = self.place(cond.span);
            b.place(place);
            let next = b.block();
            self.cond(&mut b, cond, yes, next);
            b.at(next);
        }
        b.close(End::Jump(done));
        b.at(yes);
        if let Some((_, Var::Int(dst))) = b.result {
            b.push(Inst::Const { dst, value: 1 });
        }
        b.jump_to(done);
        self.finish(b, func);
        func
    }

    /// Lowers statements in a scope of their own.
    pub(crate) fn stmts(&mut self, b: &mut Builder, stmts: &[Stmt]) {
        b.scopes.push(std::collections::HashMap::new());
        for stmt in stmts {
            self.stmt(b, stmt);
        }
        b.scopes.pop();
    }

    fn stmt(&mut self, b: &mut Builder, stmt: &Stmt) {
        let place = self.place(stmt.span);
        b.place(place);
        match &stmt.kind {
            StmtKind::Let { name, value } => {
                let val = match self.fold(Some(b), value, None) {
                    _ if self.is_set_name(b, value) => self.expr_to(b, value, Type::Set),
                    _ => Some(self.expr(b, value)),
                };
                let val = val.unwrap_or_else(|| Self::broken(b));
                let ty = if val.ty == Type::None { Type::Square } else { val.ty };
                // A copy: the value may be in another variable's register.
                let var = b.var(ty);
                b.copy(var, val.var);
                b.declare(&name.text, Local { ty, var, exists: false });
            }
            StmtKind::Assign { name, op, value } => self.assign(b, name, *op, value),
            StmtKind::If { cond, then, otherwise } => self.if_stmt(b, cond, then, otherwise),
            StmtKind::For { var, over, body } => self.for_stmt(b, var, over, body),
            StmtKind::ForRange { var, lo, hi, body } => self.for_range(b, var, lo, hi, body),
            StmtKind::ForRay { var, from, along, body } => self.for_ray(b, var, from, along, body),
            StmtKind::While { cond, body } => self.while_stmt(b, cond, body),
            StmtKind::Break | StmtKind::Continue => self.jump_stmt(b, stmt),
            StmtKind::Return(value) => self.return_stmt(b, value.as_ref(), stmt.span),
            StmtKind::Try { actions, body } => self.try_stmt(b, actions, body, stmt.span),
            StmtKind::Move { quiet, actions, body, weight } => {
                self.move_stmt(b, stmt.span, *quiet, actions, body, weight.as_ref());
            }
            StmtKind::Act(action) => self.act_stmt(b, action, stmt.span),
            StmtKind::Outcome(outcome) => self.outcome(b, outcome, stmt.span),
            StmtKind::Feature { name, value } => {
                if b.context != Context::Features {
                    let help = "it belongs in the `features` block";
                    self.misplaced(stmt.span, "a feature", b.context.describe(), help);
                    return;
                }
                let Some(value) = self.expr_as(b, value, Type::Real) else { return };
                let index = self.features.iter().position(|it| *it == name.text);
                let index = index.unwrap_or_else(|| {
                    self.features.push(name.text.clone());
                    self.features.len() - 1
                });
                b.push(Inst::Feature { index: index as u16, value });
            }
            StmtKind::Call(call) => self.call_stmt(b, call),
        }
    }

    fn is_set_name(&self, b: &Builder, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if b.local(name).is_none()
            && matches!(name.as_str(), "mine" | "theirs" | "empty" | "occupied" | "neutral"))
    }

    /// Reports a statement where it cannot stand.
    pub(crate) fn misplaced(&mut self, span: Span, what: &str, label: &str, help: &str) {
        self.report(
            Diagnostic::error("misplaced", span, format!("{what} cannot stand here"))
                .label(label)
                .help(help),
        );
    }

    fn assign(&mut self, b: &mut Builder, name: &crate::ast::Name, op: AssignOp, value: &Expr) {
        let Some(local) = b.local(&name.text) else {
            if self.cells.contains_key(&name.text) {
                self.report(
                    Diagnostic::error(
                        "assign-to-cell",
                        name.span,
                        format!("`{}` is a cell of the position", name.text),
                    )
                    .label("not a variable")
                    .help(format!("change it inside a move: `set {} = …`", name.text)),
                );
            } else {
                self.unknown_name(Some(b), &name.text, name.span);
            }
            return;
        };
        let target = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
        let combined;
        let value = match op {
            AssignOp::Set => value,
            _ => {
                let op = match (op, local.ty) {
                    (AssignOp::Add, Type::Set) => BinaryOp::Union,
                    (AssignOp::Add, _) => BinaryOp::Add,
                    _ => BinaryOp::Sub,
                };
                let kind = ExprKind::Binary(op, Box::new(target), Box::new(value.clone()));
                combined = Expr { kind, span: value.span };
                &combined
            }
        };
        let ty = local.ty;
        let val = if ty == Type::EmptyPath {
            let val = self.expr(b, value);
            if matches!(val.ty, Type::Path(_)) {
                // Now it is known what the path is made of.
                for scope in b.scopes.iter_mut().rev() {
                    if let Some(it) = scope.get_mut(&name.text) {
                        it.ty = val.ty;
                        break;
                    }
                }
            }
            Some(val)
        } else {
            self.expr_to(b, value, ty)
        };
        let Some(val) = val else { return };
        b.copy(local.var, val.var);
        for scope in b.scopes.iter_mut().rev() {
            if let Some(it) = scope.get_mut(&name.text) {
                it.exists = false;
                break;
            }
        }
    }

    fn if_stmt(&mut self, b: &mut Builder, cond: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let (yes, no, done) = (b.block(), b.block(), b.block());
        self.cond(b, cond, yes, no);
        b.at(yes);
        self.stmts(b, then);
        b.close(End::Jump(done));
        b.at(no);
        self.stmts(b, otherwise);
        b.jump_to(done);
    }

    fn while_stmt(&mut self, b: &mut Builder, cond: &Expr, body: &[Stmt]) {
        let (head, inside, done) = (b.block(), b.block(), b.block());
        b.jump_to(head);
        self.cond(b, cond, inside, done);
        b.at(inside);
        self.in_loop(b, done, head, body);
        b.close(End::Jump(head));
        b.at(done);
    }

    fn jump_stmt(&mut self, b: &mut Builder, stmt: &Stmt) {
        let Some(around) = b.loops.last().copied() else {
            let word = if matches!(stmt.kind, StmtKind::Break) { "`break`" } else { "`continue`" };
            let help = "it belongs in a `for` or a `while`; `return` leaves the whole block";
            self.misplaced(stmt.span, word, "no loop around it", help);
            return;
        };
        for _ in around.tries..b.tries {
            b.push(Inst::TryEnd);
        }
        let target = match stmt.kind {
            StmtKind::Break => around.on_break,
            _ => around.on_continue,
        };
        b.end(End::Jump(target));
    }

    fn return_stmt(&mut self, b: &mut Builder, value: Option<&Expr>, span: Span) {
        match (b.result, value) {
            (Some((ty, var)), Some(value)) if b.mode == Mode::Plain => {
                if let Some(val) = self.expr_to(b, value, ty) {
                    b.copy(var, val.var);
                }
            }
            (Some((ty, _)), None) if b.mode == Mode::Plain => self.report(
                Diagnostic::error("missing-value", span, "this function must return a value")
                    .label("nothing is returned")
                    .help(format!("write `return` and {ty}")),
            ),
            (None, Some(value)) => self.report(
                Diagnostic::error(
                    "unexpected-value",
                    value.span,
                    "only a function returns a value",
                )
                .label("this value would be lost")
                .help("write `return` alone to leave this block"),
            ),
            _ => {}
        }
        for _ in 0..b.tries {
            b.push(Inst::TryEnd);
        }
        b.end(End::Return);
    }

    fn try_stmt(&mut self, b: &mut Builder, actions: &[Stmt], body: &[Stmt], span: Span) {
        if b.context == Context::Acts {
            let help = "try things out before the move is listed, in `moves` or in a `function`";
            self.misplaced(span, "`try`", b.context.describe(), help);
            return;
        }
        b.push(Inst::TryBegin);
        b.tries += 1;
        let context = std::mem::replace(&mut b.context, Context::Acts);
        b.scopes.push(std::collections::HashMap::new());
        for action in actions {
            self.stmt(b, action);
        }
        b.context = context;
        self.stmts(b, body);
        b.scopes.pop();
        b.tries -= 1;
        b.push(Inst::TryEnd);
    }

    fn outcome(&mut self, b: &mut Builder, outcome: &Outcome, span: Span) {
        if !matches!(b.context, Context::Judges | Context::Stuck) {
            let help = "results are said in `result`, `stuck` or `adjudicate`";
            self.misplaced(span, "a result", b.context.describe(), help);
            return;
        }
        let (kind, score) = match outcome {
            Outcome::Victory => (OutcomeKind::Victory, None),
            Outcome::Loss => (OutcomeKind::Loss, None),
            Outcome::Draw => (OutcomeKind::Draw, None),
            Outcome::Score(value) => match self.expr_as(b, value, Type::Int) {
                Some(score) => (OutcomeKind::Score, Some(score)),
                None => return,
            },
        };
        b.push(Inst::Outcome { kind, score });
    }

    fn call_stmt(&mut self, b: &mut Builder, call: &Expr) {
        let ExprKind::Call { name, args, as_player } = &call.kind else {
            self.report(
                Diagnostic::error("no-effect", call.span, "this line does nothing")
                    .label("a value that is not used")
                    .help("keep it: `let x = …`"),
            );
            return;
        };
        let Some(routine) = self.routines.get(&name.text).cloned() else {
            self.unknown_routine(name, b.context);
            return;
        };
        use crate::ast::RoutineKind;
        match (routine.kind, b.context) {
            (RoutineKind::Procedure, Context::Lists) => {
                // Its moves would be played by the player to move all the same.
                self.refuse_as(name, as_player.as_deref());
            }
            (RoutineKind::Action, Context::Acts) => {}
            (RoutineKind::Function, _) => {
                self.report(
                    Diagnostic::error("no-effect", call.span, "the value of this function is lost")
                        .label("a value that is not used")
                        .help("use it in a condition, or keep it: `let x = …`"),
                );
                return;
            }
            (RoutineKind::Procedure, _) => {
                let help = "procedures are called in `moves`, `candidates` and other procedures";
                return self.misplaced(call.span, "a procedure", b.context.describe(), help);
            }
            (RoutineKind::Action, Context::Lists) => {
                let help = format!("to list it as a move, write `move {}(…)`", name.text);
                return self.misplaced(call.span, "an action", b.context.describe(), &help);
            }
            (RoutineKind::Action, _) => {
                let help = "actions are called in a `move`, a `try` or another action";
                return self.misplaced(call.span, "an action", b.context.describe(), help);
            }
        }
        let mode = b.mode;
        if let Mode::Takes(kind) = mode
            && routine.kind == RoutineKind::Procedure
        {
            return self.call_taking(b, &routine, args, as_player.as_deref(), call.span, kind);
        }
        // Actions and procedures give no value, and what was wrong has been reported.
        let _ = self.call_routine(b, &routine, args, as_player.as_deref(), call.span, Mode::Plain);
    }
}
