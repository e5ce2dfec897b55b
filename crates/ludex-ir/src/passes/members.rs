//! Loops over all squares that ask at once whether the square is in a set become
//! loops over the members of that set.
//!
//! `for a in mine` comes as `r = 0..squares` with a test at its head. Afterwards
//! it is a loop in the form of `MemberLoop`, whatever the set is made of:
//! `where mask`, a set register, intersections of these. So are loops that went
//! from member to member already.

use std::collections::BTreeSet;

use super::setwise::code::{Code, MemberLoop, change_loops, merge};
use super::setwise::commute::{branch, keeps_state};
use crate::bits::Bits;
use crate::inst::{BOARD, Binary, Block, End, Func, Inst, Reg, SetBinary, SetId, SetReg, Var};
use crate::program::{BlockData, Function, Program, SetFamily};

use super::loops::Loop;

/// Makes loops over members of the loops over squares of a function.
pub fn run(program: &mut Program, func: Func) {
    change_loops(program, func, one_change);
    while let Some(changed) = narrowed(program, program.function(func)) {
        program.functions[func.0 as usize] = changed;
    }
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    code.loops.all().iter().find_map(|it| {
        if !tried.insert(it.header) {
            return None;
        }
        let counted = Counted::of(code, it).and_then(|it| over_squares(program, code, &it));
        counted.or_else(|| from_member_to_member(code, it))
    })
}

/// A loop that counts from 0 to a number known beforehand.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    /// The block that leads into it and nowhere else.
    pub(crate) entry: Block,
    pub(crate) header: Block,
    /// The only block that leads back, which ends by counting and comparing.
    pub(crate) latch: Block,
    pub(crate) exit: Block,
    pub(crate) counter: Reg,
    /// The condition to go on.
    pub(crate) cond: Reg,
    pub(crate) bound: i64,
    pub(crate) blocks: BTreeSet<Block>,
    /// The edges that leave it elsewhere: from, to.
    pub(crate) leaves: Vec<(Block, Block)>,
}

impl Counted {
    /// Reads a loop as a counted one.
    pub(crate) fn of(code: &Code<'_>, it: &Loop) -> Option<Self> {
        let function = code.function;
        let entry = it.preheader(function)?;
        let [latch] = it.latches[..] else { return None };
        let (cond, yes, exit) = branch(function, latch)?;
        let insts = &function.block(latch).insts;
        let [.., (Inst::Binary { op: Binary::Add, dst, a, b }, _), (test, _)] = &insts[..] else {
            return None;
        };
        let (counter, from, by) = (*dst, *a, *b);
        let &Inst::Binary { op: Binary::Lt, dst: result, a: left, b: right } = test else {
            return None;
        };
        let shape = from == counter
            && left == counter
            && result == cond
            && yes == it.header
            && !it.contains(exit);
        let number = |reg| code.constant(entry, reg);
        let bound = number(right)?;
        let assigned = |reg: Reg| {
            let insts = it.blocks.iter().flat_map(|&block| &function.block(block).insts);
            insts.filter(|(inst, _)| inst.assigns() == Some(Var::Int(reg))).count()
        };
        let counts = number(counter) == Some(0)
            && number(by) == Some(1)
            && assigned(counter) == 1
            && assigned(by) == 0
            && assigned(right) == 0;
        let private = assigned(cond) == 1 && code.uses(&it.blocks, cond.into()) == 1;
        let forgotten = it.exits.iter().all(|&(from, to)| {
            !code.wanted(to, cond.into()) && (from != latch || !code.wanted(to, counter.into()))
        });
        let leaves = it.exits.iter().copied().filter(|&(from, _)| from != latch).collect();
        (shape && counts && private && forgotten && bound > 0).then(|| Self {
            entry,
            header: it.header,
            latch,
            exit,
            counter,
            cond,
            bound,
            blocks: it.blocks.clone(),
            leaves,
        })
    }

