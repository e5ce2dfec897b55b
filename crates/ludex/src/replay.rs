//! Replays records: does a recorded game follow the rules?

use std::fmt;
use std::path::Path;

use ludex_arena::record::END_TAG;
use ludex_core::record::{Record, Replayed, replay, result_text};
use ludex_core::{Game, Position, State, Trail};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::{Ending, count, names};
use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;

/// Whether a record follows the rules: `ludex.replay/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    /// `ludex.replay/1`.
    pub schema: Schema<1>,
    /// Whether it does.
    pub ok: bool,
    /// Where and how it differs from the rules.
    pub difference: Option<String>,
    /// How the game ended by the rules.
    pub result: Option<String>,
    /// The score of each player then.
    pub scores: Option<Vec<i64>>,
    /// How the game ended otherwise: by resignation, on time.
    pub agreed: Option<String>,
    /// The last position that it reaches by the rules.
    pub position: String,
    /// How many of its moves could be played.
    pub moves: usize,
}

/// As a person reads it.
impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.difference {
            Some(difference) => writeln!(f, "differs: {difference}")?,
            None => writeln!(f, "ok: {}", count(self.moves as i64, "move"))?,
        }
        writeln!(f, "position: {}", self.position)?;
        match (&self.result, &self.agreed) {
            (Some(result), _) => writeln!(f, "result: {result}"),
            (None, Some(agreed)) => writeln!(f, "result: {agreed} (agreed)"),
            (None, None) => writeln!(f, "result: goes on"),
        }
    }
}

/// Reads the text of a record, which messages call `name`.
pub fn parse(text: &str, name: &str) -> Result<Record> {
    Record::parse(text).map_err(|error| {
        let message = format!("`{name}`: {}", error.message);
        Error::with_nearest(message, error.nearest.as_deref())
    })
}

/// The game as asked for; with the options of the record if none were asked for.
pub fn with_options_of(asked: &str, record: &Record) -> String {
    match record.game.rsplit_once(':') {
        Some((name, options)) if !asked.contains(':') && stem(name) == stem(asked) => {
            format!("{asked}:{options}")
        }
        _ => asked.to_owned(),
    }
}

/// A game's name without options, directory and ending.
fn stem(spec: &str) -> &str {
    let name = spec.rsplit_once(':').map_or(spec, |(name, _)| name);
    Path::new(name).file_stem().and_then(|it| it.to_str()).unwrap_or(name)
}

/// Replays a record.
pub fn check(loaded: &LoadedGame, record: &Record) -> ReplayReport {
    match replay(&loaded.game, record) {
        Ok(replayed) => {
            let ending = ending(loaded, &replayed);
            let difference =
                other_game(loaded, record).or_else(|| other_result(record, ending.as_ref()));
            let reached = (replayed.position, record.turns.len());
            report(loaded, record, difference, reached, ending)
        }
        Err(error) => {
            let moves = error.number.saturating_sub(1).min(record.turns.len());
            let mut good = record.clone();
            good.turns.truncate(moves);
            let replayed = replay(&loaded.game, &good).ok();
            let ending = replayed.as_ref().and_then(|it| self::ending(loaded, it));
            let position = replayed.map_or_else(|| loaded.game.start(), |it| it.position);
            report(loaded, record, Some(error.to_string()), (position, moves), ending)
        }
    }
}

fn report(
    loaded: &LoadedGame,
    record: &Record,
    difference: Option<String>,
    (position, moves): (Position, usize),
    ending: Option<Ending>,
) -> ReplayReport {
    ReplayReport {
        schema: Schema::of("replay"),
        ok: difference.is_none(),
        difference,
        agreed: agreed(record, ending.as_ref()),
        scores: ending.as_ref().map(Ending::scores),
        result: ending.map(|it| it.text),
        position: loaded.game.write(&position.state),
        moves,
    }
}

/// How a game ended that the rules did not end.
fn agreed(record: &Record, ending: Option<&Ending>) -> Option<String> {
    let result = record.result.clone().filter(|_| ending.is_none())?;
    let (_, how) = record.tags.iter().find(|(key, _)| key == END_TAG)?;
    Some(format!("{result}, {how}"))
}

fn ending(loaded: &LoadedGame, replayed: &Replayed<State, Trail>) -> Option<Ending> {
    let payoffs = &replayed.payoffs;
    (!payoffs.is_empty()).then(|| Ending::new(&names(&loaded.game), payoffs.clone()))
}

/// Whether the record was made with another text of the rules.
pub fn has_other_rules(loaded: &LoadedGame, record: &Record) -> bool {
    let rules = format!("{:016x}", loaded.source.hash());
    record.rules.as_ref().is_some_and(|it| *it != rules)
}

/// What is wrong if the record is of another game.
pub fn other_game(loaded: &LoadedGame, record: &Record) -> Option<String> {
    let source = &loaded.source;
    let (_, options) = record.game.rsplit_once(':').unwrap_or((&record.game, ""));
    let same = stem(&record.game) == stem(&source.name) && options == source.options;
    (!same).then(|| format!("the record is of `{}`, not of `{}`", record.game, source.spec()))
}

/// Whether the record has another result than the rules.
fn other_result(record: &Record, ending: Option<&Ending>) -> Option<String> {
    let claimed = record.result.as_ref()?;
    // Players may resign or run out of time: then the rules have nothing to say.
    let cut_short = record.tags.iter().any(|(key, _)| key == END_TAG);
    let actual = match ending {
        Some(ending) => result_text(&ending.payoffs),
        None if cut_short => return None,
        None => "no result yet".to_owned(),
    };
    (*claimed != actual)
        .then(|| format!("the record has the result `{claimed}`, the rules {actual}"))
}
