//! A walk in each direction of a list becomes a loop over the squares on the rays.
//!
//! ```text
//! for d in list: b = a + d; while b is passed: BODY(b); b = b + d; then AFTER(b)
//! ```
//!
//! looks at the squares `rays(a, passed, list)`, each once: at those that are
//! passed with BODY and at the last ones, if they are on the board, with AFTER. So
//! it is one loop over the members of that set. Which squares are passed is read
//! from the body: those from which it comes back to the next step.

use std::collections::BTreeSet;

use super::list_loops::{OverDirections, is_idle_off_board, take_for_granted};
use super::loops::Loop;
use super::members::{Counted, no_squares};
use super::setwise::code::{Code, MemberLoop, change_loops};
use super::setwise::commute::{carried, commutes, is_flag};
use super::setwise::plane;
use super::setwise::{Body, Env, Scope, Value};
use crate::inst::{Binary, Block, End, Func, Inst, Reg, SetReg, Var};
use crate::program::{BlockData, Function, Program};

/// Makes loops over rays of the walks of a function.
pub fn run(program: &mut Program, func: Func) {
    change_loops(program, func, one_change);
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    code.loops.all().iter().enumerate().find_map(|(place, it)| {
        let counted = Counted::of(code, it)?;
        if !tried.insert(counted.header) {
            return None;
        }
        let over = OverDirections::of(program, code, counted)?;
        let mut inner = code.loops.all().iter().filter(|it| it.parent == Some(place));
        inner.find_map(|inner| {
            let walk = Walk::of(code, &over, inner)?;
            over_rays(program, code, &over, inner, &walk)
        })
    })
}

/// How a loop walks.
struct Walk {
    walker: Reg,
    /// The square it starts from.
    from: Reg,
    /// Where the step is taken that leads on: the block, and the first instruction of it.
    step: (Block, usize),
    /// Whether the step comes first.
    steps_first: bool,
}

impl Walk {
    /// Reads an inner loop as a walk along the direction of the loop around it.
    fn of(code: &Code<'_>, over: &OverDirections, inner: &Loop) -> Option<Self> {
        let entry = inner.preheader(code.function)?;
        let inside = |block: Block| inner.contains(block);
        let mut in_loop = over.steps.iter().filter(|it| inside(it.0));
        let (Some(&(block, index, to, from)), None) = (in_loop.next(), in_loop.next()) else {
            return None;
        };
        let insts = &code.function.block(block).insts;
        // `x = step x d`, or `t = step x d; x = copy t`.
        let (walker, used) = match insts.get(index + 1) {
            _ if to == from => (to, 1),
            Some(&(Inst::Copy { dst, src }, _)) if src == to && dst == from => (from, 2),
            _ => return None,
        };
        let temporary_stays = used == 1 || code.uses(&inner.blocks, to.into()) == 1;
        let assigned = inner.blocks.iter().flat_map(|&it| &code.function.block(it).insts);
        let once = assigned.filter(|(it, _)| it.assigns() == Some(walker.into())).count() == 1;
        let steps_first = block == inner.header && index == 0;
        let steps_last = inner.latches == [block]
            && index + used == insts.len()
            && code.function.block(block).end.0 == End::Jump(inner.header);
        let from = start(code, over, entry, walker, steps_first)?;
        let steps = over.steps.len() == if steps_first { 1 } else { 2 };
        let right = once && temporary_stays && steps && (steps_first || steps_last);
        right.then_some(Self { walker, from, step: (block, index), steps_first })
    }
}

/// The square that a walker comes from.
fn start(
    code: &Code<'_>,
    over: &OverDirections,
    entry: Block,
    walker: Reg,
    steps_first: bool,
) -> Option<Reg> {
    let (_, inst) = code.last_assignment(entry, walker.into())?;
    let inst = match *inst {
        Inst::Copy { src, .. } if !over.keeps(code, src) => {
            code.last_assignment(entry, src.into())?.1
        }
        _ => inst,
    };
    let from = match *inst {
        Inst::Copy { src, .. } if steps_first => src,
        Inst::Step { from, dir, .. } if !steps_first && dir == over.dir => from,
        _ => return None,
    };
    over.keeps(code, from).then_some(from)
}

fn over_rays(
    program: &mut Program,
    code: &Code<'_>,
    over: &OverDirections,
    inner: &Loop,
    walk: &Walk,
) -> Option<Function> {
    let counted = &over.counted;
    let own = [counted.counter.into(), counted.cond.into()];
    let assigned = code.assigned(&inner.blocks);
    let kept = carried(code, inner.header, &assigned, &[walk.walker.into()]);
    if !commutes(program, code, counted.header, &counted.blocks, &counted.leaves, &own)
        || !kept.iter().all(|&var| is_flag(code, &counted.blocks, var))
        || !only_leads_to(code, over, inner, walk)
        || !plane::apart(program, &over.list, true)
    {
        return None;
    }
    let (mut function, head, go_on, set) = rewritten(program, code, over, inner, walk);
    if !is_idle_off_board(program, &function, head) {
        return None;
    }
    let list = plane::list_number(program, &over.list)?;
    let (through, insts, (ints, sets)) = passed(program, &function, head, go_on)?;
    (function.ints, function.sets) = (ints, sets);
    let number = function.fresh_int();
    let place = function.block(counted.entry).end.1;
    let entry = &mut function.block_mut(counted.entry).insts;
    entry.extend(insts);
    entry.push((Inst::Const { dst: number, value: list }, place));
    entry.push((Inst::Rays { dst: set, from: walk.from, through, list: number }, place));
    Some(function)
}

