//! `match`.

use crate::run::{Folder, json, ludex};

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
    assert_eq!(table, two, "what happens in a game follows from its number and the seed alone");
    let random =
        ["match", "tictactoe", "random", "flat:playouts=9", "--games", "8", "--nodes", "9"];
    let again = json(&[&random[..], &["--concurrency", "3"]].concat());
    assert_eq!(json(&random), again, "also for those who have a generator of their own");
}

#[test]
fn a_sequential_test_stops_by_itself() {
    let args = ["match", "tictactoe", "uct", "random", "--nodes", "40", "--sprt", "0,400"];
    let one = json(&args);
    assert_eq!(one["sprt"]["state"], "high", "{}", one["sprt"]);
    let games = one["games"].as_array().map_or(0, Vec::len);
    assert!(games > 2 && games < 200 && games.is_multiple_of(2), "{games}");
    let pairs = one["table"][0]["pentanomial"].as_array().expect("five counts");
    let pairs: u64 = pairs.iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(pairs as usize, games / 2);
    assert!(one["table"][0]["superiority"].as_f64() > Some(0.9));
    let folder = Folder::new();
    let saved = folder.path("games");
    let two = json(&[&args[..], &["--concurrency", "2", "--save", &saved]].concat());
    assert_eq!(one, two, "it stops at the same pair");
    let records = std::fs::read_dir(&saved).expect("it was made").count();
    assert_eq!(records, games, "what was played after the end does not count");
    let again = ludex(&[&args[..], &["--save", &saved]].concat());
    assert!(again.code == 2 && again.stderr.contains("records of another match"), "{again:?}");
    let open = ludex(&[&args[..6], &["--games", "2", "--sprt", "0,1"]].concat());
    assert_eq!(open.code, 3, "{open:?}");
    assert!(open.stdout.contains("undecided"), "{}", open.stdout);
}

#[test]
fn games_are_saved_as_records_that_can_be_replayed() {
    let folder = Folder::new();
    let games = folder.path("games");
    let lines = folder.write("lines.txt", "# two openings\nd1 d2\nc1\n");
    let args = ["match", "connect4", "uct", "alphabeta", "--games", "4", "--nodes", "60"];
    let table = json(&[&args[..], &["--save", &games, "--openings", &lines]].concat());
    assert_eq!(table["games"][0]["opening"], serde_json::json!(["d1", "d2"]));
    assert_eq!(table["games"][3]["opening"], serde_json::json!(["c1"]));
    for number in 1..=4 {
        let file = format!("{games}/{number:06}.txt");
        let text = folder.read(&format!("games/{number:06}.txt"));
        assert!(text.contains("nodes=") && text.contains("points: "), "{text}");
        let ran = ludex(&["replay", "connect4", &file]);
        assert_eq!(ran.code, 0, "{text}\n{ran:?}");
    }
}

#[test]
fn games_are_cut_short_where_both_agree() {
    let args = ["match", "connect4", "uct", "uct", "--games", "6", "--nodes", "300"];
    let whole = json(&args);
    let cut = json(&[&args[..], &["--resign", "0.3,1"]].concat());
    let moves = |it: &serde_json::Value| -> usize {
        let games = it["games"].as_array().into_iter().flatten();
        games.map(|it| it["moves"].as_array().map_or(0, Vec::len)).sum()
    };
    assert!(moves(&cut) < moves(&whole), "{} {}", moves(&cut), moves(&whole));
    let ends = |it: &serde_json::Value| it["games"].to_string().contains("adjudicated");
    assert!(ends(&cut) && !ends(&whole));
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
        &["match", "tictactoe", "uct", "uct", "--sprt", "2,0"],
        &["match", "tictactoe", "uct", "uct", "uct", "--sprt", "0,2"],
        &["match", "tictactoe", "uct", "uct", "--openings", "no-such-file.txt"],
        &["match", "tictactoe", "uct", "uct", "--resign", "7,1"],
        &["match", "tictactoe", "uct", "uct", "--moves", "a1 a3 b1 b3 c1"],
    ] {
        let ran = ludex(args);
        assert_eq!(ran.code, 2, "{args:?} {ran:?}");
    }
}

