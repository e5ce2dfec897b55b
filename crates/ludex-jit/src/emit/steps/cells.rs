//! Reading and writing cells.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use ludex_ir::inst::BOARD;
use ludex_ir::{ArrayId, Reg, SetReg};

use crate::context::STOPPED;
use crate::emit::frame::Frame;
use crate::emit::{Emitter, Written};

impl Emitter<'_, '_> {
    /// The value of a cell and whether it is one; `None` if it certainly is.
    fn cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
    ) -> (Value, Option<Value>) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, len) = (data.lo, data.len);
        let (index, inside) = match index {
            Some(index) => {
                let index = self.int(frame, index);
                let (index, inside) = self.clamped(index, len);
                (Some(index), Some(inside))
            }
            None => (None, None),
        };
        let raw = self.raw_cell(array, index);
        (self.plus(raw, lo), inside)
    }

    pub(super) fn load_cell(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        array: ArrayId,
        index: Option<Reg>,
    ) {
        let (mut value, inside) = self.cell(frame, array, index);
        if let Some(inside) = inside {
            let none = self.number(-1);
            value = self.choose(inside, value, none);
        }
        self.set_int(frame, dst, value);
    }

    pub(super) fn test(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        array: ArrayId,
        index: Option<Reg>,
        mask: Reg,
    ) {
        let found = match (frame.known(mask), index) {
            (Some(mask), Some(square)) if array == BOARD => {
                let square = self.int(frame, square);
                self.square_has(square, mask as u64)
            }
            _ => {
                let lo = self.unit.program.arrays[array.0 as usize].lo;
                let (value, inside) = self.cell(frame, array, index);
                let raw = self.plus(value, -lo);
                let mask = self.int(frame, mask);
                let bit = self.bit_of(mask, raw);
                let zero = self.number(0);
                inside.map_or(bit, |inside| self.choose(inside, bit, zero))
            }
        };
        self.set_int(frame, dst, found);
    }

    pub(super) fn test_range(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        (array, index): (ArrayId, Option<Reg>),
        (lo, hi): (i64, i64),
    ) {
        let (value, inside) = self.cell(frame, array, index);
        let [lo, hi] = [lo, hi].map(|it| self.number(it));
        let low = self.is(IntCC::SignedLessThanOrEqual, lo, value);
        let high = self.is(IntCC::SignedLessThanOrEqual, value, hi);
        let mut found = self.b.ins().band(low, high);
        if let Some(inside) = inside {
            found = self.b.ins().band(found, inside);
        }
        self.set_flag(frame, dst, found);
    }

    /// Whether a value is outside the domain of an array.
    fn outside(&mut self, array: ArrayId, value: Value) -> Value {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, values) = (data.lo, data.hi - data.lo + 1);
        let raw = self.plus(value, -lo);
        self.is_number(IntCC::UnsignedGreaterThanOrEqual, raw, values)
    }

    /// Runs code with the index of a cell, if there is such a cell.
    fn if_cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
        code: impl FnOnce(&mut Self, Option<Value>),
    ) {
        let Some(index) = index else { return code(self, None) };
        let len = self.unit.program.arrays[array.0 as usize].len;
        let index = self.int(frame, index);
        let inside = self.inside(index, len);
        let (there, done) = (self.b.create_block(), self.b.create_block());
        self.branch(inside, there, done);
        self.go_on_in(there);
        code(self, Some(index));
        self.jump(done);
        self.go_on_in(done);
    }

    pub(super) fn store_cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
        value: Reg,
    ) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, hi) = (data.lo, data.hi);
        let known = frame.known(value);
        let value = self.int(frame, value);
        self.if_cell(frame, array, index, |it, index| {
            if !known.is_some_and(|value| (lo..=hi).contains(&value)) {
                let wrong = it.outside(array, value);
                it.stop_if(wrong, STOPPED);
            }
            let raw = it.plus(value, -lo);
            match index {
                Some(square) if array == BOARD => it.put_code(square, raw, known),
                None if array == BOARD => {
                    let square = it.number(0);
                    it.put_code(square, raw, known);
                }
                _ => it.put_raw(array, index, raw),
            }
        });
    }

    pub(super) fn add_cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
        delta: Reg,
    ) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let values = data.hi - data.lo + 1;
        let delta = self.int(frame, delta);
        self.if_cell(frame, array, index, |it, index| {
            // A delta beyond the size of the domain is as good as its size.
            let (least, most) = (it.number(-values), it.number(values));
            let delta = it.b.ins().smax(delta, least);
            let delta = it.b.ins().smin(delta, most);
            let raw = it.raw_cell(array, index);
            let sum = it.add(raw, delta);
            let (zero, top) = (it.number(0), it.number(values - 1));
            let sum = it.b.ins().smax(sum, zero);
            let sum = it.b.ins().smin(sum, top);
            match index {
                Some(square) if array == BOARD => it.put_code(square, sum, None),
                None if array == BOARD => it.put_code(zero, sum, None),
                _ => it.put_raw(array, index, sum),
            }
        });
    }

    /// Puts a man on every square of a set.
    pub(super) fn store_all(&mut self, frame: &Frame<'_>, set: SetReg, value: Reg) -> Written {
        let known = frame.known(value);
        let (set, value) = (self.set(frame, set), self.int(frame, value));
        let some = self.has_any(&set);
        let wrong = self.outside(BOARD, value);
        let wrong = self.b.ins().band(some, wrong);
        self.stop_if(wrong, STOPPED);
        self.each_member(&set, |it, square| {
            it.put_code(square, value, known);
            Ok(())
        })
    }
}
