//! One iteration for all members at once.
//!
//! The blocks of a loop's body are gone through once, each after all that lead
//! to it, with the set of members that reach it: at a branch a set is split, where
//! the sides meet it is whole again. Registers hold functions of the member
//! ([`Num`], [`Group`]); what they hold where sides meet is pieced together.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::Code;
use super::sets::{Set, Sets};
use super::value::{Env, Group, Num, Value, Way};
use super::writer::Writer;
use crate::inst::{Block, End, Inst, OutcomeKind, Reg, SetReg, StatementId, Var};
use crate::program::Program;

/// A value is not pieced together of more than this.
const MOST_PIECES: usize = 12;

/// What the members of a set do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// Lists a move.
    Emit(StatementId, Vec<Num>),
    /// Says what the game gives.
    Outcome(OutcomeKind, Option<Num>),
    /// Gives a register, which outlives the iteration, a number.
    Flag(Reg, i64),
    /// Adds to such a register.
    Bump(Reg, i64),
}

/// What one iteration does.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What is done, by which members, and where it stands in the source.
    pub(crate) acts: Vec<(Act, Set, u32)>,
    /// The edges that lead out of the blocks: where to, for which members, with what in the
    /// registers.
    pub(crate) leaves: Vec<(Block, Option<Set>, Env)>,
}

/// The blocks that are gone through.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) blocks: BTreeSet<Block>,
    /// The block and the instruction at which it begins. An edge back to the block leaves.
    pub(crate) entry: (Block, usize),
    /// Registers that outlive the iteration.
    pub(crate) carried: BTreeSet<Var>,
    pub(crate) assigned: BTreeSet<Var>,
    /// Where what is the same for all members is computed.
    pub(crate) home: Block,
    /// Only the ways through the blocks matter: what cannot be understood is passed over.
    pub(crate) lenient: bool,
    /// The head of the loop, if all that matters is whether some member leaves it elsewhere. Then
    /// a member that has left need not be told from those that go on.
    pub(crate) next: Option<Block>,
}

impl Scope {
    /// No block at all: for questions about what is there where a block ends.
    pub(crate) fn before(home: Block) -> Self {
        Self {
            blocks: BTreeSet::new(),
            entry: (home, 0),
            carried: BTreeSet::new(),
            assigned: BTreeSet::new(),
            home,
            lenient: false,
            next: None,
        }
    }

    /// Whether a block is where members leave to, if only that matters.
    fn is_left_to(&self, block: Block) -> bool {
        self.next.is_some_and(|next| block != next && !self.blocks.contains(&block))
    }
}

/// What is needed to go through a body.
#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub(crate) program: &'a mut Program,
    pub(crate) code: &'a Code<'a>,
    pub(crate) sets: Sets,
    pub(crate) writer: Writer,
    /// The square that a walk cannot come back to, known by its register.
    pub(crate) scope: Scope,
    /// Values of registers that are not assigned in the scope, if they are no constants.
    pub(crate) outside: Env,
    pub(crate) found: Found,
    /// The members that reach the block that is being gone through.
    pub(crate) mask: Option<Set>,
    /// How many hypothetical changes are open.
    pub(crate) tries: u32,
}

impl<'a> Body<'a> {
    pub(crate) fn new(program: &'a mut Program, code: &'a Code<'a>, scope: Scope) -> Self {
        let sets = Sets::new(program);
        let writer = Writer::new(code.function);
        Self {
            program,
            code,
            sets,
            writer,
            scope,
            outside: Env::new(),
            found: Found::default(),
            mask: None,
            tries: 0,
        }
    }

