//! Watched squares and what they let through untried, on functions written by hand.

mod common;

use std::fmt::Write;

use common::framed;
use expect_test::{Expect, expect};
use ludex_ir::passes::watch::{Guard, Watch, watch};
use ludex_ir::{Func, Function, Operand, OperandKind, Program, Statement, verify};

/// The function that the tests are about: the first after those of the frame.
const ILLEGAL: Func = Func(2);

/// Is a man of White (code 1) in line with one of Black (code 2), with nothing in between?
const IN_LINE: &str = r#"function f2 "in line" (r0) -> r1
      registers 10 5 0
    b0: r1 = const 0 r2 = const -1 r3 = const 2 r4 = const 0 r5 = const 1 r6 = const 4
        s0 = where r3 s4 = copy s0 jump b1
    b1: r7 = next_member s4 r2 r8 = lt r2 r7 if r8 b2 else b4
    b2: remove s4 r7 s1 = where r5 s2 = rays r7 s1 r4 s3 = where r6
        s2 = intersection s2 s3 r9 = any s2 if r9 b3 else b1
    b3: r1 = const 1 return
    b4: return
"#;

/// Effects of statements whose operands are all squares.
const EFFECTS: &str = r#"
    function f3 "move" (r0, r1, r2) registers 5 0 0
    b0: r3 = const 0 r4 = load a0[r1] store a0[r1] r3 store a0[r2] r4 return
    function f4 "put white" (r0, r1) registers 3 0 0
    b0: r2 = const 1 store a0[r1] r2 return
    function f5 "put black" (r0, r1) registers 3 0 0
    b0: r2 = const 2 store a0[r1] r2 return
    function f6 "move and take another" (r0, r1, r2, r3) registers 6 0 0
    b0: r4 = const 0 r5 = load a0[r1] store a0[r1] r4 store a0[r3] r4 store a0[r2] r5 return
    function f7 "take the next" (r0, r1) registers 4 0 0
    b0: r2 = const 0 r3 = step r1 r2 store a0[r3] r2 return
    function f8 "put what the turn says" (r0, r1) registers 3 0 0
    b0: r2 = load a1 store a0[r1] r2 return
    function f9 "note" (r0, r1) registers 3 0 0
    b0: r2 = const 1 store a2[r1] r2 return
"#;

/// A statement with a square for each parameter of its effect but the first.
fn statement(function: &Function, effect: Func) -> Statement {
    let operand = |it| Operand { name: format!("square {it}"), kind: OperandKind::Square };
    let operands = (1..function.params.len()).map(operand).collect();
    Statement { operands, effect, quiet: false, twins: false, place: 0 }
}

/// The watch of a function, in a program with the statements of the tests.
#[track_caller]
fn watched(illegal: &str) -> (Program, Option<Watch>) {
    let mut program = framed(&format!("{illegal}{EFFECTS}"));
    let effects: Vec<Func> = (3..program.functions.len() as u16).map(Func).collect();
    program.statements.truncate(1);
    for &effect in &effects {
        program.statements.push(statement(program.function(effect), effect));
    }
    assert_eq!(verify(&program), Ok(()), "before");
    let all: Vec<Func> = program.statements.iter().map(|it| it.effect).collect();
    let found = watch(&mut program, ILLEGAL, &all);
    assert_eq!(verify(&program), Ok(()), "after");
    (program, found)
}

/// Checks the function that gives the watched squares.
#[track_caller]
fn check_function(illegal: &str, expect: Expect) {
    let (program, found) = watched(illegal);
    let func = found.expect("the code has a watch").func;
    expect.assert_eq(&format!("{}\n", program.function(func).to_string().trim_end()));
}

/// Checks which men must not be moved and what each statement asks for.
#[track_caller]
fn check_guards(illegal: &str, expect: Expect) {
    let (program, found) = watched(illegal);
    let found = found.expect("the code has a watch");
    assert_eq!(found.guards.len(), program.statements.len());
    let mut text = format!("men {:03b}\n", found.men);
    for (guard, statement) in found.guards.iter().zip(&program.statements) {
        let name = &program.function(statement.effect).name;
        let line = match guard {
            Some(Guard { unwatched, sources }) => {
                writeln!(text, "{name}: unwatched {unwatched:?}, sources {sources:?}")
            }
            None => writeln!(text, "{name}: tried"),
        };
        line.expect("a text takes everything");
    }
    expect.assert_eq(&text);
}

#[test]
fn rays_are_watched_if_there_is_something_behind() {
    check_function(IN_LINE, expect![[""]]);
}

#[test]
fn finding_code_asks_only_for_what_is_left() {
    check_guards(IN_LINE, expect![[""]]);
}
