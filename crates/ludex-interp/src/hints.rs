//! What helps a search to play well: see the hints of [`Game`](ludex_core::Game).

use ludex_core::{Advice, Fault, Player, State, Taken, Trail};
use ludex_ir::inst::TURN;
use ludex_ir::{ArrayRole, Direction, History, PackedMove, Taking};

use crate::cells::{raw, set_raw, share};
use crate::game::RulesGame;

impl RulesGame {
    /// On which squares moves may take men.
    pub fn taking(&self) -> &Taking {
        &self.tables().taking
    }

    pub(crate) fn remembers(&self) -> bool {
        self.program().history != History::None
    }

    /// An evaluation from the view of the player to move.
    pub(crate) fn opinion_of_mover(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<f64>, Fault> {
        let value = self.evaluate(state, trail, side, depth)?;
        Ok(value.map(|it| self.for_mover(it, self.mover(state), side)))
    }

    /// What the file's evaluation is for the player to move.
    pub fn for_mover(&self, value: f64, mover: Player, side: Player) -> f64 {
        if self.evaluates_for_side() && mover != side { -value } else { value }
    }

    pub(crate) fn weighed_moves(
        &self,
        state: &State,
        trail: &Trail,
        side: Player,
        depth: u32,
    ) -> Result<Option<Advice<PackedMove>>, Fault> {
        let moves = self.candidates(state, trail, side, depth)?;
        Ok(moves.map(|moves| Advice { moves, only: self.candidates_only() }))
    }

    /// The same cells, but for the player to move.
    pub(crate) fn with_next_mover(&self, state: &State) -> Option<State> {
        let program = self.program();
        let array = program.arrays.get(TURN.0 as usize).filter(|it| it.role == ArrayRole::Turn)?;
        let (cell, players) = (array.base, program.players.len());
        let old = raw(&state.words, cell);
        let new = u16::try_from((usize::from(old) + 1) % players).ok()?;
        let mut next = state.clone();
        set_raw(&mut next.words, cell, new);
        let change = share(cell, old) ^ share(cell, new);
        next.hash ^= change;
        if program.history == History::Position {
            next.key ^= change;
        }
        Some(next)
    }

    pub(crate) fn men_of_all(&self, state: &State, counts: &mut Vec<u32>) {
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

    /// The squares one step away from each, in the directions of the compass that the rules use.
    pub fn squares_nearby(&self) -> Vec<Vec<u16>> {
        let program = self.program();
        let single = || program.geometry.directions.iter().filter(|it| it.compass);
        let from = |square: usize| {
            let step = |steps: &Vec<i16>| steps.get(square).and_then(|&it| u16::try_from(it).ok());
            let mut near: Vec<u16> = single().filter_map(|it| step(&it.steps)).collect();
            near.sort_unstable();
            near.dedup();
            near
        };
        (0..program.squares).map(from).collect()
    }

    /// The rows of squares along the directions of the compass, each as long as it is and in one
    /// of its two directions.
    pub fn straight_rows(&self) -> Vec<(u16, Vec<u16>)> {
        let program = self.program();
        let directions = &program.geometry.directions;
        let back =
            |it: &Direction| directions.get(usize::from(it.opposite)).is_some_and(|it| it.compass);
        let mut rows = Vec::new();
        for (number, direction) in directions.iter().enumerate() {
            let is_first = number <= usize::from(direction.opposite) || !back(direction);
            if direction.compass && is_first {
                let squares = rows_along(&direction.steps, program.squares);
                rows.extend(squares.into_iter().map(|it| (number as u16, it)));
            }
        }
        rows
    }

    /// The men of the rules, by their codes.
    pub fn codes_of_men(&self) -> Vec<(Option<Player>, u8)> {
        self.program().men.iter().map(|man| (man.owner.map(Player), man.kind)).collect()
    }

    pub(crate) fn men_with_squares(&self, state: &State, men: &mut Vec<(u16, u8)>) {
        let standing = |square: usize| raw(&state.words, square).checked_sub(1);
        let man = |square: usize| Some((square as u16, standing(square)? as u8));
        men.clear();
        men.extend((0..self.program().squares).filter_map(man));
    }

    pub(crate) fn taken_by(&self, state: &State, mv: PackedMove) -> Taken {
        let code = |square| raw(&state.words, square);
        self.taken_where(self.mover(state), mv, code)
    }

    /// What a move takes where the contents of squares are told by `code`.
    pub fn taken_where(&self, mover: Player, mv: PackedMove, code: impl Fn(usize) -> u16) -> Taken {
        let program = self.program();
        let Some(squares) = self.taking().squares(mv) else { return Taken::Unknown };
        for square in squares.filter(|&it| it < program.squares) {
            let code = usize::from(code(square));
            let man = code.checked_sub(1).and_then(|it| program.men.get(it));
            if let Some(man) = man.filter(|man| man.owner != Some(mover.0)) {
                return Taken::Man(man.kind);
            }
        }
        Taken::Nothing
    }

    pub(crate) fn moved_by(&self, state: &State, mv: PackedMove) -> Option<u8> {
        self.moved_where(self.mover(state), mv, |square| raw(&state.words, square))
    }

    /// The kind of the mover's man on the first square that a move names and one stands on, where the
    /// contents of squares are told by `code`.
    pub fn moved_where(
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

/// A number for what a move does: who moves what from where to where, and whether it takes.
pub fn move_code(mover: Player, mv: PackedMove, taken: Taken) -> u64 {
    let takes = u64::from(matches!(taken, Taken::Man(_)));
    let seed = u64::from(mover.0) << 1 | takes;
    let fold = |hash: u64, part: u64| {
        let product = u128::from(hash ^ part) * 0xd134_2543_de82_ef95_u128;
        (product as u64) ^ ((product >> 64) as u64)
    };
    [mv.0 as u64, (mv.0 >> 64) as u64].into_iter().fold(seed ^ 0x9e37_79b9_7f4a_7c15, fold)
}

/// The rows that steps lead along: first from the squares that no step leads to, then round
/// whatever goes in a circle.
fn rows_along(steps: &[i16], squares: usize) -> Vec<Vec<u16>> {
    let step = |square: usize| steps.get(square).and_then(|&it| usize::try_from(it).ok());
    let mut is_led_to = vec![false; squares];
    let mut is_done = vec![false; squares];
    for to in (0..squares).filter_map(step).filter(|&it| it < squares) {
        is_led_to[to] = true;
    }
    let starts = (0..squares).filter(|&it| !is_led_to[it]).chain(0..squares);
    let mut rows = Vec::new();
    for start in starts {
        let mut row = Vec::new();
        let mut next = Some(start);
        while let Some(square) = next.filter(|&it| it < squares && !is_done[it]) {
            is_done[square] = true;
            row.push(square as u16);
            next = step(square);
        }
        if row.len() > 1 {
            rows.push(row);
        }
    }
    rows
}
