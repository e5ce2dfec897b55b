//! What stands near the target of a move, as part of its code.
//!
//! Tristan Cazenave, "Playout policy adaptation with move features", 2016. There the features are
//! written for each game: the contents of the squares around the move. Here they are read off the
//! board: the *target* of a move are the squares on which it leaves another man than it found
//! there, seen by playing it once, and the game tells which squares are neighbours.

use std::collections::HashMap;

use ludex_core::{Fault, Game};
use smallvec::SmallVec;

use crate::montecarlo::codes::{Code, join};

/// Moves with more targets than this are told apart by the first ones.
const TARGETS: usize = 4;

/// The squares around a move.
type Around = SmallVec<[u16; 8]>;

/// The board of one position, and where moves go.
#[derive(Default)]
pub(crate) struct Features {
    /// Asked once for each game.
    neighbours: Option<Vec<Vec<u16>>>,
    around: HashMap<Code, Around>,
    /// The code of the man on each square, plus one; 0 where it is empty.
    board: Vec<u8>,
    men: Vec<(u16, u8)>,
}

impl Features {
    /// Looks at a position: the next moves are of it.
    pub(crate) fn look<G: Game>(&mut self, game: &G, state: &G::State) {
        self.neighbours.get_or_insert_with(|| game.neighbours());
        self.board.clear();
        self.board.resize(game.squares(), 0);
        game.men(state, &mut self.men);
        for &(square, man) in &self.men {
            if let Some(it) = self.board.get_mut(usize::from(square)) {
                *it = man + 1;
            }
        }
    }

    /// The code of a move together with what stands around its target.
    pub(crate) fn refine<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        trail: &G::Trail,
        (mv, code): (G::Move, Code),
    ) -> Result<Code, Fault> {
        if self.neighbours.as_ref().is_none_or(Vec::is_empty) {
            return Ok(code);
        }
        if !self.around.contains_key(&code) {
            let around = self.find(game, state.clone(), trail.clone(), mv)?;
            self.around.insert(code, around);
        }
        let contents = self.around[&code].iter().fold(0_u32, |sum, &square| {
            sum.wrapping_mul(67).wrapping_add(u32::from(self.board[usize::from(square)]) + 1)
        });
        Ok(if contents == 0 { code } else { join(code, contents) })
    }

    /// Plays a move to see where it goes; the board stays that of the position before.
    fn find<G: Game>(
        &mut self,
        game: &G,
        mut state: G::State,
        mut trail: G::Trail,
        mv: G::Move,
    ) -> Result<Around, Fault> {
        game.apply(&mut state, &mut trail, &[mv])?;
        game.men(&state, &mut self.men);
        let changed = |&&(square, man): &&(u16, u8)| {
            self.board.get(usize::from(square)).is_some_and(|&before| before != man + 1)
        };
        let mut targets: Vec<u16> = self.men.iter().filter(changed).map(|it| it.0).collect();
        targets.sort_unstable();
        targets.truncate(TARGETS);
        let neighbours = self.neighbours.as_deref().unwrap_or_default();
        let near = targets.iter().filter_map(|&it| neighbours.get(usize::from(it))).flatten();
        let mut around: Around = near.copied().filter(|it| !targets.contains(it)).collect();
        around.sort_unstable();
        around.dedup();
        around.retain(|it| usize::from(*it) < self.board.len());
        Ok(around)
    }
}
