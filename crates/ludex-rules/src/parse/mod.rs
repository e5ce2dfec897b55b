//! Tokens to tree: recursive descent, one file for each idea.
//!
//! ```text
//! items ──> statements ──> actions ──> patterns
//!   └─> board, facts           └─> expressions <┘
//! ```
//!
//! Reading never fails: what could not be read is left out (or is
//! [`Broken`](ExprKind::Broken)), an error says so, and reading goes on at the
//! next line. A function that gives `Reported` has told the author already;
//! its caller only has to find a place to go on.
//!
//! Errors do not cascade: there is at most one for each line.
//!
//! Start reading at [`parse`]; the block structure is in `blocks.rs`.
//!
//! **Invariant:** trees are shallow. Brackets, blocks and chains of operators
//! are limited ([`MAX_DEPTH`], [`MAX_HEIGHT`]), so that neither this nor any
//! later walk over a tree can run out of stack.

mod actions;
mod blocks;
mod board;
mod expressions;
mod facts;
mod items;
mod mistakes;
mod patterns;
mod statements;
mod words;

use std::collections::BTreeSet;

use ludex_diagnostics::{Diagnostic, Lines, Span};

use crate::ast::{File, Name};
use crate::lex::{Token, TokenKind, lex};

pub use words::{RESERVED, is_reserved};

#[cfg(doc)]
use crate::ast::ExprKind;

/// How deeply brackets and blocks may stand in each other.
pub const MAX_DEPTH: usize = 100;

/// How high the tree of an expression may be: a sum of more terms than this is refused.
pub const MAX_HEIGHT: usize = 250;

/// How many errors are shown.
pub const MAX_ERRORS: usize = 20;

/// Reads a rules file or a player file: the tree of what could be read, and everything wrong with it.
///
/// ```
/// let (file, diagnostics) = ludex_rules::parse::parse("game \"Nim\"\nplaces heap\n");
/// assert!(diagnostics.is_empty());
/// assert_eq!(file.header.expect("there is one").title, "Nim");
/// assert_eq!(file.items.len(), 1);
/// ```
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    let lexed = lex(source);
    let mut parser = Parser::new(source, &lexed.tokens);
    for diagnostic in lexed.diagnostics {
        parser.report(diagnostic);
    }
    let file = parser.file();
    (file, parser.finish())
}

/// An error has been reported; the caller finds a place to go on.
#[derive(Clone, Copy, Debug)]
struct Reported;

/// What was read, unless an error was reported.
type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    source: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// How many brackets and blocks are open.
    depth: usize,
    /// The height of the expression that was read last.
    height: usize,
    /// What the line that is being read looks like when it is right, if that is known.
    form: Option<&'static str>,
    lines: Lines,
    /// Lines that have an error already.
    reported: BTreeSet<usize>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        Self {
            source,
            tokens,
            at: 0,
            depth: 0,
            height: 0,
            form: None,
            lines: Lines::of(source),
            reported: BTreeSet::new(),
            diagnostics: Vec::new(),
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|it| it.span.start);
        // What is too deep is so on many lines; the first of them is enough.
        let mut deep = false;
        self.diagnostics
            .retain(|it| it.code != "nested-too-deep" || !std::mem::replace(&mut deep, true));
        self.diagnostics.truncate(MAX_ERRORS);
        self.diagnostics
    }

    /// Reports an error, unless its line has one.
    fn report(&mut self, diagnostic: Diagnostic) {
        // Errors are found nearly in order: those after many others are never among the first.
        if self.diagnostics.len() >= 50 * MAX_ERRORS {
            return;
        }
        let line = self.lines.line(diagnostic.span.start);
        if self.reported.insert(line) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error about what cannot be read on from here. The lexer has already said what is wrong
    /// with a token it does not know.
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        if !self.at(TokenKind::Unknown) {
            self.report(diagnostic);
        }
        Err(Reported)
    }

    fn token(&self) -> Token {
        self.nth(0)
    }

    /// The token `n` places ahead; past the end it is the End token.
    fn nth(&self, n: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + n).min(last)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// Where the last token ended.
    fn last_end(&self) -> usize {
        match self.at.checked_sub(1) {
            Some(before) => self.tokens[before].span.end as usize,
            None => 0,
        }
    }

    /// From `start` to the end of the last token.
    fn since(&self, start: Span) -> Span {
        Span::new(start.start as usize, self.last_end().max(start.end as usize))
    }

    fn text_of(&self, span: Span) -> &'a str {
        &self.source[span.start as usize..span.end as usize]
    }

    /// The present token, if it is a name.
    fn word(&self) -> Option<&'a str> {
        self.nth_word(0)
    }

    fn nth_word(&self, n: usize) -> Option<&'a str> {
        let token = self.nth(n);
        (token.kind == TokenKind::Name).then(|| self.text_of(token.span))
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// The next token must be this one; `place` goes on "expected `)`".
    fn expect(&mut self, kind: TokenKind, place: &str) -> Parsed<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        self.unexpected(&format!("{} {place}", kind.describe()))
    }

    fn expect_word(&mut self, word: &str, place: &str) -> Parsed<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        self.unexpected(&format!("`{word}` {place}"))
    }

    /// A name that is used or declared; `what` says whose: "the name of an option".
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Some(word) = self.word() else { return self.unexpected(what) };
        let span = self.span();
        if is_reserved(word) {
            return self.reserved(word, what);
        }
        self.bump();
        Ok(Name { text: word.to_owned(), span })
    }

    /// A name from outside the language, which may have hyphens: `nim-matches`.
    fn hyphenated(&mut self, what: &str) -> Parsed<Name> {
        let mut name = self.name(what)?;
        while self.at(TokenKind::Minus)
            && self.span().start == name.span.end
            && matches!(self.nth(1).kind, TokenKind::Name | TokenKind::Int)
            && self.nth(1).span.start == self.span().end
        {
            self.bump();
            name.span.end = self.bump().span.end;
        }
        self.text_of(name.span).clone_into(&mut name.text);
        Ok(name)
    }

    /// A text in quotes, without them.
    fn text(&mut self, what: &str) -> Parsed<String> {
        if !self.at(TokenKind::Text) {
            return self.unexpected(what);
        }
        let token = self.bump();
        Ok(self.unquoted(token.span))
    }

    /// What stands between the quotes. A text that was not closed has only the first.
    fn unquoted(&self, span: Span) -> String {
        let text = self.text_of(span);
        let text = text.strip_prefix('"').unwrap_or(text);
        text.strip_suffix('"').unwrap_or(text).to_owned()
    }

    /// One or more, with commas between.
    fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![element(self)?];
        while self.eat(TokenKind::Comma) {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            return self.fail(mistakes::too_deep(span));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
