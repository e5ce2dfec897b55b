//! Unlikely programs: every construct of the IR in random nests.

use ludex_core::Random;
use ludex_ir::inst::BOARD;
use ludex_ir::{
    ArrayId, Binary, Block, BlockData, End, Func, Function, Inst, OutcomeKind, PathOf, PathReg,
    Program, Reg, SetBinary, SetId, SetReg, StatementId, TableId, Unary, Var,
};

/// What a function is for, which is what it may do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Moves,
    Effect,
    Result,
    Helper,
}

const HAND: ArrayId = ArrayId(2);
const SEEN: ArrayId = ArrayId(3);
/// The array that counts turns.
pub const CLOCK: ArrayId = ArrayId(4);
/// Registers that statements read and assign; loops have their own after them.
const INTS: u16 = 7;
const SETS: u16 = 3;

/// A function being written.
struct Writer<'a> {
    random: &'a mut Random,
    purpose: Purpose,
    /// Helpers that may be called: those before this one.
    helpers: Vec<Func>,
    blocks: Vec<BlockData>,
    insts: Vec<(Inst, u32)>,
    /// The block being written.
    at: usize,
    ints: u16,
    tries: u32,
    /// Where loops end, and how deep in `try` they stand.
    loops: Vec<(Block, u32)>,
}

