//! "Does one of many reach one of few?" is asked from the side of the few.
//!
//! A loop over `S` that only asks whether `rays(a, through, list)` or
//! `neighbours({a}, list)` meets `T` for some `a`, and leaves if so, is turned round
//! when `T` has fewer squares: the same question from each square of `T`, with
//! the opposite directions, about `S`. Which has fewer is judged by the start of
//! the game. Whether a king could be taken is then asked from the king.

use std::collections::{BTreeMap, BTreeSet};

use super::members::{all_squares, no_squares};
use super::setwise::code::{Code, MemberLoop, change_loops};
use super::setwise::commute::branch;
use super::setwise::plane;
use super::setwise::{Body, Scope};
use crate::bits::Bits;
use crate::inst::{BOARD, Block, End, Func, Inst, Reg, SetBinary, SetId, SetReg, Var};
use crate::program::{Function, Program, SetFamily};

/// Turns questions of a function round.
pub fn run(program: &mut Program, func: Func) {
    change_loops(program, func, one_change);
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    code.loops.all().iter().find_map(|it| {
        let it = MemberLoop::of(code, it)?;
        if !tried.insert(it.head) {
            return None;
        }
        turned(program, code, &it)
    })
}

/// What is reached from a member.
#[derive(Clone, Copy)]
enum Reach {
    /// One step in a direction of the list.
    Next,
    /// The rays through a set.
    Through(SetReg),
}

/// A loop that asks whether something is reached.
struct Question {
    reach: Reach,
    list: i64,
    /// What narrows down the squares reached, first to last.
    targets: Vec<(SetBinary, SetReg)>,
    /// Instructions of the body that are the same for all members.
    fixed: Vec<Inst>,
    /// Where it goes if something is reached.
    found: Block,
}

/// The function with the question of a loop turned round.
pub(crate) fn turned(program: &mut Program, code: &Code<'_>, it: &MemberLoop) -> Option<Function> {
    let question = read(program, code, it).filter(|it| !it.targets.is_empty())?;
    let list = program.geometry.lists.get(usize::try_from(question.list).ok()?)?.clone();
    let back: Option<Vec<u16>> = list.iter().map(|&dir| plane::inverse(program, dir)).collect();
    let mut function = code.function.clone();
    let place = function.block(it.entry).end.1;
    let mut insts: Vec<Inst> = question.fixed.clone();
    let many = function.fresh_set();
    insts.push(Inst::SetCopy { dst: many, src: it.set });
    for (at, &(op, by)) in question.targets.iter().enumerate() {
        if at == 0 && op == SetBinary::Intersection {
            insts.push(Inst::SetCopy { dst: it.set, src: by });
            continue;
        }
        if at == 0 {
            let family = all_squares(program);
            insts.push(Inst::SetConst { dst: it.set, family, index: None });
        }
        insts.push(Inst::SetBinary { op, dst: it.set, a: it.set, b: by });
    }
    let entry = &mut function.block_mut(it.entry).insts;
    entry.extend(insts.into_iter().map(|inst| (inst, place)));
    let list = plane::list_number(program, &back?)?;
    let family = no_squares(program);
    let (number, cond) = (function.fresh_int(), function.fresh_int());
    let (reached, met) = (function.fresh_set(), function.fresh_set());
    let mut body = vec![
        Inst::SetRemove { set: it.set, square: it.member },
        Inst::Const { dst: number, value: list },
    ];
    match question.reach {
        Reach::Next => {
            let one = function.fresh_set();
            body.push(Inst::SetConst { dst: one, family, index: None });
            body.push(Inst::SetInsert { set: one, square: it.member });
            body.push(Inst::Neighbours { dst: reached, src: one, list: number });
        }
        Reach::Through(through) => {
            body.push(Inst::Rays { dst: reached, from: it.member, through, list: number });
        }
    }
    let op = SetBinary::Intersection;
    body.push(Inst::SetBinary { op, dst: met, a: reached, b: many });
    body.push(Inst::Any { dst: cond, set: met });
    let data = function.block_mut(it.body);
    data.insts = body.into_iter().map(|inst| (inst, place)).collect();
    data.end.0 = End::Branch { cond, yes: question.found, no: it.head };
    fewer_then(program, code, it, &function).then_some(function)
}

