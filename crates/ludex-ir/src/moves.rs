//! A move: the statement that made it and its packed choices, in 16 bytes.
//!
//! Bits 0 to 7 are the statement. The operands follow from bit 8 on, in the
//! order of the statement, each in the width its kind needs; a path comes last
//! as six bits of length and its elements.

use crate::program::{OperandKind, Program, Statement};
use crate::{Function, StatementId};

/// One move of a game given by rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedMove(pub u128);

/// Bits for operands.
pub const OPERAND_BITS: u32 = 120;
/// Bits for the length of a path.
pub const PATH_LENGTH_BITS: u32 = 6;
/// Bits for a whole number.
pub const NUMBER_BITS: u32 = 16;

/// A path: its elements, first in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Path {
    /// How many elements there are.
    pub len: u8,
    /// The elements, each `bits` wide as the program says.
    pub items: u128,
}

impl Path {
    /// The element at `index`, each being `bits` wide.
    pub fn item(self, index: usize, bits: u32) -> Option<i64> {
        // A length read from outside may promise more than there is room for.
        let shift = u32::try_from(index).ok()?.checked_mul(bits)?;
        (index < self.len as usize).then(|| (shifted(self.items, shift) & ((1 << bits) - 1)) as i64)
    }

    /// The path with one element more, if it still has room in `capacity` elements.
    #[must_use]
    pub fn push(self, item: i64, bits: u32, capacity: usize) -> Option<Self> {
        if self.len as usize >= capacity || item < 0 || item >= 1 << bits {
            return None;
        }
        let items = self.items | (item as u128) << (u32::from(self.len) * bits);
        Some(Self { len: self.len + 1, items })
    }
}

/// `bits >> shift`, and 0 for shifts past the end.
fn shifted(bits: u128, shift: u32) -> u128 {
    bits.checked_shr(shift).unwrap_or(0)
}

/// The value of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, square, kind ...
    Int(i64),
    /// A path.
    Path(Path),
}

/// Half of the numbers that an operand can hold.
const NUMBER_HALF: i64 = 1 << (NUMBER_BITS - 1);

/// A move being packed.
#[derive(Clone, Copy, Debug)]
pub struct Packer {
    bits: u128,
    shift: u32,
}

impl Packer {
    /// A move of a statement, without operands.
    pub fn new(statement: StatementId) -> Self {
        Self { bits: u128::from(statement.0 & 0xff), shift: 8 }
    }