    /// Goes through the blocks for the members of `mask`.
    pub(crate) fn run(&mut self, mask: Set, env: Env) -> Option<()> {
        let (entry, first) = self.scope.entry;
        let mut masks: BTreeMap<Block, Option<Set>> = BTreeMap::new();
        let mut incoming: BTreeMap<Block, Vec<(Option<Set>, Env)>> = BTreeMap::new();
        let mut skipped: BTreeSet<Block> = BTreeSet::new();
        incoming.insert(entry, vec![(Some(mask), env)]);
        let order: Vec<Block> =
            self.code.order.iter().copied().filter(|it| self.scope.blocks.contains(it)).collect();
        for block in order {
            let Some(ways) = incoming.remove(&block) else { continue };
            if skipped.contains(&block) {
                return None;
            }
            let (mask, mut env) = self.meet(block, &ways, &masks)?;
            if mask.is_some_and(|it| self.sets.is_empty(it)) {
                continue;
            }
            masks.insert(block, mask);
            self.mask = mask;
            let inner = self.code.loops.all().iter().find(|it| it.header == block);
            let edges = match inner.filter(|_| block != entry) {
                Some(inner) => {
                    skipped.extend(inner.blocks.iter().filter(|&&it| it != block));
                    self.inner_loop(inner, &env)?
                }
                None => {
                    let from = if block == entry { first } else { 0 };
                    self.insts(block, from, &mut env)?;
                    self.edges(&self.code.function.block(block).end.0, env)?
                }
            };
            for (to, mask, env) in edges {
                if self.scope.blocks.contains(&to) && to != entry {
                    incoming.entry(to).or_default().push((mask, env));
                } else {
                    self.found.leaves.push((to, mask, env));
                }
            }
        }
        Some(())
    }

    fn insts(&mut self, block: Block, from: usize, env: &mut Env) -> Option<()> {
        for (inst, place) in self.code.function.block(block).insts.iter().skip(from) {
            self.writer.place = *place;
            self.inst(inst, *place, env)?;
        }
        Some(())
    }

    fn edges(&mut self, end: &End, env: Env) -> Option<Vec<(Block, Option<Set>, Env)>> {
        Some(match *end {
            End::Jump(to) => vec![(to, self.mask, env)],
            End::Branch { yes, no, .. } if yes == no => vec![(yes, self.mask, env)],
            End::Branch { cond, yes, no } => {
                let cond = self.read(cond, &env);
                let known = self.truth(&cond).zip(self.mask);
                if known.is_none() && !self.scope.lenient {
                    return None;
                }
                let split = known.map(|(truth, mask)| {
                    let (all_go_yes, all_go_no) =
                        (self.scope.is_left_to(no), self.scope.is_left_to(yes));
                    let with = if all_go_yes { mask } else { self.sets.and(mask, truth) };
                    let without = if all_go_no { mask } else { self.sets.minus(mask, truth) };
                    (with, without)
                });
                vec![(yes, split.map(|it| it.0), env.clone()), (no, split.map(|it| it.1), env)]
            }
            // Leaving the function from inside is an edge to nowhere that can be copied.
            End::Return => return None,
        })
    }

    /// What reaches a block, and with what in the registers.
    pub(crate) fn meet(
        &mut self,
        block: Block,
        ways: &[(Option<Set>, Env)],
        masks: &BTreeMap<Block, Option<Set>>,
    ) -> Option<(Option<Set>, Env)> {
        let alive: Vec<&(Option<Set>, Env)> = ways
            .iter()
            .filter(|(mask, _)| !mask.is_some_and(|it| self.sets.is_empty(it)))
            .collect();
        if let [only] = alive[..] {
            return Some(only.clone());
        }
        if alive.is_empty() {
            return Some((Some(self.sets.none()), Env::new()));
        }
        let mask = match self.split_at(block).and_then(|it| masks.get(&it).copied()) {
            Some(mask) => mask,
            None => {
                let known: Option<Vec<Set>> = alive.iter().map(|it| it.0).collect();
                known.map(|it| self.union(it))
            }
        };
        if mask.is_none() && !self.scope.lenient {
            return None;
        }
        let vars: BTreeSet<Var> = alive.iter().flat_map(|it| it.1.keys().copied()).collect();
        let mut env = Env::new();
        for var in vars {
            let values: Vec<(Option<Set>, Option<&Value>)> =
                alive.iter().map(|it| (it.0, it.1.get(&var))).collect();
            let value = self.pieced(var, &values);
            env.insert(var, value);
        }
        Some((mask, env))
    }

