//! Questions about more than the cells: the past, replies, the search.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use ludex_ir::Reg;
use ludex_ir::inst::TURN;

use crate::context::{CUT, HYPOTHETICAL, KEYS, KEYS_LEN};
use crate::emit::frame::Frame;
use crate::emit::{Emitter, Wanted, Written};

impl Emitter<'_, '_> {
    /// A number that the context holds at a byte.
    pub(super) fn context_number(&mut self, frame: &Frame<'_>, dst: Reg, byte: i32) {
        let value = self.load(self.ctx, byte);
        self.set_int(frame, dst, value);
    }

    pub(super) fn repeats_inst(&mut self, frame: &Frame<'_>, dst: Reg) {
        let count = self.repeats();
        self.set_int(frame, dst, count);
    }

    /// How many earlier positions had the key of this one.
    fn repeats(&mut self) -> Value {
        let keys = self.load(self.ctx, KEYS);
        let len = self.load(self.ctx, KEYS_LEN);
        let byte = self.unit.layout.key_byte() as i32;
        let key = self.state_word(byte);
        let (at, count) = (self.new_var(), self.new_var());
        let zero = self.number(0);
        self.b.def_var(at, zero);
        self.b.def_var(count, zero);
        let [head, body, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let index = self.b.use_var(at);
        let more = self.is(IntCC::UnsignedLessThan, index, len);
        self.branch(more, body, done);
        self.go_on_in(body);
        let byte = self.shl(index, 3);
        let address = self.add(keys, byte);
        let other = self.load(address, 0);
        let same = self.is(IntCC::Equal, key, other);
        let same = self.wide(same);
        let sum = self.b.use_var(count);
        let sum = self.add(sum, same);
        self.b.def_var(count, sum);
        let next = self.plus(index, 1);
        self.b.def_var(at, next);
        self.jump(head);
        self.go_on_in(done);
        let sum = self.b.use_var(count);
        let layers = self.load(self.ctx, HYPOTHETICAL);
        let present = self.is_number(IntCC::Equal, layers, 0);
        let present = self.wide(present);
        let earlier = self.sub(sum, present);
        let earlier = self.b.ins().smax(earlier, zero);
        let cut = self.load(self.ctx, CUT);
        self.choose(cut, zero, earlier)
    }

    /// Whether a player, being to move, has a legal move.
    pub(super) fn reply(&mut self, frame: &Frame<'_>, dst: Reg, player: Reg) -> Written {
        let known = frame.known(player);
        let player = self.int(frame, player);
        let answer = self.new_var();
        let zero = self.number(0);
        self.b.def_var(answer, zero);
        let (slot, done) = (self.reply_slot(), self.b.create_block());
        for it in 0..self.unit.program.players.len() {
            if known.is_some_and(|known| known != it as i64) {
                continue;
            }
            let (this, other) = (self.b.create_block(), self.b.create_block());
            let same = self.is_number(IntCC::Equal, player, it as i64);
            self.branch(same, this, other);
            self.go_on_in(this);
            self.save_block(slot)?;
            self.add_hypothetical(1);
            let turn = self.number(it as i64);
            self.put_raw(TURN, None, turn);
            let found = self.call_native(Wanted::HasLegal(it), &[])?;
            self.add_hypothetical(-1);
            self.restore_block(slot)?;
            self.b.def_var(answer, found);
            self.jump(done);
            self.go_on_in(other);
        }
        self.jump(done);
        self.go_on_in(done);
        let answer = self.b.use_var(answer);
        self.set_int(frame, dst, answer);
        Ok(())
    }
}
