//! The subcommands of the command line, one file each.
//!
//! Each has its arguments, and `run`, which gives the answer.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod engine;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod games;
pub(crate) mod ir;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod rate;
pub(crate) mod replay;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod suite;
pub(crate) mod tournament;
