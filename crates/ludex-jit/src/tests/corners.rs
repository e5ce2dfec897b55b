//! Rules that look harmless and have led native code astray: each must be played as the
//! interpreter plays it, or be left to the interpreter.

use std::fmt::Write as _;

use ludex_core::perft::perft;
use ludex_core::playout::Playouts;
use ludex_core::{Game, GameExt, Random};

use super::rules;
use crate::{CompiledGame, NativeError};

/// How many positions there are after up to `depth` moves, by both engines.
fn counts(source: &str, depth: u32) -> [Vec<Result<u64, &'static str>>; 2] {
    let reference = rules(source);
    let native = CompiledGame::native(reference.clone()).expect("this machine runs native code");
    [counts_of(&native, depth), counts_of(&reference, depth)]
}

fn counts_of<G: Game>(game: &G, depth: u32) -> Vec<Result<u64, &'static str>> {
    let position = game.start();
    let count = |depth| perft(game, &position, depth).map_err(|fault| fault.code);
    (1..=depth).map(count).collect()
}

/// That both engines count the same positions.
fn assert_same_counts(source: &str, depth: u32) {
    let [native, interpreted] = counts(source, depth);
    assert_eq!(native, interpreted, "{source}");
}

/// Rules with `depth` nested `try` over a state of 32,000 bytes.
fn nested_tries(players: usize, depth: usize) -> String {
    let names: Vec<String> = (0..players).map(|it| format!("P{it}")).collect();
    let letters: Vec<String> =
        (0..players).map(|it| format!("\"{}s\"", (b'a' + it as u8) as char)).collect();
    let mut text = format!(
        "game \"Stack\"\nboard square 3 by 3\nplayers {}\nmen stone {}\n",
        names.join(", "),
        letters.join(" ")
    );
    for it in 0..4 {
        let _ = writeln!(text, "cell big{it}[4000]: 0..60000");
    }
    text += "moves\n";
    for it in 0..depth {
        let square = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"][it % 9];
        let _ = writeln!(text, "{}try put my stone on {square}", "  ".repeat(it + 1));
    }
    let _ = writeln!(text, "{}for a in empty: move put my stone on a", "  ".repeat(depth + 1));
    text + "  for a in empty: move put my stone on a, write \"z\", a\nstuck\n  draw\n"
}

#[test]
fn what_a_try_saves_does_not_overrun_the_stack() {
    let refused = CompiledGame::native(rules(&nested_tries(2, 40)));
    assert!(matches!(refused, Err(NativeError::Unsupported(_))), "{refused:?}");
}

#[test]
fn tries_of_all_players_share_their_room() {
    let source = nested_tries(7, 1);
    // The stack of a thread is smaller than that of a program.
    std::thread::spawn(move || {
        let game =
            CompiledGame::native(rules(&source)).expect("it takes no more than one player does");
        let mut position = game.start();
        let mut random = Random::stream(1, 0, 0);
        let played = Playouts::default().run(&game, &mut position, &mut random, 100);
        assert_eq!(played.map(|it| it.plies), Ok(9));
    })
    .join()
    .expect("it does not end the program");
}

/// Of a set that each round of a loop makes anew only the last counts: without that man it is another.
#[test]
fn a_set_made_anew_in_each_round_may_grow_when_a_man_goes() {
    assert_same_counts(
        "game \"Last\"\nboard square 6 by 6\nplayers A, B\nmen pawn, rook\n\
         start\n  A pawn on a1, f6\n  B rook on a2\n\
         moves\n  for a in mine: move take a, write a\n\
         function danger(): bool\n  let s = {}\n  for a in my pawn: s = neighbours(a, eight)\n  \
         return any s & theirs\n\
         illegal if danger()\nstuck\n  pass\n",
        3,
    );
}

/// What is moved from nowhere is nothing, and nothing opens lines.
#[test]
fn a_move_from_nowhere_opens_a_line() {
    let rules = |moves: &str| {
        format!(
            "game \"Nowhere\"\nboard square 4 by 4\nplayers A, B\nmen king, rook, pawn\n\
             start\n  A king on d1\n  A pawn on b1\n  B rook on a1\n  B king on a4\n\
             moves\n{moves}  for a in my king\n    \
             for b in neighbours(a, eight) & empty: quiet move a to b\n  \
             for a in my rook\n    for d in orthogonal\n      for b from a along d\n        \
             if b is not mine: move a to b\n        if b is not empty: break\n\
             illegal if they could take king\n"
        )
    };
    let one = "  for a in my pawn\n    let c = at(9, 9)\n    quiet move pass, write \"x\", a\n      c to a\n";
    assert_same_counts(&rules(one), 3);
    // Here what is nowhere differs from square to square.
    let each = "  for a in my pawn\n    let c = a.south\n    quiet move pass, write \"x\", a\n      c to a\n";
    assert_same_counts(&rules(each), 3);
}

