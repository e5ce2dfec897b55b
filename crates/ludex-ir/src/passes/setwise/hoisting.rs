//! Hoisting: what is the same for all members leaves a loop that stays a loop.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Code, MemberLoop};
use super::ops::is_pure;
use crate::inst::{Block, Inst, Var};
use crate::program::Function;

/// Moves instructions that are the same for all members in front of the loops over members.
pub(crate) fn hoist(function: &mut Function) {
    while let Some(moves) = movable(function) {
        for (block, index, to) in moves {
            let inst = function.block_mut(block).insts.remove(index);
            function.block_mut(to).insts.push(inst);
        }
    }
}

/// Instructions that can be moved, last ones of a block first: the block, the place in it, and
/// the block at whose end they belong.
fn movable(function: &Function) -> Option<Vec<(Block, usize, Block)>> {
    let code = Code::of(function);
    let times = assignments(function);
    let loops = code.loops.all().iter().filter_map(|it| MemberLoop::of(&code, it));
    loops.into_iter().find_map(|it| {
        let assigned = code.assigned(&it.blocks);
        let writes = it.blocks.iter().any(|&block| {
            let mut insts = function.block(block).insts.iter();
            insts.any(|(inst, _)| {
                inst.writes_array().is_some()
                    || matches!(inst, Inst::Call { .. } | Inst::TryBegin | Inst::TryEnd)
            })
        });
        let mut moves = Vec::new();
        for &block in &it.blocks {
            for (index, (inst, _)) in function.block(block).insts.iter().enumerate().rev() {
                let Some(dst) = inst.assigns() else { continue };
                let changes = inst.changes_in_place();
                let looks = writes && inst.reads_array().is_some();
                let uses = |var: &Var| {
                    let own = [Var::from(it.member), Var::from(it.set)];
                    assigned.contains(var) || own.contains(var)
                };
                let once = times.get(&dst) == Some(&1) && !code.wanted(it.head, dst);
                let same = is_pure(inst) && !changes && !looks && !inst.uses().iter().any(uses);
                if same && once {
                    moves.push((block, index, it.entry));
                }
            }
        }
        (!moves.is_empty()).then_some(moves)
    })
}

/// How often each register is assigned; parameters once more.
fn assignments(function: &Function) -> BTreeMap<Var, usize> {
    let reached: BTreeSet<Block> =
        super::super::loops::reverse_postorder(function).into_iter().collect();
    let mut times: BTreeMap<Var, usize> = function.params.iter().map(|&it| (it, 1)).collect();
    for block in reached {
        for (inst, _) in &function.block(block).insts {
            if let Some(var) = inst.assigns() {
                *times.entry(var).or_default() += 1;
            }
        }
    }
    times
}
