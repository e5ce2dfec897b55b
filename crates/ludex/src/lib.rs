//! Ludex: give it the rules of a game as text, and it plays, explains, proves and measures.
//!
//! ```
//! use ludex::{AnalysisRequest, Session, StopToken, load};
//!
//! let game = std::sync::Arc::new(load("tictactoe")?);
//! let mut session = Session::new(game.clone());
//! session.play("b2")?;
//! session.play("a1")?;
//!
//! let request = AnalysisRequest::for_nodes(session.position().clone(), 1_000);
//! let analysis = ludex::analysis::start(game, request, StopToken::new())?.wait()?;
//! assert!(analysis.best.is_some());
//! # Ok::<(), ludex::Error>(())
//! ```
//!
//! A game, and what is played in it:
//!
//! * [`load`] and [`LoadedGame`]: a game by name, file or text, with options; [`catalogue`] lists the
//!   bundled games and the players.
//! * [`Session`]: a game that is played on, undone, resigned, read and written; [`view`] shows a
//!   position.
//! * [`analysis`]: a player searches in a thread of its own and sends typed events.
//! * [`players`]: players by name, by file, and external engines.
//! * [`mod@matches`] and [`tournament`]: games between players; [`rating`] reads their records.
//!
//! What the rules say:
//!
//! * [`explain`]: reasons of moves and results, threats, and the only defences.
//! * [`solve`]: proofs of values, with certificates that the rules verify.
//! * [`perft`], [`check`], [`replay`]: counts of move sequences, errors in rules, checked records.
//! * [`export`] and [`notation`]: records, moves and positions as other programs write them.
//!
//! Results are plain data with a [`schema`] (`ludex.analysis/1`), for JSON and for code alike, and
//! display themselves as text.
//!
//! **Invariant:** this crate prints nothing, ends no process, reads no arguments and keeps no
//! process-wide state: two games in two threads know nothing of each other.

#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    reason = "the rim of the library: it reads clocks, and the files that its callers name"
)]

pub mod analysis;
pub mod board;
pub mod bundled;
pub mod catalogue;
pub mod check;
pub mod clock;
pub mod date;
pub mod ending;
pub mod engine;
pub mod error;
pub mod explain;
pub mod export;
pub mod files;
pub mod game;
pub mod goal;
pub mod info;
pub mod matches;
pub mod notation;
pub mod perft;
pub mod players;
pub mod ponder;
pub mod rating;
pub mod replay;
pub mod schema;
pub mod search_tree;
pub mod session;
pub mod solve;
pub mod source;
pub mod stop;
pub mod stoppable;
pub mod tournament;
pub mod view;

pub use analysis::{Analysis, AnalysisRequest, Event};
pub use engine::EngineKind;
pub use error::{Error, Result};
pub use game::{LoadedGame, load};
pub use session::Session;
pub use source::Source;
pub use stop::StopToken;

/// Matches: time controls, fixtures, played games, adjudication, sequential tests.
pub use ludex_arena as arena;
/// What a game is: the traits that games written in Rust implement.
pub use ludex_core as core;
/// What is wrong with a text, with its place: diagnostics, labels, spans.
pub use ludex_diagnostics as diagnostics;
/// Compiled rules as a program: its moves ([`PackedMove`](ludex_ir::PackedMove)) and its cells.
pub use ludex_ir as ir;
/// A game of compiled rules, native or interpreted: [`CompiledGame`](ludex_jit::CompiledGame).
pub use ludex_jit as jit;
/// The compiler of rules, and its result ([`Compiled`](ludex_rules::Compiled)).
pub use ludex_rules as rules;
/// The searches, for any game.
pub use ludex_search as search;
