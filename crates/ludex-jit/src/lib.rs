//! Rules as machine code: the same answers as the interpreter, much sooner.
//!
//! ```text
//! Program ─> passes (ludex-ir) ─> emit (Cranelift) ─> Code ─> CompiledGame (a Game)
//! ```
//!
//! [`CompiledGame`] is a [`RulesGame`](ludex_interp::RulesGame) with native code
//! beside it, where it can be had. Native code answers what is asked often: moves,
//! results, playing a move, evaluations, playouts. Texts and drawings stay with the
//! interpreter, and so does every question that native code gave up: it stops at
//! the first sign of a fault, and the interpreter says what it is.
//!
//! This is the only crate with `unsafe` code. What makes it sound is said at the
//! head of `code.rs` and at each block.
//!
//! Reading order: `layout` for what a state is here, `context` for what a call is
//! told, `emit` for how instructions become code, `code` for the calls, `native` for the
//! questions, `game` for the game.

#![allow(unsafe_code, reason = "native code is made and called here")]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod code;
mod context;
mod deposit;
mod emit;
mod error;
mod evaluate;
mod game;
mod helpers;
mod heuristics;
mod layout;
mod native;
mod pool;
mod random_game;
mod twins;

pub use error::NativeError;
pub use game::{CompiledGame, RulesProver};

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test measures time")]
mod tests;
