//! Alpha-beta with its refinements, for two opponents who take turns.
//!
//! | file | what it is |
//! | --- | --- |
//! | [`config`] | everything that can be switched |
//! | [`player`](mod@player) | the player: what it keeps, how it spends its time |
//! | `root` | iterative deepening, windows, lines, proofs |
//! | `search` | negamax, principal variation search, reductions, extensions |
//! | `worker` | one thread: its frames, its node count, its calls of the rules |
//! | `candidates` | candidate moves, by the author or by a policy |
//! | `ordering`, `table`, `probe` | move ordering, the transposition table and its use |
//! | `quiescence`, `null_move`, `futility` | the quiescence search and pruning |
//! | `threads`, `threats` | helper threads, forced wins by the game's prover |
//! | [`calibration`] | what pruning needs to know of a game, measured |
//!
//! **Invariant:** with only the options that change no value, the value of a depth is that of
//! plain [`minimax`](crate::baselines::minimax); what is proved is true with all of them.

use ludex_core::Game;

use crate::evaluation::{LazyEvaluation, TrainingConfig};
use crate::registry::PlayerFamily;
use crate::support;

pub mod calibration;
mod candidates;
pub mod config;
mod futility;
mod null_move;
mod ordering;
pub mod player;
mod probe;
mod quiescence;
mod root;
pub mod scores;
mod search;
pub(crate) mod table;
mod threads;
mod threats;
mod worker;

pub use calibration::Calibration;
pub use config::{AlphaBetaConfig, NullMove};
pub use player::AlphaBeta;
pub use scores::ScoreMeaning;

/// The players of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let family = |name, summary, preset: AlphaBetaConfig| {
        PlayerFamily::new(name, summary, support::two_opponents, move |spec, registry, options| {
            let config = preset.clone().with(spec)?;
            let choice = registry.evaluation(spec, "auto")?;
            let usual = TrainingConfig::default();
            let training = TrainingConfig {
                seed: options.seed,
                work: spec.take("work", usual.work)?,
                rows: spec.take_given_switch("rows")?,
                widest: spec.take("widest", usual.widest)?.max(1),
                ..usual
            };
            let evaluation = LazyEvaluation::new(choice, training);
            Ok(Box::new(AlphaBeta::new(config, evaluation, options)))
        })
    };
    vec![
        family("alphabeta", "alpha-beta with all its refinements", AlphaBetaConfig::default()),
        family("bing", "alpha-beta as BING had it", AlphaBetaConfig::bing()),
    ]
}
