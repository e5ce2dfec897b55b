//! `perft`.

use expect_test::expect;
use serde_json::json;

use crate::run::{Folder, check, json, ludex};

#[test]
fn counts_are_those_that_are_known() {
    let counted = json(&["perft", "chess", "3"]);
    assert_eq!(counted["counts"], json!([20, 400, 8902]));
    assert!(counted["nodes_per_second"].as_f64().unwrap() > 0.0);
    assert!(counted["seconds"].as_f64().is_some());
}

#[test]
fn counts_stop_where_games_do() {
    let counted = json(&["perft", "tictactoe", "4", "--position", "XOX/XOO/2O x"]);
    assert_eq!(counted["counts"], json!([2, 1, 0, 0]));
}

#[test]
fn text_is_a_table() {
    let ran = ludex(&["perft", "tictactoe", "3"]);
    let rows: Vec<Vec<&str>> =
        ran.stdout.lines().map(|it| it.split_whitespace().take(2).collect()).collect();
    assert_eq!(rows[..4], [["depth", "count"], ["1", "9"], ["2", "72"], ["3", "504"]]);
    assert_eq!(ran.stderr, "", "no progress where there is no terminal");
}

#[test]
fn divide_tells_the_moves_apart() {
    check(
        &["perft", "tictactoe", "3", "--divide", "--moves", "b2 a1 b1"],
        expect![[r#"
            a2                           16
            a3                           16
            b3                           20
            c1                           16
            c2                           16
            c3                           16
            total                       100
            ---
            exit code 0
        "#]],
    );
    let divided = json(&["perft", "breakthrough:5,5", "2", "--divide"]);
    assert_eq!(divided["counts"], json!([13, 169]));
    assert_eq!(divided["divide"][0], json!({ "move": "a1a2", "count": 13 }));
}

#[test]
fn repetition_is_ignored_unless_told() {
    let moves = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    let counted = json(&["perft", "chess", "1", "--moves", moves]);
    assert_eq!(counted["counts"], json!([20]));
    let played = json(&["perft", "chess", "1", "--moves", moves, "--played"]);
    assert_eq!(played["counts"], json!([0]));
}

/// Tic-tac-toe in which a diagonal wins only from the left.
fn half_blind(folder: &Folder) -> String {
    let rules = include_str!("../../../../games/tictactoe.game");
    let changed = rules.replace("[east, northeast, north, northwest]", "[east, northeast, north]");
    assert_ne!(rules, changed);
    folder.write("blind.game", changed)
}

#[test]
fn two_games_are_compared() {
    check(
        &["perft", "tictactoe", "4", "--against", "mnk:3,3,3"],
        expect![[r#"
            equal: 9, 72, 504, 3024
            ---
            exit code 0
        "#]],
    );
    let folder = Folder::new();
    let other = half_blind(&folder);
    let args = ["perft", "tictactoe", "3", "--moves", "c1 a1 b2", "--against", &other];
    check(
        &args,
        expect![[r#"
            they differ after a2 a3:
            b1                   not a move                    1
            b3                   not a move                    1
            c2                   not a move                    1
            c3                   not a move                    1
            ---
            exit code 1
        "#]],
    );
    let ran = ludex(&[&args[..], &["--json"]].concat());
    assert_eq!(ran.code, 1);
    let value = ran.json();
    assert_eq!(value["equal"], false);
    assert_eq!(value["first"]["moves"], json!(["a2", "a3"]));
}
