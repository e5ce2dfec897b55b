//! The library as its users see it.

mod examples;
mod schemas;
mod threads;
