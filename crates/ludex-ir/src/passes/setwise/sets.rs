//! Sets of squares as expressions.
//!
//! Set-wise code is first written down as a graph in which equal expressions are
//! one node, and simplified while it is built: an intersection with squares that
//! the other side can never leave is dropped, two tests of the same cell become
//! one, and what a branch has split is one set again where its sides meet. Only
//! the nodes that something needs become instructions.

use std::collections::HashMap;

use crate::bits::Bits;
use crate::inst::{Reg, SetReg};
use crate::program::Program;

/// An expression; equal expressions have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Set(u32);

/// What an expression is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// Squares known beforehand.
    Known(Bits),
    /// The squares whose cell has its bit in the mask set.
    Where(u64),
    /// What a register holds before the loop.
    Held(SetReg),
    /// All squares if the register holds 1, none if it holds 0.
    If(Reg),
    /// The square in a register, if it holds one.
    One(Reg),
    /// In both.
    And(Set, Set),
    /// In either.
    Or(Set, Set),
    /// In the first and not in the second.
    Minus(Set, Set),
    /// A number of steps (one or more) in a direction from squares of the set.
    Moved(Set, u16, u16),
    /// Steps in a direction from the first set through the second.
    Slide(Set, Set, u16),
}

/// How deep it is looked whether a set is part of another.
const DEPTH: u32 = 6;

/// The expressions of one loop.
#[derive(Debug)]
pub(crate) struct Sets {
    squares: usize,
    /// The bits that a mask of board cells can have.
    codes: u64,
    nodes: Vec<Node>,
    /// Squares that a set cannot go beyond.
    bounds: Vec<Bits>,
    numbers: HashMap<Node, Set>,
    /// For each direction where it leads, and whether to a different square from each.
    steps: Vec<(Vec<i16>, bool)>,
}

/// Steps in a direction, or none.
type Offset = Option<(u16, u16)>;

impl Sets {
    pub(crate) fn new(program: &Program) -> Self {
        let codes = program.men.len() as u32 + 1;
        Self {
            squares: program.squares,
            codes: u64::MAX >> (64 - codes.min(64)),
            nodes: Vec::new(),
            bounds: Vec::new(),
            numbers: HashMap::new(),
            steps: program
                .geometry
                .directions
                .iter()
                .map(|it| (it.steps.clone(), are_different(&it.steps)))
                .collect(),
        }
    }

    pub(crate) fn node(&self, set: Set) -> &Node {
        &self.nodes[set.0 as usize]
    }

    /// Squares that the set cannot go beyond.
    pub(crate) fn bound(&self, set: Set) -> &Bits {
        &self.bounds[set.0 as usize]
    }

    /// Whether the set is empty whatever the state is.
    pub(crate) fn is_empty(&self, set: Set) -> bool {
        matches!(self.node(set), Node::Known(bits) if bits.is_empty())
    }

