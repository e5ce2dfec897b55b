//! Nested searches on the bundled puzzles, and the puzzles' quick rules against plain ones.

use crate::common::{game, game_of};
use ludex_core::record::{Played, Record, replay};
use ludex_core::{Game, Limits, Player, Position, Random, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_search::{PlayerOptions, SearchResult, SearchRoot};

type Move = <CompiledGame as Game>::Move;

/// Morpion as one would say it: the bundled rules keep lists of lines instead.
const PLAIN_MORPION: &str = r#"game "Morpion Solitaire"

option touch = disjoint in (disjoint, touching)

board square 32 by 32
players Solver
men dot neutral "o"
cell used[4]: set

start
  dot on o12, p12, q12, r12
  dot on o13, r13, o14, r14
  dot on l15, m15, n15, o15, r15, s15, t15, u15
  dot on l16, u16, l17, u17
  dot on l18, m18, n18, o18, r18, s18, t18, u18
  dot on o19, r19, o20, r20
  dot on o21, p21, q21, r21

function marks(a: square, d: direction): set
  if touch == touching: return line(a, d, 4)
  return line(a, d, 5)

procedure lines(i: int, d: direction)
  for a in dot | shift(dot, -d)
    if count(line(a, d, 5) & dot) == 4
      if no marks(a, d) & used[i]
        let e = first(line(a, d, 5) - dot)
        move put dot on e
          set used[i] += marks(a, d)
          write e, ":", a, "-", a + 4 * d

moves
  lines(0, east)
  lines(1, northeast)
  lines(2, north)
  lines(3, northwest)

stuck
  score count(dot) - 36

score up to 200
"#;

/// The puzzle of stones in groups, with a flood from every stone.
const PLAIN_SAMEGAME: &str = r#"game "SameGame"

option seed = 1 in 0..999999
option columns = 15 in 1..20
option rows = 15 in 1..20

board square columns by rows
players Solver
men red neutral "r", green neutral "g", blue neutral "b", yellow neutral "y", violet neutral "v"
cell points: 0..60000

start
  scatter red, green, blue, yellow, violet on all seed seed

function group(a: square): set
  if a is red: return flood(a, red, orthogonal)
  if a is green: return flood(a, green, orthogonal)
  if a is blue: return flood(a, blue, orthogonal)
  if a is yellow: return flood(a, yellow, orthogonal)
  if a is violet: return flood(a, violet, orthogonal)
  return {}

action collapse()
  let x = 1
  for i in 1..columns
    let y = 1
    for j in 1..rows
      if at(i, j) is occupied
        if i != x or j != y: at(i, j) to at(x, y)
        y += 1
    if y > 1: x += 1

action clear(a: square)
  let n = count(group(a))
  set points += (n - 2) * (n - 2)
  take group(a)
  collapse()

moves
  for a in occupied
    if first(group(a)) == a and count(group(a)) >= 2: move clear(a), write a

stuck
  if no occupied: score points + 1000
  else: score points

score up to 10000
"#;

/// Plays random games of both by the names of moves.
fn same_games(quick: RulesGame, plain: RulesGame, games: u64) {
    let quick = CompiledGame::native(quick).expect("it can be compiled");
    let plain = CompiledGame::native(plain).expect("it can be compiled");
    for number in 0..games {
        let mut random = Random::stream(1, number, 0);
        let (mut one, mut other) = (quick.start(), plain.start());
        loop {
            let (names, moves) = named(&quick, &one);
            let (other_names, other_moves) = named(&plain, &other);
            assert_eq!(names, other_names, "{}", quick.draw(&one.state));
            let Some(place) = random.pick(&(0..moves.len()).collect::<Vec<_>>()).copied() else {
                break;
            };
            quick.apply(&mut one, &[moves[place]]).unwrap();
            plain.apply(&mut other, &[other_moves[place]]).unwrap();
        }
        let score = quick.payoff(&one, Player(0)).unwrap();
        assert_eq!(score, plain.payoff(&other, Player(0)).unwrap());
    }
}

/// The moves of a position by their names, in the order of the names.
fn named(game: &CompiledGame, position: &Position) -> (Vec<String>, Vec<Move>) {
    let mut moves = Vec::new();
    game.moves(position, Player(0), &mut moves).unwrap();
    let mut both: Vec<(String, Move)> =
        moves.into_iter().map(|mv| (game.name(&position.state, mv), mv)).collect();
    both.sort();
    both.into_iter().unzip()
}

#[test]
fn quick_rules_are_the_plain_ones() {
    for options in ["", "touching"] {
        same_games(game(&format!("morpion:{options}")), game_of(PLAIN_MORPION, options), 10);
    }
    for options in ["1", "7,9,6"] {
        same_games(game(&format!("samegame:{options}")), game_of(PLAIN_SAMEGAME, options), 5);
    }
}

fn think(game: &CompiledGame, spec: &str, nodes: u64) -> SearchResult<Move> {
    let mut player = ludex_search::player::<CompiledGame>(spec, PlayerOptions::default()).unwrap();
    let position = game.start();
    let mut watch = |_: &SearchResult<Move>| {};
    let limits = Limits::of_nodes(nodes);
    player.search(SearchRoot { game, position: &position }, limits, &mut watch).unwrap()
}

/// The best sequence of a thought, written down and played through again by the interpreter.
fn replayed(name: &str, native: &CompiledGame, thought: &SearchResult<Move>) -> f64 {
    let mut position = native.start();
    let mut record = Record { game: name.to_owned(), ..Record::default() };
    for &mv in &thought.lines[0].pv {
        record.turns.push(Played::new(native.name(&position.state, mv)));
        native.apply(&mut position, &[mv]).unwrap();
    }
    let record = Record::parse(&record.to_string()).unwrap();
    let end = replay(&game(name), &record).unwrap();
    assert_eq!(end.turn, Turn::Over);
    end.payoffs[0].score as f64
}

#[test]
fn best_sequences_of_puzzles_can_be_replayed() {
    for (name, spec, nodes, least) in [
        ("morpion", "nrpa:n=12", 1_500, 50.0),
        ("morpion", "nmcs:level=1", 1_500, 45.0),
        ("samegame", "nrpa:n=10", 800, 250.0),
        ("samegame:3,6,6", "nmcs:level=2", 2_000, 10.0),
    ] {
        let native = CompiledGame::native(game(name)).expect("it can be compiled");
        let thought = think(&native, spec, nodes);
        let score = thought.lines[0].score.unwrap();
        let replayed = replayed(name, &native, &thought);
        assert!((replayed - score).abs() < 1e-9, "{name} by {spec}: {replayed}, not {score}");
        assert!(score >= least, "{name} by {spec}: {score}");
    }
}
