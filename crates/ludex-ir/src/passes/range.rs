//! Ranges of numbers, and what instructions make of them.
//!
//! A range is what is known about the value of a register: from `lo` to `hi`.
//! A constant is a range of one. The meaning of the operations is that of
//! [`inst`](crate::inst); reals are never looked into.

use super::arith;
use crate::inst::{ArrayId, Binary, Inst, Reg, Unary};
use crate::program::Program;

/// Numbers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The lowest.
    pub lo: i64,
    /// The highest; never below `lo`.
    pub hi: i64,
}

impl Range {
    /// Any number.
    pub const ANY: Self = Self { lo: i64::MIN, hi: i64::MAX };
    /// A truth value.
    pub const TRUTH: Self = Self { lo: 0, hi: 1 };

    /// One number.
    pub const fn one(value: i64) -> Self {
        Self { lo: value, hi: value }
    }

    /// The numbers from `lo` to `hi`, if there are any.
    pub fn new(lo: i64, hi: i64) -> Option<Self> {
        (lo <= hi).then_some(Self { lo, hi })
    }

    /// The number, if there is only one.
    pub fn constant(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether it has a number.
    pub fn contains(self, value: i64) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// Whether all its numbers are in another range.
    pub fn is_within(self, other: Self) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// The numbers of either, and those between.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The numbers of both, if there are any.
    pub fn meet(self, other: Self) -> Option<Self> {
        Self::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    fn truth(known: Option<bool>) -> Self {
        known.map_or(Self::TRUTH, |it| Self::one(it.into()))
    }
}

/// Works out the ranges of what instructions assign.
#[derive(Clone, Copy)]
pub struct Ranger<'a> {
    program: &'a Program,
}

impl<'a> Ranger<'a> {
    /// For the instructions of a program.
    pub fn new(program: &'a Program) -> Self {
        Self { program }
    }

    /// The squares.
    pub fn squares(self) -> Range {
        Range { lo: 0, hi: (self.program.squares as i64 - 1).max(0) }
    }

    /// The indices of an array that are not off.
    pub fn indices(self, array: ArrayId) -> Option<Range> {
        let len = self.program.arrays.get(array.0 as usize)?.len;
        Range::new(0, len as i64 - 1)
    }

    /// What is known of the number that an instruction assigns, given what is known of those it
    /// looks at.
    pub fn assigned(self, inst: &Inst, known: impl Fn(Reg) -> Range) -> Range {
        let on_board = Range { lo: -1, hi: self.program.squares as i64 - 1 };
        match *inst {
            Inst::Const { value, .. } => Range::one(value),
            Inst::Copy { src, .. } => known(src),
            Inst::Unary { op, src, .. } => self.unary(op, known(src)),
            Inst::Binary { op, a, b, .. } if a == b => {
                same(op).unwrap_or_else(|| self.binary(op, known(a), known(b)))
            }
            Inst::Binary { op, a, b, .. } => self.binary(op, known(a), known(b)),
            Inst::Lookup { table, i, j, .. } => {
                self.lookup(table.0, known(i), j.map_or(Range::one(0), known))
            }
            Inst::Pair { i, j, rows, columns, .. } => pair(known(i), known(j), rows, columns),
            Inst::Step { from, dir, .. } => self.step(known(from), known(dir)).unwrap_or(on_board),
            Inst::ListLen { list, .. } => self.list_len(known(list)),
            Inst::ListItem { list, index, .. } => self.list_item(known(list), known(index)),
            Inst::Load { array, index, .. } => self.load(array, index.map(known)),
            Inst::Test { array, index, mask, .. } => {
                let off = self.is_off(array, index.map(&known));
                Range::truth((off || known(mask) == Range::one(0)).then_some(false))
            }
            Inst::TestRange { array, index, lo, hi, .. } => {
                self.test_range(array, index.map(known), lo, hi)
            }
            Inst::Contains { square, .. } => {
                Range::truth(known(square).meet(self.squares()).is_none().then_some(false))
            }
            Inst::Any { .. } | Inst::Reply { .. } => Range::TRUTH,
            Inst::Count { .. } => Range { lo: 0, hi: self.program.squares as i64 },
            Inst::NextMember { .. } | Inst::Hop { .. } => on_board,
            Inst::Repeats { .. } | Inst::PathLen { .. } => Range { lo: 0, hi: i64::MAX },
            _ => Range::ANY,
        }
    }

