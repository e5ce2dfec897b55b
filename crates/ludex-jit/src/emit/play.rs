//! Playing a move, and whether there is a legal one.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Switch;
use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::passes::legality_guard::Doubt;
use ludex_ir::{Function, Inst, Reg, StatementId, Summary};

use super::frame::Operand;
use super::sets::Set;
use super::{Emitter, Mode, Wanted, Written};
use crate::context::{CUT, FOUND, IRREVERSIBLE, LEN, MOVES, NEXT};

/// An operand that is known to be an empty square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Empty {
    pub(super) operand: usize,
    /// The bit of the square in its word, where that is at hand.
    pub(super) bit: Option<Value>,
}

impl Emitter<'_, '_> {
    /// Plays a move: its effect, the turn, the counters. Gives the next to move where that is
    /// known beforehand.
    pub(super) fn play(
        &mut self,
        player: usize,
        statement: StatementId,
        operands: &[Operand],
        empty: Option<Empty>,
    ) -> Written<Option<usize>> {
        let effect = self.unit.players[player].effects[statement.0 as usize];
        let summary: Summary = self.unit.summaries.function(effect).clone();
        let zero = self.number(0);
        let counted = self.unit.layout.counted_byte() as i32;
        let sets_counters = self.counters().iter().any(|(array, _)| {
            summary.acts.writes.contains(array) || summary.tries.writes.contains(array)
        });
        if sets_counters {
            self.store(zero, self.state, counted);
        }
        let none = self.number(-1);
        if summary.acts.next {
            self.store(none, self.ctx, NEXT);
        }
        if self.has_history() {
            self.store(zero, self.ctx, IRREVERSIBLE);
        }
        let me = Operand::Int(self.number(player as i64));
        let args: Vec<Operand> = std::iter::once(me).chain(operands.iter().cloned()).collect();
        // While a move is being made, the position is not the one that the trail ends with.
        if summary.repeats {
            self.add_hypothetical(1);
        }
        let put = empty.and_then(|it| {
            let code = put_of(self.unit.program.function(effect), it.operand)?;
            let Operand::Int(square) = operands[it.operand] else { return None };
            Some((square, it.bit, code))
        });
        match put {
            Some((square, bit, code)) => self.put_on_empty(square, bit, code),
            None => {
                self.run(effect, Mode::Off, &args)?;
            }
        }
        if summary.repeats {
            self.add_hypothetical(-1);
        }
        let after = (player + 1) % self.unit.program.players.len();
        let lo = self.unit.program.arrays[TURN.0 as usize].lo;
        if summary.acts.next {
            let said = self.load(self.ctx, NEXT);
            let silent = self.is_number(IntCC::SignedLessThan, said, 0);
            let next = self.number(after as i64);
            let next = self.choose(silent, next, said);
            let raw = self.plus(next, -lo);
            self.put_raw(TURN, None, raw);
        } else if summary.acts.writes.contains(&TURN) {
            let raw = self.number(after as i64 - lo);
            self.put_raw(TURN, None, raw);
        } else {
            self.put_known(TURN, player as i64 - lo, after as i64 - lo);
        }
        self.count_up(sets_counters);
        Ok((!summary.acts.next).then_some(after))
    }

    /// Lets the counters grow that the move has not set.
    fn count_up(&mut self, some_set: bool) {
        let counted = self.unit.layout.counted_byte() as i32;
        for (bit, (array, index)) in self.counters().into_iter().enumerate() {
            let data = &self.unit.program.arrays[array.0 as usize];
            let top = data.hi - data.lo;
            let index = self.number(index as i64);
            let raw = self.raw_cell(array, Some(index));
            let more = self.plus(raw, 1);
            let most = self.number(top);
            let mut new = self.b.ins().smin(more, most);
            if some_set {
                let set = self.load(self.state, counted);
                let set = self.masked(set, 1 << bit);
                new = self.choose(set, raw, new);
            }
            self.put_raw(array, Some(index), new);
        }
    }

    /// Plays a move that is given packed; a move of no statement does nothing.
    pub(super) fn play_packed(&mut self, player: usize, low: Value, high: Value) -> Written<Value> {
        let statement = self.masked(low, 0xff);
        let done = self.b.create_block();
        let statements = self.unit.program.statements.len();
        let blocks: Vec<_> = (0..statements).map(|_| self.b.create_block()).collect();
        let mut switch = Switch::new();
        for (index, &block) in blocks.iter().enumerate() {
            switch.set_entry(index as u128, block);
        }
        switch.emit(&mut self.b, statement, done);
        for (index, &block) in blocks.iter().enumerate() {
            self.go_on_in(block);
            let statement = StatementId(index as u16);
            let operands = self.unpack(statement, low, high);
            self.play(player, statement, &operands, None)?;
            self.jump(done);
        }
        self.go_on_in(done);
        Ok(self.number(0))
    }

