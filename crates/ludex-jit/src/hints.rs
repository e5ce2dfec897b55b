//! What helps a search to play well: see the hints of [`Game`](ludex_core::Game).

use ludex_core::{Advice, Fault, Player, State, Taken, Trail};
use ludex_interp::cells::share;
use ludex_ir::PackedMove;
use ludex_ir::inst::{BOARD, TURN};

use crate::game::NativeGame;

impl NativeGame {
    /// An evaluation from the view of the player to move.
    pub(crate) fn opinion_of_mover(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        let value = self.evaluate(state, trail, side, depth)?;
        Ok(value.map(|it| self.interpreter().for_mover(it, self.mover(state), side)))
    }

    pub(crate) fn weighed_moves(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        let moves = self.candidates(state, trail, side, depth)?;
        let only = self.interpreter().candidates_only();
        Ok(moves.map(|moves| Advice { moves, only }))
    }

    /// The same cells, but for the player to move.
    pub(crate) fn with_next_mover(&self, state: &State) -> Option<State> {
        let program = self.program();
        if state.words.len() != self.code.layout.words {
            return None;
        }
        let cell = program.arrays[TURN.0 as usize].base;
        let old = self.code.layout.raw(&state.words, TURN, 0);
        let new = u16::try_from((usize::from(old) + 1) % program.players.len()).ok()?;
        let mut next = state.clone();
        self.code.layout.set_number(&mut next.words, TURN, 0, new);
        let change = share(cell, old) ^ share(cell, new);
        next.hash ^= change;
        if self.code.layout.keyed[TURN.0 as usize] {
            next.key ^= change;
        }
        Some(next)
    }

    pub(crate) fn men_of_all(&self, state: &State, counts: &mut Vec<u32>) {
        let program = self.program();
        let (layout, kinds) = (&self.code.layout, program.kinds.len());
        counts.clear();
        counts.resize(kinds * program.players.len(), 0);
        if state.words.len() != layout.words {
            return;
        }
        let plane = |number: usize| {
            let first = number * layout.set_words;
            &state.words[first..first + layout.set_words]
        };
        for (man, planes) in program.men.iter().zip(&layout.men) {
            let Some(owner) = man.owner else { continue };
            let owned = plane(planes.owner);
            let count: u32 = match planes.kind {
                None => owned.iter().map(|it| it.count_ones()).sum(),
                Some(kind) => {
                    owned.iter().zip(plane(kind)).map(|(a, b)| (a & b).count_ones()).sum()
                }
            };
            counts[usize::from(owner) * kinds + usize::from(man.kind)] += count;
        }
    }

    pub(crate) fn men_with_squares(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        let layout = &self.code.layout;
        men.clear();
        if state.words.len() != layout.words {
            return;
        }
        for (code, planes) in layout.men.iter().enumerate() {
            for word in 0..layout.set_words {
                let of = |plane: usize| state.words[plane * layout.set_words + word];
                let mut left = of(planes.owner) & planes.kind.map_or(u64::MAX, of);
                while left != 0 {
                    let square = word * 64 + left.trailing_zeros() as usize;
                    men.push((square as u16, code as u8));
                    left &= left - 1;
                }
            }
        }
    }

    pub(crate) fn taken_by(&self, state: &State, mover: Player, mv: PackedMove) -> Taken {
        if state.words.len() != self.code.layout.words {
            return Taken::Unknown;
        }
        let code = |square| self.code.layout.code(&state.words, square);
        self.interpreter().taken_where(mover, mv, code)
    }

    pub(crate) fn moved_by(&self, state: &State, mv: PackedMove) -> Option<u8> {
        if state.words.len() != self.code.layout.words {
            return None;
        }
        let code = |square| self.code.layout.raw(&state.words, BOARD, square);
        self.interpreter().moved_where(self.mover(state), mv, code)
    }
}
