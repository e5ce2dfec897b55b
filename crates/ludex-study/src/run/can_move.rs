//! Whether a player, being to move, would have a legal move.
//!
//! The answer is found by listing and trying moves without labels, and is said
//! to depend on every cell: sound, and far more than it needs to be.

use ludex_core::Fault;
use ludex_ir::PackedMove;
use ludex_ir::inst::TURN;

use crate::label::Label;

use super::Machine;

impl Machine<'_> {
    /// Whether `player` has a legal move in the present cells, and why: all of them.
    pub(super) fn reply(&mut self, player: i64, place: u32) -> Result<(bool, Label), Fault> {
        let players = self.code.program.players.len();
        let Some(player) = usize::try_from(player).ok().filter(|&it| it < players) else {
            return Ok((false, Label::NONE));
        };
        let why = self.everything();
        let mark = self.cells.mark();
        let before = (self.silent, self.hypothetical, self.cut);
        let sharing = std::mem::replace(&mut self.sharing, false);
        let deeds = std::mem::take(&mut self.deeds);
        let emitted = std::mem::take(&mut self.emitted);
        (self.silent, self.hypothetical) = (true, true);

        self.write(TURN, self.code.turn_cell, player as i64, Label::NONE, place)?;
        let found = self.has_legal(player)?;

        self.emitted = emitted;
        self.deeds = deeds;
        (self.silent, self.hypothetical, self.cut) = before;
        self.sharing = sharing;
        self.cells.back(mark);
        Ok((found, why))
    }

    fn has_legal(&mut self, me: usize) -> Result<bool, Fault> {
        self.run(self.code.program.roles.moves, me as i64)?;
        for emission in std::mem::take(&mut self.emitted) {
            if self.allowed(me, emission.mv)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the rules allow a move that `moves` listed.
    fn allowed(&mut self, me: usize, mv: PackedMove) -> Result<bool, Fault> {
        let Some(illegal) = self.code.program.roles.illegal else { return Ok(true) };
        let mark = self.cells.mark();
        let cut = self.cut;
        self.deeds = super::Deeds::default();
        self.play(me, mv)?;
        self.cut |= self.deeds.irreversible;
        let forbidden = self.run(illegal, me as i64)? != 0;
        self.cut = cut;
        self.cells.back(mark);
        Ok(!forbidden)
    }
}
