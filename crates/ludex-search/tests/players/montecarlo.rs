//! The Monte-Carlo players on games whose answers are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ludex_core::{Clock, Fault, Game, GameExt, Limits, Player, Position, PositionOf, Random, Turn};
use ludex_search::evaluation::{Evaluate, Standpoint};
use ludex_search::montecarlo::{self, McConfig, Mcts};
use ludex_search::{
    GamePlayer as _, PlayerOptions, SearchError, SearchResult, SearchRoot, Unsupported, player,
};
use ludex_testkit::solve::{Solution, solve};
use ludex_testkit::trio::Heap;
use ludex_testkit::{Explicit, Nim, Node, Pig, Rps, TicTacToe, Trio};

/// Every preset, and the options that change what is searched.
fn players() -> Vec<String> {
    let presets = montecarlo::NAMES.iter().map(|it| it.0.to_owned());
    let others = [
        "mcts:solver=no",
        "mcts:transpositions=yes",
        "mcts:transpositions=yes,solver=no",
        "mcts:look=no",
        "mcts:fpu=first,c=1",
        "mcts:amaf=no,c=0.4",
        "mcts:policy=mast",
        "mast:temperature=0.1,epsilon=0",
        "mcts:open=5",
    ];
    presets.chain(others.map(str::to_owned)).collect()
}

/// The same player with enough exploration to find the truth in small trees soon. Codes
/// mean nothing there: what learns by them must forget it again.
fn exploring(text: &str) -> String {
    let joint = if text.contains(':') { ',' } else { ':' };
    let text = text.replace(",c=0.4", "").replace(",c=1", "");
    format!("{text}{joint}c=1.4,bias=1")
}

fn think_with<G: Game + 'static>(
    game: &G,
    text: &str,
    state: &G::State,
    options: PlayerOptions,
    limits: Limits<'_>,
) -> Result<SearchResult<G::Move>, SearchError> {
    let position = game.position(state.clone());
    let mut player = player::<G>(text, options).unwrap_or_else(|it| panic!("{it}"));
    player.search(SearchRoot { game, position: &position }, limits, &mut |_| {})
}

fn search<G: Game + 'static>(
    game: &G,
    text: &str,
    state: &G::State,
    playouts: u64,
) -> SearchResult<G::Move> {
    think_with(game, text, state, PlayerOptions::default(), Limits::of_nodes(playouts)).unwrap()
}

fn best_name<G: Game + 'static>(game: &G, text: &str, position: &str, playouts: u64) -> String {
    let state = game.position(game.read(position).unwrap());
    game.name(&state.state, search(game, text, &state.state, playouts).best().unwrap())
}

/// The players, those without a solver with enough exploration to find the truth anyway.
fn thorough() -> Vec<String> {
    let explore = |it: String| if it.contains("solver=no") { exploring(&it) } else { it };
    players().into_iter().map(explore).collect()
}

/// Positions in which something must be seen.
const TACTICS: [&str; 3] = ["OO1/XX1/3 X", "OO1/X1X/X2 O", "XX1/1O1/3 O"];

/// Whether the move that was chosen gives nothing away.
fn keeps_the_value(position: &str, result: &SearchResult<<TicTacToe as Game>::Move>) -> bool {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let state = TicTacToe.position(TicTacToe.read(position).unwrap());
    let mut after = state;
    TicTacToe.apply(&mut after, &[result.best().unwrap()]).unwrap();
    solution.value(&after.state, state.state.mover)
        == solution.value(&state.state, state.state.mover)
}

#[test]
fn take_a_win_and_stop_a_loss() {
    for text in thorough() {
        for position in TACTICS {
            let state = TicTacToe.position(TicTacToe.read(position).unwrap());
            let result = search(&TicTacToe, &text, &state.state, 2_000);
            assert!(keeps_the_value(position, &result), "{text}: {position}");
        }
    }
}

#[test]
fn find_the_value_of_random_trees() {
    for text in players() {
        let text = exploring(&text);
        for seed in 0..8 {
            let game = Explicit::random(seed, 4, 3);
            let solution = solve(&game, 1_000).unwrap();
            let best = search(&game, &text, &0, 10_000).best().unwrap();
            let mut after = Position::of(0);
            game.apply(&mut after, &[best]).unwrap();
            let [reached, exact] = [after.state, 0].map(|it| solution.value(&it, Player(0)));
            assert_eq!(reached, exact, "{text}, seed {seed}");
        }
    }
}

