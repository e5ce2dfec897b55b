//! The ladder: each rung against the next, and all of them on games whose answers are known.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_core::budget::StoppedClock;
use ludex_core::{Budget, Clock, Game, Random, Turn};
use ludex_search::{Limits, Means, Task, Thought, player};
use ludex_testkit::solve::solve;
use ludex_testkit::{Explicit, Maze, Nim, Node, Pig, Rps, TicTacToe};

fn think_from<G: Game + 'static>(
    spec: &str,
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    budget: Budget<'_>,
) -> Thought<G::Move> {
    let mut player = player::<G>(spec, Means::default()).unwrap();
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
    player.think(Task { game, state, trail }, &mut limits).unwrap()
}

fn think<G: Game + 'static>(spec: &str, game: &G, state: &G::State) -> Thought<G::Move> {
    let budget = Budget::of_nodes(2_000_000);
    think_from(spec, game, state, &game.trail_from(state), budget)
}

fn best_name(spec: &str, position: &str) -> String {
    let state = TicTacToe.read_position(position).unwrap();
    TicTacToe.name(&state, think(spec, &TicTacToe, &state).best().unwrap())
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
    let (start, ()) = TicTacToe.start();
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "alphabeta", "bing"] {
        let thought = think(spec, &TicTacToe, &start);
        let proved = thought.lines[0].proved.unwrap_or_else(|| panic!("{spec} proves nothing"));
        assert_eq!(proved.name(), "draw", "{spec}");
    }
    let game = Nim::new(&[3, 4, 5]);
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "alphabeta", "bing"] {
        let budget = Budget::of_nodes(20_000_000);
        let (start, ()) = game.start();
        if spec == "minimax" {
            continue; // It would look at everything, and that is too much here.
        }
        let thought = think_from(spec, &game, &start, &(), budget);
        let proved = thought.lines[0].proved.unwrap_or_else(|| panic!("{spec} proves nothing"));
        assert_eq!(proved.name(), "win", "{spec}");
        let mut after = start;
        game.apply(&mut after, &mut (), &[thought.lines[0].mv]).unwrap();
        assert!(!Nim::is_won(&after), "{spec}");
    }
}

/// Each exact rung has the same values for all moves.
fn rungs_agree<G: Game + 'static>(game: &G, state: &G::State, trail: &G::Trail, depth: &str) {
    let values = |rung: &str| {
        let spec = format!("{rung}:eval=none{depth}");
        let thought = think_from(&spec, game, state, trail, Budget::default());
        let mut lines: Vec<_> = thought.lines.iter().map(|it| (it.mv, it.score)).collect();
        lines.sort_by_key(|it| it.0);
        lines
    };
    let truth = values("minimax");
    assert_eq!(values("alphabeta-plain"), truth, "{}", game.position(state));
    assert_eq!(values("alphabeta-table"), truth, "{}", game.position(state));
}

#[test]
fn the_exact_rungs_agree() {
    for seed in 0..40 {
        let tree = Explicit::random(seed, 5, 3);
        rungs_agree(&tree, &0, &(), "");
        let maze = Maze::random(seed, 7, 3);
        let (mut state, mut trail) = maze.start();
        let mut random = Random::stream(seed, 0, 0);
        for _ in 0..random.below(4) {
            if let Some(mv) = maze.random_move(&state, &trail, &mut random).unwrap() {
                maze.apply(&mut state, &mut trail, &[mv]).unwrap();
            }
        }
        if matches!(maze.turn(&state, &trail).unwrap(), Turn::Of(_)) {
            rungs_agree(&maze, &state, &trail, "");
            rungs_agree(&maze, &state, &trail, ",depth=5");
        }
    }
}

#[test]
fn minimax_agrees_with_the_full_solution() {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let state = TicTacToe.read_position("3/1X1/O2 X").unwrap();
    for line in think("minimax", &TicTacToe, &state).lines {
        let mut after = state;
        TicTacToe.apply(&mut after, &mut (), &[line.mv]).unwrap();
        let truth = f64::from(solution.value(&after, state.mover));
        assert_eq!(line.proved.map(|it| it.utility), Some(truth));
    }
}

