//! Looking along lines before rays are followed, on functions written by hand.

use crate::common::framed;
use expect_test::{Expect, expect};
use ludex_ir::passes::glance;
use ludex_ir::{Func, Program, verify};

/// The function that the tests are about: the first after those of the frame.
const TESTED: Func = Func(2);

/// A program with one function, after the pass.
#[track_caller]
fn looked(function: &str) -> (Program, Program) {
    let before = framed(function);
    assert_eq!(verify(&before), Ok(()), "before");
    let mut after = before.clone();
    glance::run(&mut after, TESTED);
    assert_eq!(verify(&after), Ok(()), "after");
    (before, after)
}

#[track_caller]
fn check(function: &str, expect: Expect) {
    let (_, after) = looked(function);
    expect.assert_eq(&format!("{}\n", after.function(TESTED).to_string().trim_end()));
}

#[track_caller]
fn check_unchanged(function: &str) {
    let (before, after) = looked(function);
    assert_eq!(before.function(TESTED).to_string(), after.function(TESTED).to_string());
}

#[test]
fn rays_that_can_find_nothing_are_not_followed() {
    check(
        r#"function f2 "sees" (r0) -> r1
             registers 6 4 0
           b0: r1 = const 0 r2 = const 1 r3 = const 4 r4 = const 0
               s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 s3 = intersection s2 s1 r5 = any s3 if r5 b1 else b2
           b1: r1 = const 1 return
           b2: return
        "#,
        expect![[r#"
            function "sees" (r0) -> r1
              registers 7 7 0
            b0:
              r1 = const 0
              r2 = const 1
              r3 = const 4
              r4 = const 0
              s0 = where r2
              s1 = where r3
              s4 = family c1
              s5 = rays r0 s4 r4
              s6 = intersection s5 s1
              r6 = any s6
              if r6 b3 else b2
            b1:
              r1 = const 1
              return
            b2:
              return
            b3:
              s2 = rays r0 s0 r4
              s3 = intersection s2 s1
              r5 = any s3
              if r5 b1 else b2
        "#]],
    );
}

#[test]
fn several_branches_are_decided_by_one_look() {
    check(
        r#"function f2 "sees through one" (r0) -> s9
             registers 7 10 0
           b0: r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 s3 = difference s2 s0 s4 = union s0 s3 s5 = rays r0 s4 r4
               s6 = intersection s1 s5 r5 = any s6 if r5 b1 else b2
           b1: s9 = copy s2 jump b2
           b2: s7 = intersection s2 s1 r6 = any s7 if r6 b3 else b4
           b3: s9 = where r2 return
           b4: return
        "#,
        expect![[r#"
            function "sees through one" (r0) -> s9
              registers 8 13 0
            b0:
              r2 = const 1
              r3 = const 4
              r4 = const 0
              s0 = where r2
              s1 = where r3
              s10 = family c1
              s11 = rays r0 s10 r4
              s12 = intersection s11 s1
              r7 = any s12
              if r7 b5 else b4
            b1:
              s9 = copy s2
              jump b2
            b2:
              s7 = intersection s2 s1
              r6 = any s7
              if r6 b3 else b4
            b3:
              s9 = where r2
              return
            b4:
              return
            b5:
              s2 = rays r0 s0 r4
              s3 = difference s2 s0
              s4 = union s0 s3
              s5 = rays r0 s4 r4
              s6 = intersection s1 s5
              r5 = any s6
              if r5 b1 else b2
        "#]],
    );
}

#[test]
fn a_set_that_is_wanted_later_is_made() {
    check_unchanged(
        r#"function f2 "sees" (r0) -> s2
             registers 6 4 0
           b0: r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 s3 = intersection s2 s1 r5 = any s3 if r5 b1 else b2
           b1: r5 = const 1 return
           b2: return
        "#,
    );
}

#[test]
fn what_is_looked_for_must_be_there_before() {
    check_unchanged(
        r#"function f2 "sees" (r0) -> r1
             registers 6 4 0
           b0: r1 = const 0 r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2
               s2 = rays r0 s0 r4 s1 = where r3 s3 = intersection s2 s1 r5 = any s3
               if r5 b1 else b2
           b1: r1 = const 1 return
           b2: return
        "#,
    );
}

#[test]
fn a_square_that_changes_on_the_way_is_another_question() {
    check_unchanged(
        r#"function f2 "sees" (r0) -> r1
             registers 6 4 0
           b0: r1 = const 0 r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 r0 = const 3 s2 = rays r0 s0 r4
               s3 = intersection s2 s1 r5 = any s3 if r5 b1 else b2
           b1: r1 = const 1 return
           b2: return
        "#,
    );
}

#[test]
fn what_is_done_on_the_way_is_done() {
    check_unchanged(
        r#"function f2 "sees and writes" (r0) -> r1
             registers 6 4 0
           b0: r1 = const 0 r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 s3 = intersection s2 s1 r5 = any s3 store a0[r0] r4
               if r5 b1 else b2
           b1: r1 = const 1 return
           b2: return
        "#,
    );
}

#[test]
fn a_union_may_have_more_than_the_lines() {
    check_unchanged(
        r#"function f2 "sees" (r0) -> r1
             registers 6 4 0
           b0: r1 = const 0 r2 = const 1 r3 = const 4 r4 = const 0 s0 = where r2 s1 = where r3
               s2 = rays r0 s0 r4 s2 = union s2 s0 s3 = intersection s2 s1 r5 = any s3
               if r5 b1 else b2
           b1: r1 = const 1 return
           b2: return
        "#,
    );
}
