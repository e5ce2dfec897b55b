//! `ludex bench`: how fast random games are played, and the signature of the searches.

mod signature;

use clap::Args;
use ludex::clock::{RealClock, per_second};
use ludex::stoppable::{Stoppable, was_stopped};
use ludex::{EngineKind, Error};
use ludex_core::playout::{Playout, Playouts};
use ludex_core::{Fault, Position, Random};
use ludex_jit::CompiledGame;
use serde_json::json;

use crate::args::{EngineArgs, FromArgs};
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{load, reach};
use crate::output::Out;

/// A playout ends after this number of moves.
const LONGEST: u32 = 10_000;

/// The clock is read about this often: reading it takes as long as a move of a small game.
const TICK: f64 = 0.001;

/// Arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex bench chess --seconds 5
  ludex bench go:9 --seconds 1 --seed 7 --json
  ludex bench chess --engine interpreter
  ludex bench --signature

Games are played to their end: the last one may take longer than the time given.")]
pub(crate) struct BenchArgs {
    /// A bundled game with its options (`hex:11`, `chess:castling=no`), or a rules file
    #[arg(required_unless_present = "signature")]
    game: Option<String>,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    from: FromArgs,

    /// Run fixed searches over all bundled games instead, and print their nodes and best moves
    /// folded into one number: it changes when what a search does changes
    #[arg(long, conflicts_with_all = ["game", "position", "moves", "seconds", "seed"])]
    signature: bool,

    /// How long to play
    #[arg(long, value_name = "S", default_value_t = 3.0, value_parser = seconds)]
    seconds: f64,

    /// Seed of the random games
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('s').parse().ok().filter(|it| (0.001..=1e6).contains(it));
    number.ok_or_else(|| {
        "`--seconds` takes a number of seconds from 0.001 to 1000000, as in `2.5`".to_owned()
    })
}

/// What was played.
#[derive(Debug, Default)]
struct Tally {
    playouts: u64,
    moves: u64,
    seconds: f64,
}

impl Tally {
    fn add(&mut self, playout: &Playout) {
        self.playouts += 1;
        self.moves += u64::from(playout.plies);
    }
}

/// Plays random games until the time is over.
pub(crate) fn run(args: &BenchArgs, out: &mut Out) -> Done {
    let engine = args.engine.to_play();
    let Some(game) = args.game.as_deref().filter(|_| !args.signature) else {
        return signature::run(engine, out);
    };
    let loaded = load(game, engine)?;
    let position = reach(&loaded, &args.from)?;
    if loaded.ending(&position)?.is_some() {
        return Err(Error::new("the game is over in this position"));
    }
    let game = Stoppable { game: &loaded.game, stop: interrupt::listen(), until: None };
    let tally = play(&game, &position, args).map_err(|it| loaded.blame(it))?;
    let seconds = tally.seconds;
    let engine = EngineKind::of(&loaded.game).name();
    let mean_length = tally.moves as f64 / tally.playouts.max(1) as f64;
    let rates = (per_second(tally.playouts, seconds), per_second(tally.moves, seconds));
    if out.is_json() {
        out.json(&json!({
            "playouts_per_second": rates.0,
            "moves_per_second": rates.1,
            "mean_length": mean_length,
            "playouts": tally.playouts,
            "moves": tally.moves,
            "seconds": seconds,
            "seed": args.seed,
            "engine": engine,
        }))?;
    } else {
        out.line(format_args!("{:>14.1} playouts per second", rates.0))?;
        out.line(format_args!("{:>14.0} moves per second", rates.1))?;
        out.line(format_args!("{mean_length:>14.1} moves in a game"))?;
        out.line(format_args!("{:>14} playouts, seed {}, {engine}", tally.playouts, args.seed))?;
    }
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Plays whole games until the time is over. A game that Ctrl-C cuts off does not count.
fn play(
    game: &Stoppable<'_, CompiledGame>,
    position: &Position,
    args: &BenchArgs,
) -> Result<Tally, Fault> {
    let clock = RealClock::start();
    let mut tally = Tally::default();
    let mut playouts = Playouts::default();
    let mut random = Random::stream(args.seed, 0, 0);
    let mut here = position.clone();
    // Playouts between two readings of the clock.
    let mut batch = 1_u64;
    while tally.seconds < args.seconds {
        for _ in 0..batch {
            here.state.clone_from(&position.state);
            here.trail.clone_from(&position.trail);
            match playouts.run(game, &mut here, &mut random, LONGEST) {
                Ok(playout) => tally.add(&playout),
                Err(fault) if was_stopped(&fault) => {
                    tally.seconds = clock.seconds();
                    return Ok(tally);
                }
                Err(fault) => return Err(fault),
            }
        }
        let now = clock.seconds();
        if now - tally.seconds < TICK {
            batch *= 2;
        }
        tally.seconds = now;
    }
    Ok(tally)
}
