//! Records of games: readable text that can be read back and played through again.
//!
//! ```text
//! game: tictactoe
//! players: uct:c=0.7,threads=2, Ann
//! result: 1, -1
//! date: 2026-11-15
//!
//! 1. b2 a1 {a natural reply} b1 b3 a2
//! ```
//!
//! Lines of `key: value`, an empty line, then the turns, separated by white space
//! and wrapped anywhere. A number with dots after it (`12.` or `12...`) is for
//! people and is skipped. A comment in braces belongs to the turn before it.
//!
//! A turn is one move's name, or for a joint turn the names joined by `+` (see
//! [`turn_name`](crate::turns::turn_name)). What would not survive in such a text
//! is written as `%` and two hexadecimal digits per byte: white space, control
//! characters, braces, `%` itself, and the last dot of a name that looks like a
//! number. The empty name is a lone `%`.
//!
//! Headers and comments are prose and are tidied instead: runs of white space
//! become one space, braces in comments become parentheses, empty comments are
//! left out, and a comma in a player's name loses the space after it, because
//! `, ` separates players.
//!
//! **Invariant:** reading what was written gives the same record, once it is tidy.
//! A record may come from anywhere: reading it takes time and memory in
//! proportion to its length, which is bounded, and never panics.

use std::fmt::{self, Write};

use crate::game::{Fault, Game, Payoff, Turn};
use crate::playout::payoffs;
use crate::position::{Position, PositionOf};
use crate::text::{TextError, nearest};
use crate::turns::{Choices, named_turn};

/// The longest text that is read as a record, in bytes.
pub const LONGEST_RECORD: usize = 8 << 20;

/// The most header lines of a record.
pub const MOST_HEADERS: usize = 1_000;

/// Where the lines of turns are wrapped.
const WIDTH: usize = 78;

/// The headers that have fields of their own.
const KNOWN_KEYS: [&str; 5] = ["game", "rules", "start", "players", "result"];

/// One game, as it is written down.
///
/// ```
/// use ludex_core::record::Record;
///
/// let text = "game: nim\nplayers: Ann, Bob\n\n1. take2 take1 {forced} take1\n";
/// let record = Record::parse(text).unwrap();
/// assert_eq!(record.players, ["Ann", "Bob"]);
/// assert_eq!(record.turns[1].comment.as_deref(), Some("forced"));
/// assert_eq!(record.to_string(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// What game it is, with its options: `hex:11`.
    pub game: String,
    /// Hash of its rules.
    pub rules: Option<String>,
    /// The position it started from, where that is not the usual one.
    pub start: Option<String>,
    /// Who played, first player first.
    pub players: Vec<String>,
    /// How it ended; [`result_text`] writes it.
    pub result: Option<String>,
    /// Everything else that was noted: clocks, the date. Keys are words of
    /// letters, digits, `-` and `_`; others are not written, nor are the keys
    /// that have a field here.
    pub tags: Vec<(String, String)>,
    /// The turns, first one first.
    pub turns: Vec<Played>,
}

/// A turn of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// What the turn is called: see [`turn_name`](crate::turns::turn_name).
    pub name: String,
    /// A comment on it.
    pub comment: Option<String>,
}

impl Played {
    /// A turn without a comment.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), comment: None }
    }
}

/// The result of a finished game as records have it: each player's score, first
/// player first.
///
/// ```
/// use ludex_core::Payoff;
/// use ludex_core::record::result_text;
///
/// assert_eq!(result_text(&[Payoff::WIN, Payoff::LOSS]), "1, -1");
/// ```
pub fn result_text(payoffs: &[Payoff]) -> String {
    let scores: Vec<String> = payoffs.iter().map(|it| it.score.to_string()).collect();
    scores.join(", ")
}

// Reading.