    /// 1 if the rules forbid a listed move, else 0. The position is put back.
    pub(super) fn forbidden(&mut self, player: usize, low: Value, high: Value) -> Written<Value> {
        let slot = self.block_slot();
        self.save_block(slot)?;
        let cut = self.load(self.ctx, CUT);
        let wrong = self.play_and_ask(player, low, high)?;
        self.store(cut, self.ctx, CUT);
        self.restore_block(slot)?;
        Ok(wrong)
    }

    /// Plays a move and gives 1 if that was forbidden. The position stays.
    pub(super) fn play_and_ask(
        &mut self,
        player: usize,
        low: Value,
        high: Value,
    ) -> Written<Value> {
        self.call_native(Wanted::Play(player), &[low, high])?;
        let Some(illegal) = self.unit.players[player].roles.illegal else {
            return Ok(self.number(0));
        };
        self.add_hypothetical(1);
        if self.has_history() {
            let cut = self.load(self.ctx, CUT);
            let irreversible = self.load(self.ctx, IRREVERSIBLE);
            let both = self.or(cut, irreversible);
            self.store(both, self.ctx, CUT);
        }
        // What playing said is needed afterwards, and the question might say something too.
        let irreversible = self.load(self.ctx, IRREVERSIBLE);
        let me = Operand::Int(self.number(player as i64));
        let answer = self.run(illegal, Mode::Off, &[me])?;
        self.store(irreversible, self.ctx, IRREVERSIBLE);
        self.add_hypothetical(-1);
        Ok(match answer {
            Some(Operand::Int(value)) => {
                let wrong = self.is_number(IntCC::NotEqual, value, 0);
                self.wide(wrong)
            }
            _ => self.number(0),
        })
    }

    /// 1 if a player has a legal move, else 0.
    pub(super) fn has_legal(&mut self, player: usize) -> Written<Value> {
        if self.unit.players[player].roles.illegal.is_some() {
            return self.has_allowed(player);
        }
        let moves = self.unit.players[player].roles.moves;
        let summary = self.unit.summaries.function(moves);
        // Found inside a `try`, a move leaves the position as it is there.
        let slot = (summary.tries != ludex_ir::summary::Acts::default()).then(|| self.block_slot());
        if let Some(slot) = slot {
            self.save_block(slot)?;
        }
        let layers = self.load(self.ctx, crate::context::HYPOTHETICAL);
        let me = self.number(player as i64);
        let (status, _) = self.call_raw(Wanted::Function(moves, Mode::Any), &[me])?;
        self.store(layers, self.ctx, crate::context::HYPOTHETICAL);
        if let Some(slot) = slot {
            self.restore_block(slot)?;
        }
        let found = self.is_number(IntCC::Equal, status, FOUND);
        let fine = self.is_number(IntCC::Equal, status, 0);
        let fine = self.b.ins().bor(found, fine);
        let bad = self.is_number(IntCC::Equal, fine, 0);
        self.stop_if(bad, crate::context::STOPPED);
        Ok(self.wide(found))
    }

