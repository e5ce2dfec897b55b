//! Changing functions: renaming registers and blocks, fresh registers, copies
//! of blocks.
//!
//! Passes change code through these, so that the shape of each instruction is
//! taken apart in one place only.

use std::collections::BTreeMap;

use crate::inst::{Block, End, Inst, PathReg, Reg, Say, SetReg, Spread, Var};
use crate::program::{BlockData, Function};

/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only looks at it.
    Reads,
    /// Only sets it.
    Assigns,
    /// Changes what is in it.
    Changes,
}

/// Renames the registers of an instruction; `name` gives a register of the same class.
pub fn rename(inst: &mut Inst, mut name: impl FnMut(Access, Var) -> Var) {
    Rename { name: &mut name }.inst(inst);
}

/// Renames the registers that an instruction only looks at.
pub fn rename_reads(inst: &mut Inst, mut name: impl FnMut(Var) -> Var) {
    rename(inst, |access, var| if access == Access::Reads { name(var) } else { var });
}

/// Renames every register of an instruction.
pub fn rename_all(inst: &mut Inst, mut name: impl FnMut(Var) -> Var) {
    rename(inst, |_, var| name(var));
}

/// Renames the register that a branch looks at.
pub fn rename_end(end: &mut End, mut name: impl FnMut(Var) -> Var) {
    if let End::Branch { cond, .. } = end {
        Rename { name: &mut |_, var| name(var) }.int(Access::Reads, cond);
    }
}

/// Sends the edges of an end elsewhere.
pub fn retarget(end: &mut End, mut to: impl FnMut(Block) -> Block) {
    match end {
        End::Jump(next) => *next = to(*next),
        End::Branch { yes, no, .. } => {
            *yes = to(*yes);
            *no = to(*no);
        }
        End::Return => {}
    }
}

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
            retarget(&mut data.end.0, |to| copies.get(&to).copied().unwrap_or(to));
            self.blocks.push(data);
        }
        copies
    }

    /// Sends every edge of some blocks that goes to `old` to `new` instead.
    pub fn redirect(&mut self, from: impl IntoIterator<Item = Block>, old: Block, new: Block) {
        for block in from {
            let end = &mut self.block_mut(block).end.0;
            retarget(end, |to| if to == old { new } else { to });
        }
    }
}

struct Rename<'a> {
    name: &'a mut dyn FnMut(Access, Var) -> Var,
}

