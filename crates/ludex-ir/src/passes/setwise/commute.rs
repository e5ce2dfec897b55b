//! Whether the iterations of a loop may run in another order, or some of them
//! before others.
//!
//! They may if all they leave behind is moves listed, outcomes said and flags
//! set, and nothing that one does is looked at by another. A loop that is left
//! early may leave nothing else behind: who leaves first must not matter.

use std::collections::BTreeSet;

use super::code::Code;
use crate::inst::{Block, End, Inst, Reg, Var};
use crate::program::{Function, Program};
use crate::summary::Summaries;

/// Registers that outlive an iteration: assigned in it and looked at after it or by the next one.
pub(crate) fn carried(
    code: &Code<'_>,
    head: Block,
    assigned: &BTreeSet<Var>,
    except: &[Var],
) -> BTreeSet<Var> {
    let outlives = |var: &&Var| code.wanted(head, **var) && !except.contains(var);
    assigned.iter().filter(outlives).copied().collect()
}

/// Whether two blocks do the same.
pub(crate) fn same_code(function: &Function, a: Block, b: Block) -> bool {
    let (one, other) = (function.block(a), function.block(b));
    let insts = one.insts.iter().map(|it| &it.0).eq(other.insts.iter().map(|it| &it.0));
    a == b || insts && one.end.0 == other.end.0
}

/// Whether the iterations of a loop may run in another order. `except` are registers of the
/// loop's own control.
pub(crate) fn commutes(
    program: &Program,
    code: &Code<'_>,
    head: Block,
    blocks: &BTreeSet<Block>,
    leaves: &[(Block, Block)],
    except: &[Var],
) -> bool {
    let assigned = code.assigned(blocks);
    let carried = carried(code, head, &assigned, except);
    let shows = shows(program, code, blocks);
    let early = leaves.is_empty()
        || shows == Shows::Nothing
            && carried.is_empty()
            && leaves.iter().all(|&(_, to)| {
                !assigned.iter().any(|&var| code.wanted(to, var))
                    && same_code(code.function, leaves[0].1, to)
            });
    shows != Shows::TooMuch && early && carried.iter().all(|&var| is_flag(code, blocks, var))
}

/// Whether all that some blocks do to the state is undone by themselves.
pub(crate) fn keeps_state(program: &Program, code: &Code<'_>, blocks: &BTreeSet<Block>) -> bool {
    let mut summaries = None;
    let mut writes = false;
    for (inst, _) in blocks.iter().flat_map(|&block| &code.function.block(block).insts) {
        writes |= inst.writes_array().is_some();
        if let Inst::Call { func, .. } = inst {
            let summaries = summaries.get_or_insert_with(|| Summaries::of(program));
            if !summaries.function(*func).acts.is_empty() {
                return false;
            }
        }
    }
    !writes || undone(code, blocks)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shows {
    /// Nothing outside the registers.
    Nothing,
    /// Moves and outcomes.
    Lists,
    /// Something that cannot be put into another order.
    TooMuch,
}

fn shows(program: &Program, code: &Code<'_>, blocks: &BTreeSet<Block>) -> Shows {
    let insts = blocks.iter().flat_map(|&block| &code.function.block(block).insts);
    let mut tries = false;
    let mut writes = false;
    let mut shows = Shows::Nothing;
    let mut summaries = None;
    for (inst, _) in insts {
        let now = match inst {
            Inst::Emit { weight: Some(_), .. } => Shows::TooMuch,
            Inst::Emit { .. } | Inst::EmitAll { .. } | Inst::Outcome { .. } => Shows::Lists,
            Inst::Feature { .. }
            | Inst::Say { .. }
            | Inst::Irreversible
            | Inst::Next { .. }
            | Inst::PathPush { .. } => Shows::TooMuch,
            Inst::Call { func, .. } => {
                let summaries = summaries.get_or_insert_with(|| Summaries::of(program));
                let summary = summaries.function(*func);
                if summary.acts.is_empty() && !summary.features {
                    Shows::Lists
                } else {
                    Shows::TooMuch
                }
            }
            Inst::TryBegin | Inst::TryEnd => {
                tries = true;
                Shows::Lists
            }
            _ => {
                writes |= inst.writes_array().is_some();
                Shows::Nothing
            }
        };
        shows = shows.max(now);
    }
    // Writes are allowed only where all of them are undone.
    if writes && !(tries && undone(code, blocks)) { Shows::TooMuch } else { shows }
}

/// Whether every write of some blocks stands inside a `try` that begins in them.
fn undone(code: &Code<'_>, blocks: &BTreeSet<Block>) -> bool {
    let depths = crate::try_depth::TryDepth::of(code.function);
    let Some(outside) = blocks.iter().filter_map(|&it| depths.entry(it)).min() else {
        return false;
    };
    blocks.iter().all(|&block| {
        let Some(mut depth) = depths.entry(block) else { return false };
        code.function.block(block).insts.iter().all(|(inst, _)| {
            match inst {
                Inst::TryBegin => depth += 1,
                Inst::TryEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            inst.writes_array().is_none() || depth > outside
        })
    })
}

/// Whether a register is only ever given one and the same number, or only added to, and not
/// looked at.
pub(crate) fn is_flag(code: &Code<'_>, blocks: &BTreeSet<Block>, var: Var) -> bool {
    let Var::Int(reg) = var else { return false };
    let mut values = BTreeSet::new();
    let (mut sets, mut adds, mut uses) = (0, 0, code.uses(blocks, var));
    for &block in blocks {
        for (inst, _) in &code.function.block(block).insts {
            if inst.assigns() != Some(var) {
                continue;
            }
            match given(code, block, reg, inst) {
                Some(Given::Number(value)) => {
                    values.insert(value);
                    sets += 1;
                }
                Some(Given::Sum) => {
                    adds += 1;
                    uses -= 1;
                }
                None => return false,
            }
        }
    }
    uses == 0 && values.len() <= 1 && (sets == 0 || adds == 0)
}

enum Given {
    Number(i64),
    Sum,
}

fn given(code: &Code<'_>, block: Block, reg: Reg, inst: &Inst) -> Option<Given> {
    match *inst {
        Inst::Const { value, .. } => Some(Given::Number(value)),
        Inst::Copy { src, .. } => code.lasting(block, src).map(Given::Number),
        Inst::Binary { op: crate::inst::Binary::Add, a, b, .. } if (a == reg) != (b == reg) => {
            let other = if a == reg { b } else { a };
            code.lasting(block, other).map(|_| Given::Sum)
        }
        _ => None,
    }
}

/// How the blocks that some blocks lead to, inside a set of blocks, are reached.
pub(crate) fn reach(function: &Function, from: Block, blocks: &BTreeSet<Block>) -> BTreeSet<Block> {
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if blocks.contains(&block) && seen.insert(block) {
            work.extend(function.block(block).end.0.successors());
        }
    }
    seen
}

/// Whether a block ends by a branch, with its condition and sides.
pub(crate) fn branch(function: &Function, block: Block) -> Option<(Reg, Block, Block)> {
    match function.block(block).end.0 {
        End::Branch { cond, yes, no } => Some((cond, yes, no)),
        _ => None,
    }
}
