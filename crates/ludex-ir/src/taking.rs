//! On which squares a move may take a man, told from its packed choices alone.
//!
//! A search looks at captures first, and must know them before it plays them. The effect of a
//! statement writes to the board: if it writes only to squares that are operands, these are the
//! squares to look at. What writes elsewhere (to what it reckons, to whole sets) is not known.

use std::collections::BTreeMap;

use crate::inst::{BOARD, Inst, Reg, Var};
use crate::moves::PackedMove;
use crate::program::{Function, OperandKind, Program, Statement};
use crate::summary::Summaries;

/// For each statement of a program the squares on which it may take a man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taking {
    statements: Vec<Option<Vec<Field>>>,
}

/// Where a square lies in a packed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    shift: u32,
    width: u32,
}

impl Taking {
    /// Reads the effects of a program's statements.
    pub fn of(program: &Program) -> Self {
        let summaries = Summaries::of(program);
        let fields = |statement: &Statement| {
            if statement.quiet {
                return Some(Vec::new());
            }
            let written = written(program.effect(statement), &summaries)?;
            Some(fields(program, statement, &written))
        };
        Self { statements: program.statements.iter().map(fields).collect() }
    }

    /// The squares on which a move may take a man; `None` if that is not known.
    pub fn squares(&self, mv: PackedMove) -> Option<impl Iterator<Item = usize>> {
        let fields = self.statements.get((mv.0 & 0xff) as usize)?.as_ref()?;
        Some(fields.iter().filter_map(move |field| {
            let raw = (mv.0 >> field.shift) as usize & ((1 << field.width) - 1);
            raw.checked_sub(1)
        }))
    }
}

/// The operands, by number, on whose squares an effect writes; `None` if it writes elsewhere too.
fn written(effect: &Function, summaries: &Summaries) -> Option<Vec<usize>> {
    let operands = operands(effect);
    let mut written = Vec::new();
    for (inst, _) in effect.blocks.iter().flat_map(|block| &block.insts) {
        match *inst {
            Inst::Store { array: BOARD, index: Some(square), .. } => {
                written.push(*operands.get(&square)?);
            }
            Inst::Call { func, .. } if summaries.function(func).acts.writes.contains(&BOARD) => {
                return None;
            }
            _ if inst.writes_array() == Some(BOARD) => return None,
            _ => {}
        }
    }
    written.sort_unstable();
    written.dedup();
    Some(written)
}

/// The registers that always hold an operand, and which.
fn operands(effect: &Function) -> BTreeMap<Reg, usize> {
    let params = effect.params.iter().skip(1).enumerate();
    let mut held: BTreeMap<Reg, Option<usize>> = params
        .filter_map(
            |(number, &var)| if let Var::Int(reg) = var { Some((reg, Some(number))) } else { None },
        )
        .collect();
    for (inst, _) in effect.blocks.iter().flat_map(|block| &block.insts) {
        if let Some(Var::Int(dst)) = inst.assigns() {
            let copied = match *inst {
                Inst::Copy { src, .. } => held.get(&src).copied().flatten(),
                _ => None,
            };
            held.entry(dst).and_modify(|it| *it = None).or_insert(copied);
        }
    }
    held.into_iter().filter_map(|(reg, number)| Some((reg, number?))).collect()
}

/// Where the squares among these operands lie in a packed move.
fn fields(program: &Program, statement: &Statement, wanted: &[usize]) -> Vec<Field> {
    let mut shift = 8;
    let mut fields = Vec::new();
    for (number, operand) in statement.operands.iter().enumerate() {
        let width = program.operand_bits(operand.kind);
        if operand.kind == OperandKind::Square && wanted.contains(&number) {
            fields.push(Field { shift, width });
        }
        shift += width;
    }
    fields
}
