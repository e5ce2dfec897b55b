//! Alpha-beta gives the answer of plain minimax.
//!
//! Every option that only saves time is held against minimax, which has nothing to get wrong, on
//! games by hand and in random mazes, where ways run in circles and the rules look back. What the
//! other options call proved is held against full solutions.
//!
//! `LUDEX_AGREEMENT=10` makes ten times as many positions and graphs of it.

use crate::colliding::Colliding;
use crate::contenders::{Contenders, Nonsense, alphabeta, bold, random_position, search};
use std::sync::LazyLock;

use ludex_core::{
    Fault, Game, GameInfo, Limits, Payoff, Player, PlayerSet, Position, PositionOf, TextError, Turn,
};
use ludex_search::alphabeta::AlphaBetaConfig;
use ludex_search::baselines::minimax::minimax;
use ludex_search::evaluation::scale::Aim;
use ludex_search::{GamePlayer as _, Line, SearchError, SearchRoot};
use ludex_testkit::solve::solve;
use ludex_testkit::{Coins, Explicit, Loops, Maze, Nim, Node, Repetition, TicTacToe};

/// How many cases to run where there are usually `usual`.
fn scaled(usual: u64) -> u64 {
    let factor = std::env::var("LUDEX_AGREEMENT").ok().and_then(|it| it.parse::<u64>().ok());
    usual * factor.unwrap_or(1)
}

#[test]
fn exact_options_agree_with_minimax_in_small_games() {
    let mut by_hand = Contenders::exact();
    for seed in 0..scaled(300) {
        let depth = 1 + (seed % 5) as u32;
        let position = random_position(&TicTacToe, seed, 8);
        by_hand.agree(&TicTacToe, "by hand", &position, depth);
        let tree = Explicit::random(seed, 5, 3);
        agree_once(&tree, "tree", seed, 3, &[depth]);
        agree_once(&Nim::new(&[3, 2, 1 + (seed % 4) as u8]), "heaps", seed, 3, &[depth]);
    }
}

/// All exact options in one position of a random game.
fn agree_once<G: Game>(game: &G, name: &str, seed: u64, most: u32, depths: &[u32]) {
    let position = random_position(game, seed, most);
    let mut contenders = Contenders::exact();
    for &depth in depths {
        contenders.agree(game, name, &position, depth);
    }
}

#[test]
fn exact_options_agree_with_minimax_in_mazes() {
    for seed in 0..scaled(600) {
        agree_once(&large_maze(seed), "maze", seed, 6, &[3, 5, 8]);
    }
}

