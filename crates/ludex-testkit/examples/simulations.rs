//! Simulations per second of players, with one thread, with several on one tree, and with as many
//! searches side by side that share nothing.
//!
//! ```text
//! cargo run --release -p ludex-testkit --example simulations -- [--threads 2] [--seconds 1]
//!     [--rounds 5] [--player PLAYER]... [GAME]...
//! ```
//!
//! The three ways take turns, so that what else the machine does falls on all of them, and the
//! program prints the median of the rounds. The last column is the upper bound for one tree.

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![expect(clippy::print_stdout, reason = "it prints a table")]

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::fmt::Debug;
use std::str::FromStr;
use std::time::{Duration, Instant};

use ludex_core::{Clock, Game, Limits};
use ludex_jit::CompiledGame;
use ludex_search::{PlayerOptions, SearchRoot, player};

const GAMES: [&str; 8] =
    ["connect4", "breakthrough", "othello", "hex:9", "gomoku:15", "loa", "chess", "go:9"];

const PLAYERS: [&str; 4] = ["mcts", "grave", "rave", "mcts:amaf=no,c=0.4,fpu=first,look=no"];

struct RealClock(Instant);

impl Clock for RealClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// What was asked for.
struct Wanted {
    threads: usize,
    seconds: f64,
    rounds: usize,
    players: Vec<String>,
    games: Vec<String>,
}

fn main() {
    let Wanted { threads, seconds, rounds, players, games } = wanted();
    let time = Duration::from_secs_f64(seconds);
    println!("| game | player | one thread /s | {threads} threads /s | ratio | side by side |");
    println!("| --- | --- | --: | --: | --: | --: |");
    for spec in games {
        let game = CompiledGame::native(common::game(&spec)).expect("it compiles");
        for name in &players {
            let [mut one, mut all, mut ratios, mut most] = [const { Vec::new() }; 4];
            for _ in 0..rounds {
                one.push(simulations(&game, name, 1, time));
                all.push(simulations(&game, name, threads, time));
                let [alone, together] = [&one, &all].map(|it| it[it.len() - 1]);
                ratios.push(together / alone);
                most.push(side_by_side(&game, name, threads, time) / alone);
            }
            let [one, all, ratio, most] = [one, all, ratios, most].map(median);
            println!("| {spec} | {name} | {one:.0} | {all:.0} | {ratio:.2} | {most:.2} |");
        }
    }
}

/// Reads the arguments.
fn wanted() -> Wanted {
    let (players, games) = (Vec::new(), Vec::new());
    let mut wanted = Wanted { threads: 2, seconds: 1.0, rounds: 5, players, games };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} wants a value"));
        match arg.as_str() {
            "--threads" => wanted.threads = number(&value()),
            "--seconds" => wanted.seconds = number(&value()),
            "--rounds" => wanted.rounds = number::<usize>(&value()).max(1),
            "--player" => wanted.players.push(value()),
            other => wanted.games.push(other.to_owned()),
        }
    }
    if wanted.players.is_empty() {
        wanted.players = PLAYERS.map(str::to_owned).to_vec();
    }
    if wanted.games.is_empty() {
        wanted.games = GAMES.map(str::to_owned).to_vec();
    }
    wanted
}

fn number<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().expect("a number")
}

/// Simulations per second of one player from the start of a game.
fn simulations(game: &CompiledGame, name: &str, threads: usize, time: Duration) -> f64 {
    let means = PlayerOptions { threads, memory: 1 << 30, ..PlayerOptions::default() };
    let mut player = player::<CompiledGame>(name, means).expect("there is such a player");
    let position = game.start();
    let task = SearchRoot { game, position: &position };
    let clock = RealClock(Instant::now());
    let limits = Limits { time: Some(time), clock: &clock, ..Limits::default() };
    let result = player.search(task, limits, &mut |_| {}).expect("the rules are sound");
    result.nodes as f64 / clock.elapsed().as_secs_f64()
}

/// Those of several players at once, each with a tree of its own, in sum.
fn side_by_side(game: &CompiledGame, name: &str, count: usize, time: Duration) -> f64 {
    std::thread::scope(|scope| {
        let alone = || scope.spawn(|| simulations(game, name, 1, time));
        let searches: Vec<_> = (0..count).map(|_| alone()).collect();
        searches.into_iter().map(|it| it.join().expect("the rules are sound")).sum()
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