/// Random games must reach positions that there are, hash included.
fn assert_whole_playouts(source: &str) {
    let game = CompiledGame::native(rules(source)).expect("this machine runs native code");
    for seed in 0..20 {
        let mut position = game.start();
        let mut random = Random::stream(seed, 0, 0);
        let played = Playouts::default().run(&game, &mut position, &mut random, 50);
        played.expect("there is no fault in these rules");
        assert_eq!(
            position.state,
            game.from_interpreter(game.to_interpreter(&position.state).into_owned()),
            "seed {seed}"
        );
    }
}

#[test]
fn what_is_empty_inside_a_try_need_not_be_so_outside() {
    let source = "game \"Put\"\nboard square 3 by 3\nplayers A, B\nmen stone\n\
        start\n  A stone on a1\n\
        moves\n  try take a1\n    for a in empty: move put my stone on a\n\
        result\n  if count(mine) + count(theirs) + count(empty) != 9: victory\nstuck\n  draw\n";
    assert_whole_playouts(source);
    assert_same_counts(source, 3);
}

#[test]
fn sets_made_of_each_other_take_no_more_time_than_there_are() {
    let mut source =
        "game \"Deep\"\nboard square 5 by 5\nplayers A, B\nmen stone\nmoves\n  let s0 = empty\n"
            .to_owned();
    for n in 0..40 {
        let it = format!("s{n}");
        let _ = writeln!(
            source,
            "  let s{} = ({it} & neighbours({it}, eight)) & ({it} & neighbours({it}, orthogonal))",
            n + 1
        );
    }
    source += "  for a in s40: move put my stone on a\n";
    assert_whole_playouts(&source);
}

#[test]
fn moves_that_are_only_counted_may_not_be_more_than_a_list_has() {
    let many = |head: &str, tail: &str| {
        let list = |n: u32| {
            format!("  for a in empty: move put my stone on a, set x = {n}, write a, \"n{n}\"\n")
        };
        let lists: String = (0..8).map(list).collect();
        format!(
            "game \"Many\"\nboard square 8 by 8\nplayers A, B\nmen stone, king\ncell x: 0..300\n{head}\
             moves\n{lists}{tail}"
        )
    };
    let kings = "start\n  A king on a1\n  B king on b3\n";
    for source in [many("", ""), many(kings, "illegal if they could take king\n")] {
        let limits = ludex_interp::RunLimits { moves: 400, ..ludex_interp::RunLimits::default() };
        let reference = rules(&source).with_limits(limits);
        let game = CompiledGame::native(reference.clone()).expect("this machine runs native code");
        assert_eq!(counts_of(&game, 1), [Err("too-many-moves")]);
        assert_eq!(counts_of(&reference, 1), [Err("too-many-moves")]);
        let mut position = game.start();
        let mut random = Random::stream(1, 0, 0);
        let played = Playouts::default().run(&game, &mut position, &mut random, 5);
        assert_eq!(played.map(|it| it.plies).map_err(|it| it.code), Err("too-many-moves"));
    }
}

#[test]
fn results_that_contradict_each_other_are_a_fault_for_those_who_count() {
    let source = "game \"Conflict\"\nboard square 3 by 3\nplayers A, B\nmen stone\n\
        moves\n  for a in empty: move put my stone on a\n\
        result\n  if count(mine) == 1: victory\n  if count(theirs) == 1: victory\n";
    assert_eq!(counts(source, 2), [[Ok(9), Err("conflicting-results")]; 2]);
}

#[test]
fn a_square_that_changes_in_a_loop_is_no_operand() {
    let game = rules(
        "game \"Taking\"\nboard square 4 by 4\nplayers A, B\nmen pawn\n\
         start\n  A pawn on a1\n  B pawn on a3\n\
         moves\n  for a in mine\n    move write a\n      while a.exists\n        let q = a\n        \
         take q\n        a = a.north\n",
    );
    let position = game.start();
    let mut moves = Vec::new();
    game.moves(&position, game.mover(&position.state), &mut moves).expect("there is a move");
    assert_eq!(game.capture(&position.state, moves[0]), ludex_core::Capture::Unknown);
}

/// Rules with many walks along rays in one function.
fn many_walks(count: usize) -> String {
    let mut text =
        "game \"Walks\"\nboard square 8 by 8\nplayers A, B\nmen stone\ncell x: 0..4000\n\
        start\n  A stone on a1, c3\n  B stone on h8, f6\nmoves\n"
            .to_owned();
    for n in 0..count {
        let _ = writeln!(
            text,
            "  for a in my stone\n    for d in eight\n      for b from a along d\n        \
             if b is not empty: break\n        move a to b, set x = {n}, write a, b, \"n{n}\""
        );
    }
    text
}

#[test]
fn rules_of_any_length_are_compiled_or_refused_in_time() {
    for count in [100, 240] {
        let reference = rules(&many_walks(count));
        let started = std::time::Instant::now();
        let native = CompiledGame::native(reference.clone());
        // The time is that of a busy machine and of code that is checked as it is made.
        assert!(started.elapsed().as_secs() < 20, "{count} walks took {:?}", started.elapsed());
        match native {
            Ok(game) => assert_eq!(counts_of(&game, 1), counts_of(&reference, 1)),
            Err(error) => assert!(matches!(error, NativeError::Unsupported(_)), "{error:?}"),
        }
    }
}
