//! The ladder: each rung against the next, and all of them on games whose answers are known.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_core::{Clock, Game, GameExt, Limits, Position, PositionOf, Random, Turn};
use ludex_search::{PlayerFamily, PlayerOptions, Registry, SearchResult, SearchRoot, player};
use ludex_testkit::solve::solve;
use ludex_testkit::{Explicit, Maze, Nim, Node, Pig, Rps, TicTacToe};

fn think_from<G: Game + 'static>(
    spec: &str,
    game: &G,
    position: &PositionOf<G>,
    limits: Limits<'_>,
) -> SearchResult<G::Move> {
    let mut player = player::<G>(spec, PlayerOptions::default()).unwrap();
    player.search(SearchRoot { game, position }, limits, &mut |_| ()).unwrap()
}

fn search<G: Game + 'static>(spec: &str, game: &G, state: &G::State) -> SearchResult<G::Move> {
    let budget = Limits::of_nodes(2_000_000);
    think_from(spec, game, &game.position(state.clone()), budget)
}

fn best_name(spec: &str, position: &str) -> String {
    let state = TicTacToe.position(TicTacToe.read(position).unwrap());
    TicTacToe.name(&state.state, search(spec, &TicTacToe, &state.state).best().unwrap())
}

#[test]
fn every_rung_takes_a_win_and_stops_a_loss() {
    let rungs = ["minimax", "alphabeta-plain", "alphabeta-table", "flat", "ucb", "uct"];
    for spec in rungs.into_iter().chain(["alphabeta", "bing", "alphabeta:eval=playouts,depth=3"]) {
        assert_eq!(best_name(spec, "OO1/XX1/3 X"), "c2", "{spec}");
        assert_eq!(best_name(spec, "OO1/X2/X2 O"), "c3", "{spec}");
    }
}

#[test]
fn a_solved_game_is_solved() {
    let start = TicTacToe.start();
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "alphabeta", "bing"] {
        let result = search(spec, &TicTacToe, &start.state);
        let proved = result.lines[0].proved.unwrap_or_else(|| panic!("{spec} proves nothing"));
        assert_eq!(proved.name(), "draw", "{spec}");
    }
    let game = Nim::new(&[3, 4, 5]);
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "alphabeta", "bing"] {
        let budget = Limits::of_nodes(20_000_000);
        let start = game.start();
        if spec == "minimax" {
            continue; // It would look at everything, and that is too much here.
        }
        let result = think_from(spec, &game, &start, budget);
        let proved = result.lines[0].proved.unwrap_or_else(|| panic!("{spec} proves nothing"));
        assert_eq!(proved.name(), "win", "{spec}");
        let mut after = start;
        game.apply(&mut after, &[result.lines[0].mv]).unwrap();
        assert!(!Nim::is_won(&after.state), "{spec}");
    }
}

/// Each exact rung has the same values for all moves.
fn rungs_agree<G: Game + 'static>(game: &G, position: &PositionOf<G>, depth: &str) {
    let values = |rung: &str| {
        let spec = format!("{rung}:eval=none{depth}");
        let result = think_from(&spec, game, position, Limits::default());
        let mut lines: Vec<_> = result.lines.iter().map(|it| (it.mv, it.score)).collect();
        lines.sort_by_key(|it| it.0);
        lines
    };
    let truth = values("minimax");
    assert_eq!(values("alphabeta-plain"), truth, "{}", game.write(&position.state));
    assert_eq!(values("alphabeta-table"), truth, "{}", game.write(&position.state));
}

#[test]
fn the_exact_rungs_agree() {
    for seed in 0..40 {
        let tree = Explicit::random(seed, 5, 3);
        rungs_agree(&tree, &Position::of(0), "");
        let maze = Maze::random(seed, 7, 3);
        let mut position = maze.start();
        let mut random = Random::stream(seed, 0, 0);
        for _ in 0..random.below(4) {
            if let Some(mv) = maze.random_move(&position, &mut random).unwrap() {
                maze.apply(&mut position, &[mv]).unwrap();
            }
        }
        if matches!(maze.turn(&position).unwrap(), Turn::Of(_)) {
            rungs_agree(&maze, &position, "");
            rungs_agree(&maze, &position, ",depth=5");
        }
    }
}

#[test]
fn minimax_agrees_with_the_full_solution() {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let state = TicTacToe.position(TicTacToe.read("3/1X1/O2 X").unwrap());
    for line in search("minimax", &TicTacToe, &state.state).lines {
        let mut after = state;
        TicTacToe.apply(&mut after, &[line.mv]).unwrap();
        let truth = f64::from(solution.value(&after.state, state.state.mover));
        assert_eq!(line.proved.map(|it| it.utility), Some(truth));
    }
}

