//! `ludex check`: is a rules file right?

use std::time::Duration;

use clap::Args;
use ludex::check::{CheckRequest, check};
use ludex::{Error, Result};

use crate::args::{EngineArgs, duration};
use crate::failure::{Answer, Done};
use crate::output::{Out, colour, note};
use crate::{failure, interrupt};

/// Arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex check my.game
  ludex check my.game:9 --games 1000 --time 20s
  ludex check players/phutball/platon.player
  ludex check games/*.game --json

The promises of an `expect` block are tried where that is quick, then random games are
played. A player file plays a few quick games against a player that moves at random, and
its speed is measured. Exit code 1 if there are errors, 0 if there are only warnings or notes.")]
pub(crate) struct CheckArgs {
    /// Rules files, player files or names of bundled games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,

    /// How long to play them at most
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    time: Duration,

    /// How many moves a random game may have
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    plies: u32,

    /// Seed of the random games
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Checks the files one after the other.
pub(crate) fn run(args: &CheckArgs, out: &mut Out) -> Done {
    let mut answer = Answer::Yes;
    let mut unread: Option<Error> = None;
    for file in &args.files {
        match check_file(file, args, out) {
            Ok(true) => {}
            Ok(false) => answer = Answer::No,
            Err(error @ Error::Io { .. }) => return Err(error),
            // A file that cannot be read is reported, and the others are checked all the same.
            Err(error) => {
                if let Some(earlier) = unread.replace(error) {
                    failure::report(&earlier);
                }
            }
        }
        if interrupt::happened() {
            return Ok(Answer::Interrupted);
        }
    }
    unread.map_or(Ok(answer), Err)
}

/// Checks a file and prints the report: whether it is right.
fn check_file(file: &str, args: &CheckArgs, out: &mut Out) -> Result<bool> {
    let CheckArgs { games, time, plies, seed, .. } = *args;
    let request = CheckRequest { games, time, plies, seed, engine: args.engine.to_play() };
    let report = check(file, &request, interrupt::token())?;
    if !out.is_json() {
        report.diagnostics(colour()).iter().for_each(note);
    }
    out.result(&report)?;
    Ok(!report.has_errors())
}
