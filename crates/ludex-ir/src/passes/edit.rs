//! Changing functions: fresh registers, copies of blocks, edges that go elsewhere.

use std::collections::BTreeMap;

use crate::inst::{Block, Inst, PathReg, Reg, SetReg, Var};
use crate::program::{BlockData, Function};

/// The instruction that copies a register to another of the same class.
pub fn copy(dst: Var, src: Var) -> Option<Inst> {
    match (dst, src) {
        (Var::Int(dst), Var::Int(src)) => Some(Inst::Copy { dst, src }),
        (Var::Set(dst), Var::Set(src)) => Some(Inst::SetCopy { dst, src }),
        (Var::Path(dst), Var::Path(src)) => Some(Inst::PathCopy { dst, src }),
        _ => None,
    }
}

impl Function {
    /// How many instructions it has, ends not counted.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len()).sum()
    }

    /// A number register that nothing uses yet. There are at most 65,536 of each class: passes
    /// keep functions far smaller.
    pub fn fresh_int(&mut self) -> Reg {
        self.ints += 1;
        Reg(self.ints - 1)
    }

    /// A set register that nothing uses yet.
    pub fn fresh_set(&mut self) -> SetReg {
        self.sets += 1;
        SetReg(self.sets - 1)
    }

    /// A path register that nothing uses yet.
    pub fn fresh_path(&mut self) -> PathReg {
        self.paths += 1;
        PathReg(self.paths - 1)
    }

    /// A register that nothing uses yet, of the class of another.
    pub fn fresh_like(&mut self, var: Var) -> Var {
        match var {
            Var::Int(_) => self.fresh_int().into(),
            Var::Set(_) => self.fresh_set().into(),
            Var::Path(_) => self.fresh_path().into(),
        }
    }

    /// The data of a block, to change.
    pub fn block_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block.0 as usize]
    }

    /// Adds a block.
    pub fn add_block(&mut self, data: BlockData) -> Block {
        self.blocks.push(data);
        Block(self.blocks.len() as u32 - 1)
    }

    /// All blocks, by number.
    pub fn all_blocks(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.blocks.len() as u32).map(Block)
    }

    /// Copies blocks; edges among them go to the copies, edges out of them stay. Gives the copy
    /// of each.
    pub fn copy_blocks(&mut self, blocks: &[Block]) -> BTreeMap<Block, Block> {
        let first = self.blocks.len() as u32;
        let copies: BTreeMap<Block, Block> =
            blocks.iter().copied().zip((first..).map(Block)).collect();
        for &block in blocks {
            let mut data = self.block(block).clone();
            data.end.0.retarget(|to| copies.get(&to).copied().unwrap_or(to));
            self.blocks.push(data);
        }
        copies
    }

    /// Sends every edge of some blocks that goes to `old` to `new` instead.
    pub fn redirect(&mut self, from: impl IntoIterator<Item = Block>, old: Block, new: Block) {
        for block in from {
            self.block_mut(block).end.0.retarget(|to| if to == old { new } else { to });
        }
    }
}
