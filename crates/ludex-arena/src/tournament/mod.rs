//! Tournaments: who meets whom, in which game and in which order, and who has won.
//!
//! ```text
//! text ──> Plan ──> fixtures(results so far) ──> games ──> results ──┐
//!                     ^                                              ├──> standings
//!                     └──────────────────────────────────────────────┘
//! ```
//!
//! * [`plan`]: the tournament file.
//! * [`pairing`]: everybody against everybody, one against all, Swiss, knockout.
//! * [`mod@schedule`]: the games there are to play, given those that were played.
//! * [`mod@standings`]: the table.
//!
//! **Invariant:** the schedule is a function of the plan and of results and of nothing else: a
//! tournament that was broken off goes on where it was, whenever and wherever.

pub mod pairing;
pub mod plan;
pub mod schedule;
pub mod standings;

pub use plan::{Kind, OpeningPlan, Plan, Scoring, Trouble};
pub use schedule::{Results, Round, Schedule, schedule};
pub use standings::{Standing, standings};
