//! `ludex export`: records of games as other programs read them.
//!
//! Which formats a game can be written in is what its notation block says: `san` for PGN, `sgf` for
//! SGF. A record is played through on the way, so that nothing is written that does not follow the
//! rules.

mod pgn;
mod sgf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use ludex_arena::record::{END_TAG, points, tag};
use ludex_core::record::Record;
use ludex_core::{Player, Turn};
use serde_json::json;

use crate::args::EngineArgs;
use crate::failure::{Answer, Done, Mistake};
use crate::load::{Loaded, load};
use crate::output::Out;
use crate::place::{self, Place};
use crate::verbs::replay::{other_game, read, with_options_of};

/// Arguments of `export`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex export chess game.txt > game.pgn
  ludex export chess run/games/*.txt > all.pgn
  ludex export hex:11 game.txt --to sgf
  ludex export go:9 - < game.txt

PGN is for games whose notation says `san`, SGF for those that say `sgf` (`ludex games` has
them). Clocks and opinions of the record become comments.")]
pub(crate) struct ExportArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The records; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// What to write [default: what the game's notation says]
    #[arg(long, value_enum)]
    to: Option<Format>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Portable game notation, for chess
    Pgn,
    /// Smart game format, for Go, Hex, Gomoku, Othello and the like
    Sgf,
    /// The record itself, tidied
    Text,
}

impl Format {
    const ALL: [Self; 3] = [Self::Pgn, Self::Sgf, Self::Text];

    fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Sgf => "sgf",
            Self::Text => "text",
        }
    }

    /// Whether a game can be written so.
    fn suits(self, game: &Loaded) -> bool {
        let word = match self {
            Self::Pgn => "san",
            Self::Sgf => "sgf",
            Self::Text => return true,
        };
        game.game.program().look.notations.iter().any(|it| it == word)
    }

    /// The format that was asked for, or the first that suits the game.
    fn chosen(asked: Option<Self>, game: &Loaded) -> Result<Self, Mistake> {
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
        Err(Mistake::with_help(message, format!("it can be written as {}", suits.join(", "))))
    }
}

/// Writes the records.
pub(crate) fn run(args: &ExportArgs, out: &mut Out) -> Done {
    let mut texts = Vec::new();
    let mut written = Format::Text;
    for file in &args.files {
        let record = read(file)?;
        let loaded = load(&with_options_of(&args.game, &record), args.engine.to_answer())?;
        if let Some(difference) = other_game(&loaded, &record) {
            return Err(Mistake::new(format!("`{file}`: {difference}")).into());
        }
        let format = Format::chosen(args.to, &loaded)?;
        texts.push(text(format, &loaded, &record)?);
        written = format;
    }
    if out.is_json() {
        out.json(&json!({ "format": written.name(), "games": texts }))?;
    } else {
        out.text(&texts.join("\n"))?;
    }
    Ok(Answer::Yes)
}

fn text(format: Format, loaded: &Loaded, record: &Record) -> Result<String> {
    let walk = Walk::new(loaded, record)?;
    match format {
        Format::Pgn => pgn::text(loaded, record, &walk),
        Format::Sgf => sgf::text(loaded, record, &walk),
        Format::Text => Ok(record.to_string()),
    }
}

/// A record, played through.
struct Walk<'r> {
    /// Where it begins.
    start: Place,
    steps: Vec<Step<'r>>,
    /// Where it ends.
    end: Place,
}

/// A turn of a record.
struct Step<'r> {
    before: Place,
    player: Player,
    name: &'r str,
    comment: Option<&'r str>,
}

impl<'r> Walk<'r> {
    fn new(loaded: &Loaded, record: &'r Record) -> Result<Self> {
        let game = &loaded.game;
        let start = match &record.start {
            Some(text) => place::read(game, text)?,
            None => place::start(game),
        };
        let mut place = start.clone();
        let mut steps = Vec::new();
        for (number, turn) in (1..).zip(&record.turns) {
            let before = place.clone();
            let player = match place.turn(loaded)? {
                Turn::Of(player) => player,
                Turn::Over => Player(0),
                Turn::Joint(_) | Turn::Chance => {
                    let message = "only games in which one player moves at a time can be written";
                    return Err(Mistake::new(message).into());
                }
            };
            place.play(loaded, game, number, &turn.name)?;
            let comment = turn.comment.as_deref();
            steps.push(Step { before, player, name: &turn.name, comment });
        }
        Ok(Self { start, steps, end: place })
    }

    /// What the first player got, 1, 1/2 or 0; nothing if the game was not finished.
    fn points(&self, loaded: &Loaded, record: &Record) -> Result<Option<f64>> {
        if let Some(points) = points(record) {
            return Ok(Some(points.of(0)));
        }
        let Some(ending) = self.end.ending(loaded)? else { return Ok(None) };
        let [first, second] = ending.payoffs.as_slice() else { return Ok(None) };
        Ok(first.utility.partial_cmp(&second.utility).map(|it| match it {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }))
    }
}

/// Why a game ended that the rules did not end.
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
        // Names may be anything: what is said is at the ends, or after one of the two names.
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

/// What a comment says was left on the clock, in seconds.
fn clock_in(comment: &str) -> Option<f64> {
    let said = comment.split_whitespace().find_map(|it| it.strip_prefix("clock="))?;
    said.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0)
}

/// Who played, by number; a question mark if nobody knows.
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
        assert_eq!(Cut::of(&record("draw by the limit of moves")), Some(Cut::Other));
        assert_eq!(Cut::of(&Record::default()), None);
    }

    #[test]
    fn clocks_are_found_in_comments() {
        assert_eq!(clock_in("value=+0.2 time=0.1 clock=59.88"), Some(59.88));
        assert_eq!(clock_in("a clock= of clocks"), None);
        assert_eq!(clock_in("clock=-1"), None);
    }
}
