//! Sets of squares as unions of products.
//!
//! A set that is built from planes of the board (`where`), constant sets, moves
//! of whole sets and the three operations on sets is a union of [`Product`]s:
//! a square belongs to a product if it is in a constant set and every
//! [`Factor`] is right about a board cell that the square alone decides. Where
//! that cell is, is worked out here square by square, so nothing that follows
//! has to reason about directions and edges.

use std::collections::HashMap;
use std::rc::Rc;

use super::symbols::{Expr, Node, Symbols};
use crate::bits::Bits;
use crate::inst::{Inst, SetBinary};
use crate::program::{Direction, Program};

/// The most products and factors that are worth looking at.
const MOST: usize = 64;

/// A square for each square, or -1.
pub(in crate::passes) type Map = Rc<[i16]>;

/// A test of one board cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::passes) struct Factor {
    /// The cell that is looked at, for each square; -1 counts as a cell outside every mask.
    pub(in crate::passes) origin: Map,
    /// The codes.
    pub(in crate::passes) mask: u64,
    /// Whether the cell must hold one of the codes, or none of them.
    pub(in crate::passes) inside: bool,
}

/// The squares of a constant set that pass all tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::passes) struct Product {
    /// The constant set.
    pub(in crate::passes) within: Bits,
    /// The tests, no two of which of one kind look at the same cells.
    pub(in crate::passes) factors: Vec<Factor>,
}

impl Product {
    /// The squares that may belong to it in some position: where every cell that must hold
    /// something exists.
    pub(in crate::passes) fn domain(&self) -> Bits {
        let mut domain = Bits { words: vec![0; self.within.words.len()] };
        let needed = || self.factors.iter().filter(|it| it.inside);
        for square in self.within.iter() {
            if needed().all(|it| it.origin[square] >= 0) {
                domain.insert(square);
            }
        }
        domain
    }

    fn times(&self, other: &Self) -> Option<Self> {
        let within = self.within.zip(&other.within, |a, b| a & b);
        let mut product = Self { within, factors: self.factors.clone() };
        for factor in &other.factors {
            if !product.add(factor) {
                return None;
            }
        }
        (!product.domain().is_empty()).then_some(product)
    }

    /// Adds a test; whether it can still be passed.
    fn add(&mut self, factor: &Factor) -> bool {
        let same = |it: &&mut Factor| it.origin == factor.origin && it.inside == factor.inside;
        match self.factors.iter_mut().find(same) {
            Some(known) if factor.inside => {
                known.mask &= factor.mask;
                known.mask != 0
            }
            Some(known) => {
                known.mask |= factor.mask;
                true
            }
            None => {
                self.factors.push(factor.clone());
                factor.mask != 0 || !factor.inside
            }
        }
    }
}

/// Finds the products of sets.
pub(in crate::passes) struct Planes<'a> {
    program: &'a Program,
    found: HashMap<Node, Option<Rc<[Product]>>>,
    same: Map,
}

impl<'a> Planes<'a> {
    /// For the board of a program.
    pub(in crate::passes) fn new(program: &'a Program) -> Self {
        let same = (0..program.squares as i16).collect();
        Self { program, found: HashMap::new(), same }
    }

    /// The map of every square to itself.
    pub(in crate::passes) fn same(&self) -> &Map {
        &self.same
    }

    /// The products of a set that looks at the state of version 0; `None` if it is built
    /// otherwise, or too large.
    pub(in crate::passes) fn of(&mut self, symbols: &Symbols, set: Node) -> Option<Rc<[Product]>> {
        if let Some(found) = self.found.get(&set) {
            return found.clone();
        }
        let products = self.build(symbols, set).filter(|it| it.len() <= MOST).map(Rc::from);
        self.found.insert(set, products.clone());
        products
    }

