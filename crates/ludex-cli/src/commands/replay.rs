//! `ludex replay`: is a record right?

use std::io;
use std::path::Path;

use clap::Args;
use ludex::ending::{Ending, count, names};
use ludex::files::{read_limited, read_text};
use ludex::game::LoadedGame;
use ludex::{Error, Result};
use ludex_core::record::{LONGEST_RECORD, Record, Replayed, replay, result_text};
use ludex_core::{Game, State, Trail};
use serde_json::json;

use crate::args::EngineArgs;
use crate::failure::{Answer, Done};
use crate::open::load;
use crate::output::{Out, note};

/// The header that says why a game ended before its end by the rules.
pub(crate) const END_TAG: &str = "end";

/// Arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex replay chess game.txt
  ludex replay hex:11 - < game.txt

Exit code 1 if the record does not follow the rules. A record is lines of
`key: value`, an empty line, and the moves, as `ludex play` saves it.")]
pub(crate) struct ReplayArgs {
    /// A bundled game with its options, or a rules file
    game: String,

    /// The record; `-` is standard input
    file: String,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Plays a record through.
pub(crate) fn run(args: &ReplayArgs, out: &mut Out) -> Done {
    let record = read(&args.file)?;
    let loaded = load(&with_options_of(&args.game, &record), args.engine.to_answer())?;
    let checked = check(&loaded, &record);
    let position = loaded.game.write(&checked.state);
    let agreed = agreed(&record, checked.ending.as_ref());
    if out.is_json() {
        out.json(&json!({
            "ok": checked.difference.is_none(),
            "difference": checked.difference,
            "result": checked.ending.as_ref().map(|it| &it.text),
            "scores": checked.ending.as_ref().map(Ending::scores),
            "agreed": agreed,
            "position": position,
            "moves": checked.moves,
        }))?;
    } else {
        if let Some(difference) = &checked.difference {
            out.line(format_args!("differs: {difference}"))?;
        } else {
            out.line(format_args!("ok: {}", count(checked.moves as i64, "move")))?;
        }
        out.line(format_args!("position: {position}"))?;
        let open = || agreed.map_or_else(|| "goes on".to_owned(), |it| format!("{it} (agreed)"));
        let result = checked.ending.map_or_else(open, |it| it.text);
        out.line(format_args!("result: {result}"))?;
    }
    Ok(if checked.difference.is_none() { Answer::Yes } else { Answer::No })
}

/// How a game ended that the rules did not end: by resignation, on time.
fn agreed(record: &Record, ending: Option<&Ending>) -> Option<String> {
    let result = record.result.clone().filter(|_| ending.is_none())?;
    let (_, how) = record.tags.iter().find(|(key, _)| key == "end")?;
    Some(format!("{result}, {how}"))
}

/// Reads a record from a file or from standard input.
pub(crate) fn read(file: &str) -> Result<Record> {
    let limit = LONGEST_RECORD as u64;
    let text = match file {
        "-" => read_limited(io::stdin().lock(), limit, "standard input")?,
        _ => read_text(Path::new(file), limit)?,
    };
    Record::parse(&text).map_err(|error| {
        let help = error.nearest.map(|it| format!("did you mean `{it}`?"));
        Error::Input { message: format!("`{file}`: {}", error.message), help }.into()
    })
}

/// The game as asked for; with the options of the record if none were asked for.
pub(crate) fn with_options_of(asked: &str, record: &Record) -> String {
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

/// What came of playing a record through.
struct Checked {
    /// What is wrong with it, if anything.
    difference: Option<String>,
    /// The last position that it reaches by the rules.
    state: State,
    /// How many of its moves could be played.
    moves: usize,
    /// How the game ended there, if it did.
    ending: Option<Ending>,
}

fn check(loaded: &LoadedGame, record: &Record) -> Checked {
    match replay(&loaded.game, record) {
        Ok(replayed) => {
            let ending = ending(loaded, &replayed);
            let difference =
                other_game(loaded, record).or_else(|| other_result(record, ending.as_ref()));
            Checked {
                difference,
                state: replayed.position.state,
                moves: record.turns.len(),
                ending,
            }
        }
        Err(error) => {
            let moves = error.number.saturating_sub(1).min(record.turns.len());
            let mut good = record.clone();
            good.turns.truncate(moves);
            let reached = replay(&loaded.game, &good).ok();
            let ending = reached.as_ref().and_then(|it| self::ending(loaded, it));
            let state = reached.map_or_else(|| loaded.game.start().state, |it| it.position.state);
            Checked { difference: Some(error.to_string()), state, moves, ending }
        }
    }
}

fn ending(loaded: &LoadedGame, replayed: &Replayed<State, Trail>) -> Option<Ending> {
    let payoffs = &replayed.payoffs;
    (!payoffs.is_empty()).then(|| Ending::new(&names(&loaded.game), payoffs.clone()))
}

/// Whether the record is of another game.
pub(crate) fn other_game(loaded: &LoadedGame, record: &Record) -> Option<String> {
    let source = &loaded.source;
    let rules = format!("{:016x}", source.hash());
    if record.rules.as_ref().is_some_and(|it| *it != rules) {
        note("note: the record was made with another text of the rules");
    }
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
