//! Whether code can be at fault.
//!
//! A cell that gets a value outside its domain, or a path that grows too long, is a
//! fault of the file. Code that can meet one must run where the file says so: it cannot be
//! left out because nothing uses what it does. (How long code runs is another matter, and
//! left out here.)

use super::range::Range;
use super::range_analysis::{Known, RangeAnalysis};
use super::reached;
use crate::inst::{ArrayId, BOARD, Func, Inst, Reg, Var};
use crate::program::{Function, OperandKind, Program, Statement};

/// Whether the effect of a statement, with all that it calls, may meet a fault.
pub fn may_fault(program: &Program, effect: Func, statement: &Statement) -> bool {
    reached(program, &[effect]).into_iter().any(|func| {
        let function = program.function(func);
        let squares = if func == effect { squares(function, statement) } else { Vec::new() };
        meets_fault(program, function, &squares)
    })
}

/// The registers in which an effect has squares that are operands of its statement.
fn squares(effect: &Function, statement: &Statement) -> Vec<Reg> {
    let insts = effect.blocks.iter().flat_map(|it| &it.insts);
    let assigned: Vec<Var> = insts.filter_map(|(inst, _)| inst.assigns()).collect();
    let operands = effect.params.iter().skip(1).zip(&statement.operands);
    let squares = operands.filter_map(|(&var, operand)| match (var, operand.kind) {
        (Var::Int(reg), OperandKind::Square) => Some(reg),
        _ => None,
    });
    squares.filter(|&reg| !assigned.contains(&reg.into())).collect()
}

fn meets_fault(program: &Program, function: &Function, squares: &[Reg]) -> bool {
    let facts = RangeAnalysis::of(program, function);
    let square = Range { lo: -1, hi: program.squares as i64 - 1 };
    function.all_blocks().any(|block| {
        // Of a block that is never reached nothing is known, and nothing done.
        let Some(mut known) = facts.entry(block) else { return false };
        for &Reg(reg) in squares {
            let before = known[reg as usize];
            known[reg as usize] = before.meet(square).unwrap_or(before);
        }
        function.block(block).insts.iter().any(|(inst, _)| {
            let is_fault = is_fault(program, inst, &known);
            facts.step(inst, &mut known);
            is_fault
        })
    })
}

/// Whether an instruction may be a fault, given what is known of the numbers it looks at.
fn is_fault(program: &Program, inst: &Inst, known: &Known) -> bool {
    let fits = |array: ArrayId, value: Reg| {
        let array = &program.arrays[array.0 as usize];
        known[value.0 as usize].is_within(Range { lo: array.lo, hi: array.hi })
    };
    match *inst {
        Inst::Store { array, value, .. } => !fits(array, value),
        Inst::StoreAll { value, .. } => !fits(BOARD, value),
        Inst::PathPush { .. } => true,
        _ => false,
    }
}
