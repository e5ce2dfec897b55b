//! What is said when something is not as expected.
//!
//! Every message is written for the author of a game: what is wrong in the
//! words of the language, and what to type instead. Habits from other
//! languages (`&&`, `else if`, `True`) are recognised and named.

use ludex_diagnostics::{Diagnostic, Span};

use super::words::{
    DECLARATION_SYNONYMS, DECLARATIONS, STATEMENT_SYNONYMS, STATEMENTS, beside, nearest,
};
use super::{Parsed, Parser, Reported};
use crate::ast::{Expr, ExprKind, Owner, Pattern};
use crate::lex::{Token, TokenKind};

pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("nested-too-deep", span, "brackets and blocks stand in each other too deeply")
        .label("one level too many")
        .help("give the inner part a name with `let`, or move it to a `function`")
}

pub(super) fn too_long(span: Span) -> Diagnostic {
    Diagnostic::error("nested-too-deep", span, "this expression is too long to be read as one")
        .label("too many operators in a row")
        .help("give parts of it names with `let`")
}

pub(super) fn assign_in_condition(span: Span) -> Diagnostic {
    Diagnostic::error("assign-in-condition", span, "`=` gives a value, it does not compare")
        .label("this would change a variable")
        .help("compare with `==`")
}

fn range_here(span: Span) -> Diagnostic {
    Diagnostic::error("unexpected-token", span, "a range cannot stand here")
        .label("a range of numbers")
        .help("ranges stand in `for i in 1..n`, in `option` and in `cell`; otherwise compare twice: `1 <= x and x <= n`")
}