#[test]
fn win_won_games_of_nim() {
    let nim = Nim::new(&[3, 4, 5]);
    for text in thorough() {
        for position in ["1/2/4 First", "0/4/5 First", "1/1/3 First"] {
            let mut state = nim.position(nim.read(position).unwrap());
            let best = search(&nim, &text, &state.state, 20_000).best().unwrap();
            nim.apply(&mut state, &[best]).unwrap();
            assert!(
                !Nim::is_won(&state.state),
                "{text}: {position} became {}",
                nim.write(&state.state)
            );
        }
    }
}

/// Fails where a line claims more than is true; counts the claims.
fn check_claims<G: Game>(
    game: &G,
    state: &G::State,
    result: &SearchResult<G::Move>,
    truth: impl Fn(&G::State, Player) -> i32,
    what: &str,
) -> usize {
    let position = game.position(state.clone());
    let Turn::Of(mover) = game.turn(&position).unwrap() else { return 0 };
    let mut claims = 0;
    for line in &result.lines {
        let Some(proved) = line.proved else { continue };
        let mut after = position.clone();
        game.apply(&mut after, &[line.mv]).unwrap();
        let value = f64::from(truth(&after.state, mover));
        let holds = if proved.exact {
            (value - proved.utility).abs() < 1e-6
        } else if proved.utility > 0.0 {
            value >= proved.utility
        } else {
            value <= proved.utility
        };
        assert!(holds, "{what}: {proved:?} in {}, but it is {value}", game.write(state));
        claims += 1;
    }
    claims
}

#[test]
fn nothing_wrong_is_called_proved_in_small_boards() {
    let solution = solve(&TicTacToe, 10_000).unwrap();
    let mut random = Random::stream(5, 0, 0);
    let mut claims = 0;
    for text in ["mcts", "mcts:transpositions=yes", "mcts:look=no", "grave", "ppaf"] {
        for plies in 0..8 {
            let mut state = TicTacToe.start();
            for _ in 0..plies {
                if let Some(mv) = TicTacToe.random_move(&state, &mut random).unwrap() {
                    TicTacToe.apply(&mut state, &[mv]).unwrap();
                }
            }
            let result = search(&TicTacToe, text, &state.state, 3_000);
            let truth = |state: &_, player| solution.value(state, player);
            claims += check_claims(&TicTacToe, &state.state, &result, truth, text);
        }
    }
    assert!(claims > 50, "{claims}");
}

#[test]
fn nothing_wrong_is_called_proved_in_random_trees() {
    let mut claims = 0;
    let texts = ["mcts", "mcts:transpositions=yes", "mcts:look=no", "rave", "mast"];
    for text in texts.map(exploring) {
        let text = text.as_str();
        for seed in 0..40 {
            let game = Explicit::random(seed, 6, 3);
            let solution = solve(&game, 10_000).unwrap();
            let truth = |state: &_, player| solution.value(state, player);
            for playouts in [50, 500, 5_000] {
                let result = search(&game, text, &0, playouts);
                claims += check_claims(&game, &0, &result, truth, text);
            }
            // With enough playouts the whole tree is known.
            let result = search(&game, text, &0, 50_000);
            assert!(result.lines[0].proved.is_some_and(|it| it.exact), "{text}, seed {seed}");
            let value = f64::from(solution.value(&0, Player(0)));
            assert!((result.lines[0].value - value).abs() < 1e-6, "{text}, seed {seed}");
            assert!(result.nodes < 50_000, "a solved tree is left");
        }
    }
    assert!(claims > 300, "{claims}");
}

/// A random game of two in which ways meet and run in circles.
fn random_graph(seed: u64) -> Explicit {
    let mut random = Random::stream(seed, 1, 0);
    let count = 30;
    let nodes = (0..count).map(|number| {
        if number > 3 && random.below(4) == 0 {
            let utility = f64::from(random.below(3)) - 1.0;
            return Node::end(&[utility, -utility]);
        }
        let edges: Vec<(String, usize)> =
            (0..3).map(|edge| (format!("m{edge}"), random.below(count) as usize)).collect();
        let edges: Vec<(&str, usize)> = edges.iter().map(|(it, to)| (it.as_str(), *to)).collect();
        Node::of((number % 2) as u8, &edges)
    });
    Explicit::new(2, nodes.collect())
}

