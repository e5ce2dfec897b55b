//! Labels: what the value of something depends on.
//!
//! A label is a conjunction of conditions on cells, one for each cell at most:
//! the cell has one of some allowed values. All of them hold in the state that
//! is being studied, so the union of two labels (both conjunctions together)
//! never contradicts itself: the allowed values of a cell are intersected and
//! the present one stays.
//!
//! Labels are made in a [`Labels`] and are small numbers outside it: equal
//! conditions give equal numbers, unions are remembered. A run copies and
//! merges labels at almost every instruction, and most of those merges have
//! been made before.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// The values that a condition allows a cell. Values are counted from the
/// lowest of the cell's domain (the *raw* value: 0 is the `lo` of the array).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Allowed {
    /// The values whose bits are set; for domains of at most 64 values.
    Values(u64),
    /// An interval, both ends included; for larger domains.
    Range {
        /// The lowest.
        lo: u16,
        /// The highest.
        hi: u16,
    },
}

impl Allowed {
    /// Exactly one value of a domain of `size` values.
    pub fn exactly(raw: u16, size: usize) -> Self {
        if size <= 64 { Self::Values(1 << raw) } else { Self::Range { lo: raw, hi: raw } }
    }

    /// Every value of a domain of `size` values.
    pub fn anything(size: usize) -> Self {
        match size {
            0..64 => Self::Values((1 << size) - 1),
            64 => Self::Values(u64::MAX),
            _ => Self::Range { lo: 0, hi: (size - 1) as u16 },
        }
    }

    /// Whether a value is allowed.
    pub fn contains(self, raw: u16) -> bool {
        match self {
            Self::Values(mask) => raw < 64 && mask >> raw & 1 == 1,
            Self::Range { lo, hi } => lo <= raw && raw <= hi,
        }
    }

    /// The values, lowest first.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        let (lo, hi) = match self {
            Self::Values(_) => (0, 63),
            Self::Range { lo, hi } => (lo, hi),
        };
        (lo..=hi).filter(move |&raw| self.contains(raw))
    }

    /// What both allow. Both are conditions on one cell, so they are of one form.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Values(a), Self::Values(b)) => Self::Values(a & b),
            (Self::Range { lo: a, hi: b }, Self::Range { lo: c, hi: d }) => {
                Self::Range { lo: a.max(c), hi: b.min(d) }
            }
            (values @ Self::Values(_), Self::Range { .. })
            | (Self::Range { .. }, values @ Self::Values(_)) => values,
        }
    }
}

/// One condition of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Condition {
    pub(crate) cell: u32,
    pub(crate) allowed: Allowed,
}

/// A conjunction of conditions, by its number in a [`Labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Label(u32);

impl Label {
    /// No condition: it is so in every state.
    pub(crate) const NONE: Self = Self(0);
}

/// All labels of a run.
#[derive(Debug)]
pub(crate) struct Labels {
    all: Vec<Rc<[Condition]>>,
    numbers: HashMap<Rc<[Condition]>, Label, Quick>,
    /// Unions made before, the smaller number first.
    unions: HashMap<(Label, Label), Label, Quick>,
    scratch: Vec<Condition>,
}

impl Labels {
    pub(crate) fn new() -> Self {
        let none: Rc<[Condition]> = Rc::from([]);
        let mut numbers = HashMap::default();
        numbers.insert(Rc::clone(&none), Label::NONE);
        Self { all: vec![none], numbers, unions: HashMap::default(), scratch: Vec::new() }
    }

    /// The conditions of a label, in the order of the cells.
    pub(crate) fn conditions(&self, label: Label) -> &[Condition] {
        &self.all[label.0 as usize]
    }

    /// Whether a label still holds where a cell has another value.
    pub(crate) fn allows(&self, label: Label, cell: usize, raw: u16) -> bool {
        let conditions = self.conditions(label);
        let found = conditions.binary_search_by_key(&(cell as u32), |it| it.cell);
        found.map_or(true, |it| conditions[it].allowed.contains(raw))
    }

    /// How many conditions a label has.
    pub(crate) fn len(&self, label: Label) -> usize {
        self.conditions(label).len()
    }

    /// The label of one condition.
    pub(crate) fn condition(&mut self, cell: usize, allowed: Allowed) -> Label {
        self.scratch.clear();
        self.scratch.push(Condition { cell: cell as u32, allowed });
        self.number_scratch()
    }

    /// Both labels together.
    #[inline]
    pub(crate) fn union(&mut self, a: Label, b: Label) -> Label {
        if a == b || b == Label::NONE {
            return a;
        }
        if a == Label::NONE {
            return b;
        }
        self.merged(a, b)
    }

