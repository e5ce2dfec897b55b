//! The operands of a move, with the shapes that the tables know.

use ludex_ir::moves::{Value, unpack_operands};
use ludex_ir::{PackedMove, StatementId};

use crate::tables::Tables;

/// Calls `visit` with each operand of a move of `statement`.
pub(crate) fn unpack(
    tables: &Tables,
    statement: StatementId,
    mv: PackedMove,
    visit: impl FnMut(usize, Value),
) {
    let operands = tables.operands[statement.0 as usize].iter().copied();
    let capacity = |kind| tables.operand_path(kind).map_or(0, |shape| shape.capacity);
    unpack_operands(mv, operands, capacity, visit);
}

/// How twins are ordered: shorter paths first, then by their elements from the first on, then by
/// the rest of the move.
pub(crate) fn twin_order(tables: &Tables, mv: PackedMove) -> (u8, u128, u128) {
    let id = StatementId((mv.0 & 0xff) as u16);
    let (mut len, mut items) = (0, 0);
    if let Some(operands) = tables.operands.get(id.0 as usize) {
        unpack(tables, id, mv, |index, value| {
            if let Value::Path(path) = value {
                let width = operands[index].1;
                len = path.len;
                // First element highest, so that numbers compare as the lists do.
                items = (0..path.len as usize)
                    .filter_map(|it| path.item(it, width))
                    .fold(0, |items, item| items << width | item as u128);
            }
        });
    }
    (len, items, mv.0)
}
