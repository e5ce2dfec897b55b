//! What a search remembers: where nothing was found, and what was.
//!
//! A number of bytes is the bound. When it is reached, everything is forgotten: what is remembered
//! only saves time, and what matters is soon found again.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use ludex_core::State;

use super::attack::Form;
use super::proof::Win;

/// A position and what was looked for there: hash and shape.
pub(super) type Key = (u64, Form);

/// What an entry takes besides what stands in it: tables are not full.
const ROOM: usize = 2;

/// What a win takes, more or less: its moves, replies and zones.
const BYTES_OF_A_WIN: usize = 512;

/// What was found and what was not.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    failed: HashSet<Key>,
    /// The longest chain of a threat that does not win, by the position and the threat.
    failed_chains: HashMap<Key, u16>,
    /// Wins, with the positions they were found in: hashes alone prove nothing.
    wins: HashMap<Key, (State, Rc<Win>)>,
    bytes: usize,
    most: usize,
}

impl Memory {
    /// For so many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            failed: HashSet::new(),
            failed_chains: HashMap::new(),
            wins: HashMap::new(),
            bytes: 0,
            most,
        }
    }

    /// Whether nothing was found.
    pub(super) fn has_failed(&self, key: Key) -> bool {
        self.failed.contains(&key)
    }

    /// Remembers that nothing was found.
    pub(super) fn note_failure(&mut self, key: Key) {
        if self.failed.insert(key) {
            self.spend(ROOM * size_of::<Key>());
        }
    }

    /// The longest chain of a threat that was tried and does not win.
    pub(super) fn longest_failed(&self, key: Key) -> u16 {
        self.failed_chains.get(&key).copied().unwrap_or(0)
    }

    /// Remembers that a chain of such a length does not win.
    pub(super) fn note_failed_chain(&mut self, key: Key, length: u16) {
        let before = self.failed_chains.insert(key, length.max(self.longest_failed(key)));
        if before.is_none() {
            self.spend(ROOM * size_of::<(Key, u16)>());
        }
    }

    /// A win that was found in this very position.
    pub(super) fn win(&self, key: Key, state: &State) -> Option<Rc<Win>> {
        self.wins.get(&key).filter(|it| it.0 == *state).map(|it| Rc::clone(&it.1))
    }

    /// Remembers a win.
    pub(super) fn keep(&mut self, key: Key, state: &State, win: &Rc<Win>) {
        if self.wins.insert(key, (state.clone(), Rc::clone(win))).is_none() {
            self.spend(ROOM * size_of::<(Key, State)>() + BYTES_OF_A_WIN);
        }
    }

    /// Forgets the wins.
    pub(super) fn forget_wins(&mut self) {
        self.wins.clear();
    }

    /// Counts bytes, and forgets everything where there are too many.
    fn spend(&mut self, bytes: usize) {
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
    fn what_is_too_much_is_forgotten() {
        let mut memory = Memory::new(1_000);
        let kept = |memory: &Memory| (0..100).filter(|&it| memory.has_failed((it, 0))).count();
        for hash in 0..100 {
            memory.note_failure((hash, 0));
            assert!(memory.has_failed((hash, 0)) || kept(&memory) == 0);
            assert!(kept(&memory) * size_of::<Key>() <= 1_000);
        }
        assert!(kept(&memory) < 100);
        memory.note_failed_chain((7, 1), 3);
        memory.note_failed_chain((7, 1), 2);
        assert_eq!((memory.longest_failed((7, 1)), memory.longest_failed((7, 0))), (3, 0));
    }
}