impl Writer<'_> {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound)
    }

    fn int(&mut self) -> Reg {
        Reg(self.below(u32::from(INTS)) as u16)
    }

    /// A register to assign: any but `me`.
    fn dst(&mut self) -> Reg {
        Reg(1 + self.below(u32::from(INTS) - 1) as u16)
    }

    fn set(&mut self) -> SetReg {
        SetReg(self.below(u32::from(SETS)) as u16)
    }

    fn path(&mut self) -> PathReg {
        PathReg(self.below(2) as u16)
    }

    fn push(&mut self, inst: Inst) {
        self.insts.push((inst, 0));
    }

    fn block(&mut self) -> Block {
        self.blocks.push(BlockData { insts: Vec::new(), end: (End::Return, 0) });
        Block(self.blocks.len() as u32 - 1)
    }

    fn close(&mut self, end: End, next: Block) {
        self.blocks[self.at] = BlockData { insts: std::mem::take(&mut self.insts), end: (end, 0) };
        self.at = next.0 as usize;
    }

    /// A fresh register with a constant.
    fn fresh(&mut self, value: i64) -> Reg {
        let dst = Reg(self.ints);
        self.ints += 1;
        self.push(Inst::Const { dst, value });
        dst
    }

    /// A fresh register with some value made to lie in `lo..lo + size`.
    fn within(&mut self, lo: i64, size: i64) -> Reg {
        let src = self.int();
        let (bound, offset) = (self.fresh(size), self.fresh(lo));
        let dst = self.fresh(0);
        self.push(Inst::Binary { op: Binary::Rem, dst, a: src, b: bound });
        self.push(Inst::Unary { op: Unary::Abs, dst, src: dst });
        self.push(Inst::Binary { op: Binary::Add, dst, a: dst, b: offset });
        dst
    }

    /// An array, and an index that is mostly inside it.
    fn cell(&mut self) -> (ArrayId, Option<Reg>, i64, i64) {
        match self.below(8) {
            0..4 => (BOARD, Some(self.within(0, 10)), 0, 5),
            4..6 => (HAND, Some(self.within(0, 4)), -1, 10),
            6 => (SEEN, Some(self.within(0, 18)), 0, 2),
            _ => (CLOCK, None, 0, 101),
        }
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..2 + self.below(4) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.below(if depth > 0 { 20 } else { 12 }) {
            0..3 => self.number(),
            3..6 => self.read(),
            6..9 => self.set_statement(),
            9 => self.write(),
            10 => self.speak(),
            11 => self.path_statement(),
            12..15 => self.branch(depth),
            15..17 => self.repeat(depth),
            17 => self.each_member(depth),
            18 => self.attempt(depth),
            _ => self.jump_or_call(),
        }
    }

    fn number(&mut self) {
        let (dst, a, b) = (self.dst(), self.int(), self.int());
        let value = i64::from(self.below(12)) - 2;
        let ops = [Binary::Add, Binary::Sub, Binary::Max, Binary::Eq, Binary::Lt, Binary::Le];
        let op = *self.random.pick(&ops).expect("there are some");
        let inst = match self.below(8) {
            0 | 1 => Inst::Const { dst, value },
            2 => Inst::Copy { dst, src: a },
            3 => Inst::Unary { op: Unary::Not, dst, src: a },
            4 => Inst::Step { dst, from: a, dir: b },
            5 => Inst::Lookup { dst, table: TableId(1), i: a, j: Some(b) },
            _ => Inst::Binary { op, dst, a, b },
        };
        self.push(inst);
    }

    fn read(&mut self) {
        let dst = self.dst();
        let (array, index, lo, size) = self.cell();
        match self.below(4) {
            0 => self.push(Inst::Load { dst, array, index }),
            1 if array != CLOCK => {
                let mask = i64::from(self.below(32));
                let mask = self.fresh(mask);
                self.push(Inst::Test { dst, array, index, mask });
            }
            _ => {
                let from = lo + i64::from(self.below(size as u32));
                let to = from + i64::from(self.below(3));
                self.push(Inst::TestRange { dst, array, index, lo: from, hi: to });
            }
        }
    }

    fn set_statement(&mut self) {
        let (dst, a, b) = (self.set(), self.set(), self.set());
        let (reg, square) = (self.dst(), self.int());
        let ops = [SetBinary::Union, SetBinary::Intersection, SetBinary::Difference];
        let op = *self.random.pick(&ops).expect("there are some");
        match self.below(16) {
            0 => self.push(Inst::SetConst { dst, family: SetId(0), index: Some(square) }),
            1 | 2 => {
                let mask = i64::from(self.below(32));
                let mask = self.fresh(mask);
                self.push(Inst::SetWhere { dst, mask });
            }
            3 => {
                let index = self.within(0, 2);
                self.push(Inst::SetLoad { dst, array: SEEN, index: Some(index) });
            }
            4 | 5 => self.push(Inst::SetBinary { op, dst, a, b }),
            6 => self.push(Inst::SetInsert { set: dst, square }),
            7 => {
                let dir = self.within(0, 4);
                self.push(Inst::Shift { dst, src: a, dir });
            }
            8 => {
                let list = self.within(0, 2);
                self.push(Inst::Neighbours { dst, src: a, list });
            }
            9 | 10 => {
                let list = self.within(0, 2);
                self.push(Inst::Flood { dst, from: a, within: b, list });
            }
            11 => self.push(Inst::Contains { dst: reg, set: a, square }),
            12 => {
                let (count, limit) = (self.fresh(0), self.int());
                self.push(Inst::Count { dst: count, set: a });
                let op = if self.below(2) == 0 { Binary::Lt } else { Binary::Eq };
                let (a, b) = if self.below(2) == 0 { (count, limit) } else { (limit, count) };
                self.push(Inst::Binary { op, dst: reg, a, b });
            }
            13 => self.push(Inst::Count { dst: reg, set: a }),
            14 => self.push(Inst::NextMember { dst: reg, set: a, after: square }),
            _ => self.push(Inst::Any { dst: reg, set: a }),
        }
    }

    /// A write, where one is allowed: in effects, and inside `try`.
    fn write(&mut self) {
        if self.purpose != Purpose::Effect && self.tries == 0 {
            return;
        }
        let (array, index, lo, size) = self.cell();
        match self.below(6) {
            0..3 => {
                let value = self.within(lo, size);
                self.push(Inst::Store { array, index, value });
            }
            3 => {
                let delta = self.int();
                self.push(Inst::Add { array, index, delta });
            }
            4 => {
                let (set, value) = (self.set(), self.within(0, 5));
                self.push(Inst::StoreAll { set, value });
            }
            _ => {
                let (src, index) = (self.set(), Some(self.within(0, 2)));
                let inst = match self.below(3) {
                    0 => Inst::SetStore { array: SEEN, index, src },
                    it => Inst::SetUpdate { array: SEEN, index, src, add: it == 1 },
                };
                self.push(inst);
            }
        }
    }

    /// Lists a move, gives a result, speaks about the turn: what the function is for.
    fn speak(&mut self) {
        let rarely = self.below(4) == 0;
        match self.purpose {
            Purpose::Moves if rarely => {
                let (a, way) = (self.within(-1, 10), self.path());
                let args = vec![a.into(), way.into()];
                self.push(Inst::Emit { statement: StatementId(1), args, weight: None });
            }
            Purpose::Moves => {
                let args = vec![self.within(0, 9).into(), self.within(0, 9).into()];
                self.push(Inst::Emit { statement: StatementId(0), args, weight: None });
            }
            Purpose::Result => {
                let score = self.within(0, 5);
                let (kind, score) = match self.below(3) {
                    0 => (OutcomeKind::Draw, None),
                    1 => (OutcomeKind::Victory, None),
                    _ => (OutcomeKind::Score, Some(score)),
                };
                self.push(Inst::Outcome { kind, score });
            }
            Purpose::Effect if rarely => {
                let player = self.int();
                self.push(Inst::Next { player });
            }
            Purpose::Effect => self.push(Inst::Irreversible),
            Purpose::Helper => {}
        }
        // Not in effects, nor in what they call: there the interpreter's list of writes knows no history.
        let asks = matches!(self.purpose, Purpose::Moves | Purpose::Result);
        if asks && self.below(8) == 0 {
            let dst = self.dst();
            self.push(Inst::Repeats { dst });
        }
    }

    fn path_statement(&mut self) {
        let (dst, src, reg, index) = (self.path(), self.path(), self.dst(), self.int());
        match self.below(5) {
            0 => self.push(Inst::PathEmpty { dst }),
            1 | 2 => {
                // From the empty path, so that it cannot grow too long in a loop.
                let item = self.within(0, 9);
                self.push(Inst::PathEmpty { dst });
                self.push(Inst::PathPush { dst, src: dst, item, of: PathOf::Squares });
            }
            3 => self.push(Inst::PathLen { dst: reg, path: src }),
            _ => self.push(Inst::PathItem { dst: reg, path: src, index, of: PathOf::Squares }),
        }
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.int();
        let (yes, no, done) = (self.block(), self.block(), self.block());
        self.close(End::Branch { cond, yes, no }, yes);
        self.statements(depth - 1);
        self.close(End::Jump(done), no);
        if self.below(2) == 0 {
            self.statements(depth - 1);
        }
        self.close(End::Jump(done), done);
    }

    /// A loop of a few turns, how many of which may depend on anything.
    fn repeat(&mut self, depth: u32) {
        let (turn, one) = (self.fresh(0), self.fresh(1));
        let (most, more) = (self.within(0, 4), self.fresh(0));
        let (head, body, done) = (self.block(), self.block(), self.block());
        self.close(End::Jump(head), head);
        self.push(Inst::Binary { op: Binary::Lt, dst: more, a: turn, b: most });
        self.push(Inst::Binary { op: Binary::Add, dst: turn, a: turn, b: one });
        self.close(End::Branch { cond: more, yes: body, no: done }, body);
        self.loops.push((done, self.tries));
        self.statements(depth - 1);
        self.loops.pop();
        self.close(End::Jump(head), done);
    }

    /// A loop over a set, which the body may change.
    fn each_member(&mut self, depth: u32) {
        let set = self.set();
        let (square, none) = (self.fresh(-1), self.fresh(-1));
        let (more, item) = (self.fresh(0), self.dst());
        let (head, body, done) = (self.block(), self.block(), self.block());
        self.close(End::Jump(head), head);
        self.push(Inst::NextMember { dst: square, set, after: square });
        self.push(Inst::Binary { op: Binary::Lt, dst: more, a: none, b: square });
        self.close(End::Branch { cond: more, yes: body, no: done }, body);
        self.push(Inst::Copy { dst: item, src: square });
        self.loops.push((done, self.tries));
        self.statements(depth - 1);
        self.loops.pop();
        self.close(End::Jump(head), done);
        let last = self.dst();
        self.push(Inst::Copy { dst: last, src: square });
    }

    fn attempt(&mut self, depth: u32) {
        self.push(Inst::TryBegin);
        self.tries += 1;
        self.write();
        self.statements(depth - 1);
        self.tries -= 1;
        self.push(Inst::TryEnd);
    }

    /// Leaves a loop or the function under a condition, or calls a helper.
    fn jump_or_call(&mut self) {
        let (leave, stay) = (self.block(), self.block());
        match (self.below(4), self.loops.last().copied()) {
            (0, Some((done, tries))) => {
                let cond = self.int();
                self.close(End::Branch { cond, yes: leave, no: stay }, leave);
                (tries..self.tries).for_each(|_| self.push(Inst::TryEnd));
                self.close(End::Jump(done), stay);
            }
            (1, _) => {
                let cond = self.int();
                self.close(End::Branch { cond, yes: leave, no: stay }, leave);
                (0..self.tries).for_each(|_| self.push(Inst::TryEnd));
                self.close(End::Return, stay);
            }
            _ => {
                self.close(End::Jump(stay), stay);
                self.call();
            }
        }
    }

    fn call(&mut self) {
        let Some(&func) = self.random.pick(&self.helpers) else { return };
        let args = vec![Reg(0).into(), self.int().into(), self.set().into()];
        let result =
            Some(if func.0.is_multiple_of(2) { self.dst().into() } else { self.set().into() });
        self.push(Inst::Call { func, args, result });
    }
}

