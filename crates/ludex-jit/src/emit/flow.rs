//! Blocks, calls and hypothetical writes.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value};
use cranelift_module::Module;
use ludex_ir::{End, Func, Inst, TryDepth, Var};

use super::frame::{Frame, Operand, PathValue};
use super::{Emitter, Mode, Wanted, Written};
use crate::context::{FUEL, HYPOTHETICAL, IRREVERSIBLE, NEXT, STACK_FLOOR, STOPPED};

/// What a call costs.
const CALL_STEPS: i64 = 12;
/// Blocks of more words are copied by a call: word by word they would be long code.
const MOST_WORDS_IN_LINE: usize = 128;

impl Emitter<'_, '_> {
    /// The whole of a native function: takes the arguments, gives a number.
    pub(super) fn function(&mut self, func: Func, mode: Mode, args: &[Value]) -> Written<Value> {
        self.guard_stack();
        let function = self.unit.program.function(func);
        let mut args = args.iter().copied();
        let mut next = || args.next();
        let mut operands = Vec::new();
        for &param in &function.params {
            operands.push(match param {
                Var::Int(_) => {
                    let value = next();
                    Operand::Int(value.unwrap_or_else(|| self.number(0)))
                }
                Var::Set(_) => {
                    let at = next();
                    let at = at.unwrap_or(self.state);
                    Operand::Set(self.load_set(at))
                }
                Var::Path(_) => {
                    let [len, low, high] = [next(), next(), next()];
                    let zero = self.number(0);
                    let [len, low, high] = [len, low, high].map(|it| it.unwrap_or(zero));
                    Operand::Path(PathValue { len, items: self.wide_number(low, high) })
                }
            });
        }
        let out = next();
        match (self.run(func, mode, &operands)?, out) {
            (Some(Operand::Int(value)), _) => Ok(value),
            (Some(Operand::Set(set)), Some(at)) => {
                self.store_set(&set, at);
                Ok(self.number(0))
            }
            (Some(Operand::Path(path)), Some(at)) => {
                let (low, high) = self.b.ins().isplit(path.items);
                for (index, word) in [path.len, low, high].into_iter().enumerate() {
                    self.store(word, at, index as i32 * 8);
                }
                Ok(self.number(0))
            }
            _ => Ok(self.number(0)),
        }
    }

    /// Code that would run out of stack stops instead. Every chain of calls that can go on without
    /// end comes through here; see [`MOST_FRAME_BYTES`](super::MOST_FRAME_BYTES) for those between two of these looks.
    fn guard_stack(&mut self) {
        let here = self.b.ins().get_stack_pointer(I64);
        let floor = self.load(self.ctx, STACK_FLOOR);
        let low = self.is(IntCC::UnsignedLessThan, here, floor);
        self.stop_if(low, STOPPED);
        self.spend(CALL_STEPS);
    }

    /// Takes steps from what is left.
    pub(super) fn spend(&mut self, steps: i64) {
        let left = self.b.use_var(self.fuel);
        let left = self.plus(left, -steps);
        self.b.def_var(self.fuel, left);
        let spent = self.is_number(IntCC::SignedLessThan, left, 0);
        self.stop_if(spent, STOPPED);
    }

    /// Puts a function of the program here; gives its result.
    pub(super) fn run(
        &mut self,
        func: Func,
        mode: Mode,
        args: &[Operand],
    ) -> Written<Option<Operand>> {
        let mut frame = self.frame(func, mode);
        for (&param, value) in frame.function.params.iter().zip(args) {
            self.set_operand(&frame, param, value);
        }
        let entry = frame.places[0];
        self.jump(entry);
        let depths = TryDepth::of(frame.function);
        let slots = self.try_slots(deepest(&frame, &depths));
        for block in frame.order.clone() {
            frame.at = block;
            let place = frame.places[block.0 as usize];
            self.go_on_in(place);
            let round = frame.rounds[block.0 as usize];
            if round > 0 {
                self.spend(round);
            }
            for (depth, (inst, source)) in depths
                .insts(frame.function, block)
                .zip(&frame.function.block(block).insts)
                .map(|((depth, _), inst)| (depth, inst))
            {
                self.inst(&frame, inst, *source, depth as usize, &slots)?;
            }
            self.end(&frame, &frame.function.block(block).end.0);
        }
        let exit = frame.exit;
        self.go_on_in(exit);
        Ok(frame.function.result.map(|var| self.result(&frame, var)))
    }

