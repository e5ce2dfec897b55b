//! The interpreter: the meaning of a rules file.
//!
//! ```text
//! Program ──> Tables ──> Machine (runs functions) ──> RulesGame (a Game)
//! ```
//!
//! A [`RulesGame`] is a [`ludex_ir::Program`] made playable. It is plain and
//! exact: native code and the study are held to what it answers.
//!
//! Reading order: `code` and `scalar` for how functions are run, `machine` and
//! `exec` for what they may do, `play` for what a legal move is, `verdict` for what
//! a result is worth, [`game`] for how these become a [`ludex_core::Game`].
//! Positions as text, names of moves and drawings have a file each.

#![forbid(unsafe_code)]

pub mod cells;
mod code;
mod draw;
pub mod evaluate;
mod exec;
mod fault;
pub mod game;
pub mod geometry;
pub mod heuristics;
mod info;
mod machine;
mod names;
pub mod numbers;
mod operands;
mod play;
mod position;
pub mod reals;
mod scalar;
mod sets;
mod squares;
mod tables;
mod twins;
mod verdict;
mod writes;

pub use fault::RunLimits;
pub use game::RulesGame;
pub use info::info;
pub use verdict::{Outcome, payoffs};
pub use writes::{Write, record};

#[cfg(test)]
mod tests;
