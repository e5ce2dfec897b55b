//! `ludex analyse`: thinks about a position and tells what it comes to.
//!
//! Improvements are told as they are found: on standard error for people, as lines of JSON for
//! programs. The answer itself comes last, on standard output, also after Ctrl-C.

mod tree;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use ludex_core::{Budget, Game};
use ludex_search::{Limits, Task};
use serde_json::json;

use crate::args::{PlaceArgs, ThinkArgs, usual_time};
use crate::clock::RealClock;
use crate::failure::{Answer, Done, Mistake};
use crate::interrupt;
use crate::load::Loaded;
use crate::output::{Out, note};
use crate::place::{Place, open_with};
use crate::players::{Thinker, make};
use crate::thinking::{PlayerArgs, Thought, names, prepare, proved_text, thought_json, value_text};
use crate::verbs::perft::spinner;

/// How long to think when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// How long a player may take to get to know the game, before its time begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(10);

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
    if place.ending(&loaded)?.is_some() {
        return Err(Mistake::new("the game is over in this position").into());
    }
    if let Some(file) = &args.tree {
        return tree::run(&loaded, &place, args.think.depth, file, out);
    }
    let mut player = make(args.player.spec(), args.think.means(), &loaded)?;
    get_ready(&mut player, &loaded, args)?;
    let budget = Budget {
        nodes: args.think.nodes,
        time: player.time_or(&args.think, DEFAULT_TIME),
        depth: args.think.depth,
        stop: Some(interrupt::listen()),
    };
    let mut told = Ok(());
    let mut watch = |thought: &Thought| {
        // Who does not read any more is noticed when the answer is written.
        told = tell(&loaded, &place, args, thought, out);
    };
    let Place { state, trail } = &place;
    let task = Task { game: &loaded.game, state, trail };
    let mut limits = Limits { budget, clock: &RealClock::start(), watch: &mut watch };
    let thought = player.think(task, &mut limits).map_err(|it| player.blame(&loaded, it))?;
    told?;
    if args.player.verbose {
        note(format_args!("{}: {}", args.player.spec(), player.describe()));
    }
    answer(&loaded, &place, args, &thought, &player.describe(), out)?;
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Lets the player get to know the game. Its time begins after that.
fn get_ready(player: &mut Thinker, loaded: &Loaded, args: &AnalyseArgs) -> Result<()> {
    if !player.is_timed(&args.think) {
        return Ok(());
    }
    let (clock, progress) = (RealClock::start(), spinner());
    progress.set_message("getting to know the game");
    let ready = prepare(player, &loaded.game, TIME_TO_PREPARE, interrupt::listen());
    progress.finish_and_clear();
    ready.map_err(|it| player.blame(loaded, it))?;
    let seconds = clock.seconds();
    if seconds >= NOTICED && (args.player.verbose || io::stderr().is_terminal()) {
        note(format_args!("ready after {seconds:.1} s: {}", player.describe()));
    }
    Ok(())
}

/// Tells an improvement.
fn tell(
    loaded: &Loaded,
    place: &Place,
    args: &AnalyseArgs,
    thought: &Thought,
    out: &mut Out,
) -> Result<()> {
    let Place { state, trail } = place;
    if out.is_json() {
        let mut value = thought_json(&loaded.game, state, trail, thought, usize::from(args.lines));
        value["final"] = json!(false);
        out.json(&value)?;
    } else if let Some(line) = thought.lines.first() {
        let pv = names(&loaded.game, state, trail, &line.pv);
        let pv = pv[..pv.len().min(SHOWN_MOVES)].join(" ");
        let depth =
            if thought.depth > 0 { format!("{:>3} ", thought.depth) } else { String::new() };
        let seconds = thought.elapsed.as_secs_f64();
        note(format_args!(
            "{seconds:>8.2} s {depth}{:>12} nodes {} {:<8} {pv}",
            thought.nodes,
            value_text(line),
            proved_text(line.proved),
        ));
    }
    Ok(())
}

/// Tells what came of it all.
fn answer(
    loaded: &Loaded,
    place: &Place,
    args: &AnalyseArgs,
    thought: &Thought,
    description: &str,
    out: &mut Out,
) -> Result<()> {
    let Place { state, trail } = place;
    let game = &loaded.game;
    let lines = usize::from(args.lines);
    if out.is_json() {
        let mut value = thought_json(game, state, trail, thought, lines);
        value["final"] = json!(true);
        value["player"] = json!(args.player.spec());
        value["description"] = json!(description);
        if interrupt::happened() {
            value["interrupted"] = json!(true);
        }
        out.json(&value)?;
        return Ok(());
    }
    let Some(best) = thought.best() else {
        return Err(Mistake::new("the player has found no move").into());
    };
    out.line(format_args!("best: {}", game.name(state, best)))?;
    for line in thought.lines.iter().take(lines) {
        let pv = names(game, state, trail, &line.pv);
        let pv = pv[..pv.len().min(SHOWN_MOVES)].join(" ");
        let proved = proved_text(line.proved);
        out.line(format_args!("{} {proved:<10} {pv}", value_text(line)))?;
    }
    let seconds = thought.elapsed.as_secs_f64();
    out.line(format_args!("{} nodes in {seconds:.2} s", thought.nodes))?;
    Ok(())
}
