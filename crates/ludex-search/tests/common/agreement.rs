//! How alpha-beta is held against plain minimax, and what it calls proved against full solutions.
//!
//! The evaluation is a hash of the position: it agrees with nothing, so that a mistake shows.

#![allow(dead_code, reason = "each test file uses the part it needs")]

use std::sync::Arc;

use ludex_core::{Fault, Game, GameExt, Limits, PositionOf, Random, Turn};
use ludex_search::alphabeta::{AlphaBeta, AlphaBetaConfig, NullMove};
use ludex_search::baselines::minimax::minimax;
use ludex_search::evaluation::{Evaluate, LazyEvaluation, Standpoint};
use ludex_search::{GamePlayer as _, PlayerOptions, SearchResult, SearchRoot};
use ludex_testkit::solve::Solution;

/// An evaluation without sense.
pub(crate) struct Nonsense;

impl<G: Game> Evaluate<G> for Nonsense {
    fn evaluate(
        &self,
        game: &G,
        position: &PositionOf<G>,
        _from: Standpoint,
    ) -> Result<i32, Fault> {
        Ok((game.second_hash(&position.state) % 2001) as i32 - 1000)
    }

    fn describe(&self) -> String {
        "nonsense".to_owned()
    }
}

/// Alpha-beta with the evaluation without sense, and a small table.
pub(crate) fn alphabeta<G: Game>(config: &AlphaBetaConfig, threads: usize) -> AlphaBeta<G> {
    let options = PlayerOptions { threads, memory: 1 << 20, ..PlayerOptions::default() };
    AlphaBeta::new(config.clone(), LazyEvaluation::ready(Arc::new(Nonsense)), options)
}

/// The result of alpha-beta within limits.
pub(crate) fn search<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    config: &AlphaBetaConfig,
    threads: usize,
    limits: Limits<'_>,
) -> SearchResult<G::Move> {
    alphabeta(config, threads).search(SearchRoot { game, position }, limits, &mut |_| ()).unwrap()
}

/// The options that change no value, each alone and all together, with one thread and with two.
pub(crate) fn exact_options() -> Vec<(&'static str, AlphaBetaConfig, usize)> {
    let bare = AlphaBetaConfig::bare();
    vec![
        ("nothing", bare.clone(), 1),
        ("table", AlphaBetaConfig { table: true, ..bare.clone() }, 1),
        ("window", AlphaBetaConfig { window: 100, ..bare.clone() }, 1),
        ("pvs", AlphaBetaConfig { pvs: true, ..bare.clone() }, 1),
        ("killers", AlphaBetaConfig { killers: true, ..bare.clone() }, 1),
        ("history", AlphaBetaConfig { history: true, counter: true, captures: true, ..bare }, 1),
        ("all", AlphaBetaConfig::exact(), 1),
        ("all, two threads", AlphaBetaConfig::exact(), 2),
    ]
}

/// A random position some way into a game that is not over.
pub(crate) fn random_position<G: Game>(game: &G, seed: u64, most: u32) -> PositionOf<G> {
    let mut random = Random::stream(seed, 1, 0);
    loop {
        let mut position = game.start();
        for _ in 0..random.below(most) {
            match game.random_move(&position, &mut random).unwrap() {
                Some(mv) => game.apply(&mut position, &[mv]).unwrap(),
                None => break,
            }
        }
        if matches!(game.turn(&position), Ok(Turn::Of(_))) {
            return position;
        }
    }
}

/// All that looks less closely, at its boldest.
pub(crate) fn bold() -> AlphaBetaConfig {
    AlphaBetaConfig { null: NullMove::Yes, ..AlphaBetaConfig::default() }
}

/// Alpha-beta with several options, which have looked at the game once.
pub(crate) struct Contenders<G: Game> {
    players: Vec<(String, AlphaBeta<G>)>,
}

impl<G: Game> Contenders<G> {
    /// With the options that change no value.
    pub(crate) fn exact() -> Self {
        let player = |(name, config, threads): (&str, AlphaBetaConfig, usize)| {
            (name.to_owned(), alphabeta(&config, threads))
        };
        Self { players: exact_options().into_iter().map(player).collect() }
    }

    /// With those that look less closely.
    pub(crate) fn selective(threads: usize) -> Self {
        let configs = [
            AlphaBetaConfig::default(),
            bold(),
            AlphaBetaConfig::bing(),
            AlphaBetaConfig { lines: 3, ..bold() },
        ];
        let player = |config: AlphaBetaConfig| (format!("{config:?}"), alphabeta(&config, threads));
        Self { players: configs.into_iter().map(player).collect() }
    }

    /// Each gives the value of minimax.
    pub(crate) fn agree(&mut self, game: &G, name: &str, position: &PositionOf<G>, depth: u32) {
        let truth = minimax(game, position, depth, &Nonsense).unwrap();
        for (option, player) in &mut self.players {
            player.forget();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let result = player.search(SearchRoot { game, position }, limits, &mut |_| ()).unwrap();
            let found = result.lines[0].score.unwrap() as i32;
            let position = game.write(&position.state);
            assert_eq!(found, truth, "{name} with {option}, depth {depth}: {position}");
        }
    }

    /// What each calls proved in a random position is true; how many proofs there were.
    pub(crate) fn prove_truth(
        &mut self,
        game: &G,
        name: &str,
        solution: &Solution<G::State>,
        position: &PositionOf<G>,
    ) -> u32 {
        let Turn::Of(mover) = game.turn(position).unwrap() else { unreachable!() };
        let mut proofs = 0;
        for (option, player) in &mut self.players {
            let limits = Limits { depth: Some(8), nodes: Some(30_000), ..Limits::default() };
            let result = player.search(SearchRoot { game, position }, limits, &mut |_| ()).unwrap();
            for line in &result.lines {
                let Some(proved) = line.proved else { continue };
                let mut next = position.clone();
                game.apply(&mut next, &[line.mv]).unwrap();
                let truth = solution.value(&next.state, mover);
                let about =
                    format!("{name}: {line:?} in {}, {option}", game.write(&position.state));
                assert_eq!(proved.utility as i32, truth, "{about}");
                let distance = solution.forced(&next.state).map(|it| it.distance + 1);
                assert!(proved.plies >= distance || truth == 0, "{about}");
                proofs += 1;
            }
        }
        proofs
    }
}
