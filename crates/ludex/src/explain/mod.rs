//! Explains positions: why a move is possible, why the game ended so, what is threatened, and what
//! stops it.

mod grouped;
mod reasons;
mod report;
mod threats;

pub use reasons::{explain_move, explain_result};
pub use report::{Explanation, Plan, Reason, ReasonsReport, Rule, Threat, ThreatsReport, WhyNot};
pub use threats::{ThreatsRequest, explain_threats};
