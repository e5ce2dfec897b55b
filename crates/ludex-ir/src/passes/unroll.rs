//! Loop unrolling: short counted loops are written out, so that what they count through becomes
//! constant.
//!
//! A counter is a register that the loop changes in one place only, by adding
//! a constant; it begins as a constant, and a comparison with a constant leaves
//! the loop. That gives a bound on the rounds. The loop is copied once for each
//! round in front of itself; folding then finds out where each copy leads, and
//! that the loop itself is never reached.

use super::constant_folding::fold;
use super::loops::{Dominators, Loop, Loops};
use super::range_analysis::RangeAnalysis;
use super::simplify::simplify;
use crate::inst::{BOARD, Binary, Block, End, Inst, Reg, Var};
use crate::program::{Function, Program};

/// Loops of more rounds are left alone.
const MOST_ROUNDS: usize = 16;
/// Instructions that one loop may become.
const MOST_COPIED: usize = 400;
/// Instructions that a function may have.
const LARGEST: usize = 4000;

/// Unrolls every short counted loop of a function, inner ones first; whether there was any.
pub fn unroll(program: &Program, function: &mut Function) -> bool {
    let mut changed = false;
    // Each time round, loops that had others in them have lost these.
    loop {
        let found = candidates(program, function);
        if found.is_empty() {
            return changed;
        }
        found.iter().for_each(|(it, rounds)| peel(function, it, *rounds));
        fold(program, function);
        simplify(function);
        changed = true;
    }
}

/// Loops to unroll, none inside another, each with a bound on its rounds.
fn candidates(program: &Program, function: &Function) -> Vec<(Loop, usize)> {
    let loops = Loops::of(function);
    let facts = RangeAnalysis::of(program, function);
    let dominators = Dominators::of(function);
    let mut size = function.size();
    let mut found: Vec<(Loop, usize)> = Vec::new();
    for it in loops.all() {
        let counted = Counted { program, function, facts: &facts, dominators: &dominators, it };
        let inner = found.iter().any(|(inner, _)| it.contains(inner.header));
        let Some(rounds) = counted.rounds().filter(|_| !inner) else { continue };
        let body: usize = it.blocks.iter().map(|&block| function.block(block).insts.len()).sum();
        if rounds * body <= MOST_COPIED && size + rounds * body <= LARGEST {
            size += rounds * body;
            found.push((it.clone(), rounds));
        }
    }
    found
}

/// Copies a loop in front of itself, once for each round.
fn peel(function: &mut Function, it: &Loop, rounds: usize) {
    let blocks: Vec<Block> = it.blocks.iter().copied().collect();
    // Loops that were copied before may lead here from their copies as well.
    let outside = function.all_blocks().filter(|&block| !it.contains(block));
    let mut entries: Vec<Block> = outside.collect();
    for _ in 0..rounds {
        let copies = function.copy_blocks(&blocks);
        let header = copies[&it.header];
        function.redirect(entries, it.header, header);
        entries = it.latches.iter().map(|latch| copies[latch]).collect();
        // The copies lead back to the loop itself, not to the copy they are in.
        function.redirect(entries.iter().copied(), header, it.header);
    }
}

struct Counted<'a> {
    program: &'a Program,
    function: &'a Function,
    facts: &'a RangeAnalysis<'a>,
    dominators: &'a Dominators,
    it: &'a Loop,
}

