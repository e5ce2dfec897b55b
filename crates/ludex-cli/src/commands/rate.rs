//! `ludex rate`: ratings from records.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use ludex::error::Context;
use ludex::files::read_text;
use ludex::rating::rate;
use ludex::{Error, Result};
use ludex_core::record::{LONGEST_RECORD, Record};

use crate::commands::replay;
use crate::failure::{Answer, Done};
use crate::output::{Out, note};

/// The folder of a tournament's games.
const GAMES: &str = "games";

/// Arguments of `rate`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex rate club.run
  ludex rate games/*.txt --mean 1500
  ludex rate monday.run tuesday.run --game chess --json

A folder stands for all its records, the folder of a tournament for its games. Ratings are the
maximum-likelihood ratings of the Bradley-Terry model on the Elo scale: 400 points more win
ten times as often. A draw is half a win. The prior is one virtual draw of every player with an
average one, so that a player that won every game has a rating. A game of N players counts as
the games of every two of them, each with the weight 2/N.")]
pub(crate) struct RateArgs {
    /// Records, or folders with records
    #[arg(required = true)]
    files: Vec<String>,

    /// Only games of this name, whatever their options
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Mean of the ratings
    #[arg(long, value_name = "N", default_value_t = 0.0, allow_hyphen_values = true)]
    mean: f64,
}

/// Rates.
pub(crate) fn run(args: &RateArgs, out: &mut Out) -> Done {
    if !args.mean.is_finite() {
        return Err(Error::new("`--mean` is a number"));
    }
    let mut all = Vec::new();
    for file in &args.files {
        all.extend(records(file)?);
    }
    let report = rate(&all, args.game.as_deref(), args.mean)?;
    if report.skipped > 0 {
        let skipped = report.skipped;
        note(format_args!("note: games without a result, or of one player: {skipped}"));
    }
    out.result(&report)?;
    Ok(Answer::Yes)
}

/// The records of a file or a folder.
fn records(file: &str) -> Result<Vec<Record>> {
    let path = Path::new(file);
    if !path.is_dir() {
        return Ok(vec![replay::read(file)?]);
    }
    let games = path.join(GAMES);
    let folder = if games.is_dir() { games } else { path.to_owned() };
    let shown = folder.display().to_string();
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read `{shown}`"))?;
    let mut files = Vec::<PathBuf>::new();
    for entry in entries {
        files.push(entry.with_context(|| format!("cannot read `{shown}`"))?.path());
    }
    files.sort();
    let mut records = Vec::new();
    for path in files.iter().filter(|it| it.extension().is_some_and(|it| it == "txt")) {
        match Record::parse(&read_text(path, LONGEST_RECORD as u64)?) {
            Ok(record) => records.push(record),
            Err(error) => note(format_args!("note: `{}`: {}", path.display(), error.message)),
        }
    }
    Ok(records)
}
