//! What is known about registers, whatever the state.

use std::collections::BTreeSet;

/// Every value of a square.
pub(super) const ALL: u64 = u64::MAX;
/// Sets of values larger than this are not kept.
const MOST: usize = 64;

/// What is known about a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The values it may have; `None`: any.
    pub(super) values: Option<BTreeSet<i64>>,
    /// If it is a square: what may have stood there before the move, as bits.
    pub(super) stood: u64,
    /// If it is a square: what may stand there now.
    pub(super) now: u64,
    /// Whether it is a square for certain.
    pub(super) on: bool,
}

impl Fact {
    pub(super) const ANY: Self = Self { values: None, stood: ALL, now: ALL, on: false };

    /// Exactly this number.
    pub(super) fn one(value: i64) -> Self {
        Self::some([value])
    }

    /// One of these numbers.
    pub(super) fn some(values: impl IntoIterator<Item = i64>) -> Self {
        let values: BTreeSet<i64> = values.into_iter().collect();
        Self { values: (values.len() <= MOST).then_some(values), ..Self::ANY }
    }

    /// One of the values whose bits are set, counted from `lo`; or -1 if it may be off.
    pub(super) fn bits(mask: u64, lo: i64, size: usize, off: bool) -> Self {
        let inside = (0..size.min(64)).filter(|it| mask >> it & 1 == 1);
        Self::some(inside.map(|it| it as i64 + lo).chain(off.then_some(-1)))
    }

    /// A square of which it is known what may have stood there before the move.
    pub(super) fn square(stood: u64) -> Self {
        Self { stood, ..Self::ANY }
    }

    /// The same before anything is written.
    pub(super) fn afresh(mut self) -> Self {
        self.now = self.stood;
        self
    }

    /// The values as bits counted from `lo`.
    pub(super) fn mask(&self, lo: i64) -> u64 {
        let Some(values) = &self.values else { return ALL };
        let raws = values.iter().map(|it| it - lo).filter(|it| (0..64).contains(it));
        raws.fold(0, |mask, raw| mask | 1 << raw)
    }

    /// Adds what else may be; whether that is anything new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut new = self.on && !other.on;
        self.on &= other.on;
        new |= add(&mut self.stood, other.stood);
        new |= add(&mut self.now, other.now);
        let Some(mine) = &mut self.values else { return new };
        let before = mine.len();
        if let Some(theirs) = &other.values {
            mine.extend(theirs);
            if mine.len() <= MOST {
                return new || mine.len() > before;
            }
        }
        self.values = None;
        true
    }
}

/// What is known at a place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) ints: Vec<Fact>,
    /// What may have stood on the squares of each set.
    pub(super) sets: Vec<u64>,
    /// What may have stood on the squares of each path.
    pub(super) paths: Vec<u64>,
    /// What may have been put on squares before this point.
    pub(super) put: u64,
    /// Of that, what was put since the function was entered.
    pub(super) own: u64,
    /// Both where each open `try` began.
    pub(super) tries: Vec<(u64, u64)>,
}

impl Facts {
    /// All registers 0 or empty.
    pub(super) fn new(function: &ludex_ir::Function) -> Self {
        Self {
            ints: vec![Fact::one(0); function.ints as usize],
            sets: vec![0; function.sets as usize],
            paths: vec![0; function.paths as usize],
            put: 0,
            own: 0,
            tries: Vec::new(),
        }
    }

    /// Adds what else may be; whether that is anything new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut new = add(&mut self.put, other.put) | add(&mut self.own, other.own);
        for (mine, theirs) in self.ints.iter_mut().zip(&other.ints) {
            new |= mine.join(theirs);
        }
        let sets = self.sets.iter_mut().zip(&other.sets);
        let paths = self.paths.iter_mut().zip(&other.paths);
        for (mine, &theirs) in sets.chain(paths) {
            new |= add(mine, theirs);
        }
        for (mine, theirs) in self.tries.iter_mut().zip(&other.tries) {
            new |= add(&mut mine.0, theirs.0) | add(&mut mine.1, theirs.1);
        }
        new
    }

    /// What may stand now on the square of a register.
    pub(super) fn stands(&self, square: usize) -> u64 {
        let Fact { stood, now, .. } = self.ints[square];
        now & (stood | self.put)
    }

    /// Something is put on a square, perhaps on any.
    pub(super) fn put(&mut self, what: u64) {
        self.put |= what;
        self.own |= what;
        self.ints.iter_mut().for_each(|it| it.now |= what);
    }

    /// From here on things are put there only to see.
    pub(super) fn attempt(&mut self) {
        self.tries.push((self.put, self.own));
    }

    /// All that was put since the last open `try` began is gone.
    pub(super) fn undo(&mut self) {
        (self.put, self.own) = self.tries.pop().unwrap_or((ALL, ALL));
        for it in &mut self.ints {
            it.now = it.stood | self.put;
        }
    }

    /// What stood on a square before the move, if one of `mask` stands there now. If one of them may
    /// have been put there meanwhile, that says nothing.
    pub(super) fn stood(&self, mask: u64) -> u64 {
        if self.put & mask == 0 { mask } else { ALL }
    }
}

/// Sets more bits; whether any is new.
fn add(bits: &mut u64, more: u64) -> bool {
    let before = *bits;
    *bits |= more;
    *bits != before
}
