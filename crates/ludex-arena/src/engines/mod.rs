//! External engines: processes that play over pipes.
//!
//! ```text
//! EngineSpec ──> Engine ──> Protocol (lines in, lines out; no process) ──> Process (pipes, deadlines)
//! ```
//!
//! * [`spec`]: how a user names an engine: a command, a protocol, options.
//! * [`process`]: a running process that cannot block us, fill our memory or outlive us.
//! * [`protocol`]: UGI, UCI, USI, CECP, GTP and Gomocup, each a small state machine that reads and
//!   writes lines.
//! * [`engine`]: the three together, restarted for the next game after a failure.
//! * [`shell_words`]: commands split into words, as a shell does it.
//!
//! Moves are texts in the notation of the protocol; the caller, which knows the game, translates them.
//!
//! **Invariant:** every request ends with an answer or an [`EngineError`] within its time, and nothing
//! of an [`Engine`] runs on after its drop.

pub mod engine;
mod error;
pub mod process;
pub mod protocol;
pub mod shell_words;
pub mod spec;

pub use engine::Engine;
pub use error::EngineError;
pub use protocol::{
    EngineAction, EngineMove, EngineReply, EngineScore, GameSetup, MoveRequest, Protocol,
};
pub use spec::{EngineSpec, EngineSpecError, ProtocolKind};