impl Rename<'_> {
    fn int(&mut self, access: Access, reg: &mut Reg) {
        if let Var::Int(new) = (self.name)(access, (*reg).into()) {
            *reg = new;
        }
    }

    fn set(&mut self, access: Access, reg: &mut SetReg) {
        if let Var::Set(new) = (self.name)(access, (*reg).into()) {
            *reg = new;
        }
    }

    fn path(&mut self, access: Access, reg: &mut PathReg) {
        if let Var::Path(new) = (self.name)(access, (*reg).into()) {
            *reg = new;
        }
    }

    fn var(&mut self, access: Access, var: &mut Var) {
        match var {
            Var::Int(reg) => self.int(access, reg),
            Var::Set(reg) => self.set(access, reg),
            Var::Path(reg) => self.path(access, reg),
        }
    }

    fn ints<const N: usize>(&mut self, regs: [&mut Reg; N]) {
        regs.into_iter().for_each(|reg| self.int(Access::Reads, reg));
    }

    fn sets<const N: usize>(&mut self, regs: [&mut SetReg; N]) {
        regs.into_iter().for_each(|reg| self.set(Access::Reads, reg));
    }

    fn index(&mut self, index: &mut Option<Reg>) {
        index.iter_mut().for_each(|reg| self.int(Access::Reads, reg));
    }

    /// Reads come before what is assigned.
    fn inst(&mut self, inst: &mut Inst) {
        self.reads(inst);
        self.assigned(inst);
    }

    fn reads(&mut self, inst: &mut Inst) {
        match inst {
            Inst::Const { .. }
            | Inst::PathEmpty { .. }
            | Inst::TryBegin
            | Inst::TryEnd
            | Inst::Irreversible
            | Inst::Repeats { .. }
            | Inst::Side { .. }
            | Inst::Depth { .. } => {}
            Inst::Copy { src, .. } | Inst::Unary { src, .. } => self.ints([src]),
            Inst::Binary { a, b, .. } | Inst::Between { a, b, .. } => self.ints([a, b]),
            Inst::Lookup { i, j, .. } => {
                self.ints([i]);
                self.index(j);
            }
            Inst::Pair { i, j, .. } => self.ints([i, j]),
            Inst::Step { from, dir, .. } | Inst::Axis { from, dir, .. } => self.ints([from, dir]),
            Inst::ListLen { list, .. } => self.ints([list]),
            Inst::ListItem { list, index, .. } => self.ints([list, index]),
            Inst::Load { index, .. }
            | Inst::TestRange { index, .. }
            | Inst::SetConst { index, .. }
            | Inst::SetLoad { index, .. } => self.index(index),
            Inst::Test { index, mask: value, .. }
            | Inst::Store { index, value, .. }
            | Inst::Add { index, delta: value, .. } => {
                self.index(index);
                self.ints([value]);
            }
            Inst::StoreAll { set, value } => {
                self.sets([set]);
                self.ints([value]);
            }
            Inst::SetWhere { mask, .. } => self.ints([mask]),
            Inst::SetStore { index, src, .. } | Inst::SetUpdate { index, src, .. } => {
                self.index(index);
                self.sets([src]);
            }
            Inst::SetCopy { src, .. } => self.sets([src]),
            Inst::SetBinary { a, b, .. } => self.sets([a, b]),
            // The set is changed: see `assigned`.
            Inst::SetInsert { square, .. } | Inst::SetRemove { square, .. } => self.ints([square]),
            Inst::Contains { set, square, .. } => {
                self.sets([set]);
                self.ints([square]);
            }
            Inst::Shift { src, dir, .. } | Inst::Leap { src, dir, .. } => {
                self.sets([src]);
                self.ints([dir]);
            }
            Inst::Slide { from, through, dir, .. } => {
                self.sets([from, through]);
                self.ints([dir]);
            }
            Inst::Rays { from, through, list, .. } => {
                self.ints([from]);
                self.sets([through]);
                self.ints([list]);
            }
            Inst::Neighbours { src, list, .. } => {
                self.sets([src]);
                self.ints([list]);
            }
            Inst::Flood { from, within, list, .. } => {
                self.sets([from, within]);
                self.ints([list]);
            }
            Inst::Hop { from, dir, count, .. }
            | Inst::Line { from, dir, count, .. }
            | Inst::Reach { from, dir, count, .. } => self.ints([from, dir, count]),
            Inst::Count { set, .. } | Inst::Any { set, .. } => self.sets([set]),
            Inst::NextMember { set, after, .. } => {
                self.sets([set]);
                self.ints([after]);
            }
            Inst::PathCopy { src, .. } => self.path(Access::Reads, src),
            Inst::PathPush { src, item, .. } => {
                self.path(Access::Reads, src);
                self.ints([item]);
            }
            Inst::PathLen { path, .. } => self.path(Access::Reads, path),
            Inst::PathItem { path, index, .. } => {
                self.path(Access::Reads, path);
                self.ints([index]);
            }
            Inst::Call { args, .. } => {
                args.iter_mut().for_each(|arg| self.var(Access::Reads, arg));
            }
            Inst::Emit { args, weight, .. } => {
                args.iter_mut().for_each(|arg| self.var(Access::Reads, arg));
                self.index(weight);
            }
            Inst::EmitAll { set, args, .. } => {
                self.sets([set]);
                for arg in args {
                    if let Spread::Same(reg) = arg {
                        self.ints([reg]);
                    }
                }
            }
            Inst::Outcome { score, .. } => self.index(score),
            Inst::Feature { value, .. } => self.ints([value]),
            Inst::Say(say) => self.say(say),
            Inst::Next { player } | Inst::Reply { player, .. } => self.ints([player]),
        }
    }

    fn say(&mut self, say: &mut Say) {
        match say {
            Say::Square(reg)
            | Say::Becomes(reg)
            | Say::Drops(reg)
            | Say::Kind(reg)
            | Say::Number(reg)
            | Say::Direction(reg)
            | Say::Player(reg) => self.ints([reg]),
            Say::Text(_) => {}
        }
    }

    fn assigned(&mut self, inst: &mut Inst) {
        match inst {
            Inst::Const { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Unary { dst, .. }
            | Inst::Binary { dst, .. }
            | Inst::Lookup { dst, .. }
            | Inst::Pair { dst, .. }
            | Inst::Step { dst, .. }
            | Inst::Hop { dst, .. }
            | Inst::ListLen { dst, .. }
            | Inst::ListItem { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Test { dst, .. }
            | Inst::TestRange { dst, .. }
            | Inst::Contains { dst, .. }
            | Inst::Count { dst, .. }
            | Inst::Any { dst, .. }
            | Inst::NextMember { dst, .. }
            | Inst::PathLen { dst, .. }
            | Inst::PathItem { dst, .. }
            | Inst::Repeats { dst }
            | Inst::Reply { dst, .. }
            | Inst::Side { dst }
            | Inst::Depth { dst } => self.int(Access::Assigns, dst),
            Inst::SetConst { dst, .. }
            | Inst::SetWhere { dst, .. }
            | Inst::SetLoad { dst, .. }
            | Inst::SetCopy { dst, .. }
            | Inst::SetBinary { dst, .. }
            | Inst::Shift { dst, .. }
            | Inst::Neighbours { dst, .. }
            | Inst::Leap { dst, .. }
            | Inst::Slide { dst, .. }
            | Inst::Rays { dst, .. }
            | Inst::Flood { dst, .. }
            | Inst::Line { dst, .. }
            | Inst::Reach { dst, .. }
            | Inst::Axis { dst, .. }
            | Inst::Between { dst, .. } => self.set(Access::Assigns, dst),
            Inst::SetInsert { set, .. } | Inst::SetRemove { set, .. } => {
                self.set(Access::Changes, set);
            }
            Inst::PathEmpty { dst } | Inst::PathCopy { dst, .. } | Inst::PathPush { dst, .. } => {
                self.path(Access::Assigns, dst);
            }
            Inst::Call { result, .. } => {
                result.iter_mut().for_each(|var| self.var(Access::Assigns, var));
            }
            Inst::Store { .. }
            | Inst::Add { .. }
            | Inst::StoreAll { .. }
            | Inst::SetStore { .. }
            | Inst::SetUpdate { .. }
            | Inst::TryBegin
            | Inst::TryEnd
            | Inst::Emit { .. }
            | Inst::EmitAll { .. }
            | Inst::Outcome { .. }
            | Inst::Feature { .. }
            | Inst::Say(_)
            | Inst::Irreversible
            | Inst::Next { .. } => {}
        }
    }
}
