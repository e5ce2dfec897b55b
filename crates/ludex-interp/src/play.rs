//! What a legal move is, and what playing it does.
//!
//! ```text
//! moves(me) ──> distinct ──> twins united ──> illegal(me) after each? ──> legal
//!                                                                  none? ──> stuck(me)
//! ```
//!
//! To play a move is to run its statement's effect, pass the turn on and let the
//! counters grow. Legality is asked in the position after that, which is then
//! taken back. The present position may itself be hypothetical: an instruction
//! of a running function may ask whether a player would have a reply.

use ludex_ir::inst::TURN;
use ludex_ir::moves::Value;
use ludex_ir::{Func, PackedMove, Var};

use crate::fault::Halt;
use crate::machine::{Ctx, Listing, Machine, Passing, Sink};
use crate::operands::unpack;
use crate::writes::{Write, record};

impl Machine {
    /// The player to move.
    pub(crate) fn mover(&self, ctx: &Ctx<'_>) -> usize {
        let cell = ctx.tables.turn_cell();
        let slot = ctx.tables.slot(TURN);
        let player = i64::from(self.cells.raw(cell)) + slot.lo;
        usize::try_from(player).unwrap_or(usize::MAX)
    }

    /// Plays a move of player `me`: its effect, the turn, the counters.
    ///
    /// Whether it was irreversible is in `passing` afterwards. A move of no
    /// statement does nothing.
    pub(crate) fn play(&mut self, ctx: &Ctx<'_>, me: usize, mv: PackedMove) -> Result<(), Halt> {
        let mark = self.cells.mark();
        self.hypothetical = true;
        self.passing = Passing { tries: self.tries.len(), ..Passing::default() };
        if !self.effect(ctx, me, mv)? {
            return Ok(());
        }
        let tables = ctx.tables;
        let next = self.passing.next.unwrap_or(me.wrapping_add(1) % tables.players().max(1));
        let slot = tables.slot(TURN);
        self.store(ctx, slot.base, next as i64, (slot.lo, slot.hi), 0)?;
        for counter in &tables.counters {
            if !self.cells.written(mark, counter.cell) {
                self.count_up(ctx, counter.cell, counter.top);
            }
        }
        Ok(())
    }

    fn count_up(&mut self, ctx: &Ctx<'_>, cell: usize, top: u16) {
        let raw = self.cells.raw(cell);
        if raw < top {
            self.cells.write(&ctx.tables.layout, cell, raw + 1);
        }
        if self.sink.writes {
            record(&mut self.writes, Write::Add(cell, 1), i64::MIN, i64::MAX);
        }
    }

    /// Runs the effect of a move; whether there is such a statement.
    fn effect(&mut self, ctx: &Ctx<'_>, me: usize, mv: PackedMove) -> Result<bool, Halt> {
        let Some((id, statement)) = ctx.tables.program.statement_of(mv) else { return Ok(false) };
        let function = ctx.tables.program.effect(statement);
        let frame = self.enter(ctx, function, statement.place)?;
        self.set_me(function, frame, me as i64);
        unpack(ctx.tables, id, mv, |index, value| match (function.params.get(index + 1), value) {
            (Some(&Var::Int(reg)), Value::Int(value)) => self.set_int(frame, reg, value),
            (Some(&Var::Path(reg)), Value::Path(path)) => self.set_path(frame, reg, path),
            _ => {}
        });
        self.exec(ctx, statement.effect, frame)?;
        self.leave(frame);
        Ok(true)
    }

    /// Whether the rules allow a move that `moves` listed.
    pub(crate) fn allowed(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
        mv: PackedMove,
    ) -> Result<bool, Halt> {
        let Some(illegal) = ctx.tables.program.roles.illegal else { return Ok(true) };
        let before = self.suspend();
        self.play(ctx, me, mv)?;
        self.cut |= self.passing.irreversible;
        let forbidden = self.run(ctx, illegal, me as i64)? != 0;
        self.recover(ctx, before);
        Ok(!forbidden)
    }

    /// Lists what the `moves` of the file emit for player `me`; gives where the list begins.
    pub(crate) fn list_emitted(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
        listing: Listing,
    ) -> Result<usize, Halt> {
        self.list_from(ctx, ctx.tables.program.roles.moves, me, listing, false)
    }

    /// Lists what a function emits for player `me`, and keeps what it says of the result if
    /// `outcomes`; gives where the list begins.
    pub(crate) fn list_from(
        &mut self,
        ctx: &Ctx<'_>,
        func: Func,
        me: usize,
        listing: Listing,
        outcomes: bool,
    ) -> Result<usize, Halt> {
        let start = self.moves.len();
        let before = self.suspend();
        self.sink = Sink { listing, list_start: start, outcomes, ..Sink::default() };
        self.run(ctx, func, me as i64)?;
        self.recover(ctx, before);
        Ok(start)
    }

    /// Lists the legal moves of player `me` from `start` on, before `stuck`.
    pub(crate) fn list_legal(&mut self, ctx: &Ctx<'_>, me: usize) -> Result<usize, Halt> {
        let start = self.list_emitted(ctx, me, Listing::All { weights: false })?;
        self.unite_twins(ctx, me, start)?;
        if ctx.tables.program.roles.illegal.is_some() {
            let mut kept = start;
            for index in start..self.moves.len() {
                let mv = self.moves[index];
                if self.allowed(ctx, me, mv)? {
                    self.moves[kept] = mv;
                    kept += 1;
                }
            }
            self.moves.truncate(kept);
        }
        Ok(start)
    }

    /// Whether player `me` has a legal move, before `stuck`.
    pub(crate) fn has_legal(&mut self, ctx: &Ctx<'_>, me: usize) -> Result<bool, Halt> {
        let start = self.moves.len();
        let before = self.suspend();
        let listing = Listing::First { me, tries: self.tries.len() };
        self.sink = Sink { listing, list_start: start, ..Sink::default() };
        let mut found = match self.run(ctx, ctx.tables.program.roles.moves, me as i64) {
            Ok(_) => false,
            Err(Halt::Enough) => true,
            Err(fault) => return Err(fault),
        };
        self.recover(ctx, before);
        for index in start..self.moves.len() {
            found = found || self.allowed(ctx, me, self.moves[index])?;
        }
        self.moves.truncate(start);
        Ok(found)
    }

    /// Whether `player`, being to move in the present state, has a legal move.
    pub(crate) fn has_reply(
        &mut self,
        ctx: &Ctx<'_>,
        player: i64,
        place: u32,
    ) -> Result<bool, Halt> {
        if player < 0 || player >= ctx.tables.players() as i64 {
            return Ok(false);
        }
        let before = self.suspend();
        self.deepen(ctx, place)?;
        self.hypothetical = true;
        let slot = ctx.tables.slot(TURN);
        self.store(ctx, slot.base, player, (slot.lo, slot.hi), place)?;
        let found = self.has_legal(ctx, player as usize)?;
        self.recover(ctx, before);
        Ok(found)
    }
}
