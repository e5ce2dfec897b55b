//! `ludex perft`: how many sequences of moves there are.

use clap::Args;
use ludex::Result;
use ludex::game::LoadedGame;
use ludex::perft::{DivideEvent, Root, compare, count, divide};
use ludex_core::Position;

use crate::args::PositionArgs;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{load, reach};
use crate::output::Out;
use crate::progress::spinner;

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
    position: PositionArgs,

    /// How many moves deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,

    /// Count the sequences that begin with each move
    #[arg(long)]
    divide: bool,

    /// End games by repetition and by counts of moves, as in play
    #[arg(long)]
    played: bool,

    /// Compare with another game, move by move
    #[arg(long, value_name = "OTHER", conflicts_with = "divide")]
    against: Option<String>,
}

/// Counts.
pub(crate) fn run(args: &PerftArgs, out: &mut Out) -> Done {
    let (loaded, position) = open(args, &args.position.game.game)?;
    let stop = interrupt::token();
    let root = Root { game: &loaded, position: &position, stop };
    if let Some(other) = &args.against {
        let (game, position) = open(args, other)?;
        let there = Root { game: &game, position: &position, stop };
        let Some(comparison) = compare(root, there, args.depth)? else {
            return Ok(Answer::Interrupted);
        };
        out.result(&comparison)?;
        return Ok(if comparison.equal { Answer::Yes } else { Answer::No });
    }
    if args.divide {
        print_parts(root, args.depth, out)
    } else {
        print_depths(root, args.depth, out)
    }
}

/// The game and the position to count from.
fn open(args: &PerftArgs, spec: &str) -> Result<(LoadedGame, Position)> {
    let loaded = load(spec, args.position.game.engine.to_play())?.with_adjudication(args.played);
    let position = reach(&loaded, &args.position.from)?;
    Ok((loaded, position))
}

/// Prints depth after depth.
fn print_depths(root: Root<'_>, depth: u32, out: &mut Out) -> Done {
    let progress = spinner();
    progress.set_message("depth 1");
    if !out.is_json() {
        out.line(format_args!("{:>5} {:>20} {:>12}", "depth", "count", "seconds"))?;
    }
    let report = count(root, depth, &mut |it| {
        progress.set_message(format!("depth {}", it.depth + 1));
        if !out.is_json() {
            progress.suspend(|| out.line(it))?;
        }
        Ok(())
    })?;
    if out.is_json() {
        out.json(&report)?;
    } else {
        let (rate, engine) = (report.nodes_per_second, &report.engine);
        out.line(format_args!("{rate:.0} per second, {engine}"))?;
    }
    Ok(if report.interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Prints the parts as they are counted, then their sum.
fn print_parts(root: Root<'_>, depth: u32, out: &mut Out) -> Done {
    let progress = spinner();
    let report = divide(root, depth, &mut |event| {
        match event {
            DivideEvent::Begins(name) => progress.set_message(name.to_owned()),
            DivideEvent::Counted(part) if !out.is_json() => {
                progress.suspend(|| out.line(part))?;
            }
            DivideEvent::Counted(_) => {}
        }
        Ok(())
    })?;
    if out.is_json() {
        out.json(&report)?;
    } else if !report.interrupted {
        let total = report.counts.last().copied().unwrap_or(0);
        out.line(format_args!("{:<10} {total:>20}", "total"))?;
    }
    Ok(if report.interrupted { Answer::Interrupted } else { Answer::Yes })
}
