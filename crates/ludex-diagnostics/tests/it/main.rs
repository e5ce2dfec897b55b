//! The tests of this crate as one program, which is built once.

mod lines;
mod render;
