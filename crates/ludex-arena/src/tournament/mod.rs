//! Tournaments: pairings, rounds, standings and crosstable.
//!
//! ```text
//! text ──> Plan ──> schedule(results)        ──> games ──> results ──┐
//!                     ^                                              ├──> standings
//!                     └──────────────────────────────────────────────┘
//! ```
//!
//! * [`plan`]: the tournament file.
//! * [`pairing`]: round robin, gauntlet, Swiss, knockout.
//! * [`mod@schedule`]: the rounds and their games, given the results.
//! * [`mod@standings`]: the standings and the crosstable.
//!
//! **Invariant:** the schedule is a function of the plan and the results alone, so that an interrupted
//! tournament can resume.

pub mod pairing;
pub mod plan;
pub mod schedule;
pub mod standings;

pub use plan::{Kind, OpeningPlan, Plan, PlanError, Scoring};
pub use schedule::{Results, Round, Schedule, schedule};
pub use standings::{Standing, standings};
