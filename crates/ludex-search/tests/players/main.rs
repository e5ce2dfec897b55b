//! Players over games written by hand. They are one program, as each game that a search is compiled
//! for takes its time, and most of the tests share them.

#![allow(clippy::disallowed_methods, reason = "tests read clocks and the environment")]

mod agreement;
mod auto;
mod baselines;
mod candidates;
#[path = "../common/colliding.rs"]
mod colliding;
#[path = "../common/agreement.rs"]
mod contenders;
mod evaluations;
mod montecarlo;
mod nested;
mod options;
mod proof;
#[path = "../common/proofs.rs"]
mod proofs;
mod uct;
