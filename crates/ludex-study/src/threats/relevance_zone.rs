//! The relevance zone: the squares close to those that the result depends on.
//!
//! If the result depends on a few squares only (whether a man still stands there, say), most moves on
//! a large board are irrelevant. Distance is counted in steps between neighbours; a step between two
//! men of the same kind and owner costs nothing, since what happens to one of them often happens to
//! both.
//!
//! This zone is a heuristic, not a proof; the proved zones of wins are in [`zone`](super::zone).
//! Restricting the attacker misses wins at worst. Restricting the replies can make a result wrong, so
//! every result has to be verified against all replies, see
//! [`verified_search`](super::verified_search).

use ludex_core::{GameExt, Position};
use std::collections::VecDeque;

use ludex_core::Cells;
use ludex_ir::{PackedMove, Program};

use super::cell_game::CellGame;
use super::zone::Zone;

/// The distance of squares that were not reached.
const FAR: u8 = u8::MAX;

/// The squares that the result depends on, and the neighbours of each square.
#[derive(Clone, Debug)]
pub(super) struct Near {
    neighbours: Vec<Vec<u16>>,
    wanted: Vec<usize>,
}

impl Near {
    /// The zone for `silence`, which says why the game goes on; `None` if that names no squares.
    pub(super) fn new<G: CellGame>(game: &G, silence: &Zone) -> Option<Self> {
        let neighbours = game.board().neighbours.clone();
        let cells = silence.reasons().iter().map(|it| it.cell);
        let wanted: Vec<usize> = cells.filter(|&it| it < neighbours.len()).collect();
        let is_useful = !silence.is_everything() && !wanted.is_empty();
        is_useful.then_some(Self { neighbours, wanted })
    }

    /// How far away each square is, up to `most` steps.
    pub(super) fn distances<G: Cells>(&self, game: &G, position: &Position, most: u8) -> Distances {
        let raw = |square: usize| game.raw(&position.state, square);
        let mut steps = vec![FAR; self.neighbours.len()];
        let mut queue = VecDeque::new();
        for &square in &self.wanted {
            steps[square] = 0;
            queue.push_back((square, 0));
        }
        while let Some((square, distance)) = queue.pop_front() {
            if steps[square] < distance {
                continue;
            }
            let here = raw(square);
            for next in self.neighbours[square].iter().map(|&it| usize::from(it)) {
                let is_same = here != 0 && raw(next) == here;
                let next_distance = distance + u8::from(!is_same);
                if next_distance > most || steps[next] <= next_distance {
                    continue;
                }
                steps[next] = next_distance;
                if is_same {
                    queue.push_front((next, next_distance));
                } else {
                    queue.push_back((next, next_distance));
                }
            }
        }
        Distances(steps)
    }
}

/// The distance of each square.
pub(super) struct Distances(Vec<u8>);

impl Distances {
    /// The distance of a move: that of its nearest square. A move that names no square is far.
    pub(super) fn of(&self, program: &Program, mv: PackedMove) -> u8 {
        let squares = program.squares_of(mv);
        let squares = squares.map(|it| self.0.get(usize::from(it)).copied().unwrap_or(FAR));
        squares.min().unwrap_or(FAR)
    }
}
