//! Liveness: which registers are read later, at the beginning of each block.
//!
//! At a conjugate, what the branch may have assigned gets its condition. A
//! register that is assigned anew before anything reads it has no use for a
//! label, and most registers of a loop's body are of that kind.

use std::collections::BTreeSet;

use ludex_ir::{End, Function, Var};

/// The registers wanted at the beginning of every block.
pub(crate) struct Live {
    entries: Vec<BTreeSet<Var>>,
    exit: BTreeSet<Var>,
}

impl Live {
    /// Goes backwards over the blocks until nothing is new.
    pub(crate) fn of(function: &Function) -> Self {
        let exit: BTreeSet<Var> = function.result.into_iter().collect();
        let mut live = Self { entries: vec![BTreeSet::new(); function.blocks.len()], exit };
        let mut changed = true;
        while changed {
            changed = false;
            for index in (0..function.blocks.len()).rev() {
                let entry = live.entry(function, index);
                if entry != live.entries[index] {
                    live.entries[index] = entry;
                    changed = true;
                }
            }
        }
        live
    }

    /// Whether a register is wanted at a block; `None` is where the function is left.
    pub(crate) fn wanted(&self, var: Var, block: Option<usize>) -> bool {
        block.map_or(&self.exit, |it| &self.entries[it]).contains(&var)
    }

    fn entry(&self, function: &Function, index: usize) -> BTreeSet<Var> {
        let block = &function.blocks[index];
        let mut wanted: BTreeSet<Var> = match block.end.0 {
            End::Return => self.exit.clone(),
            ref end => {
                end.successors().flat_map(|it| &self.entries[it.0 as usize]).copied().collect()
            }
        };
        wanted.extend(block.end.0.uses());
        for (inst, _) in block.insts.iter().rev() {
            if let Some(var) = inst.assigns() {
                wanted.remove(&var);
            }
            wanted.extend(inst.uses());
        }
        wanted
    }
}
