//! Nested searches: best sequences for one player, and for two.
//!
//! * [`nmcs`]: searches of level n that try each move by a search of level n - 1.
//! * [`nrpa`]: the same nesting, but what is nested is learning how to play.
//! * [`two_players`]: nested search for two opponents.
//!
//! The first two look for the best game that one player can play, and what they show is that game.
//! `runs.rs` has what they share: threads, the budget and the best so far.

use ludex_core::{Fault, Game, GameExt, PositionOf, Turn};

use crate::player::{GamePlayer, PlayerOptions};
use crate::result::mover;
use crate::seats::FOR_ONE;
use crate::spec::{Spec, SpecError};

mod meter;
pub mod nmcs;
pub mod nrpa;
mod playout;
mod policy;
mod positions;
mod runs;
pub mod two_players;

pub use nmcs::{Nmcs, NmcsConfig};
pub use nrpa::{Nrpa, NrpaConfig};
pub use two_players::{Nested, NestedConfig};

/// No search is nested deeper: a level takes as long as a whole game of the level below, and more
/// would never come to an end.
const HIGHEST: u32 = 16;

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] = &[
    ("nmcs", "nested Monte-Carlo search, for one player: level=2, memorise=yes"),
    ("nrpa", "nested rollout policy adaptation, for one player: level=3, n=100, alpha=1"),
    ("nested", "nested Monte-Carlo search for two players: level=1"),
];

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    spec: &mut Spec,
    options: &PlayerOptions,
) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError> {
    Ok(match spec.name.as_str() {
        "nmcs" => Some(Box::new(Nmcs::new(spec, options)?)),
        "nrpa" => Some(Box::new(Nrpa::new(spec, options)?)),
        "nested" => Some(Box::new(Nested::new(spec, options)?)),
        _ => None,
    })
}

/// Best sequences make sense for one player only: against an opponent the best game is not
/// the one that can be had.
fn one_player<G: Game>(game: &G) -> Result<(), Fault> {
    if game.players() == 1 {
        return Ok(());
    }
    let message = "this search is for one player; `nested` is the one for two".to_owned();
    Err(Fault { code: FOR_ONE, message, place: None })
}

/// A player without moves has come to the end, unless somebody else or chance is to decide.
fn must_be_over<G: Game>(game: &G, position: &PositionOf<G>) -> Result<(), Fault> {
    if game.turn(position)? == Turn::Over {
        return Ok(());
    }
    mover(game, position)?;
    one_player(game)
}
