//! Paths: a length and the elements, packed into 128 bits.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use ludex_ir::{PathOf, PathReg, Reg};

use crate::context::STOPPED;
use crate::emit::Emitter;
use crate::emit::frame::{Frame, PathValue};

impl Emitter<'_, '_> {
    pub(super) fn path_empty(&mut self, frame: &Frame<'_>, dst: PathReg) {
        let zero = self.number(0);
        let items = self.wide_number(zero, zero);
        self.set_path(frame, dst, PathValue { len: zero, items });
    }

    pub(super) fn path_copy(&mut self, frame: &Frame<'_>, dst: PathReg, src: PathReg) {
        let path = self.path(frame, src);
        self.set_path(frame, dst, path);
    }

    pub(super) fn path_len(&mut self, frame: &Frame<'_>, dst: Reg, path: PathReg) {
        let path = self.path(frame, path);
        self.set_int(frame, dst, path.len);
    }

    /// How many bits an element has, and how many elements there may be.
    fn path_shape(&self, of: PathOf) -> (u32, usize) {
        let kind = of.into();
        (self.unit.original.operand_bits(kind), self.unit.original.path_capacity(kind))
    }

    pub(super) fn path_push(
        &mut self,
        frame: &Frame<'_>,
        dst: PathReg,
        src: PathReg,
        item: Reg,
        of: PathOf,
    ) {
        let (bits, capacity) = self.path_shape(of);
        let (path, item) = (self.path(frame, src), self.int(frame, item));
        let full = self.is_number(
            IntCC::UnsignedGreaterThanOrEqual,
            path.len,
            i64::try_from(capacity).unwrap_or(0),
        );
        self.stop_if(full, STOPPED);
        let wrong = self.is_number(IntCC::UnsignedGreaterThanOrEqual, item, 1 << bits);
        self.stop_if(wrong, STOPPED);
        let shift = self.times(path.len, i64::from(bits));
        let zero = self.number(0);
        let item = self.wide_number(item, zero);
        let item = self.b.ins().ishl(item, shift);
        let items = self.b.ins().bor(path.items, item);
        let len = self.plus(path.len, 1);
        self.set_path(frame, dst, PathValue { len, items });
    }

    pub(super) fn path_item(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        path: PathReg,
        index: Reg,
        of: PathOf,
    ) {
        let (bits, capacity) = self.path_shape(of);
        let (path, index) = (self.path(frame, path), self.int(frame, index));
        let in_path = self.is(IntCC::UnsignedLessThan, index, path.len);
        let in_kind = self.inside(index, capacity);
        let inside = self.b.ins().band(in_path, in_kind);
        let zero = self.number(0);
        let index = self.choose(inside, index, zero);
        let shift = self.times(index, i64::from(bits));
        let items = self.b.ins().ushr(path.items, shift);
        let (low, _) = self.b.ins().isplit(items);
        let item = self.masked(low, (1 << bits) - 1);
        let none = self.number(-1);
        let item = self.choose(inside, item, none);
        self.set_int(frame, dst, item);
    }
}
