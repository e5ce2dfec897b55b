//! UCT on games whose answers are known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ludex_core::{Clock, Game, GameExt, Limits, Player, Position, PositionOf, Turn};
use ludex_search::uct::{UctConfig, UctReport, uct};
use ludex_testkit::rps::Choice;
use ludex_testkit::solve::solve;
use ludex_testkit::{Explicit, Nim, Node, Pig, Rps, TicTacToe, Trio};

fn search<G: Game>(game: &G, state: &G::State, playouts: u64) -> UctReport<G::Move> {
    let position = game.position(state.clone());
    let budget = Limits::of_nodes(playouts);
    uct(game, &position, &UctConfig::default(), budget).unwrap()
}

fn best_name<G: Game>(game: &G, position: &str, playouts: u64) -> String {
    let state = game.position(game.read(position).unwrap());
    game.name(&state.state, search(game, &state.state, playouts).best().unwrap())
}

#[test]
fn takes_a_win_and_stops_a_loss() {
    assert_eq!(best_name(&TicTacToe, "OO1/XX1/3 X", 200), "c2");
    assert_eq!(best_name(&TicTacToe, "OO1/X2/X2 O", 200), "c3");
    assert_eq!(best_name(&TicTacToe, "XX1/O2/3 O", 500), "c3");
}

#[test]
fn finds_the_value_of_random_trees() {
    for seed in 0..30 {
        let game = Explicit::random(seed, 4, 3);
        let solution = solve(&game, 1_000).unwrap();
        let root = game.start();
        let mut after = root;
        let best = search(&game, &root.state, 5_000).best().unwrap();
        game.apply(&mut after, &[best]).unwrap();
        let (reached, exact) =
            (solution.value(&after.state, Player(0)), solution.value(&root.state, Player(0)));
        assert_eq!(reached, exact, "seed {seed}");
    }
}

#[test]
fn is_not_lured_by_a_trap() {
    // `lure` wins against three replies of four; `calm` draws for certain.
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("lure", 1), ("calm", 2)]),
            Node::of(1, &[("a", 3), ("b", 3), ("c", 4), ("d", 3)]),
            Node::of(1, &[("a", 5)]),
            Node::end(&[1.0, -1.0]),
            Node::end(&[-1.0, 1.0]),
            Node::end(&[0.0, 0.0]),
        ],
    );
    assert_eq!(best_name(&game, "node 0", 2_000), "calm");
}

#[test]
fn wins_won_games_of_nim() {
    let nim = Nim::new(&[3, 4, 5]);
    for position in ["3/4/5 First", "1/2/4 First", "0/4/5 First", "1/1/3 First"] {
        let mut state = nim.position(nim.read(position).unwrap());
        let best = search(&nim, &state.state, 200_000).best().unwrap();
        nim.apply(&mut state, &[best]).unwrap();
        assert!(!Nim::is_won(&state.state), "{position} became {}", nim.write(&state.state));
    }
}

/// Plays `me` by UCT against every reply there is; counts the games and the losses.
fn against_everything(state: PositionOf<TicTacToe>, me: Player) -> (u32, u32) {
    let Turn::Of(mover) = TicTacToe.turn(&state).unwrap() else {
        let lost = TicTacToe.payoff(&state, me).unwrap().score < 0;
        return (1, u32::from(lost));
    };
    let mut moves = Vec::new();
    TicTacToe.moves(&state, mover, &mut moves).unwrap();
    if mover == me {
        moves = vec![search(&TicTacToe, &state.state, 10_000).best().unwrap()];
    }
    moves.iter().fold((0, 0), |(games, lost), &mv| {
        let mut after = state;
        TicTacToe.apply(&mut after, &[mv]).unwrap();
        let (more, worse) = against_everything(after, me);
        (games + more, lost + worse)
    })
}

#[test]
fn never_loses_tictactoe() {
    for me in [Player(0), Player(1)] {
        let (games, lost) = against_everything(TicTacToe.start(), me);
        assert!(games > 20);
        assert_eq!(lost, 0, "of {games} games as {me:?}");
    }
}

