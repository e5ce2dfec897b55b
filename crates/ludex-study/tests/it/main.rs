//! The tests of this crate as one program, which is built once.

mod agreement;
mod attainable;
mod common;
mod forcing;
mod intrinsics;
mod mutation;
mod random_programs;
mod reasons;
