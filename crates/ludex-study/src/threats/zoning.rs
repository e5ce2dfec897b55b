//! Zones of wins that have been found.
//!
//! The zone of a threat is asked for when the defender is to move at the top of it: which of his
//! moves leave it as it is? Inside the threat he may then have made moves that it knows nothing of:
//! one at the top, another at the next place where he passes, and so on. *Tempo* is how many.
//! The zone of a win that stands `tempo` unknown moves is made of
//!
//! - the reasons of each of the attacker's moves, and of the end of the game;
//! - the zones of what follows, before the moves that lead there;
//! - what [`guard`](super::guard) adds: that the unknown moves do not end the game, and do not give
//!   the defender a move that touches the zone and was not searched.
//!
//! **Theorem** (threats, 3.4). From every position that comes from this one by at most `tempo`
//! moves of the defender that leave the zone as it is, with the same player to move, the
//! attacker wins.

use ludex_core::{Player, State};
use ludex_ir::{OutcomeKind, PackedMove};

use super::Attack;
use super::attack::Stop;
use super::open::{Open, Place};
use super::proof::{Hold, Reply, Threat, Win};
use super::zone::Zone;
use crate::study::{Explained, Given, Source};

impl<G: Open> Attack<'_, G> {
    /// What a threat depends on that the attacker carries out from `passed`. Whether the game is
    /// over after a reply is tested there and then, and is no part of it.
    pub(super) fn zone_of_threat(&mut self, passed: &Place, win: &Win) -> Result<Zone, Stop> {
        self.zone_of_win(passed, win, 1, true)
    }

    /// What a win of the attacker, whose turn it is, depends on.
    fn zone_of_win(
        &mut self,
        place: &Place,
        win: &Win,
        tempo: usize,
        is_tested: bool,
    ) -> Result<Zone, Stop> {
        let mut zone = self.zone_of_move(place, win.mv)?;
        if zone.is_everything() {
            return Ok(zone);
        }
        let next = self.after(place, win.mv)?;
        let after = match &win.then {
            None => self.zone_of_end(&next)?,
            Some(hold) => self.zone_of_hold(&next, hold, tempo)?,
        };
        zone.add(&self.before(place, win.mv, &after)?);
        if !is_tested {
            self.guard_standing(place, tempo, &mut zone)?;
        }
        Ok(zone)
    }

    /// What the loss of the defender, whose turn it is, depends on.
    fn zone_of_hold(&mut self, place: &Place, hold: &Hold, tempo: usize) -> Result<Zone, Stop> {
        let (Threat::Win(win, _), Some(passed)) = (&hold.threat, place.passed(self.game)) else {
            return Ok(Zone::everything());
        };
        let left = self.zone_of_win(&passed, win, tempo + 1, false)?;
        let mut zone = left.clone();
        let mut searched = Vec::with_capacity(hold.replies.len());
        for mv in self.moves(place, Player(1 - self.attacker.0))? {
            if zone.is_everything() {
                return Ok(zone);
            }
            let next = self.after(place, mv)?;
            let reply = hold.replies.iter().find(|it| it.0 == mv).map(|it| &it.1);
            let after = match reply {
                Some(Reply::Ends) => self.zone_of_end(&next)?,
                Some(Reply::Win(win)) => self.zone_of_win(&next, win, tempo, false)?,
                None if left.holds(|cell| self.game.raw(&next.state, cell)) => continue,
                // The threat wins against it here, though not whatever else may have happened.
                None => self.zone_of_win(&next, win, tempo, false)?,
            };
            zone.add(&self.before(place, mv, &after)?);
            searched.push((mv, after));
        }
        self.guard_moves(place, (&left, &searched), tempo, &mut zone)?;
        Ok(zone)
    }

    /// What it depends on that the attacker may play a move, and does with it what he does here.
    fn zone_of_move(&mut self, place: &Place, mv: PackedMove) -> Result<Zone, Stop> {
        if self.rules.program().roles.illegal.is_some() {
            // That no king is left to be taken, say, depends on very much.
            return Ok(Zone::everything());
        }
        let state = self.interpreted(&place.state);
        let found = self.ground.study.one_move(&state, &place.trail, self.attacker, mv)?;
        Ok(found.as_ref().map_or_else(Zone::everything, Zone::of))
    }

    /// What it depends on that the attacker has won.
    pub(super) fn zone_of_end(&mut self, place: &Place) -> Result<Zone, Stop> {
        let state = self.interpreted(&place.state);
        let mut best: Option<Zone> = None;
        for player in [0, 1].map(Player) {
            let wanted =
                if player == self.attacker { OutcomeKind::Victory } else { OutcomeKind::Loss };
            let decides =
                |it: &&Explained<Given>| it.item.kind == wanted && it.item.source == Source::Result;
            let results = self.ground.study.results(&state, &place.trail, player)?;
            for zone in results.iter().filter(decides).map(Zone::of) {
                let is_smaller = |old: &Zone| zone.reasons().len() < old.reasons().len();
                if !zone.is_everything() && best.as_ref().is_none_or(is_smaller) {
                    best = Some(zone);
                }
            }
        }
        Ok(best.unwrap_or_else(Zone::everything))
    }

    /// A zone before a move.
    fn before(&mut self, place: &Place, mv: PackedMove, after: &Zone) -> Result<Zone, Stop> {
        let state = self.interpreted(&place.state);
        let writes = self.rules.effect_writes(&state, mv)?;
        let raw = |cell| self.game.raw(&place.state, cell);
        Ok(after.before(&writes, self.rules.program(), raw))
    }

    /// The interpreter's state with the same cells.
    pub(super) fn interpreted(&self, state: &State) -> State {
        let program = self.rules.program();
        let value = |cell| i64::from(self.game.raw(state, cell)) + program.cell(cell).0.lo;
        let values: Vec<i64> = (0..program.cells()).map(value).collect();
        self.rules.layout().state(&values)
    }
}
