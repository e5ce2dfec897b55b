//! The canonical layout of a rules file.
//!
//! Lines stay lines: only the spaces between tokens, the indentation and
//! repeated blank lines change. So the author's choice between a block and a
//! colon, and where a long list is broken, is kept, and so is every comment.
//!
//! * two spaces for each level, two more for each bracket left open by the lines above
//! * one space around operators and after commas, none inside brackets
//! * at least two spaces before a comment that ends a line; such comments on neighbouring
//!   lines stand in one column
//! * at most one blank line at a time, none at the start or the end
//!
//! **Invariant:** the tokens of the result are those of the source, with their
//! blocks. Formatting twice is formatting once. `tests/syntax_fmt.rs` checks both.

use ludex_diagnostics::{Diagnostic, Lines, Severity, Span};

use crate::lex::{Lexed, Token, TokenKind, lex};
use crate::parse::{is_reserved, parse};

/// Lays a file out anew. A file with errors is not touched: they are given back.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, diagnostics) = parse(source);
    if diagnostics.iter().any(|it| it.severity == Severity::Error) {
        return Err(diagnostics);
    }
    Ok(Printer::new(source).print(&lex(source)))
}

/// A token or a comment, with the place it will have.
struct Piece {
    span: Span,
    comment: bool,
    /// The level of its line, if it is the first of its line.
    level: usize,
    /// Whether a space goes before it, if it is not the first of its line.
    spaced: bool,
}

/// A line of the result.
#[derive(Default)]
struct Line {
    code: String,
    /// The comment that ends it.
    comment: Option<String>,
}

struct Printer<'a> {
    source: &'a str,
    lines: Lines,
    out: Vec<Line>,
}

impl<'a> Printer<'a> {
    fn new(source: &'a str) -> Self {
        Self { source, lines: Lines::of(source), out: Vec::new() }
    }

    fn print(mut self, lexed: &Lexed) -> String {
        let mut last_line = None;
        for piece in pieces(self.source, &self.lines, lexed) {
            let line = self.lines.line(piece.span.start);
            let text = text(self.source, piece.span);
            if last_line != Some(line) {
                self.start_line(last_line, line, piece.level);
            }
            let Some(here) = self.out.last_mut() else { continue };
            if last_line == Some(line) && piece.comment {
                here.comment = Some(text.to_owned());
            } else {
                let space = last_line == Some(line) && piece.spaced;
                here.code.push_str(if space { " " } else { "" });
                here.code.push_str(text);
            }
            last_line = Some(line);
        }
        written(&self.out)
    }

    fn start_line(&mut self, last: Option<usize>, line: usize, level: usize) {
        if last.is_some_and(|last| line > last + 1) {
            self.out.push(Line::default());
        }
        self.out.push(Line { code: "  ".repeat(level), comment: None });
    }
}

/// The lines as text, the comments of neighbouring lines in one column.
fn written(lines: &[Line]) -> String {
    let mut out = String::new();
    for group in lines.chunk_by(|a, b| a.comment.is_some() && b.comment.is_some()) {
        let width = group.iter().map(|line| line.code.chars().count()).max().unwrap_or(0);
        for line in group {
            out.push_str(&line.code);
            if let Some(comment) = &line.comment {
                let padding = width - line.code.chars().count() + 2;
                out.push_str(&" ".repeat(padding));
                out.push_str(comment);
            }
            out.push('\n');
        }
    }
    out
}

fn text(source: &str, span: Span) -> &str {
    &source[span.start as usize..span.end as usize]
}

/// Tokens and comments in order, with their levels.
fn pieces(source: &str, lines: &Lines, lexed: &Lexed) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut comments = lexed.comments.iter().copied().peekable();
    let mut blocks = Blocks::default();
    let mut logical = LogicalLine::default();
    for (index, &token) in lexed.tokens.iter().enumerate() {
        // A comment that ends a line stands before the Newline of that line in the text or after it, so
        // layout tokens do not draw comments.
        if !is_layout(token.kind) || token.kind == TokenKind::End {
            let below = blocks.after(&lexed.tokens[blocks.seen..index], lines);
            while let Some(span) =
                comments.next_if(|it| it.start < token.span.start || token.kind == TokenKind::End)
            {
                let level = blocks.comment_level(&below, span, lines, logical.open());
                pieces.push(Piece { span, comment: true, level, spaced: true });
            }
            blocks = Blocks { seen: index + 1, ..below };
        }
        match token.kind {
            TokenKind::Newline => logical = LogicalLine::default(),
            kind if is_layout(kind) => {}
            _ => {
                let closes = matches!(
                    token.kind,
                    TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace
                );
                let open = logical.open() - usize::from(closes && logical.open() > 0);
                let spaced = logical.push(source, token, &lexed.tokens[index + 1..]);
                pieces.push(Piece {
                    span: token.span,
                    comment: false,
                    level: blocks.widths.len() + open,
                    spaced,
                });
            }
        }
    }
    pieces
}

fn is_layout(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Newline | TokenKind::Indent | TokenKind::Dedent | TokenKind::End)
}

/// The open blocks.
#[derive(Clone, Default)]
struct Blocks {
    /// The width each had in the source.
    widths: Vec<u32>,
    /// How many tokens have been counted.
    seen: usize,
}

impl Blocks {
    /// The open blocks after some layout tokens.
    fn after(&self, layout: &[Token], lines: &Lines) -> Self {
        let mut next = self.clone();
        for token in layout {
            match token.kind {
                TokenKind::Indent => next.widths.push(column(token.span.end, lines)),
                TokenKind::Dedent => {
                    next.widths.pop();
                }
                _ => {}
            }
        }
        next
    }

