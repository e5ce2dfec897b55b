//! Statistics of matches: what a number of games says about the players, with its uncertainty.
//!
//! * [`score`]: wins, draws and losses; percentages and Elo differences with intervals.
//! * [`pentanomial`]: pairs of games from one opening with the sides exchanged. The bias of the opening
//!   cancels out, so that the same games give narrower intervals.
//! * [`multiplayer`]: games of more than two players.
//! * [`sprt`]: the sequential probability ratio test, which ends a match.
//! * [`summary`](mod@summary): the result line, `Elo +12.3 ± 8.1, LOS 99.8 %, LLR 2.95 [0, 5] H1 accepted`.

pub mod multiplayer;
pub mod normal;
pub mod pentanomial;
pub mod score;
pub mod sprt;
pub mod summary;

pub use pentanomial::Pentanomial;
pub use score::{Estimate, Score, elo_of_rate};
pub use sprt::{Sprt, SprtState};
pub use summary::{los, summary};
