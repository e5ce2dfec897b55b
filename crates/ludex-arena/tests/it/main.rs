//! The tests of this crate as one program, which is built once.

mod any_text;
mod hall;
mod outside;
mod referee;
mod report;
