//! Range analysis: between which bounds every number is, along the graph.
//!
//! Each register has a [`Range`] where each block begins. Where ways meet the
//! ranges are joined; a branch that can only go one way leads nowhere else; and
//! each side of a branch learns from its condition: after `test board[b] m`
//! said yes, `b` is a square. So that loops come to an end, ranges that grow
//! from round to round are let grow by large steps (`Ladder`).
//!
//! From block to block only the registers are carried that are looked at
//! across blocks; constants are known everywhere.

use std::collections::BTreeSet;

use super::liveness::{BitSet, Liveness};
use super::loops::reverse_postorder;
use super::range::{Range, Ranger};
use crate::inst::{BOARD, Binary, Block, End, Inst, Reg, Unary, Var};
use crate::program::{Function, Program};

/// The range of every number register at one place.
pub type Known = Vec<Range>;

/// What is known of the numbers of a function.
pub struct RangeAnalysis<'a> {
    function: &'a Function,
    ranger: Ranger<'a>,
    /// What is known of the carried registers where each block begins.
    entries: Vec<Option<Known>>,
    /// The registers that are carried from block to block.
    carried: Vec<usize>,
    /// What is known everywhere.
    everywhere: Known,
    /// By register: where it is assigned, if that is the one value it ever has.
    makers: Vec<Option<(Block, usize)>>,
    /// By register: whether it has one value only.
    single: Vec<bool>,
}

impl<'a> RangeAnalysis<'a> {
    /// Works them out.
    pub fn of(program: &'a Program, function: &'a Function) -> Self {
        let mut facts = Self {
            function,
            ranger: Ranger::new(program),
            entries: vec![None; function.blocks.len()],
            carried: Vec::new(),
            everywhere: vec![Range::ANY; function.ints.into()],
            makers: vec![None; function.ints.into()],
            single: vec![false; function.ints.into()],
        };
        let live = Liveness::of(function);
        facts.find_makers(&live);
        facts.find_carried(&live);
        facts.enter(Block(0), &start(function), None);
        facts.run(&Ladder::of(program));
        facts
    }

    /// Whether a block is ever reached.
    pub fn reaches(&self, block: Block) -> bool {
        self.entries[block.0 as usize].is_some()
    }

    /// What is known where a block begins; `None` if it is never reached.
    pub fn entry(&self, block: Block) -> Option<Known> {
        let mut known = Known::new();
        self.begin(block, &mut known)?;
        Some(known)
    }

    /// Whether a register has one value only.
    pub fn is_single(&self, reg: Reg) -> bool {
        self.single[reg.0 as usize]
    }

    /// Puts what is known where a block begins into `known`; `None` if it is never reached.
    fn begin(&self, block: Block, known: &mut Known) -> Option<()> {
        let entry = self.entries[block.0 as usize].as_ref()?;
        known.clone_from(&self.everywhere);
        for (&reg, &range) in self.carried.iter().zip(entry) {
            known[reg] = range;
        }
        Some(())
    }

    /// What is known of the number that an instruction assigns.
    pub fn assigned(&self, inst: &Inst, known: &Known) -> Range {
        self.ranger.assigned(inst, |reg| known[reg.0 as usize])
    }

    /// What is known after an instruction.
    pub fn step(&self, inst: &Inst, known: &mut Known) {
        if let Some(Var::Int(dst)) = inst.assigns() {
            known[dst.0 as usize] = self.assigned(inst, known);
        }
    }

    /// What is known where a block ends; `None` if it is never reached.
    pub fn exit(&self, block: Block) -> Option<Known> {
        let mut known = Known::new();
        self.finish(block, &mut known)?;
        Some(known)
    }

    /// Puts what is known where a block ends into `known`; `None` if it is never reached.
    fn finish(&self, block: Block, known: &mut Known) -> Option<()> {
        self.begin(block, known)?;
        for (inst, _) in &self.function.block(block).insts {
            self.step(inst, known);
        }
        Some(())
    }

    fn find_makers(&mut self, live: &Liveness) {
        let counts = live.assignments(self.function);
        let dense = live.dense;
        for reg in 0..self.function.ints {
            self.single[reg as usize] = counts[dense.index(Reg(reg).into())] == 1;
        }
        for block in reverse_postorder(self.function) {
            for (index, (inst, _)) in self.function.block(block).insts.iter().enumerate() {
                if let Some(Var::Int(dst)) = inst.assigns() {
                    let single = self.single[dst.0 as usize];
                    self.makers[dst.0 as usize] = single.then_some((block, index));
                }
            }
        }
    }

