//! What stands near the target of a move, as part of its code.
//!
//! Tristan Cazenave, "Playout policy adaptation with move features", 2016. There the features are
//! written for each game: what stands next to a stone or a domino that is put on the board, and
//! whether a man that moves takes another one. Here they are read off the board. The *target* of a
//! move are the squares on which it leaves another man than it found there, seen by playing it
//! once, and the game tells which squares are neighbours. Only what is put on the board is told
//! apart by them: a man that leaves a square says by where it comes from, where it goes and whether
//! it takes (all in [`Game::move_code`]) what can be learnt from a few thousand games, and with six
//! or eight squares around it would hardly ever be the same move twice.

use ludex_core::{Fault, Game};
use smallvec::SmallVec;

use crate::montecarlo::codes::{Code, join};

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
    last: (u32, Code, Place),
}

/// The board of one position, and where moves go.
#[derive(Default)]
pub(crate) struct Features {
    /// Asked once for each game.
    neighbours: Option<Vec<Vec<u16>>>,
    /// By the places of moves the number of the target, plus one; 0 where it was not asked for.
    numbers: Vec<u32>,
    targets: Vec<Target>,
    /// The code of the man on each square, plus one; 0 where it is empty.
    board: Vec<u8>,
    /// Whether the board is that of the position.
    seen: bool,
    men: Vec<(u16, u8)>,
}

impl Features {
    /// Comes to another position: the next moves are of it.
    pub(crate) fn turn(&mut self) {
        self.seen = false;
    }

    /// The code of a move together with what stands around its target, and the place of that; its
    /// own where nothing around it counts.
    pub(crate) fn refine<G: Game>(
        &mut self,
        weights: &mut Weights,
        (game, state, trail): (&G, &G::State, &G::Trail),
        (mv, code, alone): (G::Move, Code, Place),
    ) -> Result<(Code, Place), Fault> {
        let number = match self.numbers.get(alone as usize) {
            Some(&number) if number > 0 => number as usize - 1,
            _ => self.meet((game, state, trail), (mv, code, alone))?,
        };
        if self.targets[number].around.is_empty() {
            return Ok((code, alone));
        }
        self.look(game, state);
        let target = &mut self.targets[number];
        let contents = contents(&self.board, &target.around);
        if target.last.0 != contents {
            let refined = join(code, contents);
            target.last = (contents, refined, weights.place(refined));
        }
        Ok((target.last.1, target.last.2))
    }

    /// Notes the target of a move that is met for the first time, and gives its number.
    fn meet<G: Game>(
        &mut self,
        (game, state, trail): (&G, &G::State, &G::Trail),
        (mv, code, alone): (G::Move, Code, Place),
    ) -> Result<usize, Fault> {
        self.look(game, state);
        let around = self.find(game, state.clone(), trail.clone(), mv)?;
        let place = alone as usize;
        if place >= self.numbers.len() {
            self.numbers.resize(place + 1, 0);
        }
        // No contents come to 0.
        self.targets.push(Target { around, last: (0, code, alone) });
        self.numbers[place] = self.targets.len() as u32;
        Ok(self.targets.len() - 1)
    }

    /// Looks at the board, unless that was done for this position.
    fn look<G: Game>(&mut self, game: &G, state: &G::State) {
        if self.seen {
            return;
        }
        self.seen = true;
        self.board.clear();
        self.board.resize(game.squares(), 0);
        game.men(state, &mut self.men);
        for &(square, man) in &self.men {
            if let Some(it) = self.board.get_mut(usize::from(square)) {
                *it = man + 1;
            }
        }
    }

    /// Plays a move to see where it goes; the board stays that of the position before.
    fn find<G: Game>(
        &mut self,
        game: &G,
        mut state: G::State,
        mut trail: G::Trail,
        mv: G::Move,
    ) -> Result<Around, Fault> {
        let neighbours = self.neighbours.get_or_insert_with(|| game.neighbours());
        if neighbours.is_empty() {
            return Ok(Around::new());
        }
        game.apply(&mut state, &mut trail, &[mv])?;
        game.men(&state, &mut self.men);
        Ok(around(neighbours, &self.board, &self.men))
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
