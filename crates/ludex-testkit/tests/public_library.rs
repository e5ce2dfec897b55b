//! Our legal moves of chess against those of a public library, on positions of
//! random play from the start and from the published perft suite.

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

mod common;

use std::collections::BTreeSet;

use common::{data, game};
use cozy_chess::{Board, File, Move, Piece, Square};
use ludex_core::{Game, Random};

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

/// Plays a random game on both and compares every position of it.
fn compare(start: &Board, random: &mut Random, plies: usize) -> usize {
    let rules = game("chess").with_adjudication(false);
    let mut board = start.clone();
    let mut compared = 0;
    for _ in 0..plies {
        let text = board.to_string();
        let state = rules.read_position(&text).unwrap_or_else(|it| panic!("{text}: {it}"));
        let trail = rules.trail_from(&state);
        let mut moves = Vec::new();
        rules.moves(&state, &trail, rules.mover(&state), &mut moves).expect("no fault in chess");
        let ours: BTreeSet<String> = moves.iter().map(|&it| rules.name(&state, it)).collect();
        let legal = library_moves(&board);
        let theirs: BTreeSet<String> = legal.iter().map(|&it| name(&board, it)).collect();
        assert_eq!(ours, theirs, "in {text}");
        compared += 1;
        let Some(&mv) = random.pick(&legal) else { break };
        board.play(mv);
    }
    compared
}

#[test]
fn the_library_lists_the_same_moves() {
    let mut random = Random::stream(2026, 0, 0);
    let mut positions = vec![Board::default(); 10];
    if let Some(suite) = data("chess/perft_standard.epd") {
        for line in suite.lines() {
            let fen = line.split(';').next().unwrap_or(line).trim();
            positions.extend(Board::from_fen(fen, false).ok());
        }
    }
    let compared: usize = positions.iter().map(|it| compare(it, &mut random, 100)).sum();
    assert!(compared >= 1_000, "only {compared} positions were compared");
    eprintln!("{compared} positions agree");
}
