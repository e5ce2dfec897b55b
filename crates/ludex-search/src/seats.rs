//! Who plays how many: the faults of searches that are asked to play a game for more.
//!
//! A search says so when it is asked to think. Whoever wants to know before a match begins asks it about the
//! first position, and reads the fault with [`plays_only`].

use ludex_core::Fault;

/// The fault of searches for two opponents.
pub const FOR_TWO: &str = "two-player-count";

/// The fault of searches for one player or two.
pub const FOR_ONE_OR_TWO: &str = "two-players-only";

/// The fault of searches for one player.
pub const FOR_ONE: &str = "one-player-only";

/// What games a search plays, if it is their number of players that it objected to.
pub fn plays_only(fault: &Fault) -> Option<&'static str> {
    match fault.code {
        FOR_TWO => Some("games of two only"),
        FOR_ONE_OR_TWO => Some("games of one or two only"),
        FOR_ONE => Some("games of one only"),
        _ => None,
    }
}
