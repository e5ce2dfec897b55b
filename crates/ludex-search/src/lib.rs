//! Searches over any game.
//!
//! Each search is one file, named after its algorithm, with the paper at its head.
//!
//! * [`uct`](mod@uct): Monte-Carlo tree search, for any number of players, with chance and
//!   with joint turns.
//!
//! **Invariant:** a search is generic over [`Game`](ludex_core::Game) and knows no
//! rule language, no file and no clock but the [`Clock`](ludex_core::Clock) it is
//! given. With one thread, a seed and a budget of nodes it always answers the same.
//! It survives a game at fault: it hands the [`Fault`](ludex_core::Fault) back.

#![forbid(unsafe_code)]

pub mod uct;

pub use uct::{UctConfig, uct};
