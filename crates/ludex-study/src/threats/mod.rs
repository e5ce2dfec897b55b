//! Wins by threats: Pitrat's threats and only counter-strokes, and Cazenave's generalized threats.
//!
//! ```text
//! attacker's move ──> the defender passes ──> does the attacker win now?   (the threat, "left")
//!               └───> the defender answers the threat ──> and now?         (the rest, "right")
//! ```
//!
//! Jacques Pitrat, "Realization of a general game-playing program", 1968: a move that threatens to
//! win leaves the opponent only the counter-strokes that destroy a condition of that win. Tristan
//! Cazenave, "A generalized threats search algorithm", 2002: the same for threats to threaten, with
//! a bound on the shape of the tree. Nothing here knows a game: what a win depends on comes from its
//! reasons (see [`Study`](crate::Study)).
//!
//! - [`Shape`]: how the attacker's moves hang together;
//! - [`Attack`]: the search; [`widening`]: which shapes to search for;
//! - [`prove_near`]: a search of few moves, where a goal is about few squares, checked against all;
//! - [`forced_win`] and [`defences`]: a quick look, for other searches;
//! - [`Zone`]: what a win depends on (`zone_table`: found again), and `guard` what the defender must not be given besides;
//! - [`Win`] and [`Hold`]: what it finds; [`verify`], which believes none of it; [`certificate`]: as
//!   text.
//!
//! **Invariant:** every win is one by the rules, whatever the defender plays: either a reply was
//! searched, or it was shown to leave the threat as it is.

mod around;
mod attack;
pub mod certificate;
mod checked;
mod counter;
mod focus;
mod forced;
mod foreign;
mod ground;
mod guard;
mod local;
mod memory;
pub mod menace;
mod near;
mod open;
mod patterns;
mod proof;
mod shape;
mod verify;
pub mod widening;
mod zone;
mod zone_table;
mod zoning;

pub use attack::{Attack, Config, Searched, Watch};
pub use checked::prove_near;
pub use forced::{defences, forced_win};
pub use ground::{Ground, last_shape};
pub use open::{Open, Place};
pub use proof::{Hold, Reply, Threat, Win};
pub use shape::Shape;
pub use verify::{Flaw, Verdict, verify};
pub use zone::Zone;
