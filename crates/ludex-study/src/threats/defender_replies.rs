//! Defences: the defender's replies that could help against a threat.

use ludex_core::{GameExt, Position};
use std::rc::Rc;

use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::cell_game::{CellGame, Status};
use super::proof::Threat;
use super::zone::Zone;

/// A move of the defender that changes something a threat depends on.
#[derive(Clone, Debug)]
pub(super) struct Defence {
    pub(super) mv: PackedMove,
    /// The position after it.
    pub(super) position: Position,
    /// Whether it ends the game, the attacker having won.
    pub(super) ends: bool,
}

/// The replies to a threat.
#[derive(Default)]
pub(super) struct Defences {
    /// The defences, which have to be searched.
    pub(super) list: Vec<Defence>,
    /// The moves that leave the threat as it is, after which the game goes on.
    pub(super) checked: Vec<PackedMove>,
    /// The same, not yet tested for the end of the game.
    pub(super) unchecked: Vec<PackedMove>,
}

impl<G: CellGame> Attack<'_, G> {
    /// The defences at `position`; `None` if one of them ends the game other than by the attacker's
    /// win, or if there are more than [`Config::most_defences`](super::Config).
    pub(super) fn defences(
        &mut self,
        position: &Position,
        threat: &Threat,
    ) -> Result<Option<Defences>, Stop> {
        let Status::Turn(defender) = self.status(position)? else {
            return Ok(None);
        };
        let direct = self.direct_zone(position, threat)?;
        let zone = match threat {
            Threat::Win(_, Some(zone)) => Some(zone),
            _ => direct.as_ref(),
        };
        // A win of the defender refutes the threat; this test is quicker than trying all moves.
        if zone.is_some() && self.game.winning_move(position, defender)?.is_some() {
            return Ok(None);
        }
        let mut defences = Defences::default();
        for mv in self.moves(position, defender)? {
            if zone.is_some_and(|it| self.analysis.defender_effects(self.attacker).spares(mv, it)) {
                defences.unchecked.push(mv);
                continue;
            }
            let next = self.after(position, mv)?;
            let ends = match self.status(&next)? {
                Status::Won => true,
                Status::Turn(mover) if mover == self.attacker => false,
                _ => return Ok(None),
            };
            let leaves = match zone {
                _ if ends => false,
                Some(zone) => self.is_off(zone, &next),
                None => self.leaves(&next, threat)?,
            };
            if leaves {
                defences.checked.push(mv);
                continue;
            }
            defences.list.push(Defence { mv, position: next, ends });
            if self.config.most_defences.is_some_and(|most| defences.list.len() > most) {
                return Ok(None);
            }
        }
        Ok(Some(defences))
    }

    /// The moves, among those that leave the threat as it is, that end the game with the attacker's
    /// win; `None` if one ends it otherwise.
    pub(super) fn ends_among(
        &mut self,
        position: &Position,
        unchecked: &[PackedMove],
    ) -> Result<Option<Vec<PackedMove>>, Stop> {
        let mut ends = Vec::new();
        for &mv in unchecked {
            let next = self.after(position, mv)?;
            match self.status(&next)? {
                Status::Won => ends.push(mv),
                Status::Turn(mover) if mover == self.attacker => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(ends))
    }

    /// The zone of a direct threat, if the zone table is quicker than carrying the threat out.
    fn direct_zone(
        &mut self,
        position: &Position,
        threat: &Threat,
    ) -> Result<Option<Rc<Zone>>, Stop> {
        match (threat, self.game.after_null_move(position)) {
            (Threat::Win(win, None), Some(passed)) if win.then.is_none() => {
                self.zone_of_direct(&passed, win)
            }
            _ => Ok(None),
        }
    }

    /// Whether a zone is as it was after a move of the defender.
    fn is_off(&self, zone: &Zone, next: &Position) -> bool {
        zone.holds(|cell| self.game.raw(&next.state, cell))
    }

    /// Whether the threat is still there after a move of the defender.
    pub(super) fn leaves(&mut self, next: &Position, threat: &Threat) -> Result<bool, Stop> {
        let Threat::Win(win, zone) = threat else { return Ok(false) };
        if let Some(zone) = zone {
            return Ok(self.is_off(zone, next));
        }
        if win.then.is_some() {
            return self.replays(next, win);
        }
        // A single winning move: playing it is quicker than computing its zone.
        if !self.listed(next, self.attacker)?.contains(&win.mv) {
            return Ok(false);
        }
        let end = self.after(next, win.mv)?;
        Ok(self.status(&end)? == Status::Won)
    }
}
