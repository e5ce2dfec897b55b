//! Post-dominators, regions and what branches may assign, on programs written by hand.

use crate::common::{framed, program};
use expect_test::{Expect, expect};
use ludex_ir::summary::Acts;
use ludex_ir::verify::errors;
use ludex_ir::{Func, MayDefine, Program, Summaries};

/// Checks a line for every branch: its conjugate, its region, what it may assign.
#[track_caller]
fn check(program: &Program, func: u16, expect: Expect) {
    assert_eq!(errors(program), []);
    let summaries = Summaries::of(program);
    let may = MayDefine::of(program, &summaries, program.function(Func(func)));
    let mut shown = String::new();
    for (block, branch) in may.iter() {
        let conjugate = branch.conjugate.map_or_else(|| "exit".to_owned(), |it| it.to_string());
        shown += &format!("{block} -> {conjugate}: region {}", list(&branch.region));
        let vars = if branch.vars.is_empty() { "nothing".into() } else { list(&branch.vars) };
        shown += &format!("; assigns {vars}");
        shown += &acts(&branch.acts);
        shown += if branch.emits { ", emits" } else { "" };
        shown += if branch.outcomes { ", outcomes" } else { "" };
        shown += "\n";
    }
    expect.assert_eq(&shown);
}

fn acts(acts: &Acts) -> String {
    let mut shown = String::new();
    if !acts.writes.is_empty() {
        shown += &format!(", writes {}", list(&acts.writes));
    }
    let flags = [(acts.next, "next"), (acts.irreversible, "irreversible"), (acts.says, "says")];
    flags.iter().filter(|(set, _)| *set).for_each(|(_, name)| shown += &format!(", {name}"));
    shown
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|it| it.to_string()).collect();
    items.join(" ")
}

