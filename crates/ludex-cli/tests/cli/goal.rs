//! Goals beside the rules: `--goal`, `check` of a goal, and sets of Go reading.

use std::process::Command;

use crate::run::{Folder, LUDEX, Ran, ludex};

const CAPTURE: &str = "goal \"Black captures c3\" for go\n\nresult\n  if me == Black and c3 is not White stone: victory\n";

/// White on c3 has two liberties, and runs into the corner.
const LADDER: &str = "9/9/9/9/9/1X7/1XO6/2X6/9 b";

#[test]
fn a_string_is_captured() {
    let folder = Folder::new();
    let (goal, proof) = (folder.write("c3.goal", CAPTURE), folder.path("proof.txt"));
    let threats = ["--method", "threats", "--goal", &goal];
    let ladder = ["solve", "go:9", "--position", LADDER, "--certificate", &proof, "--json"];
    let ran = ludex(&[&ladder[..], &threats].concat());
    let json = ran.json();
    assert_eq!((ran.code, &json["value"]), (0, &"win".into()), "{json}");
    assert!(json["pv"].as_array().is_some_and(|it| it.len() > 15), "{json}");
    // The certificate is about the goal, and is checked by the rules with it.
    let verified = ludex(&["solve", "go:9", "--goal", &goal, "--verify", &proof]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let refused = ludex(&["solve", "go:9", "--verify", &proof]);
    assert_eq!(refused.code, 1, "{refused:?}");
    // The same by another method, from near the end of it.
    let caught = ["solve", "go:5", "--position", "5/5/1XX2/1XOX1/2X2 b", "--goal", &goal];
    assert_eq!(ludex(&caught).code, 2, "the goal is reached before it begins: c3 is empty");
    let caught = ["solve", "go:5", "--position", "5/1X3/1XOX1/5/5 b", "--goal", CAPTURE];
    assert_eq!(ludex(&[&caught[..], &["--nodes", "100000"]].concat()).code, 0);
}

#[test]
fn a_queen_is_won_by_a_fork() {
    let goal =
        "goal \"The queen\" for chess\n\nresult\n  if me == White and no Black queen: victory\n";
    let fork = ["solve", "chess", "--position", "6k1/3q4/8/8/4N3/8/8/4K3 w - - 0 1"];
    let ran = ludex(&[&fork[..], &["--method", "threats", "--goal", goal, "--json"]].concat());
    let json = ran.json();
    assert_eq!((ran.code, &json["value"], &json["pv"][0]), (0, &"win".into(), &"e4f6".into()));
}

#[test]
fn a_goal_is_explained() {
    let over = ["explain", "go:9", "--position", "9/9/9/9/9/1X7/1XOX5/2X6/9 b", "--moves", "c4"];
    let ran = ludex(&[&over[..], &["--goal", CAPTURE]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("by the goal:4:"), "{}", ran.stdout);
    assert!(ran.stdout.contains("c3: friend or empty"), "{}", ran.stdout);
}

/// In danger of being taken at once a string has one way out; and with two liberties in a
/// ladder, squares in its way help as well.
#[test]
fn the_only_defences_of_a_goal_are_told() {
    let told = |position: &str, game: &str| {
        let explain = ["explain", game, "--position", position, "--goal", CAPTURE];
        let ran = ludex(&[&explain[..], &["--time", "60s", "--nodes", "10000000"]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        ran.stdout
    };
    let danger = told("9/9/9/9/9/2X6/1XO6/2X6/9 w", "go:9");
    assert!(danger.contains("Black threatens to win by d3 (shape (1,0))"), "{danger}");
    assert!(danger.contains("only one of 78 moves stops it: d3\n"), "{danger}");
    let ladder = told("6/6/1X4/1XO3/2X3/6 w", "go:6");
    let line = ladder.lines().find(|it| it.contains("stop it: ")).unwrap_or("nothing stops it");
    let stops = |square: &str| line.split_whitespace().any(|it| it == square);
    assert!(stops("d3") && stops("e4") && !stops("a1") && !stops("f1"), "{ladder}");
}

/// A reply of which not everything was tried is not called a defence without a word.
#[test]
fn what_was_not_tried_is_no_sure_defence() {
    let told = |(game, position): (&str, &str), nodes: &str, more: &[&str]| {
        let explain = ["explain", game, "--position", position, "--goal", CAPTURE];
        ludex(&[&explain[..], &["--time", "60s", "--nodes", nodes], more].concat())
    };
    let ladder = LADDER.replace(" b", " w");
    let ladder = ("go:9", ladder.as_str());
    let few = told(ladder, "4000", &[]).stdout;
    assert!(few.contains("not sure: not everything was tried\n"), "{few}");
    let json = told(ladder, "4000", &["--json"]).json();
    let unsure = json["unsure"][0].as_str().expect("one is not sure");
    let json = told(ladder, "4000", &["--why-not", unsure, "--json"]).json();
    assert_eq!(json["why_not"]["verdict"], "unknown", "{json}");
    let enough = told(("go:5", "5/1X3/1XO2/2X2/5 w"), "10000000", &[]).stdout;
    assert!(enough.contains("moves stop it: d3 c4 d4\n"), "{enough}");
    assert!(!enough.contains("not sure"), "{enough}");
}

#[test]
fn wrong_goals_are_told() {
    let folder = Folder::new();
    let solve = |goal: &str| ludex(&["solve", "go:9", "--goal", goal]);
    for (goal, why) in [
        (CAPTURE.replace("for go", "for chess"), "is for `chess`, not `go`"),
        (CAPTURE.replace("White", "Whote"), "did you mean `White`?"),
        ("goal \"None\" for go\n".to_owned(), "error[missing-result]"),
        ("nowhere.goal".to_owned(), "nowhere.goal"),
    ] {
        let ran = solve(&goal);
        assert!(ran.code == 2 && ran.stderr.contains(why), "{ran:?}");
    }
    let player = folder.write("p.player", "player \"P\" for go\n\nevaluate\n  return 1\n");
    assert!(solve(&player).stderr.contains("is no goal"));
    let goal = folder.write("c3.goal", CAPTURE);
    let ran = ludex(&["analyse", "go:9", "--player", &goal, "--nodes", "10"]);
    assert!(ran.code == 2 && ran.stderr.contains("is a goal, not a player"), "{ran:?}");
}

#[test]
fn goals_are_checked() {
    let folder = Folder::new();
    let good = folder.write("good.goal", CAPTURE);
    let ran = ludex(&["check", &good, "--time", "300ms"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let bad =
        folder.write("bad.goal", "goal \"B\" for go\n\nboard square 3 by 3\n\nresult\n  draw\n");
    let ran = ludex(&["check", &bad]);
    assert_eq!(ran.code, 1, "{ran:?}");
}

#[test]
fn reading_problems_are_solved_and_contradicted() {
    let folder = Folder::new();
    let set = "# id, question, size, black, white, answer, known to be wrong\n\
        1\tattack C3\t9\tB4 B3 C2\tC3\t1 D3\t\n\
        2\tdefend C3\t9\tB4 B3 C2\tC3\t1 D3\t\n\
        3\tattack A1\t9\tB1\tA1\t0\t\n\
        4\tattack C3\t9\tB4 B3 C2\tC3\t2 D3\t\n\
        5\tattack J9\t9\tB4\tC3\t1 D3\t\n";
    let file = folder.write("reading.tsv", set);
    let ran = ludex(&["suite", &file, "--nodes", "5000", "--json"]);
    let json = ran.json();
    let count = |name: &str| json[name].as_u64().unwrap_or(u64::MAX);
    // Black takes a1 by a2: what the third says is not so.
    let counts = ["cases", "solved", "wrong", "unknown", "apart", "apart_proved", "skipped"];
    assert_eq!(counts.map(count), [4, 1, 1, 1, 1, 1, 1], "{json} {}", ran.stderr);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("reading.tsv:6: skipped: there is no stone on `J9`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("reading.tsv:4: wrong: "), "{}", ran.stderr);
}

#[test]
#[allow(clippy::print_stderr, reason = "who has no such set is told so")]
fn nothing_wrong_is_said_of_a_public_set() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/go/gnugo_reading.tsv");
    if !std::path::Path::new(path).is_file() {
        eprintln!("skipped: there is no `{path}`");
        return;
    }
    let ran = ludex(&["suite", path, "--cases", "20", "--nodes", "500", "--json"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["wrong"], &json["cases"]), (0, &0.into(), &20.into()), "{json}");
    assert!(json["solved"].as_u64() >= Some(5), "{json}");
}

/// Types the examples of a help text that make a file and use it, in a folder of their own.
#[cfg(unix)]
fn typed(subcommand: &str) -> Ran {
    let help = ludex(&[subcommand, "--help"]).stdout;
    let lines = help.lines().map(str::trim).skip_while(|it| !it.starts_with("printf "));
    let lines: Vec<&str> = lines.take(2).collect();
    assert_eq!(lines.len(), 2, "{help}");
    let (folder, script) = (Folder::new(), lines.join("\n").replace("ludex ", "\"$LUDEX\" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("LUDEX", LUDEX).current_dir(folder.path(""));
    shell.output().expect("there is a shell").into()
}

#[test]
#[cfg(unix)]
fn examples_can_be_typed() {
    for (subcommand, said) in
        [("solve", "win"), ("explain", "can win by d3"), ("suite", "ladder.tsv")]
    {
        let ran = typed(subcommand);
        assert!(ran.code == 0 && ran.stdout.contains(said), "{subcommand}: {ran:?}");
    }
}
