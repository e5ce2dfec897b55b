//! Which moves of the attacker are tried.
//!
//! Restricting the attacker misses wins at worst, and lets the search go deeper elsewhere: every reply
//! is still examined, so a win that is found is proved.

use ludex_core::{Limits, Player, Position};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::cell_game::CellGame;
use super::game_analysis::GameAnalysis;
use super::neighbourhood::Neighbourhood;

/// A restriction of the attacker's moves.
#[derive(Clone, Debug)]
pub(super) enum AttackerMoves {
    /// All moves.
    All,
    /// Moves that fulfil part of a winning pattern, see [`GameAnalysis::patterns`].
    WinningPatterns,
    /// Moves in the neighbourhood of men.
    Near(Neighbourhood),
}

impl AttackerMoves {
    /// No restriction if no distance is given.
    pub(super) fn new<G: CellGame>(
        game: (&G, &RulesGame),
        analysis: &GameAnalysis,
        attacker: Player,
        steps: Option<u8>,
        limits: Limits<'_>,
    ) -> Self {
        let Some(steps) = steps else { return Self::All };
        if analysis.patterns(game, attacker, limits).is_some() {
            return Self::WinningPatterns;
        }
        Neighbourhood::new(game.0, steps).map_or(Self::All, Self::Near)
    }

    /// Keeps the moves that are tried in a search for moves of this order.
    pub(super) fn keep<G: CellGame>(
        &self,
        (game, rules, analysis): (&G, &RulesGame, &GameAnalysis),
        (position, attacker): (&Position, Player),
        order: u8,
        moves: &mut Vec<PackedMove>,
    ) {
        match self {
            Self::All => {}
            Self::WinningPatterns => {
                if let Some(patterns) = analysis.known_patterns(attacker) {
                    patterns.keep((game, rules.program(), analysis), position, order, moves);
                }
            }
            Self::Near(neighbourhood) => {
                neighbourhood.keep((game, rules.program()), position, moves);
            }
        }
    }
}
