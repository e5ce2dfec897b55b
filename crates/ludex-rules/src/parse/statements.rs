//! Statements.

use ludex_diagnostics::{Diagnostic, Span};

use super::blocks::{Branch, Line};
use super::words::LINE_FORMS;
use super::{Parsed, Parser, is_reserved};
use crate::ast::{Expr, ExprKind, Name, Outcome, Stmt, StmtKind};
use crate::lex::TokenKind;

impl Line for Stmt {
    const NESTS: bool = true;

    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, first: bool) -> Parsed<()> {
        parser.deeper(|p| {
            let stmt = p.statement(first)?;
            out.push(stmt);
            Ok(())
        })
    }
}

impl Branch for Stmt {
    fn branch(cond: Expr, then: Vec<Self>, otherwise: Vec<Self>, span: Span) -> Self {
        Self { kind: StmtKind::If { cond, then, otherwise }, span }
    }
}

impl Parser<'_> {
    fn statement(&mut self, first: bool) -> Parsed<Stmt> {
        let start = self.span();
        self.remember_form(LINE_FORMS);
        match self.word() {
            Some("if") => {
                self.bump();
                self.branch(start, first)
            }
            Some("for") => Ok(self.for_loop()),
            Some("while") => {
                self.bump();
                let cond = self.condition();
                let span = self.since(start);
                Ok(Stmt { kind: StmtKind::While { cond, body: self.block("while") }, span })
            }
            Some("try") => Ok(self.try_out()),
            Some("move") => {
                self.bump();
                Ok(self.a_move(start, false))
            }
            Some("quiet") if self.nth_word(1) == Some("move") => {
                self.bump();
                self.bump();
                Ok(self.a_move(start, true))
            }
            Some("else" | "elif" | "elseif" | "elsif") => self.else_without_if(),
            _ => {
                let kind = self.simple()?;
                Ok(Stmt { kind, span: self.since(start) })
            }
        }
    }

    /// A statement without a block.
    fn simple(&mut self) -> Parsed<StmtKind> {
        let start = self.token();
        match self.word() {
            Some("let") => {
                self.bump();
                let name = self.name("the name of a new variable")?;
                self.expect(TokenKind::Assign, "and a value after the new variable")?;
                return Ok(StmtKind::Let { name, value: self.expr()? });
            }
            Some("break") => {
                self.bump();
                return Ok(StmtKind::Break);
            }
            Some("continue") => {
                self.bump();
                return Ok(StmtKind::Continue);
            }
            Some("return") => {
                self.bump();
                let bare = matches!(
                    self.kind(),
                    TokenKind::Newline | TokenKind::Semicolon | TokenKind::End
                );
                return Ok(StmtKind::Return(if bare { None } else { Some(self.expr()?) }));
            }
            Some("feature")
                if self.nth(1).kind == TokenKind::Name && self.nth(2).kind == TokenKind::Assign =>
            {
                self.bump();
                let name = self.name("the name of a feature")?;
                self.expect(TokenKind::Assign, "after the name of a feature")?;
                return Ok(StmtKind::Feature { name, value: self.expr()? });
            }
            _ => {}
        }
        if let Some(outcome) = self.outcome()? {
            return Ok(StmtKind::Outcome(outcome));
        }
        if let Some(action) = self.action_word()? {
            return Ok(StmtKind::Act(action));
        }
        let place = self.expr()?;
        let expr = match self.after_place(start, place)? {
            Ok(action) => return Ok(StmtKind::Act(action)),
            Err(expr) => expr,
        };
        match expr.kind {
            ExprKind::Name(text) if self.at_assignment() && !is_reserved(&text) => {
                self.assignment(text, expr.span)
            }
            ExprKind::Call { .. } => Ok(StmtKind::Call(expr)),
            _ => self.no_statement(start, &expr),
        }
    }

    fn at_assignment(&self) -> bool {
        matches!(self.kind(), TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign)
    }

    fn assignment(&mut self, text: String, span: Span) -> Parsed<StmtKind> {
        let Some(op) = self.assign_op() else { return self.unexpected("`=`") };
        Ok(StmtKind::Assign { name: Name { text, span }, op, value: self.expr()? })
    }

    /// `victory`, `loss`, `draw`, `score e`, if one of them stands here.
    fn outcome(&mut self) -> Parsed<Option<Outcome>> {
        let Some(word) = self.word() else { return Ok(None) };
        let called = self.nth(1).kind == TokenKind::LParen;
        if self.used_as_name() || (called && word != "score") {
            return Ok(None);
        }
        Ok(Some(match word {
            "victory" => {
                self.bump();
                Outcome::Victory
            }
            "loss" => {
                self.bump();
                Outcome::Loss
            }
            "draw" => {
                self.bump();
                Outcome::Draw
            }
            "score" => {
                self.bump();
                Outcome::Score(self.expr()?)
            }
            _ => return Ok(None),
        }))
    }

    /// `for x in e`, `for i in lo..hi`, `for b from a along d`.
    ///
    /// If the header cannot be read, the statements below it are kept under a broken condition.
    fn for_loop(&mut self) -> Stmt {
        let start = self.bump().span;
        let Ok(var) = self.name("the name of a variable after `for`") else {
            self.skip_header();
            let span = self.since(start);
            let then = self.block("for");
            return Stmt {
                kind: StmtKind::If { cond: Expr::broken(span), then, otherwise: Vec::new() },
                span,
            };
        };
        let source = self.for_source().unwrap_or_else(|_| {
            let broken = Expr::broken(self.span());
            self.skip_header();
            ForSource::Over(broken)
        });
        let span = self.since(start);
        let body = self.block("for");
        let kind = match source {
            ForSource::Over(over) => StmtKind::For { var, over, body },
            ForSource::Range(lo, hi) => StmtKind::ForRange { var, lo, hi, body },
            ForSource::Ray(from, along) => StmtKind::ForRay { var, from, along, body },
        };
        Stmt { kind, span }
    }

    fn for_source(&mut self) -> Parsed<ForSource> {
        if self.eat_word("from") {
            let from = self.expr()?;
            if !self.eat_word("along") {
                return self.unexpected_with(
                    "`along` and a direction",
                    "write for example `for b from a along north`",
                );
            }
            return Ok(ForSource::Ray(from, self.expr()?));
        }
        if !self.eat_word("in") {
            return self.unexpected_with(
                "`in` or `from` after the variable",
                "write `for a in mine`, `for i in 1..3` or `for b from a along north`",
            );
        }
        let over = self.expr()?;
        if self.eat(TokenKind::DotDot) {
            return Ok(ForSource::Range(over, self.expr()?));
        }
        Ok(ForSource::Over(over))
    }

    fn try_out(&mut self) -> Stmt {
        let start = self.bump().span;
        let actions = self.actions().unwrap_or_else(|_| {
            self.skip_header();
            Vec::new()
        });
        self.missing_comma();
        let span = self.since(start);
        Stmt { kind: StmtKind::Try { actions, body: self.block("try") }, span }
    }

    /// `move`, its actions, its weight and its block; the word itself has been read.
    fn a_move(&mut self, start: Span, quiet: bool) -> Stmt {
        let (actions, weight) = self.move_header().unwrap_or_else(|_| {
            self.skip_header();
            (Vec::new(), None)
        });
        self.missing_comma();
        let span = self.since(start);
        let body = self.optional_block("move");
        Stmt { kind: StmtKind::Move { quiet, actions, body, weight }, span }
    }

    fn move_header(&mut self) -> Parsed<(Vec<Stmt>, Option<Expr>)> {
        use TokenKind::{Colon, End, Newline, Semicolon};
        let weight_first =
            self.at_word("weight") && !self.used_as_name() && self.nth(1).kind != TokenKind::LParen;
        let empty = matches!(self.kind(), Newline | Colon | Semicolon | End);
        let actions = if empty || weight_first { Vec::new() } else { self.actions()? };
        let weight = if self.eat_word("weight") { Some(self.expr()?) } else { None };
        Ok((actions, weight))
    }

    /// Two actions side by side: `move a to b take c`.
    fn missing_comma(&mut self) {
        const ACTIONS: &[&str] = &[
            "becomes",
            "irreversible",
            "next",
            "pass",
            "put",
            "reset",
            "set",
            "take",
            "to",
            "write",
        ];
        let Some(word) = self.word().filter(|word| ACTIONS.contains(word)) else { return };
        let span = self.span();
        let diagnostic = if matches!(word, "to" | "becomes") {
            Diagnostic::error("missing-comma", span, format!("a second `{word}` in one action"))
                .label("expected `,` before the next action")
                .help("each action has its own squares: `a to b, c to d`")
        } else {
            Diagnostic::error("missing-comma", span, format!("a comma is missing before `{word}`"))
                .label("another action starts here")
                .help("put `,` between the actions of a move: `a to b, take c`")
        };
        self.report(diagnostic);
        self.skip_header();
    }

    fn else_without_if<T>(&mut self) -> Parsed<T> {
        let word = self.word().unwrap_or_default();
        let diagnostic = Diagnostic::error("else-without-if", self.span(), format!("this `{word}` belongs to no `if`"))
            .label("no `if` right above")
            .help("it stands on its own line, indented as its `if`, with nothing between but the block of the `if`");
        self.fail(diagnostic)
    }
}

/// What a loop walks over.
enum ForSource {
    Over(Expr),
    Range(Expr, Expr),
    Ray(Expr, Expr),
}
