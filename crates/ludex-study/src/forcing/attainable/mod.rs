//! What the moves of a player can write at all.
//!
//! If men are put on empty squares and never captured, no move removes an enemy man; a change that no
//! move can bring about is not worth forcing. [`Attainable`] says, for each array of cells, which value may become
//! which. It is read off the rules once, for every state, and says too much
//! rather than too little.
//!
//! `flow` carries what is known through the functions: first through `moves`, to
//! learn what stands on the squares that a move remembers, then with that
//! through the effects, to see what they write there. `fact` is the abstract domain.

mod fact;
mod flow;

use ludex_core::Player;
use ludex_ir::{ArrayId, ArrayRole, Program};

use crate::code::Code;
use flow::Flow;

/// Domains larger than this are not looked into: what is written there may be anything.
const MOST_VALUES: usize = 64;

/// Which value of a cell may become which by a move of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attainable {
    arrays: Vec<Becomes>,
}

/// What the cells of one array may become. Values are counted from the lowest of the domain.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Becomes {
    /// For each value the values that it may become.
    Values(Vec<u64>),
    /// Anything, if it is written at all.
    Anything(bool),
}

impl Attainable {
    pub(crate) fn of(code: &Code, player: Player) -> Self {
        let mut attainable = Self::nothing(&code.program);
        let moves = Flow::of_moves(code, player.index());
        let effects = Flow::of_effects(code, player.index(), moves.listed());
        for write in effects.writes() {
            attainable.add(write.array, write.before, write.after);
        }
        // What the end of a turn does to every state.
        for (id, array) in code.program.arrays.iter().enumerate() {
            if matches!(array.role, ArrayRole::Turn | ArrayRole::Counter) {
                attainable.add(ArrayId(id as u16), u64::MAX, u64::MAX);
            }
        }
        attainable
    }

    /// That nothing can be written.
    pub fn nothing(program: &Program) -> Self {
        let nothing = |array: &ludex_ir::Array| match (array.hi - array.lo + 1) as usize {
            size @ ..=MOST_VALUES => Becomes::Values(vec![0; size]),
            _ => Becomes::Anything(false),
        };
        Self { arrays: program.arrays.iter().map(nothing).collect() }
    }

    /// That anything can be written.
    pub fn anything(program: &Program) -> Self {
        let mut all = Self::nothing(program);
        (0..program.arrays.len()).for_each(|it| all.add(ArrayId(it as u16), u64::MAX, u64::MAX));
        all
    }

    /// What either can write.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.arrays.iter_mut().zip(&other.arrays) {
            match (mine, theirs) {
                (Becomes::Values(mine), Becomes::Values(theirs)) => {
                    mine.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
                }
                (Becomes::Anything(mine), Becomes::Anything(theirs)) => *mine |= theirs,
                // Both are of one program.
                _ => {}
            }
        }
        self
    }

    /// Whether a move may make a cell that holds `before` hold `after`.
    pub fn can_write(&self, program: &Program, cell: usize, before: i64, after: i64) -> bool {
        let (array, _) = program.cell(cell);
        let raw = |value: i64| usize::try_from(value - array.lo).ok();
        let id = program.arrays.iter().position(|it| cell < it.base + it.len);
        match id.map(|it| &self.arrays[it]) {
            Some(Becomes::Values(becomes)) => {
                let row = raw(before).and_then(|it| becomes.get(it)).copied().unwrap_or(0);
                raw(after).is_some_and(|it| it < MOST_VALUES && row >> it & 1 == 1)
            }
            Some(&Becomes::Anything(written)) => written && (array.lo..=array.hi).contains(&after),
            None => false,
        }
    }

    /// The values that a cell that holds `before` may be made to hold, lowest first.
    pub fn values(&self, program: &Program, cell: usize, before: i64) -> Vec<i64> {
        let (array, _) = program.cell(cell);
        let values = (array.lo..=array.hi).filter(|&it| it != before);
        values.filter(|&it| self.can_write(program, cell, before, it)).collect()
    }

    fn add(&mut self, array: ArrayId, before: u64, after: u64) {
        match &mut self.arrays[array.0 as usize] {
            Becomes::Values(becomes) => {
                let size = becomes.len() as u32;
                let domain = u64::MAX >> (u64::BITS - size);
                let rows = becomes.iter_mut().enumerate();
                rows.filter(|(raw, _)| before >> raw & 1 == 1)
                    .for_each(|(_, row)| *row |= after & domain);
            }
            Becomes::Anything(written) => *written |= after != 0,
        }
    }
}
