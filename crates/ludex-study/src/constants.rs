//! Registers that hold a known number, whatever the state.

use std::collections::BTreeMap;

use ludex_ir::{Block, Function, Inst, Reg, Var};

/// The numbers that registers hold for certain.
pub(crate) type Known = BTreeMap<Reg, i64>;

/// What is known where each block of a function begins.
pub(crate) struct Constants {
    /// `None` for blocks that block 0 never leads to.
    entries: Vec<Option<Known>>,
}

impl Constants {
    /// Carries what is known from block to block; where ways meet, what they agree on is left.
    pub(crate) fn of(function: &Function) -> Self {
        let mut constants = Self { entries: vec![None; function.blocks.len()] };
        constants.entries[0] = Some(Known::new());
        let mut work = vec![Block(0)];
        while let Some(block) = work.pop() {
            let mut known = constants.at(block);
            for (inst, _) in &function.block(block).insts {
                follow(&mut known, inst);
            }
            for next in function.block(block).end.0.successors() {
                let entry = &mut constants.entries[next.0 as usize];
                let met = match entry {
                    None => known.clone(),
                    Some(old) => agreed(old, &known),
                };
                if entry.as_ref() != Some(&met) {
                    *entry = Some(met);
                    work.push(next);
                }
            }
        }
        constants
    }

    /// What is known where a block begins.
    pub(crate) fn at(&self, block: Block) -> Known {
        self.entries[block.0 as usize].clone().unwrap_or_default()
    }
}

/// What is known after an instruction; gives the number that it assigns, if that is known.
pub(crate) fn follow(known: &mut Known, inst: &Inst) -> Option<i64> {
    let value = match *inst {
        Inst::Const { value, .. } => Some(value),
        Inst::Copy { src, .. } => known.get(&src).copied(),
        _ => None,
    };
    if let Some(Var::Int(dst)) = inst.assigns() {
        match value {
            Some(value) => known.insert(dst, value),
            None => known.remove(&dst),
        };
    }
    value
}

fn agreed(a: &Known, b: &Known) -> Known {
    a.iter()
        .filter(|(reg, value)| b.get(reg) == Some(value))
        .map(|(&reg, &value)| (reg, value))
        .collect()
}