/// A random function with these parameters.
fn function(
    random: &mut Random,
    purpose: Purpose,
    params: Vec<Var>,
    result: Option<Var>,
    helpers: Vec<Func>,
) -> Function {
    let mut writer = Writer {
        random,
        purpose,
        helpers,
        blocks: Vec::new(),
        insts: Vec::new(),
        at: 0,
        ints: INTS,
        tries: 0,
        loops: Vec::new(),
    };
    writer.block();
    writer.statements(3);
    writer.statements(3);
    if purpose != Purpose::Effect {
        writer.speak();
    }
    let end = Block(0);
    writer.close(End::Return, end);
    let Writer { blocks, ints, .. } = writer;
    Function {
        name: "random".to_owned(),
        params,
        result,
        ints,
        sets: SETS,
        paths: 2,
        blocks,
        names: Vec::new(),
    }
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let mut program = Program::parse(super::FRAME).unwrap_or_else(|err| panic!("{err}"));
    let (me, x, y) = (Var::Int(Reg(0)), Var::Int(Reg(1)), Var::Int(Reg(2)));
    let (set, way) = (Var::Set(SetReg(0)), Var::Path(PathReg(0)));
    // Even helpers give a number, odd ones a set; each may call those before it.
    let mut helpers = Vec::new();
    for index in 4..7 {
        let result = if index % 2 == 0 { x } else { set };
        let helper =
            function(random, Purpose::Helper, vec![me, x, set], Some(result), helpers.clone());
        program.functions.push(helper);
        helpers.push(Func(index));
    }
    program.functions[0] = function(random, Purpose::Moves, vec![me], None, helpers.clone());
    program.functions[1] = function(random, Purpose::Effect, vec![me, x, y], None, helpers.clone());
    program.functions[2] = function(random, Purpose::Effect, vec![me, x, way], None, Vec::new());
    program.functions[3] = function(random, Purpose::Result, vec![me], None, helpers);
    program
}
