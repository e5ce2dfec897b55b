//! `ludex analyse`: thinks about a position and tells what it comes to.
//!
//! Improvements are told as they are found: on standard error for people, as lines of JSON for
//! programs. The answer itself comes last, on standard output, also after Ctrl-C.

mod tree;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludex::analysis::{AnalysedLine, Analysis, AnalysisRequest, Event, start};
use ludex::{Error, Result};

use crate::args::{PlaceArgs, PlayerArgs, ThinkArgs, usual_time};
use crate::commands::perft::spinner;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::open_with;
use crate::output::{Out, note};

/// How long to think when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Who was ready sooner has not kept anybody waiting.
const NOTICED: f64 = 0.1;

/// So many moves of a line are shown on one row of text.
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

Values are for the player to move, from -1 (lost) to 1 (won); what is proved is said
apart from what is believed. Improvements go to standard error, the answer to standard
output; with --json there is an object on each line, the last one the answer
(`final` is true). Ctrl-C ends the thinking, and the best so far is the answer.

Getting to know the game, which some players do first (`auto` and `alphabeta` learn from games
with themselves), takes up to 10 s and is not counted in --time. With --nodes it is part of the
thinking, done whole, and the answer is the same every time.

Players that look ahead by depth judge the best move only; what they say of the others is
how good they are at most, marked with ≤. `alphabeta:lines=3` judges three.

--tree draws what plain alpha-beta does to --depth plies (2 by default), with the values
of all positions and the branches that were cut; larger trees than a few hundred
positions are refused."
)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    think: ThinkArgs,

    /// How many moves to tell about, the best first
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,

    /// Draw the tree of a small alpha-beta search into this file instead
    #[arg(long, value_name = "FILE.svg")]
    tree: Option<PathBuf>,
}

/// Thinks.
pub(crate) fn run(args: &AnalyseArgs, out: &mut Out) -> Done {
    let (loaded, place) = open_with(&args.place, args.place.game.engine.to_play())?;
    if loaded.ending(&place)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    if let Some(file) = &args.tree {
        return tree::run(&loaded, &place, args.think.depth, file, out);
    }
    let limits = args.think.limits(None);
    let request = AnalysisRequest {
        position: place,
        player: args.player.spec().to_owned(),
        means: args.think.means(),
        limits,
        usual_time: Some(DEFAULT_TIME),
        lines: usize::from(args.lines),
    };
    let progress = spinner();
    progress.set_message("getting to know the game");
    let running = start(Arc::new(loaded), request, interrupt::token().clone())?;
    let mut done = Err(Error::Stopped);
    for event in running {
        progress.finish_and_clear();
        match event {
            Event::Ready { description, seconds } => tell_ready(args, &description, seconds),
            Event::Improved(analysis) | Event::Proved(analysis) => tell(&analysis, out)?,
            Event::Progress { .. } => {}
            Event::Done(analysis) => done = analysis,
        }
    }
    let analysis = done?;
    if args.player.verbose {
        let description = analysis.description.as_deref().unwrap_or_default();
        note(format_args!("{}: {description}", args.player.spec()));
    }
    answer(&analysis, out)?;
    Ok(if analysis.interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Tells how long the player took to learn about the game, where that was noticed.
fn tell_ready(args: &AnalyseArgs, description: &str, seconds: f64) {
    if seconds >= NOTICED && (args.player.verbose || io::stderr().is_terminal()) {
        note(format_args!("ready after {seconds:.1} s: {description}"));
    }
}

/// Tells an improvement.
fn tell(analysis: &Analysis, out: &mut Out) -> Result<()> {
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

/// Tells what came of it all.
fn answer(analysis: &Analysis, out: &mut Out) -> Result<()> {
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
