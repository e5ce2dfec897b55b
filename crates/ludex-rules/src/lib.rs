//! The rules language: text in, a program and diagnostics out.
//!
//! ```text
//! text -> lex -> parse -> ast -> check + lower -> Program (ludex-ir)
//! ```

#![forbid(unsafe_code)]

pub mod ast;
pub mod codes;
pub mod compile;
pub mod fmt;
pub mod lex;
pub mod parse;

pub use compile::{Compiled, compile, compile_goal, compile_player};
