//! Functions as the machine runs them: flat, small, with common pairs in one.
//!
//! ```text
//! blocks of instructions ──> one row of ops of 16 bytes, jumps by number
//! ```
//!
//! Nothing is optimised away: every register has the value that the
//! instructions say. What is saved is time to find the next instruction: a jump
//! to a mere jump goes where that goes, a block stands right before the one it
//! jumps to if it can, and a test and the branch on it are one op.

use ludex_ir::inst::BOARD;
use ludex_ir::{Binary, Block, End, Function, Inst, Reg, Unary};

/// In place of a register that is not there.
pub(crate) const NONE: u16 = u16::MAX;

/// One op. Registers are numbers of their class; `yes`, `no` and `to` are numbers of ops.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Const {
        dst: u16,
        value: i64,
    },
    Copy {
        dst: u16,
        src: u16,
    },
    Unary {
        op: Unary,
        dst: u16,
        src: u16,
    },
    Binary {
        op: Binary,
        dst: u16,
        a: u16,
        b: u16,
    },
    BinaryBranch {
        op: Binary,
        dst: u16,
        a: u16,
        b: u16,
        yes: u32,
        no: u32,
    },
    Lookup {
        dst: u16,
        table: u16,
        i: u16,
        j: u16,
    },
    Pair {
        dst: u16,
        i: u16,
        j: u16,
        rows: u32,
        columns: u32,
    },
    Step {
        dst: u16,
        from: u16,
        dir: u16,
    },
    ListLen {
        dst: u16,
        list: u16,
    },
    ListItem {
        dst: u16,
        list: u16,
        index: u16,
    },
    Load {
        dst: u16,
        array: u16,
        index: u16,
    },
    Test {
        dst: u16,
        array: u16,
        index: u16,
        mask: u16,
    },
    /// A test of a square and a branch on it.
    TestBranch {
        dst: u16,
        square: u16,
        mask: u16,
        yes: u32,
        no: u32,
    },
    Contains {
        dst: u16,
        set: u16,
        square: u16,
    },
    Count {
        dst: u16,
        set: u16,
    },
    Any {
        dst: u16,
        set: u16,
    },
    NextMember {
        dst: u16,
        set: u16,
        after: u16,
    },
    SetConst {
        dst: u16,
        family: u16,
        index: u16,
    },
    Jump {
        to: u32,
    },
    Branch {
        cond: u16,
        yes: u32,
        no: u32,
    },
    Return,
    /// Any other instruction, by its number among them.
    Other {
        number: u32,
    },
}

/// A function, ready to be run.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The place of each op in the source.
    pub(crate) places: Vec<u32>,
    /// The instructions that have no op of their own.
    pub(crate) others: Vec<Inst>,
}

impl Code {
    /// The code of a function of a verified program.
    pub(crate) fn new(function: &Function) -> Self {
        let code = Self { ops: Vec::new(), places: Vec::new(), others: Vec::new() };
        let mut writer = Writer { function, code, begins: vec![None; function.blocks.len()] };
        writer.block(0);
        let mut next = 0;
        // What has been written may jump to what has not.
        while next < writer.code.ops.len() {
            for target in targets(writer.code.ops[next]) {
                writer.block(target);
            }
            next += 1;
        }
        writer.finish()
    }
}

struct Writer<'a> {
    function: &'a Function,
    code: Code,
    /// Where each block begins, once it is written. Until the end, jumps name blocks.
    begins: Vec<Option<u32>>,
}

