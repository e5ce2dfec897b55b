//! Programs from outside: processes that are spoken to over pipes.
//!
//! ```text
//! Spec ──> Program ──> Protocol (lines in, lines out; no process) ──> Process (pipes, deadlines)
//! ```
//!
//! * [`spec`]: what somebody writes to bring a program: a command, a protocol, options.
//! * [`process`]: a running program that can never block us, fill our memory or outlive us.
//! * [`protocol`]: UGI, UCI, USI, CECP, GTP and Gomocup, each a small machine that hears lines and
//!   says lines.
//! * [`program`]: the three together, restarted for the next game after whatever went wrong.
//!
//! Moves are texts in the words of the protocol here: whoever knows the game translates them.
//!
//! **Invariant:** whatever a program does is a [`Trouble`] or an answer, within the time that it
//! was given, and when a [`Program`] is dropped nothing of it is left running.

pub mod process;
pub mod program;
pub mod protocol;
pub mod spec;
mod trouble;
pub mod words;

pub use program::{Program, Question};
pub use protocol::{Asked, Played, Protocol, Reply, Setting, Verdict};
pub use spec::{Language, Spec};
pub use trouble::Trouble;
