//! `explain`.

use expect_test::expect;
use serde_json::json;

use crate::run::{check, json};

#[test]
fn a_move_has_its_reasons() {
    check(
        &["explain", "tictactoe", "--move", "b2"],
        expect![[r#"
        X can play b2
          by tictactoe.game:11:19: for a in empty: move put my mark on a
        because
          b2: empty
          with X to move
          3  .  .  .
          2  . [.] .
          1  .  .  .
             a  b  c
        ---
        exit code 0
    "#]],
    );
}

#[test]
fn a_result_has_its_reasons() {
    check(
        &["explain", "tictactoe", "--moves", "a1 b1 a2 b2 a3"],
        expect![[r#"
        X has won
          by tictactoe.game:20:23: if c is mine: victory
        because
          a1: friend
          a2: friend
          a3: friend
          with O to move
          3 [X] .  .
          2 [X] O  .
          1 [X] O  .
             a  b  c
        ---
        exit code 0
    "#]],
    );
    check(
        &["explain", "hex:3", "--moves", "a1 b1 a2 b2 a3"],
        expect![[r#"
        Black has won
          by hex.game:29:47: if any flood(mine & near, mine, six) & far: victory
        because
          a1: friend
          a2: friend
          a3: friend
          with White to move
          3     [X]  .   .
          2   [X]  O   .
          1 [X]  O   .
             a   b   c
        ---
        exit code 0
    "#]],
    );
}

#[test]
fn the_other_side_can_be_asked() {
    let value = json(&["explain", "breakthrough", "--move", "d7e6", "--side", "black"]);
    assert_eq!(value["player"], "Black");
    assert_eq!(value["turn"], "Black");
    let reasons = json!([{ "cell": "e6", "condition": "enemy or empty" }, { "cell": "d7", "condition": "friend" }]);
    assert_eq!(value["reasons"], reasons);
    assert!(value["rule"]["line"].as_u64().unwrap() > 1);
    assert!(value["rule"]["text"].as_str().unwrap().contains("move a to c"));
}

#[test]
fn a_result_in_json() {
    let value = json(&["explain", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!(value["result"], "X wins");
    assert_eq!(value["reasons"].as_array().unwrap().len(), 3);
    assert_eq!(value["explanations"].as_array().unwrap().len(), 1);
}
