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
          by hex.game:33:47: if any flood(mine & near, mine, six) & far: victory
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

/// Many squares of which the same is asked are one line for people, and one reason each in JSON.
#[test]
fn many_squares_are_told_together() {
    let args = ["explain", "go:4", "--moves", "b2 pass pass", "--side", "White"];
    check(
        &args,
        expect![[r#"
            White has 15 points
              by go.game:49:21: if me == White: score area() + komi
            because
              15 squares (a1-d1, a2, c2, d2, a3-d3, a4-d4): enemy or empty
              b2: enemy
              passes is 2
              with White to move
              4 [.][.][.][.]
              3 [.][.][.][.]
              2 [.][X][.][.]
              1 [.][.][.][.]
                 a  b  c  d
            ---
            exit code 0
        "#]],
    );
    assert_eq!(json(&args)["reasons"].as_array().map(Vec::len), Some(17));
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

const OPEN_THREE: [&str; 4] = ["explain", "gomoku", "--moves", "h8 h10 i8 j6 j8"];

#[test]
fn an_open_three_has_two_defences() {
    let value = json(&OPEN_THREE);
    assert_eq!(value["turn"], "White");
    assert_eq!(value["defences"], json!(["g8", "k8"]));
    assert_eq!(value["replies"], 220);
    assert_eq!(value["threats"][0]["player"], "Black");
    assert_eq!(value["threats"][0]["shape"], "(2,1,0)");
    let reasons = value["threats"][0]["reasons"].as_array().expect("reasons");
    let is_there = |cell: &str, condition: &str| {
        reasons.contains(&json!({ "cell": cell, "condition": condition }))
    };
    assert!(is_there("h8", "friend") && is_there("i8", "friend") && is_there("j8", "friend"));
    assert!(is_there("g8", "empty") && is_there("k8", "empty"), "{value}");
}

#[test]
fn a_move_that_is_no_defence_is_told_why() {
    let why = |mv: &str| json(&[&OPEN_THREE[..], &["--why-not", mv]].concat())["why_not"].clone();
    assert_eq!(why("a1")["verdict"], "leaves the threat");
    let stretched = why("f8");
    assert_eq!(stretched["verdict"], "loses");
    assert!(stretched["text"].as_str().expect("text").contains("k8"), "{stretched}");
    assert_eq!(why("g8")["verdict"], "stops the threat");
}

#[test]
fn a_threat_of_mate_and_what_helps() {
    let value = json(&["explain", "chess", "--moves", "e2e4 e7e5 d1h5 b8c6 f1c4"]);
    assert_eq!(value["threats"][0]["move"], "h5f7");
    let names = |key: &str| {
        let list = value[key].as_array().expect("a list").iter();
        let mut names: Vec<&str> = list.filter_map(|it| it.as_str()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    // Two of them only put it off: the king has to go to d8, and that is mate too.
    assert_eq!(names("defences"), "d7d5 d8e7 d8f6 d8g5 d8h4 e8e7 g7g6 g8h6");
    assert_eq!(names("refuted_later"), "d8g5 d8h4");
}

#[test]
fn a_position_is_told_in_words() {
    check(
        &["explain", "tictactoe", "--moves", "a1 b1 b2"],
        expect![[r#"
            O is to move
            X threatens to win by c3 (shape (1,0))
              that needs, as X sees it
                a1: friend
                b2: friend
                c3: empty
              only one of 6 moves stops it: c3
              after c3 X wins by a2 c2 a3
              3  .  . [.]
              2  . [X] .
              1 [X] O  .
                 a  b  c
            ---
            exit code 0
        "#]],
    );
    check(
        &["explain", "connect4", "--moves", "d1 a1 e1 a2"],
        expect![[r#"
            Red is to move
            Red can win by c1 (shape (2,1,0), within 3 plies)
              c1 b1 f1
              6  .  .  .  .  .  .  .
              5  .  .  .  .  .  .  .
              4  .  .  .  .  .  .  .
              3  .  .  .  .  .  .  .
              2  O  .  .  .  .  .  .
              1  O  .  .  X  X  .  .
                 a  b  c  d  e  f  g
            ---
            exit code 0
        "#]],
    );
}
