//! Constant folding: values that are known become constants, branches that go one way only
//! become jumps.
//!
//! Constants end up in registers of their own, each assigned once, where the
//! function begins; every read of a number that is known reads one of those.

use std::collections::BTreeMap;

use super::dead_code::is_removable;
use super::liveness::{Dense, assignments};
use super::range::Range;
use super::range_analysis::{Known, RangeAnalysis};
use super::simplify::own_entry;
use crate::inst::{Binary, Block, End, Inst, Reg, Unary, Var};
use crate::program::{BlockData, Function, Program};

/// Puts what is known into a function; whether anything changed.
pub fn fold(program: &Program, function: &mut Function) -> bool {
    own_entry(function);
    let facts = RangeAnalysis::of(program, function);
    let mut constants = Constants::of(function, |reg| facts.is_single(reg));
    let mut otherwise = Known::new();
    let mut folded = Vec::with_capacity(function.blocks.len());
    for block in function.all_blocks() {
        let Some(mut known) = facts.entry(block) else {
            folded.push(function.block(block).clone());
            continue;
        };
        let mut data = rewrite(&facts, &mut known, function.block(block), &mut constants);
        if let End::Branch { .. } = function.block(block).end.0
            && let [Some(only), None] | [None, Some(only)] =
                facts.ways(block, &mut known, &mut otherwise)
        {
            data.end.0 = End::Jump(only);
        }
        unwrap_not(&mut data);
        folded.push(data);
    }
    let before = std::mem::replace(&mut function.blocks, folded);
    constants.place(function);
    function.blocks != before
}

/// The registers that hold constants from the start.
struct Constants {
    registers: BTreeMap<i64, Reg>,
    fresh: u16,
    /// How many instructions at the start of block 0 are the known ones.
    prefix: usize,
}

impl Constants {
    fn of(function: &Function, is_single: impl Fn(Reg) -> bool) -> Self {
        let mut found = Self { registers: BTreeMap::new(), fresh: function.ints, prefix: 0 };
        for (inst, _) in &function.blocks[0].insts {
            match *inst {
                Inst::Const { dst, value }
                    if is_single(dst)
                        && !found.registers.contains_key(&value)
                        && function.result != Some(dst.into()) =>
                {
                    found.registers.insert(value, dst);
                    found.prefix += 1;
                }
                _ => break,
            }
        }
        found
    }

    fn register(&mut self, value: i64) -> Reg {
        let fresh = &mut self.fresh;
        *self.registers.entry(value).or_insert_with(|| {
            *fresh += 1;
            Reg(*fresh - 1)
        })
    }

    /// Puts all of them where the function begins.
    fn place(self, function: &mut Function) {
        function.ints = self.fresh;
        let insts = &mut function.blocks[0].insts;
        let rest = insts.split_off(self.prefix);
        let consts = self.registers.into_iter().map(|(value, dst)| Inst::Const { dst, value });
        *insts = consts.map(|it| (it, 0)).chain(rest).collect();
    }
}

fn rewrite(
    facts: &RangeAnalysis<'_>,
    known: &mut Known,
    block: &BlockData,
    constants: &mut Constants,
) -> BlockData {
    let insts = Vec::with_capacity(block.insts.len());
    let mut data = BlockData { insts, end: block.end.clone() };
    for (inst, place) in &block.insts {
        let mut new = better(facts, inst, known);
        new.rename_reads(|var| constant(var, known, constants));
        facts.step(inst, known);
        data.insts.push((new, *place));
    }
    data.end.0.rename(|var| constant(var, known, constants));
    data
}

/// The register of a constant for a register that is known to hold it.
fn constant(var: Var, known: &Known, constants: &mut Constants) -> Var {
    let Var::Int(reg) = var else { return var };
    known[reg.0 as usize].constant().map_or(var, |it| constants.register(it).into())
}

