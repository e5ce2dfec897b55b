//! Wrong usage and bad input: one clear message, exit code 2, never a panic.

use expect_test::{Expect, expect};

use crate::run::{Folder, ludex};

#[track_caller]
fn check(args: &[&str], expect: Expect) {
    let ran = ludex(args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    expect.assert_eq(&ran.stderr);
}

#[test]
fn unknown_games_have_a_nearest() {
    check(
        &["moves", "chses"],
        expect![[r#"
        error: there is no game called `chses`
        help: did you mean `chess`?
    "#]],
    );
    check(
        &["show", "quidditch"],
        expect![[r#"
        error: there is no game called `quidditch`
        help: `ludex games` lists the games; a rules file ends in `.game`
    "#]],
    );
    check(
        &["moves", ""],
        expect![[r#"
        error: there is no game called ``
        help: `ludex games` lists the games; a rules file ends in `.game`
    "#]],
    );
}

#[test]
fn bad_options_are_named() {
    check(
        &["moves", "hex:99"],
        expect![[r#"
        error: `hex:99`: option `n` is a whole number from 2 to 19, not `99`
        help: its options are n (a whole number from 2 to 19); swap (yes or no); rows (a whole number from 0 to 19)
    "#]],
    );
    check(
        &["moves", "hex:size=5"],
        expect![[r#"
        error: `hex:size=5`: there is no option called `size`
        help: its options are n (a whole number from 2 to 19); swap (yes or no); rows (a whole number from 0 to 19)
    "#]],
    );
    check(
        &["moves", "chess:castling=perhaps"],
        expect![[r#"
        error: `chess:castling=perhaps`: option `castling` is yes or no, not `perhaps`
        help: its options are castling (yes or no)
    "#]],
    );
    check(
        &["moves", "tictactoe:3"],
        expect![[r#"
        error: `tictactoe:3`: there is no option for `3`
        help: this game has no options
    "#]],
    );
}

#[test]
fn bad_positions_are_shown() {
    check(
        &["show", "chess", "--position", "rnbqkbnr/8/8 w"],
        expect![[r#"
        error: the position: the board has 8 rows, not 3
          rnbqkbnr/8/8 w
          ^
    "#]],
    );
    check(
        &["show", "tictactoe", "--position", "3/1Z1/3 x"],
        expect![[r#"
        error: the position: there is no man `Z`
          3/1Z1/3 x
             ^
    "#]],
    );
    check(
        &["show", "tictactoe", "--position", "3/3/3 q"],
        expect![[r#"
        error: the position: there is no player `q`
          3/3/3 q
                ^
        help: did you mean `x`?
    "#]],
    );
    check(
        &["show", "tictactoe", "--position", ""],
        expect![[r#"
        error: the position: a position begins with the rows of the board
    "#]],
    );
    check(
        &["show", "tictactoe", "--position", "3/3/3 x colour=red"],
        expect![[r#"
        error: the position: there is no cell `colour`
          3/3/3 x colour=red
                  ^
    "#]],
    );
}

#[test]
fn illegal_moves_have_a_nearest() {
    check(
        &["moves", "chess", "--moves", "e2e4 e7e6 d2d5"],
        expect![[r#"
        error: move 3: `d2d5` is not a legal move
        help: did you mean `d2d3`?
    "#]],
    );
    check(
        &["perft", "tictactoe", "2", "--moves", "castle"],
        expect![[r#"
        error: move 1: `castle` is not a legal move
        help: `ludex moves tictactoe` lists the legal moves
    "#]],
    );
    check(
        &["moves", "tictactoe", "--moves", "a1 b1 a2 b2 a3 b3"],
        expect![[r#"
        error: move 6: the game is over before `b3`
    "#]],
    );
}

#[test]
fn files_may_be_anything() {
    let folder = Folder::new();
    folder.write("chess.game", "");
    let binary = folder.write("binary.game", [0x67, 0xff, 0x00]);
    let large = folder.write("large.game", "# x\n".repeat(300_000));
    let shown = |path: &str| {
        let ran = ludex(&["moves", path]);
        assert_eq!(ran.code, 2);
        folder.hide(&ran.stderr)
    };
    expect![[r#"
        error: `binary.game` is not a text: byte 1 is not UTF-8
    "#]]
    .assert_eq(&shown(&binary));
    expect![[r#"
        error: `large.game` has more than 1048576 bytes
    "#]]
    .assert_eq(&shown(&large));
    expect![[r#"
        error: there is no file `chest.game`
        help: did you mean `chess.game`?
    "#]]
    .assert_eq(&shown(&folder.path("chest.game")));
    let directory = folder.path("");
    assert!(ludex(&["moves", &directory]).stderr.contains("is a directory, not a file"));
    assert!(ludex(&["fmt", &directory]).stderr.contains("is a directory, not a file"));
}

#[test]
fn a_file_with_errors_shows_them() {
    let folder = Folder::new();
    let path = folder.write("x.game", "game \"X\"\nbord square 3 by 3\n");
    let ran = ludex(&["moves", &path]);
    assert_eq!(ran.code, 2);
    expect![[r#"
        error[unknown-declaration]: `bord` declares nothing
         --> x.game:2:1
          |
        2 | bord square 3 by 3
          | ^^^^ not a declaration
          |
          = help: did you mean `board`?

        error: `x.game` cannot be used: 1 error
    "#]]
    .assert_eq(&folder.hide(&ran.stderr));
}

#[test]
fn a_fault_of_the_rules_shows_the_line() {
    let folder = Folder::new();
    let rules = "game \"X\"\nboard square 2 by 2\nplayers A, B\nmen m\nfunction f(n: int): int\n  \
                 return f(n + 1)\nmoves\n  if f(0) > 0: move pass\n";
    let path = folder.write("x.game", rules);
    let ran = ludex(&["moves", &path]);
    assert_eq!(ran.code, 2);
    expect![[r#"
        error[too-deep]: functions call each other more than 200 deep
         --> x.game:6:3
          |
        6 |   return f(n + 1)
          |   ^^^^^^^^^^^^^^^
          |
          = help: make sure that the recursion ends; a loop needs no depth
    "#]]
    .assert_eq(&folder.hide(&ran.stderr));
}

#[test]
fn wrong_values_are_refused() {
    check(
        &["perft", "chess", "2", "--engine", "steam"],
        expect![[r#"
        error: invalid value 'steam' for '--engine <ENGINE>'
          [possible values: native, interpreter]

        For more information, try '--help'.
    "#]],
    );
    check(
        &["play", "chess", "--threads", "0"],
        expect![[r#"
        error: invalid value '0' for '--threads <N>': 0 is not in 1..=256

        For more information, try '--help'.
    "#]],
    );
    check(
        &["play", "chess", "--time", "soon"],
        expect![[r#"
        error: invalid value 'soon' for '--time <TIME>': `soon` is not a unit of time; use `ms`, `s`, `m` or `h`

        For more information, try '--help'.
    "#]],
    );
    check(
        &["play", "chess", "--side", "Wite"],
        expect![[r#"
        error: there is no player called `Wite`
        help: did you mean `White`?
    "#]],
    );
    check(
        &["ir", "chess", "--function", "mvoes"],
        expect![[r#"
        error: there is no function called `mvoes`
        help: did you mean `moves`?
    "#]],
    );
    check(
        &["explain", "samegame"],
        expect![[r#"
        error: the game goes on here, and threats are for games of two players
        help: name a move with --move
    "#]],
    );
    check(
        &["explain", "gomoku", "--why-not", "h88"],
        expect![[r#"
        error: `h88` is not a legal move here
        help: did you mean `h8`?
    "#]],
    );
    check(
        &["explain", "chess", "--move", "e2e5"],
        expect![[r#"
        error: `e2e5` is not a move that the rules list here
        help: did you mean `e2e3`?
    "#]],
    );
}

#[test]
fn wrong_usage_is_refused() {
    for args in [&["perft", "chess"][..], &["perft", "chess", "0"], &["dance"], &["moves"], &[]] {
        let ran = ludex(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{args:?}");
    }
}
