//! Walks, choices of sets, stores on rays and moves of one man: text in, text
//! out. That the code says the same is tested by playing, in `ludex-testkit`.

use crate::common::{FRAME, framed};
use expect_test::{Expect, expect};
use ludex_ir::passes::{gates, listing, stores, tidy, walks, with_function};
use ludex_ir::{Func, Program, verify};

/// The function that the tests are about: the first after those of the frame.
const TESTED: Func = Func(2);

/// Runs a pass over the first function of a program, clears up, and checks what becomes of it.
#[track_caller]
fn check(functions: &str, pass: fn(&mut Program, Func), expect: &Expect) {
    check_in(framed(functions), pass, expect);
}

#[track_caller]
fn check_in(mut program: Program, pass: fn(&mut Program, Func), expect: &Expect) {
    assert_eq!(verify(&program), Ok(()), "before");
    pass(&mut program, TESTED);
    with_function(&mut program, TESTED, |program, function| tidy(program, function));
    assert_eq!(verify(&program), Ok(()), "after");
    expect.assert_eq(&format!("{}\n", program.function(TESTED).to_string().trim_end()));
}

/// Functions in a frame of which one line is another.
fn changed(functions: &str, old: &str, new: &str) -> Program {
    let idle = "function f0 \"moves\" (r0) registers 1 0 0 b0: emit m0() return
                function f1 \"pass\" (r0) registers 1 0 0 b0: return\n";
    let frame = FRAME.replace(old, new);
    let (head, tail) = frame.split_once("table t0").expect("the frame has a table");
    let text = format!("{head}{idle}{functions}\ntable t0{tail}");
    Program::parse(&text).unwrap_or_else(|err| panic!("{err}\n{text}"))
}

/// Runs a pass and checks that it leaves the function alone.
#[track_caller]
fn check_left(functions: &str, pass: fn(&mut Program, Func)) {
    let mut program = framed(functions);
    assert_eq!(verify(&program), Ok(()));
    let before = program.function(TESTED).clone();
    pass(&mut program, TESTED);
    assert_eq!(program.function(TESTED).to_string(), before.to_string());
}

/// Gathers what is passed along direction 0 from `r1` and asks what comes after it.
const ENCLOSED: &str = r#"function f2 "enclosed" (r0, r1) -> s0
     registers 7 2 0
   b0: r2 = const 0 r3 = const 4 r4 = const 2 s0 = family c1 r5 = step r1 r2 jump b1
   b1: r6 = test a0[r5] r3 if r6 b2 else b3
   b2: s1 = family c1 insert s1 r5 s0 = union s0 s1 r5 = step r5 r2 jump b1
   b3: r6 = test a0[r5] r4 if r6 b4 else b5
   b4: return
   b5: s0 = family c1 return"#;

