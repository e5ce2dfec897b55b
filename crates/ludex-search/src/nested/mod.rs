//! Nested searches: best sequences for one player, and for two.
//!
//! * [`nmcs`]: searches of level n that try each move by a search of level n - 1.
//! * [`nrpa`]: the same nesting, but what is nested is learning how to play.
//! * [`two_players`]: nested search for two opponents.
//!
//! The first two look for the best game that one player can play, and what they show is that game.
//! `runs.rs` has what they share: threads, the budget and the best so far.

use ludex_core::{Game, PositionOf, Turn};

use crate::error::SearchError;
use crate::registry::PlayerFamily;
use crate::result::mover;
use crate::support;

pub mod nmcs;
pub mod nrpa;
mod playout;
mod playout_budget;
mod policy;
mod positions;
mod runs;
pub mod two_players;

pub use nmcs::{Nmcs, NmcsConfig};
pub use nrpa::{Nrpa, NrpaConfig};
pub use two_players::{Nested, NestedConfig};

/// No search is nested deeper: a level takes as long as a whole game of the level below, and more
/// would never end.
const HIGHEST: u32 = 16;

/// The players of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let one = support::one_player;
    vec![
        PlayerFamily::new(
            "nmcs",
            "nested Monte-Carlo search, for one player: level=2, memorise=yes",
            one,
            |spec, _, options| {
                Ok(Box::new(Nmcs { config: NmcsConfig::default().with(spec)?, options }))
            },
        ),
        PlayerFamily::new(
            "nrpa",
            "nested rollout policy adaptation, for one player: level=3, n=100, alpha=1",
            one,
            |spec, _, options| {
                Ok(Box::new(Nrpa { config: NrpaConfig::default().with(spec)?, options }))
            },
        ),
        PlayerFamily::new(
            "nested",
            "nested Monte-Carlo search for two players: level=1",
            support::one_or_two_players,
            |spec, _, options| {
                Ok(Box::new(Nested { config: NestedConfig::default().with(spec)?, options }))
            },
        ),
    ]
}

/// A player without moves is at the end of the game, unless another player or chance decides.
fn must_be_over<G: Game>(game: &G, position: &PositionOf<G>) -> Result<(), SearchError> {
    if game.turn(position)? == Turn::Over {
        return Ok(());
    }
    mover(game, position)?;
    Ok(support::one_player(game.info())?)
}
