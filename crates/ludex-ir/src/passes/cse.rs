//! Common-subexpression elimination: what has been computed already is not computed again.
//!
//! It is looked at registers that have one value only (see
//! [`webs`](super::webs)): if an instruction on such registers stands where
//! every way passes an equal one, it becomes a copy. Within a block, registers
//! need only keep their values from one to the other. Equal questions to the
//! state have equal answers in functions that never write.

use std::collections::HashMap;

use super::dead_code::is_removable;
use super::edit::copy;
use super::liveness::{Dense, assignments};
use super::loops::{Dominators, reverse_postorder};
use crate::inst::{Block, Inst, PathReg, Reg, SetReg, Var};
use crate::operands::Access;
use crate::program::Function;

/// Turns instructions that repeat others into copies; whether there were any.
pub fn share(function: &mut Function) -> bool {
    let dense = Dense::of(function);
    let counts = assignments(function);
    let single = |var: Var| counts[dense.index(var)] == 1;
    let steady = function.blocks.iter().flat_map(|it| &it.insts).all(|(it, _)| keeps_state(it));
    let dominators = Dominators::of(function);
    let mut known: HashMap<Inst, Vec<(Block, Var)>> = HashMap::new();
    let mut changed = share_in_blocks(function, steady);
    for block in reverse_postorder(function) {
        for index in 0..function.block(block).insts.len() {
            let inst = &function.block(block).insts[index].0;
            let Some(dst) = inst.assigns().filter(|&it| single(it)) else { continue };
            if !is_shareable(inst, steady) || !inst.uses().into_iter().all(single) {
                continue;
            }
            let equals = known.entry(nameless(inst)).or_default();
            match equals.iter().find(|it| dominators.dominates(it.0, block)) {
                Some(&(_, same)) => {
                    let Some(copy) = copy(dst, same) else { continue };
                    function.block_mut(block).insts[index].0 = copy;
                    changed = true;
                }
                None => equals.push((block, dst)),
            }
        }
    }
    changed
}

/// The same within each block; whether there was anything.
fn share_in_blocks(function: &mut Function, steady: bool) -> bool {
    let mut changed = false;
    for block in &mut function.blocks {
        let mut known: Vec<(Inst, Var)> = Vec::new();
        for (inst, _) in &mut block.insts {
            let Some(dst) = inst.assigns() else { continue };
            let key = is_shareable(inst, steady).then(|| nameless(inst));
            let equal = key.as_ref().and_then(|key| known.iter().find(|it| it.0 == *key));
            let shared = equal.and_then(|&(_, same)| copy(dst, same).filter(|_| same != dst));
            // What is made from the register, or kept in it, is lost.
            known.retain(|(made, kept)| *kept != dst && !made.uses().contains(&dst));
            match (shared, key) {
                (Some(copy), _) => {
                    *inst = copy;
                    changed = true;
                }
                (None, Some(key)) if !key.uses().contains(&dst) => known.push((key, dst)),
                _ => {}
            }
        }
    }
    changed
}

fn is_shareable(inst: &Inst, steady: bool) -> bool {
    let trivial = matches!(
        inst,
        Inst::Const { .. }
            | Inst::Copy { .. }
            | Inst::SetCopy { .. }
            | Inst::PathCopy { .. }
            | Inst::SetInsert { .. }
            | Inst::SetRemove { .. }
    );
    let asks_state =
        inst.reads_array().is_some() || matches!(inst, Inst::Repeats { .. } | Inst::Reply { .. });
    is_removable(inst) && !trivial && (steady || !asks_state)
}

/// Whether the state is the same after an instruction as before it.
fn keeps_state(inst: &Inst) -> bool {
    let other = matches!(inst, Inst::TryBegin | Inst::TryEnd | Inst::Call { .. });
    !other && inst.writes_array().is_none()
}

/// The instruction without the register that it assigns.
pub(crate) fn nameless(inst: &Inst) -> Inst {
    let mut inst = inst.clone();
    inst.rename(|access, var| match (access, var) {
        (Access::Assigns, Var::Int(_)) => Reg(0).into(),
        (Access::Assigns, Var::Set(_)) => SetReg(0).into(),
        (Access::Assigns, Var::Path(_)) => PathReg(0).into(),
        _ => var,
    });
    inst
}
