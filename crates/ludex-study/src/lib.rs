//! Reasons: the conditions on cells that made a move or a result possible.
#![forbid(unsafe_code)]

mod board;
pub mod check;
mod cells;
mod code;
mod constants;
mod flood;
mod label;
mod live;
mod loops;
mod numbers;
mod run;
mod set;
mod study;
pub mod text;
mod writes;

pub use label::Allowed;
pub use study::{Config, Explained, Given, Listed, Reason, Source, Study};
