//! `solve`: values, exit codes, certificates.

use crate::run::{Folder, Ran, ludex};

/// Runs `solve` with `--json`: the exit code and the value.
fn value(args: &[&str]) -> (i32, String) {
    let ran = ludex(&[&["solve"], args, &["--json"]].concat());
    let json = ran.json();
    for field in ["value", "pv", "nodes", "seconds"] {
        assert!(json.get(field).is_some(), "{field} in {json}");
    }
    (ran.code, json["value"].as_str().expect("it is a text").to_owned())
}

#[test]
fn values_have_exit_codes() {
    assert_eq!(value(&["nim-matches:6"]), (0, "win".to_owned()));
    assert_eq!(value(&["nim-matches:5"]), (1, "loss".to_owned()));
    assert_eq!(value(&["tictactoe"]), (1, "draw".to_owned()));
    let args = ["connect4", "--method", "dfpn", "--nodes", "50", "--memory", "1M"];
    assert_eq!(value(&args), (3, "unknown".to_owned()));
}

#[test]
fn all_methods_agree() {
    for method in ["auto", "dfpn", "pns", "retrograde"] {
        let args = ["domineering:4", "--method", method, "--memory", "16M"];
        assert_eq!(value(&args), (0, "win".to_owned()), "{method}");
    }
}

#[test]
fn what_is_forced_changes_no_value() {
    let folder = Folder::new();
    let path = folder.path("proof.txt");
    for (game, expected) in [
        ("tictactoe", "draw"),
        ("mnk:4,3,3", "win"),
        ("connect4:4,4", "draw"),
        ("breakthrough:4,4", "win"),
        ("hex:3", "win"),
        ("atarigo:3", "win"),
        ("atarigo:5,start=crosscut", "win"),
        ("clobber:4,3", "loss"),
    ] {
        let plain = value(&[game, "--method", "dfpn"]);
        assert_eq!(plain.1, expected, "{game}");
        for order in ["0", "1", "2"] {
            let threats = ["--threats", "200", "--order", order, "--certificate", &path];
            let args = [&[game, "--method", "dfpn"], threats.as_slice()].concat();
            assert_eq!(value(&args), plain, "{game}, order {order}");
            let verified = ludex(&["solve", game, "--verify", &path]);
            assert_eq!(verified.code, 0, "{game}: {verified:?}");
        }
    }
}

/// The looks for what is forced end with the time too, however many positions they may look at.
#[test]
fn looks_for_what_is_forced_end_in_time() {
    let endless = ["--threats", "100000000", "--order", "2", "--time", "300ms", "--json"];
    let since = std::time::Instant::now();
    let run = ludex(&[&["solve", "amazons", "--method", "dfpn"], endless.as_slice()].concat());
    assert!(since.elapsed().as_secs() < 30, "{:?}", since.elapsed());
    assert_eq!(run.json()["value"], "unknown");
    for player in ["alphabeta:eval=material,threats=100000000", "mcts:threats=100000000"] {
        let since = std::time::Instant::now();
        let thought = ludex(&["analyse", "amazons", "--player", player, "--time", "300ms"]);
        assert!(since.elapsed().as_secs() < 30, "{player}: {:?}", since.elapsed());
        assert_eq!(thought.code, 0, "{thought:?}");
    }
}

/// What is read off the rules before threats are looked for takes its time as well: random games
/// that never end, and more ways to win than anybody can count.
#[test]
fn reading_the_rules_for_threats_ends_in_time() {
    let rules = |moves: &str, result: &str| {
        format!(
            "game \"Long\"\n\nboard square 40 by 40\nplayers X, O\nmen mark \"X\" \"O\"\n\n\
             moves\n  for a in {moves}: move put my mark on a\n\n\
             result\n{result}: victory\n\nstuck\n  draw\n"
        )
    };
    let row = "a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1, p1, q1, r1, s1, t1";
    let endless = rules("all", &format!("  if count({{{row}}} & mine) == 20"));
    let without_number =
        rules("empty", "  for a in mine\n    for b in mine\n      if distance(a, b) == 3");
    let folder = Folder::new();
    for text in [endless, without_number] {
        let path = folder.write("long.game", &text);
        let since = std::time::Instant::now();
        let how = ["--method", "threats", "--order", "1", "--around", "1", "--time", "300ms"];
        let run = ludex(&[&["solve", &path], how.as_slice()].concat());
        assert!(since.elapsed().as_secs() < 20, "{:?}\n{text}", since.elapsed());
        assert_eq!(run.code, 3, "{run:?}");
    }
}

#[test]
fn the_line_of_play_ends_the_game() {
    let json = ludex(&["solve", "morris3", "--json"]).json();
    assert_eq!(json["method"], "retrograde");
    assert_eq!(json["states"], 5_390);
    assert_eq!(json["plies"], 9);
    assert_eq!(json["pv"].as_array().map(Vec::len), Some(9));
    assert_eq!(json["pv"][0], "b2");
    assert_eq!(json["assumes"], "the game begins here, and repetition is a draw");
}

#[test]
fn mistakes_are_told() {
    let told = |args: &[&str]| {
        let Ran { code, stderr, .. } = ludex(&[&["solve"], args].concat());
        assert_eq!(code, 2, "{stderr}");
        stderr
    };
    assert!(told(&["tictactoe", "--method", "guess"]).contains("there is no method `guess`"));
    assert!(told(&["tictactoe", "--verify", "nowhere.txt"]).contains("there is no file"));
    assert!(told(&["samegame"]).contains("two opponents"));
    let over = ["tictactoe", "--moves", "a1 b1 a2 b2 a3"];
    assert!(told(&over).contains("the game is over"));
    let past = told(&["go:2", "--method", "retrograde"]);
    assert!(past.contains("the past matters too much"), "{past}");
}