/// A simpler instruction that assigns the same.
fn better(facts: &RangeAnalysis<'_>, inst: &Inst, known: &Known) -> Inst {
    let Some(Var::Int(dst)) = inst.assigns() else { return inst.clone() };
    if !is_removable(inst) {
        return inst.clone();
    }
    if let Some(value) = facts.assigned(inst, known).constant() {
        return Inst::Const { dst, value };
    }
    let of = |reg: Reg| known[reg.0 as usize];
    match *inst {
        Inst::Binary { op, a, b, .. } => match simpler(op, (a, of(a)), (b, of(b))) {
            Some(Simpler::Same(src)) => Inst::Copy { dst, src },
            Some(Simpler::Not(src)) => Inst::Unary { op: Unary::Not, dst, src },
            None => inst.clone(),
        },
        Inst::Unary { op: Unary::Abs, src, .. } if of(src).lo >= 0 => Inst::Copy { dst, src },
        _ => inst.clone(),
    }
}

enum Simpler {
    /// It is just this register.
    Same(Reg),
    /// It is 1 if this register is 0.
    Not(Reg),
}

fn simpler(op: Binary, (a, left): (Reg, Range), (b, right): (Reg, Range)) -> Option<Simpler> {
    let (truth, zero, one) = (Range::TRUTH, Range::one(0), Range::one(1));
    Some(match op {
        Binary::Add | Binary::Sub if right == zero => Simpler::Same(a),
        Binary::Add if left == zero => Simpler::Same(b),
        Binary::Mul | Binary::Div if right == one => Simpler::Same(a),
        Binary::Mul if left == one => Simpler::Same(b),
        Binary::Max if left.lo >= right.hi => Simpler::Same(a),
        Binary::Max if right.lo >= left.hi => Simpler::Same(b),
        Binary::Min if left.hi <= right.lo => Simpler::Same(a),
        Binary::Min if right.hi <= left.lo => Simpler::Same(b),
        Binary::Min | Binary::Max if a == b => Simpler::Same(a),
        Binary::Ne if right == zero && left.is_within(truth) => Simpler::Same(a),
        Binary::Ne if left == zero && right.is_within(truth) => Simpler::Same(b),
        Binary::Eq if right == one && left.is_within(truth) => Simpler::Same(a),
        Binary::Eq if left == one && right.is_within(truth) => Simpler::Same(b),
        Binary::Eq | Binary::Le if right == zero && left.is_within(truth) => Simpler::Not(a),
        Binary::Eq if left == zero && right.is_within(truth) => Simpler::Not(b),
        Binary::Lt if left == zero && right.is_within(truth) => Simpler::Same(b),
        Binary::Lt if right == one && left.is_within(truth) => Simpler::Not(a),
        _ => return None,
    })
}

/// Branches on what a `not` was made of, the other way round.
fn unwrap_not(data: &mut BlockData) {
    while let End::Branch { cond, yes, no } = data.end.0 {
        let made = data.insts.iter().rposition(|(it, _)| it.assigns() == Some(cond.into()));
        let Some(index) = made else { return };
        let Inst::Unary { op: Unary::Not, src, .. } = data.insts[index].0 else { return };
        if data.insts[index..].iter().any(|(it, _)| it.assigns() == Some(src.into())) {
            return;
        }
        data.end.0 = End::Branch { cond: src, yes: no, no: yes };
    }
}

/// The registers that hold a constant from the start of a folded function on.
pub fn constants(function: &Function) -> BTreeMap<Var, i64> {
    let counts = assignments(function);
    let dense = Dense::of(function);
    let is_single = |reg: Reg| counts[dense.index(reg.into())] == 1;
    let registers = Constants::of(function, is_single).registers;
    registers.into_iter().map(|(value, reg)| (reg.into(), value)).collect()
}

/// Calls `see` with each instruction of a block that is reached, and what is known before it.
pub fn visit(
    facts: &RangeAnalysis<'_>,
    function: &Function,
    block: Block,
    mut see: impl FnMut(usize, &Inst, &Known),
) {
    let Some(mut known) = facts.entry(block) else { return };
    for (index, (inst, _)) in function.block(block).insts.iter().enumerate() {
        see(index, inst, &known);
        facts.step(inst, &mut known);
    }
}
