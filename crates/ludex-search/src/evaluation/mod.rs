//! What a position looks worth to a player who does not search.
