//! Searches that prove.
//!
//! ```text
//!            question   can this player force an end worth more than so much?
//!                │
//!     ┌──────────┼──────────────┐
//!    pns       dfpn ── table   retrograde     three ways to an answer
//!     └──────────┼──────────────┘
//!              value            two questions make a value: win, draw, loss
//!                │
//!              plan             how to do it: a move for every position that comes about
//!                │
//!           certificate         the plan as a text that the rules alone can check
//! ```
//!
//! Start with [`question`]: it says what is assumed of endless play and of the past. [`solve`] is
//! the whole of it; [`player`] makes players of the searches, and `soonest` asks how soon a win comes.
//!
//! **Invariant:** what is called proved is proved, up to positions that share all of 128 bits of
//! two unrelated hashes; a certificate that was verified does not even rest on those.

pub mod certificate;
pub mod dfpn;
mod path;
pub mod player;
pub mod pns;
pub mod question;
pub mod retrograde;
mod soonest;
pub mod strategy;
pub mod table;
mod threats;
pub mod value;

use ludex_core::Game;

use crate::player::{GamePlayer, PlayerOptions};
use crate::spec::{Spec, SpecError};

pub use certificate::{Certificate, Refusal};
pub use dfpn::{Dfpn, DfpnConfig};
pub use pns::{Pns, PnsConfig};
pub use question::{Past, Progress, ProofRun, ProofStatus, Question, View};
pub use strategy::{Strategy, StrategyGoal};
pub use table::ProofTable;
pub use value::{GameValue, Method, SolveConfig, Solved, solve};

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] = &[
    ("dfpn", "depth-first proof-number search: proves wins, draws and losses in bounded memory"),
    ("pns", "proof-number search: the same with the whole tree in memory"),
];

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    spec: &mut Spec,
    options: &PlayerOptions,
) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError> {
    match spec.name.as_str() {
        "dfpn" => {
            let usual = DfpnConfig::default();
            let config = DfpnConfig {
                epsilon: spec.take("epsilon", usual.epsilon)?,
                mobility: spec.take_given_switch("mobility")?,
                weak: spec.take_switch("weak", usual.weak)?,
                threats: spec.take_given("threats")?,
                order: spec.take_within("order", usual.order, 0..=2)?,
            };
            if !(0.0..=100.0).contains(&config.epsilon) {
                return Err(SpecError::new("`epsilon` of `dfpn` is a number from 0 to 100"));
            }
            Ok(Some(Box::new(player::DfpnPlayer::new(config, options.memory))))
        }
        "pns" => {
            let mobility = spec.take_switch("mobility", true)?;
            let config = PnsConfig { memory: options.memory, mobility };
            Ok(Some(Box::new(player::PnsPlayer::new(config))))
        }
        _ => Ok(None),
    }
}
