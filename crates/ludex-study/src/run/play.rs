//! What playing a move does, and why.
//!
//! The operands of a move are what it is: its effect depends on cells only
//! where it looks at them. What a move does depends on the address, the value
//! and the condition of every write, and on every branch that might have
//! written something else.

use ludex_core::Fault;
use ludex_interp::Write;
use ludex_ir::inst::TURN;
use ludex_ir::moves::Value;
use ludex_ir::{PackedMove, Var};

use crate::label::Label;
use ludex_interp::record;

use super::{Deeds, Machine};

impl Machine<'_> {
    /// What playing `mv` writes, as player `me`, and why. The state stays as it is.
    pub(crate) fn effect(
        &mut self,
        me: usize,
        mv: PackedMove,
    ) -> Result<(Vec<Write>, Label), Fault> {
        let mark = self.cells.mark();
        let before = std::mem::replace(&mut self.hypothetical, true);
        self.deeds = Deeds { wanted: true, ..Deeds::default() };
        self.play(me, mv)?;
        self.cells.back(mark);
        self.hypothetical = before;
        let deeds = std::mem::take(&mut self.deeds);
        Ok((deeds.writes, deeds.label))
    }

    /// Plays a move: its effect, the turn, the counters.
    pub(super) fn play(&mut self, me: usize, mv: PackedMove) -> Result<(), Fault> {
        let program = &self.code.program;
        let Some((_, statement)) = program.statement_of(mv) else { return Ok(()) };
        let mark = self.cells.mark();
        self.deeds.tries = self.tries.len();
        let function = program.effect(statement);
        let mut frame = self.frame(statement.effect, Label::NONE);
        let operands = program.unpack(mv).into_iter();
        let values = std::iter::once(Value::Int(me as i64)).chain(operands);
        for (&param, value) in function.params.iter().zip(values) {
            match (param, value) {
                (Var::Int(reg), Value::Int(value)) => frame.ints[reg.0 as usize].0 = value,
                (Var::Path(reg), Value::Path(path)) => frame.paths[reg.0 as usize].0 = path,
                _ => {}
            }
        }
        self.exec(function, &mut frame, statement.place)?;

        let next = self.deeds.next.unwrap_or((me + 1) % program.players.len());
        self.write(TURN, self.code.turn_cell, next as i64, Label::NONE, 0)?;
        for &counter in &self.code.counters {
            if !self.cells.written_since(&mark, counter) {
                self.count_up(counter);
            }
        }
        Ok(())
    }

    fn count_up(&mut self, counter: usize) {
        let raw = self.cells.raw(counter);
        let top = (self.code.domain(counter) - 1) as u16;
        let label = self.query(counter, Label::NONE, super::query::Query::Value);
        self.cells.write(counter, (raw + 1).min(top), label);
        self.remember(Write::Add(counter, 1), (i64::MIN, i64::MAX));
    }

    /// Whether a `try` of the effect itself is open.
    pub(super) fn trying(&self) -> bool {
        self.tries.len() > self.deeds.tries
    }

    /// Records a write that will not be undone.
    pub(super) fn remember(&mut self, write: Write, (lo, hi): (i64, i64)) {
        if self.deeds.wanted && self.tries.is_empty() {
            record(&mut self.deeds.writes, write, lo, hi);
        }
    }

    /// What the move writes depends on `label`, unless it is going to be undone.
    pub(super) fn written_because(&mut self, label: Label) {
        if self.tries.is_empty() {
            self.done_because(label);
        }
    }

    /// What the move does depends on `label`.
    pub(super) fn done_because(&mut self, label: Label) {
        if self.deeds.wanted {
            self.deeds.label = self.labels.union(self.deeds.label, label);
        }
    }
}
