//! Ray precheck: rays are followed only if a man that is looked for stands on their lines.
//!
//! ```text
//! s1 = rays r0 s0 r1                    s4 = family all
//! s3 = intersection s1 s2               s5 = rays r0 s4 r1      a table knows it
//! r2 = any s3                   ─>      s6 = intersection s5 s2
//! if r2 yes else no                     r3 = any s6
//!                                       if r3 follow else no    follow: as before
//! ```
//!
//! Whatever rays pass through, they stay on the lines from their square to the
//! edge. If nothing that is looked for stands on those, then all that is made of such
//! rays by taking squares away is empty too, and branches that ask for it are decided.
//! The code goes where they lead, if nothing that is left out is wanted there.

use std::collections::BTreeSet;

use super::dead_code::is_removable;
use super::liveness::Liveness;
use super::members::all_squares;
use crate::inst::{Block, End, Func, Inst, Reg, SetBinary, SetId, SetReg, Var};
use crate::program::{BlockData, Function, Program};

/// How many blocks are looked through for where the code leads.
const MOST_BLOCKS: usize = 8;

/// Looks before the first rays of each block.
pub fn run(program: &mut Program, func: Func) {
    let function = program.function(func);
    if !function.blocks.iter().any(|it| first_rays(it).is_some()) {
        return;
    }
    let blocks = function.all_blocks();
    // A look asks for nothing that was not wanted before it, so this stays true of these blocks.
    let live = Liveness::of(function);
    for block in blocks {
        let function = program.function(func);
        if let Some(precheck) = Precheck::find(function, &live, block) {
            let all = all_squares(program);
            let function = &mut program.functions[func.0 as usize];
            precheck.write(function, all);
        }
    }
}

/// What is known if nothing that is looked for stands on the lines.
struct Known {
    from: Reg,
    list: Reg,
    /// The squares looked for, once the code has told.
    wanted: Option<SetReg>,
    /// Sets on the lines.
    on_lines: BTreeSet<SetReg>,
    empty: BTreeSet<SetReg>,
    /// Registers that are 0.
    zero: BTreeSet<Reg>,
    /// All that is assigned on the way.
    assigned: Vec<Var>,
}

impl Known {
    fn new(from: Reg, list: Reg) -> Self {
        let (on_lines, empty, zero) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Self { from, list, wanted: None, on_lines, empty, zero, assigned: Vec::new() }
    }

    /// Goes on past an instruction; whether that can be left out and leaves the question as it is.
    fn pass(&mut self, inst: &Inst) -> bool {
        let Some(var) = inst.assigns().filter(|_| is_removable(inst)) else { return false };
        let asked = [Some(self.from.into()), Some(self.list.into()), self.wanted.map(Var::from)];
        if asked.contains(&Some(var)) {
            return false;
        }
        let (on_lines, empty) = self.of_set(inst);
        let zero = matches!(inst, Inst::Any { set, .. } if self.empty.contains(set));
        match var {
            Var::Set(dst) => {
                keep(&mut self.on_lines, dst, on_lines);
                keep(&mut self.empty, dst, empty);
            }
            Var::Int(dst) => keep(&mut self.zero, dst, zero),
            Var::Path(_) => {}
        }
        self.assigned.push(var);
        true
    }

    /// Whether the set that an instruction makes is on the lines, and whether it is empty.
    fn of_set(&mut self, inst: &Inst) -> (bool, bool) {
        match *inst {
            Inst::Rays { from, list, .. } => (from == self.from && list == self.list, false),
            Inst::SetBinary { op: SetBinary::Intersection, dst, a, b } => {
                let (on_a, on_b) = (self.on_lines.contains(&a), self.on_lines.contains(&b));
                if self.wanted.is_none() && on_a != on_b {
                    let other = if on_a { b } else { a };
                    // It must be there before the lines, and stay.
                    let made_here = self.assigned.contains(&other.into()) || other == dst;
                    self.wanted = Some(other).filter(|_| !made_here);
                }
                let found = |it: SetReg| Some(it) == self.wanted;
                let nothing = on_a && found(b) || on_b && found(a);
                let empty = nothing || self.empty.contains(&a) || self.empty.contains(&b);
                (on_a || on_b, empty)
            }
            Inst::SetBinary { op: SetBinary::Difference, a, .. } => {
                (self.on_lines.contains(&a), self.empty.contains(&a))
            }
            _ => (false, false),
        }
    }
}

/// Makes something a member or takes it out.
fn keep<T: Ord>(all: &mut BTreeSet<T>, it: T, member: bool) {
    if member {
        all.insert(it);
    } else {
        all.remove(&it);
    }
}

/// The place of the first rays of a block.
fn first_rays(block: &BlockData) -> Option<usize> {
    block.insts.iter().position(|(it, _)| matches!(it, Inst::Rays { .. }))
}

/// Rays to look before.
struct Precheck {
    block: Block,
    /// The place of the rays in their block.
    at: usize,
    from: Reg,
    list: Reg,
    wanted: SetReg,
    /// Where the code goes if nothing is there.
    otherwise: Block,
}

impl Precheck {
    /// The first rays of a block, if what follows is decided by a look.
    fn find(function: &Function, live: &Liveness, block: Block) -> Option<Self> {
        let at = first_rays(function.block(block))?;
        let Inst::Rays { from, list, .. } = function.block(block).insts[at].0 else { return None };
        let mut known = Known::new(from, list);
        let (mut here, mut first) = (block, at);
        let mut found = None;
        for _ in 0..MOST_BLOCKS {
            let data = function.block(here);
            if !data.insts[first..].iter().all(|(inst, _)| known.pass(inst)) {
                break;
            }
            here = match data.end.0 {
                End::Jump(to) => to,
                End::Branch { cond, no, .. } if known.zero.contains(&cond) => no,
                _ => break,
            };
            first = 0;
            let wanted = |var: &Var| live.entry(here).contains(live.dense.index(*var));
            if !known.zero.is_empty() && !known.assigned.iter().any(wanted) {
                found = Some(here);
            }
        }
        let (otherwise, wanted) = (found?, known.wanted?);
        Some(Self { block, at, from, list, wanted, otherwise })
    }

    /// Writes the look; the only set of the family `all` is all squares.
    fn write(&self, function: &mut Function, all: SetId) {
        let (through, lines, there) =
            (function.fresh_set(), function.fresh_set(), function.fresh_set());
        let any = function.fresh_int();
        let data = function.block_mut(self.block);
        let place = data.insts[self.at].1;
        let rest = data.insts.split_off(self.at);
        let end = data.end.clone();
        let look = [
            Inst::SetConst { dst: through, family: all, index: None },
            Inst::Rays { dst: lines, from: self.from, through, list: self.list },
            Inst::SetBinary { op: SetBinary::Intersection, dst: there, a: lines, b: self.wanted },
            Inst::Any { dst: any, set: there },
        ];
        data.insts.extend(look.map(|inst| (inst, place)));
        let follow = function.add_block(BlockData { insts: rest, end });
        let branch = End::Branch { cond: any, yes: follow, no: self.otherwise };
        function.block_mut(self.block).end = (branch, place);
    }
}
