//! Simulations per second of plain UCT and of the Monte-Carlo players, with one thread and two.
//!
//! ```text
//! cargo run --release -p ludex-testkit --example simulations -- SECONDS PLAYER GAME...
//! ```

#![expect(clippy::print_stdout, reason = "it prints a table")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use ludex_core::{Budget, Clock, Game};
use ludex_jit::NativeGame;
use ludex_search::{Limits, Means, Task, UctConfig, player, uct};

const GAMES: [&str; 8] =
    ["connect4", "breakthrough", "othello", "hex:9", "gomoku:15", "loa", "chess", "go:9"];

struct RealClock(Instant);

impl Clock for RealClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().and_then(|it| it.parse().ok()).unwrap_or(1.0);
    let name = args.next().unwrap_or_else(|| "mcts".to_owned());
    let mut games: Vec<String> = args.collect();
    if games.is_empty() {
        games = GAMES.map(str::to_owned).to_vec();
    }
    let time = Duration::from_secs_f64(seconds);
    println!("| game | uct /s | {name} /s | two threads /s | ratio | ratio by processor time |");
    println!("| --- | --: | --: | --: | --: | --: |");
    for spec in games {
        let game = NativeGame::new(common::game(&spec)).expect("it compiles");
        let plain = plain(&game, time);
        let (one, alone) = simulations(&game, &name, 1, time);
        let (two, together) = simulations(&game, &name, 2, time);
        let (ratio, fair) = (two / one, 2.0 * together / alone);
        println!("| {spec} | {plain:.0} | {one:.0} | {two:.0} | {ratio:.2} | {fair:.2} |");
    }
}

/// Playouts per second of plain UCT from the start of a game.
fn plain(game: &NativeGame, time: Duration) -> f64 {
    let (state, trail) = game.start();
    let budget = Budget { time: Some(time), ..Budget::default() };
    let clock = RealClock(Instant::now());
    let report = uct(game, &state, &trail, &UctConfig::default(), &budget, &clock);
    report.expect("the rules are sound").playouts as f64 / clock.elapsed().as_secs_f64()
}

/// The same of a player: per second, and per second that a processor worked on it. The latter
/// tells what threads cost each other on a machine that has other things to do as well.
fn simulations(game: &NativeGame, name: &str, threads: usize, time: Duration) -> (f64, f64) {
    let means = Means { threads, memory: 1 << 30, ..Means::default() };
    let mut player = player::<NativeGame>(name, means).expect("there is such a player");
    let (state, trail) = game.start();
    let task = Task { game, state: &state, trail: &trail };
    let (clock, worked) = (RealClock(Instant::now()), processor_time());
    let budget = Budget { time: Some(time), ..Budget::default() };
    let mut limits = Limits { budget, clock: &clock, watch: &mut |_| {} };
    let thought = player.think(task, &mut limits).expect("the rules are sound");
    let playouts = thought.nodes as f64;
    (playouts / clock.elapsed().as_secs_f64(), playouts / (processor_time() - worked))
}

/// Seconds that processors worked for this process, where the system tells.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks =
        after_name.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
