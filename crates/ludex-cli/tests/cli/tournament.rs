//! `tournament` and `rate`.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::Value;

use crate::run::{Folder, command, json, ludex};

/// Eight quick players, three games.
const EIGHT: &str = "\
name Eight
game tictactoe
game connect4:5,4
game breakthrough:4,5
player one uct:c=0.3
player two uct:c=0.7
player three uct:c=1.4
player four flat
player five random
player six alphabeta:depth=2,eval=mobility
player seven minimax:depth=1
player eight ucb
kind round-robin
nodes 5000
openings random 2
scoring 2 1 0
seed 5
concurrency 2
memory 16M
";

fn games_in(folder: &str) -> usize {
    fs::read_dir(format!("{folder}/games")).map_or(0, |it| {
        let names = it.flatten().map(|it| it.file_name());
        names.filter(|it| it.to_string_lossy().ends_with(".txt")).count()
    })
}

/// Starts a tournament and kills it, with no word of warning, when there are this many games.
fn killed_after(games: usize, file: &str, folder: &str) {
    let mut child = command(&["tournament", file, "--folder", folder])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program was built");
    let begun = Instant::now();
    while games_in(folder) < games {
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended too soon");
        assert!(begun.elapsed() < Duration::from_mins(1), "it plays too slowly");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it was killed");
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("no {key} in {value}"))
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn a_round_robin_that_is_killed_twice_loses_nothing() {
    let folder = Folder::new();
    let file = folder.write("eight.txt", EIGHT);
    let run = folder.path("eight.run");
    killed_after(15, &file, &run);
    let first = games_in(&run);
    // Halfway to the end, however late the first time was noticed.
    killed_after(usize::midpoint(first, 84), &file, &run);
    // What a disk that is full leaves behind, wherever it is cut.
    for (number, part) in [(3, 3), (4, 2), (5, 1)] {
        let torn = format!("{run}/games/{number:05}.txt");
        let text = fs::read_to_string(&torn).expect("the first games were played");
        fs::write(&torn, &text[..text.len() / part - 1]).expect("it can be written");
    }
    let ran = ludex(&["tournament", &file, "--folder", &run, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("were played already"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("is played again").count(), 3, "{}", ran.stderr);
    let told = ran.json();
    check_totals(&told);
    // Games follow from their numbers: the same tournament without a break is the same.
    let straight = json(&["tournament", &file, "--folder", &folder.path("straight")]);
    assert_eq!(told["standings"], straight["standings"]);
    assert_eq!(told["table"], straight["table"]);
    // There is nothing left to play.
    let again = json(&["tournament", &file, "--folder", &run]);
    assert_eq!(told, again);
}

/// Every game exactly once, and totals that are those of the records.
fn check_totals(told: &Value) {
    assert_eq!((&told["complete"], &told["played"]), (&Value::Bool(true), &Value::from(84)));
    let games = array(&told["games"]);
    let numbers: Vec<u64> = games.iter().filter_map(|it| it["number"].as_u64()).collect();
    assert_eq!(numbers, (1..=84).collect::<Vec<_>>());
    let mut met = BTreeSet::new();
    for game in games {
        let mut pair = [game["first"].to_string(), game["second"].to_string()];
        pair.sort();
        assert!(met.insert((game["game"].to_string(), pair)), "twice: {game}");
    }
    assert_eq!(met.len(), 3 * 28);
    for line in array(&told["standings"]) {
        let name = &line["player"];
        let points = games.iter().map(|game| {
            if game["first"] == *name {
                2.0 * number(game, "points")
            } else if game["second"] == *name {
                2.0 * (1.0 - number(game, "points"))
            } else {
                0.0
            }
        });
        assert!((points.sum::<f64>() - number(line, "points")).abs() < 1e-9, "{line}");
        assert_eq!(line["games"], 21);
    }
    for game in games {
        let (name, file) = (game["game"].as_str().unwrap(), game["file"].as_str().unwrap());
        if game["number"].as_u64().is_some_and(|it| it % 12 == 0) {
            let ran = ludex(&["replay", name, file]);
            assert_eq!(ran.code, 0, "{file}: {ran:?}");
        }
    }
}

const SMALL: &str = "\
game tictactoe
player Ann uct:c=0.5
player Bob random
player \"Carl <b>\" flat:playouts=9
nodes 30
";

fn small(folder: &Folder, more: &str) -> String {
    folder.write("small.txt", format!("{SMALL}{more}"))
}

#[test]
fn a_changed_file_is_refused_and_says_what_changed() {
    let folder = Folder::new();
    let file = small(&folder, "");
    let ran = ludex(&["tournament", &file]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("3 of 3 games played"), "{}", ran.stdout);
    assert!(folder.read("small.run/standings.txt").contains("Ann"));
    small(&folder, "seed 7\n");
    let ran = ludex(&["tournament", &file]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("`seed` was `0` and is `7`"), "{}", ran.stderr);
    small(&folder, "concurrency 2\n# a comment\n");
    assert_eq!(ludex(&["tournament", &file]).code, 0, "that does not matter");
}

#[test]
fn files_belong_to_a_tournament_whatever_players_are_called() {
    let folder = Folder::new();
    let player =
        "player \"Ann\" for tictactoe\nsearch alphabeta-plain depth=1\nevaluate\n  return ";
    folder.write("a.player", format!("{player}1\n"));
    folder.write("lines.txt", "b2\na1\n");
    let file = small(&folder, "player \"D: E\" a.player\nopenings file lines.txt\n");
    assert_eq!(ludex(&["tournament", &file]).code, 0);
    let ran = ludex(&["tournament", &file]);
    assert_eq!(ran.code, 0, "nothing has changed: {ran:?}");
    let refused = |what: &str| {
        let ran = ludex(&["tournament", &file]);
        assert!(ran.code == 2 && ran.stderr.contains(what), "{ran:?}");
    };
    folder.write("a.player", format!("{player}2\n"));
    refused("`file of player 4` was");
    folder.write("a.player", format!("{player}1\n"));
    folder.write("lines.txt", "b2\na2\n");
    refused("`file of openings` was");
}

#[test]
fn the_report_shows_names_and_does_not_obey_them() {
    let folder = Folder::new();
    let file = small(&folder, "name <script>alert(1)</script>\n");
    assert_eq!(ludex(&["tournament", &file]).code, 0);
    let page = folder.read("small.run/report.html");
    assert!(page.contains("Carl &lt;b&gt;") && !page.contains("Carl <b>"));
    assert!(!page.contains("<script>alert"));
    assert!(page.contains("<svg") && page.contains("data-game=\"2\""));
    let data = page.split("id=\"data\">").nth(1).and_then(|it| it.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("it is there")).expect("it is JSON");
    let game = &data["games"][0];
    assert_eq!(array(&game["boards"]).len(), array(&game["moves"]).len() + 1);
}

#[test]
fn every_kind_of_tournament_comes_to_an_end() {
    let folder = Folder::new();
    for (number, (kind, games)) in [
        ("double round-robin", 6),
        ("gauntlet", 4),
        ("gauntlet 2", 4),
        ("swiss 2", 2),
        ("knockout", 4),
    ]
    .into_iter()
    .enumerate()
    {
        let file = small(&folder, &format!("kind {kind}\n"));
        let told = json(&["tournament", &file, "--folder", &folder.path(&number.to_string())]);
        assert_eq!(told["complete"], true, "{kind}: {told}");
        let played = array(&told["games"]).len();
        // A knockout that is even is played off.
        assert!(played == games || (kind == "knockout" && played > games), "{kind}: {played}");
        assert_eq!(array(&told["standings"]).len(), 3);
    }
}

#[test]
fn mistakes_in_a_file_are_told_with_their_lines() {
    let folder = Folder::new();
    let check = |text: &str, expected: &[&str]| {
        let file = folder.write("wrong.txt", text);
        let ran = ludex(&["tournament", &file]);
        assert_eq!(ran.code, 2, "{text}: {ran:?}");
        for part in expected {
            assert!(ran.stderr.contains(part), "{text}: no {part} in {}", ran.stderr);
        }
    };
    check(
        "gaem tictactoe\nplayer a uct\nplayer b uct\n",
        &["wrong.txt:1: there is no key `gaem`", "did you mean `game`?", "there is no game"],
    );
    check("game tictacto\nplayer a uct\nplayer b uct\n", &["tictacto", "did you mean"]);
    check(
        "game tictactoe\nplayer a uct\nplayer b utc\n",
        &["wrong.txt:3: `b` cannot play", "did you mean `uct`?"],
    );
    check(
        "game samegame\nplayer a uct\nplayer b uct\n",
        &["`samegame`: a game of one player has no opponents"],
    );
    check(
        "game tictactoe\nplayer a uct\nplayer b uct\nopenings file none.txt\n",
        &["there is no file"],
    );
    let binary = folder.write("binary", b"\xff\xfe\x00");
    assert_eq!(ludex(&["tournament", &binary]).code, 2);
    assert_eq!(ludex(&["tournament", &folder.path("no-such-file")]).code, 2);
}

#[test]
fn a_player_at_fault_loses_and_the_tournament_goes_on() {
    let folder = Folder::new();
    folder.write(
        "loop.player",
        "player \"Loop\" for tictactoe\nsearch alphabeta-plain depth=2\nevaluate\n  let n = 1\n  while n > 0: n += 1\n  return n\n",
    );
    let file = folder.write(
        "fault.txt",
        "game tictactoe\nplayer Loop loop.player\nplayer Ann random\nplayer Bob random\nnodes 50\n",
    );
    let ran = ludex(&["tournament", &file, "--json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let told = ran.json();
    assert_eq!(told["played"], 3, "{told}");
    let last = array(&told["standings"]).last().expect("three lines");
    assert_eq!((&last["player"], number(last, "points")), (&Value::from("Loop"), 0.0), "{told}");
    assert!(told["games"].to_string().contains("Loop failed (fault)"), "{told}");
    assert_eq!(ran.stderr.matches("loses the game").count(), 1, "{}", ran.stderr);
}

#[test]
fn two_at_once_keep_out_of_each_others_way() {
    let folder = Folder::new();
    let file = small(&folder, "");
    let run = folder.path("run");
    fs::create_dir_all(&run).expect("it can be made");
    let lock = fs::File::create(format!("{run}/lock")).expect("it can be made");
    lock.lock().expect("no other process has it");
    let ran = ludex(&["tournament", &file, "--folder", &run]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("another process is playing"), "{}", ran.stderr);
}

#[test]
fn a_game_that_cannot_be_saved_ends_the_tournament() {
    let folder = Folder::new();
    let file = small(&folder, "games 100\nconcurrency 2\n");
    // Nothing can be written where a folder is. Games that end meanwhile can be.
    fs::create_dir_all(folder.path("small.run/games/00001.txt")).expect("it can be made");
    let ran = ludex(&["tournament", &file]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("cannot write") && ran.stderr.contains("00001.txt"), "{ran:?}");
}

#[test]
fn players_are_rated_by_their_records() {
    let folder = Folder::new();
    let file = small(&folder, "games 6\n");
    let told = json(&["tournament", &file]);
    let rated = json(&["rate", &folder.path("small.run"), "--mean", "1500"]);
    assert_eq!(rated["games"], told["played"]);
    let ratings = array(&rated["ratings"]);
    assert_eq!(ratings.len(), 3);
    let mean = ratings.iter().map(|it| number(it, "rating")).sum::<f64>() / 3.0;
    assert!((mean - 1500.0).abs() < 1e-6, "{mean}");
    for line in array(&told["standings"]) {
        let same = ratings.iter().find(|it| it["player"] == line["player"]).expect("it is rated");
        assert!((number(same, "rating") - 1500.0 - number(&line["rating"], "value")).abs() < 1e-6);
        assert!(number(same, "low") < number(same, "rating"));
    }
    let text = ludex(&["rate", &folder.path("small.run")]);
    assert_eq!(text.code, 0, "{text:?}");
    assert!(text.stdout.contains("Carl <b>"), "{}", text.stdout);
    let empty = folder.write("empty.txt", "game: tictactoe\nplayers: a, b\n");
    assert_eq!(ludex(&["rate", &empty]).code, 2);
    assert_eq!(ludex(&["rate", &folder.path("nothing")]).code, 2);
}

#[test]
fn published_points_stand_beside_ours() {
    let folder = Folder::new();
    let file = small(&folder, "published Ann 7.5\n");
    let told = json(&["tournament", &file]);
    for line in array(&told["standings"]) {
        let expected = if line["player"] == "Ann" { 7.5.into() } else { Value::Null };
        assert_eq!(line["published"], expected, "{line}");
    }
    let table = folder.read("small.run/standings.txt");
    assert!(table.contains(" published ") && table.contains(" 7.5 "), "{table}");
    assert!(folder.read("small.run/report.html").contains("<th>published</th>"));
    // Without them there is no such column, and the games need not be played again.
    let ran = ludex(&["tournament", &small(&folder, "")]);
    assert!(ran.code == 0 && !ran.stdout.contains("published"), "{ran:?}");
    assert!(ran.stderr.contains("games were played already"), "{ran:?}");
}

#[test]
fn groups_of_three_meet_in_a_game_of_three() {
    let folder = Folder::new();
    let file = folder.write(
        "trio.txt",
        "game tictactoe3\ngame tictactoe3:3\nplayer Ann uct\nplayer Bob flat\nplayer Cid random\n\
         player Dan uct:c=2\nnodes 60\nscoring 2 1 0\nopenings random 1\n",
    );
    let told = json(&["tournament", &file]);
    assert_eq!((&told["played"], &told["expected"]), (&24.into(), &24.into()));
    let lines = told["standings"].as_array().expect("an array");
    let points: f64 = lines.iter().filter_map(|it| it["points"].as_f64()).sum();
    // Two points for each two who meet, and three meet three times in a game.
    assert!((points - 24.0 * 3.0 * 2.0).abs() < 1e-9, "{points}");
    assert!(lines.iter().all(|it| it["games"] == 18), "{told}");
    assert_eq!(told["games"][0]["players"].as_array().map(Vec::len), Some(3));
    let page = folder.read("trio.run/report.html");
    assert!(page.contains("<th>player 3</th>"));
    let again = json(&["tournament", &file]);
    assert_eq!(again["standings"], told["standings"], "it is over, and stays what it was");
    let rated = json(&["rate", &folder.path("trio.run")]);
    let rating = |value: &Value, name: &str| {
        let lines = value.as_array().expect("an array").iter();
        lines.clone().find(|it| it["player"] == name).cloned().unwrap_or_default()
    };
    let ours = rating(&told["standings"], "Ann")["rating"]["value"].as_f64().expect("a rating");
    let theirs = rating(&rated["ratings"], "Ann")["rating"].as_f64().expect("a rating");
    assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");

    let wrong = |text: &str, message: &str| {
        let ran = ludex(&["tournament", &folder.write("wrong.txt", text)]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    };
    let three = "player a uct\nplayer b flat\nplayer c random\n";
    wrong(&format!("game tictactoe3\n{three}kind swiss 2\n"), "`kind swiss 2` is for games of two");
    wrong(&format!("game tictactoe\ngame tictactoe3\n{three}"), "`tictactoe3` has 3 players and");
    wrong("game tictactoe3\nplayer a uct\nplayer b flat\n", "needs at least 3 players");
    wrong(
        &format!("game tictactoe3\n{three}player d minimax\n"),
        "`minimax` plays games of two only",
    );
}

#[test]
fn who_cannot_play_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let three = "game tictactoe3\nplayer a uct\nplayer b flat\nnodes 30\n";
    for (text, message) in [
        (format!("{three}player c nested\n"), "`nested` plays games of one or two only"),
        (format!("{three}player c nrpa:level=2\n"), "`nrpa:level=2` plays games of one only"),
        ("game tictactoe\nplayer a nmcs\nplayer b flat\n".to_owned(), "has 2 players"),
    ] {
        let ran = ludex(&["tournament", &folder.write("t.txt", text)]);
        assert!(ran.code == 2 && ran.stderr.contains(message), "{ran:?}");
        assert!(!fs::exists(folder.path("t.run")).expect("it can be asked"), "{message}");
    }
    let ran = ludex(&["match", "tictactoe3", "uct", "flat", "nested", "--nodes", "9"]);
    assert!(ran.code == 2 && ran.stderr.contains("`nested` plays games of one or two"), "{ran:?}");
    // `nested` is at home in games of two.
    let file = folder.write("t.txt", "game tictactoe\nplayer a nested\nplayer b flat\nnodes 30\n");
    assert_eq!(ludex(&["tournament", &file]).code, 0);
}

#[test]
fn a_file_may_be_changed_as_long_as_nothing_was_played() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("small.run/games")).expect("it can be made");
    folder.write("small.run/plan.txt", "seed: 7\n");
    let file = small(&folder, "");
    assert_eq!(ludex(&["tournament", &file]).code, 0);
    assert!(folder.read("small.run/plan.txt").contains("seed: 0"));
}

/// Changes the points of the first game that a tournament has played.
fn with_other_points(folder: &Folder, run: &str, points: &str) {
    let name = format!("{run}/games/00001.txt");
    let of = |line: &str| {
        let line = if line.starts_with("points: ") { &format!("points: {points}") } else { line };
        format!("{line}\n")
    };
    let text: String = folder.read(&name).lines().map(of).collect();
    assert!(text.contains(points), "{text}");
    folder.write(&name, text);
}

#[test]
fn points_for_others_than_those_who_played_are_not_believed() {
    let folder = Folder::new();
    let trio = "game tictactoe3\nplayer Ann uct\nplayer Bob flat\nplayer Cid random\nnodes 30\n";
    let trio = folder.write("trio.txt", trio);
    for (file, run, points) in [
        (small(&folder, ""), "small.run", "1, 0, 0"),
        (trio.clone(), "trio.run", "1, 0"),
        (trio, "trio.run", "1, 0, 0, 0"),
    ] {
        let told = json(&["tournament", &file]);
        with_other_points(&folder, run, points);
        let ran = ludex(&["tournament", &file, "--json"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(ran.stderr.matches("is played again").count(), 1, "{}", ran.stderr);
        assert_eq!(ran.json()["standings"], told["standings"], "{points}");
    }
}
