//! What one round of a walk does, said of the square it is at.

use std::collections::{BTreeMap, BTreeSet};

use super::super::path_conditions::PathConditions;
use super::super::setwise::code::Code;
use super::shape::{Question, Until, Walk, question};
use crate::bits::Bits;
use crate::inst::{Block, End, Inst, Reg, SetBinary, SetReg, Unary, Var};
use crate::program::Program;

/// What a walk leaves behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Sets that squares are added to, and which.
    pub(super) gathers: Vec<(SetReg, PathConditions<Question>)>,
    /// Flags, the number each is given, and for which squares.
    pub(super) flags: Vec<(Reg, i64, PathConditions<Question>)>,
}

/// A set of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    Empty,
    /// The square that the walk is at.
    Here,
}

/// How a block of a round is reached.
#[derive(Clone, Debug)]
struct Arrival {
    ways: PathConditions<Question>,
    /// Also when the walk has left the board.
    off: bool,
}

struct Reader<'a> {
    program: &'a Program,
    code: &'a Code<'a>,
    walk: &'a Walk<'a>,
    assigned: BTreeSet<Var>,
    /// Registers that a later round or the code after the walk may look at.
    outlive: BTreeSet<Var>,
    arrivals: BTreeMap<Block, Arrival>,
    found: Effects,
    /// How often each set is added to, and each flag set.
    counts: BTreeMap<Var, usize>,
}

/// What a walk does, if that is no more than gathering squares and setting flags.
pub(super) fn effects(program: &Program, code: &Code<'_>, walk: &Walk<'_>) -> Option<Effects> {
    let assigned = code.assigned(&walk.it.blocks);
    let outlives = |var: &&Var| code.wanted(walk.it.header, **var) || code.wanted(walk.exit, **var);
    let outlive = assigned.iter().filter(outlives).copied().collect();
    let mut reader = Reader {
        program,
        code,
        walk,
        assigned,
        outlive,
        arrivals: BTreeMap::new(),
        found: Effects::default(),
        counts: BTreeMap::new(),
    };
    reader.run()?;
    reader.explains_all().then_some(reader.found)
}

