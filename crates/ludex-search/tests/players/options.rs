//! All players with odd options, odd budgets and odd positions: each gives a legal move or says
//! clearly why not, in time, and the same one twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludex_core::{Clock, Game, GameExt, Limits, Position, PositionOf, Random, Turn};
use ludex_search::{PlayerOptions, Registry, SearchError, SearchResult, SearchRoot, player};
use ludex_testkit::{Explicit, Loops, Node, Repetition, Rps};

/// The time since it was made.
struct RealClock(Instant);

impl Clock for RealClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// However busy the machine is, a few milliseconds of thinking do not take this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The names of all players.
fn names() -> Vec<String> {
    let registry = Registry::<Explicit>::standard();
    registry.players().iter().map(|it| it.name().to_owned()).collect()
}

/// The result of a player, `Err` where there is no such player.
fn search<G: Game + 'static>(
    spec: &str,
    game: &G,
    position: &PositionOf<G>,
    budget: Limits<'_>,
) -> Result<Result<SearchResult<G::Move>, SearchError>, String> {
    let mut player = player::<G>(spec, PlayerOptions::default()).map_err(|it| it.message)?;
    let start = Instant::now();
    let clock = RealClock(start);
    let limits = Limits { clock: &clock, ..budget };
    let result = player.search(SearchRoot { game, position }, limits, &mut |_| ());
    assert!(start.elapsed() < PATIENCE, "{spec} took {:?} for {budget:?}", start.elapsed());
    let _ = player.describe();
    Ok(result)
}

/// A legal move where there is one, or a fault with a message.
fn is_sane<G: Game>(
    spec: &str,
    game: &G,
    position: &PositionOf<G>,
    result: &Result<SearchResult<G::Move>, SearchError>,
) {
    let about = format!("{spec} in {}: {result:?}", game.write(&position.state));
    let result = match result {
        Ok(result) => result,
        Err(error) => return assert!(!error.to_string().is_empty(), "{about}"),
    };
    let mut legal = Vec::new();
    match game.turn(position).unwrap() {
        Turn::Of(player) => game.moves(position, player, &mut legal).unwrap(),
        _ => return assert!(result.lines.is_empty(), "{about}"),
    }
    assert!(result.best().is_some(), "{about}");
    for line in &result.lines {
        assert!(legal.contains(&line.mv) && line.pv.first() == Some(&line.mv), "{about}");
        assert!((-1.0..=1.0).contains(&line.value), "{about}");
    }
}

/// A little of everything.
fn brief() -> Limits<'static> {
    Limits { nodes: Some(60), time: Some(Duration::from_millis(10)), ..Limits::default() }
}

const KEYS: &[&str] = &[
    "threads",
    "seed",
    "memory",
    "depth",
    "table",
    "window",
    "null",
    "lines",
    "aim",
    "eval",
    "work",
    "c",
    "fpu",
    "amaf",
    "ref",
    "bias",
    "policy",
    "epsilon",
    "temperature",
    "longest",
    "least",
    "rate",
    "plies",
    "cut",
    "implicit",
    "advice",
    "open",
    "playouts",
    "level",
    "n",
    "alpha",
    "repeat",
    "weak",
    "mobility",
    "trials",
    "trial",
    "strict",
    "extend",
    "quiesce",
    "futility",
    "lmr",
    "solver",
    "look",
    "transpositions",
    "reuse",
    "discount",
    "memorise",
    "nonsense",
];

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "2",
    "-1",
    "1000",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e-308",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999",
    "yes",
    "no",
    "x",
    "=",
    "\u{221a}2",
];

#[test]
fn odd_options_give_a_move_or_a_message() {
    let tree = Explicit::random(1, 6, 3);
    let mut accepted = 0;
    for name in names() {
        for key in KEYS {
            for value in VALUES {
                let spec = format!("{name}:{key}={value}");
                match search(&spec, &tree, &Position::of(0), brief()) {
                    Err(message) => assert!(!message.is_empty(), "{spec}"),
                    Ok(result) => {
                        is_sane(&spec, &tree, &Position::of(0), &result);
                        accepted += 1;
                    }
                }
            }
        }
    }
    assert!(accepted > 500, "only {accepted} specifications were understood");
}

