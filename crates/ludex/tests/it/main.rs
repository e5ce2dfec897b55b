//! The library as its users see it.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod examples;
mod schemas;
mod threads;
