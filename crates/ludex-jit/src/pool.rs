//! Constant tables that native code reads: they stay where they are as long as
//! the code does.

use std::collections::HashMap;

/// Tables of words, each at a fixed address.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    tables: Vec<Box<[u64]>>,
    /// Equal tables are kept once.
    known: HashMap<Box<[u64]>, usize>,
}

impl Pool {
    /// The address of a table with these words.
    pub(crate) fn words(&mut self, words: Vec<u64>) -> i64 {
        let words = words.into_boxed_slice();
        let index = *self.known.entry(words.clone()).or_insert_with(|| {
            self.tables.push(words);
            self.tables.len() - 1
        });
        self.tables[index].as_ptr() as i64
    }

    /// The address of a table with these numbers.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = i64>) -> i64 {
        self.words(numbers.into_iter().map(|it| it as u64).collect())
    }

    /// How many bytes the tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.iter().map(|it| it.len() * 8).sum()
    }

    /// Forgets what is only needed while tables are added.
    pub(crate) fn seal(&mut self) {
        self.known = HashMap::new();
    }
}
