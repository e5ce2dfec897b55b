//! How deep in `try` each place of a function is.
//!
//! [`Inst::TryBegin`] goes one deeper, [`Inst::TryEnd`] comes back. A function
//! is *balanced* when every place has one depth, whatever path led there, no
//! `TryEnd` comes at depth 0, and every return is at depth 0. The verifier
//! demands it; other analyses rely on it: a write at depth 1 or more is undone
//! before the function returns, for certain.

use crate::inst::{Block, End, Inst};
use crate::program::Function;

/// The depth of every place of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TryDepth {
    entries: Vec<Option<u32>>,
    faults: Vec<DepthFault>,
}

/// Where a function is not balanced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthFault {
    /// The block.
    pub block: Block,
    /// The instruction in it; `None` for its end.
    pub inst: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl TryDepth {
    /// Walks every block that block 0 can reach, once, from the depth it was
    /// first reached at.
    pub fn of(function: &Function) -> Self {
        let mut depth = Self { entries: vec![None; function.blocks.len()], faults: Vec::new() };
        if depth.entries.is_empty() {
            return depth;
        }
        depth.entries[0] = Some(0);
        let mut work = vec![Block(0)];
        while let Some(block) = work.pop() {
            let at_end = depth.walk(function, block);
            let end = &function.block(block).end.0;
            if matches!(end, End::Return) && at_end != 0 {
                depth.fault(block, None, format!("returns inside {at_end} open `try`"));
            }
            for next in end.successors() {
                if depth.enter(block, next, at_end) {
                    work.push(next);
                }
            }
        }
        depth
    }

    /// Where the function is not balanced; empty for a verified function.
    pub fn faults(&self) -> &[DepthFault] {
        &self.faults
    }

    /// The depth where a block begins; `None` if block 0 never leads to it.
    pub fn entry(&self, block: Block) -> Option<u32> {
        self.entries.get(block.0 as usize).copied().flatten()
    }

    /// The instructions of a block, each with the depth it runs at; none if
    /// block 0 never leads to the block. A `TryBegin` counts as outside, its
    /// `TryEnd` as inside.
    pub fn insts<'a>(
        &self,
        function: &'a Function,
        block: Block,
    ) -> impl Iterator<Item = (u32, &'a Inst)> + use<'a> {
        let entry = self.entry(block);
        let insts = entry.map_or(&[][..], |_| &function.block(block).insts);
        insts.iter().scan(entry.unwrap_or(0), |depth, (inst, _)| {
            let here = *depth;
            *depth = after(inst, here);
            Some((here, inst))
        })
    }

    /// The depth at the end of a block; notes what is wrong in it.
    fn walk(&mut self, function: &Function, block: Block) -> u32 {
        let mut depth = self.entry(block).unwrap_or(0);
        for (index, (inst, _)) in function.block(block).insts.iter().enumerate() {
            if matches!(inst, Inst::TryEnd) && depth == 0 {
                self.fault(block, Some(index), "there is no open `try` to end".to_owned());
            }
            depth = after(inst, depth);
        }
        depth
    }

    /// Carries a depth over an edge; whether the block is new.
    fn enter(&mut self, from: Block, to: Block, depth: u32) -> bool {
        match self.entries.get_mut(to.0 as usize) {
            Some(entry @ None) => {
                *entry = Some(depth);
                true
            }
            Some(&mut Some(other)) if other != depth => {
                let message = format!(
                    "goes to b{} inside {depth} open `try`, another way comes with {other}",
                    to.0
                );
                self.fault(from, None, message);
                false
            }
            // Known already, or no such block, which is another rule.
            _ => false,
        }
    }

    fn fault(&mut self, block: Block, inst: Option<usize>, message: String) {
        self.faults.push(DepthFault { block, inst, message });
    }
}

fn after(inst: &Inst, depth: u32) -> u32 {
    match inst {
        Inst::TryBegin => depth + 1,
        Inst::TryEnd => depth.saturating_sub(1),
        _ => depth,
    }
}
