//! The program as scripts and people see it: every test runs the built binary.
//!
//! Run with `UPDATE_EXPECT=1` to rewrite what is expected, then read the diff.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]

mod analyse;
mod bad_input;
mod book;
mod check;
mod engine;
mod engines;
mod explain;
mod export;
mod fmt;
mod goal;
mod interrupt;
mod listing;
mod matches;
mod outside;
mod perft;
mod play;
mod players;
mod replay;
mod run;
mod solve;
mod suite;
mod tournament;
