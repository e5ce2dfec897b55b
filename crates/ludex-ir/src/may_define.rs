//! What the sides of a branch may assign before they meet again.
//!
//! The *region* of a branch is what runs between it and its conjugate: the
//! blocks that its successors lead to without passing the conjugate. At the
//! conjugate, whatever the region **may** have assigned depends on the
//! branch's condition, even if this run took the side that assigned nothing.
//! That is the step from a dynamic slice to a relevant one.
//!
//! Three kinds of things are assigned: registers (the register of the
//! function's result is one of them), cells, and what is said about the move
//! being played.
//!
//! **Cells and `try`.** A write deeper in `try` than the conjugate's entry
//! is undone before the conjugate, on every way there, and does not count. The
//! reverse also exists: a `TryEnd` in the region that ends a `try` no deeper
//! than the conjugate (so another one has begun since) takes back writes made
//! before the branch; every array written at that depth counts then.
//!
//! What is said about the move (next player, irreversible, written form) counts
//! at any depth: `TryEnd` promises only to undo writes.
//!
//! Assumes a verified program: in particular that `try` is balanced.

use std::collections::BTreeSet;

use crate::inst::{Block, End, Inst, Var};
use crate::post_dominators::PostDominators;
use crate::program::{Function, Program};
use crate::summary::{Acts, Summaries};
use crate::try_depth::TryDepth;

/// What every branch of one function may assign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MayDefine {
    branches: Vec<Option<Branch>>,
}

/// What one branch may assign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where its sides meet again; `None`: where the function is left.
    pub conjugate: Option<Block>,
    /// The blocks it decides about, in order. The branch's own block is one of
    /// them if it is in a loop that its conjugate does not cut.
    pub region: Vec<Block>,
    /// The registers that may be assigned in the region, in order.
    pub vars: Vec<Var>,
    /// The arrays that may be different at the conjugate, and what may have
    /// been said about the move being played.
    pub acts: Acts,
    /// Whether a move may be listed in the region.
    pub emits: bool,
    /// Whether an outcome may be given in the region.
    pub outcomes: bool,
    /// Whether a feature may be given its value in the region.
    pub features: bool,
}

impl MayDefine {
    /// Computes it for one function of a program.
    pub fn of(program: &Program, summaries: &Summaries, function: &Function) -> Self {
        let ctx = Ctx {
            program,
            summaries,
            function,
            conjugates: PostDominators::of(function),
            depths: TryDepth::of(function),
        };
        let blocks = 0..function.blocks.len() as u32;
        Self { branches: blocks.map(|block| ctx.branch(Block(block))).collect() }
    }

    /// What the branch at the end of `block` may assign; `None` if the block
    /// does not end in a branch.
    pub fn branch(&self, block: Block) -> Option<&Branch> {
        self.branches[block.0 as usize].as_ref()
    }

    /// All branches, with their blocks.
    pub fn iter(&self) -> impl Iterator<Item = (Block, &Branch)> {
        let indexed = self.branches.iter().enumerate();
        indexed.filter_map(|(index, branch)| Some((Block(index as u32), branch.as_ref()?)))
    }
}

/// The blocks that the successors of `block` lead to without passing `conjugate`.
pub fn region(function: &Function, block: Block, conjugate: Option<Block>) -> Vec<Block> {
    let mut seen = BTreeSet::new();
    let mut work = vec![block];
    while let Some(from) = work.pop() {
        for next in function.block(from).end.0.successors() {
            if Some(next) != conjugate && seen.insert(next) {
                work.push(next);
            }
        }
    }
    seen.into_iter().collect()
}

struct Ctx<'a> {
    program: &'a Program,
    summaries: &'a Summaries,
    function: &'a Function,
    conjugates: PostDominators,
    depths: TryDepth,
}

impl Ctx<'_> {
    fn branch(&self, block: Block) -> Option<Branch> {
        let End::Branch { .. } = self.function.block(block).end.0 else { return None };
        let conjugate = self.conjugates.block(block);
        let region = region(self.function, block, conjugate);
        // The function is left outside every `try`.
        let meet = conjugate.and_then(|it| self.depths.entry(it)).unwrap_or(0);
        let mut branch = Branch {
            conjugate,
            vars: self.vars(&region),
            acts: Acts::default(),
            emits: false,
            outcomes: false,
            features: false,
            region: Vec::new(),
        };
        for &inside in &region {
            for (depth, inst) in self.depths.insts(self.function, inside) {
                self.add_inst(&mut branch, inst, depth, meet);
            }
        }
        branch.region = region;
        Some(branch)
    }

    fn vars(&self, region: &[Block]) -> Vec<Var> {
        let insts = region.iter().flat_map(|&block| &self.function.block(block).insts);
        let vars: BTreeSet<Var> = insts.filter_map(|(inst, _)| inst.assigns()).collect();
        vars.into_iter().collect()
    }

    /// Adds what an instruction, `depth` deep in `try`, leaves at a conjugate `meet` deep.
    fn add_inst(&self, branch: &mut Branch, inst: &Inst, depth: u32, meet: u32) {
        let does = self.summaries.inst(self.program, inst);
        let said = |acts: &Acts| Acts { writes: BTreeSet::new(), ..acts.clone() };
        branch.acts.add(&said(&does.tries));
        branch.acts.add(&if depth > meet { said(&does.acts) } else { does.acts });
        branch.emits |= does.emits;
        branch.outcomes |= does.outcomes;
        branch.features |= does.features;
        if matches!(inst, Inst::TryEnd) && depth <= meet {
            branch.acts.writes.extend(self.written_at(depth));
        }
    }

    /// The arrays that the function may write exactly `depth` deep in `try`.
    fn written_at(&self, depth: u32) -> BTreeSet<crate::inst::ArrayId> {
        let blocks = (0..self.function.blocks.len() as u32).map(Block);
        blocks
            .flat_map(|block| self.depths.insts(self.function, block))
            .filter(|&(at, _)| at == depth)
            .flat_map(|(_, inst)| self.summaries.inst(self.program, inst).acts.writes)
            .collect()
    }
}
