//! A walk along the tokens of a text: the pieces that all readers share.
//!
//! Never panics, and never makes much more of a text than its length:
//! [`MAX_NUMBERS`] bounds what short forms like `0*1000` may stand for.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::lex::{Token, TokenKind, lex};
use super::words::Word;

/// The most numbers that all rows of numbers of a text may stand for.
pub(super) const MAX_NUMBERS: usize = 1 << 23;

/// Why a text is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Error for ParseError {}

pub(super) type Result<T, E = ParseError> = std::result::Result<T, E>;

/// A place in a list of tokens.
pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    pub(super) at: usize,
    /// How many numbers may still be made.
    numbers: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self> {
        Ok(Self { tokens: lex(text)?, at: 0, numbers: MAX_NUMBERS })
    }

    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        Err(ParseError { line: token.map_or(1, |it| it.line), message: message.into() })
    }

    /// Fails, saying what stands there.
    pub(super) fn wanted<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(TokenKind::Word(word)) => format!("`{word}`"),
            Some(TokenKind::Number(number)) => format!("`{number}`"),
            Some(TokenKind::Text(text)) => format!("{text:?}"),
            Some(TokenKind::Mark(mark)) => format!("`{mark}`"),
        };
        self.fail(format!("expected {what}, found {found}"))
    }

    /// Fails because of the word just passed.
    pub(super) fn wanted_before<T>(&mut self, what: &str) -> Result<T> {
        self.at -= 1;
        self.wanted(what)
    }

    pub(super) fn peek(&self) -> Option<&TokenKind<'a>> {
        self.tokens.get(self.at).map(|it| &it.kind)
    }

    pub(super) fn peek_second(&self) -> Option<&TokenKind<'a>> {
        self.tokens.get(self.at + 1).map(|it| &it.kind)
    }

    pub(super) fn done(&self) -> Result<()> {
        if self.peek().is_some() { self.wanted("the end of the text") } else { Ok(()) }
    }

    /// Whether the given word or mark comes next; passes it if so.
    pub(super) fn eat(&mut self, what: &str) -> bool {
        let found = match self.peek() {
            Some(TokenKind::Word(word)) => *word == what,
            Some(TokenKind::Mark(mark)) => *mark == what,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, what: &str) -> Result<()> {
        if self.eat(what) { Ok(()) } else { self.wanted(&format!("`{what}`")) }
    }

    pub(super) fn word(&mut self) -> Result<&'a str> {
        let Some(&TokenKind::Word(word)) = self.peek() else { return self.wanted("a word") };
        self.at += 1;
        Ok(word)
    }

    /// A word that stands for a value.
    pub(super) fn value<T: Word>(&mut self) -> Result<T> {
        let value = match self.peek() {
            Some(TokenKind::Word(word)) => T::read(word),
            _ => None,
        };
        let Some(value) = value else { return self.wanted(T::WHAT) };
        self.at += 1;
        Ok(value)
    }

    pub(super) fn number<T: TryFrom<i64>>(&mut self) -> Result<T> {
        let Some(&TokenKind::Number(number)) = self.peek() else { return self.wanted("a number") };
        let Ok(value) = T::try_from(number) else {
            return self.fail(format!("{number} is out of range here"));
        };
        self.at += 1;
        Ok(value)
    }

    pub(super) fn text(&mut self) -> Result<String> {
        let Some(TokenKind::Text(text)) = self.peek() else {
            return self.wanted("a string in quotes");
        };
        let text = text.clone();
        self.at += 1;
        Ok(text)
    }

    pub(super) fn texts(&mut self) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        while matches!(self.peek(), Some(TokenKind::Text(_))) {
            texts.push(self.text()?);
        }
        Ok(texts)
    }

    /// A word like `f12`: the prefix and a number.
    pub(super) fn id<T: TryFrom<i64>>(&mut self, prefix: &str) -> Result<T> {
        let id = match self.peek() {
            Some(TokenKind::Word(word)) => read_id(word, prefix),
            _ => None,
        };
        let Some(id) = id.and_then(|id| T::try_from(id).ok()) else {
            return self.wanted(&format!("a number after `{prefix}`, as in `{prefix}0`"));
        };
        self.at += 1;
        Ok(id)
    }

    /// The number that comes next in a list whose items are numbered.
    pub(super) fn next_id(&mut self, prefix: &str, next: usize) -> Result<()> {
        if self.peek() == Some(&TokenKind::Word(&format!("{prefix}{next}"))) {
            self.at += 1;
            return Ok(());
        }
        self.wanted(&format!("`{prefix}{next}`"))
    }

    /// `@12`, or nothing for 0.
    pub(super) fn place(&mut self) -> Result<u32> {
        if self.eat("@") { self.number() } else { Ok(0) }
    }

    /// A row of numbers, as far as it goes.
    pub(super) fn numbers<T: TryFrom<i64>>(&mut self, most: usize) -> Result<Vec<T>> {
        let mut numbers = Vec::new();
        while matches!(self.peek(), Some(TokenKind::Number(_))) {
            let first: i64 = self.number()?;
            let (last, times) = if self.eat("*") {
                (first, self.number()?)
            } else if self.eat("..") {
                let last: i64 = self.number()?;
                (last, last.checked_sub(first).and_then(|it| it.checked_add(1)).unwrap_or(0))
            } else {
                (first, 1)
            };
            let Some(times) = usize::try_from(times).ok().filter(|&times| times > 0) else {
                return self.fail("a run of numbers must have one at least");
            };
            if numbers.len().saturating_add(times) > most || times > self.numbers {
                return self.fail("too many numbers");
            }
            self.numbers -= times;
            for index in 0..times as i64 {
                let number = if first == last { first } else { first + index };
                let Ok(number) = T::try_from(number) else {
                    return self.fail(format!("{number} is out of range here"));
                };
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    /// `(a, b)`.
    pub(super) fn parenthesised<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.expect("(")?;
        let mut items = Vec::new();
        if self.eat(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(")") {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }

    /// Fails if a list has more items than it may.
    pub(super) fn limit(&self, len: usize, most: usize, what: &str) -> Result<()> {
        if len > most { self.fail(format!("more than {most} {what}")) } else { Ok(()) }
    }
}

/// The number of a word like `f12`. Leading zeros would make two words for one thing.
pub(super) fn read_id(word: &str, prefix: &str) -> Option<i64> {
    let digits = word.strip_prefix(prefix)?;
    let plain = digits == "0" || !digits.starts_with('0');
    let number = digits.bytes().all(|byte| byte.is_ascii_digit());
    (plain && number).then(|| digits.parse().ok()).flatten()
}
