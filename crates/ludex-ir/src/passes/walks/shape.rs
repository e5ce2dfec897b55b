//! The two forms of a walk.
//!
//! ```text
//! entry: b = step a d ...       entry: ... b has any value, i = 0 (mostly asked: 0 < n)
//! head:  c = test board[b] m    head:  ...
//!        if c body else exit    last:  ... b = step b d; i = add i 1; c = lt i n
//! last:  ... b = step b d              if c head else exit
//!        jump head
//! ```

use super::super::loops::Loop;
use super::super::setwise::code::Code;
use super::super::setwise::commute::branch;
use super::super::setwise::plane;
use crate::inst::{BOARD, Binary, Block, End, Inst, Reg, SetReg, Var};
use crate::program::Program;

/// A question about the square that a walk has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// Whether its cell has its bit in a mask set.
    Where(Reg),
    /// Whether it is in a set.
    In(SetReg),
}

/// What ends a walk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// The first square of which the answer is no. The walk begins one step from `from`.
    No { question: Question, from: Reg },
    /// A number of steps.
    Steps {
        counter: Reg,
        count: Reg,
        /// Where it goes on if there is no step at all, if that is asked before.
        guard: Option<Block>,
    },
}

/// A loop that takes one step in each round.
#[derive(Clone, Debug)]
pub(super) struct Walk<'a> {
    pub(super) it: &'a Loop,
    /// The one block that leads to it, maybe elsewhere too.
    pub(super) entry: Block,
    pub(super) exit: Block,
    pub(super) latch: Block,
    pub(super) walker: Reg,
    /// The register that holds the direction, and the direction.
    pub(super) dir: (Reg, u16),
    pub(super) until: Until,
}

impl<'a> Walk<'a> {
    /// Reads a loop without inner loops as a walk that ends on every board.
    pub(super) fn of(program: &Program, code: &Code<'_>, it: &'a Loop) -> Option<Self> {
        let ([latch], [entry], &[(leaves, exit)]) =
            (&it.latches[..], &it.entries[..], &it.exits[..])
        else {
            return None;
        };
        let (latch, entry) = (*latch, *entry);
        let (walker, dir_reg) = step(code, it, latch)?;
        let dir = u16::try_from(code.lasting(entry, dir_reg)?).ok()?;
        plane::steps(program, dir)?;
        if !plane::ends(program, dir) {
            return None;
        }
        let until = if leaves == it.header && latch != it.header {
            let from = start(code, entry, walker, dir)?;
            Until::No { question: while_yes(code, it, walker)?, from }
        } else if leaves == latch {
            counted(code, it, entry, latch)?
        } else {
            return None;
        };
        Some(Self { it, entry, exit, latch, walker, dir: (dir_reg, dir), until })
    }

    /// Instructions of the latch that only count.
    pub(super) fn counts(&self) -> usize {
        match self.until {
            Until::No { .. } => 0,
            Until::Steps { .. } => 2,
        }
    }
}

/// The walker and its direction, if there is one step, taken in the latch.
fn step(code: &Code<'_>, it: &Loop, latch: Block) -> Option<(Reg, Reg)> {
    let steps = it.blocks.iter().flat_map(|&block| {
        let insts = code.function.block(block).insts.iter();
        insts.filter_map(move |(inst, _)| match *inst {
            Inst::Step { dst, from, dir } => Some((block, dst, from, dir)),
            _ => None,
        })
    });
    let mut steps = steps;
    let (block, walker, from, dir) = steps.next()?;
    let alone = steps.next().is_none() && block == latch && walker == from && dir != walker;
    (alone && assignments(code, it, walker) == 1).then_some((walker, dir))
}

fn assignments(code: &Code<'_>, it: &Loop, reg: Reg) -> usize {
    let insts = it.blocks.iter().flat_map(|&block| &code.function.block(block).insts);
    insts.filter(|(inst, _)| inst.assigns() == Some(Var::Int(reg))).count()
}