    fn find_carried(&mut self, live: &Liveness) {
        let mut wanted = BitSet::new(live.dense.len());
        for block in self.function.all_blocks() {
            wanted.add(live.entry(block));
        }
        let number = |index: &usize| *index < self.function.ints as usize;
        for reg in wanted.iter().take_while(number) {
            match self.makers[reg].map(|(block, at)| &self.function.block(block).insts[at].0) {
                Some(&Inst::Const { value, .. }) => self.everywhere[reg] = Range::one(value),
                _ => self.carried.push(reg),
            }
        }
    }

    fn run(&mut self, ladder: &Ladder) {
        let order = reverse_postorder(self.function);
        let mut places = vec![usize::MAX; self.function.blocks.len()];
        for (place, block) in order.iter().enumerate() {
            places[block.0 as usize] = place;
        }
        let mut rounds = vec![0_u32; order.len()];
        let mut work = BTreeSet::from([0]);
        let (mut known, mut otherwise) = (Known::new(), Known::new());
        while let Some(place) = work.pop_first() {
            let block = order[place];
            if self.finish(block, &mut known).is_none() {
                continue;
            }
            let [first, second] = self.ways(block, &mut known, &mut otherwise);
            let first = first.map(|next| (next, &known));
            for (next, known) in first.into_iter().chain(second.map(|next| (next, &otherwise))) {
                let at = places[next.0 as usize];
                let back = at <= place;
                rounds[at] += u32::from(back);
                let widen = (back && rounds[at] > 2).then_some(ladder);
                if self.enter(next, known, widen) {
                    work.insert(at);
                }
            }
        }
    }

    /// Joins what is known on an edge with what is known of its block; whether that is new.
    fn enter(&mut self, block: Block, known: &Known, ladder: Option<&Ladder>) -> bool {
        let Some(old) = &mut self.entries[block.0 as usize] else {
            let entry = self.carried.iter().map(|&reg| known[reg]).collect();
            self.entries[block.0 as usize] = Some(entry);
            return true;
        };
        let mut changed = false;
        for (old, &reg) in old.iter_mut().zip(&self.carried) {
            let hull = old.hull(known[reg]);
            if hull != *old {
                *old = ladder.map_or(hull, |it| it.widen(*old, hull));
                changed = true;
            }
        }
        changed
    }

    /// The edges out of a block that can be taken, with what is known on each.
    pub fn edges(&self, block: Block) -> Vec<(Block, Known)> {
        let Some(mut known) = self.exit(block) else { return Vec::new() };
        let mut otherwise = Known::new();
        let [first, second] = self.ways(block, &mut known, &mut otherwise);
        let first = first.map(|next| (next, known));
        first.into_iter().chain(second.map(|next| (next, otherwise))).collect()
    }

    /// The ways out of a block that can be taken, given what is `known` where it ends. That
    /// becomes what is known on the first of them, and `otherwise` what is known on the second.
    pub fn ways(
        &self,
        block: Block,
        known: &mut Known,
        otherwise: &mut Known,
    ) -> [Option<Block>; 2] {
        match self.function.block(block).end.0 {
            End::Jump(to) => [Some(to), None],
            End::Return => [None, None],
            End::Branch { cond, yes, no } => {
                otherwise.clone_from(known);
                let taken = self.learn(block, cond, true, known);
                let other = self.learn(block, cond, false, otherwise);
                [taken.map(|()| yes), other.map(|()| no)]
            }
        }
    }

    /// Adds what follows from the condition of a block's branch; `None` if it cannot be so.
    fn learn(&self, block: Block, cond: Reg, truth: bool, known: &mut Known) -> Option<()> {
        let mut reg = cond;
        let mut truth = truth;
        let mut at = self.function.block(block).insts.len();
        // A condition made of a condition made of a condition ...
        for _ in 0..4 {
            narrow_truth(&mut known[reg.0 as usize], truth)?;
            let Some((inst, index)) = self.maker(block, reg, at) else { break };
            at = index.unwrap_or(at);
            match *inst {
                Inst::Unary { op: Unary::Not, src, .. } => (reg, truth) = (src, !truth),
                Inst::Copy { src, .. } => reg = src,
                _ => return self.learn_from(inst, truth, known),
            }
        }
        Some(())
    }

