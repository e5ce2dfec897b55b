//! `analyse` and `players`.

use crate::run::{Folder, json, ludex};

/// A position in which X wins at once by c1.
const ONE_MOVE: [&str; 4] = ["analyse", "tictactoe", "--moves", "a1 a3 b1 b3"];

#[test]
fn the_last_line_of_json_is_the_answer() {
    let ran = ludex(&[&ONE_MOVE[..], &["--player", "uct", "--nodes", "3000", "--json"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.json_lines();
    let last = lines.last().expect("there is an answer");
    assert_eq!(last["final"], true);
    assert!(lines[..lines.len() - 1].iter().all(|it| it["final"] == false));
    assert_eq!(last["best"], "c1");
    assert_eq!(last["lines"][0]["move"], "c1");
    assert_eq!(last["lines"][0]["pv"][0], "c1");
    assert!(last["lines"][0]["value"].as_f64().is_some_and(|it| it > 0.9), "{last}");
    assert!(last["lines"][0].get("proved").is_some() && last["nodes"].as_u64().is_some());
    assert!(last["seconds"].is_number());
}

#[test]
fn text_has_the_best_move_first() {
    let args = ["--player", "uct", "--nodes", "2000", "--lines", "2", "-v"];
    let ran = ludex(&[&ONE_MOVE[..], &args].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.starts_with("best: c1\n"), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 4, "best, two lines, nodes: {}", ran.stdout);
    assert!(ran.stderr.contains("uct: "), "-v says what the player is: {}", ran.stderr);
}

#[test]
fn what_is_an_upper_bound_is_marked() {
    let search = ["analyse", "breakthrough", "--player", "alphabeta:eval=mobility"];
    let args = [&search[..], &["--nodes", "3000", "--lines", "3"]].concat();
    let last = ludex(&[&args[..], &["--json"]].concat()).json_lines().pop().expect("an answer");
    let lines = last["lines"].as_array().expect("lines");
    assert!(lines[0].get("at_most").is_none(), "the best move is judged: {last}");
    assert_eq!(lines[2]["at_most"], true, "{last}");
    let text = ludex(&args).stdout;
    assert!(text.lines().nth(3).is_some_and(|it| it.starts_with('≤')), "{text}");
}

#[test]
fn nodes_and_a_seed_give_the_same_every_time() {
    let args = ["analyse", "breakthrough", "--player", "uct", "--nodes", "500", "--seed", "3"];
    let once = json_without_times(&args);
    assert_eq!(once, json_without_times(&args));
}

#[test]
fn getting_ready_is_not_counted_and_nodes_are_the_same_every_time() {
    let args = ["analyse", "tictactoe", "--player", "auto:work=20000,trial=20000"];
    let ran = ludex(&[&args[..], &["--time", "50ms", "-v"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    // It has chosen, however short its time is.
    assert!(ran.stderr.contains("quick games against"), "{}", ran.stderr);
    let counted = [&args[..], &["--nodes", "200"]].concat();
    assert_eq!(json_without_times(&counted), json_without_times(&counted));
}

/// Lasker against Thomas, London 1912, Pitrat's example: a mate that an evaluation thinks nothing of, and
/// that is too deep for so few nodes of alpha-beta.
#[test]
fn a_forced_win_is_smelt_whatever_an_evaluation_thinks() {
    let position = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 6 11";
    let args = ["analyse", "chess", "--position", position, "--nodes", "10000"];
    let player = |it| json_without_times(&[&args[..], &["--player", it]].concat());
    let auto = player("auto:trials=0");
    assert_eq!((&auto["best"], &auto["lines"][0]["proved"]), (&"h5h7".into(), &"win".into()));
    assert!(auto["nodes"].as_u64() <= Some(10_000), "{auto}");
    let alphabeta = player("alphabeta");
    assert!(alphabeta["lines"][0]["proved"].is_null(), "it takes no proofs: {alphabeta}");
}

fn json_without_times(args: &[&str]) -> serde_json::Value {
    let mut last = ludex(&[args, &["--json"]].concat()).json_lines().pop().expect("an answer");
    for key in ["seconds", "found"] {
        last[key] = serde_json::Value::Null;
    }
    last
}

#[test]
fn small_trees_are_drawn_and_large_ones_refused() {
    let folder = Folder::new();
    let file = folder.path("tree.svg");
    let ran =
        ludex(&["analyse", "tictactoe", "--moves", "b2 a1 b1", "--tree", &file, "--depth", "2"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let svg = folder.read("tree.svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("class=\"cut\"") && svg.contains("<circle") && svg.contains("<rect"));
    let ran = ludex(&["analyse", "chess", "--tree", &file, "--depth", "3"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("help: "), "{}", ran.stderr);
}

#[test]
fn wrong_players_and_finished_games_are_refused() {
    let ran = ludex(&["analyse", "tictactoe", "--player", "nobody"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("there is no player `nobody`"), "{}", ran.stderr);
    let ran = ludex(&["analyse", "tictactoe", "--player", "uct:colour=red"]);
    assert_eq!(ran.code, 2);
    let ran = ludex(&["analyse", "tictactoe", "--moves", "a1 a3 b1 b3 c1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("the game is over"), "{}", ran.stderr);
}

#[test]
fn players_are_listed() {
    let players = json(&["players"]);
    let players = players.as_array().expect("an array");
    assert!(players.iter().any(|it| it["name"] == "uct"));
    assert_eq!(players.iter().filter(|it| it["default"] == true).count(), 1);
}
