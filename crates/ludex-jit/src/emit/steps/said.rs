//! What a function says: about the end of the game, about the turn, about features.

use cranelift_codegen::ir::condcodes::IntCC;
use ludex_ir::{OutcomeKind, Reg};

use crate::context::{
    FEATURES, IRREVERSIBLE, NEXT, SAID, SAID_DIFFERS, SAID_OTHER, SAID_OTHER_PLACE, SAID_PLACES,
    SAID_SCORE,
};
use crate::emit::Emitter;
use crate::emit::frame::Frame;

impl Emitter<'_, '_> {
    /// Notes what was said; the same thing once.
    pub(super) fn outcome(
        &mut self,
        frame: &Frame<'_>,
        kind: OutcomeKind,
        score: Option<Reg>,
        place: u32,
    ) {
        let (new, done) = (self.b.create_block(), self.b.create_block());
        let bit = kind as i64;
        let kinds = self.load(self.ctx, SAID);
        let known = self.masked(kinds, 1 << bit);
        let score = score.map(|reg| self.int(frame, reg));
        let again = self.b.create_block();
        let place = self.number(i64::from(place));
        self.branch(known, again, new);
        self.go_on_in(new);
        let flag = self.number(1 << bit);
        let kinds = self.or(kinds, flag);
        self.store(kinds, self.ctx, SAID);
        self.store(place, self.ctx, SAID_PLACES + bit as i32 * 8);
        if let Some(score) = score {
            self.store(score, self.ctx, SAID_SCORE);
        }
        self.jump(done);
        self.go_on_in(again);
        if let Some(score) = score {
            let first = self.load(self.ctx, SAID_SCORE);
            let differs = self.is(IntCC::NotEqual, score, first);
            let other = self.b.create_block();
            self.branch(differs, other, done);
            self.go_on_in(other);
            self.store(score, self.ctx, SAID_OTHER);
            self.store(place, self.ctx, SAID_OTHER_PLACE);
            let one = self.number(1);
            self.store(one, self.ctx, SAID_DIFFERS);
        }
        self.jump(done);
        self.go_on_in(done);
    }

    pub(super) fn feature(&mut self, frame: &Frame<'_>, index: u16, value: Reg) {
        let value = self.int(frame, value);
        let value = self.real(value);
        let value = self.bits(value);
        let features = self.load(self.ctx, FEATURES);
        self.store(value, features, i32::from(index) * 8);
    }

    /// No earlier position can come back. What is said inside a `try` is not said.
    pub(super) fn irreversible(&mut self, depth: usize) {
        if depth == 0 {
            let one = self.number(1);
            self.store(one, self.ctx, IRREVERSIBLE);
        }
    }

    /// Who is next, if it is a player; inside a `try` none.
    pub(super) fn next_inst(&mut self, frame: &Frame<'_>, player: Reg, depth: usize) {
        if depth == 0 {
            let player = self.int(frame, player);
            let old = self.load(self.ctx, NEXT);
            let right = self.inside(player, self.unit.program.players.len());
            let next = self.choose(right, player, old);
            self.store(next, self.ctx, NEXT);
        }
    }
}
