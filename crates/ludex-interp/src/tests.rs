//! Programs built by hand, and what they must answer.

mod build;
mod evaluate;
mod faults;
mod games;
mod go;
mod jumps;
mod numbers;
mod positions;
mod sets;
mod texts;
