//! Nested searches on games whose answers are known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ludex_core::{Clock, Game, GameExt, Limits, Player as Side, Turn};
use ludex_search::player::{PlayerOptions, SearchRoot};
use ludex_search::{Proved, SearchError, SearchResult, Unsupported, player};
use ludex_testkit::solve::solve;
use ludex_testkit::{Explicit, Nim, Node, Pig, Pyramid, TicTacToe, Trio};

/// Thinks about the start, and all that was shown on the way.
fn watched<G: Game + 'static>(
    game: &G,
    spec: &str,
    limits: Limits<'_>,
) -> (SearchResult<G::Move>, Vec<SearchResult<G::Move>>) {
    let position = game.start();
    let mut shown = Vec::new();
    let mut observer = |result: &SearchResult<G::Move>| shown.push(result.clone());
    let mut player = player::<G>(spec, PlayerOptions::default()).unwrap();
    let result =
        player.search(SearchRoot { game, position: &position }, limits, &mut observer).unwrap();
    (result, shown)
}

fn search<G: Game + 'static>(game: &G, spec: &str, nodes: u64) -> SearchResult<G::Move> {
    watched(game, spec, Limits::of_nodes(nodes)).0
}

/// A greedy walker goes left at once and gets 9; the right way has 5 in every row.
fn trap() -> Pyramid {
    let row = |row: usize| {
        (0..=row).map(move |column| match (row, column) {
            (0, _) => 0,
            (1, 0) => 9,
            _ if column == row => 5,
            _ => 0,
        })
    };
    Pyramid::new((0..12).map(|it| row(it).collect()).collect())
}

const SEQUENCES: [&str; 5] = [
    "nmcs:level=1",
    "nmcs:level=2",
    "nrpa:level=2,n=30",
    "nrpa:level=3,n=10,playouts=2",
    "nested:level=2",
];

#[test]
fn best_sequences_are_found() {
    for spec in SEQUENCES {
        for seed in 0..5 {
            let game = Pyramid::random(seed, 10);
            let result = search(&game, &format!("{spec},seed={seed}"), 20_000);
            assert_eq!(result.lines[0].score, Some(f64::from(game.best())), "{spec}, {seed}");
        }
        let game = trap();
        let result = search(&game, spec, 20_000);
        assert_eq!(result.lines[0].score, Some(f64::from(game.best())), "{spec}");
    }
}

#[test]
fn learning_beats_random_games() {
    let mut sums = [0.0; 3];
    for seed in 0..10 {
        let game = Pyramid::random(seed, 40);
        for (sum, spec) in sums.iter_mut().zip(["nmcs:level=0", "nmcs:level=1", "nrpa:n=13"]) {
            *sum += search(&game, spec, 2_197).lines[0].score.unwrap();
        }
    }
    assert!(sums[0] < sums[1] && sums[1] < sums[2], "{sums:?}");
}

/// Plays a sequence: what it gives.
fn replayed<G: Game>(game: &G, moves: &[G::Move]) -> i64 {
    let mut position = game.start();
    for &mv in moves {
        let Turn::Of(mover) = game.turn(&position).unwrap() else { panic!("too long") };
        assert_eq!(game.play(&mut position, mover, mv).unwrap(), Ok(()));
    }
    assert_eq!(game.turn(&position).unwrap(), Turn::Over);
    game.payoff(&position, Side(0)).unwrap().score
}

#[test]
fn every_line_can_be_played_to_its_score() {
    for spec in SEQUENCES {
        for seed in 0..20 {
            let game = Pyramid::random(seed, 15);
            let spec = format!("{spec},seed={seed},threads={}", 1 + seed % 2);
            let budget = Limits::of_nodes(300);
            let (result, shown) = watched(&game, &spec, budget);
            assert!(!shown.is_empty());
            for line in shown.iter().chain([&result]).flat_map(|it| &it.lines) {
                assert_eq!(line.score, Some(replayed(&game, &line.pv) as f64), "{spec}");
                assert_eq!(line.mv, line.pv[0]);
                assert_eq!(line.proved, None);
            }
            let best = result.lines[0].score;
            assert_eq!(shown.last().unwrap().lines[0].score, best);
            assert!(result.lines.iter().all(|line| line.score <= best));
        }
    }
}

#[test]
fn what_is_shown_gets_better() {
    let game = Pyramid::random(7, 60);
    let (_, shown) = watched(&game, "nrpa:n=10", Limits::of_nodes(5_000));
    let scores: Vec<f64> = shown.iter().map(|it| it.lines[0].score.unwrap()).collect();
    assert!(scores.len() > 2 && scores.windows(2).all(|it| it[0] < it[1]), "{scores:?}");
}

