//! Games and positions as threat search sees them.

use ludex_core::{Cells, Fault, Game, Player, Position, State, Trail, Turn};
use ludex_ir::PackedMove;

/// A game given by rules whose cells can be read, run by either engine.
pub trait CellGame: Cells + Game<State = State, Trail = Trail, Move = PackedMove> {}

impl<G: Cells + Game<State = State, Trail = Trail, Move = PackedMove>> CellGame for G {}

/// The status of a position for one of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The game is over, and the player has won.
    Won,
    /// The game is over, and the player has not won.
    Ended,
    /// It is this player's turn.
    Turn(Player),
    /// It is a joint turn, or one of chance.
    Otherwise,
}

/// The status of a position for `player`.
pub(crate) fn status<G: CellGame>(
    game: &G,
    position: &Position,
    player: Player,
) -> Result<Status, Fault> {
    Ok(match game.turn(position)? {
        Turn::Over => {
            let payoff = game.payoff(position, player)?;
            if payoff.utility >= 1.0 { Status::Won } else { Status::Ended }
        }
        Turn::Of(mover) => Status::Turn(mover),
        Turn::Joint(_) | Turn::Chance => Status::Otherwise,
    })
}

/// The same position with another value in a cell.
pub(crate) fn changed<G: CellGame>(
    game: &G,
    position: &Position,
    cell: usize,
    raw: u16,
) -> Position {
    Position { state: game.with_raw(&position.state, cell, raw), trail: position.trail.clone() }
}
