//! Forcings are what brute force finds: the same items with the same changes,
//! none missed and none too many, for far fewer steps.
//!
//! `LUDEX_STUDY_SCALE=100` makes it as thorough as one likes.

use expect_test::expect;
use ludex_core::{Game, Player, Random};
use ludex_interp::{RulesGame, RunLimits};
use ludex_ir::verify;
use ludex_study::check::ReasonCheck;
use ludex_study::{Attainable, ForcedItem, Forcing, Listed, Reason, Study, StudyConfig, text};

use crate::common::bench::{
    Bench, brute, exact_in, forced_moves, forced_results, found, move_text, plain_moves,
    promises_kept, there, tried,
};
use ludex_core::Position;

/// States of play and scrambled ones.
fn states(game: &RulesGame, games: u32, scrambled: u32, random: &mut Random) -> Vec<Position> {
    let mut states = crate::common::met(game, games, 5, random);
    states.extend(crate::common::scrambled(game, scrambled, random));
    states
}

/// Forces everything in states of a game, by brute force and by the study; the items found.
#[track_caller]
fn exact(name: &str, options: &str, pairs: bool, (games, scrambled): (u32, u32)) -> usize {
    let bench = Bench::named(name, options);
    let mut random = Random::stream(31, 0, 0);
    let mut items = 0;
    let scale = crate::common::scale();
    for met in states(&bench.game, games * scale, scrambled * scale, &mut random) {
        for me in crate::common::players(&bench.game) {
            items += exact_in(&bench, &met, me, pairs);
        }
    }
    items
}

#[test]
fn one_change_in_tictactoe() {
    assert!(exact("tictactoe", "", false, (20, 40)) > 100);
}

#[test]
fn one_change_in_breakthrough() {
    assert!(exact("breakthrough", "5,6", false, (10, 20)) > 1000);
}

#[test]
fn one_change_in_lines_of_action() {
    assert!(exact("loa", "6", false, (10, 20)) > 1000);
}

#[test]
fn one_change_in_connect4() {
    assert!(exact("connect4", "5,4", false, (10, 20)) > 1000);
}

#[test]
fn one_change_in_atarigo() {
    assert!(exact("atarigo", "5", false, (10, 10)) > 50);
}

#[test]
fn one_change_in_go() {
    assert!(exact("go", "4", false, (4, 6)) > 100);
}

#[test]
fn one_change_in_minichess() {
    assert!(exact("minichess", "", false, (3, 2)) > 1000);
}

#[test]
fn one_change_in_chess() {
    assert!(exact("chess", "", false, (1, 1)) > 1000);
}

#[test]
fn one_change_in_checkers() {
    assert!(exact("checkers", "", false, (4, 4)) > 1000);
}

#[test]
fn one_change_in_othello() {
    assert!(exact("othello", "6", false, (4, 6)) > 100);
}

/// Every game, in a state or two.
#[test]
fn one_change_in_every_game() {
    for game in crate::common::games() {
        let bench = Bench::new(game);
        let mut random = Random::stream(38, 0, 0);
        for met in states(&bench.game, crate::common::scale(), crate::common::scale(), &mut random)
        {
            // Large boards take brute force long.
            if bench.changes(&met.state).len() <= 300 {
                exact_in(&bench, &met, Player(0), false);
            }
        }
    }
}

/// Every construct of the language in random nests, every cell with every value.
#[test]
fn one_change_in_random_programs() {
    let mut items = 0;
    for seed in 0..200 * u64::from(crate::common::scale()) {
        let mut random = Random::stream(33, seed, 0);
        let program = crate::common::programs::program(&mut random);
        let limits = RunLimits { steps: 20_000, ..RunLimits::default() };
        let game = RulesGame::new(verify(program).expect("it is sound")).with_limits(limits);
        let attainable = Attainable::anything(game.program());
        let bench = Bench { attainable, scalars: true, steps: 1_000_000, ..Bench::new(game) };
        for met in crate::common::scrambled(&bench.game, 2, &mut random) {
            let me = Player(random.below(2) as u8);
            items += exact_in(&bench, &met, me, false);
            promises_kept(&bench, &met, me, &mut random);
        }
    }
    assert!(items > 1000, "only {items} items");
}