/// Whether what comes before the walk, for each direction, matters to nothing but the walk.
fn only_leads_to(code: &Code<'_>, over: &OverDirections, inner: &Loop, walk: &Walk) -> bool {
    let mut before = BTreeSet::new();
    let mut work = vec![over.counted.header];
    while let Some(block) = work.pop() {
        if block != inner.header && block != over.counted.latch && before.insert(block) {
            work.extend(code.function.block(block).end.0.successors());
        }
    }
    let inside = before.iter().all(|it| over.counted.blocks.contains(it));
    let rest: BTreeSet<Block> = over.counted.blocks.difference(&before).copied().collect();
    let quiet = before.iter().all(|&block| {
        code.function.block(block).insts.iter().all(|(it, _)| super::dead_code::is_removable(it))
    });
    let own = [Var::Int(walk.walker), Var::Int(over.dir)];
    let unused = code.assigned(&before).into_iter().filter(|it| !own.contains(it)).all(|var| {
        code.uses(&rest, var) == 0
            && !code.wanted(over.counted.exit, var)
            && over.counted.leaves.iter().all(|&(_, to)| !code.wanted(to, var))
    });
    inside && quiet && unused
}

/// The function with the walk as a loop over members: the head of that loop, the block that a
/// square leads to if it is passed, and the set, which is not given yet.
fn rewritten(
    program: &mut Program,
    code: &Code<'_>,
    over: &OverDirections,
    inner: &Loop,
    walk: &Walk,
) -> (Function, Block, Block, SetReg) {
    let counted = &over.counted;
    let mut function = code.function.clone();
    let set = function.fresh_set();
    let place = function.block(counted.entry).end.1;
    // Until the squares that are passed are known it goes over none.
    let none = Inst::SetConst { dst: set, family: no_squares(program), index: None };
    function.block_mut(counted.entry).insts.push((none, place));
    // No ray comes back to where it starts.
    let circle = |inst: &Inst| {
        matches!(*inst, Inst::Binary { op: Binary::Eq, a, b, .. }
            if (a, b) == (walk.walker, walk.from) || (b, a) == (walk.walker, walk.from))
    };
    take_for_granted(&mut function, &inner.blocks, circle, 0);
    let head = counted.over(&mut function, set, walk.walker);
    // The removal belongs where the body begins now.
    let remove = function.block_mut(counted.header).insts.remove(0);
    let end = (End::Jump(head), place);
    let go_on = function.add_block(BlockData { insts: Vec::new(), end });
    let (block, index) = walk.step;
    if walk.steps_first {
        function.redirect(inner.blocks.iter().copied(), inner.header, go_on);
        let used = if matches!(function.block(block).insts.get(1), Some((Inst::Copy { dst, .. }, _))
            if *dst == walk.walker)
        {
            2
        } else {
            1
        };
        function.block_mut(block).insts.drain(..used);
    } else {
        let data = function.block_mut(block);
        data.insts.truncate(index);
        data.end.0 = End::Jump(go_on);
    }
    function.block_mut(inner.header).insts.insert(0, remove);
    if let End::Branch { yes, .. } = &mut function.block_mut(head).end.0 {
        *yes = inner.header;
    }
    (function, head, go_on, set)
}

/// The squares that are passed: a register, and the instructions that make it.
#[allow(clippy::type_complexity, reason = "one answer of several parts")]
fn passed(
    program: &mut Program,
    function: &Function,
    head: Block,
    go_on: Block,
) -> Option<(SetReg, Vec<(Inst, u32)>, (u16, u16))> {
    let code = Code::of(function);
    let it = code.loops.all().iter().find(|it| it.header == head)?;
    let it = MemberLoop::of(&code, it)?;
    let assigned = code.assigned(&it.blocks);
    let mut blocks = it.blocks.clone();
    blocks.remove(&go_on);
    let scope = Scope {
        blocks,
        entry: (it.body, 1),
        carried: carried(&code, head, &assigned, &[it.set.into()]),
        assigned,
        home: it.entry,
        lenient: true,
        next: None,
    };
    let mut body = Body::new(program, &code, scope);
    let all = body.sets.all();
    let member = Value::Num(body.identity());
    body.run(all, Env::from([(it.member.into(), member)]))?;
    let mut passed = body.sets.none();
    let leaves = std::mem::take(&mut body.found.leaves);
    for (_, mask, _) in leaves.iter().filter(|it| it.0 == go_on) {
        passed = body.sets.or(passed, (*mask)?);
    }
    let through = body.writer.set(body.program, &body.sets, passed);
    Some((through, body.writer.insts, (body.writer.ints, body.writer.sets)))
}
