//! What helps to play a game that native code runs.

use ludex_core::{
    Candidates, Capture, Cells, Fault, Game, Heuristics, Player, Position, State, Trail,
};
use ludex_interp::evaluate::distinct;
use ludex_interp::heuristics::{move_code, null_move};
use ludex_ir::PackedMove;

use crate::game::CompiledGame;
use crate::native::Native;

/// Only handed out where there is native code: the interpreter has its own.
impl Heuristics<State, Trail, PackedMove> for CompiledGame {
    fn evaluate(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        let rules = self.interpreter();
        if self.program().roles.evaluate.is_none() {
            return Ok(None);
        }
        match self.code().and_then(|it| it.evaluation(position, side, depth)) {
            Some(bits) => Ok(Some(rules.evaluation(bits, self.mover(&position.state), side))),
            None => rules.evaluate(&self.plain(position), side, depth),
        }
    }

    fn candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<PackedMove>>, Fault> {
        let rules = self.interpreter();
        if self.program().roles.candidates.is_none() {
            return Ok(None);
        }
        let mut legal = Vec::new();
        self.moves(position, self.mover(&position.state), &mut legal)?;
        let matched = self.code().and_then(|native| {
            let listed = native.weighed(position, side, depth)?;
            native.matched(&position.state, &legal, &listed)
        });
        match matched {
            Some(matched) => Ok(Some(rules.candidates_of(matched))),
            None => rules.candidates(&self.plain(position), side, depth),
        }
    }

    fn unchecked_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<PackedMove>>, Fault> {
        let rules = self.interpreter();
        if self.program().roles.candidates.is_none() {
            return Ok(None);
        }
        match self.code().and_then(|it| it.weighed(position, side, depth)) {
            Some(listed) => Ok(Some(rules.candidates_of(distinct(&listed)))),
            None => rules.unchecked_candidates(&self.plain(position), side, depth),
        }
    }

    fn null_move(&self, state: &State) -> Option<State> {
        self.code().filter(|it| it.owns(state))?;
        null_move(self, self.program(), state)
    }

    fn in_check(&self, position: &Position) -> Result<bool, Fault> {
        self.forbids(position, self.mover(&position.state))
    }

    fn count_men(&self, state: &State, counts: &mut Vec<u32>) {
        counts.clear();
        if let Some(native) = self.code() {
            native.count_men(state, counts);
        }
    }

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        men.clear();
        if let Some(native) = self.code().filter(|it| it.owns(state)) {
            native.men(state, men);
        }
    }

    fn capture(&self, state: &State, mv: PackedMove) -> Capture {
        let Some(native) = self.code().filter(|it| it.owns(state)) else { return Capture::Unknown };
        let code = |square| native.code.layout.code(&state.words, square);
        self.interpreter().capture_where(native.mover(state), mv, code)
    }

    fn mover_kind(&self, state: &State, mv: PackedMove) -> Option<u8> {
        let native = self.code().filter(|it| it.owns(state))?;
        let code = |square| native.code.layout.code(&state.words, square);
        self.interpreter().mover_kind_where(native.mover(state), mv, code)
    }

    fn move_code(&self, state: &State, mv: PackedMove) -> Option<u64> {
        Some(move_code(self.mover(state), mv, self.capture(state, mv)))
    }
}

impl Native<'_> {
    fn count_men(&self, state: &State, counts: &mut Vec<u32>) {
        let program = self.program();
        let (layout, kinds) = (&self.code.layout, program.kinds.len());
        counts.resize(kinds * program.players.len(), 0);
        if !self.owns(state) {
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

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        let layout = &self.code.layout;
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
}
