//! Wins that are looked for near by, and checked everywhere.
//!
//! On a large board most of the time goes into replies that have nothing to do with the matter. Where
//! the result asks about a few squares only, the search here looks at moves and replies near to
//! them, see [`near`](super::near). What it finds is then played out against *every* reply, by
//! [`verify`]. If one of them refutes it, that move is looked at as well from now on, and the search
//! begins again. So what is called proved has been proved by the rules, whatever was guessed before.

use std::rc::Rc;

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_ir::PackedMove;
use ludex_ir::inst::TURN;

use super::attack::{Attack, Form, Stop};
use super::open::{Open, Place, Standing};
use super::proof::{Hold, Reply, Threat, Win};
use super::verify::{Flaw, verify};
use super::shape::Shape;
use super::widening::{Reach, Widened, prove, prove_by};

/// Positions for each shape in the first round.
const FIRST_ROUND: u64 = 250;

/// How many positions a check may take for each that the search may.
const CHECKED_FOR_EACH: u64 = 10;

/// Direct threats in a row, at most: a board of 19 by 19 may be crossed twice.
const LONGEST: u32 = 60;

/// How many direct threats in a row may be threatened.
const THREATENED: [u32; 2] = [1, 16];

/// How many such threats there may be in a row.
const LONGEST_HIGHER: u32 = 8;

/// Looks for a win of the attacker, whoever is to move, among moves that are near as the
/// configuration says, and checks it against all replies.
///
/// A check may take ten times as many positions as the search; if that is not enough, the budget
/// counts as spent.
pub fn prove_near<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    (budget, clock): (Budget<'a>, &dyn Clock),
) -> Result<Widened, Fault> {
    attack.focus(place)?;
    if attack.near.is_none() {
        return prove(attack, place, reach, budget);
    }
    let goes_on = |it: &Shape, than: &Shape| {
        it.order() <= 2 && than.order() <= 2
            || it.parts().map(|it| it.0) == than.parts().map(|it| it.0)
    };
    loop {
        let shapes = (chains(reach.highest_order), &goes_on as _);
        let proved = match prove_by(attack, place, shapes, (FIRST_ROUND, budget))? {
            Widened::Proved(proved) => proved,
            other => return Ok(other),
        };
        let nodes = budget.nodes.map(|it| it.saturating_mul(CHECKED_FOR_EACH));
        let limits = (Budget { nodes, ..budget }, clock);
        match verify(attack.game, attack.attacker, place, &proved.proof, limits)?.0 {
            Ok(()) => return Ok(Widened::Proved(proved)),
            Err(Flaw::Spent) => return Ok(Widened::Spent),
            Err(Flaw::Refuted { line, .. }) => {
                if !attack.heed_line(place, &line)? {
                    return Ok(Widened::Spent);
                }
            }
        }
    }
}

/// The shapes that are tried: series of direct threats, and series of threats of such series.
/// What is near is so little that they may be long.
fn chains(highest_order: u8) -> Vec<Rc<Shape>> {
    let mut shapes = vec![Rc::new(Shape::one())];
    if highest_order >= 2 {
        shapes.extend((1..=LONGEST).map(|it| Rc::new(Shape::chain(it))));
    }
    for order in 3..=highest_order {
        for threatened in THREATENED {
            let threat = (3..order).fold(Shape::chain(threatened), |it, _| {
                Shape::chain_of(&Rc::new(it), threatened.min(2))
            });
            let threat = Rc::new(threat);
            shapes.extend((1..=LONGEST_HIGHER).map(|it| Rc::new(Shape::chain_of(&threat, it))));
        }
    }
    shapes.sort_by_key(|it| (it.depth(), it.moves()));
    shapes
}

impl<G: Open> Attack<'_, G> {
    /// Looks at the defender's moves of a line from now on. Whether any of them is new.
    fn heed_line(&mut self, place: &Place, line: &[PackedMove]) -> Result<bool, Fault> {
        let mut here = place.clone();
        let mut is_new = false;
        for &mv in line {
            let turn = self.standing(&here)?;
            if turn == Standing::Turn(Player(1 - self.attacker.0)) {
                is_new |= self.heed(mv);
            }
            here = here.after(self.game, mv)?;
        }
        Ok(is_new)
    }

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
            return self.moves(place, self.attacker);
        }
        let mut moves = self.listed(place, self.attacker)?;
        if let Some(near) = &self.near {
            let most = self.config.near.unwrap_or(0).min(order.saturating_sub(1).max(1));
            let distances = near.distances(self.game, place, most);
            let program = self.rules.program();
            moves.retain(|&it| distances.of(program, it) <= most);
            let wins = |it: &PackedMove| self.strokes.get(it).copied().unwrap_or(0);
            moves.sort_by_cached_key(|it| {
                (std::cmp::Reverse(wins(it)), distances.of(program, *it), *it)
            });
        }
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
        let most = self.config.near.unwrap_or(0).min(2);
        let distances = near.distances(self.game, place, most);
        let program = self.rules.program();
        let (strokes, first) = match threat {
            Threat::Win(win, _) => (win.line(), Some(win.mv)),
            Threat::Danger => (Vec::new(), None),
        };
        let is_near = |it: &PackedMove| {
            distances.of(program, *it) <= most || strokes.contains(it) || self.heeded.contains(it)
        };
        let (mut moves, far): (Vec<_>, Vec<_>) = moves.into_iter().partition(is_near);
        let helped = |it: &PackedMove| self.escapes.get(it).copied().unwrap_or(0);
        moves.sort_by_cached_key(|it| {
            (Some(*it) != first, std::cmp::Reverse(helped(it)), distances.of(program, *it), *it)
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
            } else if let Some(win) = self.refutes(&next, mv, right)? {
                replies.push((mv, Reply::Win(win)));
            } else {
                return Ok(None);
            }
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
            let ((Some(Reply::Win(then)), _) | (None, Threat::Win(then, _))) = (reply, &hold.threat)
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
