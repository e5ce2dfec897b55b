//! Moves around the men.
//!
//! On a large board most squares are far away from everything, and a move there threatens nothing yet.
//! An attacker who looks for threats of a higher order has to look at every pair of his moves; if he
//! looks only at those around the men that are there, he finds almost all the same in a small part of
//! the time. It is a restriction of the *attacker* alone: every reply is still asked about, so what
//! is found is proved all the same.

use ludex_ir::{PackedMove, Program};

use super::open::{Open, Place};

/// The board, by what is around each square.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// For each square those that are at most so many steps away, itself among them.
    squares: Vec<Vec<u16>>,
}

impl Around {
    /// What is at most `steps` steps away, by the steps that the rules speak of; `None` where
    /// there is no board.
    pub(super) fn new<G: Open>(game: &G, steps: u8) -> Option<Self> {
        let neighbours = game.neighbours();
        let squares = 0..neighbours.len() as u16;
        let squares: Vec<_> = squares.map(|it| within(&neighbours, it, steps)).collect();
        (!squares.is_empty()).then_some(Self { squares })
    }

    /// Keeps the moves that name a square around a man, all of them where there are no men. A move
    /// that names no square is kept.
    pub(super) fn keep<G: Open>(
        &self,
        (game, program): (&G, &Program),
        place: &Place,
        moves: &mut Vec<PackedMove>,
    ) {
        let mut men = Vec::new();
        game.men(&place.state, &mut men);
        if men.is_empty() {
            return;
        }
        let mut is_around = vec![false; self.squares.len()];
        for (square, _) in men {
            for &near in &self.squares[usize::from(square)] {
                is_around[usize::from(near)] = true;
            }
        }
        moves.retain(|&mv| {
            let mut squares = program.squares_of(mv).peekable();
            squares.peek().is_none()
                || squares.any(|it| is_around.get(usize::from(it)) == Some(&true))
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
        let told = |steps| {
            let mut squares = within(&ring, 2, steps);
            squares.sort_unstable();
            squares
        };
        assert_eq!(told(0), [2]);
        assert_eq!(told(1), [1, 2, 3]);
        assert_eq!(told(2), [0, 1, 2, 3, 4]);
        assert_eq!(told(9), [0, 1, 2, 3, 4, 5]);
    }
}
