//! How alpha-beta is held against plain minimax, and what it calls proved against full solutions.
//!
//! The evaluation is a hash of the position: it agrees with nothing, so that a mistake shows.

#![allow(dead_code, reason = "each test file uses the part it needs")]

use ludex_core::budget::StoppedClock;
use ludex_core::{Budget, Fault, Game, Random, Turn};
use ludex_search::alphabeta::{AlphaBeta, Config, Null};
use ludex_search::evaluation::{Chosen, Evaluate, Standpoint};
use ludex_search::ladder::minimax::minimax;
use ludex_search::{Limits, Means, Player as _, Task, Thought};
use ludex_testkit::solve::Solution;

/// An evaluation without sense.
pub(crate) struct Nonsense;

impl<G: Game> Evaluate<G> for Nonsense {
    fn evaluate(
        &self,
        game: &G,
        state: &G::State,
        _trail: &G::Trail,
        _from: Standpoint,
    ) -> Result<i32, Fault> {
        Ok((game.second_hash(state) % 2001) as i32 - 1000)
    }

    fn describe(&self) -> String {
        "nonsense".to_owned()
    }
}

/// Alpha-beta with the evaluation without sense, and a small table.
pub(crate) fn alphabeta<G: Game>(game: &G, config: &Config, threads: usize) -> AlphaBeta<G> {
    let means = Means { threads, memory: 1 << 20, ..Means::default() };
    AlphaBeta::new(config.clone(), Chosen::given(game, Box::new(Nonsense)), means)
}

/// What alpha-beta comes to within a budget.
pub(crate) fn think<G: Game>(
    game: &G,
    (state, trail): (&G::State, &G::Trail),
    config: &Config,
    threads: usize,
    budget: Budget<'_>,
) -> Thought<G::Move> {
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
    alphabeta(game, config, threads).think(Task { game, state, trail }, &mut limits).unwrap()
}

/// The options that change no value, each alone and all together, with one thread and with two.
pub(crate) fn exact_options() -> Vec<(&'static str, Config, usize)> {
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
pub(crate) fn random_position<G: Game>(game: &G, seed: u64, most: u32) -> (G::State, G::Trail) {
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

/// All that looks less closely, at its boldest.
pub(crate) fn bold() -> Config {
    Config { null: Null::Yes, ..Config::default() }
}

/// Alpha-beta with several options, which have looked at the game once.
pub(crate) struct Contenders<G: Game> {
    players: Vec<(String, AlphaBeta<G>)>,
}

impl<G: Game> Contenders<G> {
    /// With the options that change no value.
    pub(crate) fn exact(game: &G) -> Self {
        let player = |(name, config, threads): (&str, Config, usize)| {
            (name.to_owned(), alphabeta(game, &config, threads))
        };
        Self { players: exact_options().into_iter().map(player).collect() }
    }

    /// With those that look less closely.
    pub(crate) fn selective(game: &G, threads: usize) -> Self {
        let configs = [Config::default(), bold(), Config::bing(), Config { lines: 3, ..bold() }];
        let player = |config: Config| (format!("{config:?}"), alphabeta(game, &config, threads));
        Self { players: configs.into_iter().map(player).collect() }
    }

    /// Each gives the value of minimax.
    pub(crate) fn agree(
        &mut self,
        game: &G,
        name: &str,
        (state, trail): (&G::State, &G::Trail),
        depth: u32,
    ) {
        let truth = minimax(game, state, trail, depth, &Nonsense).unwrap();
        for (option, player) in &mut self.players {
            player.forget();
            let budget = Budget { depth: Some(depth), ..Budget::default() };
            let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
            let thought = player.think(Task { game, state, trail }, &mut limits).unwrap();
            let found = thought.lines[0].score.unwrap() as i32;
            let position = game.position(state);
            assert_eq!(found, truth, "{name} with {option}, depth {depth}: {position}");
        }
    }

    /// What each calls proved in a random position is true; how many proofs there were.
    pub(crate) fn prove_truth(
        &mut self,
        game: &G,
        name: &str,
        solution: &Solution<G::State>,
        (state, trail): (&G::State, &G::Trail),
    ) -> u32 {
        let Turn::Of(mover) = game.turn(state, trail).unwrap() else { unreachable!() };
        let mut proofs = 0;
        for (option, player) in &mut self.players {
            let budget = Budget { depth: Some(8), nodes: Some(30_000), ..Budget::default() };
            let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
            let thought = player.think(Task { game, state, trail }, &mut limits).unwrap();
            for line in &thought.lines {
                let Some(proved) = line.proved else { continue };
                let (mut next, mut past) = (state.clone(), trail.clone());
                game.apply(&mut next, &mut past, &[line.mv]).unwrap();
                let truth = solution.value(&next, mover);
                let about = format!("{name}: {line:?} in {}, {option}", game.position(state));
                assert_eq!(proved.utility as i32, truth, "{about}");
                let distance = solution.forced(&next).map(|it| it.distance + 1);
                assert!(proved.plies >= distance || truth == 0, "{about}");
                proofs += 1;
            }
        }
        proofs
    }
}