    /// Adds a number; `None` if it is too large.
    #[inline]
    pub fn int(&mut self, kind: OperandKind, width: u32, value: i64) -> Option<()> {
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

    /// Adds a path; `None` if there is no room.
    pub fn path(&mut self, width: u32, path: Path) -> Option<()> {
        self.bits |= u128::from(path.len).checked_shl(self.shift)?;
        self.bits |= path.items.checked_shl(self.shift + PATH_LENGTH_BITS)?;
        self.shift += PATH_LENGTH_BITS + u32::from(path.len) * width;
        Some(())
    }

    /// The move.
    pub fn finish(self) -> PackedMove {
        PackedMove(self.bits)
    }
}

/// Calls `visit` with each operand of a move, of the given kinds and widths. Bits that come from
/// elsewhere may say anything: what they say is read as some number, and a path as no longer than
/// its kind has `capacity` for.
#[inline]
pub fn unpack_operands(
    mv: PackedMove,
    operands: impl Iterator<Item = (OperandKind, u32)>,
    capacity: impl Fn(OperandKind) -> usize,
    mut visit: impl FnMut(usize, Value),
) {
    let field = |shift: u32, width: u32| {
        shifted(mv.0, shift) & 1_u128.checked_shl(width).unwrap_or(0).wrapping_sub(1)
    };
    let mut shift = 8;
    for (index, (kind, width)) in operands.enumerate() {
        if kind.is_path() {
            let len = (field(shift, PATH_LENGTH_BITS) as usize).min(capacity(kind));
            shift += PATH_LENGTH_BITS;
            let used = len as u32 * width;
            visit(index, Value::Path(Path { len: len as u8, items: field(shift, used) }));
            shift += used;
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

impl Program {
    /// How many bits an operand of this kind takes in a move (a path: one element).
    pub fn operand_bits(&self, kind: OperandKind) -> u32 {
        let values = match kind {
            OperandKind::Bool => 2,
            OperandKind::Square => self.squares + 1,
            OperandKind::Direction => self.geometry.directions.len() + 1,
            OperandKind::Directions => self.geometry.lists.len() + 1,
            OperandKind::Kind => self.kinds.len() + 1,
            OperandKind::Player => self.players.len() + 1,
            OperandKind::Number => return NUMBER_BITS,
            OperandKind::PathOfSquares => self.squares,
            OperandKind::PathOfDirections => self.geometry.directions.len(),
        };
        usize::BITS - (values.max(2) - 1).leading_zeros()
    }

    /// How many elements a path may have, of the given element width. It is the
    /// same everywhere in a program, so that a path never grows past what a
    /// move can hold: the statement with the least room decides.
    pub fn path_capacity(&self, kind: OperandKind) -> usize {
        let bits = self.operand_bits(kind);
        self.statements
            .iter()
            .filter(|it| it.operands.iter().any(|operand| operand.kind == kind))
            .map(|it| {
                let others: u32 = it
                    .operands
                    .iter()
                    .filter(|operand| !operand.kind.is_path())
                    .map(|operand| self.operand_bits(operand.kind))
                    .sum();
                OPERAND_BITS.saturating_sub(others + PATH_LENGTH_BITS) / bits
            })
            .min()
            .unwrap_or(OPERAND_BITS / bits)
            .min((1 << PATH_LENGTH_BITS) - 1) as usize
    }

    /// Packs a move; `None` if a number is too large for it.
    pub fn pack(&self, statement: StatementId, values: &[Value]) -> Option<PackedMove> {
        let mut packer = Packer::new(statement);
        for (operand, value) in self.statements[statement.0 as usize].operands.iter().zip(values) {
            let width = self.operand_bits(operand.kind);
            match *value {
                Value::Int(value) => packer.int(operand.kind, width, value)?,
                Value::Path(path) => packer.path(width, path)?,
            }
        }
        Some(packer.finish())
    }

    /// The statement of a move, if the program has it.
    pub fn statement_of(&self, mv: PackedMove) -> Option<(StatementId, &Statement)> {
        let id = (mv.0 & 0xff) as u16;
        Some((StatementId(id), self.statements.get(id as usize)?))
    }

    /// The operands of a move, in the order of its statement.
    pub fn unpack(&self, mv: PackedMove) -> Vec<Value> {
        let Some((_, statement)) = self.statement_of(mv) else { return Vec::new() };
        let mut values = Vec::with_capacity(statement.operands.len());
        let operands = statement.operands.iter().map(|it| (it.kind, self.operand_bits(it.kind)));
        unpack_operands(mv, operands, |_| usize::MAX, |_, value| values.push(value));
        values
    }

    /// The squares among the operands of a move, but for those on a path.
    pub fn squares_of(&self, mv: PackedMove) -> impl Iterator<Item = u16> {
        let operands = self.statement_of(mv).map_or(&[][..], |it| &it.1.operands);
        let single = operands.iter().take_while(|it| !it.kind.is_path());
        single
            .scan(8, move |shift, operand| {
                let width = self.operand_bits(operand.kind);
                let raw = shifted(mv.0, *shift) & ((1 << width) - 1);
                *shift += width;
                Some((operand.kind == OperandKind::Square).then_some(raw))
            })
            .filter_map(|raw| u16::try_from(raw?.checked_sub(1)?).ok())
    }

    /// The function that carries out a statement.
    pub fn effect(&self, statement: &Statement) -> &Function {
        &self.functions[statement.effect.0 as usize]
    }
}
