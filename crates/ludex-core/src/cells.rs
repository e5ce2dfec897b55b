//! Games whose states are cells that can be looked at and changed one by one.
//!
//! What studies rules asks more than who may play what: which cells a move has changed, and what
//! would be if a cell were different. Engines that keep their states in different forms answer in
//! the same numbers.

use crate::game::{Fault, Game, Payoff, Player, Turn};
use crate::position::Position;
use crate::state::{State, Trail};

/// A game of cells.
pub trait Cells: Game<State = State, Trail = Trail> {
    /// The raw value of a cell: its value less the lowest of its domain.
    fn raw(&self, state: &State, cell: usize) -> u16;

    /// The same state but for one cell, which gets a raw value.
    #[must_use]
    fn with_raw(&self, state: &State, cell: usize, raw: u16) -> State;

    /// Whether the rules would have forbidden `player` to make this position, in which another
    /// player is to move: a king that could be taken, say.
    fn forbids(&self, position: &Position, player: Player) -> Result<bool, Fault>;

    /// What `player` gets if the game is over; `None` if it goes on. That it is over because there
    /// is no move need not be seen: who wants to know asks for the [`turn`](Game::turn), which
    /// may take much longer.
    fn ending(&self, position: &Position, player: Player) -> Result<Option<Payoff>, Fault> {
        let is_over = self.turn(position)? == Turn::Over;
        is_over.then(|| self.payoff(position, player)).transpose()
    }

    /// The smallest move by which `player`, whose turn it is, wins at once.
    fn winning_move(
        &self,
        position: &Position,
        player: Player,
    ) -> Result<Option<Self::Move>, Fault> {
        let mut moves = Vec::new();
        self.moves(position, player, &mut moves)?;
        moves.sort_unstable();
        for mv in moves {
            let mut next = position.clone();
            self.apply(&mut next, &[mv])?;
            let is_over = self.turn(&next)? == Turn::Over;
            if is_over && self.payoff(&next, player)?.utility >= 1.0 {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}