impl Record {
    /// Reads a record. The error names the line.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        if text.len() > LONGEST_RECORD {
            let message = format!("a record has at most {LONGEST_RECORD} bytes");
            return Err(TextError::new(message).at(LONGEST_RECORD));
        }
        let mut record = Self::default();
        let body = read_headers(text, &mut record)?;
        Reader { text, at: body }.turns(&mut record.turns)?;
        Ok(record)
    }

    /// Puts one header where it belongs. What is wrong with it, if anything.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let value = tidy(value);
        let field = match key {
            "game" if self.game.is_empty() => {
                self.game = value;
                return Ok(());
            }
            "players" if self.players.is_empty() => {
                self.players = value.split(", ").map(str::to_owned).collect();
                return Ok(());
            }
            "rules" => &mut self.rules,
            "start" => &mut self.start,
            "result" => &mut self.result,
            "game" | "players" => return Err(format!("there is a second `{key}:`")),
            _ if is_key(key) => {
                self.tags.push((key.to_owned(), value));
                return Ok(());
            }
            _ => return Err(format!("`{key}` is not a word that can stand before a colon")),
        };
        match field.replace(value) {
            None => Ok(()),
            Some(_) => Err(format!("there is a second `{key}:`")),
        }
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|it| it.is_alphanumeric() || it == '-' || it == '_')
}

/// Reads the headers into `record`; gives the offset at which the turns begin.
fn read_headers(text: &str, record: &mut Record) -> Result<usize, TextError> {
    let mut at = 0;
    let mut seen = 0;
    let mut unknown = None;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        let line = line.trim();
        if line.is_empty() {
            if seen == 0 {
                continue;
            }
            break;
        }
        seen += 1;
        if seen > MOST_HEADERS {
            let message = format!("a record has at most {MOST_HEADERS} headers");
            return Err(on_line(text, begin, &message));
        }
        let Some((key, value)) = line.split_once(':') else {
            let message = "a header is a word, a colon and a value; turns follow an empty line";
            return Err(on_line(text, begin, message));
        };
        let key = key.trim();
        record.set(key, value).map_err(|message| on_line(text, begin, &message))?;
        unknown = unknown.or_else(|| nearest("game", [key]).map(str::to_owned));
    }
    if record.game.is_empty() {
        let error = on_line(text, 0, "there is no line `game: NAME`");
        let meant = unknown.filter(|it| it != "game").map(|_| "game".to_owned());
        return Err(TextError { nearest: meant, ..error });
    }
    Ok(at)
}

/// An error at byte `at`, with the number of its line in the message.
fn on_line(text: &str, at: usize, message: &str) -> TextError {
    let number = text.bytes().take(at).filter(|&it| it == b'\n').count() + 1;
    TextError::new(format!("line {number}: {message}")).at(at)
}

/// Reads the turns of a record.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn turns(mut self, turns: &mut Vec<Played>) -> Result<(), TextError> {
        loop {
            self.skip_space();
            let begin = self.at;
            if self.rest().is_empty() {
                return Ok(());
            }
            if self.rest().starts_with('{') {
                let comment = self.comment()?;
                match turns.last_mut() {
                    Some(turn) => add_comment(turn, &comment),
                    None => return Err(self.error(begin, "a comment with no turn before it")),
                }
                continue;
            }
            let word = self.word();
            if word.contains('}') {
                return Err(self.error(begin, "a `}` without its `{`"));
            }
            if !is_number(word) {
                let Some(name) = unescape(word) else {
                    return Err(self.error(begin, "`%` stands before two hexadecimal digits"));
                };
                turns.push(Played::new(name));
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Everything up to the next white space or brace.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|it: char| it.is_whitespace() || it == '{').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The comment that begins here.
    fn comment(&mut self) -> Result<String, TextError> {
        let rest = self.rest();
        let Some(end) = rest.find('}') else {
            return Err(self.error(self.at, "a comment without its `}`"));
        };
        self.at += end + 1;
        Ok(tidy_comment(&rest[1..end]))
    }

    fn error(&self, at: usize, message: &str) -> TextError {
        on_line(self.text, at, message)
    }
}

