//! Exports records of games in the formats of other programs.
//!
//! The notation block of a game names its formats: `san` for PGN, `sgf` for SGF.

mod pgn;
mod sgf;

use std::fmt;

use ludex_arena::record::{END_TAG, points, tag};
use ludex_core::record::Record;
use ludex_core::{Game, Player, Position, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Portable game notation, for chess
    Pgn,
    /// Smart game format, for Go, Hex, Gomoku, Othello and the like
    Sgf,
    /// The record itself, tidied
    Text,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Pgn, Self::Sgf, Self::Text];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Sgf => "sgf",
            Self::Text => "text",
        }
    }

    /// Whether a game has this format.
    pub fn suits(self, game: &LoadedGame) -> bool {
        let word = match self {
            Self::Pgn => "san",
            Self::Sgf => "sgf",
            Self::Text => return true,
        };
        game.game.program().look.notations.iter().any(|it| it == word)
    }

    /// The format that is asked for, or the first of the game.
    pub fn chosen(asked: Option<Self>, game: &LoadedGame) -> Result<Self> {
        let spec = game.source.spec();
        let Some(asked) = asked else {
            return Ok(*Self::ALL.iter().find(|it| it.suits(game)).unwrap_or(&Self::Text));
        };
        if asked.suits(game) {
            return Ok(asked);
        }
        let suits: Vec<&str> =
            Self::ALL.iter().filter(|it| it.suits(game)).map(|it| it.name()).collect();
        let message = format!("`{spec}` cannot be written as {}", asked.name());
        Err(Error::with_help(message, format!("it can be written as {}", suits.join(", "))))
    }
}

/// Records in a format: `ludex.export/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Export {
    /// `ludex.export/1`.
    pub schema: Schema<1>,
    /// The format of the last game.
    pub format: Format,
    /// The games.
    pub games: Vec<String>,
}

impl Export {
    /// Exported games.
    pub fn new(format: Format, games: Vec<String>) -> Self {
        Self { schema: Schema::of("export"), format, games }
    }
}

impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.games.join("\n"))
    }
}

/// A record in a format. The game is replayed on the way, so that only legal games are written.
pub fn export(loaded: &LoadedGame, record: &Record, format: Format) -> Result<String> {
    let walk = Walk::new(loaded, record)?;
    match format {
        Format::Pgn => pgn::text(loaded, record, &walk),
        Format::Sgf => sgf::text(loaded, record, &walk),
        Format::Text => Ok(record.to_string()),
    }
}

/// A replayed record.
struct Walk<'r> {
    /// Where it begins.
    start: Position,
    steps: Vec<Step<'r>>,
    /// Where it ends.
    end: Position,
}

/// A turn of a record.
struct Step<'r> {
    before: Position,
    player: Player,
    name: &'r str,
    comment: Option<&'r str>,
}

impl<'r> Walk<'r> {
    fn new(loaded: &LoadedGame, record: &'r Record) -> Result<Self> {
        let game = &loaded.game;
        let start = match &record.start {
            Some(text) => loaded.read(text)?,
            None => game.start(),
        };
        let mut position = start.clone();
        let mut steps = Vec::new();
        for (number, turn) in (1..).zip(&record.turns) {
            let before = position.clone();
            let player = match loaded.turn(&position)? {
                Turn::Of(player) => player,
                Turn::Over => Player(0),
                Turn::Joint(_) | Turn::Chance => {
                    let message = "only games in which one player moves at a time can be written";
                    return Err(Error::new(message));
                }
            };
            loaded.play(&mut position, number, &turn.name)?;
            let comment = turn.comment.as_deref();
            steps.push(Step { before, player, name: &turn.name, comment });
        }
        Ok(Self { start, steps, end: position })
    }

    /// The points of the first player, 1, 1/2 or 0; `None` if the game was not finished.
    fn points(&self, loaded: &LoadedGame, record: &Record) -> Result<Option<f64>> {
        if let Some(points) = points(record) {
            return Ok(Some(points.of(0)));
        }
        let Some(ending) = loaded.ending(&self.end)? else { return Ok(None) };
        let [first, second] = ending.payoffs.as_slice() else { return Ok(None) };
        Ok(first.utility.partial_cmp(&second.utility).map(|it| match it {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }))
    }
}

/// The termination of a game that the rules did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Time,
    Resignation,
    Forfeit,
    Adjudication,
    Other,
}

impl Cut {
    fn of(record: &Record) -> Option<Self> {
        // Names may contain anything: compare only the ends, and the words after a name.
        let words = tag(record, END_TAG)?;
        let fails = |it: &String| {
            words.strip_prefix(it.as_str()).is_some_and(|it| it.starts_with(" failed ("))
        };
        Some(match words {
            _ if words.starts_with("adjudicated: ") => Self::Adjudication,
            _ if record.players.iter().any(fails) => Self::Forfeit,
            _ if words.ends_with(" resigned") || words.ends_with("gave up") => Self::Resignation,
            _ if words.ends_with(" on time") => Self::Time,
            _ => Self::Other,
        })
    }
}

/// The seconds left on the clock, in a comment.
fn clock_in(comment: &str) -> Option<f64> {
    let said = comment.split_whitespace().find_map(|it| it.strip_prefix("clock="))?;
    said.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0)
}

/// The name of a player by its number; a question mark if it is unknown.
fn player(record: &Record, number: usize) -> &str {
    record.players.get(number).map_or("?", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(end: &str) -> Record {
        let players = ["X", "the time failed (resigned)"].map(str::to_owned).to_vec();
        let tags = vec![("end".to_owned(), end.to_owned())];
        Record { tags, players, ..Record::default() }
    }

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(Cut::of(&record("Ann lost on time")), Some(Cut::Time));
        assert_eq!(Cut::of(&record("Ann resigned")), Some(Cut::Resignation));
        assert_eq!(Cut::of(&record("X failed (time): no move within 1 s")), Some(Cut::Forfeit));
        assert_eq!(Cut::of(&record("adjudicated: draw")), Some(Cut::Adjudication));
        let named = |it: &str| Cut::of(&record(&format!("the time failed (resigned) {it}")));
        assert_eq!(named("lost on time"), Some(Cut::Time));
        assert_eq!(named("resigned"), Some(Cut::Resignation));
        assert_eq!(named("failed (illegal): `x` is no legal move"), Some(Cut::Forfeit));
        assert_eq!(Cut::of(&record("draw by the move limit")), Some(Cut::Other));
        assert_eq!(Cut::of(&Record::default()), None);
    }

    #[test]
    fn clocks_are_found_in_comments() {
        assert_eq!(clock_in("value=+0.2 time=0.1 clock=59.88"), Some(59.88));
        assert_eq!(clock_in("a clock= of clocks"), None);
        assert_eq!(clock_in("clock=-1"), None);
    }
}
