//! Partial moves: what `move` and `try` do to the position.
//!
//! The words that start an action are names elsewhere: `set = 3` gives the
//! variable `set` a value, `take to b` sends the man on the square `take`
//! away. What follows the word decides.

use super::words::LINE_FORMS;
use super::{Parsed, Parser, is_reserved};
use crate::ast::{Action, AssignOp, Expr, ExprKind, Stmt, StmtKind};
use crate::lex::{Token, TokenKind};

impl Parser<'_> {
    /// Whether the word here is used as a name: it gets a value, moves, changes or is looked into.
    pub(super) fn used_as_name(&self) -> bool {
        use TokenKind::{Assign, Dot, LBracket, MinusAssign, PlusAssign};
        matches!(self.nth(1).kind, Assign | PlusAssign | MinusAssign | Dot | LBracket)
            || matches!(self.nth_word(1), Some("to" | "becomes"))
    }

    /// The actions in the header of `move` or `try`. `write` takes what is left of the list: its own
    /// commas cannot be told from those between actions.
    pub(super) fn actions(&mut self) -> Parsed<Vec<Stmt>> {
        self.list(|p| {
            let start = p.token();
            if p.after_comma() && matches!(p.kind(), TokenKind::Newline | TokenKind::Colon) {
                return p.unexpected_with(
                    "another action after `,`",
                    "take the comma away, or go on: `move a to b, take c`",
                );
            }
            let kind = match p.action_word()? {
                Some(action) => StmtKind::Act(action),
                None => p.action_by_place(start, "move")?,
            };
            Ok(Stmt { kind, span: p.since(start.span) })
        })
    }

    /// An action that starts with a word of its own, if one does.
    pub(super) fn action_word(&mut self) -> Parsed<Option<Action>> {
        let Some(word) = self.word() else { return Ok(None) };
        if self.used_as_name() {
            return Ok(None);
        }
        self.remember_form(LINE_FORMS);
        let called = self.nth(1).kind == TokenKind::LParen;
        Ok(Some(match word {
            "take" => {
                self.bump();
                Action::Take(self.expr()?)
            }
            "put" => {
                self.bump();
                let man = self.man()?;
                self.expect_word("on", "and a square after the man")?;
                Action::Put { man, on: self.expr()? }
            }
            "set" => {
                self.bump();
                let (cell, op, value) = self.setting()?;
                Action::Set { cell, op, value }
            }
            "reset" if !called => {
                self.bump();
                Action::Reset(self.name("the name of a counter")?)
            }
            "next" => {
                self.bump();
                Action::Next(self.expr()?)
            }
            "write" => {
                self.bump();
                Action::Write(self.list(Self::expr)?)
            }
            "irreversible" if !called => {
                self.bump();
                Action::Irreversible
            }
            "pass" if !called => {
                self.bump();
                Action::Pass
            }
            _ => return Ok(None),
        }))
    }

    /// `cell = e`, `cell += e`, `cell -= e`.
    pub(super) fn setting(&mut self) -> Parsed<(Expr, AssignOp, Expr)> {
        if self.word().is_none_or(is_reserved) {
            return self.unexpected("the name of a cell");
        }
        let cell = self.chain()?;
        let Some(op) = self.assign_op() else {
            return self.unexpected_with(
                "`=` after the cell",
                "write `set x = 1`, `set x += 1` or `set x -= 1`",
            );
        };
        Ok((cell, op, self.expr()?))
    }

    pub(super) fn assign_op(&mut self) -> Option<AssignOp> {
        let op = match self.kind() {
            TokenKind::Assign => AssignOp::Set,
            TokenKind::PlusAssign => AssignOp::Add,
            TokenKind::MinusAssign => AssignOp::Sub,
            _ => return None,
        };
        self.bump();
        Some(op)
    }

    /// `a to b`, `s becomes king`, `name(args)`; `owner` is what the action would belong to.
    fn action_by_place(&mut self, start: Token, owner: &str) -> Parsed<StmtKind> {
        let place = self.expr()?;
        let expr = match self.after_place(start, place)? {
            Ok(action) => return Ok(StmtKind::Act(action)),
            Err(expr) => expr,
        };
        if matches!(expr.kind, ExprKind::Call { .. }) {
            return Ok(StmtKind::Call(expr));
        }
        let help = format!(
            "after `{owner}` say what it does: `a to b`, `take c`, `put my stone on a`, `a becomes king`, `set x = 1`"
        );
        self.unexpected_with("`to` or `becomes`", &help)
    }

    /// `to b` or `becomes king`, if one of them follows; otherwise the place is handed back.
    pub(super) fn after_place(
        &mut self,
        start: Token,
        place: Expr,
    ) -> Parsed<Result<Action, Expr>> {
        let goes = self.at_word("to");
        if !goes && !self.at_word("becomes") {
            return Ok(Err(place));
        }
        if Self::is_juxtaposed(&place)
            && let Some(reported) = self.misspelt(start)
        {
            return Err(reported);
        }
        self.bump();
        Ok(Ok(if goes {
            Action::Go { from: place, to: self.expr()? }
        } else {
            Action::Become { at: place, man: self.man()? }
        }))
    }
}
