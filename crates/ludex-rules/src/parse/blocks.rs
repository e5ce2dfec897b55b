//! Lines and blocks: how statements follow each other, and where to go on after an error.
//!
//! A *header* (`if x`, `moves`) is followed by lines that are indented more,
//! or by a colon and statements on the same line. The last header on a line
//! may have its block indented below: `for a in mine: for d in eight`.

use ludex_diagnostics::{Diagnostic, Span};

use super::{MAX_DEPTH, Parsed, Parser, mistakes};
use crate::ast::Expr;
use crate::lex::TokenKind;

/// Something that stands on a line of a block.
pub(super) trait Line: Sized {
    /// Whether such lines have blocks of their own, so that a block under a broken line can be read.
    const NESTS: bool;

    /// Reads one. `first` tells whether it is the first of its line: only then may an `else` follow below.
    fn read(parser: &mut Parser<'_>, out: &mut Vec<Self>, first: bool) -> Parsed<()>;
}

/// A line that may be an `if`.
pub(super) trait Branch: Line {
    /// Makes an `if`.
    fn branch(cond: Expr, then: Vec<Self>, otherwise: Vec<Self>, span: Span) -> Self;
}

impl Parser<'_> {
    /// The block of a header that must have one; `owner` names the header in messages.
    pub(super) fn block<T: Line>(&mut self, owner: &str) -> Vec<T> {
        let mut out = Vec::new();
        match self.kind() {
            TokenKind::Newline if self.nth(1).kind == TokenKind::Indent => {
                self.bump();
                self.indented(&mut out);
            }
            TokenKind::Newline | TokenKind::End => self.missing_block(owner),
            TokenKind::Colon => self.after_colon(owner, &mut out),
            _ if self.missing_colon(owner) => self.inline(&mut out),
            // The rest of the header was skipped.
            _ => return self.block(owner),
        }
        out
    }

    /// The block of a header that need not have one. Without one, the line end is left to the caller.
    pub(super) fn optional_block<T: Line>(&mut self, owner: &str) -> Vec<T> {
        let below = self.at(TokenKind::Newline) && self.nth(1).kind == TokenKind::Indent;
        if below || self.at(TokenKind::Colon) { self.block(owner) } else { Vec::new() }
    }

    fn after_colon<T: Line>(&mut self, owner: &str, out: &mut Vec<T>) {
        let colon = self.bump();
        if !self.at(TokenKind::Newline) {
            self.inline(out);
            return;
        }
        if self.nth(1).kind != TokenKind::Indent {
            self.missing_block(owner);
            return;
        }
        self.report(
            Diagnostic::error(
                "colon-before-block",
                colon.span,
                "no colon stands before a block on its own lines",
            )
            .label("take this away")
            .help("the colon is for statements on the same line: `if a is empty: move a to b`"),
        );
        self.bump();
        self.indented(out);
    }

    /// Statements on the line of their header.
    fn inline<T: Line>(&mut self, out: &mut Vec<T>) {
        self.rest_of_line(out, false);
    }

    /// The lines of a block, from its Indent to its Dedent.
    fn indented<T: Line>(&mut self, out: &mut Vec<T>) {
        if self.depth >= MAX_DEPTH {
            let span = self.nth(1).span;
            self.report(mistakes::too_deep(span));
            self.skip_block();
            return;
        }
        self.depth += 1;
        self.bump();
        // Lines that are indented too far belong to this block; their Dedents are counted.
        let mut extra = 0_usize;
        loop {
            match self.kind() {
                TokenKind::End => break,
                TokenKind::Dedent => {
                    self.bump();
                    if extra == 0 {
                        break;
                    }
                    extra -= 1;
                }
                TokenKind::Indent => {
                    self.unexpected_indent();
                    self.bump();
                    extra += 1;
                }
                _ => self.rest_of_line(out, true),
            }
        }
        self.depth -= 1;
    }

