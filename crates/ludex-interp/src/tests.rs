//! Programs built by hand, and what they must answer.

mod advice;
mod build;
mod faults;
mod games;
mod go;
mod jumps;
mod numbers;
mod positions;
mod sets;
mod texts;
