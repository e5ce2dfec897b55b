//! Positions as threat search sees them.

use ludex_core::{Cells, Fault, Game, Player, State, Trail, Turn};
use ludex_ir::PackedMove;

/// A game of rules whose cells can be looked at, whatever runs it.
pub trait Open: Cells + Game<State = State, Trail = Trail, Move = PackedMove> {}

impl<G: Cells + Game<State = State, Trail = Trail, Move = PackedMove>> Open for G {}

/// A position and its past.
#[derive(Clone, Debug)]
pub struct Place {
    /// The position.
    pub state: State,
    /// What the rules remember of the past.
    pub trail: Trail,
}

/// How a position stands for one of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The game is over, and the player has won.
    Won,
    /// The game is over, and the player has not won.
    Ended,
    /// It is this player's turn.
    Turn(Player),
    /// It is the turn of several, or of chance.
    Otherwise,
}

impl Place {
    /// The position after a move.
    pub fn after<G: Open>(&self, game: &G, mv: PackedMove) -> Result<Self, Fault> {
        let mut next = self.clone();
        game.apply(&mut next.state, &mut next.trail, &[mv])?;
        Ok(next)
    }

    /// The same position with the other player to move; `None` where that makes no sense.
    pub fn passed<G: Open>(&self, game: &G) -> Option<Self> {
        Some(Self { state: game.passed(&self.state)?, trail: self.trail.clone() })
    }

    /// The same position with another value in a cell.
    pub(crate) fn changed<G: Open>(&self, game: &G, cell: usize, raw: u16) -> Self {
        Self { state: game.with_raw(&self.state, cell, raw), trail: self.trail.clone() }
    }

    /// How it stands for `player`.
    pub(crate) fn standing<G: Open>(&self, game: &G, player: Player) -> Result<Standing, Fault> {
        Ok(match game.turn(&self.state, &self.trail)? {
            Turn::Over => {
                let payoff = game.payoff(&self.state, &self.trail, player)?;
                if payoff.utility >= 1.0 { Standing::Won } else { Standing::Ended }
            }
            Turn::Of(mover) => Standing::Turn(mover),
            Turn::Joint(_) | Turn::Chance => Standing::Otherwise,
        })
    }
}
