//! Which sets have only squares that are empty in the position as it is.

use std::collections::{BTreeMap, BTreeSet};

use ludex_ir::passes::loops::reverse_postorder;
use ludex_ir::{Function, Inst, Reg, SetBinary, SetReg, TryDepth, Var};

/// The registers of a function that hold a set of empty squares wherever they are read.
///
/// What is empty inside a `try` need not be so outside, where a move is played.
pub(super) fn sets_of_empty_squares(function: &Function) -> BTreeSet<SetReg> {
    let depths = TryDepth::of(function);
    let order = reverse_postorder(function);
    let insts = || order.iter().flat_map(|&block| depths.insts(function, block));
    let assigned = assignments(function, insts().map(|(_, inst)| inst));
    let is_once = |var: Var| assigned.get(&var) == Some(&1);
    let is_one = |inst: &Inst| matches!(*inst, Inst::Const { value: 1, .. });
    let ones: BTreeSet<Var> =
        insts().filter(|(_, inst)| is_one(inst)).filter_map(|(_, inst)| inst.assigns()).collect();
    let is_one = |reg: Reg| ones.contains(&reg.into()) && is_once(reg.into());
    let mut found = BTreeSet::new();
    // A set comes after those that it is made from, save in loops; what is missed there is played a
    // little slower.
    for (depth, inst) in insts() {
        let empty = match *inst {
            Inst::SetWhere { dst, mask } => Some(dst).filter(|_| depth == 0 && is_one(mask)),
            Inst::SetBinary { op: SetBinary::Intersection, dst, a, b } => {
                Some(dst).filter(|_| found.contains(&a) || found.contains(&b))
            }
            Inst::SetBinary { op: SetBinary::Difference, dst, a, .. } => {
                Some(dst).filter(|_| found.contains(&a))
            }
            _ => None,
        };
        found.extend(empty.filter(|&set| is_once(set.into())));
    }
    found
}

/// How often each register is assigned, parameters once by the call.
fn assignments<'a>(
    function: &Function,
    insts: impl Iterator<Item = &'a Inst>,
) -> BTreeMap<Var, usize> {
    let mut counts = BTreeMap::new();
    for var in insts.filter_map(Inst::assigns).chain(function.params.iter().copied()) {
        *counts.entry(var).or_default() += 1;
    }
    counts
}
