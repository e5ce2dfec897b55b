//! The tests of this crate as one program, which is built once.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]

mod any_text;
mod engines;
mod referee;
mod report;
mod runner;