/// What each player gets in the game for three with best play of all, and a best move.
fn trio_by_hand(game: Trio, stones: u8, mover: Player) -> ([f64; 3], u8) {
    let state = game.position(ludex_testkit::trio::Heap { stones, mover });
    if stones == 0 {
        let payoff = |it| game.payoff(&state, Player(it)).unwrap().utility;
        return ([payoff(0), payoff(1), payoff(2)], 0);
    }
    let next = Player((mover.0 + 1) % 3);
    let mut best = ([-2.0; 3], 0);
    for take in 1..=stones.min(3) {
        let (values, _) = trio_by_hand(game, stones - take, next);
        if values[mover.index()] > best.0[mover.index()] {
            best = (values, take);
        }
    }
    best
}

#[test]
fn three_players_each_think_of_themselves() {
    let trio = Trio { stones: 12 };
    for stones in 1..=12 {
        for mover in [Player(0), Player(1), Player(2)] {
            let state: Position<_, ()> = trio.position(ludex_testkit::trio::Heap { stones, mover });
            let (values, _) = trio_by_hand(trio, stones, mover);
            let best = search(&trio, &state.state, 20_000).best().unwrap();
            let next = Player((mover.0 + 1) % 3);
            let (reached, _) = trio_by_hand(trio, stones - best, next);
            let [reached, exact] = [reached, values].map(|it| it[mover.index()] as i32);
            assert_eq!(reached, exact, "{mover:?} takes {best} of {stones}");
        }
    }
}

#[test]
fn weighs_chance_by_its_odds() {
    // Ten to one against: an average over outcomes would gamble.
    let gamble = |odds: f64| {
        Explicit::new(
            1,
            vec![
                Node::of(0, &[("safe", 1), ("gamble", 2)]),
                Node::end(&[0.2]),
                Node::chance(&[("win", odds, 3), ("lose", 1.0 - odds, 4)]),
                Node::end(&[1.0]),
                Node::end(&[-1.0]),
            ],
        )
    };
    assert_eq!(best_name(&gamble(0.1), "node 0", 2_000), "safe");
    assert_eq!(best_name(&gamble(0.9), "node 0", 2_000), "gamble");
    let report = search(&gamble(0.9), &0, 4_000);
    assert!((report.decisions[0].lines[0].value - 0.8).abs() < 0.05, "{report:?}");
}

#[test]
fn holds_when_that_wins_and_rolls_when_there_is_nothing_to_hold() {
    let pig = Pig { goal: 20, faces: 6 };
    assert_eq!(best_name(&pig, "15 18 5 Ham thinking", 500), "hold");
    assert_eq!(best_name(&pig, "15 18 0 Ham thinking", 50), "roll");
    // With the opponent about to win, holding short of the goal gives the game away.
    assert_eq!(best_name(&pig, "0 19 2 Ham thinking", 3_000), "roll");
}

#[test]
fn mixes_in_joint_turns() {
    let rps = Rps { rounds: 1 };
    let report = search(&rps, &rps.start().state, 30_000);
    assert_eq!(report.decisions.len(), 2);
    assert_eq!(report.best(), None);
    for decision in &report.decisions {
        for line in &decision.lines {
            let share = line.visits as f64 / report.playouts as f64;
            assert!((0.2..0.5).contains(&share), "{report:?}");
        }
    }
    assert!(report.values.iter().all(|it| it.abs() < 0.1), "{report:?}");
}

#[test]
fn does_not_bow_out_of_a_game_it_is_winning() {
    let rps = Rps { rounds: 5 };
    let state = rps.position(rps.read("4 4 0 rock+scissors").unwrap());
    let report = search(&rps, &state.state, 2_000);
    assert_ne!(report.decisions[0].best(), Some(Choice::Bow));
    assert!(report.values[0] > 0.8, "{report:?}");
}

