//! Small matches between two players at equal playouts, from random openings played twice.
//!
//! ```text
//! cargo run --release -p ludex-testkit --example matches -- GAME ONE OTHER GAMES PLAYOUTS [SEED [THEIRS]]
//! ```
//!
//! `THEIRS` are the playouts of the other one, where they are not as many.
//!
//! `plain` is the UCT of `ludex_search::uct`, with `c` as its option: `plain:0.4`.

#![allow(clippy::disallowed_methods, reason = "an example is a program")]
#![expect(clippy::print_stdout, reason = "it prints a table")]

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use ludex_core::{Game, GameExt, Limits, Player, Random, Turn};
use ludex_jit::CompiledGame;
use ludex_search::SearchError;
use ludex_search::{GamePlayer, PlayerOptions, SearchRoot, UctConfig, player, uct};

/// Turns played at random before the players begin.
const OPENING: u32 = 2;

/// A game is a draw after this number of turns.
const LONGEST: u32 = 600;

type Move = <CompiledGame as Game>::Move;

enum Contender {
    Plain(UctConfig),
    Ours(Box<dyn GamePlayer<CompiledGame>>),
}

impl Contender {
    fn new(text: &str, seed: u64) -> Self {
        if let Some(rest) = text.strip_prefix("plain") {
            let exploration = rest.trim_start_matches(':').parse().unwrap_or(2_f64.sqrt());
            return Self::Plain(UctConfig { exploration, seed, ..UctConfig::default() });
        }
        let means = PlayerOptions { seed, ..PlayerOptions::default() };
        Self::Ours(player(text, means).unwrap_or_else(|it| panic!("{it}")))
    }

    fn choose(
        &mut self,
        task: SearchRoot<'_, CompiledGame>,
        playouts: u64,
    ) -> Result<Move, SearchError> {
        let limits = Limits::of_nodes(playouts);
        let best = match self {
            Self::Plain(config) => {
                config.seed += 1;
                uct(task.game, task.position, config, limits)?.best()
            }
            Self::Ours(player) => player.search(task, limits, &mut |_| {})?.best(),
        };
        Ok(best.expect("there is a move where the game is not over"))
    }
}

fn main() -> Result<(), SearchError> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [name, one, other, games, playouts, rest @ ..] = args.as_slice() else {
        println!("GAME ONE OTHER GAMES PLAYOUTS [SEED]");
        return Ok(());
    };
    let number = |text: &String| text.parse::<u64>().expect("a number");
    let (games, playouts) = (number(games), number(playouts));
    let seed = rest.first().map_or(1, number);
    let theirs = rest.get(1).map_or(playouts, number);
    let game = CompiledGame::native(common::game(name)).expect("it compiles");
    let (mut points, mut times) = (0.0, [Duration::ZERO; 2]);
    for round in 0..games {
        let side = Player((round % 2) as u8);
        let mut players =
            [one, other].map(|it| Contender::new(it, seed.wrapping_mul(1_000) + round));
        let opening = Random::stream(seed, round / 2, 0);
        points += play(&game, &mut players, side, [playouts, theirs], opening, &mut times)?;
    }
    let count = games as f64;
    let share = points / count;
    // Draws make it a little too wide.
    let margin = 1.96 * (share * (1.0 - share) / count).sqrt();
    let [our_time, their_time] = times.map(|it| it.as_secs_f64() / count);
    println!(
        "| {name} | {one} | {other} | {playouts}:{theirs} | {games} | {:.1} ± {:.1} | {our_time:.2} | {their_time:.2} |",
        100.0 * share,
        100.0 * margin
    );
    Ok(())
}

/// One game; `side` is that of the first contender. What it earned, from 0 to 1.
fn play(
    game: &CompiledGame,
    players: &mut [Contender; 2],
    side: Player,
    playouts: [u64; 2],
    mut random: Random,
    times: &mut [Duration; 2],
) -> Result<f64, SearchError> {
    let mut position = game.start();
    for ply in 0..LONGEST {
        let Turn::Of(mover) = game.turn(&position)? else { break };
        let mv = if ply < OPENING {
            game.random_move(&position, &mut random)?.expect("it is a player's turn")
        } else {
            let number = usize::from(mover != side);
            let start = Instant::now();
            let task = SearchRoot { game, position: &position };
            let mv = players[number].choose(task, playouts[number])?;
            times[number] += start.elapsed();
            mv
        };
        game.apply(&mut position, &[mv])?;
    }
    let utility = match game.turn(&position)? {
        Turn::Over => game.payoff(&position, side)?.utility,
        _ => 0.0,
    };
    Ok(f64::midpoint(utility, 1.0))
}
