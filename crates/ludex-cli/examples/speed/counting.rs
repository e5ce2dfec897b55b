//! Sequences of moves counted per second: native code against a public chess library.

use std::error::Error;
use std::time::Instant;

use cozy_chess::Board;
use ludex_core::Game;
use ludex_core::perft::perft;
use serde_json::{Value, json};

use crate::games::load;

/// A name, a position and a depth whose count takes a fraction of a second.
const POSITIONS: [(&str, &str, u32); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
];

/// What was counted from one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) name: &'static str,
    pub(crate) depth: u32,
    pub(crate) count: u64,
    /// Sequences per second in native code; nothing where there is none.
    pub(crate) native: Option<f64>,
    /// Sequences per second by the library.
    pub(crate) library: f64,
}

impl Counted {
    pub(crate) fn ratio(&self) -> Option<f64> {
        self.native.map(|it| it / self.library)
    }

    pub(crate) fn as_json(&self) -> Value {
        json!({
            "position": self.name,
            "depth": self.depth,
            "count": self.count,
            "native_nodes_per_second": self.native,
            "library_nodes_per_second": self.library,
            "native_to_library": self.ratio(),
        })
    }
}

/// Counts in both ways; an error where the counts differ.
pub(crate) fn compare(seconds: f64) -> Result<Vec<Counted>, Box<dyn Error>> {
    let native = load("chess")?.native.ok().map(|it| it.game.with_adjudication(false));
    let mut all = Vec::new();
    for (name, text, depth) in POSITIONS {
        let board = Board::from_fen(text, false).map_err(|it| it.to_string())?;
        let (count, library) = repeat(seconds, || Ok(count(&board, depth)))?;
        let native = match &native {
            None => None,
            Some(game) => {
                let position = game.position(game.read(text).map_err(|it| it.to_string())?);
                let (ours, rate) = repeat(seconds, || Ok(perft(game, &position, depth)?))?;
                if ours != count {
                    return Err(format!("{name}: we count {ours}, the library {count}").into());
                }
                Some(rate)
            }
        };
        all.push(Counted { name, depth, count, native, library });
    }
    Ok(all)
}

/// Counts again and again until the time is over: the count, and its sequences per second.
fn repeat(
    seconds: f64,
    mut count: impl FnMut() -> Result<u64, Box<dyn Error>>,
) -> Result<(u64, f64), Box<dyn Error>> {
    let start = Instant::now();
    let (mut last, mut total) = (0, 0);
    while total == 0 || start.elapsed().as_secs_f64() < seconds {
        last = count()?;
        total += last;
    }
    Ok((last, total as f64 / start.elapsed().as_secs_f64()))
}

/// The library's count: the moves of the last level are counted and not played.
fn count(board: &Board, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|moves| {
        if depth <= 1 {
            total += moves.len() as u64;
            return false;
        }
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            total += count(&after, depth - 1);
        }
        false
    });
    total
}
