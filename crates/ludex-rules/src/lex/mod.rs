//! Text to tokens.
//!
//! ```text
//! text ──> tokens (with Newline, Indent, Dedent) + comments + diagnostics
//! ```
//!
//! Blocks are made by indentation, so the lexer keeps a stack of the widths
//! that are open and says where a block begins and ends. While a bracket is
//! open, line ends mean nothing.
//!
//! A bracket that is never closed would swallow the rest of the file. When
//! that happens the text is read a second time, and the second reading closes
//! the bracket by itself at the first line that looks like a new statement. A
//! file whose brackets match is read once, and the guess never touches it.
//!
//! Start reading at [`lex`].
//!
//! **Invariant:** spans of tokens are in order, lie in the text and on
//! character boundaries; there is one Dedent for each Indent; the last token
//! is [`TokenKind::End`]. `tests/syntax_fuzz.rs` checks this on any text.

mod token;

use ludex_diagnostics::{Diagnostic, Span};

pub use token::{Token, TokenKind};

/// The longest text that is read, in bytes.
pub const MAX_SOURCE: usize = 1 << 20;

/// How many blocks may stand in each other.
pub const MAX_BLOCKS: usize = 100;

/// How many diagnostics are kept: many more than anybody is shown, few enough for a file that is not text.
const MAX_DIAGNOSTICS: usize = 1000;

/// A text cut into tokens.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens, in order, ending with [`TokenKind::End`].
    pub tokens: Vec<Token>,
    /// The comments, in order, from `#` to the last character that is not a space.
    pub comments: Vec<Span>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Cuts a text into tokens.
pub fn lex(source: &str) -> Lexed {
    if source.len() > MAX_SOURCE {
        return too_large(source);
    }
    let strict = Lexer::new(source, usize::MAX).run();
    match strict.brackets.first() {
        None => strict.lexed,
        Some(open) => Lexer::new(source, open.span.start as usize).run().lexed,
    }
}

fn too_large(source: &str) -> Lexed {
    let message = format!("this file has {} bytes, the most is {MAX_SOURCE}", source.len());
    let diagnostic = Diagnostic::error("file-too-large", Span::new(0, 0), message)
        .label("nothing of it was read")
        .help("rules are short; is this the right file?");
    let end = Token { kind: TokenKind::End, span: Span::new(0, 0) };
    Lexed { tokens: vec![end], comments: Vec::new(), diagnostics: vec![diagnostic] }
}

/// Words that start a statement and can be nothing else: a line that begins with one is a new line even
/// if a bracket was left open before it.
const LINE_STARTERS: &[&str] = &[
    "break", "continue", "elif", "else", "for", "if", "let", "move", "quiet", "return", "try",
    "while",
];

/// An open bracket.
struct Open {
    closer: u8,
    span: Span,
    /// The indentation of the line it stands on.
    indent: usize,
}

struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// From here on, brackets that seem forgotten are closed.
    guess_from: usize,
    /// Widths of the open blocks, without the outermost 0.
    indents: Vec<usize>,
    /// The width of the present logical line.
    indent: usize,
    brackets: Vec<Open>,
    seen_tab: bool,
    lexed: Lexed,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a str, guess_from: usize) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            guess_from,
            indents: Vec::new(),
            indent: 0,
            brackets: Vec::new(),
            seen_tab: false,
            lexed: Lexed::default(),
        }
    }

    fn run(mut self) -> Self {
        if self.source.starts_with('\u{feff}') {
            self.at = 3;
        }
        while self.at < self.bytes.len() {
            self.physical_line();
        }
        if self.guess_from != usize::MAX {
            self.close_forgotten();
        }
        self.newline();
        for _ in 0..self.indents.len() {
            self.push_empty(TokenKind::Dedent, self.at);
        }
        self.push_empty(TokenKind::End, self.at);
        self
    }

    /// Reads up to and including the next line end.
    fn physical_line(&mut self) {
        let start = self.at;
        let width = self.leading_width();
        match self.peek() {
            None => return,
            Some(b'\n') => {
                self.at += 1;
                return;
            }
            Some(b'#') => {}
            Some(_) => self.line_start(start, width),
        }
        while let Some(byte) = self.peek() {
            if byte == b'\n' {
                if self.brackets.is_empty() {
                    self.newline();
                }
                self.at += 1;
                return;
            }
            self.token(byte);
        }
    }

    /// Steps over spaces and gives the width they make; a tab goes to the next multiple of eight.
    fn leading_width(&mut self) -> usize {
        let mut width = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' => width += 1,
                b'\t' => width = (width / 8 + 1) * 8,
                b'\r' => {}
                _ => break,
            }
            self.at += 1;
        }
        width
    }

    /// The first token of a physical line is next.
    fn line_start(&mut self, start: usize, width: usize) {
        if self.looks_forgotten(width) {
            self.close_forgotten();
            self.newline();
        }
        if !self.brackets.is_empty() {
            return;
        }
        let tab = self.source[start..self.at].find('\t');
        if let Some(tab) = tab {
            self.report_tab(start + tab);
        }
        self.indentation(start, width, tab.is_some());
    }

    fn report_tab(&mut self, at: usize) {
        if self.seen_tab {
            return;
        }
        self.seen_tab = true;
        let span = Span::new(at, at + 1);
        self.report(
            Diagnostic::error("tab", span, "this line is indented with a tab")
                .label("a tab")
                .help("indent with spaces, two for each level"),
        );
    }

    /// Compares the width of a logical line with the open blocks.
    fn indentation(&mut self, start: usize, width: usize, tab: bool) {
        self.indent = width;
        let here = Span::new(start, self.at);
        if width > self.open_width() {
            self.open_block(width, here);
            return;
        }
        let before = self.open_width();
        while width < self.open_width() {
            self.indents.pop();
            self.push_empty(TokenKind::Dedent, self.at);
        }
        if width != self.open_width() {
            let outer = self.open_width();
            if !tab {
                self.report(
                    Diagnostic::error(
                        "bad-indentation",
                        here,
                        "this line is between two levels of indentation",
                    )
                    .label(format!("{width} spaces"))
                    .help(format!("use {outer} or {before} spaces, as the lines above do")),
                );
            }
        }
    }

    fn open_block(&mut self, width: usize, span: Span) {
        if self.indents.len() < MAX_BLOCKS {
            self.indents.push(width);
            self.push(TokenKind::Indent, span);
        } else {
            self.report(
                Diagnostic::error("nested-too-deep", span, "blocks stand in each other too deeply")
                    .label(format!("more than {MAX_BLOCKS} levels"))
                    .help("move the inner part to a `function` or a `procedure`"),
            );
        }
    }

    fn open_width(&self) -> usize {
        self.indents.last().copied().unwrap_or(0)
    }

    /// Whether the line that starts here cannot be meant to stand inside the open bracket.
    fn looks_forgotten(&self, width: usize) -> bool {
        let Some(open) = self.brackets.first() else { return false };
        if (open.span.start as usize) < self.guess_from {
            return false;
        }
        let rest = &self.source[self.at..];
        let closes = rest.starts_with([')', ']', '}']);
        let word =
            rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        (width <= open.indent && !closes) || LINE_STARTERS.contains(&word)
    }

    /// Reports the innermost open bracket, and forgets them all.
    fn close_forgotten(&mut self) {
        let Some(open) = self.brackets.pop() else { return };
        self.brackets.clear();
        let opener = &self.source[open.span.start as usize..open.span.end as usize];
        let closer = char::from(open.closer);
        let end = self.last_end();
        self.push_empty(TokenKind::Unknown, end);
        self.report(
            Diagnostic::error(
                "unclosed-bracket",
                open.span,
                format!("this `{opener}` is never closed"),
            )
            .label("opened here")
            .help(format!("add the missing `{closer}`")),
        );
    }

    /// Ends the logical line, if there is anything on it.
    fn newline(&mut self) {
        use TokenKind::{Dedent, Indent, Newline};
        let end = self.last_end();
        match self.lexed.tokens.last() {
            None => {}
            Some(token) if matches!(token.kind, Newline | Indent | Dedent) => {}
            Some(_) => self.push_empty(Newline, end),
        }
    }

    fn last_end(&self) -> usize {
        self.lexed.tokens.last().map_or(0, |it| it.span.end as usize)
    }

    /// Reads one token, a comment or a stretch of spaces.
    fn token(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'#' => self.comment(),
            b'"' => self.text(),
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            b'/' if self.peek_at(1) == Some(b'/') => self.slash_comment(),
            _ => self.punctuation(byte),
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at = self.line_end();
        let text = self.source[start..self.at].trim_end();
        self.lexed.comments.push(Span::new(start, start + text.len()));
    }

    fn slash_comment(&mut self) {
        let span = Span::new(self.at, self.at + 2);
        self.at = self.line_end();
        self.push(TokenKind::Unknown, span);
        self.report(
            Diagnostic::error("foreign-word", span, "`//` does not start a comment")
                .label("not of this language")
                .help("start the comment with `#`"),
        );
    }

    fn text(&mut self) {
        let start = self.at;
        self.at += 1;
        self.skip_while(|b| b != b'"' && b != b'\n');
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.push(TokenKind::Text, Span::new(start, self.at));
            return;
        }
        let span = Span::new(start, start + self.source[start..self.at].trim_end().len());
        self.push(TokenKind::Text, span);
        self.report(
            Diagnostic::error("unterminated-text", span, "this text has no end")
                .label("starts here and runs to the end of the line")
                .help("close it with `\"`; a text cannot go on in the next line"),
        );
    }

    fn number(&mut self) {
        let start = self.at;
        let mut kind = TokenKind::Int;
        self.skip_while(|b| b.is_ascii_digit() || b == b'_');
        let fraction = self.peek_at(1).is_some_and(|b| b.is_ascii_digit());
        if self.peek() == Some(b'.') && fraction {
            kind = TokenKind::Real;
            self.at += 1;
            self.skip_while(|b| b.is_ascii_digit() || b == b'_');
        }
        let digits = self.at;
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        let span = Span::new(start, self.at);
        if self.at == digits {
            self.push(kind, span);
            return;
        }
        self.push(TokenKind::Unknown, span);
        let text = &self.source[start..self.at];
        let help = match text.split_once('x') {
            Some((columns, rows)) if is_digits(columns) && is_digits(rows) => {
                format!(
                    "for a size, write `{columns} by {rows}`; for a product, `{columns} * {rows}`"
                )
            }
            _ => {
                "a name starts with a letter; a number is followed by a space or a sign".to_owned()
            }
        };
        let message = format!("`{text}` is neither a number nor a name");
        self.report(
            Diagnostic::error("bad-number", span, message).label("letters after digits").help(help),
        );
    }

    fn name(&mut self) {
        let start = self.at;
        self.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_');
        if self.peek().is_some_and(|b| !b.is_ascii()) && self.char().is_alphanumeric() {
            self.foreign_letters(start);
            return;
        }
        self.push(TokenKind::Name, Span::new(start, self.at));
    }

    fn punctuation(&mut self, byte: u8) {
        use TokenKind::*;
        let next = self.peek_at(1);
        let (kind, length) = match (byte, next) {
            (b'.', Some(b'.')) => (DotDot, 2),
            (b'-', Some(b'>')) => (Arrow, 2),
            (b'-', Some(b'=')) => (MinusAssign, 2),
            (b'+', Some(b'=')) => (PlusAssign, 2),
            (b'=', Some(b'=')) => (Eq, 2),
            (b'!', Some(b'=')) => (Ne, 2),
            (b'<', Some(b'=')) => (Le, 2),
            (b'>', Some(b'=')) => (Ge, 2),
            (b'&', Some(b'&')) => (AndAnd, 2),
            (b'|', Some(b'|')) => (OrOr, 2),
            (b'(', _) => (LParen, 1),
            (b')', _) => (RParen, 1),
            (b'[', _) => (LBracket, 1),
            (b']', _) => (RBracket, 1),
            (b'{', _) => (LBrace, 1),
            (b'}', _) => (RBrace, 1),
            (b',', _) => (Comma, 1),
            (b':', _) => (Colon, 1),
            (b';', _) => (Semicolon, 1),
            (b'.', _) => (Dot, 1),
            (b'=', _) => (Assign, 1),
            (b'<', _) => (Lt, 1),
            (b'>', _) => (Gt, 1),
            (b'+', _) => (Plus, 1),
            (b'-', _) => (Minus, 1),
            (b'*', _) => (Star, 1),
            (b'/', _) => (Slash, 1),
            (b'%', _) => (Percent, 1),
            (b'|', _) => (Pipe, 1),
            (b'&', _) => (Amp, 1),
            (b'~', _) => (Tilde, 1),
            (b'!', _) => (Bang, 1),
            _ => {
                self.unknown();
                return;
            }
        };
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        self.push(kind, span);
        self.bracket(kind, span);
    }

    /// Keeps the stack of open brackets.
    fn bracket(&mut self, kind: TokenKind, span: Span) {
        use TokenKind::*;
        let closer = match kind {
            LParen => b')',
            LBracket => b']',
            LBrace => b'}',
            RParen | RBracket | RBrace => {
                let closed = self.bytes[span.start as usize];
                // A closer of the wrong kind closes the innermost bracket, unless its own is open.
                let depth = self.brackets.iter().rposition(|it| it.closer == closed);
                let innermost = self.brackets.len().saturating_sub(1);
                self.brackets.truncate(depth.unwrap_or(innermost));
                return;
            }
            _ => return,
        };
        self.brackets.push(Open { closer, span, indent: self.indent });
    }

    fn unknown(&mut self) {
        let start = self.at;
        let c = self.char();
        if c.is_alphabetic() || c == '_' {
            self.foreign_letters(start);
            return;
        }
        self.at += c.len_utf8();
        let span = Span::new(start, self.at);
        self.push(TokenKind::Unknown, span);
        let (message, help) = unknown_character(c);
        self.report(
            Diagnostic::error("unknown-character", span, message)
                .label("not expected here")
                .help(help),
        );
    }

    /// A word with letters that names do not have.
    fn foreign_letters(&mut self, start: usize) {
        while self.at < self.bytes.len() {
            let c = self.char();
            if !(c.is_alphanumeric() || c == '_') {
                break;
            }
            self.at += c.len_utf8();
        }
        let span = Span::new(start, self.at);
        let word = &self.source[start..self.at];
        self.push(TokenKind::Unknown, span);
        let message = format!("`{word}` is not a name");
        self.report(
            Diagnostic::error("unknown-character", span, message)
                .label(
                    "names are made of the letters a to z, digits and `_`, and start with a letter",
                )
                .help("spell it with these; a text in double quotes may have any characters"),
        );
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.lexed.diagnostics.len() < MAX_DIAGNOSTICS {
            self.lexed.diagnostics.push(diagnostic);
        }
    }

    fn push(&mut self, kind: TokenKind, span: Span) {
        self.lexed.tokens.push(Token { kind, span });
    }

    fn push_empty(&mut self, kind: TokenKind, at: usize) {
        self.push(kind, Span::new(at, at));
    }

    fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    fn peek_at(&self, offset: usize) -> Option<u8> {
        self.bytes.get(self.at + offset).copied()
    }

    /// The character that starts here; the replacement character at the end of the text.
    fn char(&self) -> char {
        self.source[self.at..].chars().next().unwrap_or('\u{fffd}')
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    /// Where the present physical line ends, before the line end characters.
    fn line_end(&self) -> usize {
        self.source[self.at..].find('\n').map_or(self.source.len(), |length| self.at + length)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// What to say about a character that starts no token.
fn unknown_character(c: char) -> (String, String) {
    let instead = match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '\'' | '\u{2018}'
        | '\u{2019}' | '`' => "a text stands in straight double quotes: `\"like this\"`",
        '\u{2212}' | '\u{2013}' | '\u{2014}' | '\u{2010}' | '\u{2011}' => "write `-`",
        '\u{2264}' => "write `<=`",
        '\u{2265}' => "write `>=`",
        '\u{2260}' => "write `!=`",
        '\u{2192}' => "write `->`",
        '\u{d7}' | '\u{b7}' => "write `*`",
        '\u{2026}' => "write `..`",
        '\u{a0}' | '\u{202f}' | '\u{2007}' => {
            "this space looks like any other but is not: type a plain one"
        }
        '^' => "`^` is no operator here: write a product for a power, `!=` for a difference",
        '?' => "there is no `?` operator: use `if` and `else`",
        '@' | '$' | '\\' => "take it out; only texts may have it",
        c if c.is_control() || c.is_whitespace() => {
            "an invisible character: delete it and type the space again"
        }
        _ => "take it out; a text in double quotes and a comment may have any characters",
    };
    let shown = if c.is_control() || c.is_whitespace() {
        format!("the character U+{:04X} is not used in rules", c as u32)
    } else {
        format!("the character `{c}` is not used in rules")
    };
    (shown, instead.to_owned())
}
