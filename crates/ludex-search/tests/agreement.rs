//! Alpha-beta gives the answer of plain minimax.
//!
//! Every option that only saves time is held against minimax, which has nothing to get wrong, on
//! games by hand and in random mazes, where ways run in circles and the rules look back. The evaluation is a hash of the position: it agrees with nothing, so that a mistake
//! shows. What the other options call proved is held against full solutions.

use ludex_core::budget::StoppedClock;
use ludex_core::{Budget, Fault, Game, Player, Random, Turn};
use ludex_search::alphabeta::{AlphaBeta, Config, Null};
use ludex_search::evaluation::{Chosen, Evaluate};
use ludex_search::ladder::minimax::minimax;
use ludex_search::{Limits, Means, Player as _, Task, Thought};
use ludex_testkit::maze::Token;
use ludex_testkit::solve::{Solution, solve};
use ludex_testkit::{Explicit, Maze, Nim, TicTacToe};

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
fn exact_options_agree_with_minimax_in_small_games() {
    for seed in 0..60 {
        let (state, trail) = random_position(&TicTacToe, seed, 8);
        agrees(&TicTacToe, "by hand", &state, &trail, 1 + (seed % 5) as u32);
        let tree = Explicit::random(seed, 5, 3);
        let (state, trail) = random_position(&tree, seed, 3);
        agrees(&tree, "tree", &state, &trail, 1 + (seed % 5) as u32);
        let heaps = Nim::new(&[3, 2, 1 + (seed % 4) as u8]);
        let (state, trail) = random_position(&heaps, seed, 3);
        agrees(&heaps, "heaps", &state, &trail, 1 + (seed % 5) as u32);
    }
}

#[test]
fn exact_options_agree_with_minimax_in_mazes() {
    for seed in 0..300 {
        let maze = large_maze(seed);
        let (state, trail) = random_position(&maze, seed, 6);
        for depth in [3, 5, 8] {
            agrees(&maze, "maze", &state, &trail, depth);
        }
    }
}

/// The test has teeth: a table that forgets the way gives other values.
#[test]
fn a_table_that_forgets_the_way_is_found_out() {
    let forgetful = Config { strict: false, ..Config::exact() };
    let differs = (0..300).any(|seed| {
        let maze = large_maze(seed);
        let (state, trail) = random_position(&maze, seed, 6);
        let truth = minimax(&maze, &state, &trail, 8, &Nonsense).unwrap();
        let budget = Budget { depth: Some(8), ..Budget::default() };
        let thought = think(&maze, &state, &trail, &forgetful, 1, budget);
        thought.lines[0].score.unwrap() as i32 != truth
    });
    assert!(differs);
}

fn large_maze(seed: u64) -> Maze {
    Maze::random(seed, 8 + (seed % 12) as u8, 4)
}

/// A maze that can be looked at as a whole.
fn small_maze(seed: u64) -> Maze {
    Maze::random(seed, 4 + (seed % 4) as u8, 3)
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
    let solution = solve(&TicTacToe, 10_000).unwrap();
    for seed in 0..60 {
        proves_truth(&TicTacToe, "by hand", &solution, seed, 8);
    }
}

/// The value of a position by looking at every way it can go on.
fn full(maze: &Maze, state: Token, trail: &Vec<Token>) -> i32 {
    minimax(maze, &state, trail, 60, &Nonsense).unwrap()
}

#[test]
fn what_is_proved_in_mazes_is_true() {
    let mut proofs = 0;
    for seed in 0..400 {
        let maze = small_maze(seed);
        let (state, trail) = random_position(&maze, seed, 5);
        for config in [Config::default(), bold()] {
            let budget = Budget { depth: Some(14), nodes: Some(20_000), ..Budget::default() };
            let thought = think(&maze, &state, &trail, &config, 1, budget);
            for line in &thought.lines {
                let Some(proved) = line.proved else { continue };
                let (mut next, mut past) = (state, trail.clone());
                maze.apply(&mut next, &mut past, &[line.mv]).unwrap();
                let truth = match maze.turn(&next, &past).unwrap() {
                    Turn::Of(_) => -full(&maze, next, &past).signum(),
                    _ => maze.payoff(&next, &past, state.mover).unwrap().utility as i32,
                };
                assert_eq!(proved.utility as i32, truth, "seed {seed}, move {}", line.mv);
                proofs += 1;
            }
        }
    }
    assert!(proofs > 300, "only {proofs} proofs");
}
