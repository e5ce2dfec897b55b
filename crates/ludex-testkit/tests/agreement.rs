//! Alpha-beta gives the answer of plain minimax.
//!
//! Every option that only saves time is held against minimax, which has nothing to get wrong, on
//! random positions of many games. The evaluation is a hash of the position: it agrees with nothing, so that a mistake
//! shows. What the other options call proved is held against full solutions.

mod common;

use common::{game, setting};
use ludex_core::budget::StoppedClock;
use ludex_core::{Budget, Fault, Game, Player, Random, Turn};
use ludex_jit::NativeGame;
use ludex_search::alphabeta::{AlphaBeta, Config, Null};
use ludex_search::evaluation::{Chosen, Evaluate};
use ludex_search::ladder::minimax::minimax;
use ludex_search::{Limits, Means, Player as _, Task, Thought};
use ludex_testkit::solve::{Solution, solve};

/// An evaluation without sense.
struct Nonsense;

impl<G: Game> Evaluate<G> for Nonsense {
    fn evaluate(
        &self,
        game: &G,
        state: &G::State,
        _trail: &G::Trail,
        _side: Player,
        _depth: u32,
    ) -> Result<i32, Fault> {
        Ok((game.hash(state) % 2001) as i32 - 1000)
    }

    fn describe(&self) -> String {
        "nonsense".to_owned()
    }
}

fn think<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    config: &Config,
    threads: usize,
    budget: Budget<'_>,
) -> Thought<G::Move> {
    let means = Means { threads, memory: 1 << 20, ..Means::default() };
    let evaluation = Chosen::given(game, Box::new(Nonsense));
    let mut player = AlphaBeta::new(config.clone(), evaluation, means);
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
    player.think(Task { game, state, trail }, &mut limits).unwrap()
}

/// The options that change no value, each alone and all together, with one thread and with two.
fn exact_options() -> Vec<(&'static str, Config, usize)> {
    let bare = Config::bare();
    vec![
        ("nothing", bare.clone(), 1),
        ("table", Config { table: true, ..bare.clone() }, 1),
        ("window", Config { window: 100, ..bare.clone() }, 1),
        ("pvs", Config { pvs: true, ..bare.clone() }, 1),
        ("killers", Config { killers: true, ..bare.clone() }, 1),
        ("history", Config { history: true, counter: true, captures: true, ..bare }, 1),
        ("all", Config::exact(), 1),
        ("all, two threads", Config::exact(), 2),
    ]
}

/// A random position some way into a game that is not over.
fn random_position<G: Game>(game: &G, seed: u64, most: u32) -> (G::State, G::Trail) {
    let mut random = Random::stream(seed, 1, 0);
    loop {
        let (mut state, mut trail) = game.start();
        for _ in 0..random.below(most) {
            match game.random_move(&state, &trail, &mut random).unwrap() {
                Some(mv) => game.apply(&mut state, &mut trail, &[mv]).unwrap(),
                None => break,
            }
        }
        if matches!(game.turn(&state, &trail), Ok(Turn::Of(_))) {
            return (state, trail);
        }
    }
}

fn agrees<G: Game>(game: &G, name: &str, state: &G::State, trail: &G::Trail, depth: u32) {
    let truth = minimax(game, state, trail, depth, &Nonsense).unwrap();
    for (option, config, threads) in exact_options() {
        let budget = Budget { depth: Some(depth), ..Budget::default() };
        let thought = think(game, state, trail, &config, threads, budget);
        let found = thought.lines[0].score.unwrap() as i32;
        let position = game.position(state);
        assert_eq!(found, truth, "{name} with {option}, depth {depth}: {position}");
    }
}

#[test]
fn exact_options_agree_with_minimax_in_bundled_games() {
    let games = [
        ("breakthrough:5,4", 3_u32, 40),
        ("connect4", 4, 30),
        ("othello", 3, 50),
        ("loa", 2, 40),
        ("checkers", 4, 60),
        ("chess", 2, 40),
        ("morris3", 5, 12),
        ("hex:4", 3, 8),
        ("clobber", 3, 20),
        ("nim-matches", 6, 8),
        ("go:5", 2, 30),
        ("zugzwang", 3, 20),
    ];
    let count = setting("LUDEX_AGREEMENT", 12);
    for (name, depth, most) in games {
        let native = NativeGame::new(game(name)).expect("it compiles");
        for seed in 0..count {
            let (state, trail) = random_position(&native, seed, most);
            agrees(&native, name, &state, &trail, 1 + (seed % u64::from(depth)) as u32);
        }
    }
}

/// All that looks less closely, at its boldest.
fn bold() -> Config {
    Config { null: Null::Yes, ..Config::default() }
}

/// What is called proved is true, whatever is left out.
fn proves_truth<G: Game>(
    game: &G,
    name: &str,
    solution: &Solution<G::State>,
    seed: u64,
    most: u32,
) {
    let (state, trail) = random_position(game, seed, most);
    let Turn::Of(mover) = game.turn(&state, &trail).unwrap() else { unreachable!() };
    for config in [Config::default(), bold(), Config::bing(), Config { lines: 3, ..bold() }] {
        let budget = Budget { depth: Some(8), nodes: Some(30_000), ..Budget::default() };
        let thought = think(game, &state, &trail, &config, 1 + (seed % 2) as usize, budget);
        for line in &thought.lines {
            let Some(proved) = line.proved else { continue };
            let (mut next, mut past) = (state.clone(), trail.clone());
            game.apply(&mut next, &mut past, &[line.mv]).unwrap();
            let truth = solution.value(&next, mover);
            let position = game.position(&state);
            let mv = game.name(&state, line.mv);
            assert_eq!(proved.utility as i32, truth, "{name}: {mv} in {position}, {config:?}");
        }
    }
}

#[test]
fn what_is_proved_is_true() {
    for (name, most) in
        [("breakthrough:4,4", 12), ("nim-matches", 10), ("domineering:4", 5), ("connect4:4,4", 10)]
    {
        let native = NativeGame::new(game(name)).expect("it compiles");
        let solution = solve(&native, 2_000_000).unwrap();
        for seed in 0..40 {
            proves_truth(&native, name, &solution, seed, most);
        }
    }
}
