//! The search restricted to a relevance zone.
//!
//! It is the search of [`attack`](super::attack) with fewer moves and replies, and without proved
//! zones: whether a threat survives a reply is found by carrying it out. Its result is a guess until it
//! is verified, see [`verified_search`](super::verified_search).

use std::cmp::Reverse;
use std::rc::Rc;

use ludex_core::{Fault, Player, Position};
use ludex_ir::PackedMove;
use ludex_ir::inst::TURN;

use super::attack::{Attack, ShapeId, Stop};
use super::cell_game::{CellGame, Status, status};
use super::proof::{Hold, Reply, Threat, Win};

/// Replies further away than this are not searched.
const FARTHEST_REPLY: u8 = 2;

impl<G: CellGame> Attack<'_, G> {
    /// The status of a position. In a relevance zone, where the result is verified anyway, the test for
    /// a player without moves is skipped.
    pub(super) fn status(&self, position: &Position) -> Result<Status, Fault> {
        if self.relevance_zone.is_none() {
            return status(self.game, position, self.attacker);
        }
        Ok(match self.game.ending(position, self.attacker)? {
            Some(payoff) if payoff.utility >= 1.0 => Status::Won,
            Some(_) => Status::Ended,
            None => {
                let program = self.rules.program();
                let turn = program.arrays[usize::from(TURN.0)].base;
                let mover =
                    i64::from(self.game.raw(&position.state, turn)) + program.cell(turn).0.lo;
                u8::try_from(mover).map_or(Status::Otherwise, |it| Status::Turn(Player(it)))
            }
        })
    }

    /// A move by which the attacker wins at once.
    pub(super) fn wins_now(&mut self, position: &Position) -> Result<Option<PackedMove>, Stop> {
        if self.relevance_zone.is_none() {
            self.count_node()?;
            return Ok(self.game.winning_move(position, self.attacker)?);
        }
        for mv in self.attacks(position, 1)? {
            let next = self.after(position, mv)?;
            if self.status(&next)? == Status::Won {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The attacker's moves that are tried in a search for moves of this order.
    pub(super) fn attacks(
        &mut self,
        position: &Position,
        order: u8,
    ) -> Result<Vec<PackedMove>, Stop> {
        if self.relevance_zone.is_none() {
            let mut moves = self.moves(position, self.attacker)?;
            let of = (self.game, self.rules, &*self.analysis);
            self.attacker_moves.keep(of, (position, self.attacker), order, &mut moves);
            return Ok(moves);
        }
        let mut moves = self.listed(position, self.attacker)?;
        let Some(near) = &self.relevance_zone else { return Ok(moves) };
        let most = self.config.relevance_zone.unwrap_or(0).min(order.saturating_sub(1).max(1));
        let distances = near.distances(self.game, position, most);
        let program = self.rules.program();
        moves.retain(|&it| distances.of(program, it) <= most);
        let won = |it: &PackedMove| self.attacker_history.get(it).copied().unwrap_or(0);
        moves.sort_by_cached_key(|it| (Reverse(won(it)), distances.of(program, *it), *it));
        Ok(moves)
    }

    /// The defender's moves that are searched against `threat`, the best of the history heuristic
    /// first; and those that are not searched.
    fn replies(
        &mut self,
        position: &Position,
        threat: &Threat,
    ) -> Result<(Vec<PackedMove>, Vec<PackedMove>), Stop> {
        let moves = self.listed(position, Player(1 - self.attacker.0))?;
        let Some(near) = &self.relevance_zone else { return Ok((moves, Vec::new())) };
        // Every legal move answers a check.
        let Threat::Win(win, _) = threat else { return Ok((moves, Vec::new())) };
        let most = self.config.relevance_zone.unwrap_or(0).min(FARTHEST_REPLY);
        let distances = near.distances(self.game, position, most);
        let program = self.rules.program();
        let strokes = win.line();
        let is_near = |it: &PackedMove| {
            distances.of(program, *it) <= most
                || strokes.contains(it)
                || self.extra_replies.contains(it)
        };
        let (mut moves, far): (Vec<_>, Vec<_>) = moves.into_iter().partition(is_near);
        let helped = |it: &PackedMove| self.defender_history.get(it).copied().unwrap_or(0);
        moves.sort_by_cached_key(|it| {
            (*it != win.mv, Reverse(helped(it)), distances.of(program, *it), *it)
        });
        Ok((moves, far))
    }

    /// Whether the defender, whose turn it is, loses after each reply that is searched: to `threat` if
    /// the reply leaves it, else to a win of shape `right`.
    pub(super) fn answered_in_relevance_zone(
        &mut self,
        position: &Position,
        threat: Threat,
        right: ShapeId,
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let (moves, far) = self.replies(position, &threat)?;
        let (mut others, mut other) = (far.len(), far.first().copied());
        let mut replies = Vec::new();
        for mv in moves {
            let next = self.after(position, mv)?;
            match self.status(&next)? {
                Status::Won => {
                    replies.push((mv, Reply::Ends));
                    continue;
                }
                Status::Turn(mover) if mover == self.attacker => {}
                _ => return Ok(None),
            }
            if self.leaves(&next, &threat)? {
                others += 1;
                other = other.or(Some(mv));
                continue;
            }
            if self.config.most_defences.is_some_and(|most| replies.len() >= most) {
                return Ok(None);
            }
            let Some(win) = self.refutes(&next, mv, right)? else { return Ok(None) };
            replies.push((mv, Reply::Win(win)));
        }
        replies.sort_by_key(|it| it.0);
        Ok(Some(Rc::new(Hold { threat, replies, others, other })))
    }

    /// Whether a win that was found elsewhere wins here as well, against the replies that are searched.
    pub(super) fn replays(&mut self, position: &Position, win: &Win) -> Result<bool, Stop> {
        if !self.listed(position, self.attacker)?.contains(&win.mv) {
            return Ok(false);
        }
        let next = self.after(position, win.mv)?;
        let hold = match (self.status(&next)?, &win.then) {
            (Status::Won, _) => return Ok(true),
            (Status::Turn(mover), Some(hold)) if mover != self.attacker => hold,
            _ => return Ok(false),
        };
        for mv in self.replies(&next, &hold.threat)?.0 {
            let after = self.after(&next, mv)?;
            match self.status(&after)? {
                Status::Won => continue,
                Status::Turn(mover) if mover == self.attacker => {}
                _ => return Ok(false),
            }
            let reply = hold.replies.iter().find(|it| it.0 == mv).map(|it| &it.1);
            let ((Some(Reply::Win(then)), _) | (None, Threat::Win(then, _))) =
                (reply, &hold.threat)
            else {
                return Ok(false);
            };
            if !self.replays(&after, then)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
