//! The transposition table: where a search failed, and the wins it found.
//!
//! Its size is bounded in bytes. At the bound it is cleared: entries only save time, and the important
//! ones are soon stored again.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use ludex_core::State;

use super::attack::ShapeId;
use super::proof::Win;

/// The hash of a position and the shape that was searched there.
pub(super) type Key = (u64, ShapeId);

/// Factor on the size of an entry: hash tables have free slots.
const LOAD_FACTOR: usize = 2;

/// Estimated size of a win: its moves, replies and zones.
const BYTES_OF_A_WIN: usize = 512;

/// Results of finished searches.
#[derive(Clone, Debug)]
pub(super) struct TranspositionTable {
    failed: HashSet<Key>,
    /// The longest threat sequence that does not win, by the position and the threat.
    failed_sequences: HashMap<Key, u16>,
    /// Wins, with the positions they were found in: hashes alone prove nothing.
    wins: HashMap<Key, (State, Rc<Win>)>,
    bytes: usize,
    most: usize,
}

impl TranspositionTable {
    /// A table of at most this number of bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            failed: HashSet::new(),
            failed_sequences: HashMap::new(),
            wins: HashMap::new(),
            bytes: 0,
            most,
        }
    }

    /// Whether a search failed.
    pub(super) fn has_failed(&self, key: Key) -> bool {
        self.failed.contains(&key)
    }

    /// Stores that a search failed.
    pub(super) fn store_failure(&mut self, key: Key) {
        if self.failed.insert(key) {
            self.count_bytes(LOAD_FACTOR * size_of::<Key>());
        }
    }

    /// The longest sequence of a threat that was searched and does not win.
    pub(super) fn longest_failed_sequence(&self, key: Key) -> u16 {
        self.failed_sequences.get(&key).copied().unwrap_or(0)
    }

    /// Stores that a sequence of this length does not win.
    pub(super) fn store_failed_sequence(&mut self, key: Key, length: u16) {
        let before =
            self.failed_sequences.insert(key, length.max(self.longest_failed_sequence(key)));
        if before.is_none() {
            self.count_bytes(LOAD_FACTOR * size_of::<(Key, u16)>());
        }
    }

    /// A win that was found in exactly this position.
    pub(super) fn probe_win(&self, key: Key, state: &State) -> Option<Rc<Win>> {
        self.wins.get(&key).filter(|it| it.0 == *state).map(|it| Rc::clone(&it.1))
    }

    /// Stores a win.
    pub(super) fn store_win(&mut self, key: Key, state: &State, win: &Rc<Win>) {
        if self.wins.insert(key, (state.clone(), Rc::clone(win))).is_none() {
            self.count_bytes(LOAD_FACTOR * size_of::<(Key, State)>() + BYTES_OF_A_WIN);
        }
    }

    /// Removes all wins.
    pub(super) fn clear_wins(&mut self) {
        self.wins.clear();
    }

    /// Counts bytes, and clears the table at its bound.
    fn count_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.bytes > self.most {
            *self = Self::new(self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_is_cleared() {
        let mut table = TranspositionTable::new(1_000);
        let kept =
            |table: &TranspositionTable| (0..100).filter(|&it| table.has_failed((it, 0))).count();
        for hash in 0..100 {
            table.store_failure((hash, 0));
            assert!(table.has_failed((hash, 0)) || kept(&table) == 0);
            assert!(kept(&table) * size_of::<Key>() <= 1_000);
        }
        assert!(kept(&table) < 100);
        table.store_failed_sequence((7, 1), 3);
        table.store_failed_sequence((7, 1), 2);
        assert_eq!(
            (table.longest_failed_sequence((7, 1)), table.longest_failed_sequence((7, 0))),
            (3, 0)
        );
    }
}