fn add_comment(turn: &mut Played, comment: &str) {
    match &mut turn.comment {
        _ if comment.is_empty() => {}
        Some(before) => {
            before.push(' ');
            before.push_str(comment);
        }
        None => turn.comment = Some(comment.to_owned()),
    }
}

/// Whether `word` is the number of a turn: digits and then dots.
fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
}

/// The name that `word` was written for; `None` where its escapes are broken.
fn unescape(word: &str) -> Option<String> {
    if word == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let [high, low, after @ ..] = rest else { return None };
            bytes.push((hex_digit(*high)? << 4) | hex_digit(*low)?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|it| it as u8)
}

// Writing.

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        header(f, "game", &self.game)?;
        optional(f, "rules", self.rules.as_deref())?;
        optional(f, "start", self.start.as_deref())?;
        if !self.players.is_empty() {
            let names: Vec<String> = self.players.iter().map(|it| tidy_player(it)).collect();
            header(f, "players", &names.join(", "))?;
        }
        optional(f, "result", self.result.as_deref())?;
        for (key, value) in &self.tags {
            if is_key(key) && !KNOWN_KEYS.contains(&key.as_str()) {
                header(f, key, value)?;
            }
        }
        if self.turns.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        f.write_str(&wrapped(&self.turns))
    }
}

fn header(f: &mut fmt::Formatter<'_>, key: &str, value: &str) -> fmt::Result {
    writeln!(f, "{}", format_args!("{key}: {}", tidy(value)).to_string().trim_end())
}

fn optional(f: &mut fmt::Formatter<'_>, key: &str, value: Option<&str>) -> fmt::Result {
    value.map_or(Ok(()), |value| header(f, key, value))
}

/// The turns in lines, each line beginning with the number of its first turn.
fn wrapped(turns: &[Played]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (number, turn) in (1..).zip(turns) {
        let word = escape(&turn.name);
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            let begin = text.len();
            let _ = write!(text, "{number}.");
            column = text.len() - begin;
        }
        let _ = write!(text, " {word}");
        column += 1 + width;
        let comment = turn.comment.as_deref().map_or_else(String::new, tidy_comment);
        if !comment.is_empty() {
            wrap_comment(&mut text, &mut column, &comment);
        }
    }
    text.push('\n');
    text
}

/// Writes a comment after a turn, wrapped between words.
fn wrap_comment(text: &mut String, column: &mut usize, comment: &str) {
    for word in format!("{{{comment}}}").split(' ') {
        let width = word.chars().count();
        if *column + 1 + width > WIDTH {
            text.push('\n');
            *column = 0;
        } else {
            text.push(' ');
            *column += 1;
        }
        text.push_str(word);
        *column += width;
    }
}

/// `name` with everything escaped that would not be read back as this one word.
fn escape(name: &str) -> String {
    if name.is_empty() {
        return "%".to_owned();
    }
    let mut word = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_whitespace() || letter.is_control() || "%{}".contains(letter) {
            let mut buffer = [0; 4];
            for byte in letter.encode_utf8(&mut buffer).bytes() {
                let _ = write!(word, "%{byte:02X}");
            }
        } else {
            word.push(letter);
        }
    }
    if is_number(&word) {
        word.pop();
        word.push_str("%2E");
    }
    word
}

/// `text` on one line, with single spaces.
fn tidy(text: &str) -> String {
    let spaced: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn tidy_comment(text: &str) -> String {
    tidy(text).replace('{', "(").replace('}', ")")
}

fn tidy_player(name: &str) -> String {
    let name = tidy(name).replace(", ", ",");
    if name.is_empty() { "?".to_owned() } else { name }
}

// Playing through.

/// Where a record leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed<S, T> {
    /// The position after the last turn.
    pub position: Position<S, T>,
    /// Who decides next.
    pub turn: Turn,
    /// What each player has earned, first player first; nothing where the game goes on.
    pub payoffs: Vec<Payoff>,
}

