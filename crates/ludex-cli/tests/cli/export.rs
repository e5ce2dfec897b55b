//! `export`.

use std::fmt::Write;

use cozy_chess::Board;
use cozy_chess::util::{display_san_move, parse_san_move, parse_uci_move};
use expect_test::{Expect, expect};
use ludex_core::Random;

use crate::run::{json, ludex, ludex_reading};

#[track_caller]
fn check(game: &str, record: &str, expect: Expect) {
    expect.assert_eq(&ludex_reading(record, &["export", game, "-"]).all());
}

#[test]
fn chess_is_written_as_pgn() {
    check(
        "chess",
        "game: chess\nplayers: Ann, Bob \"the\" Great\nresult: 1, -1\ndate: 2026-11-15\n\n\
         1. e2e4 e7e5 2. d1h5 {depth=3 clock=59.88} b8c6 3. f1c4 g8f6 4. h5f7\n",
        expect![[r#"
            [Event "?"]
            [Site "?"]
            [Date "2026.11.15"]
            [Round "?"]
            [White "Ann"]
            [Black "Bob \"the\" Great"]
            [Result "1-0"]

            1. e4 e5 2. Qh5 {[%clk 0:00:59.9] depth=3 clock=59.88} 2... Nc6 3. Bc4 Nf6 4.
            Qxf7# 1-0
            ---
            exit code 0
        "#]],
    );
    check(
        "chess",
        "game: chess\nstart: r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 17\nresult: 1, -1\ndate: 2026-11-15T23:59:58Z\ntournament: Club\nend: Bob lost on time\n\n\
         1. e8c8 e1g1 h8h1\n",
        expect![[r#"
            [Event "Club"]
            [Site "?"]
            [Date "2026.11.15"]
            [Round "?"]
            [White "?"]
            [Black "?"]
            [Result "1-0"]
            [UTCDate "2026.11.15"]
            [UTCTime "23:59:58"]
            [SetUp "1"]
            [FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 17"]
            [Termination "time forfeit"]

            17... O-O-O 18. O-O Rh1+ {Bob lost on time} 1-0
            ---
            exit code 0
        "#]],
    );
}

#[test]
fn stones_are_written_as_sgf() {
    check(
        "go",
        "game: go:5,komi=11\nresult: -1, 1\ndate: 2026-11-15T23:59:58Z\nend: Black resigned\n\n1. c3 a5 {x]y clock=3} pass\n",
        expect![[r#"
            (;FF[4]CA[UTF-8]AP[Ludex:0.1.0]GM[1]SZ[5]GN[Go]PB[?]PW[?]KM[5.5]DT[2026-11-15]RE[W+R]
            ;B[cc];W[aa]WL[3.000]C[x\]y clock=3]
            ;B[]
            )
            ---
            exit code 0
        "#]],
    );
    check(
        "hex",
        "game: hex:4\nplayers: A, B\n\n1. a1 d4\n",
        expect![[r#"
        (;FF[4]CA[UTF-8]AP[Ludex:0.1.0]GM[11]SZ[4]GN[Hex]PB[A]PW[B]
        ;B[a1];W[d4]
        )
        ---
        exit code 0
    "#]],
    );
    check(
        "othello",
        "game: othello\n\n1. d3 c3\n",
        expect![[r#"
        (;FF[4]CA[UTF-8]AP[Ludex:0.1.0]GM[2]SZ[8]GN[Othello]PB[?]PW[?]AB[ed][de]AW[dd][ee]
        ;B[dc];W[cc]
        )
        ---
        exit code 0
    "#]],
    );
    check(
        "gomoku",
        "game: gomoku:15\n\n1. h8 o15\n",
        expect![[r#"
        (;FF[4]CA[UTF-8]AP[Ludex:0.1.0]GM[4]SZ[15]GN[Gomoku]PB[?]PW[?]
        ;B[hh];W[oa]
        )
        ---
        exit code 0
    "#]],
    );
}

#[test]
fn what_cannot_be_written_is_told() {
    let ran = ludex_reading("game: hex:4\n\n1. a1\n", &["export", "hex", "-", "--to", "pgn"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`hex:4` cannot be written as pgn"), "{ran:?}");
    assert!(ran.stderr.contains("it can be written as sgf, text"), "{ran:?}");
    let ran = ludex_reading("game: chess\n\n1. e2e5\n", &["export", "chess", "-"]);
    assert!(ran.code == 2 && ran.stderr.contains("move 1: `e2e5` is not a legal move"), "{ran:?}");
    let ran = ludex_reading("game: hex:4\n\n1. a1\n", &["export", "chess", "-"]);
    assert!(ran.code == 2 && ran.stderr.contains("the record is of `hex:4`"), "{ran:?}");
    let ran = ludex_reading("game: connect4\n\n1. d1\n", &["export", "connect4", "-"]);
    assert!(ran.code == 0 && ran.stdout.starts_with("game: connect4"), "{ran:?}");
    assert_eq!(ludex(&["export", "chess"]).code, 2);
}

/// A random game by a public library: the names of the moves, and how people write them.
fn random_game(start: &str, random: &mut Random) -> (Vec<String>, Vec<String>) {
    let mut board: Board = start.parse().expect("it is a position");
    let (mut names, mut written) = (Vec::new(), Vec::new());
    while board.halfmove_clock() < 30 && names.len() < 120 {
        let mut moves = Vec::new();
        board.generate_moves(|list| {
            moves.extend(list);
            false
        });
        let Some(&mv) = random.pick(&moves) else { break };
        names.push(cozy_chess::util::display_uci_move(&board, mv).to_string());
        written.push(display_san_move(&board, mv).to_string());
        board.play(mv);
    }
    (names, written)
}

/// The moves of a PGN text.
fn moves_of(pgn: &str) -> Vec<String> {
    let body = pgn.split("\n\n").nth(1).expect("there are moves");
    let words = body.split_whitespace().filter(|it| !it.ends_with('.'));
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.pop();
    words
}

#[test]
fn pgn_is_what_a_public_library_writes_and_reads() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "8/8/1Q3Q2/8/8/1Q3Q2/7k/K7 w - - 0 1",
    ];
    let mut random = Random::stream(11, 0, 0);
    let mut signs = 0;
    for start in starts.iter().cycle().take(12) {
        let (names, written) = random_game(start, &mut random);
        let mut record = format!("game: chess\nstart: {start}\n\n");
        writeln!(record, "{}", names.join(" ")).expect("it is a text");
        let ran = ludex_reading(&record, &["export", "chess", "-"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let ours = moves_of(&ran.stdout);
        assert_eq!(ours, written, "{record}");
        signs += ours.iter().filter(|it| it.ends_with(['+', '#'])).count();
        let mut board: Board = start.parse().expect("it is a position");
        for (name, san) in names.iter().zip(&ours) {
            let mv = parse_san_move(&board, san).expect("it is understood");
            assert_eq!(Some(mv), parse_uci_move(&board, name).ok());
            board.play(mv);
        }
    }
    assert!(signs > 20, "{signs} checks");
}

/// The points of an SGF text, as the rules call them.
fn points_of(sgf: &str, rows: usize, from_top: bool) -> Vec<String> {
    let nodes = sgf.split(';').skip(2);
    nodes
        .map(|node| {
            let point = node.split(['[', ']']).nth(1).expect("a node has a point");
            match point.as_bytes() {
                [] => "pass".to_owned(),
                [column, row] => {
                    let row = usize::from(row - b'a');
                    let rank = if from_top { row + 1 } else { rows - row };
                    format!("{}{rank}", char::from(*column))
                }
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

#[test]
fn sgf_has_every_move() {
    for (game, rows) in
        [("go:5", 5), ("othello", 8), ("gomoku:7", 7), ("atarigo:6,start=crosscut", 6)]
    {
        let args = ["match", game, "random", "random", "--games", "1", "--openings", "none"];
        let played = json(&[&args[..], &["--longest", "60"]].concat());
        let moves = played["games"][0]["moves"].as_array().expect("there are moves");
        let moves: Vec<&str> = moves.iter().filter_map(|it| it.as_str()).collect();
        assert!(!moves.is_empty());
        let record = format!("game: {game}\n\n{}\n", moves.join(" "));
        let name = game.split(':').next().expect("it has a name");
        let ran = ludex_reading(&record, &["export", name, "-", "--json"]);
        let text = ran.json()["games"][0].as_str().expect("a text").to_owned();
        assert_eq!(points_of(&text, rows, name == "othello"), moves, "{text}");
    }
}
