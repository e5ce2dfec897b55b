//! The operands of a move: from registers into sixteen bytes and back.
//!
//! The same bits as [`Program::pack`](ludex_ir::Program::pack), read and written without
//! a list in between. Bits that come from elsewhere may say anything: what they
//! say is read as some number, and a path as no longer than it can be.

use ludex_ir::moves::{NUMBER_BITS, PATH_LENGTH_BITS, Path, Value};
use ludex_ir::{OperandKind, PackedMove, StatementId};

use crate::tables::Tables;

/// Half of the numbers that an operand can hold.
const NUMBER_HALF: i64 = 1 << (NUMBER_BITS - 1);

/// A move being packed.
pub(crate) struct Packer {
    bits: u128,
    shift: u32,
}

impl Packer {
    pub(crate) fn new(statement: StatementId) -> Self {
        Self { bits: u128::from(statement.0 & 0xff), shift: 8 }
    }

    /// Adds a number; `None` if it is too large.
    #[inline]
    pub(crate) fn int(&mut self, kind: OperandKind, width: u32, value: i64) -> Option<()> {
        let raw = match kind {
            OperandKind::Bool => i64::from(value != 0),
            OperandKind::Number => value.checked_add(NUMBER_HALF)?,
            _ => value.checked_add(1)?,
        };
        if raw < 0 || raw >= 1 << width {
            return None;
        }
        self.bits |= (raw as u128).checked_shl(self.shift)?;
        self.shift += width;
        Some(())
    }

    /// Adds a path.
    pub(crate) fn path(&mut self, width: u32, path: Path) -> Option<()> {
        self.bits |= u128::from(path.len).checked_shl(self.shift)?;
        self.bits |= path.items.checked_shl(self.shift + PATH_LENGTH_BITS)?;
        self.shift += PATH_LENGTH_BITS + u32::from(path.len) * width;
        Some(())
    }

    pub(crate) fn finish(self) -> PackedMove {
        PackedMove(self.bits)
    }
}

/// Calls `visit` with each operand of a move of `statement`.
pub(crate) fn unpack(
    tables: &Tables,
    statement: StatementId,
    mv: PackedMove,
    mut visit: impl FnMut(usize, Value),
) {
    let mut shift = 8;
    let field = |shift: u32, width: u32| {
        mv.0.checked_shr(shift).unwrap_or(0)
            & (1_u128.checked_shl(width).unwrap_or(0).wrapping_sub(1))
    };
    for (index, &(kind, width)) in tables.operands[statement.0 as usize].iter().enumerate() {
        if let Some(shape) = tables.operand_path(kind) {
            let len = (field(shift, PATH_LENGTH_BITS) as usize).min(shape.capacity);
            shift += PATH_LENGTH_BITS;
            let used = len as u32 * width;
            let items = field(shift, used);
            shift += used;
            visit(index, Value::Path(Path { len: len as u8, items }));
        } else {
            let raw = field(shift, width) as i64;
            shift += width;
            visit(
                index,
                Value::Int(match kind {
                    OperandKind::Bool => raw,
                    OperandKind::Number => raw - NUMBER_HALF,
                    _ => raw - 1,
                }),
            );
        }
    }
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