    fn unary(self, op: Unary, x: Range) -> Range {
        match (op, x.constant()) {
            (_, Some(x)) => arith::unary(self.program, op, x).map_or(Range::ANY, Range::one),
            (Unary::Neg, None) if x.lo > i64::MIN => Range { lo: -x.hi, hi: -x.lo },
            (Unary::Not, None) => Range::truth((!x.contains(0)).then_some(false)),
            (Unary::Abs, None) if x.lo >= 0 => x,
            (Unary::Opposite, None) => {
                Range { lo: -1, hi: self.program.geometry.directions.len() as i64 - 1 }
            }
            _ => Range::ANY,
        }
    }

    fn binary(self, op: Binary, a: Range, b: Range) -> Range {
        let both = a.constant().zip(b.constant());
        if let Some(value) = both.and_then(|(a, b)| arith::binary(op, a, b)) {
            return Range::one(value);
        }
        match op {
            Binary::Add => checked(a.lo.checked_add(b.lo), a.hi.checked_add(b.hi)),
            Binary::Sub => checked(a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo)),
            Binary::Mul => product(a, b),
            Binary::Min => Range { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
            Binary::Max => Range { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
            Binary::Eq => Range::truth(a.meet(b).is_none().then_some(false)),
            Binary::Ne => Range::truth(a.meet(b).is_none().then_some(true)),
            Binary::Lt => Range::truth(less(a, b)),
            Binary::Le => Range::truth(less(b, a).map(|it| !it)),
            Binary::Div if a.lo >= 0 && b.lo >= 0 => Range { lo: 0, hi: a.hi },
            Binary::Rem if a.lo >= 0 && b.lo >= 0 => Range { lo: 0, hi: a.hi.min(b.hi) },
            Binary::REq | Binary::RLt | Binary::RLe => Range::TRUTH,
            Binary::Distance => Range { lo: -1, hi: i64::MAX },
            _ => Range::ANY,
        }
    }

    fn lookup(self, table: u16, i: Range, j: Range) -> Range {
        let Some(table) = self.program.tables.get(table as usize) else { return Range::ANY };
        let rows = Range::new(0, table.rows as i64 - 1);
        let columns = Range::new(0, table.columns as i64 - 1);
        let (Some(rows), Some(columns)) = (rows, columns) else { return Range::one(-1) };
        let (Some(inside), Some(across)) = (i.meet(rows), j.meet(columns)) else {
            return Range::one(-1);
        };
        let entries = (inside.lo..=inside.hi).flat_map(|row| {
            let row = row as usize * table.columns;
            table.data[row + across.lo as usize..=row + across.hi as usize].iter().copied()
        });
        let entries = entries.map(Range::one).reduce(Range::hull).unwrap_or(Range::one(-1));
        let leaves = !i.is_within(rows) || !j.is_within(columns);
        if leaves { entries.hull(Range::one(-1)) } else { entries }
    }

    /// Where a step leads; `None` if no more is known than that it is a square or none.
    fn step(self, from: Range, dir: Range) -> Option<Range> {
        let directions = &self.program.geometry.directions;
        let off = Some(Range::one(-1));
        if from.meet(self.squares()).is_none() || self.program.squares == 0 {
            return off;
        }
        let Some(dir) = dir.constant() else {
            return dir.meet(Range::new(0, directions.len() as i64 - 1)?).is_none().then_some(off?);
        };
        let Some(steps) = usize::try_from(dir).ok().and_then(|it| directions.get(it)) else {
            return off;
        };
        let to = steps.steps.get(usize::try_from(from.constant()?).ok()?)?;
        Some(Range::one((*to).into()))
    }

    fn list(self, list: i64) -> &'a [u16] {
        let lists = &self.program.geometry.lists;
        usize::try_from(list).ok().and_then(|it| lists.get(it)).map_or(&[], Vec::as_slice)
    }

