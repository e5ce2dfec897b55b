//! "They could take a king": the moves algorithm lowered once more, each move
//! statement asking whether it would take such a man.

use ludex_diagnostics::Span;
use ludex_ir::{Binary, End, Func, Inst, Reg, SetBinary, Var, inst};

use crate::ast::{Action, Expr, ExprKind, Routine, Stmt, StmtKind};

use super::Compiler;
use super::build::{Builder, Context, Mode};
use super::types::Type;

impl Compiler {
    /// The function that tells whether its player could take a man of `kind` from another.
    pub(crate) fn takes_function(&mut self, kind: u8) -> Func {
        if let Some(&func) = self.takes.get(&kind) {
            return func;
        }
        let func = self.reserve();
        self.takes.insert(kind, func);
        let name = format!("takes.{}", self.kinds[kind as usize]);
        let mut b = Builder::new(&name, Mode::Takes(kind), Context::Lists);
        self.give_result(&mut b, Type::Bool);
        let body = self.moves_body.clone();
        // What is wrong in `moves` has been reported when it was lowered as written.
        let quiet = std::mem::replace(&mut self.quiet, true);
        self.stmts(&mut b, &body);
        self.quiet = quiet;
        self.finish(b, func);
        func
    }

    /// Leaves with "yes" if `found` is not 0.
    fn leave_if(&mut self, b: &mut Builder, found: Reg) {
        let (yes, no) = (b.block(), b.block());
        b.branch(found, yes, no);
        b.at(yes);
        if let Some((_, Var::Int(dst))) = b.result {
            b.push(Inst::Const { dst, value: 1 });
        }
        for _ in 0..b.tries {
            b.push(Inst::TryEnd);
        }
        b.close(End::Return);
        b.at(no);
    }

    /// A call of a procedure while asking what could be taken.
    pub(crate) fn call_taking(
        &mut self,
        b: &mut Builder,
        routine: &Routine,
        args: &[Expr],
        as_player: Option<&Expr>,
        span: Span,
        kind: u8,
    ) {
        let mut seen = Vec::new();
        if !self.can_take(&routine.body, &mut seen) {
            return;
        }
        let found = self.call_routine(b, routine, args, as_player, span, Mode::Takes(kind));
        if let Ok(Some(val)) = found
            && let Var::Int(reg) = val.var
        {
            self.leave_if(b, reg);
        }
    }

    /// Whether statements list, directly or through procedures, a move that may take.
    fn can_take(&self, stmts: &[Stmt], seen: &mut Vec<String>) -> bool {
        stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Move { quiet, .. } => !quiet,
            StmtKind::If { then, otherwise, .. } => {
                self.can_take(then, seen) || self.can_take(otherwise, seen)
            }
            StmtKind::For { body, .. }
            | StmtKind::ForRange { body, .. }
            | StmtKind::ForRay { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Try { body, .. } => self.can_take(body, seen),
            StmtKind::Call(Expr { kind: ExprKind::Call { name, .. }, .. }) => {
                if seen.contains(&name.text) {
                    return false;
                }
                seen.push(name.text.clone());
                self.routines.get(&name.text).is_some_and(|it| self.can_take(&it.body, seen))
            }
            _ => false,
        })
    }

    /// A move statement while asking what could be taken.
    pub(crate) fn taking_move(
        &mut self,
        b: &mut Builder,
        actions: &[Stmt],
        body: &[Stmt],
        kind: u8,
    ) {
        let mut seen = Vec::new();
        if self.changes_board(body, &mut seen) || self.calls_change_board(actions) {
            return self.taking_by_trial(b, actions, body, kind);
        }
        let mask = self.victims(b, kind);
        for action in actions {
            let StmtKind::Act(action) = &action.kind else { continue };
            let on = match action {
                Action::Go { to, .. } => to,
                Action::Take(on) | Action::Put { on, .. } | Action::Become { at: on, .. } => on,
                _ => continue,
            };
            let val = self.expr(b, on);
            match (val.ty, val.var) {
                (Type::Square, Var::Int(square)) => {
                    let dst = b.int();
                    b.push(Inst::Test { dst, array: inst::BOARD, index: Some(square), mask });
                    self.leave_if(b, dst);
                }
                (Type::Set, Var::Set(set)) => {
                    let men = self.set_where(b, mask);
                    let both = b.set();
                    b.push(Inst::SetBinary {
                        op: SetBinary::Intersection,
                        dst: both,
                        a: set,
                        b: men,
                    });
                    let dst = b.int();
                    b.push(Inst::Any { dst, set: both });
                    self.leave_if(b, dst);
                }
                _ => {}
            }
        }
    }

    fn calls_change_board(&self, actions: &[Stmt]) -> bool {
        let mut seen = Vec::new();
        actions.iter().any(|it| {
            matches!(it.kind, StmtKind::Call(_))
                && self.changes_board(std::slice::from_ref(it), &mut seen)
        })
    }

    /// Whether statements change the contents of squares, also in actions they call.
    fn changes_board(&self, stmts: &[Stmt], seen: &mut Vec<String>) -> bool {
        stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Act(action) => matches!(
                action,
                Action::Go { .. } | Action::Take(_) | Action::Put { .. } | Action::Become { .. }
            ),
            StmtKind::If { then, otherwise, .. } => {
                self.changes_board(then, seen) || self.changes_board(otherwise, seen)
            }
            StmtKind::For { body, .. }
            | StmtKind::ForRange { body, .. }
            | StmtKind::ForRay { body, .. }
            | StmtKind::While { body, .. } => self.changes_board(body, seen),
            StmtKind::Call(Expr { kind: ExprKind::Call { name, .. }, .. }) => {
                if seen.contains(&name.text) {
                    return false;
                }
                seen.push(name.text.clone());
                self.routines.get(&name.text).is_some_and(|it| self.changes_board(&it.body, seen))
            }
            _ => false,
        })
    }

    /// Makes the move hypothetically and looks whether such men have become fewer.
    fn taking_by_trial(&mut self, b: &mut Builder, actions: &[Stmt], body: &[Stmt], kind: u8) {
        let captured = self.captured(b, actions, body);
        let effect = self.effect(&captured, actions, body, Span::default());
        let mask = self.victims(b, kind);
        let count = |this: &mut Self, b: &mut Builder| {
            let set = this.set_where(b, mask);
            let dst = b.int();
            b.push(Inst::Count { dst, set });
            dst
        };
        let before = count(self, b);
        b.push(Inst::TryBegin);
        let mut args = vec![Var::Int(b.me)];
        args.extend(captured.iter().map(|(_, local)| local.var));
        b.call(effect, args, None);
        let after = count(self, b);
        b.push(Inst::TryEnd);
        let fewer = b.binary(Binary::Lt, after, before);
        self.leave_if(b, fewer);
    }
}
