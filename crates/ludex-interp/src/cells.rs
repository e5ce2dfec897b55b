//! Cells inside a [`State`]: sixteen bits each, four to a word.
//!
//! A cell holds its value less the lowest of its domain (the *raw* value), so
//! that a zeroed state has every cell at its lowest. The two hashes are sums
//! (exclusive or) of one random-looking number for each cell and value, and are
//! kept up to date write by write.
//!
//! **Invariant:** the hashes of a state that went through any number of writes
//! and rollbacks are those of [`Layout::hashes`], computed from nothing.

use ludex_core::State;
use ludex_ir::program::MAX_DOMAIN;
use ludex_ir::{ArrayRole, History, Program};

/// Cells in a word.
const LANES: usize = 4;
/// Bits of a cell.
const LANE_BITS: usize = 16;
const _: () = assert!(MAX_DOMAIN == 1 << LANE_BITS, "every value of a cell fits its lane");

/// The raw value of a cell.
#[inline]
pub fn raw(words: &[u64], cell: usize) -> u16 {
    (words[cell / LANES] >> (cell % LANES * LANE_BITS)) as u16
}

/// Sets the raw value of a cell. The hashes are the caller's affair.
#[inline]
pub fn set_raw(words: &mut [u64], cell: usize, raw: u16) {
    let shift = cell % LANES * LANE_BITS;
    let word = &mut words[cell / LANES];
    *word = *word & !(0xffff << shift) | u64::from(raw) << shift;
}

/// What a cell with a raw value adds to the hash: the output of splitmix64 at
/// the place that the two numbers give.
#[inline]
pub fn share(cell: usize, raw: u16) -> u64 {
    let place = (cell as u64) << LANE_BITS | u64::from(raw);
    let key = (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

/// Where the cells of a program lie, and which of them count for repetition.
#[derive(Clone, Debug)]
pub struct Layout {
    cells: usize,
    /// Words of a set of squares.
    set_words: usize,
    squares: usize,
    /// Contents that a square may have, nothing included.
    codes: usize,
    /// The lowest value of each cell.
    lo: Vec<i64>,
    keyed: Vec<bool>,
    counter: Vec<bool>,
}

impl Layout {
    /// The layout of the states of `program`.
    pub fn new(program: &Program) -> Self {
        let each = |of: &dyn Fn(&ludex_ir::Array) -> bool| -> Vec<bool> {
            program.arrays.iter().flat_map(|it| std::iter::repeat_n(of(it), it.len)).collect()
        };
        let keyed = match program.history {
            History::None => each(&|_| false),
            History::Board => each(&|array| array.role == ArrayRole::Board),
            History::Position => each(&|array| array.role != ArrayRole::Counter),
        };
        Self {
            cells: program.cells(),
            set_words: program.squares.div_ceil(64),
            squares: program.squares,
            codes: program.men.len() + 1,
            lo: program
                .arrays
                .iter()
                .flat_map(|array| std::iter::repeat_n(array.lo, array.len))
                .collect(),
            keyed,
            counter: each(&|array| array.role == ArrayRole::Counter),
        }
    }

    /// Words of a state.
    pub fn words(&self) -> usize {
        self.cells.div_ceil(LANES)
    }

    /// The value of a cell of a state.
    pub fn value(&self, state: &State, cell: usize) -> i64 {
        i64::from(raw(&state.words, cell)) + self.lo[cell]
    }

    /// The hash of all cells and of those that count for repetition, from nothing.
    pub fn hashes(&self, words: &[u64]) -> (u64, u64) {
        (0..self.cells).fold((0, 0), |(hash, key), cell| {
            let share = share(cell, raw(words, cell));
            (hash ^ share, if self.keyed[cell] { key ^ share } else { key })
        })
    }

    /// Gives a cell of a state another raw value, and keeps the hashes up to date.
    pub fn set(&self, state: &mut State, cell: usize, new: u16) {
        let change = share(cell, raw(&state.words, cell)) ^ share(cell, new);
        set_raw(&mut state.words, cell, new);
        state.hash ^= change;
        if self.keyed[cell] {
            state.key ^= change;
        }
    }

    /// The state whose cells have these values; each must be in its domain.
    pub fn state(&self, values: &[i64]) -> State {
        let mut state = State::zeroed(self.words());
        for (cell, (&value, lo)) in values.iter().zip(&self.lo).enumerate() {
            set_raw(&mut state.words, cell, (value - lo) as u16);
        }
        (state.hash, state.key) = self.hashes(&state.words);
        state
    }

    /// The values of all cells of a state.
    pub fn values(&self, state: &State) -> Vec<i64> {
        (0..self.cells).map(|cell| self.value(state, cell)).collect()
    }
}

/// How far writes have come, to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    log: usize,
    hash: u64,
    key: u64,
}

/// The cells of a run: a working copy of a state that can go back to any mark.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    words: Vec<u64>,
    hash: u64,
    key: u64,
    /// For each content of a square the set of squares that have it.
    holding: Vec<u64>,
    /// The cells written and what they held before, oldest first.
    log: Vec<(u32, u16)>,
}

