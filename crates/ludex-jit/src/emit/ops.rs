//! Short names for the machine operations that the rest of the code is made of.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F64, I8, I16, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value};

use super::Emitter;

/// Memory that native code may read and write where it does: its state, its context and its own
/// stack.
const OWN: MemFlagsData = MemFlagsData::trusted();

/// Tables that never change.
fn fixed() -> MemFlagsData {
    MemFlagsData::trusted().with_readonly().with_can_move()
}

impl Emitter<'_, '_> {
    pub(super) fn number(&mut self, value: i64) -> Value {
        self.b.ins().iconst(I64, value)
    }

    pub(super) fn load(&mut self, base: Value, byte: i32) -> Value {
        self.b.ins().load(I64, OWN, base, byte)
    }

    pub(super) fn store(&mut self, value: Value, base: Value, byte: i32) {
        self.b.ins().store(OWN, value, base, byte);
    }

    pub(super) fn load_byte(&mut self, base: Value, byte: i32) -> Value {
        self.b.ins().uload8(I64, OWN, base, byte)
    }

    pub(super) fn store_byte(&mut self, value: Value, base: Value, byte: i32) {
        let value = self.b.ins().ireduce(I8, value);
        self.b.ins().store(OWN, value, base, byte);
    }

    pub(super) fn load_pair(&mut self, base: Value, byte: i32) -> Value {
        self.b.ins().uload16(I64, OWN, base, byte)
    }

    pub(super) fn store_pair(&mut self, value: Value, base: Value, byte: i32) {
        let value = self.b.ins().ireduce(I16, value);
        self.b.ins().store(OWN, value, base, byte);
    }

    /// A word of a constant table; `index` must be inside it.
    pub(super) fn entry(&mut self, table: i64, index: Value) -> Value {
        let table = self.number(table);
        let at = self.shl(index, 3);
        let at = self.add(table, at);
        self.b.ins().load(I64, fixed(), at, 0)
    }

    /// A byte of a constant table; `index` must be inside it.
    pub(super) fn byte_entry(&mut self, table: i64, index: Value) -> Value {
        let table = self.number(table);
        let at = self.add(table, index);
        self.b.ins().uload8(I64, fixed(), at, 0)
    }

    /// Several words of a constant table, from word `index * words` on.
    pub(super) fn entries(&mut self, table: i64, index: Value, words: usize) -> Vec<Value> {
        let table = self.number(table);
        let at = self.times(index, words as i64 * 8);
        let at = self.add(table, at);
        (0..words).map(|word| self.b.ins().load(I64, fixed(), at, word as i32 * 8)).collect()
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().iadd(a, b)
    }

    pub(super) fn sub(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().isub(a, b)
    }

    pub(super) fn plus(&mut self, a: Value, n: i64) -> Value {
        if n == 0 { a } else { self.b.ins().iadd_imm_s(a, n) }
    }

    pub(super) fn times(&mut self, a: Value, n: i64) -> Value {
        if n > 0 && n & (n - 1) == 0 {
            return self.shl(a, i64::from(n.trailing_zeros()));
        }
        self.b.ins().imul_imm_s(a, n)
    }

    pub(super) fn and(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().band(a, b)
    }

    pub(super) fn or(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().bor(a, b)
    }

    pub(super) fn xor(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().bxor(a, b)
    }

    pub(super) fn and_not(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().band_not(a, b)
    }

    /// `a & mask`.
    pub(super) fn masked(&mut self, a: Value, mask: u64) -> Value {
        if mask == u64::MAX {
            return a;
        }
        let mask = self.number(mask as i64);
        self.and(a, mask)
    }

    /// `a << n`, or `a >> -n` if `n` is negative.
    pub(super) fn moved(&mut self, a: Value, n: i64) -> Value {
        if n >= 0 { self.shl(a, n) } else { self.shr(a, -n) }
    }

    pub(super) fn shl(&mut self, a: Value, n: i64) -> Value {
        if n == 0 { a } else { self.b.ins().ishl_imm_u(a, n) }
    }

    pub(super) fn shr(&mut self, a: Value, n: i64) -> Value {
        if n == 0 { a } else { self.b.ins().ushr_imm_u(a, n) }
    }

    /// `1 << (n & 63)`.
    pub(super) fn bit(&mut self, n: Value) -> Value {
        let one = self.number(1);
        self.b.ins().ishl(one, n)
    }

    /// `(word >> (n & 63)) & 1`.
    pub(super) fn bit_of(&mut self, word: Value, n: Value) -> Value {
        let word = self.b.ins().ushr(word, n);
        self.masked(word, 1)
    }

    pub(super) fn choose(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        self.b.ins().select(cond, yes, no)
    }

    /// A comparison as 0 or 1 in eight bits: for branches and choices.
    pub(super) fn is(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        self.b.ins().icmp(cc, a, b)
    }

    pub(super) fn is_number(&mut self, cc: IntCC, a: Value, n: i64) -> Value {
        self.b.ins().icmp_imm_s(cc, a, n)
    }

    pub(super) fn is_real(&mut self, cc: FloatCC, a: Value, b: Value) -> Value {
        self.b.ins().fcmp(cc, a, b)
    }

    /// A comparison as a number.
    pub(super) fn wide(&mut self, cond: Value) -> Value {
        self.b.ins().uextend(I64, cond)
    }

    /// Whether `index` is one of `0..len`.
    pub(super) fn inside(&mut self, index: Value, len: usize) -> Value {
        self.is_number(IntCC::UnsignedLessThan, index, len as i64)
    }

    pub(super) fn real(&mut self, bits: Value) -> Value {
        self.b.ins().bitcast(F64, MemFlagsData::new(), bits)
    }

    /// A real as a register holds it: 0 for what is no number.
    pub(super) fn bits(&mut self, real: Value) -> Value {
        let number = self.b.ins().fcmp(FloatCC::Ordered, real, real);
        let bits = self.b.ins().bitcast(I64, MemFlagsData::new(), real);
        let zero = self.number(0);
        self.choose(number, bits, zero)
    }

    pub(super) fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    pub(super) fn jump_with(&mut self, to: Block, value: Value) {
        self.b.ins().jump(to, &[BlockArg::Value(value)]);
    }

    pub(super) fn branch(&mut self, cond: Value, yes: Block, no: Block) {
        self.b.ins().brif(cond, yes, &[], no, &[]);
    }

    /// A new block that the code goes on in.
    pub(super) fn go_on_in(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    /// Goes on only if `cond` does not hold; else the code stops with `status`.
    pub(super) fn stop_if(&mut self, cond: Value, status: i64) {
        let (stop, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(stop);
        self.branch(cond, stop, on);
        self.go_on_in(stop);
        let status = self.number(status);
        self.stop(status);
        self.go_on_in(on);
    }

    /// Leaves the native function with a status that is not 0.
    pub(super) fn stop(&mut self, status: Value) {
        let stop = self.stop;
        self.jump_with(stop, status);
    }
}
