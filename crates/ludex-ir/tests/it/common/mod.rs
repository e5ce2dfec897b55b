//! Programs for tests: the files of `programs/`, and a frame around a few functions.

#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

pub mod random;

use ludex_ir::Program;

/// The hand-written programs, by name.
pub const PROGRAMS: [(&str, &str); 4] = [
    ("bishop_rays", include_str!("../../programs/bishop_rays.ir")),
    ("counter", include_str!("../../programs/counter.ir")),
    ("free_line", include_str!("../../programs/free_line.ir")),
    ("compulsory_capture", include_str!("../../programs/compulsory_capture.ir")),
];

/// One of the hand-written programs.
pub fn program(name: &str) -> Program {
    let (_, text) = PROGRAMS.iter().find(|(it, _)| *it == name).expect("the program exists");
    Program::parse(text).unwrap_or_else(|err| panic!("{name}: {err}"))
}

/// A game of nine squares, a hand of four cells, an array of sets and a
/// counter, whose moves do nothing; functions from `f2` on are the test's.
pub const FRAME: &str = r#"
game "Frame"
players "White" "Black"
kinds "man" "king"
squares 9
history position
features "men"
man 0 0 "M"
man 1 0 "m"
array a0 "board" board [] base 0 cells 9 from 0 to 2 default 0
array a1 "turn" turn [] base 9 cells 1 from 0 to 1 default 0
array a2 "hand" number [player kind] base 10 cells 4 from 0 to 100 default 0
array a3 "seen" set [2] base 14 cells 18 from 0 to 1 default 0
array a4 "clock" counter [] base 32 cells 1 from 0 to 50 default 0
statement m0 f1 ()
roles
  moves f0
table t0 "double" 3 1
  0 2 4
table t1 "square" 2 2
  0 0 0 1
family c0 "far"
  {6..8} {0..2}
start 0*33
direction d0 "up" compass opposite d1 3..8 -1*3
direction d1 "down" compass opposite d0 -1*3 0..5
list l0 0 1
look
  squares "a1" "b1" "c1" "a2" "b2" "c2" "a3" "b3" "c3"
  grid square 3 3
  at 0..8
  kinds "M" "K"
  players "w" "b"

"#;

/// The frame with further functions, and `moves` and the effect `f1` calling nothing.
pub fn framed(functions: &str) -> Program {
    framed_by(functions, None)
}

/// The same, with a part of the frame's text changed.
pub fn framed_by(functions: &str, change: Option<(&str, &str)>) -> Program {
    let idle = "function f0 \"moves\" (r0) registers 1 0 0 b0: emit m0() return
                function f1 \"pass\" (r0) registers 1 0 0 b0: return\n";
    let frame = change.map_or_else(|| FRAME.to_owned(), |(old, new)| FRAME.replace(old, new));
    let (head, tail) = frame.split_once("table t0").expect("the frame has a table");
    let text = format!("{head}{idle}{functions}\ntable t0{tail}");
    Program::parse(&text).unwrap_or_else(|err| panic!("{err}\n{text}"))
}
