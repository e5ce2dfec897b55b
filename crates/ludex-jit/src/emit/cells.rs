//! Cells: what the planes say about a square, and writing with both hashes kept.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use ludex_interp::cells::share;
use ludex_ir::inst::BOARD;
use ludex_ir::{ArrayId, ArrayRole, History};

use super::sets::Set;
use super::{Emitter, Written};
use crate::layout::{Place, shares};

/// A cell with at most this many values has a table of what each adds to the hash.
const MOST_SHARES: i64 = 2048;
/// Masks that need more planes than this are looked up in the codes, where those are kept.
const FEW_PLANES: usize = 2;

/// The squares with certain contents, as planes to put together.
enum Contents {
    Nothing,
    Everything,
    /// In one of these.
    Some(Vec<Term>),
    /// In none of these.
    AllBut(Vec<Term>),
}

/// Squares in all of `owner` and any of `kinds`; either may be left out.
struct Term {
    owner: Option<usize>,
    kinds: Vec<usize>,
}

impl Term {
    fn planes(&self) -> usize {
        self.kinds.len() + usize::from(self.owner.is_some())
    }
}

impl Emitter<'_, '_> {
    /// How the squares whose contents have their bit in `mask` are put together.
    fn contents(&self, mask: u64) -> Contents {
        let codes = self.unit.program.men.len();
        let all = if codes >= 63 { u64::MAX } else { (1 << (codes + 1)) - 1 };
        let mask = mask & all;
        if mask == all {
            return Contents::Everything;
        }
        let (empty, men) = (mask & 1 == 1, if mask & 1 == 1 { !mask & all } else { mask });
        let terms = self.terms(men);
        match (empty, terms.is_empty()) {
            (true, _) => Contents::AllBut(terms),
            (false, true) => Contents::Nothing,
            (false, false) => Contents::Some(terms),
        }
    }

    /// Planes for a set of men, empty squares aside.
    fn terms(&self, men: u64) -> Vec<Term> {
        let layout = &self.unit.layout;
        let wanted = |code: usize| men >> (code + 1) & 1 == 1;
        let kinds_of = |owner: usize, all: bool| -> Vec<usize> {
            let of_owner = layout.men.iter().enumerate().filter(|(_, it)| it.owner == owner);
            of_owner
                .filter(|&(code, _)| all || wanted(code))
                .filter_map(|(_, it)| it.kind)
                .collect()
        };
        if let Some(kinds) = self.kinds_of_all_owners(men) {
            return vec![Term { owner: None, kinds }];
        }
        let mut terms = Vec::new();
        for owner in 0..layout.owners {
            let all = layout.men.iter().filter(|it| it.owner == owner).count();
            let some = (layout.men.iter().enumerate())
                .filter(|&(code, it)| it.owner == owner && wanted(code))
                .count();
            if some == all {
                terms.push(Term { owner: Some(owner), kinds: Vec::new() });
            } else if some > 0 {
                terms.push(Term { owner: Some(owner), kinds: kinds_of(owner, false) });
            }
        }
        terms
    }

    /// The kinds that the men are, if all men of these kinds and no others are wanted and that
    /// takes fewer planes.
    fn kinds_of_all_owners(&self, men: u64) -> Option<Vec<usize>> {
        let layout = &self.unit.layout;
        let wanted = |code: usize| men >> (code + 1) & 1 == 1;
        let mut kinds = Vec::new();
        for kind in layout.owners..layout.planes {
            let of_kind = || layout.men.iter().enumerate().filter(|(_, it)| it.kind == Some(kind));
            if of_kind().all(|(code, _)| wanted(code)) {
                kinds.push(kind);
            } else if of_kind().any(|(code, _)| wanted(code)) {
                return None;
            }
        }
        (!kinds.is_empty() && kinds.len() <= layout.owners).then_some(kinds)
    }

