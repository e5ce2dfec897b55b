//! `replay`.

use expect_test::{Expect, expect};

use crate::run::{Folder, ludex, ludex_reading};

#[track_caller]
fn check(game: &str, record: &str, expect: Expect) {
    expect.assert_eq(&ludex_reading(record, &["replay", game, "-"]).all());
}

#[test]
fn good_records_are_ok() {
    check(
        "tictactoe",
        "game: tictactoe\nresult: 1, -1\n\n1. a1 b1 a2 b2 a3\n",
        expect![[r#"
        ok: 5 moves
        position: X2/XO1/XO1 o
        result: X wins
        ---
        exit code 0
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\n\n1. b2\n",
        expect![[r#"
        ok: 1 move
        position: 3/1X1/3 o
        result: goes on
        ---
        exit code 0
    "#]],
    );
    check(
        "hex",
        "game: hex:3\n\n1. a3 b2\n",
        expect![[r#"
        ok: 2 moves
        position: X2/1O1/3 b
        result: goes on
        ---
        exit code 0
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\nstart: 3/1X1/3 o\nresult: 1, -1\nend: O resigns\n\n1. a1\n",
        expect![[r#"
            ok: 1 move
            position: 3/1X1/O2 x
            result: 1, -1, O resigns (agreed)
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn differences_are_told() {
    check(
        "tictactoe",
        "game: tictactoe\n\n1. a1 b1 a1\n",
        expect![[r#"
        differs: turn 3: `a1` is not a legal move; did you mean `c1`?
        position: 3/3/XO1 x
        result: goes on
        ---
        exit code 1
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\n\n1. a1 b1 a2 b2 a3 b3\n",
        expect![[r#"
        differs: turn 6: `b3` comes after the game's end
        position: X2/XO1/XO1 o
        result: X wins
        ---
        exit code 1
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\nresult: 0, 0\n\n1. a1 b1 a2 b2 a3\n",
        expect![[r#"
        differs: the record has the result `0, 0`, the rules 1, -1
        position: X2/XO1/XO1 o
        result: X wins
        ---
        exit code 1
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\nresult: 1, -1\n\n1. a1\n",
        expect![[r#"
            differs: the record has the result `1, -1`, the rules no result yet
            position: 3/3/X2 o
            result: goes on
            ---
            exit code 1
        "#]],
    );
    check(
        "tictactoe",
        "game: mnk:3,3,3\n\n1. a1\n",
        expect![[r#"
        differs: the record is of `mnk:3,3,3`, not of `tictactoe`
        position: 3/3/X2 o
        result: goes on
        ---
        exit code 1
    "#]],
    );
    check(
        "tictactoe",
        "game: tictactoe\nstart: 9/9 x\n\n1. a1\n",
        expect![[r#"
        differs: the start `9/9 x`: the board has 3 rows, not 2 (at byte 0)
        position: 3/3/3 x
        result: goes on
        ---
        exit code 1
    "#]],
    );
}

#[test]
fn json_has_the_promised_fields() {
    let folder = Folder::new();
    let path = folder.write("g.txt", "game: tictactoe\n\n1. a1 b1 a1\n");
    let ran = ludex(&["replay", "tictactoe", &path, "--json"]);
    assert_eq!(ran.code, 1);
    let value = ran.json();
    assert_eq!(value["ok"], false);
    assert_eq!(value["result"], serde_json::Value::Null);
    assert_eq!(value["position"], "3/3/XO1 x");
    assert!(value["difference"].as_str().unwrap().starts_with("turn 3: `a1` is not"));
}

#[test]
fn broken_records_are_bad_input() {
    check(
        "tictactoe",
        "",
        expect![[r#"
        ---
        error: `-`: line 1: there is no line `game: NAME`
        exit code 2
    "#]],
    );
    check(
        "tictactoe",
        "gmae: tictactoe\n\na1\n",
        expect![[r#"
        ---
        error: `-`: line 1: there is no line `game: NAME`
        help: did you mean `game`?
        exit code 2
    "#]],
    );
    assert_eq!(ludex(&["replay", "tictactoe", "/nowhere/at/all"]).code, 2);
}
