//! Wins that are looked for near by, and checked everywhere.
//!
//! On a large board most of the time goes into replies that have nothing to do with the matter. Where
//! the result asks about a few squares only, the search here looks at moves and replies near to
//! them, see [`near`](super::near). What it finds is then played out against *every* reply, by
//! [`verify`]. If one of them refutes it, that move is looked at as well from now on, and the search
//! begins again. So what is called proved has been proved by the rules, whatever was guessed before.

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_ir::PackedMove;

use super::attack::{Attack, Stop};
use super::open::{Open, Place, Standing};
use super::proof::{Reply, Threat, Win};
use super::verify::{Flaw, verify};
use super::widening::{Reach, Widened, prove};

/// Looks for a win of the attacker, whoever is to move, among moves that are near as the
/// configuration says, and checks it against all replies.
///
/// The check counts its positions apart and has as many as the search, since they cost less.
pub fn prove_near<'a, G: Open>(
    attack: &mut Attack<'a, G>,
    place: &Place,
    reach: Reach,
    (budget, clock): (Budget<'a>, &dyn Clock),
) -> Result<Widened, Fault> {
    attack.focus(place)?;
    loop {
        let proved = match prove(attack, place, reach, budget)? {
            Widened::Proved(proved) => proved,
            other => return Ok(other),
        };
        let limits = (Budget { nodes: None, ..budget }, clock);
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

impl<G: Open> Attack<'_, G> {
    /// Looks at the defender's moves of a line from now on. Whether any of them is new.
    fn heed_line(&mut self, place: &Place, line: &[PackedMove]) -> Result<bool, Fault> {
        let mut here = place.clone();
        let mut is_new = false;
        for &mv in line {
            let turn = here.standing(self.game, self.attacker)?;
            if turn == Standing::Turn(Player(1 - self.attacker.0)) {
                is_new |= self.heed(mv);
            }
            here = here.after(self.game, mv)?;
        }
        Ok(is_new)
    }

    /// A move by which the attacker wins at once.
    pub(super) fn wins_now(&mut self, place: &Place) -> Result<Option<PackedMove>, Stop> {
        if self.near.is_none() {
            self.count()?;
            return Ok(self.game.winning_move(&place.state, &place.trail, self.attacker)?);
        }
        for mv in self.attacks(place, 1)? {
            let next = self.after(place, mv)?;
            if next.standing(self.game, self.attacker)? == Standing::Won {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// The attacker's moves that are looked at, where one of this order is wanted.
    pub(super) fn attacks(&mut self, place: &Place, order: u8) -> Result<Vec<PackedMove>, Stop> {
        let mut moves = self.moves(place, self.attacker)?;
        if let Some(near) = &self.near {
            let most = self.config.near.unwrap_or(0).min(order);
            let distances = near.distances(self.game, place, most);
            let program = self.rules.program();
            moves.retain(|&it| distances.of(program, it) <= most);
            moves.sort_by_key(|&it| distances.of(program, it));
        }
        Ok(moves)
    }

    /// The defender's moves that are looked at, and those that are not.
    pub(super) fn replies(
        &mut self,
        place: &Place,
        defender: Player,
    ) -> Result<(Vec<PackedMove>, Vec<PackedMove>), Stop> {
        let moves = self.moves(place, defender)?;
        let Some(near) = &self.near else { return Ok((moves, Vec::new())) };
        let most = self.config.near.unwrap_or(0);
        let distances = near.distances(self.game, place, most);
        let program = self.rules.program();
        let is_near =
            |it: &PackedMove| distances.of(program, *it) <= most || self.heeded.contains(it);
        Ok(moves.into_iter().partition(is_near))
    }

    /// Whether a win that was found elsewhere is one here as well, as far as replies are looked at.
    pub(super) fn replays(&mut self, place: &Place, win: &Win) -> Result<bool, Stop> {
        if !self.moves(place, self.attacker)?.contains(&win.mv) {
            return Ok(false);
        }
        let next = self.after(place, win.mv)?;
        let (defender, hold) = match (next.standing(self.game, self.attacker)?, &win.then) {
            (Standing::Won, _) => return Ok(true),
            (Standing::Turn(mover), Some(hold)) if mover != self.attacker => (mover, hold),
            _ => return Ok(false),
        };
        for mv in self.replies(&next, defender)?.0 {
            let after = self.after(&next, mv)?;
            match after.standing(self.game, self.attacker)? {
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
