//! The list of what a move writes, as [`ludex_interp::RulesGame::effect_writes`] makes it.

use ludex_interp::Write;

/// Adds a write to a list that has at most one entry for each cell, where two
/// additions of opposite sign stay apart: the first may have stopped at an end.
pub(crate) fn record(writes: &mut Vec<Write>, new: Write, lo: i64, hi: i64) {
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
