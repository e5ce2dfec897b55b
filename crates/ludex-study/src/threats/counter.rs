//! Counter-strokes: the defender's moves that could help against a threat.

use std::rc::Rc;

use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::open::{Open, Place, Standing};
use super::proof::Threat;
use super::zone::Zone;

/// A move of the defender that does something about a threat.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) mv: PackedMove,
    /// The position after it.
    pub(super) place: Place,
    /// Whether it ends the game, the attacker having won.
    pub(super) ends: bool,
}

/// What the defender can do about a threat.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) list: Vec<Counter>,
    /// The moves that leave the threat as it is, after which the game goes on.
    pub(super) checked: Vec<PackedMove>,
    /// Those of which it is not known yet whether the game goes on.
    pub(super) unchecked: Vec<PackedMove>,
}

impl<G: Open> Attack<'_, G> {
    /// The defender's counter-strokes at `place`; `None` if one of them ends the game otherwise
    /// than by the attacker's win, or there are more than are looked at.
    pub(super) fn counters(
        &mut self,
        place: &Place,
        threat: &Threat,
    ) -> Result<Option<Counters>, Stop> {
        let Standing::Turn(defender) = self.standing(place)? else {
            return Ok(None);
        };
        let direct = self.direct_zone(place, threat)?;
        let zone = match threat {
            Threat::Win(_, Some(zone)) => Some(zone),
            _ => direct.as_ref(),
        };
        // Who wins himself need not care; to ask for that is quicker than to try all moves.
        let Place { state, trail } = place;
        if zone.is_some() && self.game.winning_move(state, trail, defender)?.is_some() {
            return Ok(None);
        }
        let mut counters = Counters::default();
        for mv in self.moves(place, defender)? {
            if zone.is_some_and(|it| self.ground.foreign(self.attacker).spares(mv, it)) {
                counters.unchecked.push(mv);
                continue;
            }
            let next = self.after(place, mv)?;
            let ends = match self.standing(&next)? {
                Standing::Won => true,
                Standing::Turn(mover) if mover == self.attacker => false,
                _ => return Ok(None),
            };
            let leaves = match zone {
                _ if ends => false,
                Some(zone) => self.is_off(zone, &next),
                None => self.leaves(&next, threat)?,
            };
            if leaves {
                counters.checked.push(mv);
                continue;
            }
            counters.list.push(Counter { mv, place: next, ends });
            if self.config.most_counters.is_some_and(|most| counters.list.len() > most) {
                return Ok(None);
            }
        }
        Ok(Some(counters))
    }

    /// The moves among those that leave the threat as it is that end the game, the attacker
    /// having won; `None` if one ends it otherwise.
    pub(super) fn ends_among(
        &mut self,
        place: &Place,
        unchecked: &[PackedMove],
    ) -> Result<Option<Vec<PackedMove>>, Stop> {
        let mut ends = Vec::new();
        for &mv in unchecked {
            let next = self.after(place, mv)?;
            match self.standing(&next)? {
                Standing::Won => ends.push(mv),
                Standing::Turn(mover) if mover == self.attacker => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(ends))
    }

    /// What a direct threat depends on, where that is quicker than to carry it out.
    fn direct_zone(&mut self, place: &Place, threat: &Threat) -> Result<Option<Rc<Zone>>, Stop> {
        match (threat, place.passed(self.game)) {
            (Threat::Win(win, None), Some(passed)) if win.then.is_none() => {
                self.zone_of_direct(&passed, win)
            }
            _ => Ok(None),
        }
    }

    /// Whether a zone is as it was after a move of the defender.
    fn is_off(&self, zone: &Zone, next: &Place) -> bool {
        zone.holds(|cell| self.game.raw(&next.state, cell))
    }

    /// Whether the threat is still there after a move of the defender.
    pub(super) fn leaves(&mut self, next: &Place, threat: &Threat) -> Result<bool, Stop> {
        let Threat::Win(win, zone) = threat else { return Ok(false) };
        if let Some(zone) = zone {
            return Ok(self.is_off(zone, next));
        }
        if win.then.is_some() {
            return self.replays(next, win);
        }
        // One move that wins: to play it is quicker than to ask why it wins.
        if !self.listed(next, self.attacker)?.contains(&win.mv) {
            return Ok(false);
        }
        let end = self.after(next, win.mv)?;
        Ok(self.standing(&end)? == Standing::Won)
    }
}
