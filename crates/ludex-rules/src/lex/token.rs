//! What a text is cut into.

use ludex_diagnostics::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the punctuation is named after itself")]
pub enum TokenKind {
    /// A word: a name or a word of the language.
    Name,
    /// A whole number.
    Int,
    /// A number with a point.
    Real,
    /// A text with its quotes.
    Text,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Comma,
    Colon,
    Semicolon,
    Dot,
    DotDot,
    Arrow,
    Assign,
    PlusAssign,
    MinusAssign,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Pipe,
    Amp,
    Tilde,
    /// `&&`: not of the language, but what many people type for `and`.
    AndAnd,
    /// `||`: not of the language, but what many people type for `or`.
    OrOr,
    /// `!`: not of the language, but what many people type for `not`.
    Bang,
    /// The end of a line with something on it.
    Newline,
    /// The start of a block.
    Indent,
    /// The end of a block.
    Dedent,
    /// Something that has been reported already.
    Unknown,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands. Layout tokens are empty, except that an Indent covers the spaces it is made of.
    pub span: Span,
}

impl TokenKind {
    /// What messages call it: "`(`", "the end of the line".
    pub fn describe(self) -> &'static str {
        use TokenKind::*;
        match self {
            Name => "a name",
            Int => "a whole number",
            Real => "a number",
            Text => "a text in double quotes",
            LParen => "`(`",
            RParen => "`)`",
            LBracket => "`[`",
            RBracket => "`]`",
            LBrace => "`{`",
            RBrace => "`}`",
            Comma => "`,`",
            Colon => "`:`",
            Semicolon => "`;`",
            Dot => "`.`",
            DotDot => "`..`",
            Arrow => "`->`",
            Assign => "`=`",
            PlusAssign => "`+=`",
            MinusAssign => "`-=`",
            Eq => "`==`",
            Ne => "`!=`",
            Lt => "`<`",
            Le => "`<=`",
            Gt => "`>`",
            Ge => "`>=`",
            Plus => "`+`",
            Minus => "`-`",
            Star => "`*`",
            Slash => "`/`",
            Percent => "`%`",
            Pipe => "`|`",
            Amp => "`&`",
            Tilde => "`~`",
            AndAnd => "`&&`",
            OrOr => "`||`",
            Bang => "`!`",
            Newline => "the end of the line",
            Indent => "an indented line",
            Dedent => "the end of the block",
            Unknown => "something unknown",
            End => "the end of the file",
        }
    }
}