#[test]
fn equal_seeds_give_equal_thoughts() {
    let game = Pyramid::random(3, 30);
    for spec in SEQUENCES {
        assert_eq!(search(&game, spec, 1_000), search(&game, spec, 1_000), "{spec}");
        let other = search(&game, &format!("{spec},seed=1"), 1_000);
        assert_ne!(search(&game, spec, 1_000).lines, other.lines, "{spec}");
    }
    for spec in ["nested", "nested:level=2,cut=win", "nested:cut=none,discount=no"] {
        assert_eq!(search(&TicTacToe, spec, 2_000), search(&TicTacToe, spec, 2_000), "{spec}");
    }
}

#[test]
fn budgets_are_kept() {
    let game = Pyramid::random(3, 30);
    for spec in ["nmcs:level=1", "nmcs:level=3", "nrpa:n=7", "nrpa:n=7,threads=2", "nmcs:threads=2"]
    {
        for nodes in [1, 2, 10, 77, 1_000] {
            let result = search(&game, spec, nodes);
            // A run that is over begins again: all of the budget is used.
            assert_eq!(result.nodes, nodes, "{spec}");
            assert!(result.best().is_some());
        }
        let result = search(&game, spec, 0);
        assert!(result.best().is_some() && result.lines[0].score.is_none(), "{spec}");
    }
    for spec in ["nested", "nested:level=2", "nested:threads=2"] {
        for nodes in [0, 1, 5, 500] {
            let result = search(&TicTacToe, spec, nodes);
            assert_eq!(result.nodes, nodes, "{spec}");
            assert_eq!(result.lines.len(), 9, "{spec}");
        }
    }
}

/// A clock that a search moves on by looking at it.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_and_the_flag_end_a_search() {
    let game = Pyramid::random(3, 200);
    for spec in ["nmcs:level=5", "nrpa:level=5", "nrpa:level=5,threads=2"] {
        let (time, clock) = (Some(Duration::from_millis(50)), &Ticking::default());
        let limits = Limits { time, clock, ..Limits::default() };
        let (result, _) = watched(&game, spec, limits);
        assert!(result.lines[0].score.is_some(), "{spec}");
        let flag = AtomicBool::new(true);
        let budget = Limits { stop: Some(&flag), ..Limits::default() };
        let (result, _) = watched(&game, spec, budget);
        assert!(result.best().is_some(), "{spec}");
    }
    let (time, clock) = (Some(Duration::from_millis(50)), &Ticking::default());
    let limits = Limits { time, clock, ..Limits::default() };
    let (result, _) = watched(&TicTacToe, "nested:level=3", limits);
    assert_eq!(result.lines.len(), 9);
}

#[test]
fn without_limits_there_is_one_run() {
    let game = Pyramid::random(3, 12);
    let (result, _) = watched(&game, "nrpa:level=2,n=20", Limits::default());
    assert_eq!(result.nodes, 400);
    let (result, _) = watched(&game, "nrpa:level=1,n=20,playouts=3", Limits::default());
    assert_eq!(result.nodes, 60);
    // Eleven steps; two random games at each.
    let (result, _) = watched(&game, "nmcs:level=1", Limits::default());
    assert_eq!(result.nodes, 22);
    // Two codes of a tiny puzzle are learnt soon; what repeats itself ends early.
    let (result, _) =
        watched(&Pyramid::random(1, 2), "nrpa:level=2,n=50,repeat=5", Limits::default());
    assert!(result.nodes < 500, "{}", result.nodes);
}

#[test]
fn a_finished_game_has_no_thoughts() {
    for spec in SEQUENCES {
        let result = search(&Pyramid::random(0, 1), spec, 100);
        assert!(result.lines.is_empty(), "{spec}");
    }
}

#[test]
fn games_of_other_kinds_are_refused() {
    fn error<G: Game + 'static>(game: &G, spec: &str) -> SearchError {
        let position = game.start();
        let (limits, mut observer) = (Limits::of_nodes(100), |_: &SearchResult<G::Move>| {});
        let mut player = player::<G>(spec, PlayerOptions::default()).unwrap();
        player.search(SearchRoot { game, position: &position }, limits, &mut observer).unwrap_err()
    }
    assert_eq!(error(&TicTacToe, "nrpa"), Unsupported::OnePlayerOnly.into());
    assert_eq!(error(&TicTacToe, "nmcs"), Unsupported::OnePlayerOnly.into());
    assert_eq!(error(&Trio { stones: 9 }, "nested"), Unsupported::OneOrTwoPlayersOnly.into());
    assert_eq!(error(&Pig { goal: 20, faces: 6 }, "nested"), Unsupported::Chance.into());
    let faulty = Explicit::new(1, vec![Node::of(0, &[("a", 1), ("b", 1)]), Node::Fault]);
    for spec in ["nrpa", "nmcs", "nrpa:threads=2", "nmcs:threads=2"] {
        let error = error(&faulty, spec);
        assert!(matches!(&error, SearchError::Rules(it) if it.code == "explicit"), "{spec}");
    }
    let faulty = Explicit::new(2, vec![Node::of(0, &[("a", 1), ("b", 1)]), Node::Fault]);
    let error = error(&faulty, "nested:threads=2");
    assert!(matches!(&error, SearchError::Rules(it) if it.code == "explicit"));
}

