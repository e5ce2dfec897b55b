//! Drawing at random: a number below a bound, and the square of a set that has a number.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::sets::Set;
use super::{Emitter, Written};
use crate::context::RANDOM;
use crate::deposit::DEPOSIT;

/// A square drawn from a set.
pub(super) struct Chosen {
    pub(super) square: Value,
    /// Its bit in its word, where that is at hand.
    pub(super) bit: Option<Value>,
}

impl Emitter<'_, '_> {
    /// A number from 0 to `bound - 1`, as `Random::below` draws it.
    pub(super) fn below(&mut self, bound: Value) -> Value {
        let [draw, unfair, done] = std::array::from_fn(|_| self.b.create_block());
        self.b.append_block_param(done, I64);
        self.jump(draw);
        self.go_on_in(draw);
        let bits = self.next_random();
        let bits = self.shr(bits, 32);
        let product = self.b.ins().imul(bits, bound);
        let low = self.masked(product, 0xffff_ffff);
        let fair = self.is(IntCC::UnsignedGreaterThanOrEqual, low, bound);
        let check = self.b.create_block();
        self.b.set_cold_block(check);
        self.b.set_cold_block(unfair);
        let high = self.shr(product, 32);
        let args = [BlockArg::Value(high)];
        self.b.ins().brif(fair, done, &args, check, &[]);
        self.go_on_in(check);
        let all = self.number(1 << 32);
        let rest = self.sub(all, bound);
        let rest = self.b.ins().urem(rest, bound);
        let wrong = self.is(IntCC::UnsignedLessThan, low, rest);
        self.b.ins().brif(wrong, unfair, &[], done, &args);
        self.go_on_in(unfair);
        self.jump(draw);
        self.go_on_in(done);
        self.b.block_params(done)[0]
    }

    /// The next output of xoshiro256**.
    ///
    /// Its state stays in memory: nothing waits for it, and four registers are better used for
    /// the position, which everything waits for.
    fn next_random(&mut self) -> Value {
        let [a, b, c, d] = [0, 8, 16, 24].map(|byte| self.load(self.ctx, RANDOM + byte));
        let five = self.b.ins().imul_imm_s(b, 5);
        let seven = self.b.ins().rotl_imm_u(five, 7);
        let result = self.b.ins().imul_imm_s(seven, 9);
        let (c1, d1) = (self.xor(c, a), self.xor(d, b));
        let new_a = self.xor(a, d1);
        let new_b = self.xor(b, c1);
        let shifted = self.shl(b, 17);
        let new_c = self.xor(c1, shifted);
        let new_d = self.b.ins().rotl_imm_u(d1, 45);
        for (value, byte) in [new_a, new_b, new_c, new_d].into_iter().zip([0, 8, 16, 24]) {
            self.store(value, self.ctx, RANDOM + byte);
        }
        result
    }

    /// The square of a set that has `place` squares below it in the set.
    ///
    /// What lies below each byte is counted before it is known which byte is wanted, so that
    /// finding it is a few comparisons and does not wait for one count after the other.
    pub(super) fn select(&mut self, set: &Set, place: Value) -> Written<Chosen> {
        let (word, place, base) = self.select_word(set, place);
        if self.unit.deposits {
            return self.deposited(word, place, base);
        }
        let bytes = self.unit.program.squares.clamp(1, 64).div_ceil(8);
        let mut half = bytes.next_power_of_two() / 2;
        let mut below: Vec<Value> = (1..2 * half).map(|it| self.count_below(word, it)).collect();
        let (mut rest, mut shift, mut before) = (word, base, self.number(0));
        while half > 0 {
            let middle = below[half - 1];
            let further = self.is(IntCC::UnsignedGreaterThanOrEqual, place, middle);
            let high = self.shr(rest, half as i64 * 8);
            rest = self.choose(further, high, rest);
            let moved = self.plus(shift, half as i64 * 8);
            shift = self.choose(further, moved, shift);
            before = self.choose(further, middle, before);
            let (lower, upper) = (&below[..half - 1], &below[half..]);
            below = lower.iter().zip(upper).map(|(&a, &b)| self.choose(further, b, a)).collect();
            half /= 2;
        }
        let place = self.sub(place, before);
        let table = self.unit.pool.words(places_in_bytes());
        let byte = self.masked(rest, 0xff);
        let row = self.shl(byte, 3);
        let entry = self.add(row, place);
        let bit = self.byte_entry(table, entry);
        Ok(Chosen { square: self.add(shift, bit), bit: None })
    }

    /// The same in one word by the machine's own instruction.
    fn deposited(&mut self, word: Value, place: Value, base: Value) -> Written<Chosen> {
        let bit = self.bit(place);
        let bit = self.call_helper(DEPOSIT, &[bit, word])?;
        let place = self.b.ins().ctz(bit);
        Ok(Chosen { square: self.add(base, place), bit: Some(bit) })
    }

    /// The word of a set that the square in a place is in, its place there, and the word's first
    /// square.
    fn select_word(&mut self, set: &Set, place: Value) -> (Value, Value, Value) {
        let zero = self.number(0);
        let (mut word, mut base, mut before, mut below) = (set[0], zero, zero, zero);
        for (index, pair) in set.windows(2).enumerate() {
            let count = self.b.ins().popcnt(pair[0]);
            below = self.add(below, count);
            let further = self.is(IntCC::UnsignedGreaterThanOrEqual, place, below);
            word = self.choose(further, pair[1], word);
            before = self.choose(further, below, before);
            let first = self.number((index as i64 + 1) * 64);
            base = self.choose(further, first, base);
        }
        (word, self.sub(place, before), base)
    }

    /// How many bits are set in the lowest bytes of a word.
    fn count_below(&mut self, word: Value, bytes: usize) -> Value {
        let low = if bytes < 8 { self.masked(word, (1 << (bytes * 8)) - 1) } else { word };
        self.b.ins().popcnt(low)
    }
}

/// For each byte and each number below 8 the place of the bit that has that number among those
/// that are set.
fn places_in_bytes() -> Vec<u64> {
    let place = |byte: u64, number: usize| (0..8).filter(|bit| byte >> bit & 1 == 1).nth(number);
    (0..256)
        .map(|byte| (0..8).fold(0, |row, it| row | place(byte, it).unwrap_or(0) << (it * 8)))
        .collect()
}