    fn result(&mut self, frame: &Frame<'_>, var: Var) -> Operand {
        match var {
            Var::Int(reg) => Operand::Int(self.int_at_exit(frame, reg)),
            other => self.operand(frame, other),
        }
    }

    fn end(&mut self, frame: &Frame<'_>, end: &End) {
        match *end {
            End::Jump(to) => self.jump(frame.places[to.0 as usize]),
            End::Branch { cond, yes, no } => {
                let cond = self.int(frame, cond);
                let (yes, no) = (frame.places[yes.0 as usize], frame.places[no.0 as usize]);
                self.branch(cond, yes, no);
            }
            End::Return => self.jump(frame.exit),
        }
    }

    /// Room for what as many `try` inside each other save. Functions that are put here one after the
    /// other share it.
    fn try_slots(&mut self, depth: usize) -> Vec<StackSlot> {
        while self.saved.len() < depth {
            let slot = self.block_slot();
            self.saved.push(slot);
        }
        self.saved[..depth].to_vec()
    }

    /// Room for the state while it is asked what a player could reply; nothing of that is left when
    /// the next one asks.
    pub(super) fn reply_slot(&mut self) -> StackSlot {
        let slot = self.reply_slot.unwrap_or_else(|| self.block_slot());
        self.reply_slot = Some(slot);
        slot
    }

    /// Room for a copy of the state's block.
    pub(super) fn block_slot(&mut self) -> StackSlot {
        let bytes = self.unit.layout.block_words() as u32 * 8;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        self.b.create_sized_stack_slot(data)
    }

    /// Copies the block of the state to a slot.
    pub(super) fn save_block(&mut self, slot: StackSlot) -> Written {
        self.flush();
        let to = self.b.ins().stack_addr(I64, slot, 0);
        self.copy_block(self.state, to)
    }

    /// Puts back what was saved.
    pub(super) fn restore_block(&mut self, slot: StackSlot) -> Written {
        let from = self.b.ins().stack_addr(I64, slot, 0);
        self.copy_block(from, self.state)?;
        self.fetch();
        Ok(())
    }

    fn copy_block(&mut self, from: Value, to: Value) -> Written {
        let words = self.unit.layout.block_words();
        if words > MOST_WORDS_IN_LINE {
            let words = self.number(words as i64);
            self.call_helper("copy_words", &[from, to, words])?;
            return Ok(());
        }
        for word in 0..words as i32 {
            let value = self.load(from, word * 8);
            self.store(value, to, word * 8);
        }
        Ok(())
    }

    /// `try` and its end, at a depth.
    pub(super) fn try_begin(&mut self, slot: StackSlot) -> Written {
        self.save_block(slot)?;
        self.add_hypothetical(1);
        Ok(())
    }

    pub(super) fn try_end(&mut self, slot: StackSlot) -> Written {
        self.restore_block(slot)?;
        self.add_hypothetical(-1);
        Ok(())
    }

    pub(super) fn add_hypothetical(&mut self, by: i64) {
        if self.has_history() {
            let layers = self.load(self.ctx, HYPOTHETICAL);
            let layers = self.plus(layers, by);
            self.store(layers, self.ctx, HYPOTHETICAL);
        }
    }

    pub(super) fn load_set(&mut self, at: Value) -> Vec<Value> {
        (0..self.words()).map(|word| self.load(at, word as i32 * 8)).collect()
    }

    pub(super) fn store_set(&mut self, set: &[Value], at: Value) {
        for (word, &value) in set.iter().enumerate() {
            self.store(value, at, word as i32 * 8);
        }
    }

