//! The passes that make set code, on functions written by hand: text in, text out.
//!
//! That the code does the same is tested with the interpreter, on the same functions, in
//! `ludex-testkit`.

use expect_test::{Expect, expect};
use ludex_ir::passes::{list_loops, members, rays, reverse, setwise, tidy, with_function};
use ludex_ir::{Func, Inst, Program, verify};

const TEXT: &str = include_str!("../programs/sets.ir");

type Pass = fn(&mut Program, Func);

const TO_LOOPS_OVER_SETS: &[Pass] = &[members::run, list_loops::run, rays::run];

/// Runs passes over a function and checks what becomes of it.
#[track_caller]
fn check(name: &str, passes: &[&[Pass]], expect: Expect) {
    let (program, func) = after(name, passes);
    expect.assert_eq(&format!("{}\n", program.function(func).to_string().trim_end()));
}

/// Runs passes over a function and clears up after each.
#[track_caller]
fn after(name: &str, passes: &[&[Pass]]) -> (Program, Func) {
    let mut program = Program::parse(TEXT).expect("the program is well formed");
    assert_eq!(verify(&program), Ok(()), "before");
    let found = program.functions.iter().position(|it| it.name == name);
    let func = Func(found.expect("there is such a function") as u16);
    for pass in passes.concat() {
        with_function(&mut program, func, |program, function| tidy(program, function));
        pass(&mut program, func);
        assert_eq!(verify(&program), Ok(()), "after a pass");
    }
    with_function(&mut program, func, |program, function| tidy(program, function));
    assert_eq!(verify(&program), Ok(()), "after");
    (program, func)
}

