//! Inlining: a call is replaced by what it calls.
//!
//! An activation begins with all registers 0 or empty, so what a callee may
//! look at before it sets it is set first. Verified functions close every
//! `try` before they return, so a `try` needs no care.

use super::edit::copy;
use super::liveness::Liveness;
use crate::bits::Bits;
use crate::inst::{Block, End, Func, Inst, PathReg, Reg, SetId, SetReg, Var};
use crate::program::{BlockData, Function, Program, SetFamily};

/// A place of a call: block and instruction.
pub type Site = (Block, usize);

/// Puts the body of the callee in the place of a call. Gives the block that goes on after it, or
/// `None` if there is no call at that place.
pub fn inline(program: &mut Program, caller: &mut Function, (block, at): Site) -> Option<Block> {
    let Inst::Call { func, ref args, result } = caller.block(block).insts.get(at)?.0 else {
        return None;
    };
    let args = args.clone();
    let callee = program.function(func).clone();
    let place = caller.block(block).insts[at].1;
    let body = Body::new(caller, &callee);

    let data = caller.block_mut(block);
    let rest = data.insts.split_off(at + 1);
    data.insts.pop();
    let end = std::mem::replace(&mut data.end, (End::Jump(body.block(Block(0))), place));
    let after = Block(body.first_block + callee.blocks.len() as u32);

    let mut before = body.resets(program, &callee, &args);
    let copies = args.iter().zip(&callee.params).filter_map(|(&arg, &it)| copy(body.var(it), arg));
    before.extend(copies);
    caller.block_mut(block).insts.extend(before.into_iter().map(|it| (it, place)));
    for data in callee.blocks {
        caller.blocks.push(body.data(data, after));
    }
    let given = result.zip(callee.result).and_then(|(to, from)| copy(to, body.var(from)));
    let insts = given.map(|it| (it, place)).into_iter().chain(rest).collect();
    caller.blocks.push(BlockData { insts, end });
    caller.names.extend(callee.names.into_iter().map(|(var, name)| (body.var(var), name)));
    Some(after)
}

/// Where the registers and blocks of a callee are in its caller.
struct Body {
    ints: u16,
    sets: u16,
    paths: u16,
    first_block: u32,
}

impl Body {
    fn new(caller: &mut Function, callee: &Function) -> Self {
        let body = Self {
            ints: caller.ints,
            sets: caller.sets,
            paths: caller.paths,
            first_block: caller.blocks.len() as u32,
        };
        caller.ints += callee.ints;
        caller.sets += callee.sets;
        caller.paths += callee.paths;
        body
    }

    fn var(&self, var: Var) -> Var {
        match var {
            Var::Int(reg) => Reg(self.ints + reg.0).into(),
            Var::Set(reg) => SetReg(self.sets + reg.0).into(),
            Var::Path(reg) => PathReg(self.paths + reg.0).into(),
        }
    }

    fn block(&self, block: Block) -> Block {
        Block(self.first_block + block.0)
    }

    fn data(&self, mut data: BlockData, after: Block) -> BlockData {
        data.insts.iter_mut().for_each(|(inst, _)| inst.rename_all(|var| self.var(var)));
        data.end.0.rename(|var| self.var(var));
        data.end.0.retarget(|to| self.block(to));
        if data.end.0 == End::Return {
            data.end.0 = End::Jump(after);
        }
        data
    }

    /// Instructions that set what the callee may look at before it sets it.
    fn resets(&self, program: &mut Program, callee: &Function, args: &[Var]) -> Vec<Inst> {
        let live = Liveness::of(callee);
        let given = &callee.params[..args.len().min(callee.params.len())];
        let wanted = live.entry(Block(0)).iter().map(|it| live.dense.var(it));
        let unset: Vec<Var> = wanted.filter(|it| !given.contains(it)).collect();
        unset.into_iter().map(|var| reset(program, self.var(var))).collect()
    }
}

/// The instruction that gives a register what it holds when a function begins.
pub fn reset(program: &mut Program, var: Var) -> Inst {
    match var {
        Var::Int(dst) => Inst::Const { dst, value: 0 },
        Var::Set(dst) => Inst::SetConst { dst, family: empty_family(program), index: None },
        Var::Path(dst) => Inst::PathEmpty { dst },
    }
}

/// A family whose first set is empty.
pub fn empty_family(program: &mut Program) -> SetId {
    let is_empty = |it: &SetFamily| it.sets.first().is_some_and(Bits::is_empty);
    let index = program.families.iter().position(is_empty).unwrap_or_else(|| {
        let sets = vec![Bits::empty(program.squares)];
        program.families.push(SetFamily { name: "empty".to_owned(), sets });
        program.families.len() - 1
    });
    SetId(index as u16)
}

/// The calls of a function, in order.
pub fn calls(function: &Function) -> impl Iterator<Item = (Site, Func)> + '_ {
    function.all_blocks().flat_map(move |block| {
        let insts = function.block(block).insts.iter().enumerate();
        insts.filter_map(move |(at, (inst, _))| match inst {
            Inst::Call { func, .. } => Some(((block, at), *func)),
            _ => None,
        })
    })
}
