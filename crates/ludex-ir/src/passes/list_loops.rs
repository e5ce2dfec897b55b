//! A loop over directions that takes one step becomes a loop over the squares
//! next to one.
//!
//! `for d in list: b = a + d; ...` looks at `b` only, so it is a loop over the
//! members of `neighbours({a}, list)`, if the steps lead to different squares and
//! nothing happens where a step leads off the board.

use std::collections::BTreeSet;

use super::loops::Loop;
use super::members::{Counted, no_squares};
use super::reverse::standing;
use super::setwise::code::{Code, MemberLoop, change_loops};
use super::setwise::commute::{carried, commutes};
use super::setwise::plane;
use super::setwise::{Body, Env, Num, Scope, Value, convert, members_of};
use crate::inst::{Binary, Block, Func, Inst, Reg, Var};
use crate::program::{Function, Program};

/// Makes loops over squares of the loops over directions of a function.
pub fn run(program: &mut Program, func: Func) {
    change_loops(program, func, one_change);
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    code.loops.all().iter().find_map(|it| {
        let counted = Counted::of(code, it)?;
        if !tried.insert(counted.header) {
            return None;
        }
        let over = OverDirections::of(program, code, counted)?;
        at_once(program, code, it, over.list.len())
            .or_else(|| over_neighbours(program, code, &over))
    })
}

/// With many men and few directions it is better to do each direction for all men at once, if
/// that can be done.
fn at_once(
    program: &mut Program,
    code: &Code<'_>,
    it: &Loop,
    directions: usize,
) -> Option<Function> {
    let around = &code.loops.all()[it.parent?];
    let men = MemberLoop::of(code, around)?;
    let mask = members_of(program, code, &men)?;
    let many = standing(program, mask) > directions;
    if many { convert(program, code, &men) } else { None }
}

/// A loop over a list of directions known beforehand.
#[derive(Clone, Debug)]
pub(crate) struct OverDirections {
    pub(crate) counted: Counted,
    pub(crate) list: Vec<u16>,
    /// The register that holds the direction.
    pub(crate) dir: Reg,
    /// The steps that are taken: the block, the instruction, what it gives and where from.
    pub(crate) steps: Vec<(Block, usize, Reg, Reg)>,
}

impl OverDirections {
    /// Reads a counted loop as one over directions in which the direction is only used for steps.
    pub(crate) fn of(program: &Program, code: &Code<'_>, counted: Counted) -> Option<Self> {
        let header = code.function.block(counted.header);
        let looks = |inst: &Inst| inst.uses().contains(&Var::Int(counted.counter));
        let (inst, _) = header.insts.iter().find(|(inst, _)| looks(inst))?;
        let Some(Var::Int(dir)) = inst.assigns() else { return None };
        let list = items(program, code, &counted, inst)?;
        // In the header, when it is counted up and when it is compared.
        let private = code.uses(&counted.blocks, counted.counter.into()) == 3;
        let mut steps = Vec::new();
        let (mut others, mut given) = (0, 0);
        for &block in &counted.blocks {
            for (index, (inst, _)) in code.function.block(block).insts.iter().enumerate() {
                given += usize::from(inst.assigns() == Some(dir.into()));
                match *inst {
                    Inst::Step { dst, from, dir: along } if along == dir && from != dir => {
                        steps.push((block, index, dst, from));
                    }
                    _ if is_check(code, &counted, inst, dir) => others += 1,
                    _ => {}
                }
            }
        }
        let uses = code.uses(&counted.blocks, dir.into());
        let only_steps = uses == steps.len() + others;
        let leaves = counted.leaves.iter().all(|&(_, to)| {
            !code.wanted(to, dir.into()) && !code.wanted(to, counted.counter.into())
        });
        (private && given == 1 && only_steps && leaves).then_some(Self {
            counted,
            list,
            dir,
            steps,
        })
    }

    /// Whether a register holds the same before the loop and in it.
    pub(crate) fn keeps(&self, code: &Code<'_>, reg: Reg) -> bool {
        !code.assigned(&self.counted.blocks).contains(&reg.into())
    }

    /// Whether an instruction asks if there is a direction.
    pub(crate) fn is_check(&self, code: &Code<'_>, inst: &Inst) -> bool {
        is_check(code, &self.counted, inst, self.dir)
    }
}

/// `-1 < d`, which is true of every direction of the list.
fn is_check(code: &Code<'_>, counted: &Counted, inst: &Inst, dir: Reg) -> bool {
    matches!(*inst, Inst::Binary { op: Binary::Lt, a, b, .. }
        if b == dir && a != dir && code.constant(counted.entry, a) == Some(-1))
}

