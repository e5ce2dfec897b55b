//! The transposition table: bounded, shared by all threads, without a lock.
//!
//! Robert Hyatt and Timothy Mann, "A lock-less transposition table implementation for parallel
//! search chess engines", 2002: an entry is two words, the data and the key xor the data. Two
//! threads that write one entry at once leave words that do not belong together, and those belong
//! to no key.
//!
//! The first hash of a position chooses a bucket of four entries, which lie in one line of the
//! cache. A new entry takes the place of the same position, or else of what is worth least: old
//! searches first, then shallow ones.
//!
//! **Two hashes.** What is proved may rest on an entry, so 64 bits are not enough to know a
//! position again. The first hash gives the bucket and five bits that are kept in the data; all of
//! the second, which has nothing to do with the first, is checked. In the smallest table of a
//! search (4,096 buckets) that makes 81 bits. The price is that an entry does not tell its first
//! hash, and a table that grows begins anew.
//!
//! The move is kept as its number in the list of the position: equal positions list equally. A
//! wrong number costs time, not truth.

use std::sync::atomic::{AtomicU64, Ordering};

use ludex_core::{Game, GameExt};

/// The name of a position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Key {
    /// Where it is looked up.
    pub(crate) first: u64,
    /// What must agree, from a hash that has nothing to do with the first.
    pub(crate) second: u64,
}

impl Key {
    /// The name of a way that goes on from this one to a position.
    pub(crate) fn step(self, to: Self) -> Self {
        Self { first: step(self.first, to.first), second: step(self.second, to.second) }
    }
}

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

impl Bound {
    /// What a value is that a search with this window has given.
    pub(crate) fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::AtLeast
        } else if value <= alpha {
            Self::AtMost
        } else {
            Self::Exact
        }
    }
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
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: u64,
}

impl TranspositionTable {
    /// A table of at most `bytes` bytes, and of less where so much cannot be had.
    pub(crate) fn new(bytes: usize) -> Self {
        let count = bytes / size_of::<Bucket>();
        // The largest power of two that fits, so that a mask chooses.
        let mut count = if count == 0 { 0 } else { 1 << count.ilog2() };
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.resize_with(count, Bucket::default);
        Self { buckets, age: 0 }
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
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
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        bucket.0.iter().find_map(|slot| slot.data_of(key).map(unpack))
    }

    /// Remembers a position.
    pub(crate) fn store(&self, key: Key, entry: &Entry) {
        let Some(bucket) = self.buckets.get(self.place(key)) else { return };
        let worth = |slot: &Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || slot.data_of(key).is_some() {
                return i64::MIN;
            }
            let years = self.age.wrapping_sub(data >> AGE) & 63;
            (data >> DEPTH & 255) as i64 - 8 * years as i64
        };
        let slot = bucket.0.iter().min_by_key(|it| worth(it)).expect("a bucket has entries");
        let data = pack(entry, self.age) | tag(key);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key.second ^ data, Ordering::Relaxed);
    }

    fn place(&self, key: Key) -> usize {
        (key.first >> 20) as usize & self.buckets.len().wrapping_sub(1)
    }
}

impl Slot {
    /// The data, where it is that of a key.
    fn data_of(&self, key: Key) -> Option<u64> {
        let data = self.data.load(Ordering::Relaxed);
        let is_it = self.check.load(Ordering::Relaxed) ^ data == key.second;
        (is_it && data & (USED | TAG) == USED | tag(key)).then_some(data)
    }
}

/// The bits of the first hash that are kept.
fn tag(key: Key) -> u64 {
    (key.first & 31) << TAGS
}

// Where the parts of an entry are in its word. The highest bit is always set: 0 is nothing.
const MOVE: u32 = 24;
const DEPTH: u32 = 40;
const BOUND: u32 = 48;
const MOVER: u32 = 50;
const COMPLETE: u32 = 51;
const AGE: u32 = 52;
const TAGS: u32 = 58;
const TAG: u64 = 31 << TAGS;
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

    fn key(number: u64) -> Key {
        Key { first: number << 20, second: number.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1 << 16);
        for (number, value) in [(1, -INFINITE), (2 << 40, INFINITE), (u64::MAX, 0), (7, -5)] {
            table.store(key(number), &entry(value, 9));
            assert_eq!(table.probe(key(number)), Some(entry(value, 9)));
        }
        assert_eq!(table.probe(key(99)), None);
    }

    #[test]
    fn one_hash_is_not_enough() {
        let table = TranspositionTable::new(1 << 16);
        let known = Key { first: 5, second: 6 };
        table.store(known, &entry(1, 9));
        assert!(table.probe(known).is_some());
        assert_eq!(table.probe(Key { second: 7, ..known }), None);
        // Another bucket, and a bit that is kept besides.
        assert_eq!(table.probe(Key { first: 5 | 1 << 20, ..known }), None);
        assert_eq!(table.probe(Key { first: 4, ..known }), None);
    }

    #[test]
    fn the_bound_is_kept_and_the_deep_stay() {
        let mut table = TranspositionTable::new(64);
        assert_eq!(table.bytes(), 64);
        table.store(key(1), &entry(1, 50));
        (2..20).for_each(|it| table.store(key(it), &entry(1, 3)));
        assert!(table.probe(key(1)).is_some());
        for _ in 0..20 {
            table.grow_old();
        }
        (30..34).for_each(|it| table.store(key(it), &entry(1, 3)));
        assert!(table.probe(key(1)).is_none(), "the old goes first");
        assert_eq!(TranspositionTable::new(0).probe(key(1)), None);
        table.clear();
        assert!((0..40).all(|it| table.probe(key(it)).is_none()));
    }
}
