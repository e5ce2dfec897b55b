//! What helps to play a game given by rules.

use ludex_core::{
    Candidates, Capture, Cells, Fault, Game, Heuristics, Player, Position, State, Trail,
};
use ludex_ir::inst::TURN;
use ludex_ir::{ArrayRole, CaptureSquares, PackedMove, Program};

use crate::cells::raw;
use crate::evaluate::{distinct, matched};
use crate::game::RulesGame;

impl Heuristics<State, Trail, PackedMove> for RulesGame {
    fn evaluate(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        let Some(evaluate) = self.program().roles.evaluate else { return Ok(None) };
        let bits = self.ask_for(position, (side, depth), |machine, ctx| {
            let me = machine.mover(ctx);
            machine.run(ctx, evaluate, me as i64)
        })?;
        Ok(Some(self.evaluation(bits, self.mover(&position.state), side)))
    }

    fn candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<PackedMove>>, Fault> {
        let Some(listed) = self.weighed(position, side, depth)? else { return Ok(None) };
        let mut legal = Vec::new();
        self.moves(position, self.mover(&position.state), &mut legal)?;
        let moves = matched(&legal, &listed, |mv| self.reached(position, mv))?;
        Ok(Some(self.candidates_of(moves)))
    }

    fn unchecked_candidates(
        &self,
        position: &Position,
        side: Player,
        depth: u32,
    ) -> Result<Option<Candidates<PackedMove>>, Fault> {
        let listed = self.weighed(position, side, depth)?;
        Ok(listed.map(|it| self.candidates_of(distinct(&it))))
    }

    fn null_move(&self, state: &State) -> Option<State> {
        null_move(self, self.program(), state)
    }

    fn in_check(&self, position: &Position) -> Result<bool, Fault> {
        let mover = self.mover(&position.state);
        Ok(mover.index() < self.program().players.len() && self.forbids(position, mover)?)
    }

    fn count_men(&self, state: &State, counts: &mut Vec<u32>) {
        let program = self.program();
        let kinds = program.kinds.len();
        counts.clear();
        counts.resize(kinds * program.players.len(), 0);
        for square in 0..program.squares {
            let code = usize::from(raw(&state.words, square));
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            if let Some((owner, man)) = man.and_then(|man| Some((man.owner?, man))) {
                counts[usize::from(owner) * kinds + usize::from(man.kind)] += 1;
            }
        }
    }

    fn men(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        let standing = |square: usize| raw(&state.words, square).checked_sub(1);
        let man = |square: usize| Some((square as u16, standing(square)? as u8));
        men.clear();
        men.extend((0..self.program().squares).filter_map(man));
    }

    fn capture(&self, state: &State, mv: PackedMove) -> Capture {
        self.capture_where(self.mover(state), mv, |square| raw(&state.words, square))
    }

    fn mover_kind(&self, state: &State, mv: PackedMove) -> Option<u8> {
        self.mover_kind_where(self.mover(state), mv, |square| raw(&state.words, square))
    }

    fn move_code(&self, state: &State, mv: PackedMove) -> Option<u64> {
        Some(move_code(self.mover(state), mv, self.capture(state, mv)))
    }
}

impl RulesGame {
    /// On which squares moves may capture.
    pub fn capture_squares(&self) -> &CaptureSquares {
        &self.tables().capture_squares
    }

    /// Which man a move captures, where `code` gives the contents of squares.
    pub fn capture_where(
        &self,
        mover: Player,
        mv: PackedMove,
        code: impl Fn(usize) -> u16,
    ) -> Capture {
        let program = self.program();
        let Some(squares) = self.capture_squares().squares(mv) else { return Capture::Unknown };
        for square in squares.filter(|&it| it < program.squares) {
            let code = usize::from(code(square));
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            if let Some(man) = man.filter(|man| man.owner != Some(mover.0)) {
                return Capture::Man(man.kind);
            }
        }
        Capture::Nothing
    }

    /// The kind of the mover's man on the first square that a move names and one stands on, where
    /// `code` gives the contents of squares.
    pub fn mover_kind_where(
        &self,
        mover: Player,
        mv: PackedMove,
        code: impl Fn(usize) -> u16,
    ) -> Option<u8> {
        let program = self.program();
        let squares = program.squares_of(mv).map(usize::from).filter(|&it| it < program.squares);
        let men = squares.filter_map(|it| program.men.get(usize::from(code(it)).checked_sub(1)?));
        men.into_iter().find(|man| man.owner == Some(mover.0)).map(|man| man.kind)
    }
}

/// The state in which the next player is to move; `None` where players do not take turns.
pub fn null_move(game: &impl Cells, program: &Program, state: &State) -> Option<State> {
    let array = program.arrays.get(TURN.0 as usize).filter(|it| it.role == ArrayRole::Turn)?;
    let old = usize::from(game.raw(state, array.base));
    let new = u16::try_from((old + 1) % program.players.len()).ok()?;
    Some(game.with_raw(state, array.base, new))
}

/// A number for what a move does: who moves what from where to where, and whether it takes.
pub fn move_code(mover: Player, mv: PackedMove, taken: Capture) -> u64 {
    let takes = u64::from(matches!(taken, Capture::Man(_)));
    let seed = u64::from(mover.0) << 1 | takes;
    let fold = |hash: u64, part: u64| {
        let product = u128::from(hash ^ part) * 0xd134_2543_de82_ef95_u128;
        (product as u64) ^ ((product >> 64) as u64)
    };
    [mv.0 as u64, (mv.0 >> 64) as u64].into_iter().fold(seed ^ 0x9e37_79b9_7f4a_7c15, fold)
}