    /// Room for a set in memory.
    pub(super) fn set_slot(&mut self) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, self.words() as u32 * 8, 3);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(I64, slot, 0)
    }

    /// Calls another function of the program.
    pub(super) fn call(
        &mut self,
        frame: &Frame<'_>,
        func: Func,
        args: &[Var],
        result: Option<Var>,
        depth: usize,
    ) -> Written {
        let summary = self.unit.summaries.function(func);
        let mode = if summary.emits { frame.mode } else { Mode::Off };
        let keeps = depth > 0 && (summary.acts.next || summary.acts.irreversible);
        let mut words = Vec::new();
        for &arg in args {
            match self.operand(frame, arg) {
                Operand::Int(value) => words.push(value),
                Operand::Set(set) => {
                    let at = self.set_slot();
                    self.store_set(&set, at);
                    words.push(at);
                }
                Operand::Path(path) => {
                    let (low, high) = self.b.ins().isplit(path.items);
                    words.extend([path.len, low, high]);
                }
            }
        }
        let out = match self.unit.program.function(func).result {
            Some(Var::Set(_)) => Some(self.set_slot()),
            Some(Var::Path(_)) => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, 24, 3);
                let slot = self.b.create_sized_stack_slot(data);
                Some(self.b.ins().stack_addr(I64, slot, 0))
            }
            _ => None,
        };
        words.extend(out);
        // What is said about the turn inside a `try` is not said.
        let said = keeps.then(|| (self.load(self.ctx, NEXT), self.load(self.ctx, IRREVERSIBLE)));
        let answer = self.call_native(Wanted::Function(func, mode), &words)?;
        if let Some((next, irreversible)) = said {
            self.store(next, self.ctx, NEXT);
            self.store(irreversible, self.ctx, IRREVERSIBLE);
        }
        match (result, out) {
            (Some(Var::Int(reg)), _) => self.set_int(frame, reg, answer),
            (Some(Var::Set(reg)), Some(at)) => {
                let set = self.load_set(at);
                self.set_set(frame, reg, &set);
            }
            (Some(Var::Path(reg)), Some(at)) => {
                let [len, low, high] = [0, 8, 16].map(|byte| self.load(at, byte));
                let items = self.wide_number(low, high);
                self.set_path(frame, reg, PathValue { len, items });
            }
            _ => {}
        }
        Ok(())
    }

    /// Calls a native function; a status that is not 0 goes up.
    pub(super) fn call_native(&mut self, wanted: Wanted, args: &[Value]) -> Written<Value> {
        let (status, answer) = self.call_raw(wanted, args)?;
        let stopped = self.is_number(IntCC::NotEqual, status, 0);
        let (up, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(up);
        self.branch(stopped, up, on);
        self.go_on_in(up);
        self.stop(status);
        self.go_on_in(on);
        Ok(answer)
    }

    /// Calls a native function; gives its status and its answer.
    pub(super) fn call_raw(&mut self, wanted: Wanted, args: &[Value]) -> Written<(Value, Value)> {
        let id = self.unit.want(wanted)?;
        let callee = self.unit.module.declare_func_in_func(id, self.b.func);
        let left = self.b.use_var(self.fuel);
        self.store(left, self.ctx, FUEL);
        self.flush();
        let all: Vec<Value> = [self.ctx, self.state].iter().chain(args).copied().collect();
        let call = self.b.ins().call(callee, &all);
        let results = self.b.inst_results(call);
        let (status, answer) = (results[0], results[1]);
        let left = self.load(self.ctx, FUEL);
        self.b.def_var(self.fuel, left);
        self.fetch();
        Ok((status, answer))
    }

    /// Calls a function of this crate.
    pub(super) fn call_helper(&mut self, name: &'static str, args: &[Value]) -> Written<Value> {
        let id = self.unit.helper(name, args.len())?;
        let callee = self.unit.module.declare_func_in_func(id, self.b.func);
        let call = self.b.ins().call(callee, args);
        Ok(self.b.inst_results(call)[0])
    }
}

/// How many `try` may be open at once.
fn deepest(frame: &Frame<'_>, depths: &TryDepth) -> usize {
    let mut deepest = 0;
    for &block in &frame.order {
        for (depth, inst) in depths.insts(frame.function, block) {
            if matches!(inst, Inst::TryBegin) {
                deepest = deepest.max(depth as usize + 1);
            }
        }
    }
    deepest
}
