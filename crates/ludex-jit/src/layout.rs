//! How native code lays out a state: bitboards for each owner and each kind,
//! sets as bits, numbers packed.
//!
//! ```text
//! words: | owner planes | kind planes | sets | what stands on each square | numbers |
//! ```
//!
//! - A *plane* is a set of squares: one for each owner of men, and one for each
//!   kind where some owner has more than one. The squares with a certain man are
//!   those in both its planes.
//! - With many kinds of men the code on each square is kept as well, a byte
//!   each, because asking every plane would take longer.
//! - A number takes one byte if it has at most 256 values, else two.
//!
//! While code runs, three more words follow the state in the same block of
//! memory: the hash of all cells, the hash of those that count for repetition, and
//! which counters the present move has set. Putting back the block puts back all.
//!
//! **Invariant:** equal cells have equal words.

use ludex_interp::cells::share;
use ludex_ir::{ArrayId, ArrayRole, History, Program};

/// With more codes of men than this, the code on each square is kept.
const FEW_CODES: usize = 4;
/// Words after those of the state: two hashes and the counters that were set.
pub(crate) const EXTRA_WORDS: usize = 3;

/// Where an array of cells lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the planes.
    Board,
    /// As bits: the first word; each set has as many words as a set of squares.
    Sets(usize),
    /// As bytes: the first byte.
    Bytes(usize),
    /// As pairs of bytes: the first byte.
    Pairs(usize),
}

/// The planes that a man is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planes {
    pub(crate) owner: usize,
    pub(crate) kind: Option<usize>,
}

/// The layout of the states of one program.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) squares: usize,
    /// Words of a set of squares.
    pub(crate) set_words: usize,
    /// The planes of the man with code `c`, at `c - 1`.
    pub(crate) men: Vec<Planes>,
    /// How many owner planes there are; they come first.
    pub(crate) owners: usize,
    /// How many planes there are.
    pub(crate) planes: usize,
    /// The first byte of the codes on the squares, if they are kept.
    pub(crate) codes: Option<usize>,
    /// Where each array lies.
    pub(crate) places: Vec<Place>,
    /// Whether the cells of each array count for repetition.
    pub(crate) keyed: Vec<bool>,
    /// Words of a state.
    pub(crate) words: usize,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        // A game without a board has sets too: empty ones.
        let set_words = program.squares.div_ceil(64).max(1);
        let (men, owners, planes) = planes(program);
        let mut word = planes * set_words;
        let mut places = vec![Place::Board; program.arrays.len()];
        for (array, place) in program.arrays.iter().zip(&mut places) {
            if array.role == ArrayRole::Set {
                *place = Place::Sets(word);
                word += array.len / program.squares.max(1) * set_words;
            }
        }
        let mut byte = word * 8;
        let codes = (program.men.len() > FEW_CODES).then_some(byte);
        byte += codes.map_or(0, |_| program.squares);
        byte += byte % 2;
        for wide in [true, false] {
            for (array, place) in program.arrays.iter().zip(&mut places) {
                let number = !matches!(array.role, ArrayRole::Board | ArrayRole::Set);
                if number && (array.hi - array.lo > 255) == wide {
                    *place = if wide { Place::Pairs(byte) } else { Place::Bytes(byte) };
                    byte += array.len * if wide { 2 } else { 1 };
                }
            }
        }
        Self {
            squares: program.squares,
            set_words,
            men,
            owners,
            planes,
            codes,
            places,
            keyed: program.arrays.iter().map(|array| keyed(program, array.role)).collect(),
            words: byte.div_ceil(8),
        }
    }

    /// Words of a block: the state and what follows it.
    pub(crate) fn block_words(&self) -> usize {
        self.words + EXTRA_WORDS
    }

    /// The byte of the hash of all cells in a block.
    pub(crate) fn hash_byte(&self) -> usize {
        self.words * 8
    }

    /// The byte of the hash of the cells that count for repetition.
    pub(crate) fn key_byte(&self) -> usize {
        self.words * 8 + 8
    }

    /// The byte of the counters that the present move has set.
    pub(crate) fn counted_byte(&self) -> usize {
        self.words * 8 + 16
    }

    /// The first byte of a plane.
    pub(crate) fn plane_byte(&self, plane: usize) -> usize {
        plane * self.set_words * 8
    }

    pub(crate) fn place(&self, array: ArrayId) -> Place {
        self.places[array.0 as usize]
    }

    /// The words of the state whose cells have these raw values (less the lowest of their
    /// domain).
    pub(crate) fn pack(&self, program: &Program, raw: impl Fn(usize) -> u16) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for (array, &place) in program.arrays.iter().zip(&self.places) {
            for index in 0..array.len {
                self.put(&mut words, place, index, raw(array.base + index));
            }
        }
        words
    }

    /// Sets the raw value of element `index` of any array.
    pub(crate) fn set(&self, words: &mut [u64], array: ArrayId, index: usize, raw: u16) {
        let place = self.place(array);
        match place {
            Place::Board => {
                for plane in 0..self.planes {
                    words[plane * self.set_words + index / 64] &= !(1 << (index % 64));
                }
            }
            Place::Sets(first) => {
                let (set, square) = (index / self.squares, index % self.squares);
                words[first + set * self.set_words + square / 64] &= !(1 << (square % 64));
            }
            Place::Bytes(_) | Place::Pairs(_) => {}
        }
        self.put(words, place, index, raw);
    }

    fn put(&self, words: &mut [u64], place: Place, index: usize, raw: u16) {
        match place {
            Place::Board => {
                if let Some(byte) = self.codes {
                    set_byte(words, byte + index, raw as u8);
                }
                let man = (raw as usize).checked_sub(1).and_then(|it| self.men.get(it));
                for plane in
                    man.into_iter().flat_map(|man| std::iter::once(man.owner).chain(man.kind))
                {
                    words[plane * self.set_words + index / 64] |= 1 << (index % 64);
                }
            }
            Place::Sets(first) => {
                let (set, square) = (index / self.squares, index % self.squares);
                let word = first + set * self.set_words + square / 64;
                words[word] |= u64::from(raw != 0) << (square % 64);
            }
            Place::Bytes(byte) => set_byte(words, byte + index, raw as u8),
            Place::Pairs(byte) => {
                set_byte(words, byte + 2 * index, raw as u8);
                set_byte(words, byte + 2 * index + 1, (raw >> 8) as u8);
            }
        }
    }

    /// The raw value of element `index` of an array.
    pub(crate) fn raw(&self, words: &[u64], array: ArrayId, index: usize) -> u16 {
        match self.place(array) {
            Place::Board => self.code(words, index),
            Place::Sets(first) => {
                let (set, square) = (index / self.squares, index % self.squares);
                let word = words[first + set * self.set_words + square / 64];
                (word >> (square % 64) & 1) as u16
            }
            Place::Bytes(byte) => u16::from(get_byte(words, byte + index)),
            Place::Pairs(byte) => {
                let low = get_byte(words, byte + 2 * index);
                let high = get_byte(words, byte + 2 * index + 1);
                u16::from(high) << 8 | u16::from(low)
            }
        }
    }

    /// The code of what stands on a square; 0 where it is empty.
    pub(crate) fn code(&self, words: &[u64], square: usize) -> u16 {
        let on =
            |plane: usize| words[plane * self.set_words + square / 64] >> (square % 64) & 1 == 1;
        let stands = |man: &Planes| on(man.owner) && man.kind.is_none_or(on);
        self.men.iter().position(stands).map_or(0, |it| it as u16 + 1)
    }
}

