//! The verification of a win: it trusts nothing but the rules.
//!
//! Every legal move of the defender is played. A move to which the proof has a reply is followed there;
//! any other is answered by the threat, as the proof claims, and that is followed in the same way. So
//! the whole tree is played out in which the attacker follows the proof, and every line has to end in
//! his win.

use ludex_core::GameExt;
use ludex_core::{Fault, Limits, Player, Position};
use ludex_ir::PackedMove;

use super::cell_game::{CellGame, Status, status};
use super::proof::{Hold, Reply, Threat, Win};
use super::widening::Proof;

/// Why verification failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A line does not win.
    Refuted {
        /// The moves that lead to the position.
        line: Vec<PackedMove>,
        /// What is wrong there.
        why: &'static str,
    },
    /// The budget was spent before the verification was complete.
    Spent,
}

/// Result of a verification.
pub type Verdict = Result<(), Flaw>;

/// A verification in progress.
struct Check<'a, G: CellGame> {
    game: &'a G,
    attacker: Player,
    limits: Limits<'a>,
    positions: u64,
    line: Vec<PackedMove>,
}

/// Verifies that the attacker wins from `position`; returns the number of positions as well.
pub fn verify<G: CellGame>(
    game: &G,
    attacker: Player,
    position: &Position,
    proof: &Proof,
    limits: Limits<'_>,
) -> Result<(Verdict, u64), Fault> {
    let mut check = Check { game, attacker, limits, positions: 0, line: Vec::new() };
    let verdict = match proof {
        Proof::Win(win) => check.win(position, win)?,
        Proof::Hold(hold) => check.hold(position, hold)?,
    };
    Ok((verdict, check.positions))
}

impl<G: CellGame> Check<'_, G> {
    fn win(&mut self, position: &Position, win: &Win) -> Result<Verdict, Fault> {
        // If the attacker has a legal move, it is his turn, and the game is not over.
        if !self.moves(position, self.attacker)?.contains(&win.mv) {
            return Ok(match status(self.game, position, self.attacker)? {
                Status::Won => Ok(()),
                Status::Turn(mover) if mover == self.attacker => {
                    self.refuted("the attacker's move is not legal")
                }
                _ => self.refuted("it is not the attacker's turn"),
            });
        }
        self.follow(position, win.mv, |check, next| match &win.then {
            Some(hold) => check.hold(next, hold),
            None => check.won(next),
        })
    }

    fn hold(&mut self, position: &Position, hold: &Hold) -> Result<Verdict, Fault> {
        let defender = match status(self.game, position, self.attacker)? {
            Status::Won => return Ok(Ok(())),
            Status::Turn(mover) if mover != self.attacker => mover,
            _ => return Ok(self.refuted("it is not the defender's turn")),
        };
        for mv in self.moves(position, defender)? {
            let verdict = self.follow(position, mv, |check, next| check.answer(next, mv, hold))?;
            if verdict.is_err() {
                return Ok(verdict);
            }
        }
        Ok(Ok(()))
    }

    /// Verifies the answer to a move of the defender.
    fn answer(&mut self, next: &Position, mv: PackedMove, hold: &Hold) -> Result<Verdict, Fault> {
        let reply = hold.replies.iter().find(|it| it.0 == mv).map(|it| &it.1);
        match (reply, &hold.threat) {
            (Some(Reply::Win(win)), _) | (None, Threat::Win(win, _)) => self.win(next, win),
            _ if self.is_won(next)? => Ok(Ok(())),
            (Some(Reply::Ends), _) => Ok(self.refuted("the reply does not end the game")),
            (None, Threat::Danger) => Ok(self.refuted("there is no answer to this")),
        }
    }

    fn won(&mut self, position: &Position) -> Result<Verdict, Fault> {
        Ok(if self.is_won(position)? { Ok(()) } else { self.refuted("this does not win") })
    }

    /// Whether the game is over and the attacker has won. The result clauses are tested first; whether a
    /// player has no move takes longer.
    fn is_won(&self, position: &Position) -> Result<bool, Fault> {
        match self.game.ending(position, self.attacker)? {
            Some(payoff) => Ok(payoff.utility >= 1.0),
            None => Ok(status(self.game, position, self.attacker)? == Status::Won),
        }
    }

    fn follow(
        &mut self,
        position: &Position,
        mv: PackedMove,
        go_on: impl FnOnce(&mut Self, &Position) -> Result<Verdict, Fault>,
    ) -> Result<Verdict, Fault> {
        self.positions += 1;
        let is_spent = self.positions.is_multiple_of(64) || self.limits.nodes.is_some();
        if is_spent && self.limits.is_reached(self.positions) {
            return Ok(Err(Flaw::Spent));
        }
        self.line.push(mv);
        let verdict = go_on(self, &self.game.after(position, mv)?)?;
        self.line.pop();
        Ok(verdict)
    }

    fn moves(&self, position: &Position, player: Player) -> Result<Vec<PackedMove>, Fault> {
        let mut moves = Vec::new();
        self.game.moves(position, player, &mut moves)?;
        Ok(moves)
    }

    fn refuted(&self, why: &'static str) -> Verdict {
        Err(Flaw::Refuted { line: self.line.clone(), why })
    }
}