/// Whether the loop would have fewer members at the start of the game than it has now.
fn fewer_then(program: &mut Program, code: &Code<'_>, it: &MemberLoop, then: &Function) -> bool {
    let now = members_at_start(program, code, it.entry, it.set);
    let later = Code::of(then);
    let then = members_at_start(program, &later, it.entry, it.set);
    let Some(((now, _), (then, mask))) = now.zip(then) else { return false };
    // Of two that are as many, the side that must not be taken is the one whose squares are
    // looked at for every move anyway.
    then < now || then == now && royal(program, mask)
}

/// Whether a mask is of men that must not be taken, and of no others.
fn royal(program: &Program, mask: u64) -> bool {
    let kind = program.roles.royal;
    let men = program.men.iter().enumerate();
    let of_mask = men.filter(|(index, _)| mask >> (index + 1) & 1 == 1).map(|(_, man)| man.kind);
    kind.is_some()
        && mask & 1 == 0
        && of_mask.clone().next().is_some()
        && of_mask.clone().all(|it| Some(it) == kind)
}

/// How many squares a set would have in the position that the game starts from, or more, and the
/// mask of what stands there.
fn members_at_start(
    program: &mut Program,
    code: &Code<'_>,
    block: Block,
    set: SetReg,
) -> Option<(usize, u64)> {
    let mut body = Body::new(program, code, Scope::before(block));
    let set = body.before_loop(set);
    let mask = body.sets.most_cells(set)?;
    Some((standing(program, mask), mask))
}

/// How many squares have, at the start, something of a mask on them.
pub(crate) fn standing(program: &Program, mask: u64) -> usize {
    let board = &program.arrays[BOARD.0 as usize];
    let cells = program.start.iter().skip(board.base).take(board.len);
    cells.filter(|&&cell| u32::try_from(cell).is_ok_and(|it| mask >> it.min(63) & 1 == 1)).count()
}

/// Reads the body of a loop as such a question.
fn read(program: &Program, code: &Code<'_>, it: &MemberLoop) -> Option<Question> {
    let function = code.function;
    let (cond, found, next) = branch(function, it.body)?;
    let leads_back = |block: Block| {
        let data = function.block(block);
        block == it.head || data.insts.is_empty() && data.end.0 == End::Jump(it.head)
    };
    let assigned = code.assigned(&it.blocks);
    let wanted = |var: &Var| {
        [found, it.exit].into_iter().any(|to| code.wanted(to, *var)) || code.wanted(it.head, *var)
    };
    let leaves = !it.blocks.contains(&found) && found != it.head && leads_back(next);
    let private = !assigned.iter().any(|var| *var != it.set.into() && wanted(var));
    if !leaves || !private || code.wanted(found, it.member.into()) {
        return None;
    }
    let mut reader =
        Reader { code, it, families: &program.families, sets: BTreeMap::new(), fixed: Vec::new() };
    for (inst, _) in function.block(it.body).insts.iter().skip(1) {
        if let Some(list) = reader.inst(inst, cond) {
            let (reach, list, targets) = list?;
            return Some(Question { reach, list, targets, fixed: reader.fixed, found });
        }
    }
    None
}

/// What a set register of the body holds.
#[derive(Clone)]
enum Held {
    Nothing,
    Member,
    /// What is reached, narrowed down.
    Reached(Reach, i64, Vec<(SetBinary, SetReg)>),
    Fixed,
    /// Something else, which must not matter.
    Other,
}

struct Reader<'a> {
    code: &'a Code<'a>,
    it: &'a MemberLoop,
    families: &'a [SetFamily],
    sets: BTreeMap<Var, Held>,
    fixed: Vec<Inst>,
}

