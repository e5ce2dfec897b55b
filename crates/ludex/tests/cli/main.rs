//! The program as scripts and people see it: every test runs the built binary.
//!
//! Run with `UPDATE_EXPECT=1` to rewrite what is expected, then read the diff.

mod analyse;
mod bad_input;
mod check;
mod engine;
mod engines;
mod explain;
mod fmt;
mod interrupt;
mod listing;
mod matches;
mod perft;
mod play;
mod players;
mod replay;
mod run;
mod solve;
mod suite;
mod tournament;
