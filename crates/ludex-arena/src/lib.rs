//! Games between players: clocks, matches, tournaments, ratings, outside programs.
//!
//! A player that crashes, hangs or oversteps its time loses that game; the match goes on and nothing
//! that was played is lost.
#![forbid(unsafe_code)]

pub mod outside;