impl Reader<'_> {
    fn run(&mut self) -> Option<()> {
        let header = self.walk.it.header;
        let begins = match self.walk.until {
            // What stands at the head has been read as the question to go on.
            Until::No { .. } => {
                let mut inside = self.code.function.block(header).end.0.successors();
                inside.find(|&it| self.walk.it.contains(it))?
            }
            Until::Steps { .. } => header,
        };
        let off = matches!(self.walk.until, Until::Steps { .. });
        self.arrivals.insert(begins, Arrival { ways: PathConditions::always(), off });
        let order: Vec<Block> = self.code.order.clone();
        for block in order.into_iter().filter(|&it| self.walk.it.contains(it)) {
            if let Some(arrival) = self.arrivals.get(&block).cloned() {
                self.block(block, &arrival)?;
            }
        }
        Some(())
    }

    fn block(&mut self, block: Block, arrival: &Arrival) -> Option<()> {
        let data = self.code.function.block(block);
        let is_latch = block == self.walk.latch;
        let counts = if is_latch { self.walk.counts() } else { 0 };
        let mut round = Round::default();
        for (inst, _) in &data.insts[..data.insts.len() - counts] {
            if round.stepped && inst.uses().contains(&self.walk.walker.into()) {
                return None;
            }
            self.inst(inst, arrival, &mut round)?;
        }
        match data.end.0 {
            _ if is_latch => Some(()),
            End::Jump(to) => self.arrive(to, arrival.clone()),
            End::Branch { cond, yes, no } => {
                let &(question, answer) = round.answers.get(&cond)?;
                // Off the board every answer is no.
                let way = |it: bool| Arrival {
                    ways: arrival.ways.and(question, it),
                    off: arrival.off && !it,
                };
                self.arrive(yes, way(answer))?;
                self.arrive(no, way(!answer))
            }
            End::Return => None,
        }
    }

    fn arrive(&mut self, block: Block, arrival: Arrival) -> Option<()> {
        if !self.walk.it.contains(block) || block == self.walk.it.header {
            return None;
        }
        let arrival = match self.arrivals.remove(&block) {
            Some(other) => {
                Arrival { ways: other.ways.or(arrival.ways)?, off: other.off || arrival.off }
            }
            None => arrival,
        };
        self.arrivals.insert(block, arrival);
        Some(())
    }

    fn inst(&mut self, inst: &Inst, arrival: &Arrival, round: &mut Round) -> Option<()> {
        let walker = self.walk.walker;
        if let (Some(question), Some(Var::Int(dst))) = (question(inst, walker), inst.assigns()) {
            let fixed = !self.assigned.contains(&question.about());
            round.answers.insert(dst, (question, true));
            return fixed.then_some(());
        }
        match *inst {
            Inst::Step { .. } => round.stepped = true,
            Inst::Unary { op: Unary::Not, dst, src } => {
                let &(question, answer) = round.answers.get(&src)?;
                round.answers.insert(dst, (question, !answer));
            }
            Inst::Const { dst, value } if self.outlive.contains(&dst.into()) => {
                self.flag(dst, value, arrival)?;
            }
            Inst::Const { dst, .. } => {
                round.answers.remove(&dst);
            }
            Inst::SetConst { dst, family, index: None } => {
                let set = self.program.families.get(family.0 as usize)?.sets.first();
                let empty = set.is_none_or(Bits::is_empty);
                (empty && !self.outlive.contains(&dst.into())).then_some(())?;
                round.sets.insert(dst, Local::Empty);
            }
            Inst::SetInsert { set, square } if square == walker => match round.sets.get_mut(&set) {
                Some(local) => *local = Local::Here,
                None => self.gather(set, arrival)?,
            },
            Inst::SetBinary { op: SetBinary::Union, dst, a, b } => {
                let other = if a == dst { b } else { a };
                let added = (a == dst || b == dst) && round.sets.get(&other) == Some(&Local::Here);
                (added && !round.sets.contains_key(&dst)).then_some(())?;
                self.gather(dst, arrival)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn gather(&mut self, set: SetReg, arrival: &Arrival) -> Option<()> {
        *self.counts.entry(set.into()).or_default() += 1;
        let gathers = &mut self.found.gathers;
        match gathers.iter_mut().find(|it| it.0 == set) {
            Some((_, ways)) => *ways = ways.clone().or(arrival.ways.clone())?,
            None => gathers.push((set, arrival.ways.clone())),
        }
        Some(())
    }

    fn flag(&mut self, flag: Reg, value: i64, arrival: &Arrival) -> Option<()> {
        let unseen = self.code.uses(&self.walk.it.blocks, flag.into()) == 0;
        (unseen && !arrival.off).then_some(())?;
        *self.counts.entry(flag.into()).or_default() += 1;
        let flags = &mut self.found.flags;
        match flags.iter_mut().find(|it| it.0 == flag) {
            Some((_, other, _)) if *other != value => return None,
            Some((_, _, ways)) => *ways = ways.clone().or(arrival.ways.clone())?,
            None => flags.push((flag, value, arrival.ways.clone())),
        }
        Some(())
    }

    fn assignments(&self, var: Var) -> usize {
        let blocks = self.walk.it.blocks.iter();
        let insts = blocks.flat_map(|&block| &self.code.function.block(block).insts);
        insts.filter(|(inst, _)| inst.assigns() == Some(var)).count()
    }

    /// Whether all that outlives a round is accounted for.
    fn explains_all(&self) -> bool {
        let counter = match self.walk.until {
            Until::No { .. } => None,
            Until::Steps { counter, .. } => Some(counter),
        };
        self.outlive.iter().all(|&var| match var {
            Var::Int(reg) => {
                let known = self.counts.get(&var) == Some(&self.assignments(var));
                reg == self.walk.walker || Some(reg) == counter || known
            }
            Var::Set(_) => {
                let known = self.counts.get(&var);
                known == Some(&self.assignments(var))
                    && known == Some(&self.code.uses(&self.walk.it.blocks, var))
            }
            Var::Path(_) => false,
        })
    }
}

/// What is known within a block of a round.
#[derive(Debug, Default)]
struct Round {
    stepped: bool,
    /// Registers that hold the answer to a question, or its contrary.
    answers: BTreeMap<Reg, (Question, bool)>,
    sets: BTreeMap<SetReg, Local>,
}