/// A record that does not follow the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Number of the turn, counted from 1; 0 where the start is wrong.
    pub number: usize,
    /// The turn or the position, as the record has it.
    pub text: String,
    /// What is wrong with it.
    pub reason: ReplayReason,
}

/// What is wrong with a turn or with the start of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayReason {
    /// The position cannot be read.
    Start(TextError),
    /// The turn cannot be played; the error knows the nearest that can.
    Illegal(TextError),
    /// The game was over before.
    Over,
    /// The rules failed.
    Fault(Fault),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, text, reason } = self;
        match reason {
            ReplayReason::Start(error) => write!(f, "the start `{text}`: {error}"),
            ReplayReason::Illegal(error) => write!(f, "turn {number}: {error}"),
            ReplayReason::Over => write!(f, "turn {number}: `{text}` comes after the game's end"),
            ReplayReason::Fault(fault) if *number == 0 => write!(f, "at the start: {fault}"),
            ReplayReason::Fault(fault) => write!(f, "turn {number}, `{text}`: {fault}"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Plays the turns of `record` by their names, from its start.
///
/// Whether the record is of this game at all is for the caller to see: the core
/// knows no names of games.
pub fn replay<G: Game>(
    game: &G,
    record: &Record,
) -> Result<Replayed<G::State, G::Trail>, ReplayError> {
    let mut position = start(game, record)?;
    let mut choices = Choices::default();
    let mut moves = Vec::new();
    for (number, Played { name, .. }) in (1..).zip(&record.turns) {
        let wrong = |reason| ReplayError { number, text: name.clone(), reason };
        let faulty = |fault| wrong(ReplayReason::Fault(fault));
        if choices.fill(game, &position).map_err(faulty)? == Turn::Over {
            return Err(wrong(ReplayReason::Over));
        }
        named_turn(game, &position, &choices, name, &mut moves)
            .map_err(faulty)?
            .map_err(|error| wrong(ReplayReason::Illegal(error)))?;
        game.apply(&mut position, &moves).map_err(faulty)?;
    }
    let number = record.turns.len();
    let text = record.turns.last().map_or_else(String::new, |it| it.name.clone());
    end(game, position).map_err(|fault| ReplayError {
        number,
        text,
        reason: ReplayReason::Fault(fault),
    })
}

fn start<G: Game>(game: &G, record: &Record) -> Result<PositionOf<G>, ReplayError> {
    let Some(text) = &record.start else { return Ok(game.start()) };
    match game.read(text) {
        Ok(state) => {
            let position = game.position(state);
            Ok(position)
        }
        Err(error) => {
            let reason = ReplayReason::Start(error);
            Err(ReplayError { number: 0, text: text.clone(), reason })
        }
    }
}

fn end<G: Game>(game: &G, position: PositionOf<G>) -> Result<Replayed<G::State, G::Trail>, Fault> {
    let turn = game.turn(&position)?;
    let payoffs = match turn {
        Turn::Over => payoffs(game, &position)?.to_vec(),
        _ => Vec::new(),
    };
    Ok(Replayed { position, turn, payoffs })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Prose that is tidy already.
    fn prose() -> impl Strategy<Value = String> {
        prop::collection::vec("[^\\s\\p{Cc}{},]{1,6}", 1..20).prop_map(|words| words.join(" "))
    }

    fn played() -> impl Strategy<Value = Played> {
        let name = prop_oneof!["[a-h][1-8]", "[0-9]{1,3}[.]{0,3}", "\\PC{0,8}", any::<String>()];
        (name, prop::option::of(prose())).prop_map(|(name, comment)| Played { name, comment })
    }

    prop_compose! {
        fn record()(
            game in prose(),
            rules in prop::option::of(prose()),
            start in prop::option::of(prose()),
            players in prop::collection::vec(prose(), 0..4),
            result in prop::option::of(prose()),
            tags in prop::collection::vec(("x[a-z0-9_-]{0,6}", prose()), 0..4),
            turns in prop::collection::vec(played(), 0..60),
        ) -> Record {
            Record { game, rules, start, players, result, tags, turns }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(record in record()) {
            prop_assert_eq!(Record::parse(&record.to_string()), Ok(record));
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = Record::parse(&text);
        }

        #[test]
        fn what_is_read_is_tidy(body in "[ -~\n]{0,200}") {
            if let Ok(record) = Record::parse(&format!("game: x\n\n{body}")) {
                let written = record.to_string();
                prop_assert_eq!(Record::parse(&written), Ok(record));
            }
        }

        #[test]
        fn untidy_records_are_written_tidily(
            game in "\\PC{1,20}",
            player in any::<String>(),
            value in any::<String>(),
            comment in any::<String>(),
        ) {
            let turns = vec![Played { name: "e4".to_owned(), comment: Some(comment) }];
            let players = vec![player.clone(), player];
            let game = format!("g{game}");
            let record = Record { game, players, start: Some(value), turns, ..Record::default() };
            let read = Record::parse(&record.to_string()).unwrap();
            prop_assert_eq!(read.players.len(), 2);
            prop_assert_eq!(Record::parse(&read.to_string()), Ok(read));
        }
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(Record::parse(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn errors_name_the_line() {
        refused("", "line 1: there is no line `game: NAME` (at byte 0)");
        refused(
            "gmae: nim\n",
            "line 1: there is no line `game: NAME` (at byte 0); did you mean `game`?",
        );
        refused("game: a\ngame: b\n", "line 2: there is a second `game:` (at byte 8)");
        refused(
            "game: a\nresult: 1\nresult: 1\n",
            "line 3: there is a second `result:` (at byte 18)",
        );
        refused(
            "game: a\ne4 e5\n",
            "line 2: a header is a word, a colon and a value; turns follow an empty line (at byte 8)",
        );
        refused("game: a\n\ne4 {so\n", "line 3: a comment without its `}` (at byte 12)");
        refused("game: a\n\n{so} e4\n", "line 3: a comment with no turn before it (at byte 9)");
        refused("game: a\n\ne4}\n", "line 3: a `}` without its `{` (at byte 9)");
        refused("game: a\n\n%zz\n", "line 3: `%` stands before two hexadecimal digits (at byte 9)");
    }

    #[test]
    fn sizes_are_bounded() {
        let long = format!("game: a\n\n{}", "e4 ".repeat(LONGEST_RECORD / 3));
        assert!(Record::parse(&long).unwrap_err().message.contains("at most"));
        let many = format!("game: a\n{}", "k: v\n".repeat(MOST_HEADERS));
        assert!(Record::parse(&many).unwrap_err().message.contains("at most"));
    }

    #[test]
    fn numbers_and_comments_may_stand_anywhere() {
        let text = "\n\ngame:nim\n\n1. a{x}{ y\n z }{} 1... b 2.\nc{w}\n";
        let record = Record::parse(text).unwrap();
        let turns: Vec<(&str, Option<&str>)> =
            record.turns.iter().map(|it| (it.name.as_str(), it.comment.as_deref())).collect();
        assert_eq!(turns, [("a", Some("x y z")), ("b", None), ("c", Some("w"))]);
    }

    #[test]
    fn lines_are_wrapped_and_numbered() {
        let turns = (0..40).map(|it| Played::new(format!("move{it}"))).collect();
        let record = Record { game: "x".to_owned(), turns, ..Record::default() };
        let text = record.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.contains("\n1. move0 move1 "), "{text}");
        assert!(text.lines().skip(2).all(|line| line.contains(". ")), "{text}");
    }

    #[test]
    fn names_that_look_like_numbers_survive() {
        for name in ["12.", "7...", "1.5", "+", "a b", "%", "", "{}", "é\u{2003}"] {
            let turns = vec![Played::new(name)];
            let record = Record { game: "x".to_owned(), turns, ..Record::default() };
            assert_eq!(Record::parse(&record.to_string()).as_ref(), Ok(&record), "{name}");
        }
    }
}