#[test]
fn a_spent_budget_still_gives_a_move_and_the_same_one_each_time() {
    let (start, ()) = TicTacToe.start();
    let alone = ["nmcs", "nrpa"];
    let names = ludex_search::players::names().into_iter().map(|(name, _)| name);
    for spec in names.filter(|it| !alone.contains(it)) {
        for nodes in [0, 1, 10, 500] {
            let once = think_from(spec, &TicTacToe, &start, &(), Budget::of_nodes(nodes));
            let again = think_from(spec, &TicTacToe, &start, &(), Budget::of_nodes(nodes));
            assert!(once.best().is_some(), "{spec} with {nodes} nodes");
            assert_eq!(once, again, "{spec} with {nodes} nodes");
        }
    }
}

#[test]
fn a_raised_flag_stops_at_once() {
    let flag = AtomicBool::new(true);
    let game = Nim::new(&[9, 9, 9, 9]);
    let (start, ()) = game.start();
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "flat", "ucb", "uct", "alphabeta"]
    {
        let budget = Budget { stop: Some(&flag), ..Budget::default() };
        let thought = think_from(spec, &game, &start, &(), budget);
        assert!(thought.best().is_some() && thought.nodes < 100, "{spec}");
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
    let (start, ()) = game.start();
    for spec in ["minimax", "alphabeta-table", "ucb", "uct", "alphabeta", "alphabeta:threads=2"] {
        let mut player = player::<Nim>(spec, Means::default()).unwrap();
        let clock = Jumping(0.into());
        let budget = Budget { time: Some(Duration::from_millis(300)), ..Budget::default() };
        let mut limits = Limits { budget, clock: &clock, watch: &mut |_| () };
        let task = Task { game: &game, state: &start, trail: &() };
        assert!(player.think(task, &mut limits).unwrap().best().is_some(), "{spec}");
    }
}

#[test]
fn faults_and_unfit_games_are_reported() {
    let broken = Explicit::new(2, vec![Node::of(0, &[("a", 1)]), Node::Fault]);
    for spec in ["minimax", "alphabeta-plain", "alphabeta-table", "flat", "alphabeta:eval=none"] {
        let mut player = player::<Explicit>(spec, Means::default()).unwrap();
        let budget = Budget::default();
        let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
        let task = Task { game: &broken, state: &0, trail: &() };
        assert!(player.think(task, &mut limits).is_err(), "{spec}");
    }
    let (state, trail) = Rps { rounds: 3 }.start();
    let mut player = player::<Rps>("alphabeta", Means::default()).unwrap();
    let budget = Budget::default();
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
    let task = Task { game: &Rps { rounds: 3 }, state: &state, trail: &trail };
    assert!(player.think(task, &mut limits).is_err());
    let (state, trail) = Pig { goal: 20, faces: 6 }.start();
    let mut player = ludex_search::player::<Pig>("alphabeta:eval=none", Means::default()).unwrap();
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut |_| () };
    let task = Task { game: &Pig { goal: 20, faces: 6 }, state: &state, trail: &trail };
    assert!(player.think(task, &mut limits).is_err(), "chance is not for alpha-beta");
}

#[test]
fn lines_are_told_best_first_and_improve() {
    let state = TicTacToe.read_position("3/1X1/O2 X").unwrap();
    let mut player = player::<TicTacToe>("alphabeta:lines=3,eval=none", Means::default()).unwrap();
    let mut depths = Vec::new();
    let mut watch = |thought: &Thought<_>| depths.push(thought.depth);
    let budget = Budget { depth: Some(6), ..Budget::default() };
    let mut limits = Limits { budget, clock: &StoppedClock, watch: &mut watch };
    let task = Task { game: &TicTacToe, state: &state, trail: &() };
    let thought = player.think(task, &mut limits).unwrap();
    assert!(depths.windows(2).all(|it| it[0] <= it[1]) && depths.len() > 2, "{depths:?}");
    assert_eq!(thought.lines.len(), 7);
    let scores: Vec<f64> = thought.lines.iter().filter_map(|it| it.score).collect();
    assert!(scores[..3].windows(2).all(|it| it[0] >= it[1]), "{scores:?}");
    for line in &thought.lines {
        assert_eq!(line.pv[0], line.mv);
    }
}
