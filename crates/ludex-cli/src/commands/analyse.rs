//! `ludex analyse`: searches a position and shows the best lines.
//!
//! Improvements are shown as they are found: on standard error for people, as lines of JSON for
//! programs. The answer itself comes last, on standard output, also after Ctrl-C.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludex::analysis::{AnalysedLine, Analysis, AnalysisRequest, Event, start};
use ludex::files::write_whole;
use ludex::game::LoadedGame;
use ludex::{Error, Result, search_tree};
use ludex_core::Position;

use crate::args::{PlayerArgs, PositionArgs, SearchArgs, usual_time};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::open_with;
use crate::output::{Out, note};
use crate::progress::spinner;

/// The time where none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// A shorter preparation, in seconds, is not reported.
const NOTICED: f64 = 0.1;

/// The depth of a drawn tree where none is given.
const DEFAULT_DEPTH: u32 = 2;

/// The moves of a line that are shown on a row of text.
const SHOWN_MOVES: usize = 12;

/// Arguments of `analyse`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("5s")),
    after_help = "\
Examples:
  ludex analyse chess --time 10s --lines 3
  ludex analyse connect4 --moves 'd1 d2 d3' --player uct:c=0.7 --nodes 100000
  ludex analyse othello --json | tail -n 1 | jq .best
  ludex analyse othello --player players/othello/table.player:depth=6
  ludex analyse breakthrough -v --threads 2
  ludex analyse tictactoe --moves 'b2 a1 b1' --tree tree.svg --depth 2

Values are for the player to move, from -1 (lost) to 1 (won); proved results are shown apart
from values. Improvements go to standard error, the answer to standard output; with --json there
is an object on each line, the last one the answer (`final` is true). Ctrl-C ends the search, and
the best move found is the answer.

Some players prepare first: `auto` and `alphabeta` measure the game in games with themselves. That
takes up to 10 s and is not counted in --time. With --nodes it is part of the search, and the
answer is the same every time.

Players that search by depth score the best move only; the values of the others are upper bounds,
marked with ≤. `alphabeta:lines=3` scores three.

--tree draws what plain alpha-beta does to --depth plies (2 by default), with the values of all
positions and the branches that were cut; trees of more than 600 positions are refused."
)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    search: SearchArgs,

    /// How many moves to show, the best first
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,

    /// Draw the tree of a small alpha-beta search into this file instead
    #[arg(long, value_name = "FILE.svg")]
    tree: Option<PathBuf>,
}

/// Searches.
pub(crate) fn run(args: &AnalyseArgs, out: &mut Out) -> Done {
    let (loaded, position) = open_with(&args.position, args.position.game.engine.to_play())?;
    if loaded.ending(&position)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    if let Some(file) = &args.tree {
        return draw_tree(&loaded, &position, args.search.depth, file, out);
    }
    let limits = args.search.limits(None);
    let request = AnalysisRequest {
        position,
        player: args.player.spec().to_owned(),
        options: args.search.options(),
        limits,
        usual_time: Some(DEFAULT_TIME),
        lines: usize::from(args.lines),
    };
    let progress = spinner();
    progress.set_message("preparing");
    let running = start(Arc::new(loaded), request, interrupt::token().clone())?;
    let mut done = Err(Error::Stopped);
    for event in running {
        progress.finish_and_clear();
        match event {
            Event::Ready { description, seconds } => print_ready(args, &description, seconds),
            Event::Improved(analysis) | Event::Proved(analysis) => {
                print_improvement(&analysis, out)?;
            }
            Event::Progress { .. } => {}
            Event::Done(analysis) => done = analysis,
        }
    }
    let analysis = done?;
    if args.player.verbose {
        let description = analysis.description.as_deref().unwrap_or_default();
        note(format_args!("{}: {description}", args.player.spec()));
    }
    print_answer(&analysis, out)?;
    Ok(if analysis.interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Reports how long the player took to prepare, where that was noticed.
fn print_ready(args: &AnalyseArgs, description: &str, seconds: f64) {
    if seconds >= NOTICED && (args.player.verbose || io::stderr().is_terminal()) {
        note(format_args!("ready after {seconds:.1} s: {description}"));
    }
}

/// Prints an improvement.
fn print_improvement(analysis: &Analysis, out: &mut Out) -> Result<()> {
    if out.is_json() {
        out.json(analysis)?;
    } else if let Some(line) = analysis.lines.first() {
        let depth =
            if analysis.depth > 0 { format!("{:>3} ", analysis.depth) } else { String::new() };
        note(format_args!(
            "{:>8.2} s {depth}{:>12} nodes {} {:<8} {}",
            analysis.seconds,
            analysis.nodes,
            line.value_text(),
            line.proved_text(),
            pv_text(line),
        ));
    }
    Ok(())
}

/// Prints the answer.
fn print_answer(analysis: &Analysis, out: &mut Out) -> Result<()> {
    if out.is_json() {
        return Ok(out.json(analysis)?);
    }
    let Some(best) = &analysis.best else {
        return Err(Error::new("the player has found no move"));
    };
    out.line(format_args!("best: {best}"))?;
    for line in &analysis.lines {
        let (value, proved) = (line.value_text(), line.proved_text());
        out.line(format_args!("{value} {proved:<10} {}", pv_text(line)))?;
    }
    out.line(format_args!("{} nodes in {:.2} s", analysis.nodes, analysis.seconds))?;
    Ok(())
}

/// The first moves of a line.
fn pv_text(line: &AnalysedLine) -> String {
    line.pv[..line.pv.len().min(SHOWN_MOVES)].join(" ")
}

/// Draws the tree of a small alpha-beta search into a file.
fn draw_tree(
    loaded: &LoadedGame,
    position: &Position,
    depth: Option<u32>,
    file: &Path,
    out: &mut Out,
) -> Done {
    let tree = search_tree::draw(loaded, position, depth.unwrap_or(DEFAULT_DEPTH))?;
    write_whole(file, &tree.svg)?;
    let file = file.display().to_string();
    if out.is_json() {
        let value = serde_json::to_value(&tree).map_err(std::io::Error::from)?;
        let mut value = value.as_object().cloned().unwrap_or_default();
        value.remove("svg");
        value.insert("file".to_owned(), file.into());
        out.json(&value)?;
    } else {
        out.line(&tree)?;
        out.line(format_args!("{} positions and {} cuts in `{file}`", tree.nodes, tree.cut))?;
    }
    Ok(Answer::Yes)
}
