//! Wins by threats: Pitrat's threats and only defences, and Cazenave's generalized threats.
//!
//! ```text
//! attacker's move ──> the defender passes ──> does the attacker win now?   (the threat, "left")
//!               └───> the defender answers the threat ──> and now?         (the rest, "right")
//! ```
//!
//! Jacques Pitrat, "Realization of a general game-playing program", 1968: a move that threatens to
//! win leaves the opponent only the defences that destroy a condition of that win. Tristan
//! Cazenave, "A generalized threats search algorithm", 2002: the same for threats of threats (as in
//! lambda search), with a bound on the shape of the tree. No game is known by name: what a win depends
//! on comes from its reasons (see [`Study`](crate::Study)).
//!
//! Searches:
//!
//! - [`Shape`]: which trees of threats to search; [`Attack`]: the search for a win of one shape;
//! - [`widening`]: iterative widening over shapes;
//! - [`prove_verified`]: a search in a guessed relevance zone, verified against all replies;
//! - [`opponent_threat`]: a threat of the opponent, with a verdict on each reply;
//! - [`forced_win()`] and [`only_defences`]: a quick search, for other searches.
//!
//! Zones and proofs:
//!
//! - [`Zone`]: what a win depends on. `zone_of_win` builds it, `counterplay` adds what the defender
//!   must not gain meanwhile, `zone_table` caches it;
//! - [`Win`] and [`Hold`]: the proof; [`verify`] plays it out and trusts nothing; [`certificate`]: as
//!   text.
//!
//! **Invariant:** every win is one by the rules, whatever the defender plays: each reply was either
//! searched or shown to leave the threat as it is.

mod attack;
mod attacker_moves;
mod cell_game;
pub mod certificate;
mod counterplay;
mod defender_replies;
mod forced_win;
mod game_analysis;
mod move_effects;
mod neighbourhood;
pub mod opponent_threat;
mod patterns;
mod proof;
mod relevance_zone;
mod relevance_zone_search;
mod shape;
mod transposition_table;
mod verified_search;
mod verify;
pub mod widening;
mod zone;
mod zone_of_win;
mod zone_table;

pub use attack::{Attack, Config, Searched, Watch};
pub use cell_game::CellGame;
pub use forced_win::{forced_win, only_defences};
pub use game_analysis::{GameAnalysis, last_shape};
pub use proof::{Hold, Reply, Threat, Win};
pub use shape::Shape;
pub use verified_search::prove_verified;
pub use verify::{Flaw, Verdict, verify};
pub use zone::Zone;