#[test]
fn nothing_wrong_is_called_proved_where_ways_run_in_circles() {
    for seed in 0..60 {
        let game = random_graph(seed);
        let solution = solve(&game, 1_000).unwrap();
        let truth = |state: &_, player| solution.value(state, player);
        for text in ["mcts:plies=50", "mcts:plies=50,transpositions=yes"] {
            let result = search(&game, text, &0, 1_500);
            check_claims(&game, &0, &result, truth, text);
        }
    }
}

#[test]
fn three_players_each_think_of_themselves() {
    // With two stones left the mover takes both; with four no matter what, the next one does.
    let trio = Trio { stones: 12 };
    for text in players() {
        let state = Heap { stones: 3, mover: Player(1) };
        let result = search(&trio, &text, &state, 2_000);
        let mut after = Position::of(state);
        trio.apply(&mut after, &[result.best().unwrap()]).unwrap();
        let payoff = |it: &PositionOf<Trio>| trio.payoff(it, Player(1)).unwrap().utility;
        assert_eq!(trio.turn(&after).unwrap(), Turn::Over, "{text}");
        assert!(payoff(&after) > 0.0, "{text}");
        assert!(result.lines.iter().all(|it| it.proved.is_none()), "{text}");
    }
}

#[test]
fn chance_is_left_to_plain_uct() {
    let pig = Pig { goal: 20, faces: 6 };
    for text in ["mcts", "grave", "ppafm"] {
        assert_eq!(best_name(&pig, text, "15 18 5 Ham thinking", 500), "hold");
        assert_eq!(best_name(&pig, text, "15 18 0 Ham thinking", 50), "roll");
    }
    let rps = Rps { rounds: 1 };
    let (options, budget) = (PlayerOptions::default(), Limits::of_nodes(10));
    let error = think_with(&rps, "mcts", &rps.start().state, options, budget).unwrap_err();
    assert_eq!(error, SearchError::Unsupported(Unsupported::NoSingleTurn));
}

#[test]
fn one_seed_one_answer() {
    for text in players() {
        let run = |seed| {
            let options = PlayerOptions { seed, ..PlayerOptions::default() };
            let state = TicTacToe.start();
            think_with(&TicTacToe, &text, &state.state, options, Limits::of_nodes(500)).unwrap()
        };
        assert_eq!(run(1), run(1), "{text}");
        assert_ne!(run(1), run(2), "{text}");
    }
}

#[test]
fn a_whole_game_can_be_repeated() {
    let play = |player: &mut dyn ludex_search::GamePlayer<TicTacToe>| {
        player.forget();
        let mut state = TicTacToe.start();
        let mut results = Vec::new();
        while TicTacToe.turn(&state).unwrap() != Turn::Over {
            let limits = Limits::of_nodes(300);
            let root = SearchRoot { game: &TicTacToe, position: &state };
            let result = player.search(root, limits, &mut |_| {}).unwrap();
            TicTacToe.apply(&mut state, &[result.best().unwrap()]).unwrap();
            results.push(result);
        }
        results
    };
    for text in players() {
        let mut player = player::<TicTacToe>(&text, PlayerOptions::default()).unwrap();
        assert_eq!(play(&mut *player), play(&mut *player), "{text}");
    }
}

#[test]
fn lines_add_up() {
    for text in ["mcts:solver=no", "grave:solver=no", "mcts:solver=no,transpositions=yes"] {
        let state = TicTacToe.start();
        let result = search(&TicTacToe, text, &state.state, 1_000);
        let visits: u64 = result.lines.iter().map(|it| it.visits).sum();
        assert_eq!((result.lines.len(), visits, result.nodes), (9, 1_000, 1_000));
        assert!(result.lines.is_sorted_by_key(|it| std::cmp::Reverse(it.visits)));
        for line in &result.lines {
            let mut state = state;
            assert_eq!(line.pv[0], line.mv);
            for &mv in &line.pv {
                let mover = state.state.mover;
                assert_eq!(TicTacToe.play(&mut state, mover, mv), Ok(Ok(())));
            }
        }
    }
}