#[test]
fn numbers_that_are_none_are_refused() {
    let wrong = [
        "mcts:c=nan",
        "mcts:c=-1",
        "mcts:c=inf",
        "mcts:fpu=nan",
        "grave:bias=nan",
        "implicit:implicit=2",
        "mast:epsilon=nan",
        "mast:temperature=-1",
        "ppa:rate=inf",
        "mcts:advice=nan",
        "mcts:plies=0",
        "nrpa:alpha=inf",
        "nrpa:alpha=nan",
        "nrpa:level=99",
        "nmcs:level=99",
        "nmcs:plies=0",
        "nested:level=4000000000",
        "nested:c=nan",
        "dfpn:epsilon=nan",
        "uct:c=nan",
        "ucb:c=-1",
    ];
    for spec in wrong {
        let error = player::<Explicit>(spec, PlayerOptions::default()).map(|it| it.describe());
        let message = error.expect_err(spec).message;
        let key = spec.split([':', '=']).nth(1).unwrap();
        assert!(message.contains(key), "{spec}: {message}");
    }
}

/// Evaluations are at hand wherever the pages on players say so, and said to be used.
#[test]
fn evaluations_reach_searches_and_playouts() {
    let cases = [
        ("minimax:depth=2,eval=playouts,playouts=5", ""),
        ("alphabeta-table:depth=2,eval=playouts,playouts=5", ""),
        ("alphabeta:eval=playouts,playouts=3", "the mean of 3 playouts"),
        ("mcts:cut=2,eval=mobility", "evaluation: "),
        ("mcts:cut=1,eval=playouts", "evaluation: the mean of"),
        ("implicit:eval=learned,work=2000", "evaluation: "),
        ("implicit:eval=auto,work=2000,threads=2", "evaluation: "),
        ("implicit:eval=none", "implicit"),
    ];
    let tree = Explicit::random(5, 6, 3);
    for (spec, said) in cases {
        let mut player = player::<Explicit>(spec, PlayerOptions::default()).unwrap();
        let limits = Limits::of_nodes(200);
        let root = SearchRoot { game: &tree, position: &Position::of(0) };
        let result = player.search(root, limits, &mut |_| ());
        is_sane(spec, &tree, &Position::of(0), &result);
        assert!(result.is_ok(), "{spec}: {result:?}");
        assert!(player.describe().contains(said), "{spec}: {}", player.describe());
    }
}

/// Budgets of next to nothing, and of nothing.
fn small_budgets(stop: &AtomicBool) -> Vec<Limits<'_>> {
    let of = Limits::of_nodes;
    let time = |time| Limits { time: Some(time), ..Limits::default() };
    vec![
        of(0),
        of(1),
        of(2),
        of(33),
        time(Duration::ZERO),
        time(Duration::from_millis(5)),
        Limits { depth: Some(0), ..of(50) },
        Limits { depth: Some(1), ..of(50) },
        Limits { depth: Some(u32::MAX), ..of(50) },
        Limits { stop: Some(stop), ..Limits::default() },
    ]
}

/// The start, the end, and some positions between.
fn positions<G: Game>(game: &G) -> Vec<PositionOf<G>> {
    let mut random = Random::stream(3, 0, 0);
    let mut position = game.start();
    let mut all = vec![position.clone()];
    for _ in 0..40 {
        let Some(mv) = game.random_move(&position, &mut random).unwrap() else { break };
        game.apply(&mut position, &[mv]).unwrap();
        all.push(position.clone());
    }
    let last = all.split_off(all.len().saturating_sub(2));
    all.truncate(2);
    all.extend(last);
    all
}

fn survives<G: Game + 'static>(game: &G) {
    let stop = AtomicBool::new(true);
    for name in names() {
        for position in positions(game) {
            for budget in small_budgets(&stop) {
                for options in ["threads=1", "threads=2", "memory=0"] {
                    let spec = format!("{},{options}", quick(&name));
                    let Ok(result) = search(&spec, game, &position, budget) else {
                        continue;
                    };
                    is_sane(&spec, game, &position, &result);
                }
            }
        }
    }
}

#[test]
fn small_budgets_give_a_move_in_games_of_two() {
    survives(&Explicit::random(2, 5, 3));
    survives(&Loops::random(5, 8, Repetition::GoesOn));
    survives(&Loops::random(5, 8, Repetition::Draws));
}

/// A tree for a number of players who take turns, three plies deep.
fn tree_for(players: u8) -> Explicit {
    let turn = |number: u8| number % players;
    let (to, of) = (|first: usize| [("a", first), ("b", first + 1)], Node::of);
    let mut nodes = vec![of(0, &to(1)), of(turn(1), &to(3)), of(turn(1), &to(5))];
    nodes.extend([7, 9, 11, 13].map(|first| of(turn(2), &to(first))));
    let utility = |number: usize| 1.0 - (number % 3) as f64;
    let end = |number| {
        let all: Vec<f64> = (0..usize::from(players)).map(|it| utility(number + it)).collect();
        Node::end(&all)
    };
    nodes.extend((0..8).map(end));
    Explicit::new(usize::from(players), nodes)
}

