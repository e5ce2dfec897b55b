//! Guarded squares and what they let through untried, on functions written by hand.

use std::fmt::Write;

use crate::common::framed;
use expect_test::{Expect, expect};
use ludex_ir::passes::legality_guard::{LegalityGuard, StatementGuard, legality_guard};
use ludex_ir::verify::errors;
use ludex_ir::{Func, Function, Operand, OperandKind, Program, Statement};

/// The function that the tests are about: the first after those of the frame.
const ILLEGAL: Func = Func(2);

/// Is a man of White (code 1) in line with one of Black (code 2), with nothing in between?
const IN_LINE: &str = r#"function f2 "in line" (r0) -> r1
      registers 10 4 0
    b0: r1 = const 0 r2 = const -1 r3 = const 2 r4 = const 0 r5 = const 1 r6 = const 4
        s0 = where r3 jump b1
    b1: r7 = next_member s0 r2 r8 = lt r2 r7 if r8 b2 else b4
    b2: remove s0 r7 s1 = where r5 s2 = rays r7 s1 r4 s3 = where r6
        s2 = intersection s2 s3 r9 = any s2 if r9 b3 else b1
    b3: r1 = const 1 return
    b4: return
"#;

/// Effects of statements whose operands are all squares.
const EFFECTS: &str = r#"
    function f3 "move" (r0, r1, r2) registers 6 0 0
    b0: r3 = const 0 r4 = load a0[r1] r5 = max r4 r3 store a0[r1] r3 store a0[r2] r5 return
    function f4 "put white" (r0, r1) registers 3 0 0
    b0: r2 = const 1 store a0[r1] r2 return
    function f5 "put black" (r0, r1) registers 3 0 0
    b0: r2 = const 2 store a0[r1] r2 return
    function f6 "move and take another" (r0, r1, r2, r3) registers 7 0 0
    b0: r4 = const 0 r5 = load a0[r1] r6 = max r5 r4 store a0[r1] r4 store a0[r3] r4
        store a0[r2] r6 return
    function f7 "take the next" (r0, r1) registers 4 0 0
    b0: r2 = const 0 r3 = step r1 r2 store a0[r3] r2 return
    function f8 "put what the turn says" (r0, r1) registers 3 0 0
    b0: r2 = load a1 store a0[r1] r2 return
    function f9 "note" (r0, r1) registers 3 0 0
    b0: r2 = const 1 store a2[r1] r2 return
    function f10 "move on from where it was" (r0, r1, r2) registers 6 0 0
    b0: r3 = const 0 r4 = load a0[r1] store a0[r1] r3 r5 = load a0[r1] store a0[r2] r5 return
    function f11 "move in a loop" (r0, r1, r2) registers 6 1 0
    b0: r3 = const 0 jump b1
    b1: r4 = load a0[r1] store a0[r2] r4 store a0[r1] r3 r5 = any s0 if r5 b1 else b2
    b2: return
    function f12 "note what does not fit" (r0, r1) registers 3 1 0
    b0: r2 = const 1000000 store a2[r1] r2 return
    function f13 "note where" (r0, r1) registers 4 0 0
    b0: r2 = const 0 r3 = max r1 r2 store a2[r2] r3 return
"#;

/// A statement with a square for each parameter of its effect but the first.
fn statement(function: &Function, effect: Func) -> Statement {
    let operand = |it| Operand { name: format!("square {it}"), kind: OperandKind::Square };
    let operands = (1..function.params.len()).map(operand).collect();
    Statement { operands, effect, quiet: false, twins: false, place: 0 }
}

/// The guard of a function, in a program with the statements of the tests.
#[track_caller]
fn guarded(illegal: &str) -> (Program, Option<LegalityGuard>) {
    let mut program = framed(&format!("{illegal}{EFFECTS}"));
    let effects: Vec<Func> = (3..program.functions.len() as u16).map(Func).collect();
    program.statements.truncate(1);
    for &effect in &effects {
        program.statements.push(statement(program.function(effect), effect));
    }
    assert_eq!(errors(&program), [], "before");
    let all: Vec<Func> = program.statements.iter().map(|it| it.effect).collect();
    let found = legality_guard(&mut program, ILLEGAL, &all);
    assert_eq!(errors(&program), [], "after");
    (program, found)
}

