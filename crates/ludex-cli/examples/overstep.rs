//! By how much players pass the time that they are given for a move.
//!
//! ```console
//! cargo run --release -p ludex --example overstep -- --moves 1000 --time 1 --threads 1
//! ```
//!
//! Players think about positions of random games, one move after the other, with a time for each;
//! what they take beyond it is the overstep. It prints how the oversteps are distributed: the
//! middle, 99 and 99.9 of a hundred, and the longest. A busy machine tells nothing: beside it stands
//! how late a thread wakes up that only sleeps, at most.

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what it is for")]

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, thread};

use clap::Parser;
use ludex_core::{Clock, Game, GameExt, Limits, Random, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_search::{PlayerOptions, SearchRoot, player};

/// Measures by how much players pass their time.
#[derive(Debug, Parser)]
#[command(name = "overstep")]
struct Args {
    /// How many moves for each game, player and number of threads
    #[arg(long, default_value_t = 100)]
    moves: usize,

    /// Seconds for a move
    #[arg(long, default_value_t = 1.0)]
    time: f64,

    /// Which games, with commas between them
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "breakthrough,othello,chess,gomoku,go:9,hex:9"
    )]
    games: Vec<String>,

    /// Which players, as they are named on the command line; may be given several times
    #[arg(long, default_value = "uct")]
    player: Vec<String>,

    /// Numbers of threads, with commas between them
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    threads: Vec<usize>,

    /// Seed of positions and players
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The real clock.
struct Observer(Instant);

impl Clock for Observer {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    println!(
        "{:<14} {:<18} {:>7} {:>6} {:>9} {:>9} {:>9} {:>9}   sleeper {:>9}",
        "game", "player", "threads", "moves", "50 %", "99 %", "99.9 %", "most", "most",
    );
    let mut all = Vec::new();
    for spec in &args.games {
        let game = load(spec)?;
        for name in &args.player {
            for &threads in &args.threads {
                let (oversteps, sleeper) = measure(&game, name, threads, &args)?;
                row(spec, name, threads, &oversteps, sleeper);
                all.extend(oversteps);
            }
        }
    }
    row("all", "", 0, &all, Duration::ZERO);
    Ok(())
}

/// A bundled game in native code.
fn load(spec: &str) -> Result<CompiledGame, Box<dyn Error>> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").join(format!("{name}.game"));
    let compiled = ludex_rules::compile(&fs::read_to_string(file)?, options);
    let program = compiled.program.ok_or_else(|| format!("`{spec}` cannot be used"))?;
    CompiledGame::native(RulesGame::new(program)).map_err(|it| it.to_string().into())
}

/// The oversteps of all moves, and how late a sleeper woke up at most.
fn measure(
    game: &CompiledGame,
    name: &str,
    threads: usize,
    args: &Args,
) -> Result<(Vec<Duration>, Duration), Box<dyn Error>> {
    let means = PlayerOptions { threads, seed: args.seed, ..PlayerOptions::default() };
    let mut thinker = player::<CompiledGame>(name, means)?;
    let time = Duration::from_secs_f64(args.time);
    let mut random = Random::stream(args.seed, 0, 0);
    let mut position = game.start();
    let mut oversteps = Vec::new();
    let mut sleeper = Duration::ZERO;
    while oversteps.len() < args.moves {
        if !matches!(game.turn(&position)?, Turn::Of(_)) {
            (position) = game.start();
            thinker.forget();
            continue;
        }
        let watch = Observer(Instant::now());
        let limits = Limits { time: Some(time), clock: &watch, ..Limits::default() };
        let task = SearchRoot { game, position: &position };
        let thought = thinker.search(task, limits, &mut |_| {})?;
        let spent = watch.elapsed();
        // A position of which everything is known takes no time at all, and tells nothing.
        if spent >= time || game.count_moves(&position)? > 1 {
            oversteps.push(spent.saturating_sub(time));
        }
        sleeper = sleeper.max(late_sleeper());
        // Every second move is random, so that the positions are not always the same.
        let best = if oversteps.len() % 2 == 0 { thought.best() } else { None };
        let random = game.random_move(&position, &mut random)?;
        let Some(mv) = best.or(random) else { continue };
        game.apply(&mut position, &[mv])?;
    }
    Ok((oversteps, sleeper))
}

/// How late the machine wakes a thread that has nothing to do.
fn late_sleeper() -> Duration {
    let nap = Duration::from_millis(2);
    let start = Instant::now();
    thread::sleep(nap);
    start.elapsed().saturating_sub(nap)
}

fn row(game: &str, player: &str, threads: usize, oversteps: &[Duration], sleeper: Duration) {
    let mut sorted = oversteps.to_vec();
    sorted.sort_unstable();
    let at = |part: f64| {
        let index = (part * sorted.len() as f64).ceil() as usize;
        let duration = sorted.get(index.clamp(1, sorted.len().max(1)) - 1);
        format!("{:.2} ms", duration.copied().unwrap_or_default().as_secs_f64() * 1e3)
    };
    println!(
        "{game:<14} {player:<18} {threads:>7} {:>6} {:>9} {:>9} {:>9} {:>9}   sleeper {:>6.2} ms",
        sorted.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        sleeper.as_secs_f64() * 1e3,
    );
}
