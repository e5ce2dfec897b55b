//! Sets of squares as words: shifts along directions, floods, slides and rays.
//!
//! A direction moves most squares by the same number of bits. A *run* is the
//! squares that it moves by one number; a shift is one masked shift of bits for
//! each run: one on a plain grid, two where an edge is wrapped. A direction of a
//! free graph with too many runs goes to a helper, square by square.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value};
use ludex_ir::Program;

use super::Emitter;

/// A set: its words, lowest first.
pub(super) type Set = Vec<Value>;

/// More runs than this and a helper does it.
const MOST_RUNS: usize = 12;
/// Rows of a table of rays beyond which a helper does it.
const MOST_TABLE_WORDS: usize = 1 << 15;

/// Squares that move by the same number of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    by: i64,
    from: Vec<u64>,
}

/// The runs of a way to move squares: where each goes, or -1.
fn runs(squares: usize, to: impl Fn(usize) -> i64) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for square in 0..squares {
        let next = to(square);
        if next < 0 {
            continue;
        }
        let by = next - square as i64;
        let place = runs.iter().position(|it| it.by == by).unwrap_or_else(|| {
            runs.push(Run { by, from: vec![0; squares.div_ceil(64)] });
            runs.len() - 1
        });
        runs[place].from[square / 64] |= 1 << (square % 64);
    }
    runs
}

/// The square `count` steps from `from`, or -1.
pub(super) fn steps(program: &Program, from: usize, dir: u16, count: u16) -> i64 {
    let steps = &program.geometry.directions[dir as usize].steps;
    let mut square = from as i64;
    for _ in 0..count {
        match usize::try_from(square).ok().and_then(|it| steps.get(it)) {
            Some(&next) => square = i64::from(next),
            None => return -1,
        }
    }
    square
}

impl Emitter<'_, '_> {
    pub(super) fn empty(&mut self) -> Set {
        let zero = self.number(0);
        vec![zero; self.words()]
    }

    pub(super) fn constant_set(&mut self, words: &[u64]) -> Set {
        let all = self.words();
        let get = |at: usize| words.get(at).copied().unwrap_or(0);
        (0..all).map(|word| self.number(get(word) as i64)).collect()
    }

    /// The words of the set of all squares.
    pub(super) fn full(&self) -> Vec<u64> {
        let squares = self.unit.program.squares;
        (0..self.words()).map(|word| all_bits(squares.saturating_sub(word * 64))).collect()
    }