impl Counted<'_> {
    /// A bound on the rounds of the loop, if it counts.
    fn rounds(&self) -> Option<usize> {
        self.it.exits.iter().find_map(|&(block, to)| {
            let last = self.it.latches.iter().all(|&it| self.dominators.dominates(block, it));
            let End::Branch { cond, yes, .. } = self.function.block(block).end.0 else {
                return None;
            };
            self.rounds_of(block, cond, yes != to).filter(|_| last)
        })
    }

    /// A bound on the rounds by one branch, which stays in the loop while `cond` is `stays`.
    fn rounds_of(&self, block: Block, cond: Reg, stays: bool) -> Option<usize> {
        let known = self.facts.exit(block)?;
        let insts = &self.function.block(block).insts;
        let made = insts.iter().rfind(|(it, _)| it.assigns() == Some(cond.into()))?;
        let Inst::Binary { op, a, b, .. } = made.0 else { return None };
        let constant = |reg: Reg| known[reg.0 as usize].constant();
        let (counter, compare): (Reg, Box<dyn Fn(i64) -> Option<bool>>) =
            match (constant(a), constant(b)) {
                (None, Some(b)) => (a, Box::new(move |it| holds(op, it, b))),
                (Some(a), None) => (b, Box::new(move |it| holds(op, a, it))),
                // A comparison that is the same in every round but the last known one: the
                // counter of a loop of one round.
                (Some(_), Some(b)) => (a, Box::new(move |it| holds(op, it, b))),
                (None, None) => return None,
            };
        let (start, step) = (self.start(counter)?, self.step(counter)?);
        if self.is_walk_over_squares(counter) {
            return None;
        }
        let mut value = start;
        for rounds in 1..=MOST_ROUNDS + 1 {
            if rounds > 1 && compare(value)? != stays {
                return Some(rounds - 1);
            }
            value = value.checked_add(step)?;
        }
        None
    }

    /// What the counter is when the loop is entered.
    fn start(&self, counter: Reg) -> Option<i64> {
        let mut starts = self.it.entries.iter().filter_map(|&entry| {
            let edges = self.facts.edges(entry);
            let (_, known) = edges.into_iter().find(|edge| edge.0 == self.it.header)?;
            Some(known[counter.0 as usize].constant())
        });
        let first = starts.next()??;
        starts.all(|it| it == Some(first)).then_some(first)
    }

    /// What is added to the counter in each round, if nothing else is done to it.
    fn step(&self, counter: Reg) -> Option<i64> {
        let blocks = self.it.blocks.iter();
        let mut changes = blocks.flat_map(|&block| {
            let insts = self.function.block(block).insts.iter();
            insts.filter(|(it, _)| it.assigns() == Some(counter.into())).map(move |it| (block, it))
        });
        let (block, (change, _)) = changes.next()?;
        let Inst::Binary { op: Binary::Add, a, b, .. } = *change else { return None };
        let step = if a == counter { b } else { a };
        let always = self.it.latches.iter().all(|&it| self.dominators.dominates(block, it));
        let once = changes.next().is_none() && always && (a == counter) != (b == counter);
        let step = self.facts.exit(block)?[step.0 as usize].constant()?;
        (once && step != 0).then_some(step)
    }

    /// Whether the loop asks of every square whether it is one of some: that is a loop over a
    /// set, however small the board.
    fn is_walk_over_squares(&self, counter: Reg) -> bool {
        let header = &self.function.block(self.it.header).insts;
        let uses: Vec<Reg> = std::iter::once(counter)
            .chain(header.iter().filter_map(|(it, _)| match *it {
                Inst::Copy { dst, src } if src == counter => Some(dst),
                _ => None,
            }))
            .collect();
        let end = self.last_value() == Some(self.program.squares as i64);
        end && header.iter().any(|(it, _)| match *it {
            Inst::Test { array: BOARD, index: Some(it), .. }
            | Inst::TestRange { array: BOARD, index: Some(it), .. }
            | Inst::Contains { square: it, .. } => uses.contains(&it),
            _ => false,
        })
    }

    /// The constant that the loop's counter is compared with.
    fn last_value(&self) -> Option<i64> {
        self.it.latches.iter().find_map(|&latch| {
            let End::Branch { cond, .. } = self.function.block(latch).end.0 else { return None };
            let insts = &self.function.block(latch).insts;
            let made = insts.iter().rfind(|(it, _)| it.assigns() == Some(Var::Int(cond)))?;
            let Inst::Binary { b, .. } = made.0 else { return None };
            self.facts.exit(latch)?[b.0 as usize].constant()
        })
    }
}

fn holds(op: Binary, a: i64, b: i64) -> Option<bool> {
    Some(match op {
        Binary::Lt => a < b,
        Binary::Le => a <= b,
        Binary::Eq => a == b,
        Binary::Ne => a != b,
        _ => return None,
    })
}