    /// Statements up to the end of the line.
    fn rest_of_line<T: Line>(&mut self, out: &mut Vec<T>, mut first: bool) {
        let start = self.at;
        loop {
            if T::read(self, out, first).is_err() {
                self.recover::<T>(start);
                return;
            }
            if self.line_has_ended(start) {
                return;
            }
            if self.eat(TokenKind::Semicolon) {
                if self.at(TokenKind::Newline) {
                    self.stray_semicolon();
                } else {
                    first = false;
                    continue;
                }
            }
            if self.end_of_line(start).is_err() {
                self.recover::<T>(start);
            }
            return;
        }
    }

    /// Whether what was read since the token `start` took its line end (and perhaps a block) with it.
    fn line_has_ended(&self, start: usize) -> bool {
        let ended = self.at > start
            && matches!(self.tokens[self.at - 1].kind, TokenKind::Newline | TokenKind::Dedent);
        ended || self.at(TokenKind::End)
    }

    /// Nothing more may stand on the line whose first token is `start`.
    pub(super) fn end_of_line(&mut self, start: usize) -> Parsed<()> {
        if self.line_has_ended(start) || self.eat(TokenKind::Newline) {
            return Ok(());
        }
        self.trailing()
    }

    /// After an error on the line whose first token is `start`: to the next line of this block.
    fn recover<T: Line>(&mut self, start: usize) {
        if self.line_has_ended(start) {
            return;
        }
        self.skip_line();
        if !self.at(TokenKind::Indent) {
            return;
        }
        if T::NESTS {
            self.indented::<T>(&mut Vec::new());
        } else {
            self.skip_block();
        }
    }

    /// After an error in the declaration whose first token is `start`: to the next one.
    pub(super) fn skip_item(&mut self, start: usize) {
        if !self.line_has_ended(start) {
            self.skip_line();
        }
        if self.at(TokenKind::Indent) {
            self.skip_block();
        }
    }

    /// To the start of the next line.
    fn skip_line(&mut self) {
        while !matches!(self.kind(), TokenKind::Newline | TokenKind::End) {
            self.bump();
        }
        self.eat(TokenKind::Newline);
    }

    /// Over a block, from its Indent to its Dedent.
    pub(super) fn skip_block(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.bump().kind {
                TokenKind::Indent => open += 1,
                TokenKind::Dedent => open -= 1,
                TokenKind::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    /// After an error in a header: to where its block begins.
    pub(super) fn skip_header(&mut self) {
        while !matches!(self.kind(), TokenKind::Newline | TokenKind::Colon | TokenKind::End) {
            self.bump();
        }
    }

    /// An expression in a header; after an error the block is still read.
    pub(super) fn header_expr(&mut self) -> Expr {
        let start = self.span();
        self.expr().unwrap_or_else(|_| {
            self.skip_header();
            Expr::broken(start)
        })
    }

    /// `if`, its block and what follows it. The word itself has been read; `start` is its place.
    pub(super) fn branch<T: Branch>(&mut self, start: Span, first: bool) -> Parsed<T> {
        let cond = self.condition();
        let span = self.since(start);
        let then = self.block("if");
        let otherwise = if first { self.otherwise()? } else { Vec::new() };
        Ok(T::branch(cond, then, otherwise, span))
    }

    /// The condition of an `if` or a `while`.
    pub(super) fn condition(&mut self) -> Expr {
        let cond = self.header_expr();
        if self.at_word("then") {
            self.foreign_then();
        }
        let blockless = self.at(TokenKind::Newline) && self.nth(1).kind != TokenKind::Indent;
        if blockless {
            self.swallowed_statement(&cond);
        }
        cond
    }

    /// `elif` and `else`, if they follow on the next line.
    fn otherwise<T: Branch>(&mut self) -> Parsed<Vec<T>> {
        let start = self.span();
        let elif = match self.word() {
            Some("elif") => true,
            Some("elseif" | "elsif") => {
                self.foreign(start, "elif");
                true
            }
            Some("else") if self.nth_word(1) == Some("if") => {
                self.foreign(start.to(self.nth(1).span), "elif");
                self.bump();
                true
            }
            Some("else") => false,
            _ => return Ok(Vec::new()),
        };
        self.bump();
        if elif {
            return Ok(vec![self.deeper(|p| p.branch(start, true))?]);
        }
        Ok(self.block("else"))
    }
}
