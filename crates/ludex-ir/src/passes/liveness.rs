//! Liveness: which registers are still used after a place, with dense numbers for registers and
//! sets of such numbers.

use smallvec::SmallVec;

use crate::inst::{Block, End, Inst, PathReg, Reg, SetReg, Var};
use crate::program::Function;

/// A set of small numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BitSet {
    /// Most functions have few registers: their sets need no memory of their own.
    words: SmallVec<[u64; 4]>,
}

impl BitSet {
    /// The empty set, with room for numbers below `len`.
    pub fn new(len: usize) -> Self {
        Self { words: SmallVec::from_elem(0, len.div_ceil(64)) }
    }

    /// The set of all numbers below `len`.
    pub fn full(len: usize) -> Self {
        let mut set = Self::new(len);
        set.words.fill(!0);
        if let Some(last) = set.words.last_mut().filter(|_| !len.is_multiple_of(64)) {
            *last = (1 << (len % 64)) - 1;
        }
        set
    }

    /// Adds a number.
    pub fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// Takes a number out.
    pub fn remove(&mut self, item: usize) {
        self.words[item / 64] &= !(1 << (item % 64));
    }

    /// Whether a number is in it.
    pub fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    /// Adds all of another set; whether any was new.
    pub fn add(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    /// Adds what one set has and another has not; whether any was new.
    pub fn add_without(&mut self, other: &Self, without: &Self) -> bool {
        let mut changed = false;
        for ((word, &more), &not) in self.words.iter_mut().zip(&other.words).zip(&without.words) {
            changed |= more & !not & !*word != 0;
            *word |= more & !not;
        }
        changed
    }

    /// Keeps what another set has too; whether any was lost.
    pub fn keep(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, &kept) in self.words.iter_mut().zip(&other.words) {
            changed |= *word & !kept != 0;
            *word &= kept;
        }
        changed
    }

    /// Takes out what another set has.
    pub fn take(&mut self, other: &Self) {
        for (word, &gone) in self.words.iter_mut().zip(&other.words) {
            *word &= !gone;
        }
    }

    /// The numbers, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        members(self.words.iter().copied())
    }

    /// The numbers that another set has too, lowest first.
    pub fn both<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        members(self.words.iter().zip(&other.words).map(|(&a, &b)| a & b))
    }
}

/// The numbers whose bits are set in some words.
fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(index, word)| {
        std::iter::successors((word != 0).then_some(word), |it| {
            let rest = it & (it - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |it| index * 64 + it.trailing_zeros() as usize)
    })
}

/// One number for each register of a function: numbers first, then sets, then paths.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    ints: usize,
    sets: usize,
    paths: usize,
}

impl Dense {
    /// The numbering of a function's registers.
    pub fn of(function: &Function) -> Self {
        Self {
            ints: function.ints.into(),
            sets: function.sets.into(),
            paths: function.paths.into(),
        }
    }

    /// How many registers there are.
    pub fn len(self) -> usize {
        self.ints + self.sets + self.paths
    }

    /// Whether there is no register.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of a register.
    pub fn index(self, var: Var) -> usize {
        match var {
            Var::Int(reg) => reg.0.into(),
            Var::Set(reg) => self.ints + reg.0 as usize,
            Var::Path(reg) => self.ints + self.sets + reg.0 as usize,
        }
    }

    /// The register with a number.
    pub fn var(self, index: usize) -> Var {
        if index < self.ints {
            Reg(index as u16).into()
        } else if index < self.ints + self.sets {
            SetReg((index - self.ints) as u16).into()
        } else {
            PathReg((index - self.ints - self.sets) as u16).into()
        }
    }
}

/// Which registers may still be looked at before they are set again.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The numbering of the registers.
    pub dense: Dense,
    entries: Vec<BitSet>,
    exits: Vec<BitSet>,
}

impl Liveness {
    /// Computes it, backwards from every return, where the result is wanted.
    pub fn of(function: &Function) -> Self {
        let dense = Dense::of(function);
        let empty = vec![BitSet::new(dense.len()); function.blocks.len()];
        let mut live = Self { dense, entries: empty.clone(), exits: empty.clone() };
        let mut order = super::loops::reverse_postorder(function);
        order.reverse();
        // What each block sets before it looks at it, or sets and never looks at.
        let mut set = empty;
        for &block in &order {
            live.look_into(function, block, &mut set[block.0 as usize]);
        }
        while order.iter().fold(false, |changed, &it| live.pass_on(function, it, &set) | changed) {}
        live
    }

    /// What is wanted where a block begins.
    pub fn entry(&self, block: Block) -> &BitSet {
        &self.entries[block.0 as usize]
    }

    /// What is wanted where a block ends, by what comes after it.
    pub fn exit(&self, block: Block) -> &BitSet {
        &self.exits[block.0 as usize]
    }

    /// How often each register of the function is assigned, by its number; one more if what it
    /// holds when the function begins may be looked at, or if it is a parameter.
    pub fn assignments(&self, function: &Function) -> Vec<u32> {
        let mut counts = vec![0; self.dense.len()];
        for index in self.entry(Block(0)).iter() {
            counts[index] = 1;
        }
        function.params.iter().for_each(|&param| counts[self.dense.index(param)] = 1);
        for block in super::loops::reverse_postorder(function) {
            for (inst, _) in &function.block(block).insts {
                inst.assigns().iter().for_each(|&var| counts[self.dense.index(var)] += 1);
            }
        }
        counts
    }

    /// Finds what a block wants by itself, and what it sets.
    fn look_into(&mut self, function: &Function, block: Block, set: &mut BitSet) {
        let data = function.block(block);
        let wanted = &mut self.entries[block.0 as usize];
        before_end(self.dense, function, &data.end.0, wanted);
        for (inst, _) in data.insts.iter().rev() {
            if let Some(var) = inst.assigns() {
                set.insert(self.dense.index(var));
            }
            before(self.dense, inst, wanted);
        }
    }

    /// Adds what the blocks after a block want to what it wants; whether any of that is new.
    fn pass_on(&mut self, function: &Function, block: Block, set: &[BitSet]) -> bool {
        let exit = &mut self.exits[block.0 as usize];
        let mut new = false;
        for next in function.block(block).end.0.successors() {
            new |= exit.add(&self.entries[next.0 as usize]);
        }
        new && self.entries[block.0 as usize].add_without(exit, &set[block.0 as usize])
    }
}

/// What is wanted before an end, given what is wanted after it.
pub fn before_end(dense: Dense, function: &Function, end: &End, live: &mut BitSet) {
    let result = function.result.filter(|_| *end == End::Return);
    end.uses().into_iter().chain(result).for_each(|it| live.insert(dense.index(it)));
}

/// What is wanted before an instruction, given what is wanted after it.
pub fn before(dense: Dense, inst: &Inst, live: &mut BitSet) {
    if let Some(var) = inst.assigns() {
        live.remove(dense.index(var));
    }
    // A set that is changed is both.
    inst.uses().into_iter().for_each(|var| live.insert(dense.index(var)));
}

/// How often each register is assigned: see [`Liveness::assignments`].
pub fn assignments(function: &Function) -> Vec<u32> {
    Liveness::of(function).assignments(function)
}
