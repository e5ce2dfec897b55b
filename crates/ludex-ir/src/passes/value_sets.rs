//! Value-set analysis: which squares a value can be, as seen from another.
//!
//! A man's move leads from a square `a` to a square `b` that steps from `a`
//! lead to. Which squares those can be is known without any position: they are
//! the *value set* of `b` seen from `a`, one set for each square that `a` may be.
//! Everything that depends on the position makes a value set larger, never
//! smaller, so two values whose value sets have nothing in common are different.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::last_move::listed::table_map;
use super::last_move::symbols::{Expr, Node, Symbols, Trace};
use super::loops::Loop;
use crate::bits::Bits;
use crate::inst::{Block, Inst, Reg, SetBinary, Var};
use crate::program::{Direction, Function, Program};

/// For each square that the source may be, the squares that a value may then be, or that may be
/// in a set. What is no square counts for nothing.
pub(super) type ValueSet = Rc<[Bits]>;

/// A number that goes one step further in one direction in rounds of a loop, and is set nowhere
/// else in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'a> {
    /// The direction.
    pub(super) direction: &'a Direction,
    /// What it is before the first round.
    start: Node,
    /// Where the step is taken.
    block: Block,
}

/// Finds the value sets of the values of one function.
pub(super) struct ValueSets<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    function: &'a Function,
    trace: &'a Trace,
    found: RefCell<HashMap<(Node, Node), ValueSet>>,
}

impl<'a> ValueSets<'a> {
    pub(super) fn new(
        program: &'a Program,
        symbols: &'a Symbols,
        function: &'a Function,
        trace: &'a Trace,
    ) -> Self {
        Self { program, symbols, function, trace, found: RefCell::default() }
    }

    /// The value set of a number, taken as a square, or of a set, as seen from `source`.
    pub(super) fn of(&self, value: Node, source: Node) -> ValueSet {
        if let Some(values) = self.found.borrow().get(&(value, source)) {
            return values.clone();
        }
        let values = self.build(value, source).unwrap_or_else(|| self.all());
        self.found.borrow_mut().insert((value, source), values.clone());
        values
    }

    fn build(&self, value: Node, source: Node) -> Option<ValueSet> {
        if value == source {
            return Some(self.each(|square| self.only(Some(square))));
        }
        match *self.symbols.expr(value) {
            Expr::Const(square) => Some(self.same(&self.only(usize::try_from(square).ok()))),
            Expr::Empty => Some(self.same(&Bits::empty(self.program.squares))),
            Expr::Part { of, .. } => Some(self.of(of, source)),
            Expr::Select { yes, no, .. } => {
                Some(self.union(&self.of(yes, source), &self.of(no, source)))
            }
            Expr::Unknown(_) => {
                let walk = self.carried(value)?;
                Some(self.along(&self.of(walk.start, source), walk.direction))
            }
            Expr::Apply { ref inst, ref args, .. } => self.applied(inst, args, source),
            Expr::Operand(_) => None,
        }
    }

    fn applied(&self, inst: &Inst, args: &[Node], source: Node) -> Option<ValueSet> {
        let of = |index: usize| self.of(args[index], source);
        match *inst {
            Inst::Step { .. } | Inst::Shift { .. } => {
                Some(self.stepped(&of(0), self.direction(args[1])?))
            }
            Inst::Leap { count, .. } => {
                let direction = self.direction(args[1])?;
                Some((0..count).fold(of(0), |values, _| self.stepped(&values, direction)))
            }
            Inst::Hop { .. } | Inst::Line { .. } | Inst::Reach { .. } => {
                Some(self.along(&of(0), self.direction(args[1])?))
            }
            Inst::Slide { .. } => {
                let direction = self.direction(args[2])?;
                Some(self.along(&self.stepped(&of(0), direction), direction))
            }
            Inst::Rays { .. } => {
                let rays = self.list(args[2])?.map(|direction| {
                    Some(self.along(&self.stepped(&of(0), direction?), direction?))
                });
                self.union_of(rays)
            }
            Inst::Neighbours { .. } => {
                self.union_of(self.list(args[1])?.map(|it| Some(self.stepped(&of(0), it?))))
            }
            Inst::Lookup { table, j: None, .. } => {
                let map = table_map(self.program, table).filter(|_| self.has_row_each(table.0))?;
                Some(self.image(&of(0), &map))
            }
            Inst::SetConst { family, index, .. } => {
                let index = index.map_or(Some(0), |_| self.symbols.constant(args[0]))?;
                let sets = &self.program.families.get(family.0 as usize)?.sets;
                Some(self.same(sets.get(usize::try_from(index).ok()?)?))
            }
            Inst::SetInsert { .. } => Some(self.union(&of(0), &of(1))),
            Inst::SetBinary { op, .. } => Some(match op {
                SetBinary::Union => self.union(&of(0), &of(1)),
                SetBinary::Intersection => self.zip(&of(0), &of(1), |a, b| a & b),
                SetBinary::Difference => of(0),
            }),
            Inst::SetRemove { .. } | Inst::NextMember { .. } => Some(of(0)),
            _ => None,
        }
    }

