//! Node numbers that a thread has reserved, and bytes that it has used and not yet counted.
//!
//! To count each node and each byte in one place would take that place from the other threads
//! several times in a playout.

use std::ops::Range;

use super::batch::BATCH_SIZE;
use super::tree::{Number, Tree};

/// Numbers and bytes of one thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadAllocation {
    /// Numbers of nodes to be.
    numbers: Range<Number>,
    /// Bytes used and not yet counted in the tree.
    bytes: usize,
    /// How many numbers are taken at once; 0 where there is one thread, which tells all at once.
    batch: u32,
}

impl ThreadAllocation {
    /// The allocation of one of `threads` threads.
    pub(crate) fn of(threads: usize) -> Self {
        let batch = if threads > 1 { BATCH_SIZE } else { 0 };
        Self { batch, ..Self::default() }
    }

    /// The number of the next node.
    pub(crate) fn number<M>(&mut self, tree: &Tree<M>) -> Number {
        if self.numbers.is_empty() {
            let count = self.batch.max(1);
            let first = tree.reserve(count);
            self.numbers = first..first + count;
        }
        let number = self.numbers.start;
        self.numbers.start += 1;
        number
    }

    /// Counts memory that was taken.
    pub(crate) fn spend<M>(&mut self, tree: &Tree<M>, bytes: usize) {
        self.bytes += bytes;
        if self.batch == 0 {
            self.flush(tree);
        }
    }

    /// Tells what was spent.
    pub(crate) fn flush<M>(&mut self, tree: &Tree<M>) {
        if self.bytes > 0 {
            tree.spend(std::mem::take(&mut self.bytes));
        }
    }
}
