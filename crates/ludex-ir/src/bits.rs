//! Sets of squares as plain bits, for constants and tools.

/// A set of squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Bits {
    /// Square `s` is bit `s % 64` of word `s / 64`.
    pub words: Vec<u64>,
}

impl Bits {
    /// The empty set on a board of `squares` squares.
    pub fn empty(squares: usize) -> Self {
        Self { words: vec![0; squares.div_ceil(64)] }
    }

    /// The set of all `squares` squares.
    pub fn full(squares: usize) -> Self {
        let mut bits = Self::empty(squares);
        (0..squares).for_each(|square| bits.insert(square));
        bits
    }

    /// Adds a square.
    pub fn insert(&mut self, square: usize) {
        self.words[square / 64] |= 1 << (square % 64);
    }

    /// Whether `square` is in the set.
    pub fn contains(&self, square: usize) -> bool {
        self.words.get(square / 64).is_some_and(|word| word >> (square % 64) & 1 == 1)
    }

    /// The squares, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&square| self.contains(square))
    }

    /// How many squares there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no square.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Combines two sets word by word.
    #[must_use]
    pub fn zip(&self, other: &Self, op: impl Fn(u64, u64) -> u64) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(&a, &b)| op(a, b)).collect() }
    }
}