    fn add(&mut self, node: Node, bound: Bits) -> Set {
        let node = if bound.is_empty() { Node::Known(bound.clone()) } else { node };
        if let Some(&set) = self.numbers.get(&node) {
            return set;
        }
        let set = Set(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.bounds.push(bound);
        self.numbers.insert(node, set);
        set
    }

    pub(crate) fn known(&mut self, bits: Bits) -> Set {
        self.add(Node::Known(bits.clone()), bits)
    }

    pub(crate) fn none(&mut self) -> Set {
        self.known(Bits::empty(self.squares))
    }

    pub(crate) fn all(&mut self) -> Set {
        self.known(Bits::full(self.squares))
    }

    /// The squares for which a property holds.
    pub(crate) fn squares_that(&mut self, holds: impl Fn(usize) -> bool) -> Set {
        let mut bits = Bits::empty(self.squares);
        (0..self.squares).filter(|&square| holds(square)).for_each(|square| bits.insert(square));
        self.known(bits)
    }

    pub(crate) fn cells(&mut self, mask: u64) -> Set {
        let mask = mask & self.codes;
        if mask == 0 {
            self.none()
        } else if mask == self.codes {
            self.all()
        } else {
            self.add(Node::Where(mask), Bits::full(self.squares))
        }
    }

    pub(crate) fn held(&mut self, reg: SetReg) -> Set {
        self.add(Node::Held(reg), Bits::full(self.squares))
    }

    pub(crate) fn all_if(&mut self, reg: Reg) -> Set {
        self.add(Node::If(reg), Bits::full(self.squares))
    }

    pub(crate) fn one(&mut self, reg: Reg) -> Set {
        self.add(Node::One(reg), Bits::full(self.squares))
    }

    /// The squares that are not in a set.
    pub(crate) fn complement(&mut self, set: Set) -> Set {
        let all = self.all();
        self.minus(all, set)
    }

    /// A mask such that no square of the set has anything else on it.
    pub(crate) fn most_cells(&self, set: Set) -> Option<u64> {
        match *self.node(set) {
            Node::Where(mask) => Some(mask),
            Node::And(a, b) => match (self.most_cells(a), self.most_cells(b)) {
                (Some(a), Some(b)) => Some(a & b),
                (a, b) => a.or(b),
            },
            Node::Minus(a, b) => {
                let less = self.mask(b).unwrap_or(0);
                self.most_cells(a).map(|mask| mask & !less)
            }
            Node::Or(a, b) => Some(self.most_cells(a)? | self.most_cells(b)?),
            _ => None,
        }
    }

    /// The set whose complement this is, if it is written that way.
    fn complemented(&self, set: Set) -> Option<Set> {
        match *self.node(set) {
            Node::Minus(all, rest) => {
                matches!(self.node(all), Node::Known(bits) if bits.len() == self.squares)
                    .then_some(rest)
            }
            _ => None,
        }
    }

    fn mask(&self, set: Set) -> Option<u64> {
        match *self.node(set) {
            Node::Where(mask) => Some(mask),
            _ => None,
        }
    }

    /// A set that is a question about the cells at one distance: which, and the mask.
    fn placed(&self, set: Set) -> Option<(Offset, u64)> {
        match *self.node(set) {
            Node::Where(mask) => Some((None, mask)),
            Node::Moved(cells, dir, count) if self.steps[dir as usize].1 => {
                Some((Some((dir, count)), self.mask(cells)?))
            }
            _ => None,
        }
    }

    fn cells_at(&mut self, offset: Offset, mask: u64) -> Set {
        let cells = self.cells(mask);
        match offset {
            Some((dir, count)) => self.moved(cells, dir, count),
            None => cells,
        }
    }

    /// The mask of the question that an intersection asks about the cells at a distance, and
    /// what is left without it (nothing, if it is all).
    fn without(&mut self, set: Set, offset: Offset, depth: u32) -> Option<(Option<Set>, u64)> {
        if let Some((at, mask)) = self.placed(set) {
            return (at == offset).then_some((None, mask));
        }
        match *self.node(set) {
            Node::And(a, b) if depth > 0 => {
                let (part, rest, other) = match self.without(a, offset, depth - 1) {
                    Some((rest, mask)) => (rest, mask, b),
                    None => {
                        let (rest, mask) = self.without(b, offset, depth - 1)?;
                        (rest, mask, a)
                    }
                };
                let whole = part.map_or(other, |part| self.and(part, other));
                Some((Some(whole), rest))
            }
            Node::Minus(a, b) if depth > 0 => {
                let (part, mask) = self.without(a, offset, depth - 1)?;
                let part = part.unwrap_or_else(|| self.all());
                Some((Some(self.minus(part, b)), mask))
            }
            _ => None,
        }
    }

    /// The intersection of what is left of a set with the cells of another mask.
    fn with_mask(&mut self, rest: Option<Set>, offset: Offset, mask: u64) -> Set {
        let cells = self.cells_at(offset, mask);
        rest.map_or(cells, |rest| self.and(rest, cells))
    }

    fn within(&self, set: Set, bits: &Bits) -> bool {
        self.bound(set).iter().all(|square| bits.contains(square))
    }

    /// Whether a set is part of another, as far as that can be read from how they are made.
    fn is_part(&self, set: Set, of: Set, depth: u32) -> bool {
        if set == of {
            return true;
        }
        depth > 0
            && match *self.node(set) {
                Node::And(a, b) => self.is_part(a, of, depth - 1) || self.is_part(b, of, depth - 1),
                Node::Minus(a, _) => self.is_part(a, of, depth - 1),
                Node::Or(a, b) => self.is_part(a, of, depth - 1) && self.is_part(b, of, depth - 1),
                _ => false,
            }
    }

    fn disjoint(&self, a: Set, b: Set) -> bool {
        self.bound(a).zip(self.bound(b), |a, b| a & b).is_empty()
    }

    pub(crate) fn and(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return a;
        }
        if let Some(set) = self.simpler_and(a, b).or_else(|| self.simpler_and(b, a)) {
            return set;
        }
        let bound = self.bound(a).zip(self.bound(b), |a, b| a & b);
        self.add(Node::And(a, b), bound)
    }