#[test]
fn bishop_rays() {
    check(
        &program("bishop_rays"),
        0,
        expect![[r#"
            b1 -> b10: region b1 b2 b3 b4 b5 b6 b7 b8 b9 b11; assigns r1 r2 r3 r4 r5 r6, emits
            b2 -> b9: region b3 b4 b5 b6 b7 b8 b11; assigns r2 r3 r4 r5 r6, emits
            b4 -> b9: region b4 b5 b6 b7 b8 b11; assigns r2 r3 r4 r5 r6, emits
            b6 -> b8: region b6 b7; assigns r4 r5, emits
            b8 -> b4: region b11; assigns nothing, emits
        "#]],
    );
}

#[test]
fn counter() {
    check(
        &program("counter"),
        2,
        expect![[r#"
            b1 -> b9: region b1 b2 b3 b4 b5 b6 b7 b8; assigns r1 r2 r3 r4 r9, outcomes
            b3 -> b7: region b3 b4 b5 b6; assigns r2 r3 r4 r9
            b4 -> b6: region b5; assigns r3
            b7 -> b1: region b8; assigns nothing, outcomes
        "#]],
    );
}

#[test]
fn free_line() {
    check(
        &program("free_line"),
        0,
        expect![[r#"
            b1 -> b10: region b1 b2 b3 b4 b5 b6 b7 b8 b9; assigns r1 r2 r3 r4 r9, emits
            b3 -> b7: region b3 b4 b5 b6; assigns r2 r3 r4 r9
            b4 -> b6: region b5; assigns r3
            b7 -> b1: region b8 b9; assigns r4, emits
            b8 -> b1: region b9; assigns nothing, emits
        "#]],
    );
}

#[test]
fn compulsory_capture() {
    let program = program("compulsory_capture");
    check(
        &program,
        0,
        expect![[r#"
            b1 -> b5: region b1 b2 b3 b4; assigns r1 r4 r5, emits
            b2 -> b4: region b3; assigns r4 r5, emits
            b5 -> b13: region b6 b7 b8 b9 b10 b11 b12; assigns r1 r2 r3 r5, emits
            b6 -> b13: region b6 b7 b8 b9 b10 b11 b12; assigns r1 r2 r3 r5, emits
            b7 -> b12: region b8 b9 b10 b11; assigns r2 r3 r5, emits
            b9 -> b12: region b9 b10 b11; assigns r2 r3 r5, emits
            b10 -> b9: region b11; assigns nothing, emits
        "#]],
    );
    check(
        &program,
        2,
        expect![[r#"
            b1 -> b6: region b1 b2 b3 b4 b5; assigns r3 r4 r5 r6 r7 r8 r12 r13 p1, emits
            b2 -> b1: region b3 b4 b5; assigns r3 r6 r7 r12 r13 p1, emits
            b3 -> b1: region b4 b5; assigns r3 r12 r13 p1, emits
            b4 -> b1: region b5; assigns nothing, emits
        "#]],
    );
    let summaries = Summaries::of(&program);
    let jumps = summaries.function(Func(2));
    assert_eq!((list(&jumps.reads), acts(&jumps.acts)), ("a0".to_owned(), String::new()));
    assert_eq!(acts(&jumps.tries), ", writes a0");
    let follow = summaries.function(Func(1));
    assert_eq!((acts(&follow.acts), follow.emits), (", writes a0, says".to_owned(), false));
    assert!(summaries.function(Func(0)).emits);
}

/// Writes in a `try` that ends before the conjugate do not count; those that
/// are still there do, and so do those of functions that are called.
#[test]
fn writes_in_a_try() {
    let program = framed(
        r#"
function f2 "put" (r0) registers 1 0 0
b0:
  store a0[r0] r0
  return
function f3 "tries" (r0) -> r1 registers 2 0 0
b0:
  try
  if r0 b1 else b2
b1:                        ; at the depth of its conjugate b2
  call f2(r0)
  next r0
  jump b2
b2:
  if r0 b3 else b4
b3:                        ; deeper than its conjugate b4
  try
  increase a2 r0
  undo
  jump b4
b4:
  if r0 b5 else b6
b5:                        ; the conjugate b7 is outside
  store a2 r0
  undo
  jump b7
b6:
  undo
  jump b7
b7:
  r1 = const 1
  return
"#,
    );
    check(
        &program,
        3,
        expect![[r#"
            b0 -> b2: region b1; assigns nothing, writes a0, next
            b2 -> b4: region b3; assigns nothing
            b4 -> b7: region b5 b6; assigns nothing
        "#]],
    );
    let summary = Summaries::of(&program);
    assert_eq!(acts(&summary.function(Func(2)).acts), ", writes a0");
    assert_eq!(acts(&summary.function(Func(3)).acts), "");
    assert_eq!(acts(&summary.function(Func(3)).tries), ", writes a0 a2, next");
}

/// A branch on whose one side the `try` it stands in is ended and another one
/// begun decides about what was written before it.
#[test]
fn a_try_that_is_begun_again() {
    let program = framed(
        r#"
function f2 "again" (r0) registers 2 0 0
b0:
  try
  store a2 r0
  if r0 b1 else b2
b1:
  undo
  try
  jump b2
b2:
  r1 = load a2
  undo
  return
"#,
    );
    check(
        &program,
        2,
        expect![[r#"
            b0 -> b2: region b1; assigns nothing, writes a2
        "#]],
    );
}

/// Replies look at what moves, effects and `illegal` look at, and change nothing.
#[test]
fn replies_and_history() {
    let program = framed(
        r#"
function f2 "asks" (r0) -> r1 registers 2 0 0
b0:
  r1 = reply r0
  return
function f3 "again" (r0) -> r1 registers 2 0 0
b0:
  r1 = repeats
  return
"#,
    );
    let summaries = Summaries::of(&program);
    let asks = summaries.function(Func(2));
    assert!(asks.replies && !asks.emits && asks.acts.is_empty());
    let again = summaries.function(Func(3));
    assert!(again.repeats);
    assert_eq!(list(&again.reads), "a0 a1 a2 a3", "all but the counter");
}

/// Recursion in both directions: what one does the other does.
#[test]
fn recursion() {
    let program = framed(
        r#"
function f2 "even" (r0) registers 1 0 0
b0:
  call f3(r0)
  return
function f3 "odd" (r0) registers 2 1 0
b0:
  r1 = load a4
  if r1 b1 else b2
b1:
  call f2(r0)
  include a3[r0] s0
  return
b2:
  return
"#,
    );
    let summaries = Summaries::of(&program);
    for func in [2, 3] {
        let summary = summaries.function(Func(func));
        assert_eq!(
            (list(&summary.reads), acts(&summary.acts)),
            ("a4".into(), ", writes a3".into())
        );
    }
    check(
        &program,
        3,
        expect![[r#"
            b0 -> exit: region b1 b2; assigns nothing, writes a3
        "#]],
    );
}
