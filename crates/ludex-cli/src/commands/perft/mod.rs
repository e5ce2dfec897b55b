//! `ludex perft`: how many sequences of moves there are.
//!
//! Depths are counted one after the other, so that there is something to show
//! from the start and when Ctrl-C is pressed.

mod against;
mod divide;

use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use ludex::clock::{RealClock, per_second};
use ludex::game::LoadedGame;
use ludex::stoppable::{Stoppable, was_stopped};
use ludex::{EngineKind, Result};
use ludex_core::Position;
use ludex_core::perft::perft;
use ludex_jit::CompiledGame;
use serde_json::{Value, json};

use crate::args::PlaceArgs;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{load, reach};
use crate::output::Out;

/// Arguments of `perft`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex perft chess 4
  ludex perft chess 3 --divide --moves 'e2e4'
  ludex perft breakthrough:6,6 5 --json
  ludex perft chess 3 --against ./my-chess.game
  ludex perft chess 4 --engine interpreter

A whole turn is one move. Draws by repetition, by move count and by bare material
are not counted as ends unless --played says so.")]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    place: PlaceArgs,

    /// How many moves deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,

    /// Tell how many sequences begin with each move
    #[arg(long)]
    divide: bool,

    /// End games by repetition and by counts of moves, as in play
    #[arg(long)]
    played: bool,

    /// Compare with another game, move by move
    #[arg(long, value_name = "OTHER", conflicts_with = "divide")]
    against: Option<String>,
}

/// One of the positions that are counted from.
struct Root {
    loaded: LoadedGame,
    game: CompiledGame,
    place: Position,
}

impl Root {
    fn new(args: &PerftArgs, spec: &str) -> Result<Self> {
        let loaded = load(spec, args.place.game.engine.to_play())?;
        let loaded = loaded.with_adjudication(args.played);
        let game = loaded.game.clone();
        let place = reach(&loaded, &args.place.from)?;
        Ok(Self { loaded, game, place })
    }

    /// The game, which stops when Ctrl-C is pressed.
    fn watched(&self) -> Stoppable<'_, CompiledGame> {
        Stoppable { game: &self.game, stop: interrupt::listen(), until: None }
    }
}

/// Counts.
pub(crate) fn run(args: &PerftArgs, out: &mut Out) -> Done {
    let root = Root::new(args, &args.place.game.game)?;
    if let Some(other) = &args.against {
        return against::run(&root, &Root::new(args, other)?, args.depth, out);
    }
    if args.divide {
        return divide::run(&root, args.depth, out);
    }
    let mut report = Report::default();
    if !out.is_json() {
        out.line(format_args!("{:>5} {:>20} {:>12}", "depth", "count", "seconds"))?;
    }
    let answer = count(&root, args.depth, &mut report, out)?;
    if out.is_json() {
        out.json(&report.as_json(&root, answer))?;
    } else {
        let engine = EngineKind::of(&root.game).name();
        out.line(format_args!("{:.0} per second, {engine}", report.rate()))?;
    }
    Ok(answer)
}

/// What has been counted so far.
#[derive(Debug, Default)]
struct Report {
    counts: Vec<u64>,
    /// How long the last depth took.
    last: f64,
    /// How long everything took.
    seconds: f64,
}

impl Report {
    /// Positions counted in a second at the last depth.
    fn rate(&self) -> f64 {
        per_second(self.counts.last().copied().unwrap_or(0), self.last)
    }

    fn as_json(&self, root: &Root, answer: Answer) -> Value {
        let mut value = json!({
            "counts": self.counts,
            "nodes_per_second": self.rate(),
            "seconds": self.seconds,
            "engine": EngineKind::of(&root.game).name(),
        });
        if answer == Answer::Interrupted {
            value["interrupted"] = json!(true);
        }
        value
    }
}

/// Counts depth after depth, until Ctrl-C is pressed.
fn count(root: &Root, depth: u32, report: &mut Report, out: &mut Out) -> Done {
    let position = &root.place;
    let game = root.watched();
    let progress = spinner();
    for depth in 1..=depth {
        progress.set_message(format!("depth {depth}"));
        let clock = RealClock::start();
        // Once no game is so long, no game is longer.
        let count = match report.counts.last() {
            Some(0) => Ok(0),
            _ => perft(&game, position, depth),
        };
        let seconds = clock.seconds();
        report.seconds += seconds;
        match count {
            Ok(count) => {
                report.counts.push(count);
                report.last = seconds;
            }
            Err(fault) if was_stopped(&fault) => return Ok(Answer::Interrupted),
            Err(fault) => return Err(root.loaded.blame(fault)),
        }
        if !out.is_json() {
            let count = report.counts[report.counts.len() - 1];
            let row = format!("{depth:>5} {count:>20} {seconds:>12.3}");
            progress.suspend(|| out.line(row))?;
        }
    }
    Ok(Answer::Yes)
}

/// Something that moves while one waits, on a terminal only.
pub(crate) fn spinner() -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}
