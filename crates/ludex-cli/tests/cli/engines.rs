//! `--engine`: native code and the interpreter answer alike.
//!
//! Where the system refuses native code, both are the interpreter, and these still hold.

use serde_json::Value;

use crate::run::{Folder, json, ludex};

/// The JSON answers of both engines.
#[track_caller]
fn both(args: &[&str]) -> [Value; 2] {
    ["native", "interpreter"].map(|it| json(&[args, &["--engine", it]].concat()))
}

#[track_caller]
fn agree(args: &[&str]) {
    let [native, interpreted] = both(args);
    assert_eq!(native, interpreted, "{args:?}");
}

#[test]
fn native_code_is_the_default() {
    let bench = |args: &[&str]| json(&[&["bench", "hex:5", "--seconds", "0.01"], args].concat());
    assert_eq!(bench(&[])["engine"], bench(&["--engine", "native"])["engine"]);
    assert_eq!(bench(&["--engine", "interpreter"])["engine"], "interpreter");
}

#[test]
fn positions_and_moves_are_the_same() {
    agree(&["show", "chess", "--moves", "e2e4 c7c5 g1f3"]);
    agree(&["moves", "chess", "--moves", "e2e4 c7c5 g1f3 d7d6"]);
    agree(&["moves", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"]);
    agree(&["moves", "othello", "--moves", "d3"]);
    agree(&["show", "go:9", "--moves", "e5 c3"]);
    agree(&["moves", "phutball"]);
    agree(&["show", "samegame"]);
}

#[test]
fn counts_are_the_same() {
    for args in [
        ["perft", "chess", "3"],
        ["perft", "hex:4", "4"],
        ["perft", "draughts", "4"],
        ["perft", "amazons:6", "2"],
        ["perft", "morris9", "2"],
    ] {
        let [native, interpreted] = both(&args);
        assert_eq!(native["counts"], interpreted["counts"], "{args:?}");
        assert_eq!(interpreted["engine"], "interpreter");
    }
    let divided = ["perft", "breakthrough:5,5", "3", "--divide"];
    let [native, interpreted] = both(&divided);
    assert_eq!(native["divide"], interpreted["divide"]);
}

#[test]
fn random_games_are_as_long() {
    let [native, interpreted] = both(&["bench", "tictactoe", "--seconds", "0.2"]);
    let length = |it: &Value| it["mean_length"].as_f64().unwrap();
    // Some thousand games each: the means differ by a hundredth or two.
    assert!((length(&native) - length(&interpreted)).abs() < 0.15, "{native} {interpreted}");
}

#[test]
fn records_are_replayed_alike() {
    let folder = Folder::new();
    let record = folder.path("game.txt");
    let args = ["play", "connect4", "--side", "none", "--nodes", "20", "--save", &record];
    assert_eq!(ludex(&args).code, 0);
    agree(&["replay", "connect4", &record]);
}

#[test]
fn reasons_do_not_depend_on_the_engine() {
    agree(&["explain", "chess", "--moves", "e2e4 d7d5", "--move", "e4d5"]);
    agree(&["explain", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
}

#[test]
fn a_faulty_file_is_blamed_alike() {
    let folder = Folder::new();
    let rules = "game \"X\"\nboard square 2 by 2\nplayers A, B\nmen m\nfunction f(n: int): int\n  \
                 return f(n + 1)\nmoves\n  if f(0) > 0: move pass\n";
    let path = folder.write("loop.game", rules);
    let ran = |engine| ludex(&["moves", &path, "--engine", engine]);
    let (native, interpreted) = (ran("native"), ran("interpreter"));
    assert!(interpreted.stderr.starts_with("error[too-deep]"), "{interpreted:?}");
    let told = |text: &str| {
        let lines = text.lines().filter(|it| !it.starts_with("note: "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!((native.code, told(&native.stderr)), (2, told(&interpreted.stderr)));
}