    /// Lists the moves and looks for one that is allowed.
    fn has_allowed(&mut self, player: usize) -> Written<Value> {
        let moves = self.unit.players[player].roles.moves;
        let start = self.load(self.ctx, LEN);
        let me = self.number(player as i64);
        self.call_native(Wanted::Function(moves, Mode::List), &[me])?;
        let len = self.load(self.ctx, LEN);
        let (at, found) = (self.new_var(), self.new_var());
        let zero = self.number(0);
        self.b.def_var(at, start);
        self.b.def_var(found, zero);
        let [head, body, next, yes, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let index = self.b.use_var(at);
        let more = self.is(IntCC::UnsignedLessThan, index, len);
        self.branch(more, body, done);
        self.go_on_in(body);
        let (low, high) = self.listed(index);
        let wrong = self.call_native(Wanted::Forbidden(player), &[low, high])?;
        self.branch(wrong, next, yes);
        self.go_on_in(next);
        let following = self.plus(index, 1);
        self.b.def_var(at, following);
        self.jump(head);
        self.go_on_in(yes);
        let one = self.number(1);
        self.b.def_var(found, one);
        self.jump(done);
        self.go_on_in(done);
        self.store(start, self.ctx, LEN);
        Ok(self.b.use_var(found))
    }

    /// Lists the legal moves; gives how many there are.
    pub(super) fn legal(&mut self, player: usize) -> Written<Value> {
        let moves = self.unit.players[player].roles.moves;
        let me = self.number(player as i64);
        let zero = self.number(0);
        self.store(zero, self.ctx, LEN);
        self.call_native(Wanted::Function(moves, Mode::List), &[me])?;
        self.unite(player)?;
        if self.unit.players[player].roles.illegal.is_none() {
            return Ok(self.load(self.ctx, LEN));
        }
        let guarded = self.guarded(player)?;
        let guarded = guarded.map(|set| {
            let wrong = self.guards_all(&set);
            (set, self.wide(wrong))
        });
        let len = self.load(self.ctx, LEN);
        let (at, kept) = (self.new_var(), self.new_var());
        self.b.def_var(at, zero);
        self.b.def_var(kept, zero);
        let [head, body, next, keep, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let index = self.b.use_var(at);
        let more = self.is(IntCC::UnsignedLessThan, index, len);
        self.branch(more, body, done);
        self.go_on_in(body);
        let following = self.plus(index, 1);
        self.b.def_var(at, following);
        let (low, high) = self.listed(index);
        if let Some((guarded, wrong)) = &guarded {
            self.keep_unguarded(player, (guarded, *wrong), (low, high), keep);
        }
        let wrong = self.call_native(Wanted::Forbidden(player), &[low, high])?;
        self.branch(wrong, next, keep);
        self.go_on_in(keep);
        let place = self.b.use_var(kept);
        self.put_move(place, low, high);
        let place = self.plus(place, 1);
        self.b.def_var(kept, place);
        self.jump(next);
        self.go_on_in(next);
        self.jump(head);
        self.go_on_in(done);
        let kept = self.b.use_var(kept);
        self.store(kept, self.ctx, LEN);
        Ok(kept)
    }

    /// The squares that legality hangs on, if they can be told.
    pub(super) fn guarded(&mut self, player: usize) -> Written<Option<Set>> {
        let Some(guard) = &self.unit.players[player].legality_guard else { return Ok(None) };
        let func = guard.func;
        let me = Operand::Int(self.number(player as i64));
        Ok(match self.run(func, Mode::Off, &[me])? {
            Some(Operand::Set(set)) => Some(set),
            _ => None,
        })
    }

    /// Goes to `keep` with a move that writes to no guarded square, unless the position is `wrong`
    /// as it is.
    fn keep_unguarded(
        &mut self,
        player: usize,
        (guarded, wrong): (&Set, Value),
        (low, high): (Value, Value),
        keep: Block,
    ) {
        let Some(guard) = &self.unit.players[player].legality_guard else { return };
        let men = guard.men;
        let guards: Vec<(usize, Vec<Doubt>)> = (0..guard.guards.len())
            .filter_map(|statement| Some((statement, guard.doubts(statement)?)))
            .collect();
        let (test, statement) = (self.b.create_block(), self.masked(low, 0xff));
        let mut switch = Switch::new();
        let blocks: Vec<Block> = guards.iter().map(|_| self.b.create_block()).collect();
        for ((statement, _), &block) in guards.iter().zip(&blocks) {
            switch.set_entry(*statement as u128, block);
        }
        switch.emit(&mut self.b, statement, test);
        for ((statement, doubts), &block) in guards.iter().zip(&blocks) {
            self.go_on_in(block);
            let values = self.unpack(StatementId(*statement as u16), low, high);
            let mut hit = wrong;
            for &doubt in doubts {
                let doubtful = self.is_doubtful(doubt, &values, guarded, men);
                hit = self.or(hit, doubtful);
            }
            self.branch(hit, test, keep);
        }
        self.go_on_in(test);
    }

    /// 1 if a move is doubtful for a reason, else 0.
    fn is_doubtful(&mut self, doubt: Doubt, values: &[Operand], guarded: &Set, men: u64) -> Value {
        let (Doubt::Guarded(operand) | Doubt::Man(operand) | Doubt::NoSquare(operand)) = doubt;
        let Operand::Int(square) = values[operand] else { return self.number(1) };
        match doubt {
            Doubt::Guarded(_) => self.contains(guarded, square),
            Doubt::Man(_) => self.square_has(square, men),
            Doubt::NoSquare(_) => self.is_no_square(square),
        }
    }

    /// 1 if a number is not one of a square, else 0.
    pub(super) fn is_no_square(&mut self, square: Value) -> Value {
        let squares = self.unit.program.squares as i64;
        let outside = self.is_number(IntCC::UnsignedGreaterThanOrEqual, square, squares);
        self.wide(outside)
    }

    /// The two words of a listed move.
    pub(super) fn listed(&mut self, index: Value) -> (Value, Value) {
        let moves = self.load(self.ctx, MOVES);
        let byte = self.shl(index, 4);
        let at = self.add(moves, byte);
        (self.load(at, 0), self.load(at, 8))
    }
}

/// The man that an effect puts on an operand, if that is all it does.
fn put_of(effect: &Function, operand: usize) -> Option<i64> {
    let [block] = &effect.blocks[..] else { return None };
    let square = *effect.params.get(operand + 1)?;
    let mut codes: Vec<(Reg, i64)> = Vec::new();
    let mut put = None;
    for (inst, _) in &block.insts {
        match *inst {
            Inst::Const { dst, value } if square != dst.into() => codes.push((dst, value)),
            Inst::Store { array: BOARD, index: Some(at), value } if put.is_none() => {
                let code = codes.iter().rev().find(|(reg, _)| *reg == value)?.1;
                put = Some(code).filter(|_| square == at.into());
                put?;
            }
            _ => return None,
        }
    }
    put
}