    /// The block at which all that come to a block were together before, if none of them went
    /// elsewhere since.
    fn split_at(&self, block: Block) -> Option<Block> {
        let at = self.code.dominators.parent(block)?;
        let mut work = vec![at];
        let mut seen = BTreeSet::from([at]);
        while let Some(from) = work.pop() {
            for to in self.code.function.block(from).end.0.successors() {
                if to == block {
                    continue;
                }
                if self.scope.is_left_to(to) {
                    continue;
                }
                if !self.scope.blocks.contains(&to) || to == self.scope.entry.0 {
                    return None;
                }
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        Some(at)
    }

    fn union(&mut self, mut sets: Vec<Set>) -> Set {
        let mut whole = sets.pop().unwrap_or_else(|| self.sets.none());
        while let Some(set) = sets.pop() {
            whole = self.sets.or(whole, set);
        }
        whole
    }

    fn pieced(&mut self, var: Var, values: &[(Option<Set>, Option<&Value>)]) -> Value {
        let unknown = match var {
            Var::Set(_) => Value::Group(Group::Unknown),
            _ => Value::Num(Num::Unknown),
        };
        let Some((_, Some(first))) = values.first() else { return unknown };
        if values.iter().all(|(_, it)| it.is_some_and(|it| it == *first)) {
            return (*first).clone();
        }
        let mut nums = Vec::new();
        let mut groups = Vec::new();
        for &(mask, value) in values {
            match (mask, value) {
                (Some(mask), Some(Value::Num(num))) => nums.push((mask, num.clone())),
                (Some(mask), Some(Value::Group(group))) => groups.push((mask, group.clone())),
                _ => return unknown,
            }
        }
        if groups.is_empty() {
            Value::Num(self.num_pieces(nums))
        } else {
            Value::Group(self.group_pieces(groups))
        }
    }

    /// A number that is another one for each set of members.
    pub(crate) fn num_pieces(&mut self, pieces: Vec<(Set, Num)>) -> Num {
        let mut flat: Vec<(Set, Num)> = Vec::new();
        for (mask, num) in pieces {
            let parts = match num {
                Num::Pieces(parts) => parts.iter().cloned().collect(),
                num => vec![(mask, num)],
            };
            for (within, num) in parts {
                let mask = self.sets.and(mask, within);
                if self.sets.is_empty(mask) {
                    continue;
                }
                match flat.iter_mut().find(|it| it.1 == num) {
                    Some(same) => same.0 = self.sets.or(same.0, mask),
                    None => flat.push((mask, num)),
                }
            }
        }
        if let Some(truth) = self.truth_of_pieces(&flat) {
            return Num::Truth(truth);
        }
        match flat.len() {
            1 => flat.remove(0).1,
            2..=MOST_PIECES if flat.iter().all(|it| it.1 != Num::Unknown && it.1 != Num::Start) => {
                Num::Pieces(Rc::new(flat))
            }
            _ => Num::Unknown,
        }
    }

    /// The set of members for which it is 1, if it is 0 or 1 for all.
    fn truth_of_pieces(&mut self, pieces: &[(Set, Num)]) -> Option<Set> {
        if pieces.len() < 2 {
            return None;
        }
        let mut truths = Vec::new();
        for (mask, num) in pieces {
            truths.push((*mask, self.as_truth(num)?));
        }
        let all = self.sets.all();
        let mut whole = self.sets.none();
        for (at, &(mask, truth)) in truths.iter().enumerate() {
            // Where all others are 1 it does not matter what this piece says about them.
            let others = truths.iter().enumerate().filter(|(it, _)| *it != at);
            let free = others.clone().all(|(_, it)| it.1 == all);
            let part = if free && truth != all { truth } else { self.sets.and(mask, truth) };
            whole = self.sets.or(whole, part);
        }
        Some(whole)
    }

    /// The members for which a number that can be only 0 or 1 is 1.
    fn as_truth(&mut self, num: &Num) -> Option<Set> {
        match num {
            Num::Known(0) => Some(self.sets.none()),
            Num::Known(1) => Some(self.sets.all()),
            Num::Truth(set) => Some(*set),
            Num::Of(way) if way.to.iter().all(|&it| it == 0 || it == 1) => {
                let way = Rc::clone(way);
                Some(self.sets.squares_that(|square| way.to[square] == 1))
            }
            _ => None,
        }
    }

    fn group_pieces(&mut self, pieces: Vec<(Set, Group)>) -> Group {
        let mut flat: Vec<(Set, Group)> = Vec::new();
        for (mask, group) in pieces {
            let parts = match group {
                Group::Pieces(parts) => parts.iter().cloned().collect(),
                group => vec![(mask, group)],
            };
            for (within, group) in parts {
                if matches!(group, Group::Unknown | Group::Start(_) | Group::Grown(_)) {
                    return Group::Unknown;
                }
                let mask = self.sets.and(mask, within);
                match flat.iter_mut().find(|it| it.1 == group) {
                    Some(same) => same.0 = self.sets.or(same.0, mask),
                    None => flat.push((mask, group)),
                }
            }
        }
        match flat.len() {
            1 => flat.remove(0).1,
            2..=MOST_PIECES => Group::Pieces(Rc::new(flat)),
            _ => Group::Unknown,
        }
    }

    /// What a number register holds.
    pub(crate) fn read(&self, reg: Reg, env: &Env) -> Num {
        match env.get(&reg.into()).or_else(|| self.outside.get(&reg.into())) {
            Some(Value::Num(num)) => num.clone(),
            Some(Value::Group(_)) => Num::Unknown,
            None if self.scope.carried.contains(&reg.into()) => Num::Start,
            None if self.scope.assigned.contains(&reg.into()) => Num::Unknown,
            None => {
                let known = self.code.constant(self.scope.home, reg);
                known.map_or(Num::Same(reg), Num::Known)
            }
        }
    }

    /// What a set register holds.
    pub(crate) fn read_set(&mut self, reg: SetReg, env: &Env) -> Group {
        match env.get(&reg.into()).or_else(|| self.outside.get(&reg.into())) {
            Some(Value::Group(group)) => group.clone(),
            Some(Value::Num(_)) => Group::Unknown,
            None if self.scope.carried.contains(&reg.into()) => Group::Start(reg),
            None if self.scope.assigned.contains(&reg.into()) => Group::Unknown,
            None => Group::Fixed(self.before_loop(reg)),
        }
    }

    /// The expression for what a set register holds before the loop.
    pub(crate) fn before_loop(&mut self, reg: SetReg) -> Set {
        let code = self.code;
        let insts = &code.function.block(self.scope.home).insts;
        let found = self.expression(insts, insts.len(), reg, 4);
        found.unwrap_or_else(|| self.sets.held(reg))
    }

    /// The expression for what a set register holds before instruction `end`, if what it is made
    /// of still holds the same after all of them.
    fn expression(
        &mut self,
        insts: &[(Inst, u32)],
        end: usize,
        reg: SetReg,
        depth: u32,
    ) -> Option<Set> {
        let assigns = |(it, _): &(Inst, u32), reg: SetReg| it.assigns() == Some(reg.into());
        let at = insts[..end].iter().rposition(|it| assigns(it, reg))?;
        let lasts = |reg: SetReg| !insts[at..].iter().skip(1).any(|it| assigns(it, reg));
        let home = self.scope.home;
        match insts[at].0 {
            Inst::SetWhere { mask, .. } if !writes(&insts[at..]) => {
                let mask = self.code.lasting(home, mask)?;
                Some(self.sets.cells(mask as u64))
            }
            Inst::SetConst { family, index, .. } => {
                let index = index.map_or(Some(0), |it| self.code.lasting(home, it))?;
                Some(self.constant_set(family, index))
            }
            Inst::SetCopy { src, .. } if depth > 0 => self.part(insts, at, src, depth, lasts(src)),
            Inst::SetBinary { op, a, b, .. } if depth > 0 => {
                let a = self.part(insts, at, a, depth, a != reg && lasts(a))?;
                let b = self.part(insts, at, b, depth, b != reg && lasts(b))?;
                Some(self.combine(op, a, b))
            }
            _ => None,
        }
    }

    fn part(
        &mut self,
        insts: &[(Inst, u32)],
        end: usize,
        reg: SetReg,
        depth: u32,
        lasts: bool,
    ) -> Option<Set> {
        let found = self.expression(insts, end, reg, depth - 1);
        found.or_else(|| lasts.then(|| self.sets.held(reg)))
    }

    /// Each square itself.
    pub(crate) fn identity(&self) -> Num {
        Num::Of(Rc::new(Way::identity(self.program.squares)))
    }
}

/// Whether some instructions may change the state.
pub(crate) fn writes(insts: &[(Inst, u32)]) -> bool {
    insts.iter().any(|(it, _)| {
        it.writes_array().is_some()
            || matches!(it, Inst::Call { .. } | Inst::TryBegin | Inst::TryEnd)
    })
}