#[test]
fn options_are_checked() {
    for spec in ["nrpa:level=x", "nmcs:levle=2", "nested:cut=deep", "nrpa:alpha=inf"] {
        assert!(player::<TicTacToe>(spec, PlayerOptions::default()).is_err(), "{spec}");
    }
}

fn best_name<G: Game + 'static>(game: &G, position: &str, spec: &str, nodes: u64) -> String {
    let position = game.position(game.read(position).unwrap());
    let mut observer = |_: &SearchResult<G::Move>| {};
    let limits = Limits::of_nodes(nodes);
    let mut player = player::<G>(spec, PlayerOptions::default()).unwrap();
    let task = SearchRoot { game, position: &position };
    game.name(&position.state, player.search(task, limits, &mut observer).unwrap().best().unwrap())
}

#[test]
fn two_players_see_what_is_near() {
    for spec in ["nested:level=1", "nested:level=2", "nested:cut=none", "nested:cut=win"] {
        assert_eq!(best_name(&TicTacToe, "OO1/XX1/3 X", spec, 5_000), "c2", "{spec}");
        assert_eq!(best_name(&TicTacToe, "OO1/X2/X2 O", spec, 5_000), "c3", "{spec}");
        // Who cuts on any win may not see the quick one that has to be stopped.
        if spec != "nested:cut=win" {
            assert_eq!(best_name(&TicTacToe, "XX1/O2/3 O", spec, 20_000), "c3", "{spec}");
        }
    }
}

#[test]
fn two_players_find_the_value_of_small_games() {
    // The bandit at the root and the playouts below both choose by samples: where a move is best
    // for certain, it is nearly always found.
    let found = (0..40).filter(|&seed| {
        let game = Explicit::random(seed, 4, 3);
        let solution = solve(&game, 1_000).unwrap();
        let best = search(&game, "nested:level=2", 20_000).best().unwrap();
        let root = game.start();
        let mut after = root;
        game.apply(&mut after, &[best]).unwrap();
        solution.value(&after.state, Side(0)) == solution.value(&root.state, Side(0))
    });
    assert!(found.count() >= 34);
    let game = Nim::new(&[1, 2, 4]);
    let state = game.start();
    let best = search(&game, "nested:level=2", 20_000).best().unwrap();
    assert_eq!(game.name(&state.state, best), {
        let mut after = state.clone();
        game.apply(&mut after, &[best]).unwrap();
        assert!(!Nim::is_won(&after.state));
        game.name(&state.state, best)
    });
}

#[test]
fn an_immediate_win_is_proved() {
    let game = TicTacToe;
    let state = game.position(game.read("OO1/XX1/3 X").unwrap());
    let mut observer = |_: &SearchResult<_>| {};
    let limits = Limits::of_nodes(50);
    let task = SearchRoot { game: &game, position: &state };
    let result = player::<TicTacToe>("nested", PlayerOptions::default())
        .unwrap()
        .search(task, limits, &mut observer)
        .unwrap();
    let proved = result.lines[0].proved.unwrap();
    assert_eq!(proved, Proved::WIN.within(1));
}

/// A move that ends the game in a draw is no reason to leave a better one alone.
#[test]
fn a_draw_at_once_is_not_a_win() {
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("draw", 1), ("on", 2), ("off", 4)]),
            Node::end(&[0.0, 0.0]),
            Node::of(1, &[("x", 3)]),
            Node::end(&[1.0, -1.0]),
            Node::of(1, &[("x", 5)]),
            Node::end(&[-1.0, 1.0]),
        ],
    );
    for spec in ["nested", "nested:level=0", "nested:level=2"] {
        let result = search(&game, spec, 60);
        let order: Vec<String> = result.lines.iter().map(|it| game.name(&0, it.mv)).collect();
        assert_eq!(order[0], "on", "{spec}: {order:?}");
    }
    // And where nothing better is in sight it is taken.
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("off", 1), ("draw", 3)]),
            Node::of(1, &[("x", 2)]),
            Node::end(&[-1.0, 1.0]),
            Node::end(&[0.0, 0.0]),
        ],
    );
    let result = search(&game, "nested", 60);
    assert_eq!(game.name(&0, result.best().unwrap()), "draw");
}