#[test]
fn a_walk_that_gathers_is_a_ray() {
    check_in(
        changed(ENCLOSED, "{6..8} {0..2}", "{6..8} {0..2}\nfamily c1 \"none\"\n  {}"),
        walks::run,
        &expect![[r#"
            function "enclosed" (r0, r1) -> s5
              registers 6 8 0
            b0:
              r2 = const 1
              r3 = const 2
              r4 = const 4
              s0 = family c1
              s1 = where r4
              s2 = rays r1 s1 r2
              s3 = intersection s2 s1
              s4 = difference s2 s1
              s5 = union s0 s3
              s6 = where r3
              s7 = intersection s4 s6
              r5 = any s7
              if r5 b1 else b2
            b1:
              return
            b2:
              s5 = family c1
              return
        "#]],
    );
}

#[test]
fn a_walk_of_so_many_steps_is_a_hop() {
    check(
        r#"function f2 "far" (r0, r1) -> r9
             registers 10 1 0
           b0: r2 = const 0 r3 = const 1 r4 = const 4 r5 = const -1
               s0 = family c0 r6 = count s0 r9 = next_member s0 r5
               r8 = const 1 r5 = const 0 r7 = lt r2 r6
               if r7 b1 else b4
           b1: r7 = test a0[r9] r4 if r7 b2 else b3
           b2: r8 = const 0 jump b3
           b3: r9 = step r9 r2 r5 = add r5 r3 r7 = lt r5 r6 if r7 b1 else b4
           b4: if r8 b5 else b6
           b5: return
           b6: r9 = const -1 return"#,
        walks::run,
        &expect![[r#"
            function "far" (r0, r1) -> r8
              registers 9 4 0
            b0:
              r2 = const -1
              r3 = const 0
              r4 = const 4
              s0 = family c0
              r5 = count s0
              r6 = next_member s0 r2
              s1 = reach r6 r3 r5
              s2 = where r4
              s3 = intersection s1 s2
              r7 = any s3
              r8 = hop r6 r3 r5
              if r7 b1 else b2
            b1:
              r8 = const -1
              return
            b2:
              return
        "#]],
    );
}

#[test]
fn without_a_question_before_it_there_is_one_step_at_least() {
    check(
        r#"function f2 "far" (r0, r1, r2) -> r1
             registers 7 0 0
           b0: r3 = const 0 r4 = const 1 r5 = const 0 jump b1
           b1: r1 = step r1 r3 r5 = add r5 r4 r6 = lt r5 r2 if r6 b1 else b2
           b2: return"#,
        walks::run,
        &expect![[r#"
            function "far" (r0, r1, r2) -> r6
              registers 7 0 0
            b0:
              r3 = const 0
              r4 = const 1
              r5 = max r2 r4
              r6 = hop r1 r3 r5
              return
        "#]],
    );
}

#[test]
fn a_flag_set_off_the_board_too_is_left_alone() {
    check_left(
        r#"function f2 "far" (r0, r1, r2) -> r7
             registers 8 0 0
           b0: r3 = const 0 r4 = const 1 r5 = const 0 jump b1
           b1: r7 = const 1 r1 = step r1 r3 r5 = add r5 r4 r6 = lt r5 r2 if r6 b1 else b2
           b2: return"#,
        walks::run,
    );
}

#[test]
fn a_walk_that_writes_is_left_alone() {
    check_left(
        r#"function f2 "turn" (r0, r1)
             registers 7 0 0
           b0: r2 = const 0 r3 = const 4 r4 = const 1 r5 = step r1 r2 jump b1
           b1: r6 = test a0[r5] r3 if r6 b2 else b3
           b2: store a0[r5] r4 r5 = step r5 r2 jump b1
           b3: return"#,
        walks::run,
    );
}

#[test]
fn a_walk_that_starts_elsewhere_is_left_alone() {
    check_left(
        r#"function f2 "from the other side" (r0, r1) -> r5
             registers 7 0 0
           b0: r2 = const 0 r3 = const 4 r4 = const 1 r5 = step r1 r4 jump b1
           b1: r6 = test a0[r5] r3 if r6 b2 else b3
           b2: r5 = step r5 r2 jump b1
           b3: return"#,
        walks::run,
    );
}

#[test]
fn a_set_that_is_looked_at_on_the_way_is_left_alone() {
    check_left(
        r#"function f2 "counting" (r0, r1) -> r4
             registers 7 1 0
           b0: r2 = const 0 r3 = const 4 r5 = step r1 r2 jump b1
           b1: r6 = test a0[r5] r3 if r6 b2 else b3
           b2: insert s0 r5 r4 = count s0 r5 = step r5 r2 jump b1
           b3: return"#,
        walks::run,
    );
}

#[test]
fn a_line_has_one_name() {
    check(
        r#"function f2 "lines" (r0, r1) -> s2
             registers 4 3 0
           b0: r2 = const 0 r3 = const 1 s0 = axis r1 r2 s1 = axis r1 r3
               s2 = intersection s0 s1 return"#,
        walks::run,
        &expect![[r#"
            function "lines" (r0, r1) -> s1
              registers 3 2 0
            b0:
              r2 = const 0
              s0 = axis r1 r2
              s1 = intersection s0 s0
              return
        "#]],
    );
}

#[test]
fn a_choice_of_sets_needs_no_branch() {
    check(
        r#"function f2 "either" (r0, r1) -> s2
             registers 4 3 0
           b0: r2 = const 4 s0 = where r2 s1 = neighbours s0 r0 r3 = contains s0 r1
               if r3 b1 else b2
           b1: s2 = copy s0 jump b3
           b2: s2 = copy s1 jump b3
           b3: return"#,
        gates::run,
        &expect![[r#"
            function "either" (r0, r1) -> s5
              registers 4 6 0
            b0:
              r2 = const 4
              s0 = where r2
              s1 = neighbours s0 r0
              r3 = contains s0 r1
              s2 = family c1[r3]
              s3 = intersection s0 s2
              s4 = difference s1 s2
              s5 = union s4 s3
              return
        "#]],
    );
}

#[test]
fn a_set_or_none_needs_one_operation() {
    check_in(
        changed(
            r#"function f2 "maybe" (r0, r1) -> s2
                 registers 3 3 0
               b0: s0 = family c0 s1 = family c1 r2 = contains s0 r1 if r2 b1 else b2
               b1: s2 = copy s1 jump b3
               b2: s2 = copy s0 jump b3
               b3: return"#,
            "{6..8} {0..2}",
            "{6..8} {0..2}\nfamily c1 \"none\"\n  {}",
        ),
        gates::run,
        &expect![[r#"
            function "maybe" (r0, r1) -> s2
              registers 3 3 0
            b0:
              s0 = family c0
              r2 = contains s0 r1
              s1 = family c2[r2]
              s2 = difference s0 s1
              return
        "#]],
    );
}

#[test]
fn a_number_is_no_choice() {
    check_left(
        r#"function f2 "either" (r0, r1) -> s2
             registers 2 3 0
           b0: if r1 b1 else b2
           b1: s2 = copy s0 jump b3
           b2: s2 = copy s1 jump b3
           b3: return"#,
        gates::run,
    );
}

/// Puts men on what two rays of `r1` pass.
fn two_rays(second_list: &str) -> String {
    format!(
        r#"function f2 "both" (r0, r1)
             registers 5 4 0
           b0: r2 = const 4 r3 = const 1 r4 = const {second_list}
               s0 = where r2 s1 = rays r1 s0 r3 s1 = intersection s1 s0 store_all s1 r3
               s2 = where r2 s3 = rays r1 s2 r4 s3 = intersection s3 s2 store_all s3 r3
               return"#
    )
}

/// The frame with lists of one direction: 1 is up, 2 is down.
fn with_single_lists(functions: &str) -> Program {
    let mut program = changed(functions, "list l0 0 1", "list l0 0 1\nlist l1 0\nlist l2 1");
    with_function(&mut program, TESTED, |program, function| tidy(program, function));
    program
}

#[test]
fn rays_that_do_not_meet_are_stored_together() {
    check_in(
        with_single_lists(&two_rays("2")),
        stores::run,
        &expect![[r#"
        function "both" (r0, r1)
          registers 5 7 0
        b0:
          r2 = const 1
          r3 = const 2
          r4 = const 4
          s0 = where r4
          s1 = rays r1 s0 r2
          s2 = intersection s1 s0
          s3 = where r4
          s4 = rays r1 s3 r3
          s5 = intersection s4 s3
          s6 = union s2 s5
          store_all s6 r2
          return
    "#]],
    );
}

#[test]
fn one_ray_twice_is_stored_twice() {
    check_in(
        with_single_lists(&two_rays("1")),
        stores::run,
        &expect![[r#"
        function "both" (r0, r1)
          registers 4 6 0
        b0:
          r2 = const 1
          r3 = const 4
          s0 = where r3
          s1 = rays r1 s0 r2
          s2 = intersection s1 s0
          store_all s2 r2
          s3 = where r3
          s4 = rays r1 s3 r2
          s5 = intersection s4 s3
          store_all s5 r2
          return
    "#]],
    );
}

#[test]
fn moves_of_one_man_are_listed_together() {
    let text = r#"function f2 "both ways" (r0)
             registers 12 2 0
           b0: r1 = const -1 r2 = const 0 r3 = const 1 r4 = const 2 s0 = where r4 jump b1
           b1: r5 = next_member s0 r1 r6 = lt r1 r5 if r6 b2 else b7
           b2: remove s0 r5 r7 = step r5 r2 r8 = test a0[r7] r3 if r8 b3 else b4
           b3: emit m1(r5, r7) jump b4
           b4: s1 = axis r5 r2 r11 = any s1 if r11 b5 else b1
           b5: r9 = step r5 r3 r10 = test a0[r9] r3 if r10 b6 else b1
           b6: emit m1(r5, r9) jump b1
           b7: return
           function f3 "effect" (r0, r1, r2) registers 3 0 0 b0: return"#;
    let statements = "m0 f1 ()\nstatement m1 f3 (square \"a\", square \"b\")";
    check_in(
        changed(text, "m0 f1 ()", statements),
        listing::run,
        &expect![[r#"
        function "both ways" (r0)
          registers 10 10 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 2
          s0 = where r4
          jump b1
        b1:
          r5 = next_member s0 r1
          r6 = lt r1 r5
          if r6 b2 else b3
        b2:
          remove s0 r5
          r7 = step r5 r2
          s1 = family c1
          insert s1 r7
          s2 = where r3
          s3 = intersection s1 s2
          s4 = axis r5 r2
          r8 = any s4
          r9 = step r5 r3
          s5 = family c1
          insert s5 r9
          s6 = family c2[r8]
          s7 = intersection s5 s6
          s8 = intersection s7 s2
          s9 = union s3 s8
          emit_all m1 s9(r5, member)
          jump b1
        b3:
          return
    "#]],
    );
}
