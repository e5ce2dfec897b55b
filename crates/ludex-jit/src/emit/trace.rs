//! The moves of a random game, noted as they are played.
//!
//! A move that was drawn from sets is packed as a list would pack it, so that it is the one that
//! listing would have given.

use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;

use super::playout::Loop;
use super::{Emitter, Written};
use crate::context::{STOPPED, TRACE, TRACE_CAP};

impl Emitter<'_, '_> {
    /// Notes the move of this turn; there are as many as turns before it.
    pub(super) fn note(&mut self, places: &Loop, low: Value, high: Value) -> Written {
        let index = self.b.use_var(places.plies);
        let cap = self.load(self.ctx, TRACE_CAP);
        let full = self.is(IntCC::UnsignedGreaterThanOrEqual, index, cap);
        let (grow, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(grow);
        self.branch(full, grow, on);
        self.go_on_in(grow);
        let refused = self.call_helper("more_trace", &[self.ctx])?;
        self.stop_if(refused, STOPPED);
        self.jump(on);
        self.go_on_in(on);
        let trace = self.load(self.ctx, TRACE);
        let byte = self.shl(index, 4);
        let at = self.add(trace, byte);
        self.store(low, at, 0);
        self.store(high, at, 8);
        Ok(())
    }
}
