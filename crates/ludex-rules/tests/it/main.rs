//! The tests of this crate as one program, which is built once.

mod player_files;
mod syntax;
mod syntax_errors;
mod syntax_fmt;
mod syntax_fuzz;
mod syntax_lex;
mod syntax_parse;
mod syntax_render;