    /// Puts terms together, each plane given by `plane`.
    fn put_together(
        &mut self,
        terms: &[Term],
        mut plane: impl FnMut(&mut Self, usize) -> Value,
    ) -> Value {
        let mut sum = None;
        for term in terms {
            let mut kinds = None;
            for &kind in &term.kinds {
                let word = plane(self, kind);
                kinds = Some(kinds.map_or(word, |kinds| self.or(kinds, word)));
            }
            let owner = term.owner.map(|owner| plane(self, owner));
            let word = match (owner, kinds) {
                (Some(owner), Some(kinds)) => self.and(owner, kinds),
                (Some(word), None) | (None, Some(word)) => word,
                (None, None) => continue,
            };
            sum = Some(sum.map_or(word, |sum| self.or(sum, word)));
        }
        sum.unwrap_or_else(|| self.number(0))
    }

    /// The squares whose contents have their bit in a known mask.
    pub(super) fn squares_with(&mut self, mask: u64) -> Set {
        let contents = self.contents(mask);
        let full = self.full();
        (0..self.words())
            .map(|word| {
                let byte = word * 8;
                let plane = |it: &mut Self, plane: usize| {
                    let at = it.unit.layout.plane_byte(plane) + byte;
                    it.state_word(at as i32)
                };
                match &contents {
                    Contents::Nothing => self.number(0),
                    Contents::Everything => self.number(full[word] as i64),
                    Contents::Some(terms) => self.put_together(terms, plane),
                    Contents::AllBut(terms) => {
                        let others = self.put_together(terms, plane);
                        let all = self.number(full[word] as i64);
                        self.and_not(all, others)
                    }
                }
            })
            .collect()
    }

    /// The squares whose contents have their bit in a mask that is not known beforehand.
    pub(super) fn squares_with_any(&mut self, mask: Value) -> Set {
        let mut sum = self.empty();
        for code in 0..=self.unit.program.men.len() {
            let squares = self.squares_with(1 << code);
            let bit = self.shr(mask, code as i64);
            let bit = self.masked(bit, 1);
            let zero = self.number(0);
            let chosen = self.sub(zero, bit);
            let squares = squares.into_iter().map(|word| self.and(word, chosen)).collect();
            sum = self.union(&sum, &squares);
        }
        sum
    }

    /// The address of the word of square `square` in plane 0.
    fn word_address(&mut self, square: Value) -> Value {
        if self.words() == 1 {
            return self.state;
        }
        let word = self.shr(square, 6);
        let byte = self.shl(word, 3);
        self.add(self.state, byte)
    }

    /// A number that is a square: the given one, or 0 if it is none, and whether it was one.
    pub(super) fn clamped(&mut self, index: Value, len: usize) -> (Value, Value) {
        let inside = self.inside(index, len);
        let zero = self.number(0);
        (self.choose(inside, index, zero), inside)
    }

    /// 1 if the contents of a square have their bit in a known mask, else 0.
    pub(super) fn square_has(&mut self, square: Value, mask: u64) -> Value {
        let squares = self.unit.program.squares;
        let (square, inside) = self.clamped(square, squares);
        let contents = self.contents(mask);
        let (Contents::Some(terms) | Contents::AllBut(terms)) = &contents else {
            let always = matches!(contents, Contents::Everything);
            let always = self.number(i64::from(always));
            let zero = self.number(0);
            return self.choose(inside, always, zero);
        };
        let planes: usize = terms.iter().map(Term::planes).sum();
        let zero = self.number(0);
        if let Some(codes) = self.unit.layout.codes
            && planes > FEW_PLANES
        {
            let code = self.code_kept(square, codes);
            let mask = self.number(mask as i64);
            let bit = self.bit_of(mask, code);
            return self.choose(inside, bit, zero);
        }
        let base = self.word_address(square);
        let word = self.put_together(terms, |it, plane| it.plane_word(base, plane));
        let bit = self.bit_of(word, square);
        match contents {
            Contents::AllBut(_) => {
                let one = self.number(1);
                let bit = self.xor(bit, one);
                self.choose(inside, bit, zero)
            }
            _ => self.choose(inside, bit, zero),
        }
    }