    fn list_len(self, list: Range) -> Range {
        match list.constant() {
            Some(list) => Range::one(self.list(list).len() as i64),
            None => Range {
                lo: 0,
                hi: self.program.geometry.lists.iter().map(Vec::len).max().unwrap_or(0) as i64,
            },
        }
    }

    fn list_item(self, list: Range, index: Range) -> Range {
        let any = Range { lo: -1, hi: self.program.geometry.directions.len() as i64 - 1 };
        let Some(list) = list.constant().map(|it| self.list(it)) else { return any };
        let none = Range::one(-1);
        let Some(all) = Range::new(0, list.len() as i64 - 1) else { return none };
        let Some(inside) = index.meet(all) else { return none };
        let items = &list[inside.lo as usize..=inside.hi as usize];
        let items = items.iter().map(|&it| Range::one(it.into())).reduce(Range::hull);
        let items = items.unwrap_or(none);
        if index.is_within(all) { items } else { items.hull(none) }
    }

    fn is_off(self, array: ArrayId, index: Option<Range>) -> bool {
        let index = index.unwrap_or(Range::one(0));
        self.indices(array).is_none_or(|it| it.meet(index).is_none())
    }

    fn load(self, array: ArrayId, index: Option<Range>) -> Range {
        let Some(found) = self.program.arrays.get(array.0 as usize) else { return Range::ANY };
        let none = Range::one(-1);
        if self.is_off(array, index) {
            return none;
        }
        let values = Range::new(found.lo, found.hi).unwrap_or(Range::ANY);
        let index = index.unwrap_or(Range::one(0));
        let inside = self.indices(array).is_some_and(|it| index.is_within(it));
        if inside { values } else { values.hull(none) }
    }

    fn test_range(self, array: ArrayId, index: Option<Range>, lo: i64, hi: i64) -> Range {
        let wanted = Range::new(lo, hi);
        let values = self.program.arrays.get(array.0 as usize);
        let values = values.and_then(|it| Range::new(it.lo, it.hi)).unwrap_or(Range::ANY);
        let never = self.is_off(array, index) || wanted.and_then(|it| it.meet(values)).is_none();
        Range::truth(never.then_some(false))
    }
}

/// What an operation gives on one register twice.
fn same(op: Binary) -> Option<Range> {
    match op {
        Binary::Sub | Binary::Ne | Binary::Lt => Some(Range::one(0)),
        Binary::Eq | Binary::Le => Some(Range::one(1)),
        _ => None,
    }
}

fn checked(lo: Option<i64>, hi: Option<i64>) -> Range {
    lo.zip(hi).and_then(|(lo, hi)| Range::new(lo, hi)).unwrap_or(Range::ANY)
}

fn product(a: Range, b: Range) -> Range {
    let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
    let all: Option<Vec<i64>> = ends.into_iter().map(|(a, b)| a.checked_mul(b)).collect();
    let hull = all.and_then(|it| it.into_iter().map(Range::one).reduce(Range::hull));
    hull.unwrap_or(Range::ANY)
}

/// Whether all of one range are below all of the other, or none is.
fn less(a: Range, b: Range) -> Option<bool> {
    if a.hi < b.lo {
        Some(true)
    } else if a.lo >= b.hi {
        Some(false)
    } else {
        None
    }
}

fn pair(i: Range, j: Range, rows: u32, columns: u32) -> Range {
    let none = Range::one(-1);
    let inside = Range::new(0, i64::from(rows) - 1).zip(Range::new(0, i64::from(columns) - 1));
    let Some((rows, across)) = inside else { return none };
    let (Some(row), Some(column)) = (i.meet(rows), j.meet(across)) else { return none };
    let at = |row: i64, column: i64| row * i64::from(columns) + column;
    let all = Range { lo: at(row.lo, column.lo), hi: at(row.hi, column.hi) };
    if i.is_within(rows) && j.is_within(across) { all } else { all.hull(none) }
}