/// The directions that an instruction gives when the counter goes through the list.
fn items(program: &Program, code: &Code<'_>, counted: &Counted, inst: &Inst) -> Option<Vec<u16>> {
    let number = |reg| code.constant(counted.entry, reg);
    let items: Vec<i64> = match *inst {
        Inst::ListItem { list, index, .. } if index == counted.counter => {
            let list = program.geometry.lists.get(usize::try_from(number(list)?).ok()?)?;
            list.iter().map(|&it| i64::from(it)).collect()
        }
        Inst::Lookup { table, i, j: Some(j), .. } if j == counted.counter && i != j => {
            let table = &program.tables[table.0 as usize];
            let row = usize::try_from(number(i)?).ok().filter(|&row| row < table.rows)?;
            table.data[row * table.columns..(row + 1) * table.columns].to_vec()
        }
        Inst::Lookup { table, i, j: None, .. } if i == counted.counter => {
            let table = &program.tables[table.0 as usize];
            (table.columns == 1).then(|| table.data.clone())?
        }
        _ => return None,
    };
    // A list may end with entries that are no directions; then it is another kind of list.
    let items = items.get(..usize::try_from(counted.bound).ok()?)?;
    let known = |&it: &i64| {
        let dir = u16::try_from(it).ok()?;
        plane::steps(program, dir).map(|_| dir)
    };
    items.iter().map(known).collect()
}

fn over_neighbours(
    program: &mut Program,
    code: &Code<'_>,
    over: &OverDirections,
) -> Option<Function> {
    let counted = &over.counted;
    let [(block, index, to, from)] = over.steps[..] else { return None };
    let own = [counted.counter.into(), counted.cond.into()];
    if !over.keeps(code, from)
        || !plane::apart(program, &over.list, false)
        || !commutes(program, code, counted.header, &counted.blocks, &counted.leaves, &own)
    {
        return None;
    }
    let mut function = code.function.clone();
    let (set, squares, member) = (function.fresh_set(), function.fresh_set(), function.fresh_int());
    let checks = |inst: &Inst| over.is_check(code, inst);
    take_for_granted(&mut function, &counted.blocks, checks, 1);
    function.block_mut(block).insts[index].0 = Inst::Copy { dst: to, src: member };
    let list = plane::list_number(program, &over.list)?;
    let family = no_squares(program);
    let number = function.fresh_int();
    let place = function.block(counted.entry).end.1;
    let before = [
        Inst::Const { dst: number, value: list },
        Inst::SetConst { dst: set, family, index: None },
        Inst::SetInsert { set, square: from },
        Inst::Neighbours { dst: squares, src: set, list: number },
    ];
    let insts = &mut function.block_mut(counted.entry).insts;
    insts.extend(before.map(|inst| (inst, place)));
    let head = counted.over(&mut function, squares, member);
    is_idle_off_board(program, &function, head).then_some(function)
}

/// Puts a number in the place of instructions whose outcome is known.
pub(crate) fn take_for_granted(
    function: &mut Function,
    blocks: &BTreeSet<Block>,
    known: impl Fn(&Inst) -> bool,
    value: i64,
) {
    for &block in blocks {
        for (inst, _) in &mut function.block_mut(block).insts {
            if let Some(Var::Int(dst)) = inst.assigns().filter(|_| known(inst)) {
                *inst = Inst::Const { dst, value };
            }
        }
    }
}

/// Whether the body of a loop over members would do nothing if the member were no square.
pub(crate) fn is_idle_off_board(program: &mut Program, function: &Function, head: Block) -> bool {
    let code = Code::of(function);
    let Some(it) = code.loops.all().iter().find(|it| it.header == head) else { return false };
    let Some(it) = MemberLoop::of(&code, it) else { return false };
    let assigned = code.assigned(&it.blocks);
    let scope = Scope {
        blocks: it.blocks.clone(),
        entry: (it.body, 1),
        carried: carried(&code, head, &assigned, &[it.set.into()]),
        assigned,
        home: it.entry,
        lenient: false,
        next: None,
    };
    let mut body = Body::new(program, &code, scope);
    let all = body.sets.all();
    let nowhere = Env::from([(it.member.into(), Value::Num(Num::Known(-1)))]);
    body.run(all, nowhere).is_some()
        && body.found.acts.is_empty()
        && body
            .found
            .leaves
            .iter()
            .all(|(to, mask, _)| *to == head || mask.is_some_and(|it| body.sets.is_empty(it)))
}
