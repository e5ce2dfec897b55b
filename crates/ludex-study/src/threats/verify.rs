//! The check of a win: it believes nothing but the rules.
//!
//! Every legal move of the defender is played. One that the proof has a reply to is followed
//! there; to any other the attacker answers with the threat, as the proof claims he can, and that
//! is followed in the same way. So the whole tree of play is gone through in which the attacker
//! does what the proof says, and every line has to end in a win for him.

use ludex_core::{Budget, Clock, Fault, Player};
use ludex_ir::PackedMove;

use super::open::{Open, Place, Standing};
use super::proof::{Hold, Reply, Threat, Win};
use super::widening::Proof;

/// Why a win is not believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is none.
    Refuted {
        /// The moves that lead to the place.
        line: Vec<PackedMove>,
        /// What is wrong there.
        why: &'static str,
    },
    /// The budget was spent before that was known.
    Spent,
}

/// What a check has found.
pub type Verdict = Result<(), Flaw>;

/// A check under way.
struct Check<'a, G: Open> {
    game: &'a G,
    attacker: Player,
    budget: Budget<'a>,
    clock: &'a dyn Clock,
    positions: u64,
    line: Vec<PackedMove>,
}

/// Checks that the attacker wins from `place`; how many positions that took.
pub fn verify<G: Open>(
    game: &G,
    attacker: Player,
    place: &Place,
    proof: &Proof,
    (budget, clock): (Budget<'_>, &dyn Clock),
) -> Result<(Verdict, u64), Fault> {
    let mut check = Check { game, attacker, budget, clock, positions: 0, line: Vec::new() };
    let verdict = match proof {
        Proof::Win(win) => check.win(place, win)?,
        Proof::Hold(hold) => check.hold(place, hold)?,
    };
    Ok((verdict, check.positions))
}

impl<G: Open> Check<'_, G> {
    fn win(&mut self, place: &Place, win: &Win) -> Result<Verdict, Fault> {
        // Who has a legal move is to move, and the game is not over.
        if !self.moves(place, self.attacker)?.contains(&win.mv) {
            return Ok(match place.standing(self.game, self.attacker)? {
                Standing::Won => Ok(()),
                Standing::Turn(mover) if mover == self.attacker => {
                    self.refuted("the attacker's move is not legal")
                }
                _ => self.refuted("it is not the attacker's turn"),
            });
        }
        self.follow(place, win.mv, |check, next| match &win.then {
            Some(hold) => check.hold(next, hold),
            None => check.won(next),
        })
    }

    fn hold(&mut self, place: &Place, hold: &Hold) -> Result<Verdict, Fault> {
        let defender = match place.standing(self.game, self.attacker)? {
            Standing::Won => return Ok(Ok(())),
            Standing::Turn(mover) if mover != self.attacker => mover,
            _ => return Ok(self.refuted("it is not the defender's turn")),
        };
        for mv in self.moves(place, defender)? {
            let verdict = self.follow(place, mv, |check, next| check.answer(next, mv, hold))?;
            if verdict.is_err() {
                return Ok(verdict);
            }
        }
        Ok(Ok(()))
    }

    /// What comes after a move of the defender.
    fn answer(&mut self, next: &Place, mv: PackedMove, hold: &Hold) -> Result<Verdict, Fault> {
        let reply = hold.replies.iter().find(|it| it.0 == mv).map(|it| &it.1);
        match (reply, &hold.threat) {
            (Some(Reply::Win(win)), _) | (None, Threat::Win(win, _)) => self.win(next, win),
            _ if self.is_won(next)? => Ok(Ok(())),
            (Some(Reply::Ends), _) => Ok(self.refuted("the reply does not end the game")),
            (None, Threat::Danger) => Ok(self.refuted("there is no answer to this")),
        }
    }

    fn won(&mut self, place: &Place) -> Result<Verdict, Fault> {
        Ok(if self.is_won(place)? { Ok(()) } else { self.refuted("this does not win") })
    }

    /// Whether the game is over and the attacker has won. What the result says is quickly asked;
    /// that there is no move takes longer.
    fn is_won(&self, place: &Place) -> Result<bool, Fault> {
        let Place { state, trail } = place;
        match self.game.ending(state, trail, self.attacker)? {
            Some(payoff) => Ok(payoff.utility >= 1.0),
            None => Ok(place.standing(self.game, self.attacker)? == Standing::Won),
        }
    }

    fn follow(
        &mut self,
        place: &Place,
        mv: PackedMove,
        go_on: impl FnOnce(&mut Self, &Place) -> Result<Verdict, Fault>,
    ) -> Result<Verdict, Fault> {
        self.positions += 1;
        let is_spent = self.positions.is_multiple_of(64) || self.budget.nodes.is_some();
        if is_spent && self.budget.is_spent(self.positions, self.clock) {
            return Ok(Err(Flaw::Spent));
        }
        self.line.push(mv);
        let verdict = go_on(self, &place.after(self.game, mv)?)?;
        self.line.pop();
        Ok(verdict)
    }

    fn moves(&self, place: &Place, player: Player) -> Result<Vec<PackedMove>, Fault> {
        let mut moves = Vec::new();
        self.game.moves(&place.state, &place.trail, player, &mut moves)?;
        Ok(moves)
    }

    fn refuted(&self, why: &'static str) -> Verdict {
        Err(Flaw::Refuted { line: self.line.clone(), why })
    }
}
