//! Zones of wins that have been found.
//!
//! The zone of a threat says which of the defender's moves leave it as it is. Inside the threat, those
//! moves were not searched: one at its root, another at the next position where the defender passes, and
//! so on. *Tempo* is their number. The zone of a win that stands `tempo` unknown moves consists of
//!
//! - the reasons of each of the attacker's moves, and of the end of the game;
//! - the zones of what follows, before the moves that lead there;
//! - what [`counterplay`](super::counterplay) adds: the unknown moves do not end the game, and do not
//!   give the defender a move that touches the zone and was not searched.
//!
//! **Theorem** (threats, 3.4). From every position that arises from this one by at most `tempo`
//! moves of the defender that leave the zone as it is, with the same player to move, the
//! attacker wins.

use ludex_core::{GameExt, Player, Position};
use ludex_ir::{OutcomeKind, PackedMove};

use super::Attack;
use super::attack::Stop;
use super::cell_game::CellGame;
use super::proof::{Hold, Reply, Threat, Win};
use super::zone::Zone;
use crate::study::{Clause, Explained, Given};

impl<G: CellGame> Attack<'_, G> {
    /// The zone of a threat that the attacker carries out from `passed`. That the game is not over after a
    /// reply is no part of it: the search tests that for each reply.
    pub(super) fn zone_of_threat(&mut self, passed: &Position, win: &Win) -> Result<Zone, Stop> {
        self.zone_of_win(passed, win, 1, true)
    }

    /// The zone of a win of the attacker, whose turn it is.
    fn zone_of_win(
        &mut self,
        position: &Position,
        win: &Win,
        tempo: usize,
        is_tested: bool,
    ) -> Result<Zone, Stop> {
        let mut zone = self.zone_of_move(position, win.mv)?;
        if zone.is_everything() {
            return Ok(zone);
        }
        let next = self.after(position, win.mv)?;
        let after = match &win.then {
            None => self.zone_of_end(&next)?,
            Some(hold) => self.zone_of_hold(&next, hold, tempo)?,
        };
        zone.add(&self.before(position, win.mv, &after)?);
        if !is_tested {
            self.guard_status(position, tempo, &mut zone)?;
        }
        Ok(zone)
    }

    /// The zone of a loss of the defender, whose turn it is.
    fn zone_of_hold(
        &mut self,
        position: &Position,
        hold: &Hold,
        tempo: usize,
    ) -> Result<Zone, Stop> {
        let (Threat::Win(win, _), Some(passed)) =
            (&hold.threat, self.game.after_null_move(position))
        else {
            return Ok(Zone::everything());
        };
        let left = self.zone_of_win(&passed, win, tempo + 1, false)?;
        let mut zone = left.clone();
        let mut searched = Vec::with_capacity(hold.replies.len());
        for mv in self.moves(position, Player(1 - self.attacker.0))? {
            if zone.is_everything() {
                return Ok(zone);
            }
            let next = self.after(position, mv)?;
            let reply = hold.replies.iter().find(|it| it.0 == mv).map(|it| &it.1);
            let after = match reply {
                Some(Reply::Ends) => self.zone_of_end(&next)?,
                Some(Reply::Win(win)) => self.zone_of_win(&next, win, tempo, false)?,
                None if left.holds(|cell| self.game.raw(&next.state, cell)) => continue,
                // The threat wins here after this move, but its zone does not hold.
                None => self.zone_of_win(&next, win, tempo, false)?,
            };
            zone.add(&self.before(position, mv, &after)?);
            searched.push((mv, after));
        }
        self.guard_moves(position, (&left, &searched), tempo, &mut zone)?;
        Ok(zone)
    }

    /// The zone in which the attacker may play a move and it has the same effect.
    fn zone_of_move(&mut self, position: &Position, mv: PackedMove) -> Result<Zone, Stop> {
        if self.rules.program().roles.illegal.is_some() {
            // A legality clause, such as one about a king, depends on too much.
            return Ok(Zone::everything());
        }
        let plain = self.interpreted(position);
        let found = self.analysis.study.one_move(&plain, self.attacker, mv)?;
        Ok(found.as_ref().map_or_else(Zone::everything, Zone::of))
    }

    /// The zone in which the attacker has won.
    pub(super) fn zone_of_end(&mut self, position: &Position) -> Result<Zone, Stop> {
        let plain = self.interpreted(position);
        let mut best: Option<Zone> = None;
        for player in [0, 1].map(Player) {
            let wanted =
                if player == self.attacker { OutcomeKind::Victory } else { OutcomeKind::Loss };
            let decides =
                |it: &&Explained<Given>| it.item.kind == wanted && it.item.clause == Clause::Result;
            let results = self.analysis.study.results(&plain, player)?;
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
    fn before(&mut self, position: &Position, mv: PackedMove, after: &Zone) -> Result<Zone, Stop> {
        let plain = self.interpreted(position);
        let writes = self.rules.effect_writes(&plain.state, mv)?;
        let raw = |cell| self.game.raw(&position.state, cell);
        Ok(after.before(&writes, self.rules.program(), raw))
    }

    /// The interpreter's position with the same cells and the same history.
    pub(super) fn interpreted(&self, position: &Position) -> Position {
        let (program, state) = (self.rules.program(), &position.state);
        let value = |cell| i64::from(self.game.raw(state, cell)) + program.cell(cell).0.lo;
        let values: Vec<i64> = (0..program.cells()).map(value).collect();
        Position { state: self.rules.layout().state(&values), trail: position.trail.clone() }
    }
}