#[test]
fn two_changes_in_tictactoe() {
    assert!(exact("tictactoe", "", true, (10, 20)) > 100);
}

#[test]
fn two_changes_in_mnk() {
    assert!(exact("mnk", "5,5,4", true, (4, 4)) > 20);
}

#[test]
fn two_changes_in_breakthrough() {
    assert!(exact("breakthrough", "4,5", true, (4, 6)) > 1000);
}

/// Without the relevant-slice step a run believes too early that a change no longer matters: that
/// some man could jump is forgotten where the next one is looked at.
#[test]
fn a_plain_slice_misses_forcings() {
    let game = crate::common::game("checkers", "").expect("the game compiles");
    let config = StudyConfig { relevant_slice: false, ..StudyConfig::default() };
    let study = Study::with(game.program(), config);
    let bench = Bench { study, ..Bench::new(game) };
    let mut random = Random::stream(34, 0, 0);
    let (mut missed, mut all) = (0, 0);
    for met in crate::common::met(&bench.game, 4, 5, &mut random) {
        let brute = brute(&tried(&bench, &met, false, &|it| plain_moves(&bench, it, Player(0))));
        let forced = forced_moves(&bench, &met, Player(0), false);
        missed += brute.difference(&found(&forced, |it| move_text(it.mv, &it.writes))).count();
        all += brute.len();
    }
    assert!(missed * 20 > all, "only {missed} of {all} were missed");
}

/// In states of play and in scrambled ones.
#[track_caller]
fn reasons_hold(name: &str, options: &str) {
    let bench = Bench::named(name, options);
    let mut random = Random::stream(35, 0, 0);
    let mut checked = 0;
    for met in states(&bench.game, 3 * crate::common::scale(), 3, &mut random) {
        for me in crate::common::players(&bench.game) {
            checked += promises_kept(&bench, &met, me, &mut random);
        }
    }
    assert!(checked > 5, "only {checked} items of {name}");
}

#[test]
fn reasons_of_forcings_hold() {
    for (name, options) in [
        ("tictactoe", ""),
        ("breakthrough", "6,6"),
        ("loa", "6"),
        ("atarigo", "5"),
        ("go", "5"),
        ("minichess", ""),
        ("checkers", ""),
    ] {
        reasons_hold(name, options);
    }
}

/// How many steps the moves and the results of all players take.
fn steps(bench: &Bench, states: &[Position]) -> (u64, u64) {
    let (mut moves, mut results) = (0, 0);
    for met in states {
        for me in crate::common::players(&bench.game) {
            moves += forced_moves(bench, met, me, false).steps;
            results += forced_results(bench, met, me, false).steps;
        }
    }
    (moves, results)
}

/// What forcing moves and results costs in states of play, on average, in plain runs.
fn cost(bench: Bench) -> (f64, f64) {
    let states = crate::common::met(&bench.game, 4, 5, &mut Random::stream(32, 0, 0));
    cost_in(bench, &states)
}

fn cost_in(bench: Bench, states: &[Position]) -> (f64, f64) {
    let (moves, results) = steps(&bench, states);
    let plain = Bench { attainable: Attainable::nothing(bench.program()), ..bench };
    let (plain_moves, plain_results) = steps(&plain, states);
    let ratio = |all: u64, plain: u64| all as f64 / plain.max(1) as f64;
    (ratio(moves, plain_moves), ratio(results, plain_results))
}

/// Nothing but rays.
const BISHOPS: &str = r#"
game "Bishops"
board square 6 by 6
players White, Black
men bishop
start
  White bishop on rank(1)
  Black bishop on rank(6)
moves
  for a in mine
    for d in diagonal
      for b from a along d
        if b is empty
          quiet move a to b
        else
          if b is theirs: move a to b
          break
result
  if no theirs: victory
"#;

#[test]
fn all_changes_of_rays_cost_a_few_runs() {
    let bench = Bench::new(crate::common::game_of(BISHOPS));
    let bench = Bench { attainable: bench.study.attainable(Player(0)), ..bench };
    // On a board with few men nearly all of it is moves of men that are not there.
    let states = crate::common::scrambled(&bench.game, 40, &mut Random::stream(32, 0, 0));
    let (moves, results) = cost_in(bench, &states);
    assert!(moves <= 5.0 && results <= 5.0, "{moves:.1} and {results:.1} runs");
}

