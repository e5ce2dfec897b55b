//! Stretches of a text.

use std::ops::Range;

/// A stretch of a source text, in bytes.
///
/// Offsets have 32 bits: front ends refuse longer texts before they make spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    ///
    /// ```
    /// use ludex_diagnostics::Span;
    ///
    /// assert_eq!(Span::new(7, 9).to(Span::new(2, 4)), Span::new(2, 9));
    /// ```
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range of bytes, to cut a text with.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
