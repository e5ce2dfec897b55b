//! Store merging: men put on several rays of a square are put there at once.
//!
//! ```text
//! store_all s v; t = some of ray d of a; store_all t v     t = ...; store_all (s | t) v
//! ```
//!
//! if `s` is part of other rays of `a`, so that nothing on ray `d` has changed
//! when it is looked at. On the board of the geometry those rays must never meet.

use std::collections::{BTreeMap, BTreeSet};

use super::if_conversion::{Single, is_empty};
use super::setwise::code::Code;
use super::setwise::plane;
use crate::inst::{Block, Func, Inst, Reg, SetBinary, SetReg, Var};
use crate::program::{Function, Program};

/// Joins what can be stored at once in a function.
pub fn run(program: &mut Program, func: Func) {
    while let Some(changed) = one_change(program, program.function(func)) {
        program.functions[func.0 as usize] = changed;
    }
}

fn one_change(program: &Program, function: &Function) -> Option<Function> {
    let stores = |block: &Block| {
        let insts = function.block(*block).insts.iter();
        insts.filter(|(it, _)| matches!(it, Inst::StoreAll { .. })).count() > 1
    };
    let blocks: Vec<Block> = function.all_blocks().filter(stores).collect();
    if blocks.is_empty() {
        return None;
    }
    let code = Code::of(function);
    // In a loop a register has another value in each round.
    let once = |block: &Block| code.loops.innermost(*block).is_none();
    let found = blocks.into_iter().filter(once).find_map(|block| {
        let line = Line::of(&code, program, block);
        let insts = &function.block(block).insts;
        (0..insts.len()).find_map(|at| Some((block, at, line.next(program, at)?)))
    });
    let (block, first, second) = found?;
    Some(joined(function.clone(), block, first, second))
}

fn joined(mut function: Function, block: Block, first: usize, second: usize) -> Function {
    let both = function.fresh_set();
    let insts = &mut function.block_mut(block).insts;
    let place = insts[second].1;
    let Inst::StoreAll { set: a, .. } = insts[first].0 else { return function };
    if let Inst::StoreAll { set, .. } = &mut insts[second].0 {
        let b = std::mem::replace(set, both);
        let union = Inst::SetBinary { op: SetBinary::Union, dst: both, a, b };
        insts.insert(second, (union, place));
        insts.remove(first);
    }
    function
}

/// Where the squares of a set are: on rays of a square along some directions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    from: Reg,
    along: BTreeSet<u16>,
}

/// A block, with what is known of the sets that it makes.
struct Line<'a> {
    code: &'a Code<'a>,
    block: Block,
    known: Single<'a>,
    places: BTreeMap<SetReg, Place>,
}

impl<'a> Line<'a> {
    fn of(code: &'a Code<'a>, program: &Program, block: Block) -> Self {
        let mut line =
            Self { code, block, known: Single::of(code.function), places: BTreeMap::new() };
        let insts = &code.function.block(block).insts;
        let mut coming: BTreeSet<Var> = insts.iter().filter_map(|(it, _)| it.assigns()).collect();
        for (inst, _) in insts {
            coming.retain(|&it| inst.assigns() != Some(it));
            if let Inst::Rays { from, .. } = *inst
                && coming.contains(&from.into())
            {
                continue;
            }
            if let (Some(Var::Set(dst)), Some(place)) = (inst.assigns(), line.place(program, inst))
                && line.once(dst.into())
            {
                line.places.insert(dst, place);
            }
        }
        line
    }

    /// Whether a register is a parameter that keeps its value.
    fn is_given(&self, var: Var) -> bool {
        let blocks = self.code.function.blocks.iter();
        let mut insts = blocks.flat_map(|it| &it.insts);
        self.code.function.params.contains(&var) && insts.all(|(it, _)| it.assigns() != Some(var))
    }

    /// Whether a register has one value only.
    fn once(&self, var: Var) -> bool {
        self.known.maker(var).is_some() || self.is_given(var)
    }

