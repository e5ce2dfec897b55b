//! The one run-time state type of all games that come from rules.
//!
//! A state is words: what they mean is the engine's affair. Searches are then
//! compiled once, not once per game. The hashes travel with the words but are
//! not part of the state's identity: they follow from it.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

/// Words kept inline, so that a state of an 8 by 8 game needs no allocation.
const INLINE_WORDS: usize = 28;

/// One position of a game given by rules.
#[derive(Debug)]
pub struct State {
    /// The cells, packed as the engine chose.
    pub words: SmallVec<[u64; INLINE_WORDS]>,
    /// Incremental hash of all cells.
    pub hash: u64,
    /// Incremental hash of the cells that the rules compare for repetition.
    pub key: u64,
}

impl State {
    /// A hash of the words that has nothing in common with the incremental one: each word
    /// is multiplied into the whole (as in Steele and Vigna, "Computationally easy,
    /// spectrally good multipliers", 2022), and the halves of the product are folded together.
    pub fn second_hash(&self) -> u64 {
        self.words.iter().fold(0x243f_6a88_85a3_08d3, |hash: u64, &word| {
            let product = u128::from(hash ^ word) * 0xd134_2543_de82_ef95_u128;
            (product as u64) ^ ((product >> 64) as u64).wrapping_add(hash.rotate_left(23))
        })
    }

    /// A state of `words` zero words.
    pub fn zeroed(words: usize) -> Self {
        Self { words: SmallVec::from_elem(0, words), hash: 0, key: 0 }
    }
}

// Searches copy states all the time: words are copied as words, into memory that is there.
impl Clone for State {
    fn clone(&self) -> Self {
        Self { words: SmallVec::from_slice(&self.words), hash: self.hash, key: self.key }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.words.len() == source.words.len() {
            self.words.copy_from_slice(&source.words);
        } else {
            self.words = SmallVec::from_slice(&source.words);
        }
        (self.hash, self.key) = (source.hash, source.key);
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// The repetition keys of the positions since the last irreversible move.
///
/// The present position is the last key. Empty for rules that never ask.
///
/// ```
/// use ludex_core::Trail;
///
/// let mut trail = Trail::default();
/// for key in [1, 2, 1] {
///     trail.push(key);
/// }
/// assert_eq!(trail.count(1), 2);
/// trail.cut();
/// assert_eq!(trail.count(1), 0);
/// assert!(trail.is_empty());
/// ```
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub struct Trail {
    keys: Vec<u64>,
}

impl Clone for Trail {
    fn clone(&self) -> Self {
        Self { keys: self.keys.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
    }
}

impl Trail {
    /// Adds the key of the position just reached.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Forgets every earlier position: none of them can come back.
    pub fn cut(&mut self) {
        self.keys.clear();
    }

    /// How many times `key` stands among the keys.
    pub fn count(&self, key: u64) -> usize {
        self.keys.iter().filter(|&&it| it == key).count()
    }

    /// The keys, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Puts other keys in place of these.
    pub fn set_keys(&mut self, keys: Vec<u64>) {
        self.keys = keys;
    }

    /// How many positions the trail holds.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the trail holds no position.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}
