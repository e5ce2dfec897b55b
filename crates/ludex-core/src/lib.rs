//! What a game is: states, moves, turns, payoffs, and the laws every game obeys.
//!
//! Everything that plays, searches, measures or referees sees only this crate.
//! It knows no rule language, no files and no clock.
//!
//! Read [`Game`] first; [`laws`] is its contract as code.

#![forbid(unsafe_code)]

pub mod board;
pub mod cells;
pub mod ext;
pub mod game;
pub mod heuristics;
pub mod info;
pub mod laws;
pub mod limits;
pub mod perft;
pub mod playout;
pub mod position;
pub mod prover;
pub mod random;
pub mod record;
pub mod roles;
pub mod shortcuts;
pub mod state;
pub mod text;
pub mod turns;
pub mod two_player;

pub use board::Board;
pub use cells::Cells;
pub use ext::GameExt;
pub use game::{Fault, Game, IllegalMove, Payoff, Percept, Player, PlayerSet, Turn};
pub use heuristics::{Candidates, Capture, Heuristics};
pub use info::GameInfo;
pub use limits::{Clock, Limits, StoppedClock};
pub use position::{Position, PositionOf};
pub use prover::{Effort, Forced, Prover, Sought};
pub use random::Random;
pub use roles::{Roles, RolesOf};
pub use shortcuts::Shortcuts;
pub use state::{State, Trail};
pub use text::TextError;
