//! What is near to what the game is about.
//!
//! Where the result asks about a few squares only (whether a man still stands there, say), most moves of a
//! large board have nothing to do with it. How far away a square is from those is counted in steps
//! between neighbours; a step between two men of the same kind and owner is none, since what happens
//! to one of them often happens to both.
//!
//! This is a guess, not a proof. That the attacker looks at few moves costs him wins at worst. That
//! few replies are looked at may cost everything: so whatever is found like this has to be
//! checked against all of them, see [`checked`](super::checked).

use std::collections::VecDeque;

use ludex_core::Cells;
use ludex_ir::{PackedMove, Program};

use super::open::{Open, Place};
use super::zone::Zone;

/// Squares further away than this are all the same.
const FAR: u8 = u8::MAX;

/// The squares that the result asks about, and the board around them.
#[derive(Clone, Debug)]
pub(super) struct Near {
    neighbours: Vec<Vec<u16>>,
    wanted: Vec<usize>,
}

impl Near {
    /// What is near where `silence` says why the game goes on; `None` where that tells nothing.
    pub(super) fn new<G: Open>(game: &G, silence: &Zone) -> Option<Self> {
        let neighbours = game.neighbours();
        let cells = silence.reasons().iter().map(|it| it.cell);
        let wanted: Vec<usize> = cells.filter(|&it| it < neighbours.len()).collect();
        let tells = !silence.is_everything() && !wanted.is_empty();
        tells.then_some(Self { neighbours, wanted })
    }

    /// How far away each square is, up to `most` steps.
    pub(super) fn distances<G: Cells>(&self, game: &G, place: &Place, most: u8) -> Distances {
        let raw = |square: usize| game.raw(&place.state, square);
        let mut steps = vec![FAR; self.neighbours.len()];
        let mut queue = VecDeque::new();
        for &square in &self.wanted {
            steps[square] = 0;
            queue.push_back((square, 0));
        }
        while let Some((square, so_far)) = queue.pop_front() {
            if steps[square] < so_far {
                continue;
            }
            let here = raw(square);
            for next in self.neighbours[square].iter().map(|&it| usize::from(it)) {
                let is_same = here != 0 && raw(next) == here;
                let far = so_far + u8::from(!is_same);
                if far > most || steps[next] <= far {
                    continue;
                }
                steps[next] = far;
                if is_same {
                    queue.push_front((next, far));
                } else {
                    queue.push_back((next, far));
                }
            }
        }
        Distances(steps)
    }
}

/// How far away squares are.
pub(super) struct Distances(Vec<u8>);

impl Distances {
    /// How far away a move is: its nearest square. One that names no square is far.
    pub(super) fn of(&self, program: &Program, mv: PackedMove) -> u8 {
        let squares = program.squares_of(mv);
        let squares = squares.map(|it| self.0.get(usize::from(it)).copied().unwrap_or(FAR));
        squares.min().unwrap_or(FAR)
    }
}