impl Cells {
    /// Becomes a copy of `state`.
    pub(crate) fn load(&mut self, layout: &Layout, state: &State) {
        self.words.clear();
        self.words.extend_from_slice(&state.words);
        self.words.resize(layout.words(), 0);
        (self.hash, self.key) = (state.hash, state.key);
        self.log.clear();
        self.holding.clear();
        self.holding.resize(layout.codes * layout.set_words, 0);
        for square in 0..layout.squares {
            let code = raw(&self.words, square);
            self.flip(layout, square, code);
        }
    }

    /// Makes `state` a copy of these cells.
    pub(crate) fn save(&self, state: &mut State) {
        state.words.clear();
        state.words.extend_from_slice(&self.words);
        (state.hash, state.key) = (self.hash, self.key);
    }

    /// All words.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The hash of all cells.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash of the cells that count for repetition.
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// The raw value of a cell.
    #[inline]
    pub(crate) fn raw(&self, cell: usize) -> u16 {
        raw(&self.words, cell)
    }

    /// The squares whose content is `code`.
    #[inline]
    pub(crate) fn holding(&self, layout: &Layout, code: usize) -> &[u64] {
        &self.holding[code * layout.set_words..][..layout.set_words]
    }

    /// Sets a cell.
    #[inline]
    pub(crate) fn write(&mut self, layout: &Layout, cell: usize, new: u16) {
        let old = raw(&self.words, cell);
        if old == new {
            // That a counter was set counts even if it already had the value.
            if layout.counter[cell] {
                self.log.push((cell as u32, old));
            }
            return;
        }
        self.log.push((cell as u32, old));
        let change = share(cell, old) ^ share(cell, new);
        self.hash ^= change;
        if layout.keyed[cell] {
            self.key ^= change;
        }
        self.put(layout, cell, old, new);
    }

    #[inline]
    fn put(&mut self, layout: &Layout, cell: usize, old: u16, new: u16) {
        set_raw(&mut self.words, cell, new);
        if cell < layout.squares {
            self.flip(layout, cell, old);
            self.flip(layout, cell, new);
        }
    }

    #[inline]
    fn flip(&mut self, layout: &Layout, square: usize, code: u16) {
        let word = code as usize * layout.set_words + square / 64;
        if let Some(word) = self.holding.get_mut(word) {
            *word ^= 1 << (square % 64);
        }
    }

    /// Where writes have come to.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark { log: self.log.len(), hash: self.hash, key: self.key }
    }

    /// Undoes every write since `mark`.
    pub(crate) fn back(&mut self, layout: &Layout, mark: Mark) {
        while self.log.len() > mark.log {
            let Some((cell, old)) = self.log.pop() else { break };
            let cell = cell as usize;
            let new = raw(&self.words, cell);
            if old != new {
                self.put(layout, cell, new, old);
            }
        }
        (self.hash, self.key) = (mark.hash, mark.key);
    }

    /// Whether a cell has been written since `mark`.
    pub(crate) fn written(&self, mark: Mark, cell: usize) -> bool {
        self.log[mark.log..].iter().any(|&(it, _)| it as usize == cell)
    }

    /// How many writes could be undone.
    pub(crate) fn log_len(&self) -> usize {
        self.log.len()
    }
}
