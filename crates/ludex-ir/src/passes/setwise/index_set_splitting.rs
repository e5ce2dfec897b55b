//! Index-set splitting: a loop whose body begins by asking what the member is becomes two loops:
//! one over the members that are it, one over the others.
//!
//! So a loop over all men that does one thing for each kind becomes a loop
//! for each kind, and those that only look at fixed distances become set code.

use super::body::writes;
use super::code::{Code, MemberLoop, merge};
use super::commute::{branch, commutes, reach};
use crate::inst::{BOARD, Block, End, Inst, Reg, SetBinary, SetReg, Var};
use crate::program::{BlockData, Function, Program};

/// The most instructions that the sides of a loop may share; they are then there twice.
const MOST_SHARED: usize = 4;

/// The question that a body begins with.
enum Question {
    /// What stands on the member.
    Cell(Reg),
    /// Whether it is in a set that the loop does not change.
    Set(SetReg),
}

/// The function with a loop in two parts.
pub(crate) fn split(program: &mut Program, code: &Code<'_>, it: &MemberLoop) -> Option<Function> {
    let function = code.function;
    let (cond, yes, no) = branch(function, it.body)?;
    let question = question(code, it, cond)?;
    let (left, right) = (reach(function, yes, &it.blocks), reach(function, no, &it.blocks));
    let shared: usize =
        left.intersection(&right).map(|&block| function.block(block).insts.len() + 1).sum();
    let inside = !left.is_empty() && !right.is_empty();
    let own = [it.set.into(), it.member.into()];
    if !inside
        || shared > MOST_SHARED
        || !commutes(program, code, it.head, &it.blocks, &it.leaves, &own)
    {
        return None;
    }
    let masks = match question {
        Question::Cell(mask) => masks(program, code, it, mask),
        Question::Set(_) => None,
    };
    // The answer is known in each part.
    let mut insts = function.block(it.body).insts.iter();
    let asked_at = insts
        .rposition(|(inst, _)| inst.assigns() == Some(cond.into()))
        .filter(|_| code.uses(&it.blocks, cond.into()) == 1);
    Some(both_loops(function, it, &question, masks, asked_at, yes, no))
}

/// If the loop goes over the squares of a mask: the masks of both parts.
fn masks(program: &mut Program, code: &Code<'_>, it: &MemberLoop, mask: Reg) -> Option<(u64, u64)> {
    let mask = code.constant(it.entry, mask)? as u64;
    let members = super::members_of(program, code, it)?;
    Some((members & mask, members & !mask))
}

/// The question that decides the branch at the end of the body's first block.
fn question(code: &Code<'_>, it: &MemberLoop, cond: Reg) -> Option<Question> {
    let insts = &code.function.block(it.body).insts;
    let asked_at = insts.iter().rposition(|(inst, _)| inst.assigns() == Some(cond.into()))?;
    let assigned = code.assigned(&it.blocks);
    match insts[asked_at].0 {
        Inst::Test { array: BOARD, index, mask, .. } if index == Some(it.member) => {
            // The parts are told by the board as it is before the loop.
            let as_before = !writes(&insts[..asked_at]);
            (as_before && !assigned.contains(&mask.into())).then_some(Question::Cell(mask))
        }
        Inst::Contains { set, square, .. } if square == it.member && set != it.set => {
            (!assigned.contains(&set.into())).then_some(Question::Set(set))
        }
        _ => None,
    }
}

fn both_loops(
    function: &Function,
    it: &MemberLoop,
    question: &Question,
    masks: Option<(u64, u64)>,
    asked_at: Option<usize>,
    yes: Block,
    no: Block,
) -> Function {
    let mut function = function.clone();
    let blocks: Vec<Block> = it.blocks.iter().copied().chain([it.head]).collect();
    let copies = function.copy_blocks(&blocks);
    let others = function.fresh_set();
    let place = function.block(it.entry).end.1;
    let mut insts = Vec::new();
    let mut later = Vec::new();
    if let Some((these, rest)) = masks {
        for (insts, set, mask) in [(&mut insts, it.set, these), (&mut later, others, rest)] {
            let (dst, value) = (function.fresh_int(), mask as i64);
            insts.push((Inst::Const { dst, value }, place));
            insts.push((Inst::SetWhere { dst: set, mask: dst }, place));
        }
    } else {
        let asked = match *question {
            Question::Set(set) => set,
            Question::Cell(mask) => {
                let dst = function.fresh_set();
                insts.push((Inst::SetWhere { dst, mask }, place));
                dst
            }
        };
        let (a, b) = (it.set, asked);
        let inst = Inst::SetBinary { op: SetBinary::Difference, dst: others, a, b };
        insts.push((inst, place));
        let inst = Inst::SetBinary { op: SetBinary::Intersection, dst: it.set, a, b };
        insts.push((inst, place));
    }
    function.block_mut(it.entry).insts.extend(insts);
    // The copy goes over the others.
    for block in copies.values() {
        for (inst, _) in &mut function.block_mut(*block).insts {
            inst.rename_all(|var| match var {
                Var::Set(set) if set == it.set => others.into(),
                var => var,
            });
        }
    }
    let copy = |block: Block| copies.get(&block).copied().unwrap_or(block);
    let end = (End::Jump(copy(it.head)), place);
    let between = function.add_block(BlockData { insts: later, end });
    function.redirect([it.head], it.exit, between);
    function.block_mut(it.body).end.0 = End::Jump(yes);
    function.block_mut(copy(it.body)).end.0 = End::Jump(copy(no));
    if let Some(asked) = asked_at {
        function.block_mut(it.body).insts.remove(asked);
        function.block_mut(copy(it.body)).insts.remove(asked);
    }
    // The next question is at the end of the body again.
    merge(&mut function, it.body);
    merge(&mut function, copy(it.body));
    function
}
