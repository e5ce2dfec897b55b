//! The tests of this crate as one program, which is built once.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]

mod agreement;
mod attainable;
mod common;
mod forcing;
mod geometry;
mod intrinsics;
mod mutation;
mod random_programs;
mod reasons;
