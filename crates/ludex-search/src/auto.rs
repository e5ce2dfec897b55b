//! The player for a game that nobody knows: looks at the game, then chooses.

use ludex_core::Game;

use crate::player::{Means, Player};
use crate::spec::{Spec, SpecError};

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] = &[];

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    _spec: &mut Spec,
    _means: &Means,
) -> Result<Option<Box<dyn Player<G>>>, SpecError> {
    Ok(None)
}