#[test]
fn three_play_a_game_of_three() {
    let folder = Folder::new();
    let args = ["match", "tictactoe3", "uct", "flat", "random", "uct:c=2", "--nodes", "200"];
    let told = json(&[&args[..], &["--games", "4", "--save", &folder.path("games")]].concat());
    let games = told["games"].as_array().expect("an array");
    assert_eq!(games.len(), 4 * 6, "four groups of three, two sets of three games");
    for set in games.chunks(3) {
        assert!(set.iter().all(|it| it["opening"] == set[0]["opening"]));
        let first: Vec<_> = set.iter().map(|it| &it["first"]).collect();
        assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
        for game in set {
            let shares = game["shares"].as_array().expect("an array").iter();
            let sum: f64 = shares.filter_map(serde_json::Value::as_f64).sum();
            assert!((sum - 1.5).abs() < 1e-9, "{game}");
        }
    }
    let lines = told["shares"].as_array().expect("an array");
    assert!(lines.iter().all(|it| it["games"] == 18));
    let random = lines.iter().find(|it| it["player"] == "random").expect("it played");
    assert_eq!((&random["place"], &random["places"][1]), (&4.into(), &4.into()), "{told}");
    assert_eq!(told["seats"].as_array().map(Vec::len), Some(3));
    assert!(told["sprt"].is_null() && told["table"][0]["pentanomial"].is_null());
    assert_eq!(told["table"].as_array().map(Vec::len), Some(6));

    let again = json(&[&args[..], &["--games", "4", "--concurrency", "2"]].concat());
    assert_eq!(told, again, "the same however many are played at once");

    let rated = json(&["rate", &folder.path("games")]);
    assert_eq!((&rated["games"], &rated["ratings"][3]["player"]), (&24.into(), &"random".into()));
    assert_eq!(rated["ratings"][0]["games"], 18);
    let record = folder.read("games/000001.txt");
    assert!(record.contains("players: uct, flat, random\n"), "{record}");
    assert!(record.contains("date: 2026-11-16T15:04:05Z\n"), "{record}");
    assert!(record.contains("points: ") && record.contains("result: "), "{record}");
    let replayed = json(&["replay", "tictactoe3", &folder.path("games/000001.txt")]);
    assert_eq!(replayed["ok"], true);

    let text = ludex(&[&args[..], &["--games", "3"]].concat()).stdout;
    assert!(text.contains("rank") && text.contains("by seat ") && !text.contains("Elo"), "{text}");
}

#[test]
fn what_is_for_two_is_refused_where_three_play() {
    let wrong = |more: &[&str], message: &str| {
        let ran = ludex(&[&["match", "tictactoe3"], more].concat());
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    };
    wrong(&["uct", "flat"], "`tictactoe3` is a game of 3 players, and there are 2");
    wrong(&["uct", "flat", "random", "--sprt", "0,10"], "test between two players");
    wrong(&["uct", "flat", "random", "--resign", "0.9,3"], "`--resign` is for games of two");
    wrong(&["uct", "flat", "random", "--balanced", "yes"], "`--balanced yes` is for games of two");
    wrong(&["uct", "flat", "alphabeta"], "`alphabeta` plays games of two only");
    wrong(&["uct", "flat", "cmd:sh"], "`cmd:sh` plays games of two only");
    let ran = ludex(&["match", "samegame", "uct", "flat"]);
    assert!(ran.code == 2 && ran.stderr.contains("a game of one player"), "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn games_count_although_their_records_cannot_be_saved() {
    let args = ["match", "tictactoe", "random", "random", "--games", "2", "--nodes", "1"];
    // A folder that takes no files.
    let ran = ludex(&[&args[..], &["--save", "/proc/self", "--json"]].concat());
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("cannot write `/proc/self/000001.txt`"), "{ran:?}");
    assert!(ran.json()["games"].as_array().is_some_and(|it| !it.is_empty()), "{ran:?}");
    let ran = ludex(&[&args[..], &["--save", "/proc/self"]].concat());
    assert!(ran.code == 2 && ran.stdout.contains("points"), "{ran:?}");
}