#[test]
fn a_loop_over_squares_becomes_one_over_members() {
    check(
        "step forward",
        &[&[members::run]],
        expect![[r#"
        function "step forward" (r0)
          registers 9 1 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 10
          s0 = where r4
          jump b1
        b1:
          r5 = next_member s0 r1
          r6 = lt r1 r5
          if r6 b2 else b5
        b2:
          remove s0 r5
          r7 = step r5 r2
          r8 = test a0[r7] r3
          if r8 b3 else b4
        b3:
          emit m1(r5, r7)
          jump b1
        b4:
          emit m0(r5)
          jump b1
        b5:
          return
    "#]],
    );
}

#[test]
fn members_one_after_another() {
    check(
        "free neighbours",
        &[&[members::run]],
        expect![[r#"
        function "free neighbours" (r0)
          registers 13 1 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 2
          r5 = const 10
          r6 = const 0
          s0 = where r5
          jump b1
        b1:
          r7 = next_member s0 r1
          r8 = lt r1 r7
          if r8 b2 else b6
        b2:
          remove s0 r7
          r9 = step r7 r4
          r10 = test a0[r9] r3
          if r10 b3 else b4
        b3:
          r6 = add r6 r3
          jump b4
        b4:
          r11 = step r7 r2
          r12 = lt r1 r11
          if r12 b1 else b5
        b5:
          emit m0(r7)
          jump b1
        b6:
          emit m2(r6)
          return
    "#]],
    );
}

#[test]
fn a_step_for_all_men_at_once() {
    check(
        "step forward",
        &[&[members::run, setwise::run]],
        expect![[r#"
        function "step forward" (r0)
          registers 3 5 0
        b0:
          r1 = const 1
          r2 = const 10
          s0 = where r2
          s1 = where r1
          s2 = shift s1 r1
          s3 = intersection s0 s2
          emit_all m1 s3(member, table t0)
          s4 = difference s0 s2
          emit_all m0 s4(member)
          return
    "#]],
    );
}

#[test]
fn counting_for_all_at_once() {
    check(
        "free neighbours",
        &[&[members::run, setwise::run]],
        expect![[r#"
        function "free neighbours" (r0)
          registers 5 6 0
        b0:
          r1 = const 1
          r2 = const 3
          r3 = const 10
          s0 = where r3
          s1 = where r1
          s2 = shift s1 r2
          s3 = intersection s0 s2
          r4 = count s3
          s4 = family c1
          s5 = difference s0 s4
          emit_all m0 s5(member)
          emit m2(r4)
          return
    "#]],
    );
}

#[test]
fn a_line_is_a_few_shifts() {
    check(
        "three in a row wins",
        &[&[members::run, setwise::run]],
        expect![[r#"
        function "three in a row wins" (r0)
          registers 4 5 0
        b0:
          r1 = const 3
          r2 = const 10
          s0 = where r2
          s1 = shift s0 r1
          s2 = intersection s0 s1
          s3 = shift s2 r1
          s4 = intersection s2 s3
          r3 = any s4
          if r3 b1 else b2
        b1:
          outcome victory
          return
        b2:
          return
    "#]],
    );
}

#[test]
fn a_walk_is_a_slide_from_its_end() {
    check(
        "encloses",
        &[&[members::run, setwise::run]],
        expect![[r#"
        function "encloses" (r0)
          registers 5 7 0
        b0:
          r1 = const 1
          r2 = const 5
          r3 = const 10
          r4 = const 20
          s0 = where r1
          s1 = where r3
          s2 = where r4
          s3 = slide s1 s2 r2
          s4 = intersection s0 s3
          s5 = shift s2 r2
          s6 = intersection s4 s5
          emit_all m0 s6(member)
          return
    "#]],
    );
}

#[test]
fn one_step_in_each_direction_is_a_loop_over_neighbours() {
    check(
        "king steps",
        &[TO_LOOPS_OVER_SETS],
        expect![[r#"
        function "king steps" (r0)
          registers 12 3 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 8
          r5 = const 20
          s0 = where r4
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b8
        b2:
          remove s0 r6
          s1 = family c0
          insert s1 r6
          s2 = neighbours s1 r2
          jump b3
        b3:
          r8 = next_member s2 r1
          r9 = lt r1 r8
          if r9 b4 else b1
        b4:
          remove s2 r8
          r10 = test a0[r8] r3
          if r10 b5 else b6
        b5:
          emit m1(r6, r8)
          jump b6
        b6:
          r11 = test a0[r8] r5
          if r11 b7 else b3
        b7:
          emit m1(r8, r6)
          jump b3
        b8:
          return
    "#]],
    );
    check(
        "king steps",
        &[TO_LOOPS_OVER_SETS, &[setwise::run]],
        expect![[r#"
        function "king steps" (r0)
          registers 8 7 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 8
          r5 = const 20
          s0 = where r4
          s1 = where r5
          s2 = where r3
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b3
        b2:
          remove s0 r6
          s3 = family c0
          insert s3 r6
          s4 = neighbours s3 r2
          s5 = intersection s4 s2
          emit_all m1 s5(r6, member)
          s6 = intersection s4 s1
          emit_all m1 s6(member, r6)
          jump b1
        b3:
          return
    "#]],
    );
}

#[test]
fn a_walk_in_each_direction_is_a_loop_over_rays() {
    check(
        "king rides",
        &[TO_LOOPS_OVER_SETS],
        expect![[r#"
        function "king rides" (r0)
          registers 12 3 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 8
          r5 = const 20
          s0 = where r4
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b8
        b2:
          remove s0 r6
          s1 = where r3
          s2 = rays r6 s1 r2
          jump b3
        b3:
          r8 = next_member s2 r1
          r9 = lt r1 r8
          if r9 b4 else b1
        b4:
          remove s2 r8
          r10 = test a0[r8] r3
          if r10 b5 else b6
        b5:
          emit m1(r6, r8)
          jump b3
        b6:
          r11 = test a0[r8] r5
          if r11 b7 else b3
        b7:
          emit m1(r8, r6)
          jump b3
        b8:
          return
    "#]],
    );
    check(
        "king rides",
        &[TO_LOOPS_OVER_SETS, &[setwise::run]],
        expect![[r#"
        function "king rides" (r0)
          registers 8 6 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 8
          r5 = const 20
          s0 = where r4
          s1 = where r3
          s2 = where r5
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b3
        b2:
          remove s0 r6
          s3 = rays r6 s1 r2
          s4 = intersection s3 s1
          emit_all m1 s4(r6, member)
          s5 = intersection s3 s2
          emit_all m1 s5(member, r6)
          jump b1
        b3:
          return
    "#]],
    );
}

#[test]
fn what_comes_after_a_walk_is_asked_of_the_last_squares() {
    check(
        "king looks along",
        &[TO_LOOPS_OVER_SETS, &[setwise::run]],
        expect![[r#"
        function "king looks along" (r0)
          registers 8 6 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 8
          r5 = const 20
          s0 = where r4
          s1 = where r3
          s2 = where r5
          jump b1
        b1:
          r6 = next_member s0 r1
          r7 = lt r1 r6
          if r7 b2 else b3
        b2:
          remove s0 r6
          s3 = rays r6 s1 r2
          s4 = intersection s3 s1
          emit_all m0 s4(member)
          s5 = intersection s3 s2
          emit_all m1 s5(r6, member)
          jump b1
        b3:
          return
    "#]],
    );
}

#[test]
fn a_loop_is_parted_by_its_first_question() {
    check(
        "each its own way",
        &[TO_LOOPS_OVER_SETS, &[setwise::run]],
        expect![[r#"
        function "each its own way" (r0)
          registers 8 8 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 2
          r5 = const 8
          s0 = where r4
          s1 = where r3
          s2 = shift s1 r3
          s3 = intersection s0 s2
          emit_all m1 s3(member, table t0)
          s4 = where r5
          jump b1
        b1:
          r6 = next_member s4 r1
          r7 = lt r1 r6
          if r7 b2 else b3
        b2:
          remove s4 r6
          s5 = family c0
          insert s5 r6
          s6 = neighbours s5 r2
          s7 = intersection s6 s1
          emit_all m1 s7(r6, member)
          jump b1
        b3:
          return
    "#]],
    );
}

#[test]
fn a_question_is_asked_from_the_side_of_the_few() {
    let passes: &[&[Pass]] = &[TO_LOOPS_OVER_SETS, &[setwise::run, reverse::run]];
    check(
        "could take",
        passes,
        expect![[r#"
        function "could take" (r0) -> r6
          registers 10 5 0
        b0:
          r1 = const -1
          r2 = const 0
          r3 = const 1
          r4 = const 10
          r5 = const 16
          r6 = const 0
          s0 = where r4
          s1 = where r3
          s2 = where r5
          jump b1
        b1:
          r7 = next_member s2 r1
          r8 = lt r1 r7
          if r8 b2 else b4
        b2:
          remove s2 r7
          s3 = rays r7 s1 r2
          s4 = intersection s3 s0
          r9 = any s4
          if r9 b3 else b1
        b3:
          r6 = const 1
          return
        b4:
          return
    "#]],
    );
}

/// Loops in which the order matters, a step off the board is noticed or a walk may not end.
#[test]
fn other_loops_stay_loops() {
    let names = [
        "men up to the first blocked one",
        "also off the board",
        "what the last man saw",
        "round in circles",
    ];
    for name in names {
        let (program, func) = after(name, &[TO_LOOPS_OVER_SETS, &[setwise::run, reverse::run]]);
        let insts = program.function(func).blocks.iter().flat_map(|it| &it.insts);
        let at_once = insts.filter(|(inst, _)| {
            matches!(inst, Inst::EmitAll { .. } | Inst::Rays { .. } | Inst::Neighbours { .. })
        });
        assert_eq!(at_once.count(), 0, "{name}:\n{}", program.function_text(func));
    }
}
