//! Making sets, keeping them in cells, and what is in them.

use cranelift_codegen::ir::condcodes::IntCC;
use ludex_ir::{ArrayId, Reg, SetBinary, SetReg};

use crate::emit::frame::Frame;
use crate::emit::{Emitter, Written};

impl Emitter<'_, '_> {
    pub(super) fn set_const(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        family: usize,
        index: Option<Reg>,
    ) {
        let sets = &self.unit.program.families[family].sets;
        let known = index.map_or(Some(0), |index| frame.known(index));
        let set = if let Some(known) = known {
            let found = usize::try_from(known).ok().and_then(|it| sets.get(it)).cloned();
            self.constant_set(&found.map_or_else(Vec::new, |it| it.words))
        } else if let ([none, one], Some(index)) = (&sets[..], index)
            && none.is_empty()
        {
            // A choice between nothing and one set needs no table.
            let one = one.words.clone();
            let index = self.int(frame, index);
            let chosen = self.is_number(IntCC::Equal, index, 1);
            let (one, empty) = (self.constant_set(&one), self.empty());
            self.zip(&one, &empty, |it, word, zero| it.choose(chosen, word, zero))
        } else {
            let words = self.words();
            let rows = sets.len();
            let row = |it: &ludex_ir::Bits| -> Vec<u64> {
                (0..words).map(|word| it.words.get(word).copied().unwrap_or(0)).collect()
            };
            let mut table: Vec<u64> = sets.iter().flat_map(row).collect();
            table.extend(std::iter::repeat_n(0, words));
            let table = self.unit.pool.words(table);
            let index = match index {
                Some(index) => self.int(frame, index),
                None => self.number(0),
            };
            let inside = self.inside(index, rows);
            let last = self.number(rows as i64);
            let index = self.choose(inside, index, last);
            self.entries(table, index, words)
        };
        self.set_set(frame, dst, &set);
    }

    pub(super) fn set_where(&mut self, frame: &Frame<'_>, dst: SetReg, mask: Reg) {
        let set = match frame.known(mask) {
            Some(mask) => self.squares_with(mask as u64),
            None => {
                let mask = self.int(frame, mask);
                self.squares_with_any(mask)
            }
        };
        self.set_set(frame, dst, &set);
    }

    pub(super) fn set_load(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        array: ArrayId,
        index: Option<Reg>,
    ) {
        let index = index.map(|index| self.int(frame, index));
        let (at, inside) = self.set_address(array, index);
        let mut set = self.load_set(at);
        if let Some(inside) = inside {
            let empty = self.empty();
            set = self.zip(&set, &empty, |it, word, zero| it.choose(inside, word, zero));
        }
        self.set_set(frame, dst, &set);
    }

    pub(super) fn set_store(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
        src: SetReg,
    ) -> Written {
        let index = index.map(|index| self.int(frame, index));
        let address = self.set_address(array, index);
        let set = self.set(frame, src);
        self.put_set(array, address, &set)
    }

    /// Adds squares to a set that is kept in a cell, or takes them from it.
    pub(super) fn set_update(
        &mut self,
        frame: &Frame<'_>,
        (array, index): (ArrayId, Option<Reg>),
        src: SetReg,
        add: bool,
    ) -> Written {
        let index = index.map(|index| self.int(frame, index));
        let address = self.set_address(array, index);
        let (old, set) = (self.load_set(address.0), self.set(frame, src));
        let new = if add { self.union(&old, &set) } else { self.difference(&old, &set) };
        self.put_set(array, address, &new)
    }

    pub(super) fn set_copy(&mut self, frame: &Frame<'_>, dst: SetReg, src: SetReg) {
        let set = self.set(frame, src);
        self.set_set(frame, dst, &set);
    }

    pub(super) fn set_binary(
        &mut self,
        frame: &Frame<'_>,
        op: SetBinary,
        dst: SetReg,
        (a, b): (SetReg, SetReg),
    ) {
        let (a, b) = (self.set(frame, a), self.set(frame, b));
        let set = match op {
            SetBinary::Union => self.union(&a, &b),
            SetBinary::Intersection => self.intersection(&a, &b),
            SetBinary::Difference => self.difference(&a, &b),
        };
        self.set_set(frame, dst, &set);
    }

    pub(super) fn set_insert(&mut self, frame: &Frame<'_>, reg: SetReg, square: Reg) {
        let (set, square) = (self.set(frame, reg), self.int(frame, square));
        let single = self.single(square);
        let set = self.union(&set, &single);
        self.set_set(frame, reg, &set);
    }

    pub(super) fn set_remove(&mut self, frame: &Frame<'_>, reg: SetReg, square: Reg) {
        let (set, square) = (self.set(frame, reg), self.int(frame, square));
        let single = self.single(square);
        let set = self.difference(&set, &single);
        self.set_set(frame, reg, &set);
    }

    pub(super) fn contains_inst(&mut self, frame: &Frame<'_>, dst: Reg, set: SetReg, square: Reg) {
        let (set, square) = (self.set(frame, set), self.int(frame, square));
        let found = self.contains(&set, square);
        self.set_int(frame, dst, found);
    }

    pub(super) fn count_inst(&mut self, frame: &Frame<'_>, dst: Reg, set: SetReg) {
        let set = self.set(frame, set);
        let count = self.count(&set);
        self.set_int(frame, dst, count);
    }

    pub(super) fn any_inst(&mut self, frame: &Frame<'_>, dst: Reg, set: SetReg) {
        let set = self.set(frame, set);
        let any = self.has_any(&set);
        self.set_flag(frame, dst, any);
    }

    pub(super) fn next_member(&mut self, frame: &Frame<'_>, dst: Reg, set: SetReg, after: Reg) {
        let mut set = self.set(frame, set);
        if frame.known(after) != Some(-1) {
            let after = self.int(frame, after);
            set = self.above(&set, after);
        }
        let next = self.lowest(&set);
        self.set_int(frame, dst, next);
    }
}
