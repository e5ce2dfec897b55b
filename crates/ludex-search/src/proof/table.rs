//! A bounded table of proof numbers.
//!
//! Entries stand in buckets of four. What is already there is written over; else a free entry is
//! taken; else the one that cost the least work to find, as in Nagai's and Kishimoto's small-tree
//! replacement: a large subtree is not lost for a small one. An entry is found again only if all
//! 128 bits of its key agree.
//!
//! An entry is four words, so that a large table is memory the system hands out as zeros, and only
//! when it is touched.

use super::question::{EndValues, Key, Question};

/// Proof numbers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How many leaves must at least be proved to prove the position: 0 if it is.
    pub proof: u32,
    /// The same for a disproof.
    pub disproof: u32,
}

/// The number of what cannot be done.
pub const INFINITE: u32 = u32::MAX;

/// The largest number of what can be done.
pub const LARGEST: u32 = INFINITE - 1;

impl Numbers {
    /// Of what is proved.
    pub const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    /// Of what is disproved.
    pub const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };

    /// Whether nothing is left to do.
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEntry {
    /// Its numbers.
    pub numbers: Numbers,
    /// The depth of the position on the path that a disproof rests on; of no meaning elsewhere.
    pub rests: u32,
}

/// A key, the two numbers in a word, and in another the work and what the entry rests on. Never 0
/// in the third word once it is used, as no two numbers are 0.
type Slot = [u64; 4];

const BUCKET: usize = 4;

/// The table.
#[derive(Clone, Debug)]
pub struct ProofTable {
    slots: Vec<Slot>,
    /// What was seen of ends while it was filled, for each player as the attacker.
    pub ends: [EndValues; 2],
}

impl ProofTable {
    /// An empty table of about `bytes` bytes, and no less than a bucket; of less where so much
    /// cannot be had.
    pub fn new(bytes: usize) -> Self {
        let mut buckets = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        while Vec::<Slot>::new().try_reserve_exact(buckets * BUCKET).is_err() {
            buckets /= 2;
        }
        Self { slots: vec![[0; 4]; buckets * BUCKET], ends: [EndValues::default(); 2] }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// What was seen of ends while a question was asked.
    pub fn ends_of(&self, question: Question) -> EndValues {
        self.ends[question.attacker.index().min(1)]
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots = vec![[0; 4]; self.slots.len()];
        self.ends = [EndValues::default(); 2];
    }

    /// What is stored of a position.
    pub fn get(&self, key: Key) -> Option<ProofEntry> {
        let start = self.bucket(key);
        let found = self.slots[start..start + BUCKET]
            .iter()
            .find(|slot| slot[0] == key.first && slot[1] == key.second && slot[2] != 0)?;
        let numbers = Numbers { proof: found[2] as u32, disproof: (found[2] >> 32) as u32 };
        Some(ProofEntry { numbers, rests: found[3] as u32 })
    }

    /// Stores the result of `work` nodes.
    pub fn put(&mut self, key: Key, entry: ProofEntry, work: u64) {
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + BUCKET];
        let cost = |slot: &Slot| {
            if slot[0] == key.first && slot[1] == key.second {
                return (0, 0);
            }
            (1, if slot[2] == 0 { 0 } else { 1 + (slot[3] >> 32) })
        };
        let cheapest = bucket.iter_mut().min_by_key(|slot| cost(slot));
        let Some(slot) = cheapest else { return };
        let Numbers { proof, disproof } = entry.numbers;
        let work = work.min(u64::from(u32::MAX));
        let third = u64::from(proof) | u64::from(disproof) << 32;
        *slot = [key.first, key.second, third, u64::from(entry.rests) | work << 32];
    }

    fn bucket(&self, key: Key) -> usize {
        let buckets = (self.slots.len() / BUCKET) as u128;
        ((u128::from(key.first) * buckets) >> 64) as usize * BUCKET
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(proof: u32) -> ProofEntry {
        ProofEntry { numbers: Numbers { proof, disproof: 7 }, rests: 3 }
    }

    #[test]
    fn both_halves_of_a_key_must_agree() {
        let mut table = ProofTable::new(1 << 10);
        let key = Key { first: 5, second: 6 };
        table.put(key, entry(1), 10);
        assert_eq!(table.get(key), Some(entry(1)));
        assert_eq!(table.get(Key { first: 5, second: 7 }), None);
        table.put(key, entry(2), 1);
        assert_eq!(table.get(key), Some(entry(2)));
    }

    #[test]
    fn the_cheapest_makes_room() {
        let mut table = ProofTable::new(0);
        for number in 0..4 {
            table.put(Key { first: number, second: 0 }, entry(1), 10 + number);
        }
        table.put(Key { first: 9, second: 9 }, entry(4), 1);
        assert_eq!(table.get(Key { first: 0, second: 0 }), None);
        assert_eq!(table.get(Key { first: 9, second: 9 }), Some(entry(4)));
        assert_eq!(table.get(Key { first: 3, second: 0 }), Some(entry(1)));
    }
}