#[test]
fn one_seed_one_answer() {
    let run = |seed| {
        let config = UctConfig { seed, ..UctConfig::default() };
        let state = TicTacToe.start();
        uct(&TicTacToe, &state, &config, Limits::of_nodes(3_000)).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    // The signature: a change here is a change of play, and the commit says so.
    let report = run(1);
    assert_eq!((report.playouts, report.nodes, report.plies), (3_000, 3_001, 22_742));
}

#[test]
fn reports_add_up() {
    let report = search(&TicTacToe, &TicTacToe.start().state, 1_000);
    let lines = &report.decisions[0].lines;
    assert_eq!(lines.iter().map(|it| it.visits).sum::<u64>(), report.playouts);
    assert!(lines.is_sorted_by_key(|it| std::cmp::Reverse(it.visits)));
    assert!((report.values[0] + report.values[1]).abs() < 1e-9);
    assert_eq!(report.pv, lines[0].pv);
    assert_eq!(report.pv[0], [lines[0].mv]);
    let mut state = TicTacToe.start();
    for turn in &report.pv {
        let mover = state.state.mover;
        assert_eq!(TicTacToe.play(&mut state, mover, turn[0]), Ok(Ok(())));
    }
}

#[test]
fn a_finished_game_has_nothing_to_decide() {
    let state = TicTacToe.position(TicTacToe.read("OO1/XXX/3 O").unwrap());
    let report = search(&TicTacToe, &state.state, 10);
    assert!(report.decisions.is_empty() && report.pv.is_empty());
    assert!(report.values[0] > 0.99);
}

#[test]
fn no_budget_still_gives_a_move() {
    let flag = AtomicBool::new(true);
    let budget = Limits { stop: Some(&flag), ..Limits::default() };
    let state = TicTacToe.start();
    let config = UctConfig::default();
    let report = uct(&TicTacToe, &state, &config, budget).unwrap();
    assert_eq!(report.playouts, 0);
    assert!(report.best().is_some());
}

#[test]
fn an_endless_budget_ends() {
    let config = UctConfig { playouts: 77, ..UctConfig::default() };
    let state = TicTacToe.start();
    for budget in [Limits::default(), Limits { depth: Some(2), ..Limits::default() }] {
        let report = uct(&TicTacToe, &state, &config, budget).unwrap();
        assert_eq!(report.playouts, 77);
    }
}

/// A clock that moves on by a millisecond whenever it is read.
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_ends_a_search() {
    let state = TicTacToe.start();
    let clock = Ticking(AtomicU64::new(0));
    let time = Some(Duration::from_millis(50));
    let limits = Limits { time, clock: &clock, ..Limits::default() };
    let report = uct(&TicTacToe, &state, &UctConfig::default(), limits).unwrap();
    assert_eq!(report.playouts, 50);
}

#[test]
fn a_full_tree_goes_on_playing() {
    let config = UctConfig { memory: 2_000, ..UctConfig::default() };
    let state = TicTacToe.position(TicTacToe.read("OO1/XX1/3 X").unwrap());
    let budget = Limits::of_nodes(2_000);
    let report = uct(&TicTacToe, &state, &config, budget).unwrap();
    assert!(report.nodes < 30, "{}", report.nodes);
    assert_eq!(report.playouts, 2_000);
    assert_eq!(TicTacToe.name(&state.state, report.best().unwrap()), "c2");
}

#[test]
fn depth_limits_the_tree() {
    let state = TicTacToe.start();
    let config = UctConfig::default();
    let nodes = |depth| {
        let budget = Limits { depth: Some(depth), ..Limits::of_nodes(5_000) };
        uct(&TicTacToe, &state, &config, budget).unwrap().nodes
    };
    assert_eq!(nodes(1), 1);
    assert_eq!(nodes(2), 1 + 9);
    assert_eq!(nodes(3), 1 + 9 + 72);
}

#[test]
fn a_fault_is_handed_back() {
    let game = Explicit::new(
        2,
        vec![Node::of(0, &[("on", 1), ("out", 2)]), Node::Fault, Node::end(&[0.0, 0.0])],
    );
    let budget = Limits::of_nodes(100);
    let fault = uct(&game, &Position::of(0), &UctConfig::default(), budget).unwrap_err();
    assert_eq!(fault.code, "explicit");
    let fault = uct(&game, &Position::of(1), &UctConfig::default(), budget).unwrap_err();
    assert_eq!(fault.message, "the rules fail at node 1");
}

#[test]
fn games_that_go_round_come_to_an_end() {
    let circle = Explicit::new(2, vec![Node::of(0, &[("on", 1)]), Node::of(1, &[("on", 0)])]);
    let config = UctConfig { playout_plies: 20, ..UctConfig::default() };
    let budget = Limits::of_nodes(200);
    let report = uct(&circle, &Position::of(0), &config, budget).unwrap();
    assert_eq!(report.playouts, 200);
    assert!(report.values[0].abs() < 1e-9);
}