#[test]
fn two_threads_agree_with_one() {
    let options = PlayerOptions { threads: 2, ..PlayerOptions::default() };
    for text in thorough() {
        for position in TACTICS {
            let state = TicTacToe.position(TicTacToe.read(position).unwrap());
            let budget = Limits::of_nodes(3_000);
            let result = think_with(&TicTacToe, &text, &state.state, options, budget).unwrap();
            assert!(keeps_the_value(position, &result), "{text}: {position}");
            assert!(result.nodes <= 3_000);
        }
    }
    let state = TicTacToe.start();
    let budget = Limits::of_nodes(5_000);
    let result = think_with(&TicTacToe, "mcts:solver=no", &state.state, options, budget).unwrap();
    assert_eq!(result.lines.iter().map(|it| it.visits).sum::<u64>(), 5_000);
}

#[test]
fn two_threads_prove_nothing_wrong() {
    let options = PlayerOptions { threads: 2, ..PlayerOptions::default() };
    for seed in 0..20 {
        let game = Explicit::random(seed, 6, 3);
        let solution = solve(&game, 10_000).unwrap();
        let truth = |state: &_, player| solution.value(state, player);
        for text in ["mcts", "mcts:transpositions=yes", "grave"] {
            let budget = Limits::of_nodes(2_000);
            let result = think_with(&game, text, &0, options, budget).unwrap();
            check_claims(&game, &0, &result, truth, text);
        }
    }
}

#[test]
fn memory_is_bounded_by_pruning() {
    let game = Explicit::random(3, 9, 3);
    let solution = solve(&game, 100_000).unwrap();
    for text in ["mcts:solver=no", "grave:solver=no", "mcts", "mcts:transpositions=yes"] {
        let memory = 100 << 10;
        let mut spec: ludex_search::spec::Spec = text.parse().unwrap();
        let options = PlayerOptions { memory, ..PlayerOptions::default() };
        let config = McConfig {
            solver: spec.take_switch("solver", true).unwrap(),
            transpositions: spec.take_switch("transpositions", false).unwrap(),
            ..McConfig::preset(&spec.name).unwrap()
        };
        let mut player = Mcts::<Explicit>::new("bounded", config, options, Box::new(|_| Ok(None)));
        let limits = Limits::of_nodes(30_000);
        let root = SearchRoot { game: &game, position: &Position::of(0) };
        let result = player.search(root, limits, &mut |_| {}).unwrap();
        let (nodes, bytes) = player.kept().unwrap();
        assert!(nodes > 10 && bytes < memory * 5 / 4, "{text}: {nodes} nodes, {bytes} bytes");
        let truth = |state: &_, player| solution.value(state, player);
        check_claims(&game, &0, &result, truth, text);
    }
}

#[test]
fn two_threads_go_on_after_pruning() {
    let game = Explicit::random(3, 9, 3);
    let options = PlayerOptions { memory: 100 << 10, threads: 2, ..PlayerOptions::default() };
    let budget = Limits::of_nodes(30_000);
    let result = think_with(&game, "mcts:solver=no", &0, options, budget).unwrap();
    assert_eq!(result.nodes, 30_000);
}

/// An evaluation that knows everything.
struct Perfect(Solution<usize>);

impl Evaluate<Explicit> for Perfect {
    fn evaluate(
        &self,
        _: &Explicit,
        position: &PositionOf<Explicit>,
        from: Standpoint,
    ) -> Result<i32, Fault> {
        Ok(self.0.value(&position.state, from.mover) * 4_000)
    }

    fn describe(&self) -> String {
        "perfect".to_owned()
    }
}

#[test]
fn a_good_evaluation_is_worth_many_playouts() {
    let mut right = [0, 0];
    for seed in 0..40 {
        let game = Explicit::random(seed, 7, 3);
        let solution = solve(&game, 10_000).unwrap();
        let exact = solution.value(&0, Player(0));
        for (number, name) in ["mast", "implicit"].into_iter().enumerate() {
            let config = McConfig::preset(name).unwrap();
            let source = |root: SearchRoot<'_, Explicit>| {
                let solution = solve(root.game, 10_000).expect("it is small");
                Ok(Some(Arc::new(Perfect(solution)) as Arc<dyn Evaluate<Explicit>>))
            };
            let mut player =
                Mcts::new("guided", config, PlayerOptions::default(), Box::new(source));
            let limits = Limits::of_nodes(60);
            let root = SearchRoot { game: &game, position: &Position::of(0) };
            let best = player.search(root, limits, &mut |_| {}).unwrap().best().unwrap();
            assert_eq!(player.describe().contains("perfect"), name == "implicit");
            let mut after = Position::of(0);
            game.apply(&mut after, &[best]).unwrap();
            right[number] += u32::from(solution.value(&after.state, Player(0)) == exact);
        }
    }
    assert!(right[1] >= right[0] + 5, "{right:?}");
}

