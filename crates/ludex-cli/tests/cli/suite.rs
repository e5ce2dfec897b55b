//! `suite`, on small sets of our own in the public formats.

use crate::run::{Folder, ludex};

/// Runs a set of these lines; gives the JSON and what was said on standard error.
fn run(name: &str, lines: &str, args: &[&str]) -> (serde_json::Value, String, i32) {
    let folder = Folder::new();
    let file = folder.write(name, lines);
    let all = [&["suite", file.as_str(), "--json", "--player", "uct"], args].concat();
    let ran = ludex(&all);
    (ran.json(), folder.hide(&ran.stderr), ran.code)
}

#[test]
fn counts_are_compared() {
    let set = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197\n\
               4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D1 16 ;D2 72\n";
    let (json, stderr, code) = run("perft.epd", set, &["--nodes", "10000"]);
    assert_eq!(
        (&json["cases"], &json["solved"], &json["wrong"]),
        (&2.into(), &1.into(), &1.into())
    );
    assert_eq!(code, 1);
    assert!(stderr.contains("perft.epd:2: wrong: depth 2: 71 and not 72"), "{stderr}");
}

#[test]
fn counts_of_other_games() {
    let set = "# game\nbreakthrough\t6x6\t16,256,4308\tC\t-\nludo\t1x1\t4\tC\t-\nlines of action\t8x8\t36,1244\tC\t-\n";
    let (json, stderr, code) = run("perft.tsv", set, &["--nodes", "10000"]);
    assert_eq!(
        (&json["cases"], &json["solved"], &json["skipped"]),
        (&2.into(), &2.into(), &1.into())
    );
    assert_eq!(code, 0);
    assert!(stderr.contains("perft.tsv:3: skipped: "), "{stderr}");
}

#[test]
fn chess_moves_are_understood() {
    let set = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - ; bm Ra8#; id one\n\
               6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 bm Ra8+ dm 1\n\
               6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - ; bm Qh9;\n\
               rubbish / / w\n";
    let (json, stderr, _) = run("some.epd", set, &["--nodes", "3000"]);
    assert_eq!((&json["cases"], &json["solved"]), (&2.into(), &2.into()), "{stderr}");
    assert_eq!(json["skipped"], 2);
    assert!(stderr.contains("some.epd:3: skipped: `Qh9` is no legal move here"), "{stderr}");
    let set = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -\t1\ta1a8\n";
    let (json, ..) = run("mates.tsv", set, &["--nodes", "3000"]);
    assert_eq!((&json["cases"], &json["solved"]), (&1.into(), &1.into()));
}

#[test]
fn each_case_is_told_if_asked() {
    let set = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - ; bm Ra8#; id one\n\
               rubbish / / w\n\
               6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - ; bm a1a2; id two\n";
    let (json, ..) = run("some.epd", set, &["--nodes", "3000", "--each"]);
    let told = |number: usize, field: &str| json["results"][number][field].clone();
    assert_eq!(json["results"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!([told(0, "line"), told(1, "line")], [1.into(), serde_json::Value::from(3)]);
    assert_eq!([told(0, "outcome"), told(1, "outcome")], ["solved", "open"]);
    assert_eq!([told(0, "answer"), told(1, "answer")], ["a1a8", "a1a8"]);
    assert_eq!(told(1, "wanted"), serde_json::json!(["a1a2"]));
    assert!((0..2).all(|it| told(it, "nodes").as_u64().is_some_and(|it| it > 0)), "{json}");
    let (json, ..) = run("some.epd", set, &["--nodes", "3000"]);
    assert_eq!(json.get("results"), None);
    let folder = Folder::new();
    let ran = ludex(&["suite", &folder.write("some.epd", set), "--nodes", "3000", "--each"]);
    assert!(ran.stdout.contains("\n      1 solved  a1a8, a proved win; wanted a1a8 ("), "{ran:?}");
    assert!(ran.stdout.contains("\n      3 open    a1a8, a proved win; wanted a1a2 ("), "{ran:?}");
}

#[test]
fn other_formats_are_read() {
    let sets = [
        ("c4.txt", "4444 0\n9 1\n", 1, 1),
        (
            "o.obf",
            "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;\n",
            1,
            0,
        ),
        (
            "h.tsv",
            "65\tx\t5x5\ta2 b3 b4\ta3 c3 a5\tdfpn-solver-find-winning white\tc2\n6x6\tb a1\twhite\tx\n",
            2,
            0,
        ),
        (
            "l.tsv",
            "......../....o.oo/x.....o./.x....../.o.o..../.xx...o./x..x..o./x..o....\tx\t1\ta1-a4 a6-c4\n",
            1,
            0,
        ),
    ];
    for (name, lines, cases, skipped) in sets {
        let (json, stderr, _) = run(name, lines, &["--nodes", "500"]);
        assert_eq!(json["cases"], cases, "{name}: {stderr}");
        assert_eq!(json["skipped"], skipped, "{name}: {stderr}");
        assert_eq!(json["wrong"], 0, "{name}: {stderr}");
    }
}

#[test]
fn what_is_no_test_set_is_refused() {
    let folder = Folder::new();
    for file in
        [folder.write("a.txt", "hello\n"), folder.write("b.txt", [0, 255, 10]), folder.path("c")]
    {
        let ran = ludex(&["suite", &file]);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
}