    /// The walk whose value at the head of its loop is `value`.
    fn carried(&self, value: Node) -> Option<Walk<'a>> {
        let (header, var, start) = self.trace.carried(value)?;
        let Var::Int(walker) = var else { return None };
        let around = self.trace.loops.all().iter().find(|it| it.header == header)?;
        self.walk(around, walker, value, start)
    }

    fn walk(&self, around: &Loop, walker: Reg, value: Node, start: Node) -> Option<Walk<'a>> {
        let mut steps = around.blocks.iter().flat_map(|&block| {
            let insts = self.function.block(block).insts.iter().enumerate();
            let own = insts.filter(|(_, it)| it.0.assigns() == Some(walker.into()));
            own.map(move |(at, it)| (block, at, &it.0))
        });
        let (block, at, inst) = steps.next()?;
        if steps.next().is_some() || !matches!(inst, Inst::Step { .. }) {
            return None;
        }
        let args = &self.trace.block(block)?.insts[at].args;
        let direction = self.direction(args[1])?;
        (args[0] == value).then_some(Walk { direction, start, block })
    }

    /// The values at the head of a loop of walks that come to another square in every round, or
    /// leave the board.
    pub(super) fn walkers(&self, around: &Loop) -> BTreeSet<Node> {
        let every_round = |walk: &Walk<'_>| {
            around.latches.iter().all(|&it| self.trace.dominators.dominates(walk.block, it))
        };
        let carried = self.trace.carried_by(around.header);
        carried
            .filter(|&node| {
                let walk = self.carried(node);
                walk.is_some_and(|it| every_round(&it) && leaves_the_board(it.direction))
            })
            .collect()
    }

    /// Whether a table has a row for every square and no more.
    pub(super) fn has_row_each(&self, table: u16) -> bool {
        self.program.tables.get(table as usize).is_some_and(|it| it.rows == self.program.squares)
    }

    fn direction(&self, direction: Node) -> Option<&'a Direction> {
        let direction = usize::try_from(self.symbols.constant(direction)?).ok()?;
        self.program.geometry.directions.get(direction)
    }

    fn list(&self, list: Node) -> Option<impl Iterator<Item = Option<&'a Direction>> + use<'a>> {
        let geometry = &self.program.geometry;
        let list = geometry.lists.get(usize::try_from(self.symbols.constant(list)?).ok()?)?;
        Some(list.iter().map(|&it| geometry.directions.get(it as usize)))
    }

    fn all(&self) -> ValueSet {
        self.same(&Bits::full(self.program.squares))
    }

    fn only(&self, square: Option<usize>) -> Bits {
        let mut set = Bits::empty(self.program.squares);
        square.filter(|&it| it < self.program.squares).into_iter().for_each(|it| set.insert(it));
        set
    }

    fn each(&self, of: impl Fn(usize) -> Bits) -> ValueSet {
        (0..self.program.squares).map(of).collect()
    }

    fn same(&self, set: &Bits) -> ValueSet {
        self.each(|_| set.clone())
    }

    fn zip(&self, a: &ValueSet, b: &ValueSet, op: impl Fn(u64, u64) -> u64) -> ValueSet {
        self.each(|square| a[square].zip(&b[square], &op))
    }

    fn union(&self, a: &ValueSet, b: &ValueSet) -> ValueSet {
        self.zip(a, b, |a, b| a | b)
    }

    fn union_of(&self, values: impl Iterator<Item = Option<ValueSet>>) -> Option<ValueSet> {
        let nothing = self.same(&Bits::empty(self.program.squares));
        values.into_iter().try_fold(nothing, |all, values| Some(self.union(&all, &values?)))
    }

    /// Where a map leads from a value set.
    pub(super) fn image(&self, values: &ValueSet, map: &[i16]) -> ValueSet {
        self.each(|square| {
            let mut image = Bits::empty(self.program.squares);
            let led = members(&values[square]).map(|it| map[it]);
            led.filter_map(|it| usize::try_from(it).ok()).for_each(|it| image.insert(it));
            image
        })
    }

    fn stepped(&self, values: &ValueSet, direction: &Direction) -> ValueSet {
        self.image(values, &direction.steps)
    }

    /// Where any number of steps leads from a value set, none among them.
    fn along(&self, values: &ValueSet, direction: &Direction) -> ValueSet {
        self.each(|square| {
            let mut reached = values[square].clone();
            for start in members(&values[square]) {
                let mut at = start;
                while let Ok(next) = usize::try_from(direction.steps[at])
                    && !reached.contains(next)
                {
                    reached.insert(next);
                    at = next;
                }
            }
            reached
        })
    }
}

/// The squares of a set, word by word: most value sets have few.
fn members(set: &Bits) -> impl Iterator<Item = usize> + '_ {
    set.words.iter().enumerate().flat_map(|(index, &word)| {
        let rest = |&word: &u64| Some(word & (word - 1)).filter(|&it| it != 0);
        let words = std::iter::successors(Some(word).filter(|&it| it != 0), rest);
        words.map(move |word| index * 64 + word.trailing_zeros() as usize)
    })
}

/// Whether steps in a direction lead off the board in the end, wherever they begin.
fn leaves_the_board(direction: &Direction) -> bool {
    let squares = direction.steps.len();
    (0..squares).all(|start| {
        let step = |&at: &usize| usize::try_from(direction.steps[at]).ok();
        std::iter::successors(Some(start), step).take(squares + 1).count() <= squares
    })
}
