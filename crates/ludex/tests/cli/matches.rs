//! `match`.

use crate::run::{json, ludex};

#[test]
fn a_stronger_player_wins_and_a_match_can_be_repeated() {
    let args = [
        "match",
        "tictactoe",
        "uct:c=0.7",
        "uct:c=0.7",
        "--games",
        "8",
        "--nodes",
        "60",
        "--openings",
        "2",
        "--seed",
        "5",
    ];
    let once = json(&args);
    assert_eq!(once, json(&args), "nodes and a seed: always the same");
    assert_eq!(once["games"].as_array().map(Vec::len), Some(8));
    let games = once["games"].as_array().expect("an array");
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["first"], pair[1]["second"]);
    }
    assert_eq!(once["table"][0]["games"], 8);
    assert_eq!(once["elo"].as_array().map(Vec::len), Some(2));
    let rate = &once["table"][0]["rate"];
    assert!(rate["low"].as_f64() <= rate["value"].as_f64());
}

#[test]
fn games_played_at_once_are_the_same_games() {
    let args =
        ["match", "connect4:5,4", "uct", "uct:c=0.5", "uct:c=2", "--games", "2", "--nodes", "50"];
    let table = json(&args);
    assert_eq!(table["games"].as_array().map(Vec::len), Some(6), "three pairings");
    let two = json(&[&args[..], &["--concurrency", "2"]].concat());
    let openings = |it: &serde_json::Value| -> Vec<String> {
        it["games"].as_array().into_iter().flatten().map(|it| it["opening"].to_string()).collect()
    };
    assert_eq!(openings(&table), openings(&two));
}

#[test]
fn a_clock_for_the_whole_game() {
    let ran = ludex(&["match", "tictactoe", "uct", "uct", "--games", "2", "--clock", "300ms+5ms"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("Elo"), "{}", ran.stdout);
}

#[test]
fn players_may_think_on_the_time_of_their_opponents() {
    let args = ["match", "connect4:5,4", "uct", "uct:c=0.5", "--games", "2", "--ponder"];
    let ran = ludex(&[&args[..], &["--nodes", "50", "--threads", "64", "--json"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("warning: --ponder keeps 128 threads busy"), "{}", ran.stderr);
    assert_eq!(ran.json()["games"].as_array().map(Vec::len), Some(2));
    let ran = ludex(&[&args[..], &["--clock", "300ms+5ms"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn wrong_wishes_are_refused() {
    for args in [
        &["match", "tictactoe", "uct"][..],
        &["match", "tictactoe", "uct", "nobody"],
        &["match", "samegame", "uct", "uct"],
        &["match", "tictactoe", "uct", "uct", "--clock", "soon"],
        &["match", "tictactoe", "uct", "uct", "--moves", "a1 a3 b1 b3 c1"],
    ] {
        let ran = ludex(args);
        assert_eq!(ran.code, 2, "{args:?} {ran:?}");
    }
}
