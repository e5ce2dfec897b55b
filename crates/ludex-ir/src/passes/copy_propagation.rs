//! Copy propagation and coalescing: the original is read instead of a copy.
//!
//! Along the graph it is known which copies still equal their originals: a
//! copy is good from where it is made until either register is set again, and
//! where ways meet it is good if it is on all of them.
//!
//! And the other way round: a value that is made only to be copied once, in
//! the same block, is made where it goes (`coalesce`).

use super::liveness::{BitSet, Dense, assignments};
use super::loops::{predecessors, reverse_postorder};
use crate::inst::{Block, Inst, Var};
use crate::operands::Access;
use crate::program::Function;

/// Replaces reads of copies; whether there were any.
pub fn propagate(function: &mut Function) -> bool {
    let copies = Copies::of(function);
    if copies.pairs.is_empty() {
        return false;
    }
    let entries = copies.entries(function);
    let mut changed = false;
    for block in reverse_postorder(function) {
        let mut good = entries[block.0 as usize].clone();
        let data = function.block_mut(block);
        for (inst, _) in &mut data.insts {
            let old = as_copy(inst);
            inst.rename_reads(|var| copies.original(&good, var, &mut changed));
            copies.step(inst, old, &mut good);
        }
        data.end.0.rename(|var| copies.original(&good, var, &mut changed));
    }
    drop_empty_copies(function);
    changed
}

/// Copies of a register to itself.
fn drop_empty_copies(function: &mut Function) {
    for block in &mut function.blocks {
        block.insts.retain(|(inst, _)| as_copy(inst).is_none_or(|(dst, src)| dst != src));
    }
}

/// What an instruction copies where, if it does nothing else.
pub fn as_copy(inst: &Inst) -> Option<(Var, Var)> {
    match *inst {
        Inst::Copy { dst, src } => Some((dst.into(), src.into())),
        Inst::SetCopy { dst, src } => Some((dst.into(), src.into())),
        Inst::PathCopy { dst, src } => Some((dst.into(), src.into())),
        _ => None,
    }
}

/// Makes values where they are copied to; whether there were any.
pub fn coalesce(function: &mut Function) -> bool {
    let dense = Dense::of(function);
    let assigned = assignments(function);
    let used = uses(function, dense);
    let once = |var: Var| assigned[dense.index(var)] == 1 && used[dense.index(var)] == 1;
    let mut changed = false;
    for block in &mut function.blocks {
        let mut at = 0;
        while at < block.insts.len() {
            let copied = as_copy(&block.insts[at].0).filter(|&(_, src)| once(src));
            let made = copied.and_then(|(dst, src)| maker(&block.insts[..at], dst, src));
            match (copied, made) {
                (Some((dst, _)), Some(made)) => {
                    let inst = &mut block.insts[made].0;
                    inst.rename(|access, var| if access == Access::Assigns { dst } else { var });
                    block.insts.remove(at);
                    changed = true;
                }
                _ => at += 1,
            }
        }
    }
    changed
}

/// Which of some instructions makes `src`, if `dst` is not touched after it.
fn maker(insts: &[(Inst, u32)], dst: Var, src: Var) -> Option<usize> {
    let made = insts.iter().rposition(|(it, _)| it.assigns() == Some(src))?;
    let touched = insts[made + 1..]
        .iter()
        .any(|(it, _)| it.assigns() == Some(dst) || it.uses().contains(&dst));
    let changed = insts[made].0.changes_in_place();
    (!touched && !changed).then_some(made)
}

/// How often each register is looked at.
fn uses(function: &Function, dense: Dense) -> Vec<u32> {
    let mut counts = vec![0; dense.len()];
    let mut count = |var: Var| counts[dense.index(var)] += 1;
    for block in &function.blocks {
        block.insts.iter().for_each(|(inst, _)| inst.uses().into_iter().for_each(&mut count));
        block.end.0.uses().into_iter().for_each(&mut count);
    }
    function.result.into_iter().for_each(count);
    counts
}

struct Copies {
    dense: Dense,
    /// All copies that are made somewhere.
    pairs: Vec<(Var, Var)>,
    /// By register: the copies that setting it ends.
    of_var: Vec<BitSet>,
}

impl Copies {
    fn of(function: &Function) -> Self {
        let dense = Dense::of(function);
        let insts = function.blocks.iter().flat_map(|block| &block.insts);
        let mut pairs: Vec<_> = insts.filter_map(|(inst, _)| as_copy(inst)).collect();
        pairs.retain(|(dst, src)| dst != src);
        pairs.sort_unstable();
        pairs.dedup();
        let mut of_var = vec![BitSet::new(pairs.len()); dense.len()];
        for (index, &(dst, src)) in pairs.iter().enumerate() {
            of_var[dense.index(dst)].insert(index);
            of_var[dense.index(src)].insert(index);
        }
        Self { dense, pairs, of_var }
    }

    fn entries(&self, function: &Function) -> Vec<BitSet> {
        let before = predecessors(function);
        let order = reverse_postorder(function);
        let all = BitSet::full(self.pairs.len());
        let mut entries = vec![all.clone(); function.blocks.len()];
        let mut exits = entries.clone();
        entries[0] = BitSet::new(self.pairs.len());
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order {
                let mut good = entries[block.0 as usize].clone();
                for from in &before[block.0 as usize] {
                    good.keep(&exits[from.0 as usize]);
                }
                entries[block.0 as usize] = good.clone();
                self.walk(function, block, &mut good);
                changed |= exits[block.0 as usize].keep(&good);
            }
        }
        entries
    }

    fn walk(&self, function: &Function, block: Block, good: &mut BitSet) {
        for (inst, _) in &function.block(block).insts {
            self.step(inst, as_copy(inst), good);
        }
    }

    /// What is good after an instruction, which made the copy `made` before its reads were
    /// renamed.
    fn step(&self, inst: &Inst, made: Option<(Var, Var)>, good: &mut BitSet) {
        if let Some(var) = inst.assigns() {
            good.take(&self.of_var[self.dense.index(var)]);
        }
        if let Some(index) = made.and_then(|it| self.pairs.binary_search(&it).ok()) {
            good.insert(index);
        }
    }

    fn original(&self, good: &BitSet, var: Var, changed: &mut bool) -> Var {
        let mut found = var;
        // A copy of a copy; copies of each other would go round.
        for _ in 0..4 {
            let of_var = &self.of_var[self.dense.index(found)];
            let next = of_var.iter().find(|&it| good.contains(it) && self.pairs[it].0 == found);
            match next {
                Some(index) => found = self.pairs[index].1,
                None => break,
            }
        }
        *changed |= found != var;
        found
    }
}
