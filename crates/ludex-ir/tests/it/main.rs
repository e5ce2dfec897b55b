//! The tests of this crate as one program, which is built once.

mod analyses;
mod common;
mod may_assign_random;
mod passes_base;
mod passes_glance;
mod passes_last_move;
mod passes_sets;
mod passes_walks;
mod passes_watch;
mod programs;
mod round_trip;
mod verify;
