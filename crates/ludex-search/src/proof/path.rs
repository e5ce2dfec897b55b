//! The positions between the root and here, to see when one comes again.

use super::question::Key;

const COUNTERS: usize = 1 << 12;

/// The keys on a path. Most questions are answered by a look at one counter.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    keys: Vec<Key>,
    counters: Vec<u32>,
}

impl Default for Path {
    fn default() -> Self {
        Self { keys: Vec::new(), counters: vec![0; COUNTERS] }
    }
}

impl Path {
    pub(crate) fn push(&mut self, key: Key) {
        self.keys.push(key);
        self.counters[counter(key)] += 1;
    }

    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.counters[counter(key)] -= 1;
        }
    }

    pub(crate) fn clear(&mut self) {
        while !self.keys.is_empty() {
            self.pop();
        }
    }

    /// How deep the position stands on the path, if it does.
    pub(crate) fn depth_of(&self, key: Key) -> Option<u32> {
        if self.counters[counter(key)] == 0 {
            return None;
        }
        self.keys.iter().position(|&it| it == key).map(|depth| depth as u32)
    }
}

fn counter(key: Key) -> usize {
    key.second as usize % COUNTERS
}