    fn code_kept(&mut self, square: Value, codes: usize) -> Value {
        let at = self.add(self.state, square);
        self.load_byte(at, codes as i32)
    }

    /// The code of what stands on a square, which must be one.
    pub(super) fn code_on(&mut self, square: Value) -> Value {
        if let Some(codes) = self.unit.layout.codes {
            return self.code_kept(square, codes);
        }
        let base = self.word_address(square);
        let mut code = self.number(0);
        for (index, planes) in self.unit.layout.men.clone().into_iter().enumerate() {
            let mut word = self.plane_word(base, planes.owner);
            if let Some(kind) = planes.kind {
                let other = self.plane_word(base, kind);
                word = self.and(word, other);
            }
            let bit = self.bit_of(word, square);
            let part = self.times(bit, index as i64 + 1);
            code = self.or(code, part);
        }
        code
    }

    /// The raw value of a cell that is no square; `index` must be inside the array.
    pub(super) fn raw_cell(&mut self, array: ArrayId, index: Option<Value>) -> Value {
        match self.unit.layout.place(array) {
            Place::Board => {
                let square = index.unwrap_or_else(|| self.number(0));
                self.code_on(square)
            }
            Place::Sets(first) => {
                let index = index.unwrap_or_else(|| self.number(0));
                let (word, bit) = self.set_cell(first, index);
                let word = self.load(word, 0);
                self.bit_of(word, bit)
            }
            Place::Bytes(byte) => {
                let at = index.map_or(self.state, |index| self.add(self.state, index));
                self.load_byte(at, byte as i32)
            }
            Place::Pairs(byte) => {
                let at = self.pair_address(index);
                self.load_pair(at, byte as i32)
            }
        }
    }

    fn pair_address(&mut self, index: Option<Value>) -> Value {
        match index {
            Some(index) => {
                let byte = self.shl(index, 1);
                self.add(self.state, byte)
            }
            None => self.state,
        }
    }

    /// The address of the word of a cell of a set array, and its bit.
    fn set_cell(&mut self, first: usize, index: Value) -> (Value, Value) {
        let squares = self.unit.program.squares.max(1) as i64;
        let set = self.b.ins().udiv_imm_u(index, squares);
        let square = self.b.ins().urem_imm_u(index, squares);
        let words = self.times(set, self.words() as i64);
        let word = self.shr(square, 6);
        let word = self.add(words, word);
        let byte = self.shl(word, 3);
        let at = self.add(self.state, byte);
        let at = self.plus(at, first as i64 * 8);
        (at, square)
    }

    /// Adds to the hash, and to the key if the array counts for repetition.
    fn hash_in(&mut self, array: ArrayId, change: Value) {
        let layout = &self.unit.layout;
        let (hash, key) = (layout.hash_byte() as i32, layout.key_byte() as i32);
        let keyed = layout.keyed[array.0 as usize];
        self.mix_in(hash, change);
        if keyed {
            self.mix_in(key, change);
        }
    }

    fn mix_in(&mut self, byte: i32, change: Value) {
        let old = self.state_word(byte);
        let new = self.xor(old, change);
        self.set_state_word(new, byte);
    }

