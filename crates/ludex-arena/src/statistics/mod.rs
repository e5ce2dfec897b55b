//! What a number of games says about those who played, and how surely.
//!
//! * [`score`]: games one by one: percentages and Elo's differences with intervals.
//! * [`pairs`]: games two by two, from one opening with the sides exchanged: what is unfair in the
//!   opening cancels out, and the same games say more.
//! * [`shares`]: games of more than two players.
//! * [`sprt`]: when a match has said enough.

pub mod normal;
pub mod pairs;
pub mod score;
pub mod shares;
pub mod sprt;

pub use pairs::Pairs;
pub use score::{Estimate, Score, elo_of_rate};
pub use sprt::{Sprt, SprtState};
