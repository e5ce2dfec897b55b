//! Mobility: my moves less yours.
//!
//! Jacques Pitrat, "Realization of a general game-playing program", 1968: the one measure that
//! can be had of any game. The opponent's moves are counted in the same position as if the player
//! to move had passed; where that makes no sense, only one's own count.

use ludex_core::{Fault, Game, GameExt, PositionOf};

use super::{Evaluate, Standpoint};

/// My moves less yours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// What one move more is worth.
    pub weight: i32,
}

impl Default for Mobility {
    fn default() -> Self {
        Self { weight: 100 }
    }
}

impl<G: Game> Evaluate<G> for Mobility {
    fn evaluate(
        &self,
        game: &G,
        position: &PositionOf<G>,
        _from: Standpoint,
    ) -> Result<i32, Fault> {
        Ok(difference(game, position)?.saturating_mul(self.weight))
    }

    fn describe(&self) -> String {
        "mobility".to_owned()
    }
}

/// The moves of the player to move less those of the next player.
pub fn difference<G: Game>(game: &G, position: &PositionOf<G>) -> Result<i32, Fault> {
    let mine = game.count_moves(position)?;
    let theirs = match game.after_null_move(position) {
        Some(passed) => game.count_moves(&passed)?,
        None => 0,
    };
    let most = i32::MAX as u64;
    Ok(mine.min(most) as i32 - theirs.min(most) as i32)
}
