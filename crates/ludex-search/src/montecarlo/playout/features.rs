//! What stands near the target of a move, as part of its code.
//!
//! Tristan Cazenave, "Playout policy adaptation with move features", 2016. There the features are
//! written for each game: what stands next to a stone or a domino that is put on the board, and
//! whether a man that moves takes another one. Here they are read off the board. The *target* of a
//! move are the squares on which it leaves another man than it found there, seen by playing it
//! once, and the board says which squares are neighbours. Features distinguish
//! only moves that put a man on the board. The code of a move from square to square
//! ([`GameExt::move_code`]: source, target, captured or not) is enough to learn from a few thousand
//! playouts; with six or eight neighbours added, few moves would have the same code twice.

use ludex_core::{Fault, Game, GameExt, PositionOf};
use smallvec::SmallVec;

use crate::montecarlo::code_table::{MoveCode, join};

use super::weights::{Place, Weights};

/// Moves with more targets than this are told apart by the first ones.
const TARGETS: usize = 4;

/// The squares around a move; none where they do not count.
type Around = SmallVec<[u16; 8]>;

/// What is known of a move.
#[derive(Clone, Debug)]
struct Target {
    around: Around,
    /// What stood around it when it was met last, with what it was called then and where its weight
    /// is: most of the time that is still so.
    last: (u32, MoveCode, Option<Place>),
}

/// Where moves go, and the board of one position.
#[derive(Default)]
pub(crate) struct Features {
    /// By the places of the moves alone, as far as they were met.
    targets: Vec<Option<Target>>,
    board: Board,
}

impl Features {
    /// Moves on to another position: the next moves are of it.
    pub(crate) fn turn(&mut self) {
        self.board.seen = false;
    }

    /// The code of a move together with what stands around its target, and the place of that; its
    /// own code and no place where nothing around it counts.
    pub(crate) fn refine<G: Game>(
        &mut self,
        weights: &mut Weights,
        position: (&G, &PositionOf<G>),
        (mv, code, alone): (G::Move, MoveCode, Place),
    ) -> Result<(MoveCode, Option<Place>), Fault> {
        let number = alone as usize;
        if self.targets.get(number).is_none_or(Option::is_none) {
            let around = self.find(position, mv)?;
            self.targets.resize(self.targets.len().max(number + 1), None);
            // No contents are 0.
            self.targets[number] = Some(Target { around, last: (0, code, None) });
        }
        match &mut self.targets[number] {
            Some(target) if !target.around.is_empty() => {
                self.board.look(position.0, &position.1.state);
                let contents = contents(&self.board.squares, &target.around);
                if target.last.0 != contents {
                    let refined = join(code, contents);
                    target.last = (contents, refined, Some(weights.around(refined)));
                }
                Ok((target.last.1, target.last.2))
            }
            _ => Ok((code, None)),
        }
    }

    /// Plays a move to see what is around it; the board stays that of the position before.
    fn find<G: Game>(
        &mut self,
        (game, position): (&G, &PositionOf<G>),
        mv: G::Move,
    ) -> Result<Around, Fault> {
        self.board.look(game, &position.state);
        let neighbours = &game.board().neighbours;
        if neighbours.is_empty() {
            return Ok(Around::new());
        }
        let mut position = position.clone();
        game.apply(&mut position, &[mv])?;
        let Board { squares, men, .. } = &mut self.board;
        game.men(&position.state, men);
        Ok(around(neighbours, squares, men))
    }
}

/// What stands where in a position, once it was needed.
#[derive(Default)]
struct Board {
    /// The code of the man on each square, plus one; 0 where it is empty.
    squares: Vec<u8>,
    /// Whether it is that of the position.
    seen: bool,
    men: Vec<(u16, u8)>,
}

impl Board {
    /// Looks at a position, unless that was done.
    fn look<G: Game>(&mut self, game: &G, state: &G::State) {
        if self.seen {
            return;
        }
        self.seen = true;
        self.squares.clear();
        self.squares.resize(game.board().squares, 0);
        game.men(state, &mut self.men);
        for &(square, man) in &self.men {
            if let Some(it) = self.squares.get_mut(usize::from(square)) {
                *it = man + 1;
            }
        }
    }
}

/// A number for what stands on some squares; never 0.
fn contents(board: &[u8], squares: &[u16]) -> u32 {
    let add = |sum: u32, &square: &u16| {
        sum.wrapping_mul(67).wrapping_add(u32::from(board[usize::from(square)]) + 1)
    };
    squares.iter().fold(0, add).max(1)
}

/// The squares around those on which a move has left another man than it found, if it has left none
/// of them empty.
fn around(neighbours: &[Vec<u16>], before: &[u8], after: &[(u16, u8)]) -> Around {
    let man = |square: u16| before.get(usize::from(square)).copied().unwrap_or(0);
    let stood = before.iter().filter(|&&it| it != 0).count();
    let stayed = after.iter().filter(|it| man(it.0) != 0).count();
    if stayed < stood {
        return Around::new();
    }
    let changed = after.iter().filter(|it| man(it.0) != it.1 + 1).map(|it| it.0);
    let mut targets: SmallVec<[u16; 8]> = changed.collect();
    targets.sort_unstable();
    targets.truncate(TARGETS);
    let near = targets.iter().filter_map(|&it| neighbours.get(usize::from(it))).flatten();
    let inside = |it: &u16| usize::from(*it) < before.len() && !targets.contains(it);
    let mut around: Around = near.copied().filter(inside).collect();
    around.sort_unstable();
    around.dedup();
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five squares in a row: the second has a man of code 0, the fourth one of code 1.
    const BEFORE: [u8; 5] = [0, 1, 0, 2, 0];

    fn seen(after: &[(u16, u8)]) -> Vec<u16> {
        let row: Vec<Vec<u16>> = vec![vec![1], vec![0, 2], vec![1, 3], vec![2, 4], vec![3]];
        around(&row, &BEFORE, after).to_vec()
    }

    #[test]
    fn what_is_put_on_the_board_is_seen_with_its_neighbours() {
        assert_eq!(seen(&[(1, 0), (2, 0), (3, 1)]), [1, 3]);
        assert_eq!(seen(&[(0, 0), (1, 0), (2, 0), (3, 1)]), [1, 3]);
        // It may be put on another man, or turn one.
        assert_eq!(seen(&[(1, 0), (3, 0)]), [2, 4]);
    }

    #[test]
    fn a_man_that_moves_is_known_by_its_move() {
        assert!(seen(&[(2, 0), (3, 1)]).is_empty());
        // Also where it takes.
        assert!(seen(&[(3, 0)]).is_empty());
        assert!(seen(&[(1, 0), (3, 1)]).is_empty(), "nothing has changed");
    }
}
