//! Numbers, tables, and the board as tables.

use cranelift_codegen::ir::InstBuilder;
use ludex_ir::{Binary, Reg, TableId, Unary};

use crate::emit::frame::Frame;
use crate::emit::{Emitter, Written};

impl Emitter<'_, '_> {
    pub(super) fn const_inst(&mut self, frame: &Frame<'_>, dst: Reg, value: i64) {
        let value = self.number(value);
        self.set_int(frame, dst, value);
    }

    pub(super) fn copy_inst(&mut self, frame: &Frame<'_>, dst: Reg, src: Reg) {
        let value = self.int(frame, src);
        self.set_int(frame, dst, value);
    }

    pub(super) fn unary_inst(
        &mut self,
        frame: &Frame<'_>,
        op: Unary,
        dst: Reg,
        src: Reg,
    ) -> Written {
        let value = self.int(frame, src);
        let value = self.unary(op, value)?;
        self.set_int(frame, dst, value);
        Ok(())
    }

    pub(super) fn binary_inst(
        &mut self,
        frame: &Frame<'_>,
        op: Binary,
        dst: Reg,
        (a, b): (Reg, Reg),
    ) -> Written {
        let (a, b) = (self.int(frame, a), self.int(frame, b));
        let value = self.binary(op, a, b)?;
        self.set_int(frame, dst, value);
        Ok(())
    }

    pub(super) fn lookup_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        table: TableId,
        (i, j): (Reg, Option<Reg>),
    ) {
        let (i, j) = (self.int(frame, i), j.map(|j| self.int(frame, j)));
        let value = self.lookup(table, i, j);
        self.set_int(frame, dst, value);
    }

    pub(super) fn pair_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        (i, j): (Reg, Reg),
        (rows, columns): (usize, usize),
    ) {
        let (i, j) = (self.int(frame, i), self.int(frame, j));
        let value = self.pair(i, j, rows, columns);
        self.set_int(frame, dst, value);
    }

    pub(super) fn step_inst(&mut self, frame: &Frame<'_>, dst: Reg, from: Reg, dir: Reg) {
        let known = frame.known(dir);
        let (from, dir) = (self.int(frame, from), self.int(frame, dir));
        let value = self.step(from, dir, known);
        self.set_int(frame, dst, value);
    }

    pub(super) fn hop_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: Reg,
        (from, dir): (Reg, Reg),
        count: Reg,
    ) -> Written {
        let value = self.hop(frame, from, dir, count)?;
        self.set_int(frame, dst, value);
        Ok(())
    }

    pub(super) fn list_len(&mut self, frame: &Frame<'_>, dst: Reg, list: Reg) {
        let list = self.int(frame, list);
        let lists = &self.unit.program.geometry.lists;
        let lengths: Vec<i64> = lists.iter().map(|it| it.len() as i64).collect();
        let len = self.table_entry(lengths, list);
        let zero = self.number(0);
        let len = self.b.ins().smax(len, zero);
        self.set_int(frame, dst, len);
    }

    pub(super) fn list_item(&mut self, frame: &Frame<'_>, dst: Reg, list: Reg, index: Reg) {
        let lists = &self.unit.program.geometry.lists;
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let rows = lists.len();
        let item = |list: &Vec<u16>, it: usize| list.get(it).map_or(-1, |&it| i64::from(it));
        let table: Vec<i64> =
            lists.iter().flat_map(|list| (0..longest).map(move |it| item(list, it))).collect();
        let (list, index) = (self.int(frame, list), self.int(frame, index));
        let place = self.pair(list, index, rows, longest);
        let value = self.table_entry(table, place);
        self.set_int(frame, dst, value);
    }
}
