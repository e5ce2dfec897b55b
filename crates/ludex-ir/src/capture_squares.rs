//! On which squares a move may capture, told from its packed choices alone.
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
pub struct CaptureSquares {
    statements: Vec<Option<Vec<Field>>>,
}

/// Where a square lies in a packed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    shift: u32,
    width: u32,
}

impl CaptureSquares {
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
    let insts = || effect.blocks.iter().flat_map(|block| &block.insts).map(|(inst, _)| inst);
    // A parameter is assigned by the call. First of all, for what is assigned again further down may
    // come round in a loop.
    let mut assigned: BTreeMap<Var, usize> = effect.params.iter().map(|&var| (var, 1)).collect();
    for var in insts().filter_map(Inst::assigns) {
        *assigned.entry(var).or_default() += 1;
    }
    let is_once = |reg: Reg| assigned.get(&reg.into()) == Some(&1);
    let params = effect.params.iter().skip(1).enumerate();
    let mut held: BTreeMap<Reg, usize> = params
        .filter_map(|(number, &var)| match var {
            Var::Int(reg) if is_once(reg) => Some((reg, number)),
            _ => None,
        })
        .collect();
    for inst in insts() {
        if let Inst::Copy { dst, src } = *inst
            && let Some(&number) = held.get(&src).filter(|_| is_once(dst))
        {
            held.insert(dst, number);
        }
    }
    held
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