    /// The level of a comment on a line of its own between the last token and the next.
    ///
    /// Where blocks end, the column it had tells which of them it belongs to.
    fn comment_level(&self, next: &Self, comment: Span, lines: &Lines, open: usize) -> usize {
        if open > 0 {
            return self.widths.len() + open;
        }
        let column = column(comment.start, lines);
        let ending = self.widths.get(next.widths.len()..).unwrap_or_default();
        next.widths.len() + ending.iter().take_while(|&&width| width <= column).count()
    }
}

fn column(offset: u32, lines: &Lines) -> u32 {
    offset - lines.start(lines.line(offset))
}

/// What is known of the present logical line.
#[derive(Default)]
struct LogicalLine {
    last: Option<Last>,
    /// The first words, which tell what kind of line it is.
    words: Vec<String>,
    /// For each open bracket, whether it is a step such as `(1,2)`.
    brackets: Vec<bool>,
    written: bool,
    moves: bool,
}

/// The token before the present one.
#[derive(Clone, Copy)]
struct Last {
    kind: TokenKind,
    /// A minus or a word with its operand after it.
    prefix: bool,
    /// A bracket after it starts arguments or an index.
    callable: bool,
}

impl LogicalLine {
    /// How many brackets are open.
    fn open(&self) -> usize {
        self.brackets.len()
    }

    /// Takes the next token, and tells whether a space goes before it.
    fn push(&mut self, source: &str, token: Token, rest: &[Token]) -> bool {
        use TokenKind::*;
        let word = if token.kind == Name { text(source, token.span) } else { "" };
        let spaced = self.last.is_some_and(|last| self.spaced(last, token.kind));
        let call = self.last.is_some_and(|last| last.callable);
        let operand_before = self.last.is_some_and(|last| !last.prefix && ends_operand(last.kind));
        let starts = self.starts_action();
        match token.kind {
            LParen => self.brackets.push(!call && is_step(rest)),
            LBracket | LBrace => self.brackets.push(false),
            RParen | RBracket | RBrace => {
                self.brackets.pop();
            }
            _ => {}
        }
        let prefix = match token.kind {
            Name => is_prefix_word(word, operand_before, starts),
            Minus | Tilde | Bang => !operand_before,
            _ => false,
        };
        let callable = match token.kind {
            Name => !(prefix || self.lists_points() || (word == "flags" && self.is("position"))),
            RBracket | RParen => true,
            _ => false,
        };
        self.moves |= matches!(word, "move" | "try");
        self.written |= starts && word == "write";
        if self.words.len() < 2 {
            self.words.push(word.to_owned());
        }
        self.last = Some(Last { kind: token.kind, prefix, callable });
        spaced
    }

    fn spaced(&self, last: Last, next: TokenKind) -> bool {
        use TokenKind::*;
        let in_step = self.brackets.last().copied().unwrap_or(false);
        match (last.kind, next) {
            (Comma, _) if in_step => false,
            (_, Comma | Semicolon | Colon | RParen | RBracket | RBrace | Dot | DotDot) => false,
            (LParen | LBracket | LBrace | Dot | DotDot | Tilde | Bang, _) => false,
            (Minus, _) if last.prefix => false,
            (_, LParen | LBracket) if last.callable => false,
            (Assign, _) | (_, Assign) if self.is("search") => false,
            // A hyphen there is part of a name: `search alphabeta-plain`.
            (Minus, _) | (_, Minus) if self.is("search") || self.names_a_game() => false,
            _ => true,
        }
    }

    /// Whether the line starts with this word.
    fn is(&self, word: &str) -> bool {
        self.words.first().is_some_and(|it| it == word)
    }

    /// `player "Anna" for nim-matches`, and the same of a goal.
    fn names_a_game(&self) -> bool {
        self.is("player") || self.is("goal")
    }

    /// `points a1 (0,0), b1 (1,0)`: the bracket is not a call.
    fn lists_points(&self) -> bool {
        self.is("points") && self.words.get(1).is_none_or(|it| !it.is_empty())
    }

    /// Whether a statement or an action may start after what has been read.
    fn starts_action(&self) -> bool {
        use TokenKind::{Colon, Comma, Semicolon};
        match self.last {
            None => true,
            Some(last) => match last.kind {
                Colon | Semicolon => true,
                Comma => self.open() == 0 && self.moves && !self.written,
                TokenKind::Name => self.moves && last.prefix,
                _ => false,
            },
        }
    }
}

/// Whether a token can end an operand.
fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Name | Int | Real | Text | RParen | RBracket | RBrace)
}

/// Whether an operand follows this word, so that a bracket after it is no call and a minus no difference.
fn is_prefix_word(word: &str, operand_before: bool, starts: bool) -> bool {
    match word {
        "along" | "by" | "from" | "seed" | "weight" | "up" | "side" => operand_before,
        "next" | "put" | "score" | "take" | "turn" | "write" | "set" => starts,
        _ => is_reserved(word),
    }
}

/// Whether what follows an opening bracket is two plain numbers and the closing one.
fn is_step(rest: &[Token]) -> bool {
    use TokenKind::*;
    let mut kinds = rest.iter().map(|it| it.kind).filter(|&kind| kind != Minus);
    [Int, Comma, Int, RParen].into_iter().all(|wanted| kinds.next() == Some(wanted))
}