/// Checks the function that gives the guarded squares.
#[track_caller]
fn check_function(illegal: &str, expect: Expect) {
    let (program, found) = guarded(illegal);
    let func = found.expect("the code has a guard").func;
    expect.assert_eq(&format!("{}\n", program.function(func).to_string().trim_end()));
}

/// Checks which men must not be moved and what each statement asks for.
#[track_caller]
fn check_guards(illegal: &str, expect: Expect) {
    let (program, found) = guarded(illegal);
    let found = found.expect("the code has a guard");
    assert_eq!(found.guards.len(), program.statements.len());
    let mut text = format!("men {:03b}\n", found.men);
    for (guard, statement) in found.guards.iter().zip(&program.statements) {
        let name = &program.function(statement.effect).name;
        let line = match guard {
            Some(StatementGuard { unguarded, sources }) => {
                writeln!(text, "{name}: unguarded {unguarded:?}, sources {sources:?}")
            }
            None => writeln!(text, "{name}: tried"),
        };
        line.expect("a text takes everything");
    }
    expect.assert_eq(&text);
}

/// Is there no man of Black on the square 4? (4 is also the mask of these men.)
const BARE: &str = r#"function f2 "bare" (r0) -> r1
      registers 6 3 0
    b0: r1 = const 0 r2 = const 4 s0 = where r2 insert s1 r2 s2 = difference s1 s0 r3 = any s2
        if r3 b1 else b2
    b1: r1 = const 1 return
    b2: return
"#;

/// Is no man of White left?
const NONE_LEFT: &str = r#"function f2 "none left" (r0) -> r1
      registers 4 1 0
    b0: r2 = const 2 s0 = where r2 r3 = any s0 r1 = not r3 return
"#;

/// Is there a man of White on the square 4?
const ON_A_SQUARE: &str = r#"function f2 "on a square" (r0) -> r1
      registers 4 0 0
    b0: r2 = const 2 r3 = const 4 r1 = test a0[r3] r2 return
"#;

/// Does the first man of White, and no other, stand beside one of Black?
const FIRST_ONLY: &str = r#"function f2 "first only" (r0) -> r1
      registers 10 3 0
    b0: r1 = const 0 r2 = const -1 r3 = const 2 r4 = const 0 r5 = const 4
        s0 = where r3 r6 = next_member s0 r2 r7 = lt r2 r6 if r7 b1 else b3
    b1: insert s1 r6 s1 = neighbours s1 r4 s2 = where r5 s1 = intersection s1 s2 r8 = any s1
        if r8 b2 else b3
    b2: r1 = const 1 return
    b3: return
"#;

/// As [`IN_LINE`], but each member is also taken out of the set that the rays are met with.
const TAKEN_FROM_ANOTHER: &str = r#"function f2 "taken from another" (r0) -> r1
      registers 10 5 0
    b0: r1 = const 0 r2 = const -1 r3 = const 2 r4 = const 0 r5 = const 1 r6 = const 4
        s0 = where r3 s3 = where r6 s4 = copy s3 jump b1
    b1: r7 = next_member s0 r2 r8 = lt r2 r7 if r8 b2 else b4
    b2: remove s0 r7 remove s4 r7 s1 = where r5 s2 = rays r7 s1 r4
        s2 = intersection s2 s4 r9 = any s2 if r9 b3 else b1
    b3: r1 = const 1 return
    b4: return
"#;

/// Code that has no guard: it looks at what stands on a square, at another array, at men that it
/// reckons.
const NOT_GUARDED: [&str; 3] = [
    "function f2 \"load\" (r0) -> r1 registers 2 0 0\n b0: r1 = load a0[r0] return\n",
    "function f2 \"clock\" (r0) -> r1 registers 2 0 0\n b0: r1 = load a4 return\n",
    "function f2 \"reckoned\" (r0) -> r1 registers 2 1 0\n b0: s0 = where r0 r1 = any s0 return\n",
];