#[test]
fn a_spent_budget_still_gives_a_move_and_the_same_one_each_time() {
    let start = TicTacToe.start();
    let alone = ["nmcs", "nrpa"];
    let registry = Registry::<TicTacToe>::standard();
    let names = registry.players().iter().map(PlayerFamily::name);
    for spec in names.filter(|it| !alone.contains(it)) {
        for nodes in [0, 1, 10, 500] {
            let once = think_from(spec, &TicTacToe, &start, Limits::of_nodes(nodes));
            let again = think_from(spec, &TicTacToe, &start, Limits::of_nodes(nodes));
            assert!(once.best().is_some(), "{spec} with {nodes} nodes");
            assert_eq!(once, again, "{spec} with {nodes} nodes");
        }
    }
}

#[test]
fn a_raised_flag_stops_at_once() {
    let flag = AtomicBool::new(true);
    let game = Nim::new(&[9, 9, 9, 9]);
    let start = game.start();
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "flat", "ucb", "uct", "alphabeta"]
    {
        let limits = Limits { stop: Some(&flag), ..Limits::default() };
        let result = think_from(spec, &game, &start, limits);
        assert!(result.best().is_some() && result.nodes < 100, "{spec}");
    }
}

/// A clock that jumps a millisecond whenever it is read.
struct Jumping(std::sync::atomic::AtomicU64);

impl Clock for Jumping {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn time_ends_a_search() {
    let game = Nim::new(&[9, 9, 9, 9]);
    let start = game.start();
    for spec in ["minimax", "alphabeta-table", "ucb", "uct", "alphabeta", "alphabeta:threads=2"] {
        let mut player = player::<Nim>(spec, PlayerOptions::default()).unwrap();
        let clock = Jumping(0.into());
        let limits =
            Limits { time: Some(Duration::from_millis(300)), clock: &clock, ..Limits::default() };
        let root = SearchRoot { game: &game, position: &start };
        assert!(player.search(root, limits, &mut |_| ()).unwrap().best().is_some(), "{spec}");
    }
}

#[test]
fn faults_and_unfit_games_are_reported() {
    let broken = Explicit::new(2, vec![Node::of(0, &[("a", 1)]), Node::Fault]);
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "flat", "alphabeta:eval=none"] {
        let mut player = player::<Explicit>(spec, PlayerOptions::default()).unwrap();
        let limits = Limits::default();
        let root = SearchRoot { game: &broken, position: &Position::of(0) };
        assert!(player.search(root, limits, &mut |_| ()).is_err(), "{spec}");
    }
    let position = Rps { rounds: 3 }.start();
    let mut player = player::<Rps>("alphabeta", PlayerOptions::default()).unwrap();
    let limits = Limits::default();
    let root = SearchRoot { game: &Rps { rounds: 3 }, position: &position };
    assert!(player.search(root, limits, &mut |_| ()).is_err());
    let position = Pig { goal: 20, faces: 6 }.start();
    let mut player =
        ludex_search::player::<Pig>("alphabeta:eval=none", PlayerOptions::default()).unwrap();
    let root = SearchRoot { game: &Pig { goal: 20, faces: 6 }, position: &position };
    assert!(player.search(root, limits, &mut |_| ()).is_err(), "chance is not for alpha-beta");
}

#[test]
fn lines_are_told_best_first_and_improve() {
    let state = TicTacToe.position(TicTacToe.read("3/1X1/O2 X").unwrap());
    let mut player =
        player::<TicTacToe>("alphabeta:lines=3,eval=none", PlayerOptions::default()).unwrap();
    let mut depths = Vec::new();
    let mut observer = |result: &SearchResult<_>| depths.push(result.depth);
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let root = SearchRoot { game: &TicTacToe, position: &state };
    let result = player.search(root, limits, &mut observer).unwrap();
    assert!(depths.windows(2).all(|it| it[0] <= it[1]) && depths.len() > 2, "{depths:?}");
    assert_eq!(result.lines.len(), 7);
    let scores: Vec<f64> = result.lines.iter().filter_map(|it| it.score).collect();
    assert!(scores[..3].windows(2).all(|it| it[0] >= it[1]), "{scores:?}");
    for line in &result.lines {
        assert_eq!(line.pv[0], line.mv);
    }
}
