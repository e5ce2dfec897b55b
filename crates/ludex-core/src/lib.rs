//! What a game is: states, moves, turns, payoffs, and the laws every game obeys.
//!
//! Everything that plays, searches, measures or referees sees only this crate.
//! It knows no rule language, no files and no clock.
//!
//! Read [`Game`] first; [`laws`] is its contract as code.

#![forbid(unsafe_code)]

pub mod budget;
pub mod cells;
pub mod game;
pub mod laws;
pub mod perft;
pub mod playout;
pub mod random;
pub mod record;
pub mod state;
pub mod text;
pub mod turns;
pub mod two_player;

pub use budget::{Budget, Clock};
pub use cells::Cells;
pub use game::{
    Advice, Effort, Fault, Forced, Game, IllegalMove, Payoff, Percept, Player, PlayerSet, Sought,
    Taken, Turn,
};
pub use random::Random;
pub use state::{State, Trail};
pub use text::TextError;