impl Writer<'_> {
    /// Writes a block, and the one it jumps to right after it, and so on.
    fn block(&mut self, first: u32) {
        let mut block = first;
        while self.begins[block as usize].is_none() {
            self.begins[block as usize] = Some(self.code.ops.len() as u32);
            let data = &self.function.blocks[block as usize];
            for (inst, place) in &data.insts {
                self.inst(inst, *place);
            }
            let (end, place) = &data.end;
            match *end {
                End::Return => self.push(Op::Return, *place),
                End::Branch { cond, yes, no } => {
                    self.branch(cond, self.arrives(yes), self.arrives(no), *place);
                }
                End::Jump(to) => {
                    let to = self.arrives(to);
                    if self.begins[to as usize].is_none() {
                        block = to;
                        continue;
                    }
                    self.push(Op::Jump { to }, *place);
                }
            }
            return;
        }
    }

    /// The block that a jump to `block` reaches, past blocks that only jump on.
    fn arrives(&self, block: Block) -> u32 {
        let mut at = block;
        for _ in 0..self.function.blocks.len() {
            let data = &self.function.blocks[at.0 as usize];
            match data.end.0 {
                End::Jump(to) if data.insts.is_empty() => at = to,
                _ => break,
            }
        }
        at.0
    }

    fn push(&mut self, op: Op, place: u32) {
        self.code.ops.push(op);
        self.code.places.push(place);
    }

    /// Writes a branch, in one with the op before it if that computes the condition.
    fn branch(&mut self, cond: Reg, yes: u32, no: u32, place: u32) {
        let fused = match self.code.ops.last() {
            Some(&Op::Binary { op, dst, a, b }) if dst == cond.0 => {
                Some(Op::BinaryBranch { op, dst, a, b, yes, no })
            }
            Some(&Op::Test { dst, array, index, mask }) => (dst == cond.0
                && array == BOARD.0
                && index != NONE)
                .then_some(Op::TestBranch { dst, square: index, mask, yes, no }),
            _ => None,
        };
        // The op before must belong to this block: something else may jump right here.
        let here = Some(self.code.ops.len() as u32);
        match (fused, self.code.ops.last_mut()) {
            (Some(op), Some(last)) if !self.begins.contains(&here) => *last = op,
            _ => self.push(Op::Branch { cond: cond.0, yes, no }, place),
        }
    }

    fn inst(&mut self, inst: &Inst, place: u32) {
        let reg = |reg: Option<Reg>| reg.map_or(NONE, |reg| reg.0);
        let op = match *inst {
            Inst::Const { dst, value } => Op::Const { dst: dst.0, value },
            Inst::Copy { dst, src } => Op::Copy { dst: dst.0, src: src.0 },
            Inst::Unary { op, dst, src } => Op::Unary { op, dst: dst.0, src: src.0 },
            Inst::Binary { op, dst, a, b } => Op::Binary { op, dst: dst.0, a: a.0, b: b.0 },
            Inst::Lookup { dst, table, i, j } => {
                Op::Lookup { dst: dst.0, table: table.0, i: i.0, j: reg(j) }
            }
            Inst::Pair { dst, i, j, rows, columns } => {
                Op::Pair { dst: dst.0, i: i.0, j: j.0, rows, columns }
            }
            Inst::Step { dst, from, dir } => Op::Step { dst: dst.0, from: from.0, dir: dir.0 },
            Inst::ListLen { dst, list } => Op::ListLen { dst: dst.0, list: list.0 },
            Inst::ListItem { dst, list, index } => {
                Op::ListItem { dst: dst.0, list: list.0, index: index.0 }
            }
            Inst::Load { dst, array, index } => {
                Op::Load { dst: dst.0, array: array.0, index: reg(index) }
            }
            Inst::Test { dst, array, index, mask } => {
                Op::Test { dst: dst.0, array: array.0, index: reg(index), mask: mask.0 }
            }
            Inst::Contains { dst, set, square } => {
                Op::Contains { dst: dst.0, set: set.0, square: square.0 }
            }
            Inst::Count { dst, set } => Op::Count { dst: dst.0, set: set.0 },
            Inst::Any { dst, set } => Op::Any { dst: dst.0, set: set.0 },
            Inst::NextMember { dst, set, after } => {
                Op::NextMember { dst: dst.0, set: set.0, after: after.0 }
            }
            Inst::SetConst { dst, family, index } => {
                Op::SetConst { dst: dst.0, family: family.0, index: reg(index) }
            }
            ref other => {
                self.code.others.push(other.clone());
                Op::Other { number: self.code.others.len() as u32 - 1 }
            }
        };
        self.push(op, place);
    }

    /// Turns the numbers of blocks into numbers of ops.
    fn finish(mut self) -> Code {
        let at = |block: &mut u32| *block = self.begins[*block as usize].unwrap_or(0);
        for op in &mut self.code.ops {
            match op {
                Op::Jump { to } => at(to),
                Op::Branch { yes, no, .. }
                | Op::BinaryBranch { yes, no, .. }
                | Op::TestBranch { yes, no, .. } => {
                    at(yes);
                    at(no);
                }
                _ => {}
            }
        }
        self.code
    }
}

/// The blocks that an op may go on at.
fn targets(op: Op) -> impl Iterator<Item = u32> {
    let (first, second) = match op {
        Op::Jump { to } => (Some(to), None),
        Op::Branch { yes, no, .. }
        | Op::BinaryBranch { yes, no, .. }
        | Op::TestBranch { yes, no, .. } => (Some(no), Some(yes)),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}