    /// All labels together.
    pub(crate) fn union_all(&mut self, labels: impl IntoIterator<Item = Label>) -> Label {
        let mut labels: Vec<Label> = labels.into_iter().filter(|&it| it != Label::NONE).collect();
        labels.sort_unstable_by_key(|it| it.0);
        labels.dedup();
        match *labels {
            [] => Label::NONE,
            [one] => one,
            [a, b] => self.merged(a, b),
            _ => {
                self.scratch.clear();
                for label in labels {
                    self.scratch.extend_from_slice(&self.all[label.0 as usize]);
                }
                self.scratch.sort_unstable_by_key(|it| it.cell);
                self.scratch.dedup_by(|next, kept| {
                    let same = next.cell == kept.cell;
                    if same {
                        kept.allowed = kept.allowed.and(next.allowed);
                    }
                    same
                });
                self.number_scratch()
            }
        }
    }

    /// The label with fewer conditions; the first of equals.
    pub(crate) fn smaller(&self, a: Label, b: Label) -> Label {
        if self.len(b) < self.len(a) { b } else { a }
    }

    /// The order in which labels are preferred: fewer conditions, then by the conditions.
    pub(crate) fn prefers(&self, a: Label, b: Label) -> bool {
        let key = |label| (self.len(label), self.conditions(label));
        key(a) < key(b)
    }

    fn merged(&mut self, a: Label, b: Label) -> Label {
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(&label) = self.unions.get(&key) {
            return label;
        }
        self.scratch.clear();
        let (mut left, mut right) = (&*self.all[a.0 as usize], &*self.all[b.0 as usize]);
        while let ([first, more @ ..], [second, others @ ..]) = (left, right) {
            let next = match first.cell.cmp(&second.cell) {
                std::cmp::Ordering::Less => (*first, more, right),
                std::cmp::Ordering::Greater => (*second, left, others),
                std::cmp::Ordering::Equal => {
                    let allowed = first.allowed.and(second.allowed);
                    (Condition { cell: first.cell, allowed }, more, others)
                }
            };
            self.scratch.push(next.0);
            (left, right) = (next.1, next.2);
        }
        self.scratch.extend_from_slice(left);
        self.scratch.extend_from_slice(right);
        let label = self.number_scratch();
        self.unions.insert(key, label);
        label
    }

    /// The number of the conditions in `scratch`.
    fn number_scratch(&mut self) -> Label {
        if let Some(&label) = self.numbers.get(self.scratch.as_slice()) {
            return label;
        }
        let label = Label(self.all.len() as u32);
        let conditions: Rc<[Condition]> = Rc::from(self.scratch.as_slice());
        self.all.push(Rc::clone(&conditions));
        self.numbers.insert(conditions, label);
        label
    }
}

/// For tables of small numbers.
pub(crate) type Quick = BuildHasherDefault<Mixer>;

/// A quick hash of a few small numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(labels: &mut Labels, conditions: &[(usize, u64)]) -> Label {
        let singles: Vec<Label> = conditions
            .iter()
            .map(|&(cell, mask)| labels.condition(cell, Allowed::Values(mask)))
            .collect();
        labels.union_all(singles)
    }

    #[test]
    fn a_union_intersects_what_is_allowed() {
        let mut labels = Labels::new();
        let a = values(&mut labels, &[(3, 0b110), (5, 0b001)]);
        let b = values(&mut labels, &[(1, 0b010), (3, 0b011)]);
        let both = values(&mut labels, &[(1, 0b010), (3, 0b010), (5, 0b001)]);
        assert_eq!(labels.union(a, b), both);
        assert_eq!(labels.union(b, a), both);
        assert_eq!(labels.union(both, a), both);
        assert_eq!(labels.union_all([a, b, both, Label::NONE]), both);
        assert_eq!(labels.len(both), 3);
    }

    #[test]
    fn intervals_meet() {
        let a = Allowed::Range { lo: 2, hi: 90 };
        assert_eq!(a.and(Allowed::Range { lo: 0, hi: 10 }), Allowed::Range { lo: 2, hi: 10 });
        assert_eq!(Allowed::exactly(7, 100), Allowed::Range { lo: 7, hi: 7 });
        assert_eq!(Allowed::exactly(7, 64), Allowed::Values(1 << 7));
        assert!(Allowed::anything(64).contains(63) && !Allowed::anything(63).contains(63));
        assert_eq!(Allowed::Values(0b101).iter().collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn the_smaller_is_preferred() {
        let mut labels = Labels::new();
        let one = values(&mut labels, &[(9, 1)]);
        let two = values(&mut labels, &[(1, 1), (2, 1)]);
        assert_eq!(labels.smaller(two, one), one);
        assert!(labels.prefers(one, two) && !labels.prefers(two, one) && !labels.prefers(one, one));
    }
}