type Answer = Option<(Reach, i64, Vec<(SetBinary, SetReg)>)>;

impl Reader<'_> {
    /// Reads one instruction; gives the question when the answer is computed, or `None` inside
    /// if it cannot be read.
    #[allow(clippy::option_option, reason = "go on, or stop, with or without a question")]
    fn inst(&mut self, inst: &Inst, cond: Reg) -> Option<Answer> {
        let held = match *inst {
            Inst::Any { dst, set } if dst == cond => {
                return Some(match self.held(set) {
                    Held::Reached(reach, list, targets) => Some((reach, list, targets)),
                    _ => None,
                });
            }
            Inst::SetInsert { set, square } if square == self.it.member => {
                matches!(self.held(set), Held::Nothing).then_some(Held::Member)
            }
            Inst::Neighbours { src, list, .. } if matches!(self.held(src), Held::Member) => {
                self.number(list).map(|list| Held::Reached(Reach::Next, list, Vec::new()))
            }
            Inst::Rays { from, through, list, .. } if from == self.it.member => {
                let fixed = matches!(self.held(through), Held::Fixed);
                let list = self.number(list).filter(|_| fixed);
                list.map(|list| Held::Reached(Reach::Through(through), list, Vec::new()))
            }
            Inst::SetBinary { op, a, b, .. } => self.narrowed(op, a, b),
            _ => None,
        };
        let Some(dst) = inst.assigns().filter(|_| super::dead_code::is_removable(inst)) else {
            return Some(None);
        };
        let held = held.or_else(|| self.fixed(inst)).unwrap_or(Held::Other);
        self.sets.insert(dst, held);
        None
    }

    fn held(&self, set: SetReg) -> Held {
        self.sets.get(&set.into()).cloned().unwrap_or(Held::Fixed)
    }

    fn number(&self, reg: Reg) -> Option<i64> {
        self.code.lasting(self.it.body, reg)
    }

    fn narrowed(&self, op: SetBinary, a: SetReg, b: SetReg) -> Option<Held> {
        let (reached, by) = match (self.held(a), self.held(b), op) {
            (reached @ Held::Reached(..), Held::Fixed, SetBinary::Intersection) => (reached, b),
            (Held::Fixed, reached @ Held::Reached(..), SetBinary::Intersection) => (reached, a),
            (reached @ Held::Reached(..), Held::Fixed, SetBinary::Difference) => (reached, b),
            _ => return None,
        };
        let Held::Reached(reach, list, mut targets) = reached else { return None };
        targets.push((op, by));
        Some(Held::Reached(reach, list, targets))
    }

    /// An instruction that is the same for all members.
    fn fixed(&mut self, inst: &Inst) -> Option<Held> {
        let same = inst.uses().into_iter().all(|var| match self.sets.get(&var) {
            Some(Held::Fixed) => true,
            Some(_) => false,
            None => var != self.it.member.into() && var != self.it.set.into(),
        });
        let pure = super::dead_code::is_removable(inst) && !inst.changes_in_place();
        if !same || !pure {
            return None;
        }
        if self.becomes_member(inst) {
            // Only an empty set becomes the set of the member.
            return matches!(inst, Inst::SetConst { family, index: None, .. } if self.is_empty(*family))
                .then_some(Held::Nothing);
        }
        self.fixed.push(inst.clone());
        Some(Held::Fixed)
    }

    fn is_empty(&self, family: SetId) -> bool {
        let sets = &self.families[family.0 as usize].sets;
        sets.first().is_some_and(Bits::is_empty)
    }

    /// Whether the member is put into what an instruction gives.
    fn becomes_member(&self, inst: &Inst) -> bool {
        let insts = &self.code.function.block(self.it.body).insts;
        insts.iter().any(|(it, _)| {
            matches!(it, Inst::SetInsert { square, .. } if *square == self.it.member)
                && it.assigns() == inst.assigns()
        })
    }
}