/// The square one step before the one that a walker begins at.
fn start(code: &Code<'_>, entry: Block, walker: Reg, dir: u16) -> Option<Reg> {
    let mut block = entry;
    let mut since: Vec<Var> = Vec::new();
    for _ in 0..code.function.blocks.len() {
        for (inst, _) in code.function.block(block).insts.iter().rev() {
            if inst.assigns() == Some(walker.into()) {
                let &Inst::Step { from, dir: along, .. } = inst else { return None };
                let same_way = code.lasting(block, along) == Some(i64::from(dir));
                let kept = |reg: Reg| reg != walker && !since.contains(&reg.into());
                let kept = kept(from) && kept(along);
                return (same_way && kept).then_some(from);
            }
            since.extend(inst.assigns());
        }
        match code.before(block) {
            [only] => block = *only,
            _ => return None,
        }
    }
    None
}

/// The question at the head whose answer must be yes to go on.
fn while_yes(code: &Code<'_>, it: &Loop, walker: Reg) -> Option<Question> {
    let (cond, yes, _) = branch(code.function, it.header)?;
    let [(inst, _)] = &code.function.block(it.header).insts[..] else { return None };
    let assigned = code.assigned(&it.blocks);
    let question = question(inst, walker).filter(|it| !assigned.contains(&it.about()))?;
    (inst.assigns() == Some(cond.into()) && it.contains(yes)).then_some(question)
}

/// What an instruction asks about the square in a register.
pub(super) fn question(inst: &Inst, square: Reg) -> Option<Question> {
    match *inst {
        Inst::Test { array: BOARD, index: Some(index), mask, .. } if index == square => {
            Some(Question::Where(mask)).filter(|_| mask != square)
        }
        Inst::Contains { set, square: at, .. } if at == square => Some(Question::In(set)),
        _ => None,
    }
}

impl Question {
    /// The register that it looks at besides the square.
    pub(super) fn about(self) -> Var {
        match self {
            Self::Where(mask) => mask.into(),
            Self::In(set) => set.into(),
        }
    }
}

/// Reads a loop as one that counts from 0.
fn counted(code: &Code<'_>, it: &Loop, entry: Block, latch: Block) -> Option<Until> {
    let (cond, yes, exit) = branch(code.function, latch)?;
    let insts = &code.function.block(latch).insts;
    let [.., (Inst::Binary { op: Binary::Add, dst, a, b }, _), (test, _)] = &insts[..] else {
        return None;
    };
    let (counter, from, by) = (*dst, *a, *b);
    let &Inst::Binary { op: Binary::Lt, dst: result, a: left, b: count } = test else {
        return None;
    };
    let shape = (from, left, result, yes) == (counter, counter, cond, it.header);
    let number = |reg| code.constant(entry, reg);
    let kept = |reg| assignments(code, it, reg) == 0;
    let counts = number(counter) == Some(0)
        && number(by) == Some(1)
        && assignments(code, it, counter) == 1
        && code.uses(&it.blocks, counter.into()) == 2
        && kept(by)
        && kept(count)
        && count != counter;
    let forgotten = !code.wanted(exit, counter.into());
    let guard = guard(code, it.header, entry, count);
    (shape && counts && forgotten).then_some(Until::Steps { counter, count, guard })
}

/// Where it goes on if `0 < count` is asked before the loop and it is not so.
fn guard(code: &Code<'_>, header: Block, entry: Block, count: Reg) -> Option<Block> {
    let data = code.function.block(entry);
    let End::Branch { cond, yes, no } = data.end.0 else { return None };
    let asked = data.insts.iter().rposition(|(it, _)| it.assigns() == Some(cond.into()))?;
    let Inst::Binary { op: Binary::Lt, a, b, .. } = data.insts[asked].0 else { return None };
    let later = &data.insts[asked..];
    let kept = |reg: Reg| later.iter().all(|(it, _)| it.assigns() != Some(reg.into()));
    let kept = kept(count) && kept(a);
    let right = b == count && code.lasting(entry, a) == Some(0) && kept;
    (right && yes == header && no != header).then_some(no)
}
