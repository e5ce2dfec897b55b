//! Alpha-beta with its refinements, for two opponents who take turns.
//!
//! | file | what it is |
//! | --- | --- |
//! | [`config`] | everything that can be switched |
//! | [`player`](mod@player) | the player: what it keeps, how it spends its time |
//! | `root` | iterative deepening, windows, lines, proofs |
//! | `search` | negamax, principal variation search, reductions, extensions |
//! | `worker` | what one thread has, counts and asks the rules |
//! | `quiescence`, `null_move`, `futility`, `ordering`, `table`, `probe`, `threads`, `threats` | a refinement each |
//! | [`profile`] | what a game is like: whether passing is bad, what a swing is |
//!
//! **Invariant:** with only the options that change no value, the value of a depth is that of
//! plain [`minimax`](crate::baselines::minimax); what is proved is true with all of them.

use ludex_core::Game;

use crate::evaluation::{Choice, Chosen, TrainingConfig, choose};
use crate::player::{GamePlayer, PlayerOptions};
use crate::spec::{Spec, SpecError};

mod candidates;
pub mod config;
mod futility;
pub(crate) mod halt;
mod null_move;
mod ordering;
pub mod player;
mod probe;
pub mod profile;
mod quiescence;
mod root;
pub mod scores;
mod search;
pub(crate) mod table;
mod threads;
mod threats;
mod worker;

pub use config::{AlphaBetaConfig, NullMove};
pub use player::AlphaBeta;
pub use profile::Profile;
pub use scores::ScoreMeaning;

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] =
    &[("alphabeta", "alpha-beta with all its refinements"), ("bing", "alpha-beta as BING had it")];

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    spec: &mut Spec,
    options: &PlayerOptions,
) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError> {
    let preset = match spec.name.as_str() {
        "alphabeta" => AlphaBetaConfig::default(),
        "bing" => AlphaBetaConfig::bing(),
        _ => return Ok(None),
    };
    let config = preset.with(spec)?;
    let choice = choose(spec, Choice::Auto)?;
    let usual = TrainingConfig::default();
    let learning = TrainingConfig {
        seed: options.seed,
        work: spec.take("work", usual.work)?,
        rows: spec.take_given_switch("rows")?,
        widest: spec.take("widest", usual.widest)?.max(1),
        ..usual
    };
    let evaluation = Chosen::new(choice, *options).with_training(learning);
    Ok(Some(Box::new(AlphaBeta::new(config, evaluation, *options))))
}