#[test]
fn small_budgets_give_a_move_in_other_games() {
    survives(&tree_for(1));
    survives(&tree_for(3));
    survives(&Rps { rounds: 2 });
    let chance = Node::chance(&[("x", 0.5, 2), ("y", 0.5, 3)]);
    let ends = [Node::end(&[1.0, -1.0]), Node::end(&[-1.0, 1.0])];
    let first = Node::of(0, &[("a", 1), ("b", 2)]);
    survives(&Explicit::new(2, [vec![first, chance], ends.to_vec()].concat()));
}

/// Where nothing is left to choose, a search must still end.
#[test]
fn forced_games_end() {
    let chain = Explicit::new(
        2,
        vec![
            Node::of(0, &[("a", 1), ("b", 2)]),
            Node::of(1, &[("a", 3)]),
            Node::of(1, &[("a", 4)]),
            Node::of(0, &[("a", 5)]),
            Node::of(0, &[("a", 5)]),
            Node::end(&[0.0, 0.0]),
        ],
    );
    for name in names() {
        for options in ["", "level=2", "plies=1", "playouts=1"] {
            let spec = format!("{name}:{options}");
            let Ok(result) = search(&spec, &chain, &Position::of(0), Limits::of_nodes(100)) else {
                continue;
            };
            is_sane(&spec, &chain, &Position::of(0), &result);
        }
    }
}

/// A player's name with options that make it quick.
fn quick(name: &str) -> String {
    match name {
        "auto" => "auto:work=1000,trials=2,trial=1000,games=2".to_owned(),
        "alphabeta" | "bing" => format!("{name}:work=1000"),
        _ => format!("{name}:seed=7"),
    }
}

fn answers_twice<G: Game + 'static>(game: &G, nodes: u64) -> usize {
    let mut answered = 0;
    for name in names() {
        let play = || {
            let options = PlayerOptions { seed: 7, ..PlayerOptions::default() };
            let mut player = player::<G>(&quick(&name), options).unwrap();
            let mut results = Vec::new();
            let mut position = game.start();
            for _ in 0..3 {
                let limits = Limits::of_nodes(nodes);
                let root = SearchRoot { game, position: &position };
                let Ok(result) = player.search(root, limits, &mut |_| ()) else { return results };
                let Some(best) = result.best() else { return results };
                assert!(result.nodes <= nodes, "{name}: {} of {nodes} nodes", result.nodes);
                results.push(result);
                game.apply(&mut position, &[best]).unwrap();
            }
            results
        };
        let first = play();
        assert_eq!(first, play(), "{name}");
        answered += usize::from(!first.is_empty());
    }
    answered
}

#[test]
fn one_thread_a_seed_and_nodes_always_give_the_same() {
    let all = names().len();
    // All but the two that are for one player.
    assert_eq!(answers_twice(&Explicit::random(3, 7, 3), 300), all - 2);
    assert_eq!(answers_twice(&Loops::random(5, 14, Repetition::Draws), 200), all - 2);
    assert!(answers_twice(&tree_for(1), 200) > 12);
    assert!(answers_twice(&tree_for(3), 200) > 8);
}

/// Threads may pass the budget by what they have not told each other yet.
#[test]
fn several_threads_keep_to_the_nodes_about() {
    let tree = Explicit::random(4, 8, 3);
    for name in names() {
        for nodes in [1, 100, 2_000] {
            let spec = format!("{},threads=2", quick(&name));
            let result = search(&spec, &tree, &Position::of(0), Limits::of_nodes(nodes));
            let Ok(Ok(result)) = result else { continue };
            assert!(result.nodes <= nodes + 128, "{spec}: {} of {nodes}", result.nodes);
        }
    }
}

#[test]
fn a_raised_flag_ends_the_thinking() {
    let game = Explicit::random(6, 8, 4);
    for name in names() {
        for options in ["threads=1", "threads=2"] {
            let stop = AtomicBool::new(false);
            let took = std::thread::scope(|scope| {
                let raised = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(60));
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                let position = game.start();
                let budget = Limits { stop: Some(&stop), ..Limits::default() };
                let result = search(&format!("{name}:{options}"), &game, &position, budget);
                let ended = Instant::now();
                is_sane(&name, &game, &position, &result.unwrap());
                ended.saturating_duration_since(raised.join().unwrap())
            });
            assert!(took < Duration::from_secs(2), "{name} went on for {took:?}");
        }
    }
}