#[test]
fn a_tiny_memory_still_gives_a_move() {
    let options = PlayerOptions { memory: 100, ..PlayerOptions::default() };
    let state = TicTacToe.position(TicTacToe.read("OO1/XX1/3 X").unwrap());
    let result =
        think_with(&TicTacToe, "mcts", &state.state, options, Limits::of_nodes(2_000)).unwrap();
    assert_eq!(TicTacToe.name(&state.state, result.best().unwrap()), "c2");
}

#[test]
fn a_finished_game_has_nothing_to_decide() {
    let state = TicTacToe.position(TicTacToe.read("OO1/XXX/3 O").unwrap());
    assert!(search(&TicTacToe, "mcts", &state.state, 10).lines.is_empty());
}

#[test]
fn no_budget_still_gives_a_move() {
    let flag = AtomicBool::new(true);
    let budget = Limits { stop: Some(&flag), ..Limits::default() };
    let state = TicTacToe.start();
    for text in players() {
        let result =
            think_with(&TicTacToe, &text, &state.state, PlayerOptions::default(), budget).unwrap();
        assert_eq!((result.nodes, result.lines.len()), (0, 9), "{text}");
    }
}

#[test]
fn an_endless_budget_ends() {
    let state = TicTacToe.start();
    let result = think_with(
        &TicTacToe,
        "mcts:playouts=77",
        &state.state,
        PlayerOptions::default(),
        Limits { depth: Some(2), ..Limits::default() },
    );
    assert_eq!(result.unwrap().nodes, 77);
}

/// A clock that moves on by a millisecond whenever it is read.
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn time_ends_a_search_and_improvements_are_told() {
    let clock = Ticking(AtomicU64::new(0));
    let budget = Limits { time: Some(Duration::from_secs(3)), ..Limits::default() };
    let mut told = Vec::new();
    let mut observer = |result: &SearchResult<_>| told.push(result.clone());
    let limits = Limits { clock: &clock, ..budget };
    let mut player = player::<TicTacToe>("mcts:solver=no", PlayerOptions::default()).unwrap();
    let root = SearchRoot { game: &TicTacToe, position: &TicTacToe.start() };
    let result = player.search(root, limits, &mut observer).unwrap();
    assert!((2_000..3_000).contains(&result.nodes), "{}", result.nodes);
    assert!(!told.is_empty());
    assert!(told.is_sorted_by_key(|it| it.nodes));
    assert!(result.found <= result.elapsed);
}

#[test]
fn a_fault_is_handed_back() {
    let game = Explicit::new(
        2,
        vec![Node::of(0, &[("on", 1), ("out", 2)]), Node::Fault, Node::end(&[0.0, 0.0])],
    );
    for text in players() {
        for threads in [1, 2] {
            let options = PlayerOptions { threads, ..PlayerOptions::default() };
            let error = think_with(&game, &text, &0, options, Limits::of_nodes(100)).unwrap_err();
            assert!(matches!(&error, SearchError::Rules(it) if it.code == "explicit"), "{text}");
        }
    }
}

#[test]
fn games_that_go_round_come_to_an_end() {
    let circle = Explicit::new(2, vec![Node::of(0, &[("on", 1)]), Node::of(1, &[("on", 0)])]);
    for text in ["mcts:plies=20", "mcts:plies=20,transpositions=yes", "grave:plies=20"] {
        let result = search(&circle, text, &0, 200);
        assert_eq!(result.nodes, 200);
        assert!(result.lines[0].value.abs() < 1e-3, "{text}: {result:?}");
    }
}

#[test]
fn options_are_checked() {
    let mistake = |text: &str| match player::<TicTacToe>(text, PlayerOptions::default()) {
        Ok(_) => panic!("{text} is wrong"),
        Err(error) => error.to_string(),
    };
    assert_eq!(mistake("mcts:sea=1"), "`mcts` has no option `sea`; did you mean `seed`?");
    assert!(mistake("mcts:policy=best").contains("`uniform`"));
    assert!(mistake("mcts:fpu=soon").contains("`first`"));
    let player = player::<TicTacToe>("grave:ref=25,c=0.1", PlayerOptions::default()).unwrap();
    assert!(player.describe().contains("GRAVE (reference 25"), "{}", player.describe());
}
