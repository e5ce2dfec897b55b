//! The size of a set compared with a number.
//!
//! The size itself depends on every square. That it is at least *n* depends on
//! *n* squares that are there; that it is at most *n*, on squares that are not.
//! So a comparison looks back at the set whose size it compares, as long as
//! both stand in one block: then nothing can have come between them.

use ludex_ir::{Binary, Reg};

use crate::label::Label;
use crate::set::LabelledSet;

use super::{Frame, Machine};

impl Frame {
    /// The set whose size a register was given in the present block.
    pub(super) fn counted(&self, reg: Reg) -> Option<&LabelledSet> {
        self.counted.iter().find(|it| it.0 == reg).map(|it| &it.1)
    }
}

impl Machine<'_> {
    /// What a comparison depends on if one side, and one only, is the size of a set.
    pub(super) fn compared(&mut self, frame: &Frame, op: Binary, a: Reg, b: Reg) -> Option<Label> {
        if frame.counted.is_empty() {
            return None;
        }
        let (set, reg, other) = match (frame.counted(a), frame.counted(b)) {
            (Some(set), None) => (set, a, b),
            (None, Some(set)) => (set, b, a),
            _ => return None,
        };
        let (size, (number, label)) = (frame.int(reg).0, frame.int(other));
        // The least and the greatest size that would give the same answer.
        let (least, most) = match op {
            Binary::Eq | Binary::Ne if size == number => (size, size),
            Binary::Eq | Binary::Ne if size > number => (number.saturating_add(1), i64::MAX),
            Binary::Eq | Binary::Ne => (0, number.saturating_sub(1)),
            Binary::Lt if reg == a && size < number => (0, number.saturating_sub(1)),
            Binary::Lt if reg == a => (number, i64::MAX),
            Binary::Lt if number < size => (number.saturating_add(1), i64::MAX),
            Binary::Lt => (0, number),
            Binary::Le if reg == a && size <= number => (0, number),
            Binary::Le if reg == a => (number.saturating_add(1), i64::MAX),
            Binary::Le if number <= size => (number, i64::MAX),
            Binary::Le => (0, number.saturating_sub(1)),
            _ => return None,
        };
        let labels = &mut self.labels;
        let why = if least == most {
            set.total(labels)
        } else if most == i64::MAX {
            set.at_least(least.max(0) as usize, labels)
        } else {
            set.at_most(most as usize, self.code.board.squares, labels)
        };
        Some(labels.union(label, why))
    }
}
