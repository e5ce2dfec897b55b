//! Small numbers for the codes of moves.
//!
//! Tables of later moves are asked and told dozens of times at every node of a way. A code is a
//! hash: at its place in a table there is often another one, and no processor guesses when.
//! Marks count from 1 in the order in which codes are met, so that in a table with as many slots
//! as there are marks each has its own.

use std::sync::{Mutex, PoisonError};

use super::codes::{Code, Codes};

/// The number of a code.
pub(crate) type Mark = u32;

/// None, where nobody asks.
pub(crate) const NO_MARK: Mark = 0;

/// Codes that come after so many share the marks of others, which costs a belief and never a proof.
const MOST: u32 = 1 << 18;

/// The marks of a tree.
#[derive(Debug, Default)]
pub(crate) struct Marks(Mutex<Codes<Mark>>);

impl Marks {
    /// The mark of a code, where there was one left for it.
    fn mark(&self, code: Code) -> Option<Mark> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = known.len() as u32;
        if known.get(code).is_none() && count < MOST {
            *known.entry(code) = count + 1;
        }
        known.get(code)
    }
}

/// Those that one thread has met.
#[derive(Debug, Default)]
pub(crate) struct KnownMarks(Codes<Mark>);

impl KnownMarks {
    /// The mark of a code in the one tree that this is asked for.
    pub(crate) fn mark(&mut self, marks: &Marks, code: Code) -> Mark {
        match self.0.get(code) {
            Some(mark) => mark,
            None => self.learn(marks, code),
        }
    }

    #[cold]
    fn learn(&mut self, marks: &Marks, code: Code) -> Mark {
        let Some(mark) = marks.mark(code) else { return 1 + code % MOST };
        *self.0.entry(code) = mark;
        // Room enough that hardly two codes meet.
        self.0.reserve(3 * self.0.len());
        mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_agree_on_marks() {
        let (marks, mut one, mut other) = Default::default();
        let mark = |known: &mut KnownMarks, code| known.mark(&marks, code);
        assert_eq!([7, 9, 7].map(|it| mark(&mut one, it)), [1, 2, 1]);
        assert_eq!([8, 9, 7].map(|it| mark(&mut other, it)), [3, 2, 1]);
        assert_eq!(mark(&mut one, 8), 3);
    }

    #[test]
    fn there_is_an_end_of_marks() {
        let (marks, mut known) = (Marks::default(), KnownMarks::default());
        let highest = (1..MOST + 1_000).map(|code| known.mark(&marks, code)).max();
        assert_eq!((highest, known.0.len() as u32), (Some(MOST), MOST));
        assert_eq!(known.mark(&marks, 5), 5);
    }
}
