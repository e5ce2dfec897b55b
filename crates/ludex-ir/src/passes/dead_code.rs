//! Dead-code elimination: instructions whose result is not used go, and registers are renumbered.
//!
//! First, registers that matter to nothing but each other: a register is
//! *needed* if an instruction that does something looks at it, or one that
//! assigns a needed register. Then, along the graph, assignments that are
//! overwritten before anybody looks.

use super::liveness::{BitSet, Dense, Liveness, before, before_end};
use crate::inst::{Inst, PathReg, Reg, SetReg, Var};
use crate::program::Function;

/// Whether an instruction does no more than give a register its value: it cannot fault either,
/// so that it may be left out.
pub fn is_removable(inst: &Inst) -> bool {
    let only_value = !matches!(inst, Inst::Call { .. } | Inst::PathPush { .. });
    only_value && inst.assigns().is_some()
}

/// Takes dead instructions out; whether there were any.
pub fn remove(function: &mut Function) -> bool {
    let size = function.size();
    remove_unneeded(function);
    remove_overwritten(function);
    function.size() != size
}

fn remove_unneeded(function: &mut Function) {
    let needed = needed(function);
    let dense = Dense::of(function);
    for block in &mut function.blocks {
        block.insts.retain(|(inst, _)| {
            let wanted = inst.assigns().is_none_or(|var| needed.contains(dense.index(var)));
            wanted || !is_removable(inst)
        });
    }
}

fn needed(function: &Function) -> BitSet {
    let dense = Dense::of(function);
    let mut needed = BitSet::new(dense.len());
    let mut makers: Vec<Vec<&Inst>> = vec![Vec::new(); dense.len()];
    let mut work: Vec<Var> = function.result.into_iter().collect();
    for block in &function.blocks {
        for (inst, _) in &block.insts {
            match inst.assigns() {
                Some(var) if is_removable(inst) => makers[dense.index(var)].push(inst),
                _ => work.extend(inst.uses()),
            }
        }
        work.extend(block.end.0.uses());
    }
    while let Some(var) = work.pop() {
        let index = dense.index(var);
        if !needed.contains(index) {
            needed.insert(index);
            work.extend(makers[index].iter().flat_map(|inst| inst.uses()));
        }
    }
    needed
}

fn remove_overwritten(function: &mut Function) {
    let live = Liveness::of(function);
    for block in function.all_blocks() {
        let mut wanted = live.exit(block).clone();
        before_end(live.dense, function, &function.block(block).end.0, &mut wanted);
        let mut kept = Vec::new();
        for (inst, place) in std::mem::take(&mut function.block_mut(block).insts).into_iter().rev()
        {
            let looked_at = inst.assigns().is_none_or(|it| wanted.contains(live.dense.index(it)));
            if looked_at || !is_removable(&inst) {
                before(live.dense, &inst, &mut wanted);
                kept.push((inst, place));
            }
        }
        kept.reverse();
        function.block_mut(block).insts = kept;
    }
}

/// Numbers the registers that are used without gaps, parameters first.
pub fn renumber(function: &mut Function) {
    let dense = Dense::of(function);
    let mut names = Names { dense, new: vec![None; dense.len()], ints: 0, sets: 0, paths: 0 };
    for param in &mut function.params {
        *param = names.name(*param);
    }
    for block in &mut function.blocks {
        block.insts.iter_mut().for_each(|(inst, _)| inst.rename_all(|var| names.name(var)));
        block.end.0.rename(|var| names.name(var));
    }
    function.result = function.result.map(|var| names.name(var));
    function.names.retain_mut(|(var, _)| {
        let known = names.new[dense.index(*var)];
        *var = known.unwrap_or(*var);
        known.is_some()
    });
    function.names.sort();
    function.names.dedup_by_key(|it| it.0);
    (function.ints, function.sets, function.paths) = (names.ints, names.sets, names.paths);
}

struct Names {
    dense: Dense,
    new: Vec<Option<Var>>,
    ints: u16,
    sets: u16,
    paths: u16,
}

impl Names {
    fn name(&mut self, old: Var) -> Var {
        let index = self.dense.index(old);
        if let Some(known) = self.new[index] {
            return known;
        }
        let next = |count: &mut u16| {
            *count += 1;
            *count - 1
        };
        let new = match old {
            Var::Int(_) => Reg(next(&mut self.ints)).into(),
            Var::Set(_) => SetReg(next(&mut self.sets)).into(),
            Var::Path(_) => PathReg(next(&mut self.paths)).into(),
        };
        self.new[index] = Some(new);
        new
    }
}
