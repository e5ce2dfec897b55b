//! The view of a game that searches for two opponents take.
//!
//! Alpha-beta and proof searches make sense only where two players move in turn
//! and one's gain is the other's loss. A game does not say beforehand whether it
//! is such a game, so the view checks what it sees as it goes: what it cannot
//! honour it reports as a [`Fault`] and never as a wrong value.

use crate::ext::GameExt;
use crate::game::{Fault, Game, Player, Turn};
use crate::position::PositionOf;

/// Utilities of two opponents may miss a sum of zero by this much of rounding.
const ROUNDING: f64 = 1e-9;

/// A game of two players without chance or joint turns, in which the players'
/// utilities sum to zero.
#[derive(Debug)]
pub struct TwoPlayer<'g, G> {
    game: &'g G,
}

// Not derived: a derive would ask the game itself to be `Clone`.
impl<G> Clone for TwoPlayer<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for TwoPlayer<'_, G> {}

impl<'g, G: Game> TwoPlayer<'g, G> {
    /// The view of `game`; `None` where it has not two players.
    pub fn new(game: &'g G) -> Option<Self> {
        (game.players() == 2).then_some(Self { game })
    }

    /// The game itself, for names and texts.
    pub fn game(self) -> &'g G {
        self.game
    }

    /// Who is to move; `None` when the game is over.
    pub fn mover(self, position: &PositionOf<G>) -> Result<Option<Player>, Fault> {
        match self.game.turn(position)? {
            Turn::Over => Ok(None),
            Turn::Of(player) => Ok(Some(player)),
            Turn::Joint(_) => Err(unfit("two-player-joint", "the players choose at once here")),
            Turn::Chance => Err(unfit("two-player-chance", "chance decides here")),
        }
    }

    /// Replaces the contents of `moves` by every legal move of `mover`.
    pub fn moves(
        self,
        position: &PositionOf<G>,
        mover: Player,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        self.game.moves(position, mover, moves)
    }

    /// Plays a legal move of the player to move.
    pub fn apply(self, position: &mut PositionOf<G>, mv: G::Move) -> Result<(), Fault> {
        self.game.apply(position, &[mv])
    }

    /// What a finished game is worth to `player`, from -1 to 1; to the opponent
    /// it is worth the opposite.
    pub fn value(self, position: &PositionOf<G>, player: Player) -> Result<f64, Fault> {
        let mine = self.game.payoff(position, player)?.utility;
        let theirs = self.game.payoff(position, opponent(player))?.utility;
        if (mine + theirs).abs() <= ROUNDING {
            Ok(mine.clamp(-1.0, 1.0))
        } else {
            Err(unfit("two-player-sum", "one player's gain is not the other's loss"))
        }
    }
}

/// The other of two players.
pub fn opponent(player: Player) -> Player {
    Player(1 - player.0.min(1))
}

fn unfit(code: &'static str, message: &str) -> Fault {
    let message = format!("{message}, and this search is for two opponents who take turns");
    Fault { code, message, place: None }
}
