//! The text form of programs: what is printed is read back, exactly.
//!
//! ```text
//! game "Twins"                          header: players, kinds, men, arrays, moves, roles
//! players "White" "Black"
//! array a0 "board" board [] base 0 cells 9 from 0 to 2 default 0
//! statement m0 f1 (square "a")
//! roles
//!   moves f0
//!
//! function f0 "moves" (r0)              the algorithms, one instruction per line
//!   registers 3 0 0
//!   names r1 "a"
//! b0:
//!   r2 = load a0[r1] @12                ; what is named, once more by its name
//!   if r2 b1 else b2
//!
//! start 0*10                            data: cells, geometry, tables, look
//! ```
//!
//! Registers are `r1`, sets `s1`, paths `p1`; blocks `b1`, functions `f1`,
//! arrays `a1`, tables `t1`, families of constant sets `c1`, move statements
//! `m1`, directions `d1` and lists of directions `l1`. `@12` is a place in the
//! source. Long rows of numbers are written with `value*times` and
//! `first..last`. A `;` begins a comment. Line ends mean nothing to the reader.

mod lex;
mod parse;
mod parse_code;
mod parser;
mod pieces;
mod print;
mod print_code;
mod words;

pub use parser::ParseError;