/// The test has teeth: a table that forgets the way gives other values.
#[test]
fn a_table_that_forgets_the_way_is_found_out() {
    let forgetful = AlphaBetaConfig { strict: false, ..AlphaBetaConfig::exact() };
    let differs = (0..300).any(|seed| {
        let maze = large_maze(seed);
        let position = random_position(&maze, seed, 6);
        let truth = minimax(&maze, &position, 8, &Nonsense).unwrap();
        let budget = Limits { depth: Some(8), ..Limits::default() };
        let result = search(&maze, &position, &forgetful, 1, budget);
        result.lines[0].score.unwrap() as i32 != truth
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

#[test]
fn what_is_proved_is_true() {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let mut contenders = [1, 2].map(Contenders::selective);
    for seed in 0..scaled(200) {
        let position = random_position(&TicTacToe, seed, 8);
        let contenders = &mut contenders[(seed % 2) as usize];
        contenders.prove_truth(&TicTacToe, "by hand", &solution, &position);
    }
}

/// The value of a position by looking at every way it can go on.
fn full(maze: &Maze, position: &PositionOf<Maze>) -> i32 {
    minimax(maze, position, 60, &Nonsense).unwrap()
}

#[test]
fn what_is_proved_in_mazes_is_true() {
    let mut proofs = 0;
    for seed in 0..400 {
        let maze = small_maze(seed);
        let position = random_position(&maze, seed, 5);
        for config in [AlphaBetaConfig::default(), bold()] {
            let budget = Limits { depth: Some(14), nodes: Some(20_000), ..Limits::default() };
            let result = search(&maze, &position, &config, 1, budget);
            for line in &result.lines {
                let Some(proved) = line.proved else { continue };
                let mut next = position.clone();
                maze.apply(&mut next, &[line.mv]).unwrap();
                let truth = match maze.turn(&next).unwrap() {
                    Turn::Of(_) => -full(&maze, &next).signum(),
                    _ => maze.payoff(&next, position.state.mover).unwrap().utility as i32,
                };
                assert_eq!(proved.utility as i32, truth, "seed {seed}, move {}", line.mv);
                proofs += 1;
            }
        }
    }
    assert!(proofs > 300, "only {proofs} proofs");
}

/// Graphs with circles, under each of the rules about them.
#[test]
fn exact_options_agree_with_minimax_in_circles() {
    for seed in 0..scaled(300) {
        for rule in Repetition::ALL {
            let graph = Loops::random(seed, 6 + (seed % 20) as usize, rule);
            agree_once(&graph, "graph", seed, 4, &[3, 6]);
        }
    }
}

/// What is proved in a graph is what trying everything finds, with all that is bold.
#[test]
fn what_is_proved_in_circles_is_true() {
    let mut proofs = 0;
    for seed in 0..scaled(300) {
        for rule in Repetition::ALL {
            let graph = Loops::random(seed, 6 + (seed % 9) as usize, rule);
            proofs += proved_in_circles(&graph, rule, seed);
        }
    }
    assert!(proofs > 500, "only {proofs} proofs");
}

fn proved_in_circles(graph: &Loops, rule: Repetition, seed: u64) -> u32 {
    let position = graph.start();
    let solution = (rule == Repetition::GoesOn).then(|| solve(graph, 10_000).unwrap());
    let mut proofs = 0;
    for config in [bold(), AlphaBetaConfig { lines: 2, ..bold() }] {
        let budget = Limits { depth: Some(14), nodes: Some(20_000), ..Limits::default() };
        let result = search(graph, &position, &config, 1 + (seed % 2) as usize, budget);
        for line in result.lines.iter().filter(|it| it.proved.is_some()) {
            let mut next = position.clone();
            graph.apply(&mut next, &[line.mv]).unwrap();
            let truth = match &solution {
                Some(solution) => solution.value(&next.state, Player(0)),
                None => graph.try_everything(next.state, &mut next.trail) as i32,
            };
            let proved = line.proved.unwrap().utility as i32;
            assert_eq!(proved, truth, "{rule:?} {seed}: {line:?}");
            proofs += 1;
        }
    }
    proofs
}

/// A hash of 64 bits is not enough to call a position known: here it has six.
#[test]
fn positions_that_share_a_hash_are_told_apart() {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let mut proofs = 0;
    for hashes in [1, 3, 64] {
        let colliding = Colliding { game: TicTacToe, hashes };
        let mut selective = Contenders::selective(1);
        let mut exact = Contenders::exact();
        for seed in 0..20 {
            let position = random_position(&colliding, seed, 6);
            let place = &position;
            proofs += selective.prove_truth(&colliding, "colliding", &solution, place);
            exact.agree(&colliding, "colliding", place, 1 + (seed % 5) as u32);
        }
    }
    assert!(proofs > 100, "only {proofs} proofs");
}

/// A move that is only known not to be better than a won one says nothing, and is not shown as won.
#[test]
fn a_bound_is_not_shown_as_a_value() {
    for seed in 0..scaled(300) {
        for lines in [1, 2] {
            let position = random_position(&TicTacToe, seed, 7);
            let config = AlphaBetaConfig { lines, ..AlphaBetaConfig::default() };
            let result = search(&TicTacToe, &position, &config, 1, Limits::of_nodes(300));
            for line in &result.lines {
                assert!(line.value.abs() < 1.0 || line.proved.is_some(), "{line:?}");
            }
        }
    }
}

/// Both players choose at once in the second turn, which its information does not announce. A
/// search for two opponents must notice it before it calls anything proved, however few positions
/// it has seen.
struct SuddenlyJoint;

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo::two_players("P0", "P1"));

impl Game for SuddenlyJoint {
    type State = u8;
    type Trail = ();
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<u8, ()> {
        Position::of(0)
    }

    fn position(&self, state: u8) -> Position<u8, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<u8, ()>) -> Result<Turn, Fault> {
        Ok(match state {
            0 => Turn::Of(Player(0)),
            1 => Turn::Joint(PlayerSet::first(2)),
            _ => Turn::Over,
        })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<u8, ()>,
        player: Player,
        moves: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        moves.clear();
        if *state == 1 || (*state == 0 && player == Player(0)) {
            moves.push(0);
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<u8, ()>,
        _moves: &[u8],
    ) -> Result<(), Fault> {
        *state += 1;
        Ok(())
    }

    fn payoff(&self, _position: &Position<u8, ()>, player: Player) -> Result<Payoff, Fault> {
        Ok(if player == Player(0) { Payoff::WIN } else { Payoff::LOSS })
    }

    fn name(&self, _state: &u8, mv: u8) -> String {
        mv.to_string()
    }

    fn write(&self, state: &u8) -> String {
        state.to_string()
    }

    fn read(&self, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new("a number"))
    }
}

#[test]
fn nothing_is_proved_of_turns_that_are_not_one_players() {
    for config in [AlphaBetaConfig::default(), AlphaBetaConfig::bare()] {
        let root = SearchRoot { game: &SuddenlyJoint, position: &Position::of(0) };
        let limits = Limits::of_nodes(1000);
        let fault = alphabeta(&config, 1).search(root, limits, &mut |_| ()).unwrap_err();
        let SearchError::Rules(fault) = fault else { panic!("{fault}") };
        assert_eq!(fault.code, "two-player-joint");
    }
}

/// Points that do not tell who has won prove nothing about winning: here a player who is half a
/// point up has a quarter of a win.
#[test]
fn points_are_not_taken_for_wins() {
    let game = Explicit::new(
        2,
        vec![
            Node::of(0, &[("a", 1), ("b", 2)]),
            Node::end(&[0.25, -0.25]),
            Node::end(&[-1.0, 1.0]),
        ],
    );
    let config = AlphaBetaConfig { aim: Aim::Score, ..AlphaBetaConfig::default() };
    let result = search(&game, &Position::of(0), &config, 1, Limits::of_nodes(1000));
    assert_eq!(game.name(&0, result.best().unwrap()), "a");
    for line in &result.lines {
        assert!(line.proved.is_none_or(|it| it.utility.abs() < 1.0 || line.mv == 1), "{line:?}");
    }
}

/// Who thinks about points and then about winning does not mistake one for the other, whatever is
/// remembered.
#[test]
fn one_table_serves_two_aims() {
    let game = Coins::random(3, 16);
    let position = game.start();
    let root = SearchRoot { game: &game, position: &position };
    let mut player = alphabeta(&AlphaBetaConfig::default(), 1);
    let best = game.best(&position.state);
    assert!(best.abs() > 1);
    for aim in [Aim::Utility, Aim::Score, Aim::Utility, Aim::Score] {
        player.aim_at(aim);
        let limits = Limits::of_nodes(1_000_000);
        let line = player.search(root, limits, &mut |_| ()).unwrap().lines.swap_remove(0);
        assert_eq!(line.proved.map(|it| it.utility), Some(best.signum() as f64));
        assert!(aim == Aim::Utility || line.score == Some(best as f64), "{line:?}");
    }
}

/// A search that is cut short when its best move turns out to be lost plays another one.
#[test]
fn a_lost_move_is_not_played_while_another_is_open() {
    let mut lost = 0;
    for seed in 0..80 {
        let game = Explicit::random(seed, 6, if seed < 40 { 2 } else { 4 });
        let position = game.start();
        for nodes in (5..800).step_by(5) {
            let budget = Limits::of_nodes(nodes);
            let result = search(&game, &position, &AlphaBetaConfig::default(), 1, budget);
            let is_lost = |it: &Line<_>| it.proved.is_some_and(|it| it.utility < 0.0);
            if is_lost(&result.lines[0]) {
                lost += 1;
                assert!(result.lines.iter().all(is_lost), "seed {seed}, {nodes} nodes");
            }
        }
    }
    assert!(lost > 0, "lost positions are among them");
}
