//! Counter-strokes: the defender's moves that could help against a threat.

use ludex_ir::PackedMove;

use super::Attack;
use super::attack::Stop;
use super::open::{Open, Place, Standing};
use super::proof::Threat;

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
pub(super) struct Counters {
    pub(super) list: Vec<Counter>,
    /// How many moves leave the threat as it is.
    pub(super) others: usize,
    /// One of them.
    pub(super) other: Option<PackedMove>,
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
        let mut counters = Counters { list: Vec::new(), others: 0, other: None };
        for mv in self.moves(place, defender)? {
            let next = self.after(place, mv)?;
            let ends = match self.standing(&next)? {
                Standing::Won => true,
                Standing::Turn(mover) if mover == self.attacker => false,
                _ => return Ok(None),
            };
            if !ends && self.leaves(&next, threat)? {
                counters.others += 1;
                counters.other = counters.other.or(Some(mv));
                continue;
            }
            counters.list.push(Counter { mv, place: next, ends });
            if self.config.most_counters.is_some_and(|most| counters.list.len() > most) {
                return Ok(None);
            }
        }
        Ok(Some(counters))
    }

    /// Whether the threat is still there after a move of the defender.
    pub(super) fn leaves(&mut self, next: &Place, threat: &Threat) -> Result<bool, Stop> {
        let Threat::Win(win, zone) = threat else { return Ok(false) };
        if let Some(zone) = zone {
            return Ok(zone.holds(|cell| self.game.raw(&next.state, cell)));
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
