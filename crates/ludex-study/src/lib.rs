//! Reasons: the conditions on cells that made a move or a result possible.
//!
//! ```text
//! Program ──> Code (conjugates, what branches may assign) ──> labelled run ──> Explained
//! ```
//!
//! A reason is a cell and what was asked of it: *d4 is empty*, *f6 is an enemy
//! bishop*. For a move or result that the rules produce in a state, its reasons
//! keep one promise:
//!
//! > In every state that satisfies the reasons, the rules produce it as well.
//!
//! They are found by *labelled execution*: the interpreter's run, where every
//! value has beside it the conditions that it depends on. The module `run`
//! explains how, and proves the promise; `set` and `flood` give the conditions of
//! questions about whole sets; `loops` unrolls loops over sets. Start at [`Study`].
//!
//! ```
//! use ludex_core::{Game, Player};
//! use ludex_interp::RulesGame;
//! use ludex_study::{Study, text};
//!
//! let rules = "game \"Step\"\nboard square 3 by 1\nplayers A, B\nmen man\nstart\n  A man on a1\n\
//!              moves\n  for a in mine\n    if a.east is empty: move a to a.east\n";
//! let program = ludex_rules::compile(rules, "").program.expect("the rules are well formed");
//! let game = RulesGame::new(program);
//! let start = game.start();
//!
//! let moves = Study::new(game.program()).moves(&start, Player(0)).expect("the rules run");
//! let reasons: Vec<String> = moves[0]
//!     .reasons
//!     .iter()
//!     .map(|reason| text::reason_text(game.program(), reason, Player(0)))
//!     .collect();
//! assert_eq!(reasons, ["a1: friend", "b1: empty"]);
//! ```
//!
//! **Invariant:** an explanation can be checked without trusting what made it:
//! [`check`] changes what the reasons do not mention and asks the plain
//! interpreter. The tests do so for every game of the corpus and for random
//! programs.

#![forbid(unsafe_code)]

mod board;
mod cells;
pub mod check;
mod code;
mod connections;
mod constants;
mod flood;
mod forcing;
mod label;
mod liveness;
mod loops;
mod prover;
mod repetition;
mod run;
mod set;
mod study;
pub mod text;
pub mod threats;

pub use connections::ConnectionGame;
pub use forcing::{Attainable, Change, ForcedItem, Forcing, Forcings};
pub use label::Allowed;
pub use prover::StudyProver;
pub use repetition::history_only_draws;
pub use study::{Clause, Explained, Given, Listed, Reason, Study, StudyConfig};