    fn build(&mut self, symbols: &Symbols, set: Node) -> Option<Vec<Product>> {
        let (inst, args, version) = match symbols.expr(set) {
            Expr::Empty => return Some(Vec::new()),
            Expr::Apply { inst, args, version } => (inst, args, *version),
            _ => return None,
        };
        let program = self.program;
        match inst {
            Inst::SetWhere { .. } if version == 0 => {
                let mask = symbols.constant(args[0])? as u64;
                let factor = Factor { origin: self.same.clone(), mask, inside: true };
                Some(vec![Product { within: self.all(), factors: vec![factor] }])
            }
            Inst::SetConst { family, index, .. } => {
                let index = match index {
                    Some(_) => symbols.constant(args[0])?,
                    None => 0,
                };
                let set = program.families.get(family.0 as usize)?.sets.get(index as usize)?;
                Some(vec![Product { within: set.clone(), factors: Vec::new() }])
            }
            Inst::SetBinary { op, .. } => {
                let (a, b) = (self.of(symbols, args[0])?, self.of(symbols, args[1])?);
                self.combine(*op, &a, &b)
            }
            Inst::Shift { .. } => self.moved(symbols, args, 1),
            Inst::Leap { count, .. } => self.moved(symbols, args, *count),
            Inst::Neighbours { .. } => {
                let set = self.of(symbols, args[0])?;
                let list = symbols.constant(args[1])?;
                let list = program.geometry.lists.get(usize::try_from(list).ok()?)?;
                let mut all = Vec::new();
                for &direction in list {
                    let direction = program.geometry.directions.get(direction as usize)?;
                    all.extend(self.shifted(&set, direction)?);
                }
                Some(all)
            }
            _ => None,
        }
    }

    fn all(&self) -> Bits {
        Bits::full(self.program.squares)
    }

    fn combine(&self, op: SetBinary, a: &[Product], b: &[Product]) -> Option<Vec<Product>> {
        match op {
            SetBinary::Union => Some(a.iter().chain(b).cloned().collect()),
            SetBinary::Intersection => times(a, b),
            SetBinary::Difference => {
                let mut left = a.to_vec();
                for product in b {
                    left = times(&left, &self.complement(product))?;
                }
                Some(left)
            }
        }
    }

    /// The squares that are not in a product.
    fn complement(&self, product: &Product) -> Vec<Product> {
        let outside = self.all().zip(&product.within, |all, set| all & !set);
        let mut all = Vec::new();
        if !outside.is_empty() {
            all.push(Product { within: outside, factors: Vec::new() });
        }
        all.extend(product.factors.iter().map(|factor| Product {
            within: self.all(),
            factors: vec![Factor { inside: !factor.inside, ..factor.clone() }],
        }));
        all
    }

    fn moved(&mut self, symbols: &Symbols, args: &[Node], count: u16) -> Option<Vec<Product>> {
        let set = self.of(symbols, args[0])?;
        let direction = usize::try_from(symbols.constant(args[1])?).ok()?;
        let direction = self.program.geometry.directions.get(direction)?;
        let mut products = set.to_vec();
        for _ in 0..count {
            products = self.shifted(&products, direction)?;
        }
        Some(products)
    }

    /// One step of all squares; `None` if two squares step to one.
    fn shifted(&self, products: &[Product], direction: &Direction) -> Option<Vec<Product>> {
        let back = inverse(&direction.steps)?;
        let moved = products.iter().map(|product| {
            let mut within = Bits::empty(self.program.squares);
            for square in product.within.iter() {
                if let Ok(to) = usize::try_from(direction.steps[square]) {
                    within.insert(to);
                }
            }
            let factors = product.factors.iter().map(|factor| Factor {
                origin: back.iter().map(|&from| at(&factor.origin, from)).collect(),
                ..factor.clone()
            });
            Product { within, factors: factors.collect() }
        });
        Some(moved.filter(|it| !it.domain().is_empty()).collect())
    }
}

/// The products of two unions, each with each.
fn times(a: &[Product], b: &[Product]) -> Option<Vec<Product>> {
    if a.len() * b.len() > MOST {
        return None;
    }
    let all: Vec<Product> =
        a.iter().flat_map(|a| b.iter().filter_map(move |b| a.times(b))).collect();
    all.iter().all(|it| it.factors.len() <= MOST).then_some(all)
}

/// Where a map leads from a square; -1 from -1.
pub(in crate::passes) fn at(map: &[i16], square: i16) -> i16 {
    usize::try_from(square).map_or(-1, |square| map[square])
}

/// The map that undoes another; `None` if two squares are sent to one.
pub(in crate::passes) fn inverse(map: &[i16]) -> Option<Vec<i16>> {
    let mut back = vec![-1; map.len()];
    for (from, &to) in map.iter().enumerate() {
        let Ok(to) = usize::try_from(to) else { continue };
        if back[to] >= 0 {
            return None;
        }
        back[to] = from as i16;
    }
    Some(back)
}
