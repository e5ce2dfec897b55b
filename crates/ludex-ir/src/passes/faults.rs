//! Whether code can be at fault.
//!
//! A cell that gets a value outside its domain, or a path that grows too long, is a
//! fault of the file. Code that can meet one must run where the file says so: it cannot be
//! left out because nobody looks at what it does. (How long code runs is another matter, and
//! left out here.)

use super::facts::{Facts, Known};
use super::range::Range;
use super::reached;
use crate::inst::{ArrayId, BOARD, Func, Inst, Reg};
use crate::program::{Function, Program};

/// Whether a function, with all that it calls, may meet a fault.
pub fn may_fault(program: &Program, func: Func) -> bool {
    reached(program, &[func]).into_iter().any(|it| meets_fault(program, program.function(it)))
}

fn meets_fault(program: &Program, function: &Function) -> bool {
    let facts = Facts::of(program, function);
    function.all_blocks().any(|block| {
        // Of a block that is never reached nothing is known, and nothing done.
        let Some(mut known) = facts.entry(block) else { return false };
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
