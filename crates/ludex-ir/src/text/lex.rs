//! Text to tokens. Knows lines; drops comments.

use super::ParseError;

/// A piece of text, and the line it stands on.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) line: usize,
    pub(super) kind: TokenKind<'a>,
}

/// What a piece of text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// Letters, digits and underscores, not beginning with a digit.
    Word(&'a str),
    /// A whole number.
    Number(i64),
    /// A quoted string, without its quotes and escapes.
    Text(String),
    /// One of `= -> [ ] ( ) { } , : * @ ..`.
    Mark(&'static str),
}

const MARKS: [&str; 13] = ["->", "..", "=", "[", "]", "(", ")", "{", "}", ",", ":", "*", "@"];

/// The tokens of a text.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with(';') {
            let (kind, after) =
                token(rest).map_err(|message| ParseError { line: index + 1, message })?;
            tokens.push(Token { line: index + 1, kind });
            rest = after.trim_start();
        }
    }
    Ok(tokens)
}

/// The first token of a text that begins with one, and what follows it.
fn token(text: &str) -> Result<(TokenKind<'_>, &str), String> {
    if let Some(mark) = MARKS.into_iter().find(|mark| text.starts_with(mark)) {
        return Ok((TokenKind::Mark(mark), &text[mark.len()..]));
    }
    if let Some(rest) = text.strip_prefix('"') {
        return string(rest);
    }
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let sign = usize::from(text.starts_with('-'));
    let len = text[sign..].find(|c| !word(c)).map_or(text.len(), |it| it + sign);
    let (piece, rest) = text.split_at(len);
    if len > 0 && piece.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        let number = piece.parse().map_err(|_| format!("`{piece}` is not a number of 64 bits"))?;
        return Ok((TokenKind::Number(number), rest));
    }
    match text.chars().next() {
        Some(c) if len == 0 => Err(format!("{c:?} means nothing here")),
        _ => Ok((TokenKind::Word(piece), rest)),
    }
}

/// A string, its opening quote already gone.
fn string(text: &str) -> Result<(TokenKind<'_>, &str), String> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let mut chars = rest.chars();
        match chars.next() {
            Some('"') => return Ok((TokenKind::Text(value), chars.as_str())),
            Some('\\') => {
                let (c, after) = escape(chars.as_str()).ok_or("no such escape in a string")?;
                value.push(c);
                rest = after;
            }
            Some(c) => {
                value.push(c);
                rest = chars.as_str();
            }
            None => return Err("the string has no end on its line".to_owned()),
        }
    }
}

/// The character of an escape as Rust's `{:?}` writes them, without its backslash.
fn escape(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let c = match chars.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        c @ ('"' | '\'' | '\\') => c,
        'u' => {
            let (code, rest) = chars.as_str().strip_prefix('{')?.split_once('}')?;
            return Some((char::from_u32(u32::from_str_radix(code, 16).ok()?)?, rest));
        }
        _ => return None,
    };
    Some((c, chars.as_str()))
}
