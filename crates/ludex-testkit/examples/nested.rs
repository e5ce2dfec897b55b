//! Runs a player on a puzzle, natively, and prints what it found and how fast.
//!
//! ```text
//! cargo run --release -p ludex-testkit --example nested -- GAME PLAYER [--nodes N] [--seconds S]
//!     [--runs R] [--seed S] [--save FILE] [--boards B] [--against PLAYER]
//! ```
//!
//! Seconds are those of the processor where the system tells them, so that other programs do not
//! count. Each run has another seed. `--save` writes the best game of all runs as a record, which
//! `ludex replay` reads. `--boards B` searches GAME:1 to GAME:B, and prints the mean score as
//! it grows with time. `--against PLAYER` plays games of two players, sides taken in turn; the
//! nodes are those of a move.

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use ludex_core::record::{Played, Record};
use ludex_core::{Clock, Game, GameExt, Limits, Player, Turn};
use ludex_jit::CompiledGame;
use ludex_search::{GamePlayer, PlayerOptions, SearchResult, SearchRoot};

type Move = <CompiledGame as Game>::Move;

/// Time of the processor since the start of a search, or of the wall where that is not known.
struct Watch {
    wall: Instant,
    start: Option<Duration>,
}

impl Watch {
    fn new() -> Self {
        Self { wall: Instant::now(), start: processor_time() }
    }
}

