//! All players, by name.

use ludex_core::Game;
use ludex_core::text::nearest;

use crate::player::{GamePlayer, PlayerOptions};
use crate::spec::{Spec, SpecError};
use crate::{alphabeta, auto, baselines, montecarlo, nested, proof};

/// The names of all players, each with what it is in a line.
pub fn names() -> Vec<(&'static str, &'static str)> {
    [
        auto::NAMES,
        alphabeta::NAMES,
        montecarlo::NAMES,
        nested::NAMES,
        proof::NAMES,
        baselines::NAMES,
    ]
    .concat()
}

/// More threads than this are never started.
const MOST_THREADS: usize = 256;

/// The player that a text asks for: a name, and options after a colon.
///
/// `threads` (at most 256), `seed` and `memory` (in megabytes) may be said for every player; what
/// is not said is as in `options`.
pub fn player<G: Game + 'static>(
    text: &str,
    options: PlayerOptions,
) -> Result<Box<dyn GamePlayer<G>>, SpecError> {
    let mut spec: Spec = text.parse()?;
    let options = PlayerOptions {
        threads: spec.take("threads", options.threads)?.clamp(1, MOST_THREADS),
        seed: spec.take("seed", options.seed)?,
        memory: match spec.take_given::<usize>("memory")? {
            Some(megabytes) => megabytes.saturating_mul(1 << 20),
            None => options.memory,
        },
    };
    let families = [
        auto::player,
        alphabeta::player,
        montecarlo::player,
        nested::player,
        proof::player,
        baselines::player,
    ];
    for family in families {
        if let Some(player) = family(&mut spec, &options)? {
            spec.done()?;
            return Ok(player);
        }
    }
    Err(unknown(&spec.name))
}

fn unknown(name: &str) -> SpecError {
    let names: Vec<&str> = names().into_iter().map(|(name, _)| name).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    SpecError::new(format!("there is no player `{name}`; {hint}"))
}
