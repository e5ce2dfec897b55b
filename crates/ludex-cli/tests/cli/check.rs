//! `check`: what is wrong with a file, and the bounds that every file has to keep.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::run::{Folder, Ran, check, ludex};

#[test]
fn a_good_file_is_ok() {
    check(
        &["check", "tictactoe"],
        expect![[r#"
            tictactoe.game: ok
              2 players, alternating, perfect information, zero-sum, win/draw/loss
              100 random games, 7.7 moves long (5 to 9), 5.6 to choose from; O wins: 29, X wins: 58, draw: 13
              promises: 10 kept, 0 broken, 5 not tried
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn json_has_errors_warnings_and_statistics() {
    let ran = ludex(&["check", "morris3", "--games", "20", "--json"]);
    assert_eq!(ran.code, 0);
    let value = ran.json();
    assert_eq!(value["errors"], json!([]));
    assert_eq!(value["warnings"], json!([]));
    let statistics = &value["statistics"];
    assert_eq!(statistics["games"], 20);
    assert!(statistics["length"]["mean"].as_f64().unwrap() > 1.0);
    assert!(statistics["branching"].as_f64().unwrap() > 1.0);
    let results = statistics["results"].as_object().unwrap();
    assert_eq!(results.values().map(|it| it.as_u64().unwrap()).sum::<u64>(), 20);
}

/// Checks what is said about a file.
#[track_caller]
fn check_file(rules: &str, expect: Expect) -> Ran {
    let folder = Folder::new();
    let path = folder.write("x.game", rules);
    let ran = ludex(&["check", &path, "--games", "20"]);
    expect.assert_eq(&folder.hide(&ran.all()));
    ran
}

/// A game on a small board with these blocks at the end.
fn game(blocks: &str) -> String {
    format!("game \"X\"\nboard square 2 by 2\nplayers A, B\nmen m\n{blocks}")
}

#[test]
fn errors_are_shown_in_the_text() {
    let ran = check_file(
        &game("moves\n  for a in emty: move put my m on a\n"),
        expect![[r#"
        x.game: 1 error
        ---
        error[unknown-name]: nothing here is called `emty`
         --> x.game:6:12
          |
        6 |   for a in emty: move put my m on a
          |            ^^^^ not declared anywhere
          |
          = help: did you mean `empty`?

        exit code 1
    "#]],
    );
    assert_eq!(ran.code, 1);
}

#[test]
fn errors_in_json_have_their_place() {
    let folder = Folder::new();
    let path = folder.write("x.game", game("moves\n  for a in emty: move put my m on a\n"));
    let ran = ludex(&["check", &path, "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let value = ran.json();
    let error = &value["errors"][0];
    assert_eq!(error["line"], 6);
    assert_eq!(error["column"], 12);
    assert_eq!(error["end_line"], 6);
    assert_eq!(error["end_column"], 16);
    for field in ["code", "message", "label", "help"] {
        assert!(error.get(field).is_some(), "{field}");
    }
    assert_eq!(value["statistics"], json!(null));
}

#[test]
fn a_fault_comes_with_the_moves_that_led_to_it() {
    let rules = game(
        "moves\n  for a in empty: move put my m on a\n\
         result\n  if count(mine) == 2: victory\n  if count(mine) == 2: loss\n",
    );
    check_file(
        &rules,
        expect![[r#"
            x.game: 1 error
              2 players, alternating, perfect information, zero-sum, win/loss
            ---
            error[conflicting-results]: `victory` for A and `loss` for A contradict each other
             --> x.game:9:24
              |
            9 |   if count(mine) == 2: loss
              |                        ^^^^
              |
              = help: make the conditions exclude each other; `me == to_move` tells the player whose turn it is
              in play: after a2 a1 b2
              position: MM/m1 b

            exit code 1
        "#]],
    );
}

#[test]
fn two_moves_may_not_be_written_alike() {
    let rules = game("moves\n  for a in empty\n    move put my m on a, write \"x\"\n");
    check_file(
        &rules,
        expect![[r#"
            x.game: 2 warnings
              2 players, alternating, perfect information, zero-sum, win/loss
              20 random games, 4.0 moves long (4 to 4), 2.5 to choose from; B wins: 20
            ---
            warning[missing-result]: the file does not say who wins
             --> x.game:1:1
              |
            1 | game "X"
              | ^^^^^^^^ a player without a move loses; nothing else ends the game
              |
              = help: add a block `result`, or `stuck` to say so openly

            warning[same-name]: x.game: two moves of one position are both written `x`
              = help: use `write` in the move to tell them apart
              in play: at the start
              position: 2/2 a

            note: x.game: A never won
            exit code 0
        "#]],
    );
}

#[test]
fn endless_games_are_told() {
    check_file(
        &game("moves\n  for a in {a1}: move put my m on a\n"),
        expect![[r#"
            x.game: 2 warnings
              2 players, alternating, perfect information, zero-sum, win/loss
              20 random games, 2000.0 moves long (2000 to 2000), 1.0 to choose from; no result
            ---
            warning[missing-result]: the file does not say who wins
             --> x.game:1:1
              |
            1 | game "X"
              | ^^^^^^^^ a player without a move loses; nothing else ends the game
              |
              = help: add a block `result`, or `stuck` to say so openly

            warning[no-end]: x.game: no random game of 20 ended within 2000 moves
              = help: is there an end for games in which nothing happens? See `adjudicate`

            exit code 0
        "#]],
    );
}

#[test]
fn promises_are_kept() {
    let rules = game(
        "moves\n  for a in empty: move put my m on a\n\
         expect\n  perft 4, 13\n  after \"a1 a2\": A wins\n  after \"a1 a1\": goes on\n",
    );
    check_file(
        &rules,
        expect![[r#"
            x.game: 3 errors, 1 warning
              2 players, alternating, perfect information, zero-sum, win/loss
              20 random games, 4.0 moves long (4 to 4), 2.5 to choose from; B wins: 20
              promises: 1 kept, 3 broken, 0 not tried
            ---
            warning[missing-result]: the file does not say who wins
             --> x.game:1:1
              |
            1 | game "X"
              | ^^^^^^^^ a player without a move loses; nothing else ends the game
              |
              = help: add a block `result`, or `stuck` to say so openly

            error[broken-promise]: a promise is not kept
             --> x.game:8:3
              |
            8 |   perft 4, 13
              |   ^^^^^^^^^^^ perft 2 is 12, not 13

            error[broken-promise]: a promise is not kept
             --> x.game:9:3
              |
            9 |   after "a1 a2": A wins
              |   ^^^^^^^^^^^^^^^^^^^^^ found: goes on

            error[broken-promise]: a promise is not kept
              --> x.game:10:3
               |
            10 |   after "a1 a1": goes on
               |   ^^^^^^^^^^^^^^^^^^^^^^ found: turn 2: `a1` is not a legal move; did you mean `b1`?

            note: x.game: A never won
            exit code 1
        "#]],
    );
}

#[test]
fn players_are_checked_with_their_game() {
    let folder = Folder::new();
    let good = "player \"P\" for breakthrough\nevaluate\n  return count(mine) - count(theirs)\n";
    let ran = ludex(&["check", &folder.write("good.player", good), "--games", "3"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let bad = "player \"P\" for breakthrough\nevaluate\n  return count(mien)\n";
    let ran = ludex(&["check", &folder.write("bad.player", bad)]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("bad.player:3:16"), "{ran:?}");
    let lost = "player \"P\" for brakethrough\n";
    let ran = ludex(&["check", &folder.write("lost.player", lost)]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("did you mean `breakthrough`?"), "{ran:?}");
}

/// A second of the processor and half a gigabyte are enough to refuse any file.
#[cfg(unix)]
mod bounds {
    use std::process::Command;

    use super::{Folder, Ran, game};
    use crate::run::LUDEX;

    const BOUNDED: &str = "ulimit -t 1 && ulimit -v 524288 && \
                           exec \"$0\" check \"$1\" --engine \"$2\" --json";

    /// Checks a file, which must end by itself under the bounds.
    #[track_caller]
    fn bounded(rules: &str, engine: &str) -> Ran {
        let folder = Folder::new();
        let path = folder.write("x.game", rules);
        let args = ["-c", BOUNDED, LUDEX, &path, engine];
        let output = Command::new("sh").args(args).output().unwrap();
        assert!(output.status.code().is_some(), "{engine}: ended by the bounds: {output:?}");
        Ran::from(output)
    }

    /// Both engines refuse the file with this error.
    #[track_caller]
    fn refused(rules: &str, code: &str) {
        refused_by("interpreter", rules, code);
        refused_by("native", rules, code);
    }

    #[track_caller]
    fn refused_by(engine: &str, rules: &str, code: &str) {
        let ran = bounded(rules, engine);
        assert_eq!(ran.code, 1, "{engine}: {ran:?}");
        let value = ran.json();
        let codes: Vec<&str> = value["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["code"].as_str().unwrap())
            .collect();
        assert!(codes.contains(&code), "{codes:?}");
    }

    #[test]
    fn a_loop_without_end() {
        refused(&game("moves\n  let x = 1\n  while x > 0: x += 1\n"), "step-budget");
        refused(&game("moves\n  for i in 1..900000000000\n    let x = i\n"), "step-budget");
    }

    #[test]
    fn a_loop_of_large_operations() {
        let rules = "game \"X\"\nboard square 40 by 40\nplayers A, B\nmen m\nmoves\n  \
                     let s = all\n  while any s: s = flood(all, all, eight)\n";
        refused(rules, "step-budget");
    }

    #[test]
    fn recursion_without_end() {
        let rules =
            "function f(n: int): int\n  return f(n + 1) + 1\nmoves\n  if f(0) > 0: move pass\n";
        refused(&game(rules), "too-deep");
        let rules = "function f(n: int): int\n  if n > 150: return 1\n  return f(n + 1) + f(n + 1)\n\
                     moves\n  if f(0) > 0: move pass\n";
        refused(&game(rules), "step-budget");
    }

    /// Neither a loop nor a branch: only calls, twice as many at each level.
    #[test]
    fn calls_that_double() {
        let doubling =
            |it: i32| format!("function f{it}(): int\n  return f{0}() + f{0}()\n", it + 1);
        let functions: Vec<String> = (0..30).map(doubling).collect();
        let mut rules = functions.concat();
        rules.push_str("function f30(): int\n  return 1\nmoves\n  if f0() > 0: move pass\n");
        refused_by("interpreter", &game(&rules), "step-budget");
        // The passes may compute the result: then there is nothing to refuse.
        bounded(&game(&rules), "native");
    }

    /// A chain of constants that is too long to follow is refused as such, and soon.
    #[test]
    fn constants_of_constants() {
        let chain = |length: usize| -> String {
            let link = |it: usize| format!("const c{it} = c{}\n", it + 1);
            let links: Vec<String> = (0..length).map(link).collect();
            links.concat() + &format!("const c{length} = 1\nmoves\n  if c0 > 0: move pass\n")
        };
        refused(&game(&chain(500)), "nested-too-deep");
        refused(&game(&chain(5_000)), "out-of-bounds");
    }

    #[test]
    fn a_million_moves() {
        let rules = "game \"X\"\nboard square 40 by 25\nplayers A, B\nmen m\nmoves\n  for a in all\n    \
                     for b in all\n      move put my m on a, take b\n";
        refused(rules, "too-many-moves");
    }

    #[test]
    fn a_board_of_a_hundred_million_squares() {
        let rules = "game \"X\"\nboard square 10000 by 10000\nplayers A, B\nmen m\nmoves\n  \
                     for a in empty: move put my m on a\n";
        refused(rules, "board-too-large");
    }

    #[test]
    fn a_mountain_of_cells() {
        let rules = "cell x[1000000000]: 0..1\nmoves\n  for a in empty: move put my m on a\n";
        refused(&game(rules), "out-of-bounds");
    }

    #[test]
    fn brackets_without_end() {
        let deep = format!("const x = {}1{}\n", "(".repeat(50_000), ")".repeat(50_000));
        refused(&game(&format!("{deep}moves\n  move pass\n")), "nested-too-deep");
    }
}
