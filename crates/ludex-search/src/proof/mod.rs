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
//!            strategy           how to do it: a move for every position that comes about
//!                │
//!           certificate         the strategy as a text that the rules alone can check
//! ```
//!
//! Start with [`question`]: it says what is assumed of endless play and of the past. [`solve`] is
//! the whole of it; [`player`] makes players of the searches, and `soonest` asks how soon a win
//! comes.
//!
//! **Invariant:** what is called proved is proved, up to positions that share all of 128 bits of
//! two unrelated hashes; a certificate that was verified does not even rest on those.

pub mod certificate;
pub mod dfpn;
mod dfpn_config;
mod path;
pub mod player;
pub mod pns;
pub mod question;
pub mod retrograde;
mod solved;
mod soonest;
pub mod strategy;
pub mod table;
mod threats;
mod thresholds;
pub mod value;

use ludex_core::Game;

use crate::registry::PlayerFamily;
use crate::support;

pub use certificate::{Certificate, Refusal};
pub use dfpn::Dfpn;
pub use dfpn_config::DfpnConfig;
pub use pns::{Pns, PnsConfig};
pub use question::{Past, Progress, ProofRun, ProofStatus, Question, View};
pub use strategy::{Strategy, StrategyGoal};
pub use table::ProofTable;
pub use value::{GameValue, Method, SolveConfig, Solved, solve};

/// The players of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let two = support::two_opponents;
    vec![
        PlayerFamily::new(
            "dfpn",
            "depth-first proof-number search: proves wins, draws and losses in bounded memory",
            two,
            |spec, _, options| {
                let config = DfpnConfig::default().with(spec)?;
                Ok(Box::new(player::DfpnPlayer::new(config, options.memory)))
            },
        ),
        PlayerFamily::new(
            "pns",
            "proof-number search: the same with the whole tree in memory",
            two,
            |spec, _, options| {
                let mobility = spec.take_switch("mobility", true)?;
                let config = PnsConfig { memory: options.memory, mobility };
                Ok(Box::new(player::PnsPlayer::new(config)))
            },
        ),
    ]
}
