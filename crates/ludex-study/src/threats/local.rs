//! The search where only moves near by are looked at.
//!
//! It is the search of [`attack`](super::attack) with less to look at, and without zones: whether a
//! threat is still there after a reply is seen by carrying it out. What comes of it is a guess until
//! it is checked, see [`checked`](super::checked).

use std::cmp::Reverse;
use std::rc::Rc;

use ludex_core::{Fault, Player};
use ludex_ir::PackedMove;
use ludex_ir::inst::TURN;

use super::attack::{Attack, Form, Stop};
use super::open::{Open, Place, Standing};
use super::proof::{Hold, Reply, Threat, Win};

/// Replies further away than this are not looked at.
const FARTHEST_REPLY: u8 = 2;

impl<G: Open> Attack<'_, G> {
    /// How a position stands. Where what is found is checked anyway, that somebody has no
    /// move is not looked for.
    pub(super) fn standing(&self, place: &Place) -> Result<Standing, Fault> {
        if self.near.is_none() {
            return place.standing(self.game, self.attacker);
        }
        let Place { state, trail } = place;
        Ok(match self.game.ending(state, trail, self.attacker)? {
            Some(payoff) if payoff.utility >= 1.0 => Standing::Won,
            Some(_) => Standing::Ended,
            None => {
                let program = self.rules.program();
                let turn = program.arrays[usize::from(TURN.0)].base;
                let mover = i64::from(self.game.raw(state, turn)) + program.cell(turn).0.lo;
                u8::try_from(mover).map_or(Standing::Otherwise, |it| Standing::Turn(Player(it)))
            }
        })
    }

    /// A move by which the attacker wins at once.
    pub(super) fn wins_now(&mut self, place: &Place) -> Result<Option<PackedMove>, Stop> {
        if self.near.is_none() {
            self.count()?;
            return Ok(self.game.winning_move(&place.state, &place.trail, self.attacker)?);
        }
        for mv in self.attacks(place, 1)? {
            let next = self.after(place, mv)?;
            if self.standing(&next)? == Standing::Won {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The attacker's moves that are looked at, where one of this order is wanted.
    pub(super) fn attacks(&mut self, place: &Place, order: u8) -> Result<Vec<PackedMove>, Stop> {
        if self.near.is_none() {
            let mut moves = self.moves(place, self.attacker)?;
            let of = (self.game, self.rules, &*self.ground);
            self.focus.keep(of, (place, self.attacker), order, &mut moves);
            return Ok(moves);
        }
        let mut moves = self.listed(place, self.attacker)?;
        let Some(near) = &self.near else { return Ok(moves) };
        let most = self.config.near.unwrap_or(0).min(order.saturating_sub(1).max(1));
        let distances = near.distances(self.game, place, most);
        let program = self.rules.program();
        moves.retain(|&it| distances.of(program, it) <= most);
        let won = |it: &PackedMove| self.strokes.get(it).copied().unwrap_or(0);
        moves.sort_by_cached_key(|it| (Reverse(won(it)), distances.of(program, *it), *it));
        Ok(moves)
    }

    /// The defender's moves that are looked at where the attacker threatens `threat`, those
    /// first that helped before; and those that are not looked at.
    fn replies(
        &mut self,
        place: &Place,
        threat: &Threat,
    ) -> Result<(Vec<PackedMove>, Vec<PackedMove>), Stop> {
        let moves = self.listed(place, Player(1 - self.attacker.0))?;
        let Some(near) = &self.near else { return Ok((moves, Vec::new())) };
        // Every legal move does something about a danger.
        let Threat::Win(win, _) = threat else { return Ok((moves, Vec::new())) };
        let most = self.config.near.unwrap_or(0).min(FARTHEST_REPLY);
        let distances = near.distances(self.game, place, most);
        let program = self.rules.program();
        let strokes = win.line();
        let is_near = |it: &PackedMove| {
            distances.of(program, *it) <= most || strokes.contains(it) || self.heeded.contains(it)
        };
        let (mut moves, far): (Vec<_>, Vec<_>) = moves.into_iter().partition(is_near);
        let helped = |it: &PackedMove| self.escapes.get(it).copied().unwrap_or(0);
        moves.sort_by_cached_key(|it| {
            (*it != win.mv, Reverse(helped(it)), distances.of(program, *it), *it)
        });
        Ok((moves, far))
    }

    /// Whether the defender, whose turn it is, loses whichever of the replies that are looked at
    /// he chooses: to `threat` where it does nothing about that, else to something of a shape.
    pub(super) fn answered_near(
        &mut self,
        place: &Place,
        threat: Threat,
        right: Form,
    ) -> Result<Option<Rc<Hold>>, Stop> {
        let (moves, far) = self.replies(place, &threat)?;
        let (mut others, mut other) = (far.len(), far.first().copied());
        let mut replies = Vec::new();
        for mv in moves {
            let next = self.after(place, mv)?;
            match self.standing(&next)? {
                Standing::Won => {
                    replies.push((mv, Reply::Ends));
                    continue;
                }
                Standing::Turn(mover) if mover == self.attacker => {}
                _ => return Ok(None),
            }
            if self.leaves(&next, &threat)? {
                others += 1;
                other = other.or(Some(mv));
                continue;
            }
            if self.config.most_counters.is_some_and(|most| replies.len() >= most) {
                return Ok(None);
            }
            let Some(win) = self.refutes(&next, mv, right)? else { return Ok(None) };
            replies.push((mv, Reply::Win(win)));
        }
        replies.sort_by_key(|it| it.0);
        Ok(Some(Rc::new(Hold { threat, replies, others, other })))
    }

    /// Whether a win that was found elsewhere is one here as well, as far as replies are looked at.
    pub(super) fn replays(&mut self, place: &Place, win: &Win) -> Result<bool, Stop> {
        if !self.listed(place, self.attacker)?.contains(&win.mv) {
            return Ok(false);
        }
        let next = self.after(place, win.mv)?;
        let hold = match (self.standing(&next)?, &win.then) {
            (Standing::Won, _) => return Ok(true),
            (Standing::Turn(mover), Some(hold)) if mover != self.attacker => hold,
            _ => return Ok(false),
        };
        for mv in self.replies(&next, &hold.threat)?.0 {
            let after = self.after(&next, mv)?;
            match self.standing(&after)? {
                Standing::Won => continue,
                Standing::Turn(mover) if mover == self.attacker => {}
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