#[test]
fn all_changes_cost_a_few_runs() {
    for (name, options, moves, results) in [
        ("tictactoe", "", 2.0, 5.0),
        ("gomoku", "8", 2.0, 5.0),
        ("breakthrough", "6,6", 5.0, 5.0),
        ("connect4", "", 5.0, 6.0),
        ("loa", "6", 15.0, 15.0),
    ] {
        let (of_moves, of_results) = cost(Bench::named(name, options));
        assert!(of_moves <= moves, "{name}: the moves cost {of_moves:.1} runs");
        assert!(of_results <= results, "{name}: the results cost {of_results:.1} runs");
    }
}

#[test]
#[ignore = "prints what forcing costs, for the documentation"]
#[expect(clippy::print_stderr, reason = "that is all it is for")]
fn costs() {
    for (name, options) in [
        ("tictactoe", ""),
        ("mnk", "5,5,4"),
        ("gomoku", "8"),
        ("gomoku", "15"),
        ("breakthrough", "6,6"),
        ("breakthrough", ""),
        ("connect4", ""),
        ("loa", "6"),
        ("loa", ""),
        ("atarigo", "5"),
        ("atarigo", "9"),
        ("go", "5"),
        ("minichess", ""),
        ("chess", ""),
        ("checkers", ""),
        ("othello", "6"),
        ("hex", "5"),
        ("amazons", "6"),
        ("shogi", ""),
    ] {
        let bench = Bench::named(name, options);
        let first = Bench { attainable: bench.study.attainable(Player(0)), ..bench };
        let (moves, results) = cost(first);
        eprintln!("{name}:{options}, first player's changes: {moves:.1}, results {results:.1}");
        let bench = Bench::named(name, options);
        let changes = bench.changes(&bench.game.start().state).len();
        let (moves, results) = cost(bench);
        eprintln!("{name}:{options}, {changes} changes: {moves:.1}, results {results:.1}");
    }
}

/// Pitrat's figure: with a man of White on g2 the bishop would take it there.
#[test]
fn a_bishop_takes_what_is_put_in_its_way() {
    let bench = Bench::named("chess", "");
    let state = bench.game.read("8/8/8/8/8/5b2/8/7R w - - 0 1").expect("a position");
    let (position, black) = (&bench.game.position(state), Player(1));
    let white = bench.study.attainable(Player(0));
    let forcing = Forcing { attainable: &white, ..bench.forcing(false) };
    let reason_check = ReasonCheck { checker: &bench.checker, position, me: black, others: &[] };
    let turned = reason_check.for_mover(position).state;
    let wanted = |it: &Listed| bench.game.name(&turned, it.mv) == "f3g2";
    let forced = bench.study.forced_moves(position, black, &forcing, &wanted);
    let line = |it: &ForcedItem<Listed>| {
        let words = |changed: bool| {
            let reasons = there(&bench, it).reasons;
            let is_change = |reason: &Reason| it.changes.iter().any(|it| it.cell == reason.cell);
            let reasons = reasons.iter().filter(|it| is_change(it) == changed);
            let word = |it: &Reason| text::reason_text(bench.program(), it, black);
            reasons.map(word).collect::<Vec<_>>().join(", ")
        };
        format!("{} | {}\n", words(true), words(false))
    };
    let listed: String = forced.expect("no fault").items.iter().map(line).collect();
    expect![[r#"
        g2: enemy pawn | f3: friendly bishop
        g2: enemy knight | f3: friendly bishop
        g2: enemy bishop | f3: friendly bishop
        g2: enemy rook | f3: friendly bishop
        g2: enemy queen | f3: friendly bishop
        g2: enemy king | f3: friendly bishop
    "#]]
    .assert_eq(&listed);
}

#[test]
fn too_few_steps_are_told() {
    let bench = Bench { steps: 2000, ..Bench::named("loa", "6") };
    let position = bench.game.start();
    let forced = forced_moves(&bench, &position, Player(0), false);
    assert!(!forced.complete && forced.steps <= 2000);
}