    fn place(&self, program: &Program, inst: &Inst) -> Option<Place> {
        let of = |set: SetReg| self.places.get(&set).cloned();
        match *inst {
            Inst::Rays { from, list, .. } if self.once(from.into()) => {
                let list = usize::try_from(self.code.lasting(self.block, list)?).ok()?;
                let along = program.geometry.lists.get(list)?.iter().copied().collect();
                Some(Place { from, along })
            }
            Inst::SetCopy { src, .. } => of(src),
            Inst::SetBinary { op: SetBinary::Intersection, a, b, .. } => of(a).or_else(|| of(b)),
            Inst::SetBinary { op: SetBinary::Difference, a, .. } => of(a),
            Inst::SetBinary { op: SetBinary::Union, a, b, .. } => {
                if let Some(other) = self.with_nothing(program, a, b) {
                    return of(other);
                }
                let (mut a, b) = (of(a)?, of(b)?);
                a.along.extend(b.along);
                (a.from == b.from).then_some(a)
            }
            _ => None,
        }
    }

    /// The other of two sets if one is empty.
    fn with_nothing(&self, program: &Program, a: SetReg, b: SetReg) -> Option<SetReg> {
        let empty =
            |set: SetReg| self.known.maker(set.into()).is_some_and(|inst| is_empty(program, inst));
        if empty(a) { Some(b) } else { empty(b).then_some(a) }
    }

    /// The later instruction that a store can be joined with.
    fn next(&self, program: &Program, first: usize) -> Option<usize> {
        let insts = &self.code.function.block(self.block).insts;
        let Inst::StoreAll { set, value } = insts[first].0 else { return None };
        let stored = self.places.get(&set)?;
        if !self.once(value.into()) {
            return None;
        }
        for (index, (inst, _)) in insts.iter().enumerate().skip(first + 1) {
            match *inst {
                Inst::StoreAll { set: other, value: same } => {
                    let other = self.places.get(&other).filter(|it| it.from == stored.from);
                    return (same == value && other.is_some()).then_some(index);
                }
                Inst::SetWhere { dst, .. } => self.looks_elsewhere(program, dst, stored)?,
                _ if !super::dead_code::is_removable(inst) || asks_state(inst) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a set of squares picked from the whole board only matters where no ray of `stored`
    /// comes.
    fn looks_elsewhere(&self, program: &Program, set: SetReg, stored: &Place) -> Option<()> {
        let here = &self.code.function.block(self.block).insts;
        let uses = here.iter().filter(|(it, _)| it.uses().contains(&set.into()));
        let everywhere: Vec<Block> = self.code.function.all_blocks().collect();
        let only_here = self.code.uses(&everywhere, set.into())
            == here.iter().flat_map(|(it, _)| it.uses()).filter(|&it| it == set.into()).count();
        let mut uses = uses;
        let elsewhere = uses.all(|(inst, _)| {
            let seen = self.seen(inst, set);
            seen.is_some_and(|seen| is_apart(program, stored, &seen))
        });
        let returned = self.code.function.result == Some(set.into());
        (only_here && elsewhere && !returned && self.once(set.into())).then_some(())
    }

    /// The rays on which an instruction looks at a set.
    fn seen(&self, inst: &Inst, set: SetReg) -> Option<Place> {
        match *inst {
            Inst::Rays { dst, through, .. } if through == set => self.places.get(&dst).cloned(),
            Inst::SetBinary { op: SetBinary::Intersection, a, b, .. } => {
                self.places.get(if a == set { &b } else { &a }).cloned()
            }
            Inst::SetBinary { op: SetBinary::Difference, a, .. } if a != set => {
                self.places.get(&a).cloned()
            }
            _ => None,
        }
    }
}

/// Whether an instruction depends on the state in a way that is not looked into.
fn asks_state(inst: &Inst) -> bool {
    inst.reads_array().is_some() || matches!(inst, Inst::Repeats { .. } | Inst::Reply { .. })
}

/// Whether the rays of two places never meet, wherever they begin.
fn is_apart(program: &Program, one: &Place, other: &Place) -> bool {
    let all: Vec<u16> = one.along.union(&other.along).copied().collect();
    one.from == other.from
        && one.along.is_disjoint(&other.along)
        && all.iter().all(|&dir| plane::ends(program, dir))
        && plane::apart(program, &all, true)
}
