//! Moves that are one move: emitted twice, or different ways to the same position.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use ludex_ir::PackedMove;

use crate::fault::Halt;
use crate::machine::{Ctx, Machine};
use crate::operands::twin_order;

/// Memory for finding twins.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    seen: HashSet<PackedMove, Quick>,
    /// Which kept move leads to a state, by the hash of statement and state; two
    /// states with one hash stand at neighbouring places.
    reached: HashMap<u64, usize, Quick>,
    /// The state that the move in question leads to.
    words: Vec<u64>,
}

type Quick = BuildHasherDefault<Mixer>;

/// Hashes what is random enough already, or nearly.
#[derive(Clone, Copy, Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }
}

impl Machine {
    /// Leaves one of each kind in the list that begins at `start`, in the order they came.
    pub(crate) fn unite_twins(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
        start: usize,
    ) -> Result<(), Halt> {
        self.drop_repeated(start);
        let twins = |mv: &PackedMove| {
            ctx.tables.program.statement_of(*mv).is_some_and(|(_, statement)| statement.twins)
        };
        if self.moves[start..].iter().filter(|mv| twins(mv)).nth(1).is_none() {
            return Ok(());
        }
        self.twins.reached.clear();
        let mut kept = start;
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            let twin = if twins(&mv) { self.twin(ctx, me, mv, kept)? } else { None };
            if let Some(twin) = twin {
                let twin = &mut self.moves[twin];
                if twin_order(ctx.tables, mv) < twin_order(ctx.tables, *twin) {
                    *twin = mv;
                }
            } else {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        Ok(())
    }

    /// Drops moves that were listed before.
    fn drop_repeated(&mut self, start: usize) {
        // Most lists come in order, and then nothing can be there twice.
        if self.moves[start..].is_sorted_by(|a, b| a < b) {
            return;
        }
        self.twins.seen.clear();
        let mut kept = start;
        for index in start..self.moves.len() {
            let mv = self.moves[index];
            if self.twins.seen.insert(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// The place of the move of the same statement, kept before, that leads to the same state.
    /// If there is none, the state is remembered as that of the move at place `kept`.
    fn twin(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
        mv: PackedMove,
        kept: usize,
    ) -> Result<Option<usize>, Halt> {
        let before = self.suspend();
        self.play(ctx, me, mv)?;
        let statement = mv.0 & 0xff;
        let mut place = self.cells.hash().wrapping_add((statement as u64) << 32);
        let mut words = std::mem::take(&mut self.twins.words);
        words.clear();
        words.extend_from_slice(self.cells.words());
        self.recover(ctx, before);
        let found = loop {
            let Some(&other) = self.twins.reached.get(&place) else { break None };
            let same = self.moves[other].0 & 0xff == statement
                && self.leads_to(ctx, me, self.moves[other], &words)?;
            if same {
                break Some(other);
            }
            place = place.wrapping_add(1);
        };
        self.twins.words = words;
        if found.is_none() {
            self.twins.reached.insert(place, kept);
        }
        Ok(found)
    }

    /// Whether a move leads to the state with these words.
    pub(crate) fn leads_to(
        &mut self,
        ctx: &Ctx<'_>,
        me: usize,
        mv: PackedMove,
        words: &[u64],
    ) -> Result<bool, Halt> {
        let before = self.suspend();
        self.play(ctx, me, mv)?;
        let same = self.cells.words() == words;
        self.recover(ctx, before);
        Ok(same)
    }
}
