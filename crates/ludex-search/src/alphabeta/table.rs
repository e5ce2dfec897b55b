//! The transposition table: bounded, shared by all threads, without a lock.
//!
//! Robert Hyatt and Timothy Mann, "A lock-less transposition table implementation for parallel
//! search chess engines", 2002: an entry is two words, the data and the key xor the data. Two
//! threads that write one entry at once leave words that do not belong together, and those belong
//! to no key.
//!
//! A key chooses a bucket of four entries, which lie in one line of the cache. A new entry takes
//! the place of the same position, or else of what is worth least: old searches first, then
//! shallow ones.
//!
//! The move is kept as its number in the list of the position: equal positions list equally. A
//! wrong number costs time, not truth.

use std::sync::atomic::{AtomicU64, Ordering};

use ludex_core::Game;

/// What a value in the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value itself.
    Exact,
    /// It is at least that.
    AtLeast,
    /// It is at most that.
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// From the view of the player to move, with ends counted from this position.
    pub(crate) value: i32,
    pub(crate) bound: Bound,
    /// How many plies deep it was searched, at most 255.
    pub(crate) depth: u8,
    /// The number of the best move; [`NO_MOVE`] without one.
    pub(crate) mv: u16,
    /// Which player is to move.
    pub(crate) mover: u8,
    /// Whether no evaluation had a say in it: then depth does not matter.
    pub(crate) is_complete: bool,
}

/// No move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// Entries in a bucket.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The table. An empty one remembers nothing.
#[derive(Debug, Default)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    age: u64,
}

impl Table {
    /// A table of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let count = bytes / size_of::<Bucket>();
        // The largest power of two that fits, so that a mask chooses.
        let count = if count == 0 { 0 } else { 1 << count.ilog2() };
        Self { buckets: (0..count).map(|_| Bucket::default()).collect(), age: 0 }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// A table of `bytes` bytes with what is in this one.
    pub(crate) fn grown(self, bytes: usize) -> Self {
        let grown = Self { age: self.age, ..Self::new(bytes) };
        if grown.buckets.len() <= self.buckets.len() {
            return self;
        }
        for slot in self.buckets.iter().flat_map(|it| &it.0) {
            let data = slot.data.load(Ordering::Relaxed);
            if data != 0 {
                grown.store(slot.check.load(Ordering::Relaxed) ^ data, &unpack(data));
            }
        }
        grown
    }

    /// A new search begins: what is there grows old.
    pub(crate) fn grow_old(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for slot in self.buckets.iter_mut().flat_map(|it| &mut it.0) {
            *slot = Slot::default();
        }
    }

    /// What is known of the position with this key.
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let is_it = data != 0 && slot.check.load(Ordering::Relaxed) ^ data == key;
            is_it.then(|| unpack(data))
        })
    }

    /// Remembers a position.
    pub(crate) fn store(&self, key: u64, entry: &Entry) {
        let Some(bucket) = self.buckets.get(self.place(key)) else { return };
        let worth = |slot: &Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.check.load(Ordering::Relaxed) ^ data == key {
                return i64::MIN;
            }
            let years = self.age.wrapping_sub(data >> AGE) & 63;
            (data >> DEPTH & 255) as i64 - 8 * years as i64
        };
        let slot = bucket.0.iter().min_by_key(|it| worth(it)).expect("a bucket has entries");
        let data = pack(entry, self.age);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    fn place(&self, key: u64) -> usize {
        // The upper half: the check compares all bits anyway.
        (key >> 20) as usize & self.buckets.len().wrapping_sub(1)
    }
}

// Where the parts of an entry are in its word. The highest bit is always set: 0 is nothing.
const MOVE: u32 = 24;
const DEPTH: u32 = 40;
const BOUND: u32 = 48;
const MOVER: u32 = 50;
const COMPLETE: u32 = 51;
const AGE: u32 = 52;
const USED: u64 = 1 << 63;
/// Values take 24 bits; this makes them positive.
const OFFSET: i32 = 1 << 23;

fn pack(entry: &Entry, age: u64) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 0,
        Bound::AtLeast => 1,
        Bound::AtMost => 2,
    };
    (entry.value + OFFSET) as u64 & 0xff_ffff
        | u64::from(entry.mv) << MOVE
        | u64::from(entry.depth) << DEPTH
        | bound << BOUND
        | u64::from(entry.mover & 1) << MOVER
        | u64::from(entry.is_complete) << COMPLETE
        | (age & 63) << AGE
        | USED
}

fn unpack(data: u64) -> Entry {
    Entry {
        value: (data & 0xff_ffff) as i32 - OFFSET,
        bound: match data >> BOUND & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        },
        depth: (data >> DEPTH) as u8,
        mv: (data >> MOVE) as u16,
        mover: (data >> MOVER & 1) as u8,
        is_complete: data >> COMPLETE & 1 == 1,
    }
}

/// Whether what a position is worth may depend on the way to it.
pub(crate) fn looks_back<G: Game>(game: &G) -> bool {
    // A trail without size remembers nothing, whatever the game says.
    size_of::<G::Trail>() > 0 && game.has_history()
}

/// The hash of a way that goes on to the position with this hash.
pub(crate) fn step(way: u64, hash: u64) -> u64 {
    let mixed = (way.rotate_left(23) ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::scale::INFINITE;

    fn entry(value: i32, depth: u8) -> Entry {
        let (bound, mv) = (Bound::AtMost, 17);
        Entry { value, bound, depth, mv, mover: 1, is_complete: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1 << 16);
        for (key, value) in [(1, -INFINITE), (2 << 40, INFINITE), (u64::MAX, 0), (7, -5)] {
            table.store(key, &entry(value, 9));
            assert_eq!(table.probe(key), Some(entry(value, 9)));
        }
        assert_eq!(table.probe(99), None);
    }

    #[test]
    fn the_bound_is_kept_and_the_deep_stay() {
        let mut table = Table::new(64);
        assert_eq!(table.bytes(), 64);
        table.store(1, &entry(1, 50));
        (2..20).for_each(|key| table.store(key, &entry(1, 3)));
        assert!(table.probe(1).is_some());
        for _ in 0..20 {
            table.grow_old();
        }
        (30..34).for_each(|key| table.store(key, &entry(1, 3)));
        assert!(table.probe(1).is_none(), "the old goes first");
        assert_eq!(Table::new(0).probe(1), None);
        table.clear();
        assert!((0..40).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn a_table_grows_with_what_is_in_it() {
        let table = Table::new(1 << 12);
        (1..40_u64).for_each(|key| table.store(key << 24, &entry(key as i32, 4)));
        let known =
            |table: &Table| (1..40_u64).filter(|key| table.probe(key << 24).is_some()).count();
        let before = known(&table);
        let table = table.grown(1 << 16);
        assert_eq!(table.bytes(), 1 << 16);
        assert_eq!(known(&table), before);
    }
}
