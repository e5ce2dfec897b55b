//! Where the attacker looks for moves.
//!
//! That he looks at few moves costs him wins at worst, and lets him see further in the rest: every
//! reply is still asked about, so what is found is proved all the same.

use ludex_core::Player;
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::around::Around;
use super::ground::Ground;
use super::open::{Open, Place};
use super::patterns::Limits;

/// Which of his moves the attacker looks at.
#[derive(Clone, Debug)]
pub(super) enum Focus {
    /// All of them.
    Everything,
    /// Those that bring him nearer to a win, as [`Ground::patterns`] tells.
    Ways,
    /// Those around the men.
    Men(Around),
}

impl Focus {
    /// Everything where no number of steps is given.
    pub(super) fn new<G: Open>(
        game: (&G, &RulesGame),
        ground: &Ground,
        attacker: Player,
        steps: Option<u8>,
        limits: Limits<'_>,
    ) -> Self {
        let Some(steps) = steps else { return Self::Everything };
        if ground.patterns(game, attacker, limits).is_some() {
            return Self::Ways;
        }
        Around::new(game.0, steps).map_or(Self::Everything, Self::Men)
    }

    /// Keeps the moves that are looked at where one of this order is wanted.
    pub(super) fn keep<G: Open>(
        &self,
        (game, rules, ground): (&G, &RulesGame, &Ground),
        (place, attacker): (&Place, Player),
        order: u8,
        moves: &mut Vec<PackedMove>,
    ) {
        match self {
            Self::Everything => {}
            Self::Ways => {
                if let Some(patterns) = ground.known_patterns(attacker) {
                    patterns.keep((game, rules.program(), ground), place, order, moves);
                }
            }
            Self::Men(around) => around.keep((game, rules.program()), place, moves),
        }
    }
}