/// The planes of each man, how many of them are owners' and how many there are.
fn planes(program: &Program) -> (Vec<Planes>, usize, usize) {
    let mut owners: Vec<Option<u8>> = Vec::new();
    let mut kinds: Vec<u8> = Vec::new();
    for man in &program.men {
        if !owners.contains(&man.owner) {
            owners.push(man.owner);
        }
        if !kinds.contains(&man.kind) {
            kinds.push(man.kind);
        }
    }
    let several =
        owners.iter().any(|owner| program.men.iter().filter(|man| man.owner == *owner).count() > 1);
    let place = |list: &[u8], it: u8| list.iter().position(|&other| other == it).unwrap_or(0);
    let men = program
        .men
        .iter()
        .map(|man| Planes {
            owner: owners.iter().position(|&it| it == man.owner).unwrap_or(0),
            kind: several.then(|| owners.len() + place(&kinds, man.kind)),
        })
        .collect();
    (men, owners.len(), owners.len() + if several { kinds.len() } else { 0 })
}

fn keyed(program: &Program, role: ArrayRole) -> bool {
    match program.history {
        History::None => false,
        History::Board => role == ArrayRole::Board,
        History::Position => role != ArrayRole::Counter,
    }
}

fn set_byte(words: &mut [u64], byte: usize, value: u8) {
    let shift = byte % 8 * 8;
    let word = &mut words[byte / 8];
    *word = *word & !(0xff << shift) | u64::from(value) << shift;
}

fn get_byte(words: &[u64], byte: usize) -> u8 {
    (words[byte / 8] >> (byte % 8 * 8)) as u8
}

/// What the values of a cell add to the hash, for each raw value up to `top`.
pub(crate) fn shares(cell: usize, top: u16) -> Vec<u64> {
    (0..=top).map(|raw| share(cell, raw)).collect()
}
