//! The work budget: how much may be done to make a program faster.
//!
//! Rules may be as long as their author likes, and loading waits for the passes. Most passes read a
//! whole function again whenever they have changed one of its loops, so the work grows with the
//! square of its size. What is beyond the budget stays as it is: slower to run, no different.

use crate::program::Function;

/// How much work a program may be; the largest bundled game takes a seventh of it.
const MOST: usize = 1_500_000;

/// What the passes over the loops of a function cost, in tidyings of it.
const LOOPS: usize = 8;

/// The work that is left.
#[derive(Clone, Debug)]
pub struct Budget {
    left: usize,
    refused: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MOST, refused: false }
    }
}

impl Budget {
    /// Whether a function may be tidied, which is then done.
    pub fn tidies(&mut self, function: &Function) -> bool {
        self.takes(size(function) / LOOPS)
    }

    /// Whether the passes may look at the loops of a function, which they then do.
    pub fn looks_at_loops(&mut self, function: &Function) -> bool {
        self.takes(size(function))
    }

    /// Whether something was too much.
    pub fn was_too_much(&self) -> bool {
        self.refused
    }

    fn takes(&mut self, work: usize) -> bool {
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(self.left);
        self.refused |= left.is_none();
        left.is_some()
    }
}

/// How much work a function is: its instructions, read once for each of its blocks.
fn size(function: &Function) -> usize {
    function.size() * function.blocks.len()
}