impl Clock for Watch {
    fn elapsed(&self) -> Duration {
        match (self.start, processor_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

/// Processor time of this thread.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

struct Arguments {
    game: String,
    player: String,
    nodes: Option<u64>,
    seconds: Option<f64>,
    runs: u64,
    seed: u64,
    save: Option<String>,
    boards: u64,
    against: Option<String>,
}

const USAGE: &str = "usage: nested GAME PLAYER [--nodes N] [--seconds S] [--runs R] [--seed S] \
    [--save FILE] [--boards B] [--against PLAYER]";

fn main() -> ExitCode {
    match read(std::env::args().skip(1)) {
        Ok(arguments) => {
            run(&arguments);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) {
    if let Some(other) = &arguments.against {
        return contest(arguments, other);
    }
    if arguments.boards > 0 {
        return curve(arguments);
    }
    let game = native(&arguments.game);
    let mut scores = Vec::new();
    let mut best: Option<(f64, Vec<Move>)> = None;
    for run in 0..arguments.runs {
        let seed = arguments.seed + run;
        let wall = Instant::now();
        let (result, seconds, _) = searched(&game, arguments, seed);
        let line = result.lines.first().expect("there is a move");
        let score = line.score.unwrap_or(line.value);
        let (nodes, found) = (result.nodes, result.found.as_secs_f64());
        println!(
            "seed {seed}: {score} points, found after {found:.2} s; {nodes} playouts in {seconds:.2} s \
             ({:.0} a second), {:.2} s on the wall",
            nodes as f64 / seconds,
            wall.elapsed().as_secs_f64()
        );
        if best.as_ref().is_none_or(|(old, _)| score > *old) {
            best = Some((score, line.pv.clone()));
        }
        scores.push(score);
    }
    scores.sort_by(f64::total_cmp);
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    println!("scores {scores:?}: mean {mean:.1}, median {}", scores[scores.len() / 2]);
    if let (Some(file), Some((score, moves))) = (&arguments.save, best) {
        let record = record(&game, arguments, score, &moves);
        std::fs::write(file, record.to_string()).expect("the record can be written");
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (Some(game), Some(player)) = (words.next(), words.next()) else {
        return Err("a game and a player are wanted".to_owned());
    };
    let (nodes, seconds, save, against) = (None, None, None, None);
    let mut arguments =
        Arguments { game, player, nodes, seconds, runs: 1, seed: 0, save, boards: 0, against };
    while let Some(option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} wants a value"))?;
        let whole = || value.parse::<u64>().map_err(|_| format!("{option} wants a whole number"));
        match option.as_str() {
            "--nodes" => arguments.nodes = Some(whole()?),
            "--seconds" => arguments.seconds = Some(seconds_of(&value)?),
            "--runs" => arguments.runs = whole()?.max(1),
            "--seed" => arguments.seed = whole()?,
            "--boards" => arguments.boards = whole()?,
            "--against" => arguments.against = Some(value),
            "--save" => arguments.save = Some(value),
            _ => return Err(format!("there is no option {option}")),
        }
    }
    check(&arguments)?;
    Ok(arguments)
}

fn seconds_of(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|it| Duration::try_from_secs_f64(*it).is_ok());
    seconds.ok_or_else(|| "--seconds wants a number".to_owned())
}

/// Says so if there is no such game or player.
fn check(arguments: &Arguments) -> Result<(), String> {
    let name = arguments.game.split(':').next().unwrap_or_default();
    if !common::sheets().iter().any(|(it, _)| it == name) {
        return Err(format!("there is no game `{name}`"));
    }
    for spec in [Some(&arguments.player), arguments.against.as_ref()].into_iter().flatten() {
        ludex_search::player::<CompiledGame>(spec, PlayerOptions::default())
            .map_err(|it| it.message)?;
    }
    if arguments.boards > 0 && arguments.seconds.is_none() {
        return Err("--boards wants --seconds".to_owned());
    }
    Ok(())
}

fn native(name: &str) -> CompiledGame {
    CompiledGame::native(common::game(name)).expect("it can be compiled")
}

fn player(spec: &str, seed: u64) -> Box<dyn GamePlayer<CompiledGame>> {
    let means = PlayerOptions { seed, ..PlayerOptions::default() };
    ludex_search::player(spec, means).unwrap_or_else(|error| panic!("{error}"))
}

/// One search from the start: its result, its seconds, and each new best with its time.
fn searched(
    game: &CompiledGame,
    arguments: &Arguments,
    seed: u64,
) -> (SearchResult<Move>, f64, Vec<(f64, f64)>) {
    let mut player = player(&arguments.player, seed);
    let position = game.start();
    let clock = Watch::new();
    let time = arguments.seconds.map(Duration::from_secs_f64);
    let budget = Limits { nodes: arguments.nodes, time, ..Limits::default() };
    let mut shown = Vec::new();
    let mut watch = |result: &SearchResult<Move>| {
        if let Some(score) = result.lines.first().and_then(|line| line.score) {
            shown.push((result.found.as_secs_f64(), score));
        }
    };
    let limits = Limits { clock: &clock, ..budget };
    let task = SearchRoot { game, position: &position };
    let result = player.search(task, limits, &mut watch).unwrap_or_else(|fault| panic!("{fault}"));
    (result, clock.elapsed().as_secs_f64(), shown)
}

/// The mean of the best score over several boards, as it grows with time.
fn curve(arguments: &Arguments) {
    let seconds = arguments.seconds.expect("--boards wants --seconds");
    let times: Vec<f64> =
        (0..64).map(|it| 0.01 * 2_f64.powi(it)).take_while(|it| *it <= 1.001 * seconds).collect();
    let mut sums = vec![0.0; times.len()];
    for board in 1..=arguments.boards {
        let game = native(&format!("{}:{board}", arguments.game));
        let (result, _, shown) = searched(&game, arguments, arguments.seed);
        for (sum, time) in sums.iter_mut().zip(&times) {
            *sum += shown.iter().rev().find(|it| it.0 <= *time).map_or(0.0, |it| it.1);
        }
        let score = result.lines.first().and_then(|line| line.score).unwrap_or(0.0);
        println!("board {board}: {score} after {} playouts", result.nodes);
    }
    for (time, sum) in times.iter().zip(&sums) {
        println!("{time:8.2} s {:8.1}", sum / arguments.boards as f64);
    }
}

/// Games of two players from random openings of two moves, each played with both sides.
fn contest(arguments: &Arguments, other: &str) {
    let game = native(&arguments.game);
    let (mut points, mut games) = (0.0, 0);
    for run in 0..arguments.runs {
        for first in 0..2 {
            let mut players =
                [player(&arguments.player, arguments.seed + run), player(other, run + 1_000)];
            let utility = play(&game, arguments, &mut players, first, run);
            points += f64::midpoint(utility, 1.0);
            games += 1;
        }
    }
    let share = points / f64::from(games);
    let error = 1.96 * (share * (1.0 - share) / f64::from(games)).sqrt();
    println!("{} against {other}: {points} of {games}, {share:.3} +- {error:.3}", arguments.player);
}

/// One game: what it is worth to the first of the two players, who has side `first`.
fn play(
    game: &CompiledGame,
    arguments: &Arguments,
    players: &mut [Box<dyn GamePlayer<CompiledGame>>; 2],
    first: usize,
    opening: u64,
) -> f64 {
    let mut position = game.start();
    let mut random = ludex_core::Random::stream(opening, 0, 0);
    for _ in 0..2 {
        let mv = game.random_move(&position, &mut random).expect("the rules hold");
        game.apply(&mut position, &[mv.expect("it goes on")]).expect("the rules hold");
    }
    while let Turn::Of(side) = game.turn(&position).expect("the rules hold") {
        let mut watch = |_: &SearchResult<Move>| {};
        let budget = Limits { nodes: arguments.nodes, ..Limits::default() };
        let clock = Watch::new();
        let limits = Limits { clock: &clock, ..budget };
        let task = SearchRoot { game, position: &position };
        let player = &mut players[usize::from(side.index() != first)];
        let result =
            player.search(task, limits, &mut watch).unwrap_or_else(|fault| panic!("{fault}"));
        let mv = result.best().expect("there is a move");
        game.apply(&mut position, &[mv]).expect("the rules hold");
    }
    game.payoff(&position, Player(first as u8)).expect("the rules hold").utility
}

fn record(game: &CompiledGame, arguments: &Arguments, score: f64, moves: &[Move]) -> Record {
    let mut position = game.start();
    let mut turns = Vec::new();
    for &mv in moves {
        turns.push(Played::new(game.name(&position.state, mv)));
        game.apply(&mut position, &[mv]).expect("the game can be played again");
    }
    Record {
        game: arguments.game.clone(),
        players: vec![arguments.player.clone()],
        result: Some(score.to_string()),
        turns,
        ..Record::default()
    }
}