    /// Makes the counting a loop over the members of a set: what stood at the header becomes the
    /// body, which begins by taking `member` out of `set`. Gives the new head.
    pub(crate) fn over(&self, function: &mut Function, set: SetReg, member: Reg) -> Block {
        let place = function.block(self.entry).end.1;
        let (minus_one, cond) = (function.fresh_int(), function.fresh_int());
        let minus = Inst::Const { dst: minus_one, value: -1 };
        function.block_mut(self.entry).insts.push((minus, place));
        let next = Inst::NextMember { dst: member, set, after: minus_one };
        let test = Inst::Binary { op: Binary::Lt, dst: cond, a: minus_one, b: member };
        let end = End::Branch { cond, yes: self.header, no: self.exit };
        let insts = vec![(next, place), (test, place)];
        let head = function.add_block(BlockData { insts, end: (end, place) });
        function.redirect([self.entry], self.header, head);
        let latch = function.block_mut(self.latch);
        latch.insts.truncate(latch.insts.len() - 2);
        latch.end.0 = End::Jump(head);
        let remove = Inst::SetRemove { set, square: member };
        function.block_mut(self.header).insts.insert(0, (remove, place));
        head
    }
}

/// A loop over all squares that begins by asking whether the square is a member of something.
fn over_squares(program: &mut Program, code: &Code<'_>, it: &Counted) -> Option<Function> {
    let (cond, yes, no) = branch(code.function, it.header)?;
    question(program, code, it.header, &it.blocks, it.counter, cond)?;
    let latch_only = code.function.block(it.latch).insts.len() == 2;
    let skips = |side: Block| side == it.latch && latch_only;
    let over_all =
        it.bound == program.squares as i64 && it.header != it.latch && (skips(yes) || skips(no));
    if !over_all {
        return None;
    }
    let mut function = code.function.clone();
    let set = function.fresh_set();
    let place = function.block(it.entry).end.1;
    let all = Inst::SetConst { dst: set, family: all_squares(program), index: None };
    function.block_mut(it.entry).insts.push((all, place));
    it.over(&mut function, set, it.counter);
    Some(function)
}

/// The family whose only set is all squares, which is added if there is none.
pub(crate) fn all_squares(program: &mut Program) -> SetId {
    family(program, "all", Bits::full(program.squares))
}

/// The family whose only set is empty, which is added if there is none.
pub(crate) fn no_squares(program: &mut Program) -> SetId {
    family(program, "empty", Bits::empty(program.squares))
}

fn family(program: &mut Program, name: &str, bits: Bits) -> SetId {
    let found = program.families.iter().position(|it| it.sets.len() == 1 && it.sets[0] == bits);
    let index = found.unwrap_or_else(|| {
        program.families.push(SetFamily { name: name.to_owned(), sets: vec![bits] });
        program.families.len() - 1
    });
    SetId(index as u16)
}

/// What decides whether a square is looked at further.
enum Question {
    /// Its cell has a bit in the mask.
    Cell(Reg),
    /// It is in a set.
    Set(SetReg),
}

/// The question about a member that decides the branch at the end of a block, if all that stands
/// before it in the block cannot be noticed.
fn question(
    program: &Program,
    code: &Code<'_>,
    block: Block,
    blocks: &BTreeSet<Block>,
    member: Reg,
    cond: Reg,
) -> Option<Question> {
    let insts = &code.function.block(block).insts;
    let rest = |(it, _): &(Inst, u32)| {
        let own = matches!(it, Inst::SetRemove { square, .. } if *square == member);
        own || super::dead_code::is_removable(it)
    };
    if !insts.iter().all(rest) {
        return None;
    }
    let (inst, _) = insts.iter().rfind(|(it, _)| it.assigns() == Some(cond.into()))?;
    let changes = |var: Var| code.assigned(blocks).contains(&var);
    match *inst {
        Inst::Test { array: BOARD, index, mask, .. } if index == Some(member) => {
            let lasts = !changes(mask.into()) && keeps_state(program, code, blocks);
            lasts.then_some(Question::Cell(mask))
        }
        Inst::Contains { set, square, .. } if square == member && !changes(set.into()) => {
            Some(Question::Set(set))
        }
        _ => None,
    }
}

