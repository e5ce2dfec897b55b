//! Measures players by CPU time, which a busy machine does not spoil.
//!
//! ```text
//! alphabeta speed GAME SPEC NODES            nodes per second of a search from the start
//! alphabeta learn GAME WORK                  what self-play learns, and how long it takes
//! alphabeta match GAME A B GAMES MS [SEED]   games at equal CPU time per move, openings at random
//! ```

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use ludex_core::{Clock, Game, GameExt, Limits, Player, Random, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_search::evaluation::{Learned, TrainingConfig};
use ludex_search::{PlayerOptions, SearchResult, SearchRoot, player};

/// CPU time of this thread.
struct CpuClock(Duration);

fn cpu() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

impl CpuClock {
    fn start() -> Self {
        Self(cpu())
    }
}

impl Clock for CpuClock {
    fn elapsed(&self) -> Duration {
        cpu().saturating_sub(self.0)
    }
}

type Native = Box<dyn ludex_search::GamePlayer<CompiledGame>>;

fn game(name: &str) -> CompiledGame {
    let (name, options) = name.split_once(':').unwrap_or((name, ""));
    let root = Path::new(option_env!("CARGO_MANIFEST_DIR").unwrap_or("crates/ludex-testkit"));
    let path = root.join("../../games").join(format!("{name}.game"));
    let source = fs::read_to_string(path).expect("there is such a game");
    let program = ludex_rules::compile(&source, options).program.expect("it has no errors");
    CompiledGame::native(RulesGame::new(program)).expect("it compiles")
}

fn ready(spec: &str, seed: u64, game: &CompiledGame) -> Native {
    let means = PlayerOptions { seed, ..PlayerOptions::default() };
    let mut player = player::<CompiledGame>(spec, means).expect("there is such a player");
    let clock = CpuClock::start();
    let limits = Limits { time: Some(Duration::from_secs(20)), clock: &clock, ..Limits::default() };
    player.prepare(game, limits).expect("the rules are sound");
    println!("{spec}: {} (ready after {:.2} s)", player.describe(), clock.elapsed().as_secs_f64());
    player
}

fn speed(name: &str, spec: &str, nodes: u64) {
    let game = game(name);
    let mut player = ready(spec, 0, &game);
    let position = game.start();
    let clock = CpuClock::start();
    let mut watch = |result: &SearchResult<_>| {
        let best = &result.lines[0];
        let pv: Vec<String> =
            best.pv.iter().take(1).map(|&it| game.name(&position.state, it)).collect();
        println!(
            "depth {} score {:?} {pv:?} +{} nodes {}",
            result.depth,
            best.score,
            best.pv.len(),
            result.nodes
        );
    };
    let limits = Limits { clock: &clock, ..Limits::of_nodes(nodes) };
    let task = SearchRoot { game: &game, position: &position };
    let result = player.search(task, limits, &mut watch).expect("the rules are sound");
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0} nodes/s, depth {} in {seconds:.2} s",
        result.nodes as f64 / seconds,
        result.depth
    );
}

fn learn(name: &str, work: u64) {
    let game = game(name);
    let clock = CpuClock::start();
    let config = TrainingConfig { work, ..TrainingConfig::default() };
    let learned = Learned::from_self_play(&game, &config).expect("the rules are sound");
    let seconds = clock.elapsed().as_secs_f64();
    let squares = &learned.squares;
    println!(
        "{name}: {} games in {seconds:.2} s, correlation {:.3}",
        learned.games, learned.correlation
    );
    println!(
        "bias {} tempo {} mobility {} kinds {:?}",
        squares.bias, squares.tempo, squares.mobility, squares.kinds
    );
    if std::env::var_os("TABLE").is_some() {
        for man in squares.table.chunks(squares.squares) {
            println!("{man:?}");
        }
    }
}

/// A game from a random opening; what it was worth to the first player.
fn play(game: &CompiledGame, players: [&mut Native; 2], opening: u64, ms: u64) -> f64 {
    let mut random = Random::stream(opening, 7, 0);
    let [one, other] = players;
    one.forget();
    other.forget();
    let mut position = game.start();
    for _ in 0..4 {
        if let Some(mv) = game.random_move(&position, &mut random).expect("sound") {
            game.apply(&mut position, &[mv]).expect("sound");
        }
    }
    for _ in 0..400 {
        let Turn::Of(mover) = game.turn(&position).expect("sound") else { break };
        let player = if mover == Player(0) { &mut *one } else { &mut *other };
        let clock = CpuClock::start();
        let limits =
            Limits { time: Some(Duration::from_millis(ms)), clock: &clock, ..Limits::default() };
        let task = SearchRoot { game, position: &position };
        let mv = player.search(task, limits, &mut |_| {}).expect("sound").best().expect("a move");
        game.apply(&mut position, &[mv]).expect("sound");
    }
    game.payoff(&position, Player(0)).expect("sound").utility
}

fn contest(name: &str, specs: [&str; 2], games: u64, ms: u64, seed: u64) {
    let game = game(name);
    let mut one = ready(specs[0], seed, &game);
    let mut other = ready(specs[1], seed, &game);
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for number in 0..games {
        let opening = seed * 1000 + number / 2;
        let mine = if number % 2 == 0 {
            play(&game, [&mut one, &mut other], opening, ms)
        } else {
            -play(&game, [&mut other, &mut one], opening, ms)
        };
        if mine > 0.0 {
            won += 1;
        } else if mine < 0.0 {
            lost += 1;
        } else {
            drawn += 1;
        }
    }
    println!("{name} {ms} ms: {} - {}: {won} won, {lost} lost, {drawn} drawn", specs[0], specs[1]);
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, usual: u64| args.get(at).and_then(|it| it.parse().ok()).unwrap_or(usual);
    let word = |at: usize| args.get(at).map_or("", String::as_str);
    match word(0) {
        "speed" => speed(word(1), word(2), number(3, 2_000_000)),
        "learn" => learn(word(1), number(2, TrainingConfig::default().work)),
        "match" => contest(word(1), [word(2), word(3)], number(4, 20), number(5, 50), number(6, 1)),
        _ => println!("speed, learn or match: see the head of the file"),
    }
}
