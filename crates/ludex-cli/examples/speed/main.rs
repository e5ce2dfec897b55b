//! How fast rules are played: the interpreter, native code, and programs written by hand.
//!
//! ```console
//! cargo run --release -p ludex --example speed -- --seconds 5 --limits PATH/limits
//! ```
//!
//! For every bundled game it prints the moves per second of random play in the interpreter and in
//! native code and, where the outside program `limits` has the game written by hand, that
//! ceiling; then move sequences counted per second against the crate cozy-chess. Everything is
//! measured in the same run and on one thread, so that the ratios mean something.

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what it is for")]

mod counting;
mod games;
mod limits;
mod memory;
mod table;

use std::env;
use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use games::Measured;
use limits::Ceilings;
use serde_json::json;

/// Measures how fast games are played: interpreted, natively, and written by hand.
#[derive(Debug, Parser)]
#[command(name = "speed")]
struct Args {
    /// How long to play each game in each way
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    seconds: f64,

    /// Which games, with commas between them; all bundled ones if none are named
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,

    /// The built program `limits`, which plays some of the games written by hand
    /// [default: what `LUDEX_LIMITS` says]
    #[arg(long, value_name = "PROGRAM")]
    limits: Option<PathBuf>,

    /// Seed of the random games
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let specs = if args.games.is_empty() { games::all() } else { args.games.clone() };
    // Loaded first and all kept, so that the growth of memory is that of each game.
    let loaded = specs.iter().map(|it| games::load(it)).collect::<Result<Vec<_>, _>>()?;
    let limits = args.limits.clone().or_else(|| env::var_os("LUDEX_LIMITS").map(PathBuf::from));
    let ceilings = match limits {
        Some(program) => limits::run(&program, args.seconds)?,
        None => Ceilings::default(),
    };
    let mut measured: Vec<Measured> = Vec::new();
    if !args.json {
        println!("{}", table::heading());
    }
    for game in &loaded {
        let row = games::measure(game, &args, &ceilings)?;
        if !args.json {
            println!("{}", table::row(&row));
        }
        measured.push(row);
    }
    let counted = counting::compare(args.seconds)?;
    if args.json {
        let games: Vec<_> = measured.iter().map(Measured::as_json).collect();
        let perft: Vec<_> = counted.iter().map(counting::Counted::as_json).collect();
        println!("{}", json!({ "games": games, "perft": perft, "seconds": args.seconds }));
    } else {
        print!("\n{}\n{}", table::summary(&measured), table::counts(&counted));
    }
    Ok(())
}
