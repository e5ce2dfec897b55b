//! `ludex check`: is a rules file right?
//!
//! ```text
//! text ──> compile ──> errors, warnings
//!             ├─> promises of the file (facts) ──> kept or broken
//!             └─> random games (sample) ──> faults, doubtful things, statistics
//!
//! player ──> compile with its game ──> errors, warnings
//!             └─> games against a random player (trial) ──> faults, speed
//!
//! goal ──> compile with its game ──> errors, and random games until it is reached
//! ```

mod facts;
mod report;
mod sample;
mod trial;

use std::time::{Duration, Instant};

use clap::Args;
use ludex::game::LoadedGame;
use ludex::players::PlayerSpec;
use ludex::players::file::{self, PlayerFile};
use ludex::source::Source;
use ludex::{Error, Result, goal};
use ludex_rules::compile;
use report::Report;
use sample::Plan;

use crate::args::{EngineArgs, duration};
use crate::failure::{Answer, Done};
use crate::output::Out;
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
its speed is told. Exit code 1 if there are errors, 0 if there are only warnings or notes.")]
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
    interrupt::listen();
    let mut answer = Answer::Yes;
    let mut unread: Option<Error> = None;
    for file in &args.files {
        match check(file, args) {
            Ok(report) => {
                report.print(out)?;
                if report.has_errors() {
                    answer = Answer::No;
                }
            }
            // A file that cannot be read is told of, and the others are checked all the same.
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

/// Everything there is to say about one file.
fn check(spec: &str, args: &CheckArgs) -> Result<Report> {
    let source = Source::find(spec).or_else(|error| file::find_bundled(spec).ok_or(error))?;
    if let Some(game) = file::game_of(&source) {
        let is_goal = goal::is_goal(&source.text);
        let check = if is_goal { check_goal } else { check_player };
        return check(source, &game, args);
    }
    let compiled = compile(&source.text, &source.options);
    let mut report = Report::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(report);
    }
    let loaded = LoadedGame::build(source, compiled, args.engine.to_play())?;
    let plan = Plan { games: args.games, time: args.time, plies: args.plies, seed: args.seed };
    facts::check(&loaded, Instant::now() + args.time / 2, &mut report);
    sample::play(&loaded, &plan, &mut report);
    Ok(report)
}

/// Everything there is to say about a goal. Options are those of its game.
fn check_goal(source: Source, game: &str, args: &CheckArgs) -> Result<Report> {
    let mut rules = file::rules_of(&source, game)?;
    rules.options.clone_from(&source.options);
    let compiled = goal::compile(&rules, &source)?;
    let mut report = Report::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(report);
    }
    let loaded = LoadedGame::build_goal(source, compiled, rules, args.engine.to_play())?;
    let plan = Plan { games: args.games, time: args.time, plies: args.plies, seed: args.seed };
    sample::play(&loaded, &plan, &mut report);
    Ok(report)
}

/// Everything there is to say about a player file. Options are those of its game.
fn check_player(source: Source, game: &str, args: &CheckArgs) -> Result<Report> {
    let mut rules = file::rules_of(&source, game)?;
    rules.options.clone_from(&source.options);
    let compiled = compile(&rules.text, &rules.options);
    let game = LoadedGame::build(rules, compiled, args.engine.to_play())?;
    let compiled = file::compile(&source, &game);
    let mut report = Report::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(report);
    }
    let player = PlayerFile::build(source, compiled, &game)?;
    let plan = trial::Plan { time: args.time, plies: args.plies, seed: args.seed };
    let recipe = PlayerSpec::of_file(player.clone(), "")?;
    trial::play(&recipe, player.engine(), &game, &plan, &mut report)?;
    Ok(report)
}
