//! Rules as machine code: the same answers as the interpreter, much sooner.
//!
//! ```text
//! Program ─> passes (ludex-ir) ─> emit (Cranelift) ─> Code ─> NativeGame (a Game)
//! ```
//!
//! [`NativeGame`] is a [`RulesGame`](ludex_interp::RulesGame) with native code
//! beside it. Native code answers what is asked often: moves, results, playing a
//! move, evaluations, whole random games. Texts and drawings stay with the
//! interpreter, and so does every question that native code gave up: it stops at
//! the first sign of a fault, and the interpreter says what it is.
//!
//! This is the only crate with `unsafe` code. What makes it sound is said at the
//! head of `code.rs` and at each block.
//!
//! Reading order: `layout` for what a state is here, `context` for what a call is
//! told, `emit` for how instructions become code, `code` for the calls, `game`.

#![allow(unsafe_code, reason = "native code is made and called here")]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod advice;
mod code;
mod context;
mod deposit;
mod emit;
mod error;
mod game;
mod helpers;
mod hints;
mod layout;
mod pool;
mod random_game;
mod twins;

pub use error::NativeError;
pub use game::NativeGame;

#[cfg(test)]
mod tests;