impl Parser<'_> {
    /// The present token, as messages show it.
    fn found(&self) -> String {
        self.shown(self.token())
    }

    fn shown(&self, token: Token) -> String {
        match token.kind {
            TokenKind::Name | TokenKind::Int | TokenKind::Real => {
                format!("`{}`", self.text_of(token.span))
            }
            TokenKind::Text => "a text".to_owned(),
            kind => kind.describe().to_owned(),
        }
    }

    /// Something else was expected here; `expected` goes on "expected ...".
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = self.found();
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error("unexpected-token", self.span(), message);
        let help = self
            .hint()
            .unwrap_or_else(|| "something may be missing before this, or too much".to_owned());
        self.fail(diagnostic.label(format!("expected {expected}")).help(help))
    }

    /// As [`unexpected`](Self::unexpected), with help of its own.
    pub(super) fn unexpected_with<T>(&mut self, expected: &str, help: &str) -> Parsed<T> {
        let found = self.found();
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error("unexpected-token", self.span(), message);
        self.fail(diagnostic.label(format!("expected {expected}")).help(help))
    }

    /// Help that follows from the token that was found, or else from the line it stands on.
    fn hint(&self) -> Option<String> {
        if self.at(TokenKind::Newline) && self.after_comma() {
            return Some("a list stays on one line, unless it is inside brackets".to_owned());
        }
        self.form.map(|form| format!("write it like this: `{form}`"))
    }

    /// Remembers what a line looks like, for messages about it.
    pub(super) fn remember_form(&mut self, table: &[(&str, &'static str)]) {
        self.form = self.word().and_then(|word| beside(table, word));
    }

    pub(super) fn after_comma(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::Comma
    }

    /// An expression was expected here.
    pub(super) fn no_expression<T>(&mut self) -> Parsed<T> {
        let found = self.found();
        let after = if self.at_line_start() {
            String::new()
        } else {
            format!(" after {}", self.shown(self.tokens[self.at - 1]))
        };
        let message = format!("expected an expression{after}, found {found}");
        let help = match self.word() {
            _ if self.kind() == TokenKind::Dot => {
                "a number has a digit before its point: `0.5`".to_owned()
            }
            Some(word) => {
                format!("`{word}` is a word of the language; a name or a value goes here")
            }
            None if self.after_comma() && self.at(TokenKind::Newline) => {
                "a list stays on one line, unless it is inside brackets".to_owned()
            }
            None => "a square, a number, a name or a bracket can stand here".to_owned(),
        };
        let diagnostic = Diagnostic::error("expected-expression", self.span(), message);
        self.fail(diagnostic.label("expected an expression").help(help))
    }

    fn at_line_start(&self) -> bool {
        use TokenKind::{Dedent, Indent, Newline};
        self.at == 0 || matches!(self.tokens[self.at - 1].kind, Newline | Indent | Dedent)
    }

    /// A word of the language where a name was expected.
    pub(super) fn reserved<T>(&mut self, word: &str, what: &str) -> Parsed<T> {
        let diagnostic = Diagnostic::error(
            "reserved-word",
            self.span(),
            format!("`{word}` is a word of the language"),
        )
        .label(format!("expected {what}"))
        .help(format!("choose another name, such as `{word}_`"));
        self.fail(diagnostic)
    }

    /// Something that other languages have, and what it is called here. Reading goes on as if it were that.
    pub(super) fn foreign(&mut self, span: Span, ours: &str) {
        let theirs = self.text_of(span);
        let diagnostic =
            Diagnostic::error("foreign-word", span, format!("`{theirs}` is written `{ours}` here"))
                .label("not of this language")
                .help(format!("write `{ours}`"));
        self.report(diagnostic);
    }

    /// `then` after a condition. It is left there when it stands for a colon; `missing_colon` knows it.
    pub(super) fn foreign_then(&mut self) {
        let span = self.span();
        self.report(
            Diagnostic::error("foreign-word", span, "there is no `then` after a condition")
                .label("not of this language")
                .help("put `:` before a statement on the same line, or the statements on lines of their own, indented"),
        );
        if matches!(self.nth(1).kind, TokenKind::Newline | TokenKind::Colon) {
            self.bump();
        }
    }

    /// A header with nothing below it.
    pub(super) fn missing_block(&mut self, owner: &str) {
        let span = self.span();
        self.report(
            Diagnostic::error("missing-block", span, format!("nothing belongs to this `{owner}`"))
                .label("expected indented lines below, or `:` and a statement")
                .help("indent the lines that belong to it by two more spaces"),
        );
        self.eat(TokenKind::Newline);
    }

    /// A header with something else than a colon after it. Tells whether statements follow; otherwise the
    /// rest of the header has been skipped.
    pub(super) fn missing_colon(&mut self, owner: &str) -> bool {
        if self.eat_word("then") {
            return true;
        }
        let (found, span) = (self.found(), self.span());
        let starts = self.word().is_some_and(|word| STATEMENTS.binary_search(&word).is_ok());
        let diagnostic = if self.at(TokenKind::DotDot) {
            range_here(span)
        } else if starts {
            Diagnostic::error("missing-colon", span, format!("a colon is missing before {found}"))
                .label("expected `:` before this")
                .help("write `:` before a statement on the same line as its header")
        } else if self.at(TokenKind::Assign) && matches!(owner, "if" | "while") {
            assign_in_condition(span)
        } else if self.at(TokenKind::Semicolon) {
            Diagnostic::error(
                "stray-semicolon",
                span,
                format!("no semicolon ends the header of this `{owner}`"),
            )
            .label("take this away")
            .help("put what belongs to it on indented lines below, or after `:` on the same line")
        } else {
            Diagnostic::error(
                "unexpected-token",
                span,
                format!("the header of this `{owner}` cannot go on with {found}"),
            )
            .label("expected `:` or the end of the line")
            .help("an operator may be missing before this, or a bracket")
        };
        let _: Parsed<()> = self.fail(diagnostic);
        if !starts {
            self.skip_header();
        }
        starts
    }

    /// `if won slide(a)`: without the colon, the statement was read as the kind of man in a pattern.
    pub(super) fn swallowed_statement(&mut self, cond: &Expr) {
        let ExprKind::Pattern(Pattern { owner: Some(Owner::Player(_)), kinds, .. }) = &cond.kind
        else {
            return;
        };
        let Some(kind) = kinds.first() else { return };
        let shown = self.text_of(kind.span);
        self.report(
            Diagnostic::error(
                "missing-colon",
                kind.span,
                format!("a colon is missing before `{shown}`"),
            )
            .label("expected `:` before this")
            .help("write `:` before a statement on the same line as its header"),
        );
    }

    /// A line that is indented for no reason.
    pub(super) fn unexpected_indent(&mut self) {
        let span = self.span();
        self.report(
            Diagnostic::error(
                "unexpected-indentation",
                span,
                "this line is indented more than the line above it",
            )
            .label("too many spaces")
            .help(
                "give it as many spaces as the line above; only the block of a header is indented",
            ),
        );
    }

    /// A semicolon with nothing after it.
    pub(super) fn stray_semicolon(&mut self) {
        let end = self.last_end();
        self.report(
            Diagnostic::error(
                "stray-semicolon",
                Span::new(end - 1, end),
                "nothing follows this semicolon",
            )
            .label("take this away")
            .help("a line ends by itself; `;` only stands between statements on one line"),
        );
    }

    /// Something after the end of a statement or a declaration.
    pub(super) fn trailing(&mut self) -> Parsed<()> {
        let (found, span) = (self.found(), self.span());
        let diagnostic = match (self.kind(), self.word()) {
            (TokenKind::Assign, _) => {
                Diagnostic::error("unexpected-token", span, "`=` cannot stand here")
                    .label("the statement was complete before this")
                    .help("compare with `==`; give a new value with `x = ...`, one at a time")
            }
            (TokenKind::DotDot, _) => range_here(span),
            (TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace, _) => {
                Diagnostic::error("unexpected-token", span, format!("this {found} closes nothing"))
                    .label("no bracket is open here")
                    .help("take it away, or open the bracket before it")
            }
            (_, Some("else" | "elif")) => {
                Diagnostic::error("unexpected-token", span, format!("{found} stands on a line of its own"))
                    .label("expected the end of the line")
                    .help(format!("start a new line, indented as its `if`, with {found}"))
            }
            (_, Some(word)) if STATEMENTS.binary_search(&word).is_ok() => {
                Diagnostic::error("unexpected-token", span, format!("{found} starts something new"))
                    .label("expected the end of the line")
                    .help("put `;` between statements on one line, `,` between the actions of a move, `:` after a header")
            }
            _ => {
                let missing = "an operator, a comma or a bracket may be missing before this";
                let help = self.form.map_or(missing.to_owned(), |form| format!("{missing}; write it like this: `{form}`"));
                Diagnostic::error("unexpected-token", span, format!("{found} cannot stand here"))
                    .label("expected the end of the line")
                    .help(help)
            }
        };
        self.fail(diagnostic)
    }

    /// A line at the outermost level that starts with no known word.
    pub(super) fn unknown_declaration<T>(&mut self) -> Parsed<T> {
        let span = self.span();
        let Some(word) = self.word() else {
            return self.unexpected_with(
                "a declaration",
                "a line that is not indented starts with a word such as `men`, `cell` or `moves`",
            );
        };
        let diagnostic =
            Diagnostic::error("unknown-declaration", span, format!("`{word}` declares nothing"));
        let statement = STATEMENTS.binary_search(&word).is_ok();
        let meant = beside(DECLARATION_SYNONYMS, word).or_else(|| nearest(word, DECLARATIONS));
        let diagnostic = match meant {
            _ if statement => diagnostic
                .label("a statement, outside of any block")
                .help("indent it into the block it belongs to, such as `moves` or `result`"),
            Some(meant) => diagnostic.label("not a declaration").help(format!("did you mean `{meant}`?")),
            None => diagnostic
                .label("not a declaration")
                .help("lines that are not indented start with a word such as `board`, `men`, `cell`, `moves` or `result`"),
        };
        self.fail(diagnostic)
    }

    /// A statement that is none; `start` is its first token, `expr` what was read of it.
    pub(super) fn no_statement<T>(&mut self, start: Token, expr: &Expr) -> Parsed<T> {
        if let Some(reported) = self.misspelt(start) {
            return Err(reported);
        }
        let shown = self.text_of(expr.span);
        let span = expr.span;
        let diagnostic = match (&expr.kind, self.kind()) {
            (ExprKind::Member(..), TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign) => {
                Diagnostic::error("not-a-statement", span, format!("`{shown}` cannot be given a value"))
                    .label("a property of a square")
                    .help("in a move, a man changes with `a becomes king` and goes with `a to b`")
            }
            (ExprKind::Index(..), TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign) => {
                Diagnostic::error("not-a-statement", span, format!("`{shown}` is not a variable"))
                    .label("only a variable gets a value this way")
                    .help(format!("a cell is changed by an action of a move: `set {shown} = ...`"))
            }
            (_, TokenKind::Assign | TokenKind::PlusAssign | TokenKind::MinusAssign) => {
                Diagnostic::error("not-a-statement", span, "only a variable can get a value")
                    .label("not the name of a variable")
                    .help("a new variable is made with `let x = ...`")
            }
            (ExprKind::Binary(..) | ExprKind::Is { .. } | ExprKind::Unary(..), _) => {
                Diagnostic::error("not-a-statement", span, "this computes a value and does nothing with it")
                    .label("a value")
                    .help("put `if`, `return` or `let x =` before it")
            }
            _ => Diagnostic::error("not-a-statement", span, "this does nothing")
                .label("a value, not a statement")
                .help("a statement starts with a word such as `let`, `if`, `for` or `move`, or calls something: `name(...)`"),
        };
        self.fail(diagnostic)
    }

    /// If the first word of a statement looks like a mistake for a word of the language, says so.
    pub(super) fn misspelt(&mut self, start: Token) -> Option<Reported> {
        if start.kind != TokenKind::Name {
            return None;
        }
        let word = self.text_of(start.span);
        if STATEMENTS.binary_search(&word).is_ok() {
            return None;
        }
        let meant = beside(STATEMENT_SYNONYMS, word);
        if meant.is_none() && DECLARATIONS.binary_search(&word).is_ok() {
            let diagnostic = Diagnostic::error(
                "unknown-statement",
                start.span,
                format!("`{word}` cannot stand inside a block"),
            )
            .label("a declaration, not a statement")
            .help(format!("let the line with `{word}` begin at the margin, without spaces"));
            self.report(diagnostic);
            return Some(Reported);
        }
        let meant = meant.or_else(|| nearest(word, STATEMENTS))?;
        let diagnostic = Diagnostic::error(
            "unknown-statement",
            start.span,
            format!("`{word}` is not a statement"),
        )
        .label("no statement starts with this")
        .help(format!("did you mean `{meant}`?"));
        self.report(diagnostic);
        Some(Reported)
    }
}