    pub(super) fn zip(
        &mut self,
        a: &Set,
        b: &Set,
        mut op: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Set {
        a.iter().zip(b).map(|(&a, &b)| op(self, a, b)).collect()
    }

    pub(super) fn union(&mut self, a: &Set, b: &Set) -> Set {
        self.zip(a, b, Self::or)
    }

    pub(super) fn intersection(&mut self, a: &Set, b: &Set) -> Set {
        self.zip(a, b, Self::and)
    }

    pub(super) fn difference(&mut self, a: &Set, b: &Set) -> Set {
        self.zip(a, b, Self::and_not)
    }

    /// All words in one: 0 only if the set is empty.
    pub(super) fn gathered(&mut self, set: &Set) -> Value {
        let mut set = set.iter().copied();
        let first = set.next();
        let first = first.unwrap_or_else(|| self.number(0));
        set.fold(first, |all, word| self.or(all, word))
    }

    /// Whether the set has a square, for branches.
    pub(super) fn has_any(&mut self, set: &Set) -> Value {
        let all = self.gathered(set);
        self.is_number(IntCC::NotEqual, all, 0)
    }

    pub(super) fn count(&mut self, set: &Set) -> Value {
        let mut sum = None;
        for &word in set {
            let ones = self.b.ins().popcnt(word);
            sum = Some(sum.map_or(ones, |sum| self.add(sum, ones)));
        }
        sum.unwrap_or_else(|| self.number(0))
    }

    /// The word of a set that a square is in; the square must be one.
    pub(super) fn word_of(&mut self, set: &Set, square: Value) -> Value {
        if set.len() == 1 {
            return set[0];
        }
        let at = self.shr(square, 6);
        let mut word = set[0];
        for (index, &other) in set.iter().enumerate().skip(1) {
            let here = self.is_number(IntCC::Equal, at, index as i64);
            word = self.choose(here, other, word);
        }
        word
    }

    /// 1 if a number is a square of the set, else 0.
    pub(super) fn contains(&mut self, set: &Set, square: Value) -> Value {
        let inside = self.inside(square, self.unit.program.squares);
        let word = self.word_of(set, square);
        let bit = self.bit_of(word, square);
        let zero = self.number(0);
        self.choose(inside, bit, zero)
    }

    /// The set of one square, empty if it is none.
    pub(super) fn single(&mut self, square: Value) -> Set {
        let inside = self.inside(square, self.unit.program.squares);
        let (bit, zero) = (self.bit(square), self.number(0));
        if self.words() == 1 {
            return vec![self.choose(inside, bit, zero)];
        }
        let at = self.shr(square, 6);
        (0..self.words())
            .map(|word| {
                let here = self.is_number(IntCC::Equal, at, word as i64);
                self.choose(here, bit, zero)
            })
            .collect()
    }

    /// The lowest square, or -1.
    pub(super) fn lowest(&mut self, set: &Set) -> Value {
        let mut lowest = self.number(-1);
        for (index, &word) in set.iter().enumerate().rev() {
            let place = self.b.ins().ctz(word);
            let place = self.plus(place, index as i64 * 64);
            let some = self.is_number(IntCC::NotEqual, word, 0);
            lowest = self.choose(some, place, lowest);
        }
        lowest
    }

    /// The highest square, or -1.
    fn highest(&mut self, set: &Set) -> Value {
        let mut highest = self.number(-1);
        for (index, &word) in set.iter().enumerate() {
            let zeros = self.b.ins().clz(word);
            let top = self.number(index as i64 * 64 + 63);
            let place = self.sub(top, zeros);
            let some = self.is_number(IntCC::NotEqual, word, 0);
            highest = self.choose(some, place, highest);
        }
        highest
    }

    /// The squares above `after`, which may be any number.
    pub(super) fn above(&mut self, set: &Set, after: Value) -> Set {
        let last = self.number(self.unit.program.squares as i64);
        let after = self.b.ins().smin(after, last);
        let first = self.plus(after, 1);
        let (zero, ones) = (self.number(0), self.number(-1));
        let set = set.clone();
        set.into_iter()
            .enumerate()
            .map(|(index, word)| {
                let low = self.plus(first, -(index as i64) * 64);
                let mask = self.b.ins().ishl(ones, low);
                let past = self.is_number(IntCC::SignedGreaterThan, low, 63);
                let mask = self.choose(past, zero, mask);
                let before = self.is_number(IntCC::SignedLessThan, low, 0);
                let mask = self.choose(before, ones, mask);
                self.and(word, mask)
            })
            .collect()
    }

    /// The squares that `count` steps in a direction lead to; `None` if a helper must do it.
    pub(super) fn leap(&mut self, set: &Set, dir: u16, count: u16) -> Option<Set> {
        let program = self.unit.program;
        let runs = runs(program.squares, |it| steps(program, it, dir, count));
        (runs.len() <= MOST_RUNS).then(|| self.shifted(set, &runs))
    }

    /// The squares that a table leads from into a set; `None` if that is no matter of a few shifts.
    pub(super) fn moved_back(&mut self, set: &Set, to: &[i64]) -> Option<Set> {
        let squares = self.unit.program.squares;
        let mut back = vec![-1_i64; squares];
        for (from, &to) in to.iter().enumerate() {
            let Some(place) = usize::try_from(to).ok().and_then(|it| back.get_mut(it)) else {
                continue;
            };
            if std::mem::replace(place, from as i64) >= 0 {
                return None;
            }
        }
        let runs = runs(squares, |it| back[it]);
        (runs.len() <= MOST_RUNS).then(|| self.shifted(set, &runs))
    }

    /// The squares one step away in any direction of a list.
    pub(super) fn neighbours(&mut self, set: &Set, list: &[u16]) -> Option<Set> {
        let program = self.unit.program;
        let mut all: Vec<Run> = Vec::new();
        for &dir in list {
            for run in runs(program.squares, |it| steps(program, it, dir, 1)) {
                match all.iter_mut().find(|it| it.by == run.by) {
                    Some(other) => {
                        other.from.iter_mut().zip(&run.from).for_each(|(into, &it)| *into |= it);
                    }
                    None => all.push(run),
                }
            }
        }
        (all.len() <= 2 * MOST_RUNS).then(|| self.shifted(set, &all))
    }

    /// Each run shifted, together.
    fn shifted(&mut self, set: &Set, runs: &[Run]) -> Set {
        let mut parts: Vec<Option<Value>> = vec![None; set.len()];
        for run in runs {
            let from: Set = self.of_run(set, run);
            for (to, part) in parts.iter_mut().enumerate() {
                let word = self.word_moved(&from, &run.from, run.by, to);
                if let Some(word) = word {
                    *part = Some(part.map_or(word, |part| self.or(part, word)));
                }
            }
        }
        parts.into_iter().map(|part| part.unwrap_or_else(|| self.number(0))).collect()
    }

    /// The squares of a run, where leaving out the others makes a difference.
    fn of_run(&mut self, set: &Set, run: &Run) -> Set {
        let full = self.full();
        let set = set.clone();
        set.into_iter()
            .enumerate()
            .map(|(index, word)| {
                let stray = full[index] & !run.from[index];
                // Squares that would be pushed out of all words need no mask.
                let lost = bits(stray).all(|bit| {
                    let to = index as i64 * 64 + i64::from(bit) + run.by;
                    to < 0 || to >= (full.len() as i64 * 64)
                });
                if lost { word } else { self.masked(word, run.from[index]) }
            })
            .collect()
    }

    /// Word `to` of a set moved by a number of bits; `None` if nothing comes there.
    fn word_moved(&mut self, set: &Set, from: &[u64], by: i64, to: usize) -> Option<Value> {
        let (far, near) = (by.div_euclid(64), by.rem_euclid(64));
        let low = to as i64 - far;
        let mut sum = None;
        for (source, shift) in [(low, near), (low - 1, near - 64)] {
            let Ok(source) = usize::try_from(source) else { continue };
            let comes = source < set.len()
                && shift > -64
                && (if shift >= 0 { from[source] << shift } else { from[source] >> -shift }) != 0;
            if comes {
                let part = self.moved(set[source], shift);
                sum = Some(sum.map_or(part, |sum| self.or(sum, part)));
            }
        }
        sum
    }

    /// What `from` reaches in `within`; the loop costs one step each time round.
    pub(super) fn flood(
        &mut self,
        from: &Set,
        within: &Set,
        mut grow: impl FnMut(&mut Self, &Set) -> Set,
    ) -> Set {
        let reached = self.intersection(from, within);
        let vars = self.new_set_vars();
        self.define_set(&vars, &reached);
        let (head, done) = (self.b.create_block(), self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        self.spend(self.words() as i64 * 8);
        let old = self.use_set(&vars);
        let grown = grow(self, &old);
        let grown = self.intersection(&grown, within);
        let new = self.difference(&grown, &old);
        let all = self.union(&old, &new);
        self.define_set(&vars, &all);
        let more = self.has_any(&new);
        self.branch(more, head, done);
        self.go_on_in(done);
        self.use_set(&vars)
    }

    /// The squares that steps in one direction lead to from those of `from`, through `through`.
    pub(super) fn slide(&mut self, from: &Set, through: &Set, dir: u16) -> Option<Set> {
        let program = self.unit.program;
        let runs = runs(program.squares, |it| steps(program, it, dir, 1));
        if runs.len() > MOST_RUNS {
            return None;
        }
        let mut length = 1;
        while (0..program.squares).any(|it| steps(program, it, dir, length) >= 0) {
            length += 1;
            if length as usize > program.squares {
                // The direction goes round in a circle: floods stop by themselves.
                return Some(self.slide_round(from, through, &runs));
            }
        }
        if let [run] = &runs[..]
            && from.len() == 1
        {
            return Some(self.slide_doubling(from, through, run, length));
        }
        let mut reached = self.shifted(from, &runs);
        for _ in 2..length {
            let open = self.intersection(&reached, through);
            let next = self.shifted(&open, &runs);
            reached = self.union(&reached, &next);
        }
        Some(reached)
    }

    /// In one word each round doubles how far it has come.
    fn slide_doubling(&mut self, from: &Set, through: &Set, run: &Run, length: u16) -> Set {
        let to: u64 = self.full()[0];
        let arrives = if run.by >= 0 { run.from[0] << run.by } else { run.from[0] >> -run.by } & to;
        let mut open = self.masked(through[0], arrives);
        let mut reached = from[0];
        let mut by = run.by;
        let mut covered = 1;
        // `length` - 1 steps are possible, the last of which comes after the loop.
        while covered < length - 1 {
            let moved = self.moved(reached, by);
            let moved = self.and(moved, open);
            reached = self.or(reached, moved);
            covered *= 2;
            if covered < length - 1 {
                let further = self.moved(open, by);
                open = self.and(open, further);
                by *= 2;
            }
        }
        let runs = [run.clone()];
        self.shifted(&vec![reached], &runs)
    }

    fn slide_round(&mut self, from: &Set, through: &Set, runs: &[Run]) -> Set {
        let first = self.shifted(from, runs);
        let full = self.full();
        let all = self.constant_set(&full);
        let through = through.clone();
        self.flood(&first, &all, move |it, reached| {
            let open = it.intersection(reached, &through);
            it.shifted(&open, runs)
        })
    }

    /// The rays from one square along the directions of a list; `None` if a helper must do it.
    pub(super) fn rays(&mut self, from: Value, through: &Set, list: &[u16]) -> Option<Set> {
        let words = self.words();
        let squares = self.unit.program.squares;
        if (squares + 1) * words * list.len() > MOST_TABLE_WORDS {
            return None;
        }
        if self.is_all(through) {
            return Some(self.lines(from, list));
        }
        let ways: Vec<(i64, bool)> =
            list.iter().map(|&dir| self.ray_table(dir)).collect::<Option<_>>()?;
        let inside = self.inside(from, squares);
        let none = self.number(squares as i64);
        let from = self.choose(inside, from, none);
        let mut all: Option<Set> = None;
        for (table, upward) in ways {
            let ray = self.entries(table, from, words);
            let stops = self.difference(&ray, through);
            let first = if upward { self.lowest(&stops) } else { self.highest(&stops) };
            // -1 means that nothing stops it: the row after the last is empty.
            let open = self.is_number(IntCC::SignedLessThan, first, 0);
            let first = self.choose(open, none, first);
            let beyond = self.entries(table, first, words);
            let seen = self.difference(&ray, &beyond);
            all = Some(match all {
                Some(all) => self.union(&all, &seen),
                None => seen,
            });
        }
        Some(all.unwrap_or_else(|| self.empty()))
    }

    /// Whether a set is known to be all squares while the code is written.
    fn is_all(&self, set: &Set) -> bool {
        let known = |value: Value| {
            let inst = self.b.func.dfg.value_def(value).inst()?;
            match self.b.func.dfg.insts[inst] {
                InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => {
                    Some(imm.bits() as u64)
                }
                _ => None,
            }
        };
        set.iter().zip(self.full()).all(|(&word, full)| known(word) == Some(full))
    }

    /// The rays from one square that nothing stops: a row of a table.
    fn lines(&mut self, from: Value, list: &[u16]) -> Set {
        let (squares, words) = (self.unit.program.squares, self.words());
        let mut table = vec![0_u64; (squares + 1) * words];
        for &dir in list {
            self.add_rays(&mut table, dir);
        }
        let table = self.unit.pool.words(table);
        let inside = self.inside(from, squares);
        let none = self.number(squares as i64);
        let from = self.choose(inside, from, none);
        self.entries(table, from, words)
    }

    /// Adds the ray from each square in a direction to its row of a table.
    fn add_rays(&self, table: &mut [u64], dir: u16) {
        let (program, words) = (self.unit.program, self.words());
        for square in 0..program.squares {
            let mut next = steps(program, square, dir, 1);
            // A direction may go round in a circle.
            for _ in 0..program.squares {
                let Ok(at) = usize::try_from(next) else { break };
                table[square * words + at / 64] |= 1 << (at % 64);
                next = steps(program, at, dir, 1);
            }
        }
    }

    /// A table of the rays from each square, an empty one at the end, and whether squares
    /// further away have higher numbers; `None` if it is neither so nor the other way round.
    fn ray_table(&mut self, dir: u16) -> Option<(i64, bool)> {
        let program = self.unit.program;
        let (squares, words) = (program.squares, self.words());
        let goes = |up: bool| {
            (0..squares).all(|it| {
                let next = steps(program, it, dir, 1);
                next < 0 || (next > it as i64) == up
            })
        };
        let upward = goes(true);
        if !upward && !goes(false) {
            return None;
        }
        let mut table = vec![0_u64; (squares + 1) * words];
        self.add_rays(&mut table, dir);
        Some((self.unit.pool.words(table), upward))
    }
}

/// A word whose lowest `count` bits are set.
fn all_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn bits(word: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| word >> bit & 1 == 1)
}
