//! What registers hold, as functions of the member of a loop.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::sets::Set;
use crate::bits::Bits;
use crate::inst::{Reg, SetReg, Var};

/// What a number register holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Num {
    /// A number known beforehand.
    Known(i64),
    /// The same for all members: what a register holds before the loop.
    Same(Reg),
    /// A function of the member's number alone.
    Of(Rc<Way>),
    /// 1 for the members in a set, 0 for the others.
    Truth(Set),
    /// A function of what stands on a square.
    Cell(Rc<Cell>),
    /// Where a walk ends; -1 off the board.
    End(Rc<Walk>),
    /// How many squares a group has.
    Count(Rc<Spots>),
    /// One value for the members of each set.
    Pieces(Rc<Vec<(Set, Num)>>),
    /// What a register held when the iteration began.
    Start,
    /// It is unknown.
    Unknown,
}

/// A number for each square.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Way {
    /// The numbers.
    pub(crate) to: Vec<i64>,
    /// If they are squares: the steps that lead there.
    pub(crate) path: Option<Vec<u16>>,
}

/// A number for each thing that may stand on a square.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The square.
    pub(crate) at: Rc<Way>,
    /// The number for each code.
    pub(crate) by_code: Vec<i64>,
    /// The number off the board.
    pub(crate) off: i64,
}

/// A walk in one direction while the squares are in a set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Walk {
    /// The square looked at first.
    pub(crate) first: Rc<Way>,
    /// What it goes through.
    pub(crate) through: Set,
    /// The direction.
    pub(crate) dir: u16,
}

/// Squares at fixed distances from the member.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spots {
    /// Where they are; -1 is no square.
    pub(crate) ways: Vec<Rc<Way>>,
    /// The members for which there are any.
    pub(crate) whole: Bits,
    /// Only those in this set count.
    pub(crate) within: Set,
}

/// What a set register holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Group {
    /// The same for all members.
    Fixed(Set),
    /// Squares at fixed distances.
    Spots(Rc<Spots>),
    /// The squares that a walk went through.
    Walked(Rc<Walk>),
    /// One value for the members of each set.
    Pieces(Rc<Vec<(Set, Group)>>),
    /// What the register held when the iteration began.
    Start(SetReg),
    /// That and the member.
    Grown(SetReg),
    /// It is unknown.
    Unknown,
}

/// What a register holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Num(Num),
    /// A set.
    Group(Group),
}

/// What registers hold at a point; those that are missing were not assigned.
pub(crate) type Env = BTreeMap<Var, Value>;

impl Way {
    /// Each square itself.
    pub(crate) fn identity(squares: usize) -> Self {
        Self { to: (0..squares as i64).collect(), path: Some(Vec::new()) }
    }

    /// Whether it gives each of some squares itself.
    pub(crate) fn is_identity_on(&self, squares: &Bits) -> bool {
        squares.iter().all(|square| self.to.get(square) == Some(&(square as i64)))
    }

    /// The value that it has for all of some squares.
    pub(crate) fn constant_on(&self, squares: &Bits) -> Option<i64> {
        let mut values = squares.iter().filter_map(|square| self.to.get(square).copied());
        let first = values.next()?;
        values.all(|it| it == first).then_some(first)
    }
}

impl Num {
    /// A table of numbers; one number if they are all the same.
    pub(crate) fn table(to: Vec<i64>, path: Option<Vec<u16>>) -> Self {
        match to.first() {
            Some(&first) if to.iter().all(|&it| it == first) => Self::Known(first),
            _ => Self::Of(Rc::new(Way { to, path })),
        }
    }

    /// Its number for each square, if that is known beforehand.
    pub(crate) fn at(&self, square: usize) -> Option<i64> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Of(way) => way.to.get(square).copied(),
            _ => None,
        }
    }
}