    fn simpler_and(&mut self, a: Set, b: Set) -> Option<Set> {
        if self.disjoint(a, b) {
            return Some(self.none());
        }
        if let Node::Known(bits) = self.node(a) {
            if self.within(b, bits) {
                return Some(b);
            }
            if let Node::Known(other) = self.node(b) {
                let both = bits.zip(other, |a, b| a & b);
                return Some(self.known(both));
            }
        }
        if let Some(rest) = self.complemented(a) {
            return Some(self.minus(b, rest));
        }
        // A fixed part that the other side cannot leave is not needed.
        if let Node::And(x, y) = *self.node(a) {
            for (kept, fixed) in [(x, y), (y, x)] {
                if matches!(self.node(fixed), Node::Known(bits) if self.within(b, bits)) {
                    return Some(self.and(kept, b));
                }
            }
        }
        if self.is_part(a, b, DEPTH) {
            return Some(a);
        }
        if let Some((offset, mask)) = self.placed(a) {
            if let Some((rest, other)) = self.without(b, offset, DEPTH) {
                let both = mask & other;
                return Some(if both == other { b } else { self.with_mask(rest, offset, both) });
            }
            if let Node::Minus(from, less) = *self.node(b)
                && let Some((at, other)) = self.placed(less)
                && at == offset
            {
                return Some(self.with_mask(Some(from), offset, mask & !other));
            }
        }
        match *self.node(a) {
            Node::Minus(_, y) if y == b => Some(self.none()),
            _ => None,
        }
    }

    pub(crate) fn minus(&mut self, a: Set, b: Set) -> Set {
        if let Some(set) = self.simpler_minus(a, b) {
            return set;
        }
        let bound = match self.node(b) {
            Node::Known(bits) => self.bound(a).zip(bits, |a, b| a & !b),
            _ => self.bound(a).clone(),
        };
        self.add(Node::Minus(a, b), bound)
    }

    fn simpler_minus(&mut self, a: Set, b: Set) -> Option<Set> {
        if a == b {
            return Some(self.none());
        }
        if self.disjoint(a, b) {
            return Some(a);
        }
        if let Node::Known(bits) = self.node(b) {
            if self.within(a, bits) {
                return Some(self.none());
            }
            if let Node::Known(from) = self.node(a) {
                let left = from.zip(bits, |a, b| a & !b);
                return Some(self.known(left));
            }
        }
        if let Some(rest) = self.complemented(b) {
            return Some(self.and(a, rest));
        }
        if self.is_part(a, b, DEPTH) {
            return Some(self.none());
        }
        if let Some((offset, mask)) = self.placed(b) {
            let all = matches!(self.node(a), Node::Known(bits) if bits.len() == self.squares);
            if all && offset.is_none() {
                return Some(self.cells(!mask));
            }
            if let Some((rest, from)) = self.without(a, offset, DEPTH) {
                let left = from & !mask;
                return Some(if left == from { a } else { self.with_mask(rest, offset, left) });
            }
        }
        match *self.node(a) {
            Node::Minus(_, y) if y == b => Some(a),
            _ => None,
        }
    }

