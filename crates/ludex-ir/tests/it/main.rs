//! The tests of this crate as one program, which is built once.

#![allow(clippy::disallowed_methods, reason = "tests read files and the environment")]

mod analyses;
mod common;
mod last_move;
mod legality_guard;
mod may_define_random;
mod optimise;
mod passes;
mod programs;
mod round_trip;
mod verify;
