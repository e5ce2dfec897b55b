//! What each instruction becomes: one line for each, and a file for each family of them.

mod cells;
mod geometry;
mod lines;
mod paths;
mod questions;
mod said;
mod sets;
mod values;

use cranelift_codegen::ir::StackSlot;
use ludex_ir::Inst;

use super::frame::Frame;
use super::{Emitter, Written};
use crate::context::{DEPTH, SIDE};

impl Emitter<'_, '_> {
    /// Writes one instruction, at a depth of open `try`.
    pub(super) fn inst(
        &mut self,
        frame: &Frame<'_>,
        inst: &Inst,
        place: u32,
        depth: usize,
        slots: &[StackSlot],
    ) -> Written {
        match *inst {
            Inst::Const { dst, value } => self.const_inst(frame, dst, value),
            Inst::Copy { dst, src } => self.copy_inst(frame, dst, src),
            Inst::Unary { op, dst, src } => self.unary_inst(frame, op, dst, src)?,
            Inst::Binary { op, dst, a, b } => self.binary_inst(frame, op, dst, (a, b))?,
            Inst::Lookup { dst, table, i, j } => self.lookup_inst(frame, dst, table, (i, j)),
            Inst::Pair { dst, i, j, rows, columns } => {
                self.pair_inst(frame, dst, (i, j), (rows as usize, columns as usize));
            }
            Inst::Step { dst, from, dir } => self.step_inst(frame, dst, from, dir),
            Inst::Hop { dst, from, dir, count } => self.hop_inst(frame, dst, (from, dir), count)?,
            Inst::ListLen { dst, list } => self.list_len(frame, dst, list),
            Inst::ListItem { dst, list, index } => self.list_item(frame, dst, list, index),

            Inst::Load { dst, array, index } => self.load_cell(frame, dst, array, index),
            Inst::Test { dst, array, index, mask } => self.test(frame, dst, array, index, mask),
            Inst::TestRange { dst, array, index, lo, hi } => {
                self.test_range(frame, dst, (array, index), (lo, hi));
            }
            Inst::Store { array, index, value } => self.store_cell(frame, array, index, value),
            Inst::Add { array, index, delta } => self.add_cell(frame, array, index, delta),
            Inst::StoreAll { set, value } => self.store_all(frame, set, value)?,

            Inst::SetConst { dst, family, index } => {
                self.set_const(frame, dst, family.0 as usize, index);
            }
            Inst::SetWhere { dst, mask } => self.set_where(frame, dst, mask),
            Inst::SetLoad { dst, array, index } => self.set_load(frame, dst, array, index),
            Inst::SetStore { array, index, src } => self.set_store(frame, array, index, src)?,
            Inst::SetUpdate { array, index, src, add } => {
                self.set_update(frame, (array, index), src, add)?;
            }
            Inst::SetCopy { dst, src } => self.set_copy(frame, dst, src),
            Inst::SetBinary { op, dst, a, b } => self.set_binary(frame, op, dst, (a, b)),
            Inst::SetInsert { set, square } => self.set_insert(frame, set, square),
            Inst::SetRemove { set, square } => self.set_remove(frame, set, square),
            Inst::Contains { dst, set, square } => self.contains_inst(frame, dst, set, square),
            Inst::Count { dst, set } => self.count_inst(frame, dst, set),
            Inst::Any { dst, set } => self.any_inst(frame, dst, set),
            Inst::NextMember { dst, set, after } => self.next_member(frame, dst, set, after),

            Inst::Shift { dst, src, dir } => self.leap_inst(frame, dst, src, dir, 1)?,
            Inst::Leap { dst, src, dir, count } => self.leap_inst(frame, dst, src, dir, count)?,
            Inst::Neighbours { dst, src, list } => self.neighbours_inst(frame, dst, src, list)?,
            Inst::Slide { dst, from, through, dir } => {
                self.slide_inst(frame, dst, (from, through), dir)?;
            }
            Inst::Rays { dst, from, through, list } => {
                self.rays_inst(frame, dst, (from, through), list)?;
            }
            Inst::Flood { dst, from, within, list } => {
                self.flood_inst(frame, dst, (from, within), list)?;
            }
            Inst::Line { dst, from, dir, count } => {
                self.line_inst(frame, dst, (from, dir), count)?;
            }
            Inst::Reach { dst, from, dir, count } => {
                self.reach_inst(frame, dst, (from, dir), count)?;
            }
            Inst::Axis { dst, from, dir } => self.axis_inst(frame, dst, from, dir)?,
            Inst::Between { dst, a, b } => self.between_inst(frame, dst, a, b)?,

            Inst::PathEmpty { dst } => self.path_empty(frame, dst),
            Inst::PathCopy { dst, src } => self.path_copy(frame, dst, src),
            Inst::PathPush { dst, src, item, of } => self.path_push(frame, dst, src, item, of),
            Inst::PathLen { dst, path } => self.path_len(frame, dst, path),
            Inst::PathItem { dst, path, index, of } => self.path_item(frame, dst, path, index, of),

            Inst::Call { func, ref args, result } => self.call(frame, func, args, result, depth)?,
            Inst::TryBegin => self.try_begin(slots[depth])?,
            Inst::TryEnd => self.try_end(slots[depth - 1])?,
            Inst::Emit { statement, ref args, weight } => {
                self.emit(frame, statement, args, weight)?;
            }
            Inst::EmitAll { statement, set, ref args } => {
                self.emit_all(frame, statement, set, args)?;
            }

            Inst::Outcome { kind, score } => self.outcome(frame, kind, score, place),
            Inst::Feature { index, value } => self.feature(frame, index, value),
            // Names are the interpreter's affair.
            Inst::Say { .. } => {}
            Inst::Irreversible => self.irreversible(depth),
            Inst::Next { player } => self.next_inst(frame, player, depth),

            Inst::Repeats { dst } => self.repeats_inst(frame, dst),
            Inst::Reply { dst, player } => self.reply(frame, dst, player)?,
            Inst::Side { dst } => self.context_number(frame, dst, SIDE),
            Inst::Depth { dst } => self.context_number(frame, dst, DEPTH),
        }
        Ok(())
    }
}
