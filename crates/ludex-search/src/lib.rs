//! Searches over any game.
//!
//! Each search is one file, named after its algorithm, with the paper at its head.
//!
//! * [`player`](mod@player): what a player is; [`result`]: what it answers; [`error`]: why it has
//!   no answer.
//! * [`registry`]: players and evaluations by name; [`spec`]: a name with options; [`support`]:
//!   which games a player plays.
//! * [`baselines`]: minimax to UCT, as plain as they are taught.
//! * [`alphabeta`], [`montecarlo`], [`nested`], [`proof`]: the strong ones, a folder each.
//! * [`evaluation`]: what a position looks worth without search.
//! * [`timing`]: how much of a game clock a move may take.
//! * [`profile`]: measured properties of a game; [`auto`]: chooses an algorithm by them.
//! * [`uct`](mod@uct): Monte-Carlo tree search, for any number of players, with chance and
//!   with joint turns.
//!
//! **Invariant:** a search is generic over [`Game`](ludex_core::Game) and knows no
//! rule language, no file and no clock but the [`Clock`](ludex_core::Clock) it is
//! given. With one thread, a seed and a budget of nodes it always answers the same.
//! It survives a game at fault: it hands the [`Fault`](ludex_core::Fault) back, as a
//! [`SearchError`].

#![forbid(unsafe_code)]

pub mod alphabeta;
pub mod auto;
pub mod baselines;
pub mod error;
pub mod evaluation;
pub mod montecarlo;
pub mod nested;
pub mod player;
pub mod profile;
pub mod proof;
mod prover_budget;
pub mod registry;
pub mod result;
pub mod spec;
pub mod support;
pub mod timing;
pub mod uct;

pub use error::SearchError;
pub use player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
pub use profile::GameProfile;
pub use registry::{PlayerFamily, Registry, player};
pub use result::{Line, Proved, SearchResult};
pub use spec::{Spec, SpecError};
pub use support::Unsupported;
pub use uct::{UctConfig, uct};
