//! The tests of this crate as one program, which is built once.

#![allow(clippy::disallowed_methods, reason = "tests read files, clocks and the environment")]

mod player_files;
mod syntax;
mod syntax_errors;
mod syntax_fmt;
mod syntax_fuzz;
mod syntax_lex;
mod syntax_parse;
