//! Searches over any game.
//!
//! Each search is one file, named after its algorithm, with the paper at its head.
//!
//! * [`players`]: all players by name; [`player`](mod@player) says what a player is, [`result`] what it answers.
//! * [`baselines`]: minimax to UCT, as plain as they are taught.
//! * [`alphabeta`], [`montecarlo`], [`nested`], [`proof`]: the strong ones, a folder each.
//! * [`evaluation`]: what a position looks worth without search.
//! * [`seats`]: how many players a search is for.
//! * [`timing`]: how much of a game clock a move may take.
//! * [`facts`]: what random games tell about a game; [`auto`]: looks at them and chooses.
//! * [`uct`](mod@uct): Monte-Carlo tree search, for any number of players, with chance and
//!   with joint turns.
//!
//! **Invariant:** a search is generic over [`Game`](ludex_core::Game) and knows no
//! rule language, no file and no clock but the [`Clock`](ludex_core::Clock) it is
//! given. With one thread, a seed and a budget of nodes it always answers the same.
//! It survives a game at fault: it hands the [`Fault`](ludex_core::Fault) back.

#![forbid(unsafe_code)]

pub mod alphabeta;
pub mod auto;
pub mod baselines;
pub mod evaluation;
pub mod facts;
pub mod montecarlo;
pub mod nested;
pub mod player;
pub mod players;
pub mod proof;
mod prover_budget;
pub mod result;
pub mod seats;
pub mod spec;
pub mod timing;
pub mod uct;

pub use player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
pub use players::player;
pub use result::{Line, Proved, SearchResult};
pub use uct::{UctConfig, uct};