    pub(crate) fn or(&mut self, a: Set, b: Set) -> Set {
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return a;
        }
        if let Some(set) = self.simpler_or(a, b).or_else(|| self.simpler_or(b, a)) {
            return set;
        }
        if let Some(set) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return set;
        }
        let bound = self.bound(a).zip(self.bound(b), |a, b| a | b);
        self.add(Node::Or(a, b), bound)
    }

    /// `a | b`, where `a` becomes one with a part of `b`.
    fn absorbed(&mut self, a: Set, b: Set) -> Option<Set> {
        let Node::Or(x, y) = *self.node(b) else { return None };
        for (part, rest) in [(x, y), (y, x)] {
            if let Some(one) = self.simpler_or(a, part).or_else(|| self.simpler_or(part, a)) {
                return Some(self.or(one, rest));
            }
        }
        None
    }

    fn simpler_or(&mut self, a: Set, b: Set) -> Option<Set> {
        if let Node::Known(bits) = self.node(a) {
            if self.within(b, bits) {
                return Some(a);
            }
            if bits.is_empty() {
                return Some(b);
            }
            if let Node::Known(other) = self.node(b) {
                let both = bits.zip(other, |a, b| a | b);
                return Some(self.known(both));
            }
        }
        if let (Some((offset, mask)), Some((at, other))) = (self.placed(a), self.placed(b))
            && offset == at
        {
            return Some(self.cells_at(offset, mask | other));
        }
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::And(x, y), Node::Minus(from, less)) if from == x && less == y => Some(x),
            (Node::And(x, y), Node::Minus(from, less)) if from == y && less == x => Some(y),
            // What is taken away from one side is in the other.
            (Node::Minus(from, less), _) if less == b => Some(self.or(from, b)),
            (Node::And(x, y), _) if self.is_less(y, b) => self.refilled(x, y, b),
            (Node::And(x, y), _) if self.is_less(x, b) => self.refilled(y, x, b),
            (Node::And(x, y), Node::And(p, q)) if x == p => Some(self.factored(x, y, q)),
            (Node::And(x, y), Node::And(p, q)) if x == q => Some(self.factored(x, y, p)),
            (Node::And(x, y), Node::And(p, q)) if y == p => Some(self.factored(y, x, q)),
            (Node::And(x, y), Node::And(p, q)) if y == q => Some(self.factored(y, x, p)),
            _ => self.is_part(a, b, DEPTH).then_some(b),
        }
    }

    /// `common & (a | b)`.
    fn factored(&mut self, common: Set, a: Set, b: Set) -> Set {
        let either = self.or(a, b);
        self.and(common, either)
    }

    fn is_less(&self, set: Set, less: Set) -> bool {
        matches!(*self.node(set), Node::Minus(_, it) if it == less)
    }

    /// `x & (y - b) | b`, where `reduced` is `y - b`.
    fn refilled(&mut self, x: Set, reduced: Set, b: Set) -> Option<Set> {
        let Node::Minus(whole, _) = *self.node(reduced) else { return None };
        let both = self.and(x, whole);
        Some(self.or(both, b))
    }

    /// The squares `count` steps in direction `dir` from squares of `set`.
    pub(crate) fn moved(&mut self, set: Set, dir: u16, count: u16) -> Set {
        let (set, count) = match *self.node(set) {
            Node::Moved(inner, same, before) if same == dir => (inner, before + count),
            _ => (set, count),
        };
        let mut bound = self.bound(set).clone();
        for _ in 0..count {
            bound = self.image(&bound, dir);
        }
        if matches!(self.node(set), Node::Known(_)) {
            return self.known(bound);
        }
        self.add(Node::Moved(set, dir, count), bound)
    }

    pub(crate) fn slide(&mut self, from: Set, through: Set, dir: u16) -> Set {
        let mut bound = self.image(self.bound(from), dir);
        loop {
            let on = bound.zip(self.bound(through), |a, b| a & b);
            let more = bound.zip(&self.image(&on, dir), |a, b| a | b);
            if more == bound {
                break;
            }
            bound = more;
        }
        if self.is_empty(from) {
            return from;
        }
        self.add(Node::Slide(from, through, dir), bound)
    }

    fn image(&self, bits: &Bits, dir: u16) -> Bits {
        let mut image = Bits::empty(self.squares);
        let steps = &self.steps[dir as usize].0;
        bits.iter()
            .filter_map(|it| usize::try_from(*steps.get(it)?).ok())
            .for_each(|it| image.insert(it));
        image
    }
}

/// Whether no two squares lead to the same one.
fn are_different(steps: &[i16]) -> bool {
    let mut to: Vec<i16> = steps.iter().copied().filter(|&it| it >= 0).collect();
    to.sort_unstable();
    to.windows(2).all(|pair| pair[0] != pair[1])
}
