//! Moves in the neighbourhood of men.
//!
//! On a large board most squares are far away from all men, and a move there threatens nothing yet. A
//! search for threats of a higher order tries every pair of the attacker's moves; restricted to moves
//! close to a man it finds almost as many wins in a small part of the time. The restriction is on the
//! *attacker* alone: every reply is still examined, so a win that is found is proved.

use ludex_core::{GameExt, Position};
use ludex_ir::{PackedMove, Program};

use super::cell_game::CellGame;

/// The neighbourhood of each square.
#[derive(Clone, Debug)]
pub(super) struct Neighbourhood {
    /// For each square those within the distance, itself included.
    squares: Vec<Vec<u16>>,
}

impl Neighbourhood {
    /// Neighbourhoods of at most `steps` steps of the kinds that the rules use; `None` without a
    /// board.
    pub(super) fn new<G: CellGame>(game: &G, steps: u8) -> Option<Self> {
        let neighbours = &game.board().neighbours;
        let squares = 0..neighbours.len() as u16;
        let squares: Vec<_> = squares.map(|it| within(neighbours, it, steps)).collect();
        (!squares.is_empty()).then_some(Self { squares })
    }

    /// Keeps the moves that name a square close to a man, and all moves if there are no men. A move
    /// that names no square is kept.
    pub(super) fn keep<G: CellGame>(
        &self,
        (game, program): (&G, &Program),
        position: &Position,
        moves: &mut Vec<PackedMove>,
    ) {
        let mut men = Vec::new();
        game.men(&position.state, &mut men);
        if men.is_empty() {
            return;
        }
        let mut is_close = vec![false; self.squares.len()];
        for (square, _) in men {
            for &near in &self.squares[usize::from(square)] {
                is_close[usize::from(near)] = true;
            }
        }
        moves.retain(|&mv| {
            let mut squares = program.squares_of(mv).peekable();
            squares.peek().is_none()
                || squares.any(|it| is_close.get(usize::from(it)) == Some(&true))
        });
    }
}

/// The squares that are at most `steps` steps away from one.
fn within(neighbours: &[Vec<u16>], from: u16, steps: u8) -> Vec<u16> {
    let mut is_found = vec![false; neighbours.len()];
    is_found[usize::from(from)] = true;
    let mut found = vec![from];
    let mut border = 0;
    for _ in 0..steps {
        let last = found.len();
        for at in border..last {
            for &next in &neighbours[usize::from(found[at])] {
                if !std::mem::replace(&mut is_found[usize::from(next)], true) {
                    found.push(next);
                }
            }
        }
        border = last;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn steps_are_counted() {
        // A ring of six.
        let ring: Vec<Vec<u16>> = (0..6).map(|it| vec![(it + 5) % 6, (it + 1) % 6]).collect();
        let sorted = |steps| {
            let mut squares = within(&ring, 2, steps);
            squares.sort_unstable();
            squares
        };
        assert_eq!(sorted(0), [2]);
        assert_eq!(sorted(1), [1, 2, 3]);
        assert_eq!(sorted(2), [0, 1, 2, 3, 4]);
        assert_eq!(sorted(9), [0, 1, 2, 3, 4, 5]);
    }
}