/// A loop that goes from member to member of a set that it does not change.
fn from_member_to_member(code: &Code<'_>, it: &Loop) -> Option<Function> {
    let function = code.function;
    let entry = it.preheader(function)?;
    let data = function.block(it.header);
    let [(Inst::NextMember { dst: member, set, after }, _), (test, _)] = &data.insts[..] else {
        return None;
    };
    let (member, set, after) = (*member, *set, *after);
    let &Inst::Binary { op: Binary::Lt, dst: cond, a: minus_one, b } = test else { return None };
    let (decides, body, exit) = branch(function, it.header)?;
    let insts = it.blocks.iter().flat_map(|&block| &function.block(block).insts);
    let assigned = insts.filter(|(it, _)| it.assigns() == Some(member.into())).count();
    let others = code.assigned(&it.blocks);
    let right = after == member
        && b == member
        && decides == cond
        && code.constant(entry, member) == Some(-1)
        && code.constant(entry, minus_one) == Some(-1)
        && assigned == 1
        && !others.contains(&set.into())
        && !others.contains(&minus_one.into())
        && it.contains(body)
        && body != it.header
        && !it.contains(exit)
        && code.before(body) == [it.header]
        && !code.wanted(exit, member.into());
    if !right {
        return None;
    }
    let mut function = function.clone();
    let left = function.fresh_set();
    let place = function.block(entry).end.1;
    function.block_mut(entry).insts.push((Inst::SetCopy { dst: left, src: set }, place));
    let next = Inst::NextMember { dst: member, set: left, after: minus_one };
    function.block_mut(it.header).insts[0].0 = next;
    let remove = Inst::SetRemove { set: left, square: member };
    function.block_mut(body).insts.insert(0, (remove, place));
    Some(function)
}

/// The function with a loop that goes over fewer members, because the others are passed over
/// anyway.
fn narrowed(program: &Program, function: &Function) -> Option<Function> {
    let code = Code::of(function);
    let loops = code.loops.all().iter().filter_map(|it| MemberLoop::of(&code, it));
    loops.into_iter().find_map(|it| narrow(program, &code, &it))
}

fn narrow(program: &Program, code: &Code<'_>, it: &MemberLoop) -> Option<Function> {
    let (cond, yes, no) = branch(code.function, it.body)?;
    let question = question(program, code, it.body, &it.blocks, it.member, cond)?;
    // What is computed on the way to the question must not be used later.
    let before = code.assigned([&it.body]);
    if before.iter().any(|&var| var != it.set.into() && code.wanted(it.head, var)) {
        return None;
    }
    let leads_back = |block: Block| {
        let data = code.function.block(block);
        block == it.head || data.insts.is_empty() && data.end.0 == End::Jump(it.head)
    };
    let (kept, mut inside) = match (leads_back(yes), leads_back(no)) {
        (false, true) => (yes, true),
        (true, false) => (no, false),
        _ => return None,
    };
    let mut function = code.function.clone();
    let place = function.block(it.entry).end.1;
    let members = match question {
        Question::Set(set) => set,
        Question::Cell(mut mask) => {
            let known = code.constant(it.entry, mask).filter(|_| !inside);
            if let Some(value) = known {
                // The squares that are not `where` one mask are `where` another.
                let codes = u64::MAX >> (63 - program.men.len().min(63));
                mask = function.fresh_int();
                let value = (!(value as u64) & codes) as i64;
                let other = Inst::Const { dst: mask, value };
                function.block_mut(it.entry).insts.push((other, place));
                inside = true;
            }
            let dst = function.fresh_set();
            function.block_mut(it.entry).insts.push((Inst::SetWhere { dst, mask }, place));
            dst
        }
    };
    let op = if inside { SetBinary::Intersection } else { SetBinary::Difference };
    let among_all = matches!(code.last_assignment(it.entry, it.set.into()),
        Some((_, Inst::SetConst { family, index: None, .. }))
            if program.families[family.0 as usize].sets[..] == [Bits::full(program.squares)]);
    let fewer = if inside && among_all {
        Inst::SetCopy { dst: it.set, src: members }
    } else {
        Inst::SetBinary { op, dst: it.set, a: it.set, b: members }
    };
    function.block_mut(it.entry).insts.push((fewer, place));
    function.block_mut(it.body).end.0 = End::Jump(kept);
    merge(&mut function, it.body);
    Some(function)
}
