//! Instructions on sets of squares.
//!
//! What each square's membership depends on is defined in [`crate::set`] and
//! [`crate::flood`]. Lines, axes and what lies between two squares depend on no
//! cell, only on their operands.

use std::collections::HashMap;

use ludex_core::Fault;
use ludex_ir::inst::BOARD;
use ludex_ir::{ArrayId, Bits, Inst, Reg, SetReg};

use crate::flood::flood;
use crate::label::Label;
use crate::set::LabelledSet;

use super::query::Query;
use super::{Frame, Machine};

/// For each mask of a question: what stands on each square of the state in
/// question, as a condition. Hypothetical writes are put in on top.
#[derive(Debug, Default)]
pub(super) struct WhereSets {
    masks: HashMap<u64, Vec<Label>>,
}

impl Machine<'_> {
    pub(super) fn set_step(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        place: u32,
    ) -> Result<(), Fault> {
        let code = self.code;
        let board = &code.board;
        match *inst {
            Inst::SetConst { dst, family, index } => {
                let (index, label) = index.map_or((0, Label::NONE), |reg| frame.int(reg));
                let sets = &code.program.families[family.0 as usize].sets;
                let set = usize::try_from(index).ok().and_then(|it| sets.get(it)).cloned();
                let squares = set.unwrap_or_else(|| Bits::empty(board.squares));
                self.set_set(frame, dst, LabelledSet::constant(squares, label));
            }
            Inst::SetWhere { dst, mask } => {
                let (mask, label) = frame.int(mask);
                let set = self.set_where(mask as u64, label);
                self.set_set(frame, dst, set);
            }
            Inst::SetLoad { dst, array, index } => {
                let (base, label) = self.set_base(frame, array, index);
                let set = self.set_load(base, label);
                self.set_set(frame, dst, set);
            }
            Inst::SetCopy { dst, src } => {
                let set = frame.set(src).clone();
                self.set_set(frame, dst, set);
            }
            Inst::SetBinary { op, dst, a, b } => {
                let set = LabelledSet::binary(op, frame.set(a), frame.set(b), &mut self.labels);
                self.set_set(frame, dst, set);
            }
            Inst::SetInsert { set, square } => self.set_insert(frame, set, square),
            Inst::Shift { dst, src, dir } => {
                let (dir, label) = frame.int(dir);
                let dirs: Vec<usize> = board.direction(dir).into_iter().collect();
                let set = frame.set(src).stepped(board, &dirs, &mut self.labels);
                self.set_set_because(frame, dst, set, label);
            }
            Inst::Neighbours { dst, src, list } => {
                let (list, label) = frame.int(list);
                let set = frame.set(src).stepped(board, board.list(list), &mut self.labels);
                self.set_set_because(frame, dst, set, label);
            }
            Inst::Flood { dst, from, within, list } => {
                self.spend(board.squares / 4, place)?;
                let (list, label) = frame.int(list);
                let (from, within) = (frame.set(from), frame.set(within));
                let set = flood(board, from, within, board.list(list), &mut self.labels);
                self.set_set_because(frame, dst, set, label);
            }
            Inst::Line { dst, from, dir, count } => {
                let ([from, dir, count], label) = self.ints(frame, [from, dir, count]);
                self.set_set(
                    frame,
                    dst,
                    LabelledSet::constant(board.line(from, dir, count), label),
                );
            }
            Inst::Axis { dst, from, dir } => {
                let ([from, dir], label) = self.ints(frame, [from, dir]);
                self.set_set(frame, dst, LabelledSet::constant(board.axis(from, dir), label));
            }
            Inst::Between { dst, a, b } => {
                let ([a, b], label) = self.ints(frame, [a, b]);
                self.set_set(frame, dst, LabelledSet::constant(board.between(a, b), label));
            }
            // That square and no other.
            Inst::Contains { dst, set, square } => {
                let (square, label) = frame.int(square);
                let set = frame.set(set);
                let Some(square) = board.square(square) else {
                    self.set_int(frame, dst, 0, label);
                    return Ok(());
                };
                let found = set.contains(square);
                let own = self.labels.union(set.common, set.label(square));
                let label = self.labels.union(label, own);
                self.set_int(frame, dst, i64::from(found), label);
            }
            // The exact number: every square could add to it or take from it.
            Inst::Count { dst, set } => {
                let set = frame.set(set).clone();
                let label = set.total(&mut self.labels);
                self.set_int(frame, dst, set.squares().len() as i64, label);
                frame.counted.push((dst, set));
            }
            Inst::Any { dst, set } => {
                let (found, label) = frame.set(set).any(&mut self.labels);
                self.set_int(frame, dst, i64::from(found), label);
            }
            Inst::NextMember { dst, set, after } => {
                let (after, label) = frame.int(after);
                let (square, why) = frame.set(set).next(after, board.squares, &mut self.labels);
                let label = self.labels.union(label, why);
                self.set_int(frame, dst, square, label);
            }
            Inst::StoreAll { set, value } => {
                let (value, label) = frame.int(value);
                let set = frame.set(set).clone();
                let base = code.program.arrays[BOARD.0 as usize].base;
                let put = |member: bool| member.then_some(value);
                self.store_set(frame, (BOARD, base), &set, label, put, place)?;
            }
            Inst::SetStore { array, index, src } => {
                let put = |member: bool| Some(i64::from(member));
                self.set_store(frame, array, index, src, put, place)?;
            }
            Inst::SetUpdate { array, index, src, add } => {
                let put = |member: bool| member.then_some(i64::from(add));
                self.set_store(frame, array, index, src, put, place)?;
            }
            // `step` hands over no other instruction.
            _ => {}
        }
        Ok(())
    }

    /// Assigns a set register.
    pub(super) fn set_set(&mut self, frame: &mut Frame, reg: SetReg, set: LabelledSet) {
        self.set_set_because(frame, reg, set, Label::NONE);
    }

    fn set_set_because(
        &mut self,
        frame: &mut Frame,
        reg: SetReg,
        mut set: LabelledSet,
        label: Label,
    ) {
        let label = self.labels.union(label, frame.condition());
        set.common = self.labels.union(set.common, label);
        frame.sets[reg.0 as usize] = set;
    }

    /// The squares whose cell has its bit in `mask` set: each because of its own cell.
    fn set_where(&mut self, mask: u64, label: Label) -> LabelledSet {
        let count = self.code.board.squares;
        let mut squares = Bits::empty(count);
        for square in 0..count {
            let raw = self.cells.raw(square);
            if raw < 64 && mask >> raw & 1 == 1 {
                squares.insert(square);
            }
        }
        if self.silent {
            return LabelledSet::constant(squares, label);
        }
        let common = self.labels.union(label, self.cells.star(BOARD));
        let mut each = self.where_untouched(mask);
        let touched: Vec<usize> = self.cells.touched().filter(|&it| it < count).collect();
        for cell in touched {
            let (written, spared) = self.cells.written(cell);
            let own = written.unwrap_or_else(|| self.untouched(cell, Query::Mask(mask)));
            each[cell] = self.labels.union(own, spared);
        }
        LabelledSet::new(squares, common, Some(each), None)
    }

    /// The conditions of all squares under a mask in the state as it is. They are remembered, but
    /// for the cell that is different in the world being run.
    fn where_untouched(&mut self, mask: u64) -> Vec<Label> {
        let squares = self.code.board.squares;
        let changed = self.changed_cell().filter(|&it| it < squares);
        if let Some(known) = self.wheres.masks.get(&mask) {
            let mut each = Vec::clone(known);
            if let Some(cell) = changed {
                each[cell] = self.untouched(cell, Query::Mask(mask));
            }
            return each;
        }
        let each = (0..squares).map(|cell| self.untouched(cell, Query::Mask(mask)));
        let each: Vec<Label> = each.collect();
        if changed.is_none() {
            self.wheres.masks.insert(mask, each.clone());
        }
        each
    }

    /// The squares of a set of cells: each because of its own cell.
    fn set_load(&mut self, base: Option<usize>, label: Label) -> LabelledSet {
        let count = self.code.board.squares;
        let mut squares = Bits::empty(count);
        let Some(base) = base else { return LabelledSet::constant(squares, label) };
        let mut each = Vec::with_capacity(count);
        for square in 0..count {
            if self.cells.raw(base + square) != 0 {
                squares.insert(square);
            }
            each.push(self.query(base + square, Label::NONE, Query::Value));
        }
        LabelledSet::new(squares, label, Some(each), None)
    }

    /// Adds a square. Where the square itself depends on something, another one might have been
    /// added instead, and the whole set depends on it.
    fn set_insert(&mut self, frame: &mut Frame, set: SetReg, square: Reg) {
        let (square, label) = frame.int(square);
        let mut into = frame.set(set).clone();
        if let Some(square) = self.code.board.square(square) {
            into.insert(square, Label::NONE, self.code.board.squares, &mut self.labels);
        }
        self.set_set_because(frame, set, into, label);
    }

    /// The first cell of a set of a set array, `None` if it is off, and what that depends on.
    pub(super) fn set_base(
        &self,
        frame: &Frame,
        array: ArrayId,
        index: Option<Reg>,
    ) -> (Option<usize>, Label) {
        let (index, label) = index.map_or((0, Label::NONE), |reg| frame.int(reg));
        let (array, squares) =
            (&self.code.program.arrays[array.0 as usize], self.code.board.squares);
        let first = usize::try_from(index).ok().and_then(|it| it.checked_mul(squares));
        let inside = first.filter(|it| it.saturating_add(squares) <= array.len);
        (inside.map(|it| array.base + it), label)
    }

    fn set_store(
        &mut self,
        frame: &Frame,
        array: ArrayId,
        index: Option<Reg>,
        src: SetReg,
        put: impl Fn(bool) -> Option<i64>,
        place: u32,
    ) -> Result<(), Fault> {
        let (base, address) = self.set_base(frame, array, index);
        self.cells.add_star(array, address, &mut self.labels);
        let label = self.labels.union(address, frame.condition());
        self.written_because(label);
        let Some(base) = base else { return Ok(()) };
        let set = frame.set(src).clone();
        self.store_set(frame, (array, base), &set, address, put, place)
    }

    /// Writes the cells of the squares from `base` on: `put` tells what is written where the set has
    /// the square, and where it has not. A cell depends on its square's membership, written or
    /// not; which cells are written depends on the whole set.
    fn store_set(
        &mut self,
        frame: &Frame,
        (array, base): (ArrayId, usize),
        set: &LabelledSet,
        label: Label,
        put: impl Fn(bool) -> Option<i64>,
        place: u32,
    ) -> Result<(), Fault> {
        let label = self.labels.union(label, frame.condition());
        let total = set.total(&mut self.labels);
        let all = self.labels.union(label, total);
        self.written_because(all);
        for square in 0..self.code.board.squares {
            let cell = base + square;
            let member = self.labels.union(set.common, set.label(square));
            if let Some(value) = put(set.contains(square)) {
                let label = self.labels.union(label, member);
                self.write(array, cell, value, label, place)?;
            } else if member != Label::NONE {
                self.cells.spare(cell, member, &mut self.labels);
            }
        }
        Ok(())
    }
}
