//! `games`, `show`, `moves`, `bench`, `ir`.

use std::io::Read;
use std::process::{Command, Stdio};

use expect_test::expect;

use crate::run::{Folder, LUDEX, check, json, ludex};

#[test]
fn games_are_listed_with_their_options() {
    let games = json(&["games"]);
    let games = games.as_array().unwrap();
    assert!(games.len() >= 29);
    let hex = games.iter().find(|it| it["name"] == "hex").unwrap();
    assert_eq!(hex["title"], "Hex");
    assert_eq!(hex["players"]["number"], 2);
    assert_eq!(hex["players"]["names"][0], "Black");
    assert_eq!(hex["options"][0]["name"], "n");
    assert_eq!(hex["options"][0]["kind"], "number");
    assert_eq!(hex["options"][0]["default"], "11");
    assert_eq!(hex["options"][0]["range"][0], 2);
}

#[test]
fn the_text_of_games_has_a_line_for_each() {
    let ran = ludex(&["games"]);
    assert_eq!(ran.code, 0);
    let line = ran.stdout.lines().find(|it| it.starts_with("tictactoe ")).unwrap();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        ["tictactoe", "Tic-tac-toe", "X,", "O"]
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(LUDEX)
        .args(["moves", "amazons"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(stderr, "");
}

#[test]
fn show_draws_the_board() {
    check(
        &["show", "tictactoe", "--moves", "b2 a1"],
        expect![[r#"
            3 . . .
            2 . X .
            1 O . .
              a b c
            X to move
            position: 3/1X1/O2 x
            game: 2 players, alternating, perfect information, zero-sum, win/draw/loss
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn show_tells_the_result() {
    check(
        &["show", "tictactoe", "--position", "3/OO1/XXX o"],
        expect![[r#"
            3 . . .
            2 O O .
            1 X X X
              a b c
            O to move
            position: 3/OO1/XXX o
            result: X wins
            game: 2 players, alternating, perfect information, zero-sum, win/draw/loss
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn show_in_json() {
    let shown = json(&["show", "hex:3", "--moves", "b2"]);
    assert_eq!(shown["position"], "3/1X1/3 w");
    assert_eq!(shown["turn"], "White");
    assert!(shown["board"].as_str().unwrap().contains("a b c"));
    assert!(shown.get("result").is_none());
    let over = json(&["show", "tictactoe", "--moves", "a1 b1 a2 b2 a3"]);
    assert_eq!(over["turn"], serde_json::Value::Null);
    assert_eq!(over["result"], "X wins");
    assert_eq!(over["scores"], serde_json::json!([1, -1]));
}

#[test]
fn a_position_can_be_read_again() {
    for game in ["chess", "shogi", "phutball", "morris9", "go:9", "samegame"] {
        let shown = json(&["show", game]);
        let position = shown["position"].as_str().unwrap();
        assert_eq!(json(&["show", game, "--position", position]), shown, "{game}");
    }
}

#[test]
fn moves_are_sorted() {
    check(
        &["moves", "tictactoe", "--moves", "b2 a1 c1 b3"],
        expect![[r#"
            a2
            a3
            b1
            c2
            c3
            ---
            exit code 0
        "#]],
    );
    let moves = json(&["moves", "chess"]);
    let moves: Vec<&str> =
        moves["moves"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(moves.len(), 20);
    assert!(moves.is_sorted());
}

#[test]
fn a_finished_game_has_a_result_and_no_moves() {
    let over = json(&["moves", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"]);
    assert_eq!(over["moves"], serde_json::json!([]));
    assert_eq!(over["result"], "Black wins");
    check(
        &["moves", "tictactoe", "--moves", "a1 b1 a2 b2 a3"],
        expect![[r#"
            the game is over: X wins
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn options_and_files_work_together() {
    let folder = Folder::new();
    let rules = "game \"Row\"\noption n = 3 in 1..9\nboard square n by 1\nplayers A, B\nmen m\n\
                 moves\n  for a in empty: move put my m on a\n";
    let path = folder.write("row.game", rules);
    assert_eq!(json(&["moves", &path])["moves"].as_array().unwrap().len(), 3);
    assert_eq!(json(&["moves", &format!("{path}:5")])["moves"].as_array().unwrap().len(), 5);
    assert_eq!(json(&["moves", &format!("{path}:n=7")])["moves"].as_array().unwrap().len(), 7);
}

#[test]
fn bench_measures() {
    let bench = json(&["bench", "tictactoe", "--seconds", "0.05", "--seed", "3"]);
    assert!(bench["playouts_per_second"].as_f64().unwrap() > 0.0);
    assert!(bench["moves_per_second"].as_f64().unwrap() > 0.0);
    let length = bench["mean_length"].as_f64().unwrap();
    assert!((5.0..=9.0).contains(&length), "{length}");
    assert_eq!(bench["seed"], 3);
    assert!(bench["playouts"].as_u64().unwrap() > 0);
    assert!(bench["seconds"].as_f64().unwrap() >= 0.05);
}

#[test]
fn bench_tells_what_ran() {
    let bench = |engine| {
        json(&["bench", "connect4", "--seconds", "0.02", "--engine", engine])["engine"].clone()
    };
    assert_eq!(bench("interpreter"), "interpreter");
    let native = ludex(&["bench", "connect4", "--seconds", "0.02", "--engine", "native", "--json"]);
    // Where the system refuses native code, that is said once.
    let refused = native.json()["engine"] == "interpreter";
    let notes = native.stderr.lines().filter(|it| it.starts_with("note: ")).count();
    assert_eq!(notes, usize::from(refused), "{}", native.stderr);
}

#[test]
fn ir_prints_the_program() {
    let ran = ludex(&["ir", "tictactoe"]);
    assert!(ran.stdout.starts_with("game \"Tic-tac-toe\"\n"), "{}", ran.stdout);
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("; a state has 10 cells in "), "{last}");
    assert!(last.ends_with("24 bytes interpreted"), "{last}");
    let one = ludex(&["ir", "tictactoe", "--function", "result"]);
    assert!(one.stdout.starts_with("function f"), "{}", one.stdout);
    assert!(one.stdout.len() < ran.stdout.len());
    let value = json(&["ir", "tictactoe"]);
    assert_eq!(value["cells"], 10);
    assert!(value["functions"].as_array().unwrap().iter().any(|it| it == "moves"));
    assert_eq!(value["interpreter_state_bytes"], 24);
}

#[test]
fn ir_prints_the_program_as_it_is_compiled() {
    let text = |args: &[&str]| ludex(&[&["ir", "tictactoe"], args].concat()).stdout;
    let optimised = text(&["--optimised"]);
    assert!(optimised.starts_with("game \"Tic-tac-toe\"\n"), "{optimised}");
    assert!(optimised.contains("\n; a state has 10 cells in "), "{optimised}");
    assert_ne!(optimised, text(&[]));
    // It is a program like any other: what is printed can be read.
    let program = json(&["ir", "tictactoe", "--optimised"])["program"].clone();
    let program = ludex_ir::Program::parse(program.as_str().unwrap()).expect("it is in text form");
    assert!(ludex_ir::verify(program).is_ok());
}

#[test]
fn every_verb_has_examples() {
    let help = ludex(&["--help"]);
    assert_eq!(help.code, 0);
    let commands = help.stdout.lines().skip_while(|it| *it != "Commands:").skip(1);
    let subcommands =
        commands.take_while(|it| !it.is_empty()).filter_map(|it| it.split_whitespace().next());
    for subcommand in subcommands.filter(|it| *it != "help") {
        let help = ludex(&[subcommand, "--help"]);
        assert_eq!(help.code, 0, "{subcommand}");
        assert!(
            help.stdout.contains(&format!("Examples:\n  ludex {subcommand}")),
            "{subcommand}: {}",
            help.stdout
        );
        assert!(help.stdout.contains("--json"), "{subcommand}");
    }
}
