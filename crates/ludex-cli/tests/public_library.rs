//! `ludex moves chess --json` against the legal moves of a public library, on positions of
//! random play from the start and from the published perft suite.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]
#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::collections::BTreeSet;
use std::process::Command;

use cozy_chess::{Board, File, Move, Piece, Square};
use ludex_core::Random;
use serde_json::Value;

/// What the library calls a move, in our notation: castling goes to the
/// square where the king ends.
fn name(board: &Board, mv: Move) -> String {
    let castles = board.piece_on(mv.from) == Some(Piece::King)
        && board.color_on(mv.to) == Some(board.side_to_move());
    let to = if castles {
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        Square::new(file, mv.from.rank())
    } else {
        mv.to
    };
    let promotion = match mv.promotion {
        Some(Piece::Queen) => "q",
        Some(Piece::Rook) => "r",
        Some(Piece::Bishop) => "b",
        Some(Piece::Knight) => "n",
        _ => "",
    };
    format!("{}{to}{promotion}", mv.from)
}

fn library_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|list| {
        moves.extend(list);
        false
    });
    moves
}

/// What the program answers: the legal moves, and whether it calls the game over.
fn our_moves(position: &str) -> (BTreeSet<String>, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["moves", "chess", "--json", "--position", position])
        .output()
        .expect("the program can be started");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|it| {
        panic!("{position}: {it}: {}", String::from_utf8_lossy(&output.stderr))
    });
    let moves = answer["moves"].as_array().expect("there is a list of moves");
    let names = moves.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect();
    (names, answer["result"].is_string())
}

/// Plays a random game by the library and compares every position of it.
fn compare(start: &Board, random: &mut Random, plies: usize) -> usize {
    let mut board = start.clone();
    let mut compared = 0;
    for _ in 0..plies {
        let text = board.to_string();
        let legal = library_moves(&board);
        let (ours, over) = our_moves(&text);
        // The library goes on after fifty moves and with bare kings; the rules do not.
        let men = board.occupied().len();
        if over && !legal.is_empty() && (board.halfmove_clock() >= 100 || men <= 4) {
            break;
        }
        let theirs: BTreeSet<String> = legal.iter().map(|&it| name(&board, it)).collect();
        assert_eq!(ours, theirs, "in {text}");
        compared += 1;
        let Some(&mv) = random.pick(&legal) else { break };
        board.play(mv);
    }
    compared
}

/// The published suite of positions beside the project; none, with a printed line, where it is
/// absent.
fn suite() -> Vec<Board> {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/chess/perft_standard.epd");
    let Ok(text) = std::fs::read_to_string(file) else {
        eprintln!("skipped: the public perft suite is not here");
        return Vec::new();
    };
    let position =
        |line: &str| Board::from_fen(line.split(';').next().unwrap_or(line).trim(), false).ok();
    text.lines().filter_map(position).collect()
}

#[test]
fn the_library_lists_the_same_moves() {
    let mut random = Random::stream(2026, 0, 0);
    let from_the_start: usize = (0..15).map(|_| compare(&Board::default(), &mut random, 90)).sum();
    let from_the_suite: usize = suite().iter().map(|it| compare(it, &mut random, 6)).sum();
    let compared = from_the_start + from_the_suite;
    assert!(compared >= 1_000, "only {compared} positions were compared");
    eprintln!("{compared} positions agree");
}