#[test]
fn rays_are_guarded_if_there_is_something_behind() {
    check_function(
        IN_LINE,
        expect![[r#"
        function "guard of in line" (r0) -> s8
          registers 10 10 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 2
          r5 = const 4
          s0 = where r4
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b6
        b2:
          remove s0 r6
          s1 = where r3
          s2 = rays r6 s1 r2
          s3 = difference s2 s1
          s4 = union s1 s3
          s5 = rays r6 s4 r2
          s6 = where r5
          s7 = intersection s5 s6
          r8 = any s7
          if r8 b3 else b4
        b3:
          s8 = union s8 s2
          jump b4
        b4:
          s9 = intersection s2 s6
          r9 = any s9
          if r9 b5 else b1
        b5:
          s8 = family c1
          return
        b6:
          return
    "#]],
    );
}

#[test]
fn finding_code_asks_only_for_what_is_left() {
    check_guards(
        IN_LINE,
        expect![[r#"
        men 111
        pass: unguarded [], sources []
        move: unguarded [0], sources [0]
        put white: tried
        put black: tried
        move and take another: tried
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn what_is_asked_of_a_square_is_guarded() {
    check_function(
        ON_A_SQUARE,
        expect![[r#"
        function "guard of on a square" (r0) -> s0
          registers 4 1 0
        b0:
          r1 = const 2
          r2 = const 4
          insert s0 r2
          r3 = test a0[r2] r1
          if r3 b1 else b2
        b1:
          s0 = family c1
          return
        b2:
          return
    "#]],
    );
    check_guards(
        ON_A_SQUARE,
        expect![[r#"
        men 000
        pass: unguarded [], sources []
        move: unguarded [0, 1], sources [0]
        put white: unguarded [0], sources []
        put black: unguarded [0], sources []
        move and take another: unguarded [0, 1, 2], sources [0]
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn other_code_guards_what_it_looks_at_and_every_write() {
    check_function(
        BARE,
        expect![[r#"
        function "guard of bare" (r0) -> s3
          registers 3 5 0
        b0:
          r1 = const 4
          s0 = where r1
          insert s1 r1
          s3 = union s2 s1
          s4 = difference s1 s0
          r2 = any s4
          if r2 b1 else b2
        b1:
          s3 = family c1
          return
        b2:
          return
    "#]],
    );
    check_guards(
        BARE,
        expect![[r#"
        men 000
        pass: unguarded [], sources []
        move: unguarded [0, 1], sources [0]
        put white: unguarded [0], sources []
        put black: unguarded [0], sources []
        move and take another: unguarded [0, 1, 2], sources [0]
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn men_that_must_not_be_missing_are_all_guarded() {
    check_function(
        NONE_LEFT,
        expect![[r#"
        function "guard of none left" (r0) -> s2
          registers 3 3 0
        b0:
          r1 = const 2
          s0 = where r1
          s2 = union s1 s0
          r2 = any s0
          if r2 b1 else b2
        b1:
          return
        b2:
          s2 = family c1
          return
    "#]],
    );
    check_guards(
        NONE_LEFT,
        expect![[r#"
        men 010
        pass: unguarded [], sources []
        move: unguarded [0, 1], sources [0]
        put white: tried
        put black: unguarded [0], sources []
        move and take another: unguarded [0, 1, 2], sources [0]
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn the_first_of_some_men_hangs_on_all_of_them() {
    check_function(
        FIRST_ONLY,
        expect![[r#"
        function "guard of first only" (r0) -> s2
          registers 8 7 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 2
          r4 = const 4
          s0 = where r3
          s2 = union s1 s0
          r5 = next_member s0 r1
          r6 = lt r1 r5
          if r6 b1 else b3
        b1:
          insert s3 r5
          s4 = neighbours s3 r2
          s5 = where r4
          s2 = union s2 s4
          s6 = intersection s4 s5
          r7 = any s6
          if r7 b2 else b3
        b2:
          s2 = family c1
          return
        b3:
          return
    "#]],
    );
    check_guards(
        FIRST_ONLY,
        expect![[r#"
        men 010
        pass: unguarded [], sources []
        move: unguarded [0, 1], sources [0]
        put white: tried
        put black: unguarded [0], sources []
        move and take another: unguarded [0, 1, 2], sources [0]
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn code_that_takes_from_a_set_as_it_goes_is_no_finding() {
    check_guards(
        TAKEN_FROM_ANOTHER,
        expect![[r#"
        men 110
        pass: unguarded [], sources []
        move: unguarded [0, 1], sources [0]
        put white: tried
        put black: tried
        move and take another: unguarded [0, 1, 2], sources [0]
        take the next: tried
        put what the turn says: tried
        note: unguarded [], sources []
        move on from where it was: tried
        move in a loop: tried
        note what does not fit: tried
        note where: unguarded [], sources []
    "#]],
    );
}

#[test]
fn code_that_looks_at_anything_else_has_no_guard() {
    for text in NOT_GUARDED {
        assert_eq!(guarded(text).1, None, "{text}");
    }
}