    /// What a raw value of a cell adds to the hash.
    fn share_of(&mut self, array: ArrayId, index: Value, raw: Value) -> Value {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (base, len, values) = (data.base, data.len, data.hi - data.lo + 1);
        if values * len as i64 <= MOST_SHARES * 8 || array == BOARD {
            let known = self.unit.share_tables.get(&array).copied();
            let table = known.unwrap_or_else(|| {
                let all = (0..len).flat_map(|it| shares(base + it, (values - 1) as u16)).collect();
                self.unit.pool.words(all)
            });
            self.unit.share_tables.insert(array, table);
            let row = self.times(index, values);
            let place = self.add(row, raw);
            return self.entry(table, place);
        }
        // The same number, worked out: splitmix64.
        let cell = self.plus(index, base as i64);
        let place = self.shl(cell, 16);
        let place = self.or(place, raw);
        let mut key = self.plus(place, 1);
        key = self.times_word(key, 0x9e37_79b9_7f4a_7c15);
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            let high = self.shr(key, shift);
            key = self.xor(key, high);
            key = self.times_word(key, factor);
        }
        let high = self.shr(key, 31);
        self.xor(key, high)
    }

    fn times_word(&mut self, a: Value, factor: u64) -> Value {
        let factor = self.number(factor as i64);
        self.b.ins().imul(a, factor)
    }

    /// Puts a code on a square, both of which must be right.
    pub(super) fn put_code(&mut self, square: Value, new: Value, known: Option<i64>) {
        let old = self.code_on(square);
        let before = self.share_of(BOARD, square, old);
        let after = self.share_of(BOARD, square, new);
        let change = self.xor(before, after);
        self.hash_in(BOARD, change);
        let base = self.word_address(square);
        let bit = self.bit(square);
        match (self.unit.layout.codes, known) {
            (Some(codes), known) => {
                let at = self.add(self.state, square);
                self.store_byte(new, at, codes as i32);
                self.take_from_planes(base, bit, old);
                match known {
                    Some(code) => self.put_in_planes_of(base, bit, code),
                    None => self.take_from_planes(base, bit, new),
                }
            }
            (None, Some(code)) => self.set_planes_of(base, bit, code),
            (None, None) => self.set_planes(base, bit, new),
        }
    }

    /// Puts a known man on a square that is known to be an empty one; its bit may be at hand.
    pub(super) fn put_on_empty(&mut self, square: Value, bit: Option<Value>, code: i64) {
        let squares = self.unit.program.squares;
        let flips = (0..squares).map(|it| share(it, 0) ^ share(it, code as u16)).collect();
        let table = self.unit.pool.words(flips);
        let change = self.entry(table, square);
        self.hash_in(BOARD, change);
        if let Some(codes) = self.unit.layout.codes {
            let (at, code) = (self.add(self.state, square), self.number(code));
            self.store_byte(code, at, codes as i32);
        }
        let base = self.word_address(square);
        let bit = bit.unwrap_or_else(|| self.bit(square));
        self.put_in_planes_of(base, bit, code);
    }

    /// Changes a bit in the planes of a code (taking it out or putting it in), by tables.
    fn take_from_planes(&mut self, base: Value, bit: Value, code: Value) {
        let layout = &self.unit.layout;
        let plane = |plane: Option<usize>| layout.plane_byte(plane.unwrap_or(0)) as i64;
        let owners = std::iter::once(0).chain(layout.men.iter().map(|it| plane(Some(it.owner))));
        let owners: Vec<i64> = owners.collect();
        let kinds = std::iter::once(0).chain(layout.men.iter().map(|it| plane(it.kind)));
        let kinds: Vec<i64> = kinds.collect();
        let has_kinds = layout.planes > layout.owners;
        // Nothing stands on an empty square: then no bit is changed.
        let zero = self.number(0);
        let man = self.is_number(IntCC::NotEqual, code, 0);
        let bit = self.choose(man, bit, zero);
        for (offsets, there) in [(owners, true), (kinds, has_kinds)] {
            if there {
                let table = self.unit.pool.numbers(offsets);
                let byte = self.entry(table, code);
                let at = self.add(base, byte);
                let word = self.load(at, 0);
                let word = self.xor(word, bit);
                self.store(word, at, 0);
            }
        }
    }

    /// Sets a bit in the planes of a known code.
    fn put_in_planes_of(&mut self, base: Value, bit: Value, code: i64) {
        let Some(planes) = self.planes_of(code) else { return };
        for plane in std::iter::once(planes.owner).chain(planes.kind) {
            let word = self.plane_word(base, plane);
            let word = self.or(word, bit);
            self.set_plane_word(word, base, plane);
        }
    }

    /// The word of a plane that lies at `base` in plane 0.
    fn plane_word(&mut self, base: Value, plane: usize) -> Value {
        let byte = self.unit.layout.plane_byte(plane) as i32;
        if self.words() == 1 { self.state_word(byte) } else { self.load(base, byte) }
    }

    fn set_plane_word(&mut self, value: Value, base: Value, plane: usize) {
        let byte = self.unit.layout.plane_byte(plane) as i32;
        if self.words() == 1 {
            self.set_state_word(value, byte);
        } else {
            self.store(value, base, byte);
        }
    }

    fn planes_of(&self, code: i64) -> Option<crate::layout::Planes> {
        let index = usize::try_from(code - 1).ok()?;
        self.unit.layout.men.get(index).copied()
    }

    /// Sets a bit in the planes of a known code and clears it in all others.
    fn set_planes_of(&mut self, base: Value, bit: Value, code: i64) {
        let own = self.planes_of(code);
        for plane in 0..self.unit.layout.planes {
            let word = self.plane_word(base, plane);
            let is_own = own.is_some_and(|it| it.owner == plane || it.kind == Some(plane));
            let word = if is_own { self.or(word, bit) } else { self.and_not(word, bit) };
            self.set_plane_word(word, base, plane);
        }
    }

    /// Sets a bit in the planes of a code and clears it in all others.
    fn set_planes(&mut self, base: Value, bit: Value, code: Value) {
        for plane in 0..self.unit.layout.planes {
            let men = self.unit.layout.men.iter().enumerate();
            let mask = men
                .filter(|(_, it)| it.owner == plane || it.kind == Some(plane))
                .fold(0_u64, |mask, (index, _)| mask | 1 << (index + 1));
            let mask = self.number(mask as i64);
            let there = self.bit_of(mask, code);
            let zero = self.number(0);
            let keep = self.sub(zero, there);
            let put = self.and(bit, keep);
            let word = self.plane_word(base, plane);
            let word = self.and_not(word, bit);
            let word = self.or(word, put);
            self.set_plane_word(word, base, plane);
        }
    }

    /// Sets a cell that is no square to a raw value inside its domain.
    pub(super) fn put_raw(&mut self, array: ArrayId, index: Option<Value>, raw: Value) {
        let place = self.unit.layout.place(array);
        let row = index.unwrap_or_else(|| self.number(0));
        let old = self.raw_cell(array, index);
        let before = self.share_of(array, row, old);
        let after = self.share_of(array, row, raw);
        let change = self.xor(before, after);
        self.hash_in(array, change);
        match place {
            // Squares are written by `put_code`.
            Place::Board => {}
            Place::Sets(first) => {
                let (at, square) = self.set_cell(first, row);
                let bit = self.bit(square);
                let put = self.b.ins().ishl(raw, square);
                let word = self.load(at, 0);
                let word = self.and_not(word, bit);
                let word = self.or(word, put);
                self.store(word, at, 0);
            }
            Place::Bytes(byte) => {
                let at = index.map_or(self.state, |index| self.add(self.state, index));
                self.store_byte(raw, at, byte as i32);
            }
            Place::Pairs(byte) => {
                let at = self.pair_address(index);
                self.store_pair(raw, at, byte as i32);
            }
        }
        self.note_counter(array, row);
    }

    /// Sets the only cell of an array, whose old raw value is known.
    pub(super) fn put_known(&mut self, array: ArrayId, old: i64, new: i64) {
        let cell = self.unit.program.arrays[array.0 as usize].base;
        let change = share(cell, old as u16) ^ share(cell, new as u16);
        let change = self.number(change as i64);
        self.hash_in(array, change);
        let raw = self.number(new);
        match self.unit.layout.place(array) {
            Place::Bytes(byte) => self.store_byte(raw, self.state, byte as i32),
            Place::Pairs(byte) => self.store_pair(raw, self.state, byte as i32),
            // Neither the board nor a set is a single number.
            Place::Board | Place::Sets(_) => {}
        }
    }

    /// Remembers that the move has set a counter.
    fn note_counter(&mut self, array: ArrayId, row: Value) {
        let counters = self.counters();
        let Some(first) = counters.iter().position(|&(it, index)| it == array && index == 0) else {
            return;
        };
        let byte = self.unit.layout.counted_byte() as i32;
        let place = self.plus(row, first as i64);
        let bit = self.bit(place);
        let word = self.load(self.state, byte);
        let word = self.or(word, bit);
        self.store(word, self.state, byte);
    }

    /// The counters, each as its array and its place in it.
    pub(super) fn counters(&self) -> Vec<(ArrayId, usize)> {
        let arrays = self.unit.program.arrays.iter().enumerate();
        arrays
            .filter(|(_, it)| it.role == ArrayRole::Counter)
            .flat_map(|(id, it)| (0..it.len).map(move |index| (ArrayId(id as u16), index)))
            .collect()
    }

    /// The words of a set of a set array, if `index` is one; the address of its first word.
    pub(super) fn set_address(
        &mut self,
        array: ArrayId,
        index: Option<Value>,
    ) -> (Value, Option<Value>) {
        let Place::Sets(first) = self.unit.layout.place(array) else { return (self.state, None) };
        let Some(index) = index else {
            let at = self.plus(self.state, first as i64 * 8);
            return (at, None);
        };
        let squares = self.unit.program.squares.max(1);
        let sets = self.unit.program.arrays[array.0 as usize].len / squares;
        let (index, inside) = self.clamped(index, sets);
        let byte = self.times(index, self.words() as i64 * 8);
        let at = self.add(self.state, byte);
        (self.plus(at, first as i64 * 8), Some(inside))
    }

    /// Replaces the words of a set of a set array and keeps the hashes.
    pub(super) fn put_set(
        &mut self,
        array: ArrayId,
        (at, inside): (Value, Option<Value>),
        new: &Set,
    ) -> Written {
        let Place::Sets(first) = self.unit.layout.place(array) else { return Ok(()) };
        let old: Set = (0..new.len()).map(|word| self.load(at, word as i32 * 8)).collect();
        let new: Set = match inside {
            Some(inside) => self.zip(new, &old, |it, new, old| it.choose(inside, new, old)),
            None => new.clone(),
        };
        for (word, &value) in new.iter().enumerate() {
            self.store(value, at, word as i32 * 8);
        }
        let changed = self.zip(&old, &new, Self::xor);
        let from = self.plus(self.state, first as i64 * 8);
        let byte = self.sub(at, from);
        let word = self.shr(byte, 3);
        let words = self.words() as i64;
        let set = self.b.ins().udiv_imm_u(word, words);
        let row = self.times(set, self.unit.program.squares as i64);
        let base = self.unit.program.arrays[array.0 as usize].base;
        let len = self.unit.program.arrays[array.0 as usize].len;
        let flips = (0..len).map(|it| share(base + it, 0) ^ share(base + it, 1)).collect();
        let table = self.unit.pool.words(flips);
        self.each_member(&changed, |it, square| {
            let cell = it.add(row, square);
            let change = it.entry(table, cell);
            it.hash_in(array, change);
            Ok(())
        })
    }

    /// Runs code for each square of a set, lowest first.
    pub(super) fn each_member(
        &mut self,
        set: &Set,
        body: impl FnOnce(&mut Self, Value) -> Written,
    ) -> Written {
        let vars = self.new_set_vars();
        self.define_set(&vars, set);
        let [head, inner, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let left = self.use_set(&vars);
        let some = self.has_any(&left);
        self.branch(some, inner, done);
        self.go_on_in(inner);
        let square = self.lowest(&left);
        let single = self.single(square);
        let rest = self.difference(&left, &single);
        self.define_set(&vars, &rest);
        body(self, square)?;
        self.jump(head);
        self.go_on_in(done);
        Ok(())
    }

    /// Whether the program asks about the past.
    pub(super) fn has_history(&self) -> bool {
        self.unit.program.history != History::None
    }
}
