//! What a move writes, as a list.

/// One change of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// The cell gets the value.
    Set(usize, i64),
    /// The value is added, stopping at the ends of the cell's domain.
    Add(usize, i64),
}

impl Write {
    /// The cell that changes.
    pub const fn cell(self) -> usize {
        match self {
            Self::Set(cell, _) | Self::Add(cell, _) => cell,
        }
    }
}

/// Adds a write to a list that has at most one entry for each cell, where two
/// additions of opposite sign stay apart: the first may have stopped at an end.
pub fn record(writes: &mut Vec<Write>, new: Write, lo: i64, hi: i64) {
    let last = writes.iter().rposition(|it| it.cell() == new.cell());
    let Some(last) = last else { return writes.push(new) };
    match (writes[last], new) {
        (_, Write::Set(cell, value)) => {
            writes[last] = Write::Set(cell, value);
            let mut index = 0;
            writes.retain(|it| {
                index += 1;
                it.cell() != cell || index == last + 1
            });
        }
        (Write::Set(cell, value), Write::Add(_, delta)) => {
            writes[last] = Write::Set(cell, value.saturating_add(delta).clamp(lo, hi));
        }
        (Write::Add(cell, old), Write::Add(_, delta)) if (old < 0) == (delta < 0) => {
            writes[last] = Write::Add(cell, old.saturating_add(delta));
        }
        (Write::Add(..), Write::Add(..)) => writes.push(new),
    }
}
