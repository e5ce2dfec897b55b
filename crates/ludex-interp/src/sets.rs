//! Instructions on sets of squares.

use ludex_ir::{ArrayId, Inst, Reg, SetBinary, SetReg};

use crate::fault::Halt;
use crate::geometry::{contains, each, insert, lowest, remove};
use crate::machine::{Ctx, Frame, Machine};

impl Machine {
    /// Runs an instruction on sets.
    pub(crate) fn set_step(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        inst: &Inst,
        place: u32,
    ) -> Result<(), Halt> {
        let board = &ctx.tables.board;
        let words = board.words;
        match *inst {
            Inst::SetWhere { dst, mask } => {
                let mask = self.int(frame, mask) as u64;
                self.set_where(ctx, frame, dst, mask);
            }
            Inst::SetCopy { dst, src } => {
                let src = Self::set_at(ctx, frame, src);
                let dst = Self::set_at(ctx, frame, dst);
                self.sets.copy_within(src..src + words, dst);
            }
            Inst::SetBinary { op, dst, a, b } => self.set_binary(ctx, frame, op, [dst, a, b]),
            Inst::SetInsert { set, square } => {
                if let Some(square) = board.square(self.int(frame, square)) {
                    insert(self.set_mut(ctx, frame, set), square);
                }
            }
            Inst::SetRemove { set, square } => {
                if let Some(square) = board.square(self.int(frame, square)) {
                    remove(self.set_mut(ctx, frame, set), square);
                }
            }
            Inst::Leap { dst, src, dir, count } => {
                self.spend(ctx, words * count as usize, place)?;
                self.leap(ctx, frame, (dst, src), dir, count);
            }
            Inst::Slide { dst, from, through, dir } => {
                self.spend(ctx, words * 8, place)?;
                let dir = board.direction(self.int(frame, dir));
                self.compute(ctx, frame, dst, |machine, into| {
                    let through = machine.set(ctx, frame, through);
                    each(machine.set(ctx, frame, from), |square| {
                        dir.into_iter().for_each(|dir| board.ray(into, square, through, dir));
                    });
                });
            }
            Inst::Rays { dst, from, through, list } => {
                self.spend(ctx, words * 8, place)?;
                let list = board.list(self.int(frame, list));
                let from = board.square(self.int(frame, from));
                self.compute(ctx, frame, dst, |machine, into| {
                    let (Some(from), through) = (from, machine.set(ctx, frame, through)) else {
                        return;
                    };
                    list.iter().for_each(|&dir| board.ray(into, from, through, dir as usize));
                });
            }
            Inst::StoreAll { set, value } => {
                let value = self.int(frame, value);
                self.store_all(ctx, frame, set, value, place)?;
            }
            Inst::SetLoad { dst, array, index } => self.set_load(ctx, frame, dst, array, index),
            Inst::SetStore { array, index, src } => {
                self.set_store(ctx, frame, (array, index), src, None, place)?;
            }
            Inst::SetUpdate { array, index, src, add } => {
                self.set_store(ctx, frame, (array, index), src, Some(add), place)?;
            }
            Inst::Shift { dst, src, dir } => {
                self.spend(ctx, words, place)?;
                let dir = board.direction(self.int(frame, dir));
                self.compute(ctx, frame, dst, |machine, into| {
                    if let Some(dir) = dir {
                        board.shift(into, machine.set(ctx, frame, src), dir);
                    }
                });
            }
            Inst::Neighbours { dst, src, list } => {
                let list = board.list(self.int(frame, list));
                self.spend(ctx, words * list.len(), place)?;
                self.compute(ctx, frame, dst, |machine, into| {
                    board.neighbours(into, machine.set(ctx, frame, src), list);
                });
            }
            Inst::Flood { dst, from, within, list } => {
                let list = board.list(self.int(frame, list));
                self.flood(ctx, frame, [dst, from, within], list, place)?;
            }
            Inst::Line { dst, from, dir, count } => {
                let [from, dir, count] = [from, dir, count].map(|reg| self.int(frame, reg));
                board.line(self.set_mut(ctx, frame, dst), from, dir, count);
            }
            Inst::Hop { dst, from, dir, count } => {
                let [from, dir, count] = [from, dir, count].map(|reg| self.int(frame, reg));
                self.set_int(frame, dst, board.hop(from, dir, count));
            }
            Inst::Reach { dst, from, dir, count } => {
                let [from, dir, count] = [from, dir, count].map(|reg| self.int(frame, reg));
                board.reach(self.set_mut(ctx, frame, dst), from, dir, count);
            }
            Inst::Axis { dst, from, dir } => {
                let [from, dir] = [from, dir].map(|reg| self.int(frame, reg));
                board.axis(self.set_mut(ctx, frame, dst), from, dir);
            }
            Inst::Between { dst, a, b } => {
                let [a, b] = [a, b].map(|reg| self.int(frame, reg));
                self.spend(ctx, words * 8, place)?;
                board.between(self.set_mut(ctx, frame, dst), a, b);
            }
            // All other instructions have been dealt with before.
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn set(&self, ctx: &Ctx<'_>, frame: Frame, reg: SetReg) -> &[u64] {
        &self.sets[Self::set_at(ctx, frame, reg)..][..ctx.tables.board.words]
    }

    #[inline]
    fn set_mut(&mut self, ctx: &Ctx<'_>, frame: Frame, reg: SetReg) -> &mut [u64] {
        &mut self.sets[Self::set_at(ctx, frame, reg)..][..ctx.tables.board.words]
    }

    /// Computes a set into a spare one and then moves it to its register, which may be an operand.
    fn compute(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        dst: SetReg,
        fill: impl FnOnce(&Self, &mut [u64]),
    ) {
        let mut spare = std::mem::take(&mut self.spare[0]);
        spare.fill(0);
        fill(self, &mut spare);
        self.set_mut(ctx, frame, dst).copy_from_slice(&spare);
        self.spare[0] = spare;
    }

    fn leap(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        (dst, src): (SetReg, SetReg),
        dir: Reg,
        count: u16,
    ) {
        let board = &ctx.tables.board;
        let dir = board.direction(self.int(frame, dir));
        self.compute(ctx, frame, dst, |machine, into| {
            each(machine.set(ctx, frame, src), |square| {
                if let Some(to) = (0..count).try_fold(square, |at, _| board.next(at, dir?)) {
                    insert(into, to);
                }
            });
        });
    }

    fn set_where(&mut self, ctx: &Ctx<'_>, frame: Frame, dst: SetReg, mask: u64) {
        let codes = ctx.tables.program.men.len() + 1;
        let at = Self::set_at(ctx, frame, dst);
        let into = &mut self.sets[at..at + ctx.tables.board.words];
        into.fill(0);
        let mut mask = if codes < 64 { mask & ((1 << codes) - 1) } else { mask };
        while mask != 0 {
            let holding = self.cells.holding(&ctx.tables.layout, mask.trailing_zeros() as usize);
            into.iter_mut().zip(holding).for_each(|(into, word)| *into |= word);
            mask &= mask - 1;
        }
    }

    fn set_binary(&mut self, ctx: &Ctx<'_>, frame: Frame, op: SetBinary, regs: [SetReg; 3]) {
        let [dst, a, b] = regs.map(|reg| Self::set_at(ctx, frame, reg));
        for word in 0..ctx.tables.board.words {
            let (a, b) = (self.sets[a + word], self.sets[b + word]);
            self.sets[dst + word] = match op {
                SetBinary::Union => a | b,
                SetBinary::Intersection => a & b,
                SetBinary::Difference => a & !b,
            };
        }
    }

    fn store_all(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        set: SetReg,
        value: i64,
        place: u32,
    ) -> Result<(), Halt> {
        let slot = ctx.tables.slot(ludex_ir::inst::BOARD);
        let mut next = lowest(self.set(ctx, frame, set), 0);
        while let Some(square) = next {
            self.store(ctx, slot.base + square, value, (slot.lo, slot.hi), place)?;
            next = lowest(self.set(ctx, frame, set), square + 1);
        }
        Ok(())
    }

    /// The first cell of a set of a set array; `None` if it is off.
    fn set_base(
        &self,
        ctx: &Ctx<'_>,
        frame: Frame,
        array: ArrayId,
        index: Option<Reg>,
    ) -> Option<usize> {
        let (slot, squares) = (ctx.tables.slot(array), ctx.tables.board.squares);
        let index = usize::try_from(index.map_or(0, |index| self.int(frame, index))).ok()?;
        let first = index.checked_mul(squares)?;
        (first.checked_add(squares)? <= slot.len).then_some(slot.base + first)
    }

    fn set_load(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        dst: SetReg,
        array: ArrayId,
        index: Option<Reg>,
    ) {
        let base = self.set_base(ctx, frame, array, index);
        self.compute(ctx, frame, dst, |machine, into| {
            let Some(base) = base else { return };
            for square in 0..ctx.tables.board.squares {
                if machine.cells.raw(base + square) != 0 {
                    insert(into, square);
                }
            }
        });
    }

    /// Sets a whole set, or adds to it, or removes from it.
    fn set_store(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        (array, index): (ArrayId, Option<Reg>),
        src: SetReg,
        add: Option<bool>,
        place: u32,
    ) -> Result<(), Halt> {
        let Some(base) = self.set_base(ctx, frame, array, index) else { return Ok(()) };
        let squares = ctx.tables.board.squares;
        self.spend(ctx, squares / 8, place)?;
        for square in 0..squares {
            let member = contains(self.set(ctx, frame, src), square);
            if member || add.is_none() {
                let value = i64::from(add.unwrap_or(member));
                self.store(ctx, base + square, value, (0, 1), place)?;
            }
        }
        Ok(())
    }

    /// `dst :=` what `from` reaches inside `within`.
    fn flood(
        &mut self,
        ctx: &Ctx<'_>,
        frame: Frame,
        regs: [SetReg; 3],
        list: &[u16],
        place: u32,
    ) -> Result<(), Halt> {
        let board = &ctx.tables.board;
        let [dst, from, within] = regs.map(|reg| Self::set_at(ctx, frame, reg));
        let [mut reached, mut edge, mut grown] = std::mem::take(&mut self.spare);
        for (word, reached) in reached.iter_mut().enumerate() {
            *reached = self.sets[from + word] & self.sets[within + word];
        }
        edge.copy_from_slice(&reached);
        let mut rounds = 1;
        // `edge` is what the last round added, `grown` what this one adds.
        loop {
            grown.fill(0);
            board.neighbours(&mut grown, &edge, list);
            let mut any = 0;
            for word in 0..board.words {
                grown[word] &= self.sets[within + word] & !reached[word];
                reached[word] |= grown[word];
                any |= grown[word];
            }
            if any == 0 {
                break;
            }
            std::mem::swap(&mut edge, &mut grown);
            rounds += 1;
        }
        self.sets[dst..dst + board.words].copy_from_slice(&reached);
        self.spare = [reached, edge, grown];
        self.spend(ctx, rounds * board.words * list.len(), place)
    }
}
