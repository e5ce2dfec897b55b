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
        let mut bits = u128::from(statement.0 & 0xff);
        let mut shift = 8;
        for (operand, value) in self.statements[statement.0 as usize].operands.iter().zip(values) {
            let width = self.operand_bits(operand.kind);
            match *value {
                Value::Int(value) => {
                    let raw = if operand.kind == OperandKind::Bool {
                        i64::from(value != 0)
                    } else if operand.kind == OperandKind::Number {
                        value + (1 << (NUMBER_BITS - 1))
                    } else {
                        value + 1
                    };
                    if raw < 0 || raw >= 1 << width {
                        return None;
                    }
                    bits |= (raw as u128) << shift;
                    shift += width;
                }
                Value::Path(path) => {
                    bits |= u128::from(path.len) << shift;
                    bits |= path.items << (shift + PATH_LENGTH_BITS);
                    shift += PATH_LENGTH_BITS + u32::from(path.len) * width;
                }
            }
        }
        Some(PackedMove(bits))
    }

    /// The statement of a move, if the program has it.
    pub fn statement_of(&self, mv: PackedMove) -> Option<(StatementId, &Statement)> {
        let id = (mv.0 & 0xff) as u16;
        Some((StatementId(id), self.statements.get(id as usize)?))
    }

    /// The operands of a move, in the order of its statement.
    pub fn unpack(&self, mv: PackedMove) -> Vec<Value> {
        let Some((_, statement)) = self.statement_of(mv) else { return Vec::new() };
        let mut shift = 8;
        let mut values = Vec::with_capacity(statement.operands.len());
        for operand in &statement.operands {
            let width = self.operand_bits(operand.kind);
            if operand.kind.is_path() {
                let len = (shifted(mv.0, shift) & ((1 << PATH_LENGTH_BITS) - 1)) as u8;
                let used = (u32::from(len) * width).min(127 - PATH_LENGTH_BITS - 8);
                let items = shifted(mv.0, shift + PATH_LENGTH_BITS) & ((1_u128 << used) - 1);
                values.push(Value::Path(Path { len, items }));
                shift += PATH_LENGTH_BITS + used;
            } else {
                let raw = (shifted(mv.0, shift) & ((1 << width) - 1)) as i64;
                values.push(Value::Int(match operand.kind {
                    OperandKind::Bool => raw,
                    OperandKind::Number => raw - (1 << (NUMBER_BITS - 1)),
                    _ => raw - 1,
                }));
                shift += width;
            }
        }
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