    /// The instruction that gave a register the value it has before instruction `at` of a block,
    /// if the registers it looked at are still the same; with its place if it is in the block.
    fn maker(&self, block: Block, reg: Reg, at: usize) -> Option<(&'a Inst, Option<usize>)> {
        let insts = &self.function.block(block).insts;
        let found = insts[..at].iter().rposition(|(it, _)| it.assigns() == Some(reg.into()));
        if let Some(index) = found {
            let inst = &insts[index].0;
            let uses = inst.uses();
            let later = insts[index..].iter().filter_map(|(it, _)| it.assigns());
            let same = later.into_iter().all(|it| !uses.contains(&it));
            return same.then_some((inst, Some(index)));
        }
        let (block, index) = self.makers[reg.0 as usize]?;
        let inst = &self.function.block(block).insts[index].0;
        let single = inst.uses().iter().all(|it| match *it {
            Var::Int(reg) => self.single[reg.0 as usize],
            // What a set has in it teaches nothing about numbers.
            Var::Set(_) | Var::Path(_) => true,
        });
        single.then_some((inst, None))
    }

    fn learn_from(&self, inst: &Inst, truth: bool, known: &mut Known) -> Option<()> {
        match *inst {
            Inst::Test { array, index: Some(index), .. }
            | Inst::TestRange { array, index: Some(index), .. }
                if truth =>
            {
                narrow(known, index, self.ranger.indices(array)?)
            }
            Inst::Contains { square, .. } if truth => {
                narrow(known, square, self.ranger.indices(BOARD)?)
            }
            Inst::Binary { op, a, b, .. } => compare(op, a, b, truth, known),
            _ => Some(()),
        }
    }
}

fn start(function: &Function) -> Known {
    let mut known = vec![Range::one(0); function.ints.into()];
    for param in &function.params {
        if let Var::Int(reg) = param {
            known[reg.0 as usize] = Range::ANY;
        }
    }
    known
}

fn narrow(known: &mut Known, reg: Reg, to: Range) -> Option<()> {
    let range = &mut known[reg.0 as usize];
    *range = range.meet(to)?;
    Some(())
}

fn narrow_truth(range: &mut Range, truth: bool) -> Option<()> {
    if !truth {
        *range = range.meet(Range::one(0))?;
        return Some(());
    }
    let lo = if range.lo == 0 { 1 } else { range.lo };
    let hi = if range.hi == 0 { -1 } else { range.hi };
    *range = Range::new(lo, hi)?;
    Some(())
}

/// What a comparison teaches about both sides.
fn compare(op: Binary, a: Reg, b: Reg, truth: bool, known: &mut Known) -> Option<()> {
    let (left, right) = (known[a.0 as usize], known[b.0 as usize]);
    match (op, truth) {
        (Binary::Eq, true) | (Binary::Ne, false) => {
            let both = left.meet(right)?;
            known[a.0 as usize] = both;
            known[b.0 as usize] = both;
        }
        (Binary::Eq, false) | (Binary::Ne, true) => {
            known[a.0 as usize] = without(left, right)?;
            known[b.0 as usize] = without(right, left)?;
        }
        (Binary::Lt, true) => below(known, a, b, 1)?,
        (Binary::Lt, false) => below(known, b, a, 0)?,
        (Binary::Le, true) => below(known, a, b, 0)?,
        (Binary::Le, false) => below(known, b, a, 1)?,
        _ => {}
    }
    Some(())
}

/// `a + gap <= b`.
fn below(known: &mut Known, a: Reg, b: Reg, gap: i64) -> Option<()> {
    let (left, right) = (known[a.0 as usize], known[b.0 as usize]);
    narrow(known, a, Range { lo: i64::MIN, hi: right.hi.checked_sub(gap)? })?;
    narrow(known, b, Range { lo: left.lo.checked_add(gap)?, hi: i64::MAX })
}

/// A range without a number at one of its ends.
fn without(range: Range, other: Range) -> Option<Range> {
    match other.constant() {
        Some(value) if value == range.lo && value == range.hi => None,
        Some(value) if value == range.lo => Range::new(value + 1, range.hi),
        Some(value) if value == range.hi => Range::new(range.lo, value - 1),
        _ => Some(range),
    }
}

/// The ends that ranges may grow to.
struct Ladder {
    up: Vec<i64>,
}

impl Ladder {
    fn of(program: &Program) -> Self {
        let squares = program.squares as i64;
        let mut up = vec![1, 8, 16, squares - 1, squares, 1 << 8, 1 << 16, 1 << 32, i64::MAX];
        up.sort_unstable();
        Self { up }
    }

    fn widen(&self, old: Range, new: Range) -> Range {
        let hi = if new.hi > old.hi {
            self.up.iter().copied().find(|&it| it >= new.hi).unwrap_or(i64::MAX)
        } else {
            old.hi
        };
        let lo = match new.lo {
            lo if lo >= old.lo => old.lo,
            0.. => 0,
            -1 => -1,
            _ => i64::MIN,
        };
        Range { lo, hi }
    }
}