#[test]
fn certificates_are_verified_and_forgeries_refused() {
    let folder = Folder::new();
    let path = folder.path("proof.txt");
    for game in ["tictactoe", "nim-matches:5", "domineering:4", "morris3"] {
        let written = ludex(&["solve", game, "--certificate", &path, "--memory", "64M"]);
        assert!(written.code < 2, "{written:?}");
        for engine in ["native", "interpreter"] {
            let verified = ludex(&["solve", game, "--verify", &path, "--engine", engine, "--json"]);
            assert_eq!(verified.code, 0, "{verified:?}");
            assert_eq!(verified.json()["verified"], true);
        }
    }
    // Of another game.
    let other = ludex(&["solve", "tictactoe", "--verify", &path]);
    assert_eq!(other.code, 1);
    assert!(other.stdout.starts_with("refused: it is about `morris3`"), "{other:?}");
    // Of rules that have been changed since.
    let text = folder.read("proof.txt");
    let changed: Vec<String> = text
        .lines()
        .map(|it| if it.starts_with("rules: ") { "rules: 0".to_owned() } else { it.to_owned() })
        .collect();
    folder.write("proof.txt", changed.join("\n") + "\n");
    let old = ludex(&["solve", "morris3", "--verify", &path]);
    assert_eq!(old.code, 1);
    assert!(old.stdout.contains("another text of the rules"), "{old:?}");
    // With a move too few.
    let moves = text.lines().filter(|it| it.contains('\t')).count();
    let mut number = 0;
    let without: Vec<&str> = text
        .lines()
        .filter(|it| {
            number += usize::from(it.contains('\t'));
            !(it.contains('\t') && number == moves)
        })
        .collect();
    folder.write("proof.txt", without.join("\n") + "\n");
    let refused = ludex(&["solve", "morris3", "--verify", &path, "--json"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert_eq!(refused.json()["verified"], false);
    // Where nothing is proved there is nothing to write, and that is said.
    for method in ["dfpn", "threats"] {
        let none = folder.path("none.txt");
        let args = ["solve", "gomoku", "--method", method, "--nodes", "50", "--certificate", &none];
        let unknown = ludex(&args);
        assert_eq!(unknown.code, 3, "{unknown:?}");
        assert!(unknown.stderr.contains("no certificate was written"), "{unknown:?}");
    }
    // Not a certificate at all, and one that cannot be checked in time.
    folder.write("proof.txt", "rubbish");
    assert_eq!(ludex(&["solve", "morris3", "--verify", &path]).code, 2);
    folder.write("proof.txt", &text);
    let spent = ludex(&["solve", "morris3", "--verify", &path, "--nodes", "3"]);
    assert_eq!(spent.code, 3, "{spent:?}");
}

/// Pitrat's figure 3, and his game from the centre of the board.
#[test]
fn threats_win_quickly() {
    // Rights to castle have no effect where the option forbids castling.
    for rights in ["-", "KQ"] {
        let lasker =
            format!("rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w {rights} - 6 11");
        let args =
            ["solve", "chess:castling=no", "--position", &lasker, "--method", "threats", "--json"];
        let ran = ludex(&[&args[..], &["--order", "1"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        let json = ran.json();
        assert_eq!((json["value"].as_str(), json["within"].as_u64()), (Some("win"), Some(15)));
        assert_eq!(json["shape"], "(9,8,0)");
    }
    let centre = ["solve", "morris3", "--moves", "b2", "--method", "threats", "--json"];
    let ran = ludex(&centre);
    assert_eq!((ran.code, ran.json()["value"].as_str()), (1, Some("loss")));
    // Nothing is forced at the beginning, and that is not called a draw.
    let ran = ludex(&["solve", "tictactoe", "--method", "threats", "--json"]);
    assert_eq!((ran.code, ran.json()["value"].as_str()), (3, Some("unknown")));
}

#[test]
fn certificates_of_threats_are_verified_and_forgeries_refused() {
    let folder = Folder::new();
    let path = folder.path("threats.txt");
    let three = ["solve", "gomoku", "--moves", "h8 h10 i8 j6 j8 a1", "--method", "threats"];
    let written = ludex(&[&three[..], &["--certificate", &path]].concat());
    assert_eq!(written.code, 0, "{written:?}");
    for engine in ["native", "interpreter"] {
        let verified = ludex(&["solve", "gomoku", "--verify", &path, "--engine", engine, "--json"]);
        assert_eq!(verified.code, 0, "{verified:?}");
        assert_eq!(verified.json()["value"], "win");
    }
    let spent = ludex(&["solve", "gomoku", "--verify", &path, "--nodes", "3"]);
    assert_eq!(spent.code, 3, "{spent:?}");
    let other = ludex(&["solve", "tictactoe", "--verify", &path]);
    assert_eq!(other.code, 1, "{other:?}");
    let text = folder.read("threats.txt");
    for (from, to) in [
        ("\nwin g8\n", "\nwin a2\n"),
        ("\nwin g8\n", "\nwin z9\n"),
        ("\n reply f8\n  win k8\n", "\n"),
        ("\nend\n", "\n"),
        ("\n pass\n", "\n danger\n"),
    ] {
        assert!(text.contains(from), "{text}");
        folder.write("threats.txt", text.replace(from, to));
        let refused = ludex(&["solve", "gomoku", "--verify", &path]);
        assert_eq!(refused.code, 1, "{from:?} {refused:?}");
        assert!(refused.stdout.starts_with("refused: "), "{refused:?}");
    }
}
