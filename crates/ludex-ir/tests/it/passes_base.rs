//! The base passes on functions written by hand: text in, text out.

use crate::common::framed;
use expect_test::{Expect, expect};
use ludex_ir::passes::loops::Loops;
use ludex_ir::passes::{
    Optimised, copies, cse, dead, fold, inline, optimise, prune, simplify, specialise, split,
    thread, unroll, with_function,
};
use ludex_ir::{Block, Func, Function, Program, verify};

/// The function that the tests are about: the first after those of the frame.
const TESTED: Func = Func(2);

/// Runs a pass over the first function of a program and checks what becomes of it.
#[track_caller]
fn check<T>(functions: &str, pass: impl Fn(&mut Program, &mut Function) -> T, expect: Expect) {
    let mut program = framed(functions);
    assert_eq!(verify(&program), Ok(()), "before");
    with_function(&mut program, TESTED, pass);
    assert_eq!(verify(&program), Ok(()), "after");
    expect.assert_eq(&format!("{}\n", program.function(TESTED).to_string().trim_end()));
}

#[test]
fn empty_blocks_go_and_followers_merge() {
    check(
        r#"function f2 "walk" (r0) -> r1
             registers 2 0 0
           b0: jump b1
           b1: r1 = const 1 jump b2
           b2: if r0 b3 else b4
           b3: jump b5
           b4: jump b6
           b5: r1 = const 2 jump b7
           b6: jump b7
           b7: return
           b8: r1 = const 9 jump b7"#,
        |_, it| simplify::simplify(it),
        expect![[r#"
            function "walk" (r0) -> r1
              registers 2 0 0
            b0:
              r1 = const 1
              if r0 b1 else b2
            b1:
              r1 = const 2
              return
            b2:
              return
        "#]],
    );
}

#[test]
fn the_first_block_is_entered_once() {
    check(
        r#"function f2 "again" (r0)
             registers 1 0 0
           b0: r0 = not r0 if r0 b0 else b1
           b1: return"#,
        |_, it| simplify::simplify(it),
        expect![[r#"
            function "again" (r0)
              registers 1 0 0
            b0:
              jump b1
            b1:
              r0 = not r0
              if r0 b1 else b2
            b2:
              return
        "#]],
    );
}

#[test]
fn constants_are_put_in_and_branches_decided() {
    check(
        r#"function f2 "fold" (r0) -> r1
             registers 8 0 0
           b0:
             r2 = const 1
             r3 = lookup t0[r2]
             r4 = add r3 r2
             r5 = lt r2 r4
             if r5 b1 else b2
           b1:
             r6 = pair r2 r2 of 3 3
             r7 = step r6 r2
             r1 = add r7 r0
             return
           b2:
             r1 = const 7
             return"#,
        |program, it| {
            fold::fold(program, it);
            dead::remove(it);
            simplify::simplify(it);
        },
        expect![[r#"
            function "fold" (r0) -> r1
              registers 8 0 0
            b0:
              r2 = const 1
              r1 = add r2 r0
              return
        "#]],
    );
}

#[test]
fn a_square_that_passed_a_test_is_a_square() {
    check(
        r#"function f2 "checks" (r0, r1)
             registers 6 0 0
           b0:
             r2 = const 0
             r3 = const -1
             r1 = step r1 r2
             r4 = test a0[r1] r0
             if r4 b1 else b3
           b1:
             r5 = lt r3 r1
             if r5 b2 else b3
           b2:
             store a0[r1] r2
             jump b3
           b3:
             return"#,
        |program, it| {
            fold::fold(program, it);
            simplify::simplify(it);
        },
        expect![[r#"
            function "checks" (r0, r1)
              registers 7 0 0
            b0:
              r3 = const -1
              r2 = const 0
              r6 = const 1
              r1 = step r1 r2
              r4 = test a0[r1] r0
              if r4 b1 else b2
            b1:
              r5 = const 1
              store a0[r1] r2
              return
            b2:
              return
        "#]],
    );
}

#[test]
fn a_counter_stays_in_its_range() {
    check(
        r#"function f2 "count" (r0)
             registers 7 0 0
           b0:
             r1 = const 0
             r2 = const 9
             r3 = const 1
             r6 = const -1
             jump b1
           b1:
             r4 = lt r6 r1
             if r4 b2 else b3
           b2:
             store a0[r1] r3
             jump b3
           b3:
             r1 = add r1 r3
             r5 = lt r1 r2
             if r5 b1 else b4
           b4:
             return"#,
        |program, it| {
            fold::fold(program, it);
            simplify::simplify(it);
        },
        expect![[r#"
            function "count" (r0)
              registers 9 0 0
            b0:
              r7 = const 1
              r8 = const 9
              r1 = const 0
              r2 = const 9
              r3 = const 1
              r6 = const -1
              jump b1
            b1:
              r4 = const 1
              store a0[r1] r7
              r1 = add r1 r7
              r5 = lt r1 r8
              if r5 b1 else b2
            b2:
              return
        "#]],
    );
}

#[test]
fn reads_go_to_the_original_while_it_is_the_same() {
    check(
        r#"function f2 "copies" (r0, r1)
             registers 4 0 0
           b0:
             r2 = copy r1
             store a0[r2] r0
             if r0 b1 else b2
           b1:
             r1 = const 3
             jump b2
           b2:
             store a0[r2] r0
             r3 = copy r2
             store a0[r3] r0
             return"#,
        |_, it| copies::propagate(it),
        expect![[r#"
            function "copies" (r0, r1)
              registers 4 0 0
            b0:
              r2 = copy r1
              store a0[r1] r0
              if r0 b1 else b2
            b1:
              r1 = const 3
              jump b2
            b2:
              store a0[r2] r0
              r3 = copy r2
              store a0[r2] r0
              return
        "#]],
    );
}

#[test]
fn a_value_is_made_where_it_goes() {
    check(
        r#"function f2 "walk" (r0, r1, r2)
             registers 5 0 0
           b0:
             jump b1
           b1:
             r3 = step r1 r2
             r1 = copy r3
             r4 = test a0[r1] r0
             if r4 b1 else b2
           b2:
             return"#,
        |_, it| copies::coalesce(it),
        expect![[r#"
            function "walk" (r0, r1, r2)
              registers 5 0 0
            b0:
              jump b1
            b1:
              r1 = step r1 r2
              r4 = test a0[r1] r0
              if r4 b1 else b2
            b2:
              return
        "#]],
    );
}

#[test]
fn independent_values_get_registers_of_their_own() {
    check(
        r#"function f2 "split" (r0, r1) -> r3
             registers 4 1 0
           b0:
             r2 = step r1 r0
             store a0[r2] r0
             r2 = step r1 r1
             store a0[r2] r0
             if r0 b1 else b2
           b1:
             r2 = const 4
             insert s0 r2
             r3 = count s0
             return
           b2:
             r3 = copy r2
             return"#,
        |_, it| split::split(it),
        expect![[r#"
            function "split" (r0, r1) -> r3
              registers 6 1 0
            b0:
              r2 = step r1 r0
              store a0[r2] r0
              r4 = step r1 r1
              store a0[r4] r0
              if r0 b1 else b2
            b1:
              r5 = const 4
              insert s0 r5
              r3 = count s0
              return
            b2:
              r3 = copy r4
              return
        "#]],
    );
}

#[test]
fn what_is_known_is_not_worked_out_again() {
    check(
        r#"function f2 "share" (r0, r1) -> r9
             registers 10 0 0
           b0:
             r2 = step r1 r0
             r3 = test a0[r2] r0
             if r3 b1 else b2
           b1:
             r4 = step r1 r0
             r5 = test a0[r2] r0
             r9 = add r4 r5
             return
           b2:
             r6 = step r0 r1
             r7 = step r1 r0
             r9 = add r6 r7
             return"#,
        |_, it| cse::share(it),
        expect![[r#"
            function "share" (r0, r1) -> r9
              registers 10 0 0
            b0:
              r2 = step r1 r0
              r3 = test a0[r2] r0
              if r3 b1 else b2
            b1:
              r4 = copy r2
              r5 = copy r3
              r9 = add r4 r5
              return
            b2:
              r6 = step r0 r1
              r7 = copy r2
              r9 = add r6 r7
              return
        "#]],
    );
}

#[test]
fn writes_make_questions_new() {
    check(
        r#"function f2 "write" (r0, r1)
             registers 5 0 0
           b0:
             r2 = load a0[r1]
             store a0[r1] r0
             r3 = load a0[r1]
             r4 = sub r2 r3
             store a0[r1] r4
             return"#,
        |_, it| cse::share(it),
        expect![[r#"
            function "write" (r0, r1)
              registers 5 0 0
            b0:
              r2 = load a0[r1]
              store a0[r1] r0
              r3 = load a0[r1]
              r4 = sub r2 r3
              store a0[r1] r4
              return
        "#]],
    );
}

#[test]
fn what_nobody_looks_at_goes() {
    check(
        r#"function f2 "dead" (r0) -> r3
             registers 6 2 1
             names r3 "found" r5 "idle"
           b0:
             r1 = const 0
             r3 = const 8
             r5 = const 8
             jump b1
           b1:
             r2 = add r1 r1
             r1 = add r1 r2
             insert s1 r0
             s0 = where r0
             r3 = count s0
             r4 = test a0[r3] r0
             if r4 b1 else b2
           b2:
             return"#,
        |_, it| {
            dead::remove(it);
            dead::renumber(it);
        },
        expect![[r#"
            function "dead" (r0) -> r1
              registers 3 1 0
              names r1 "found"
            b0:
              jump b1
            b1:
              s0 = where r0
              r1 = count s0                      ; found = count s0
              r2 = test a0[r1] r0                ; r2 = test a0[found] r0
              if r2 b1 else b2
            b2:
              return
        "#]],
    );
}

#[test]
fn a_known_way_skips_the_question() {
    check(
        r#"function f2 "flag" (r0, r1) -> r2
             registers 4 0 0
           b0:
             r2 = const 0
             r3 = test a0[r1] r0
             if r3 b1 else b2
           b1:
             r2 = const 1
             store a0[r1] r0
             jump b2
           b2:
             if r2 b3 else b4
           b3:
             store a0[r0] r1
             return
           b4:
             return"#,
        |program, it| {
            thread::thread(program, it);
            simplify::simplify(it);
        },
        expect![[r#"
            function "flag" (r0, r1) -> r2
              registers 4 0 0
            b0:
              r2 = const 0
              r3 = test a0[r1] r0
              if r3 b1 else b2
            b1:
              r2 = const 1
              store a0[r1] r0
              store a0[r0] r1
              return
            b2:
              return
        "#]],
    );
}

#[test]
fn a_call_becomes_the_body() {
    let callee = r#"
        function f3 "sum" (r0, r1) -> r2
          registers 4 1 0
        b0:
          if r1 b1 else b2
        b1:
          insert s0 r1
          r3 = count s0
          r2 = add r3 r1
          return
        b2:
          return"#;
    check(
        &format!(
            r#"function f2 "caller" (r0, r1) -> r2
                 registers 3 0 0
               b0:
                 r2 = call f3(r0, r1)
                 r2 = add r2 r1
                 return
               {callee}"#
        ),
        |program, it| inline::inline(program, it, (Block(0), 0)),
        expect![[r#"
            function "caller" (r0, r1) -> r2
              registers 7 1 0
            b0:
              r5 = const 0
              s0 = family c1
              r3 = copy r0
              r4 = copy r1
              jump b1
            b1:
              if r4 b2 else b3
            b2:
              insert s0 r4
              r6 = count s0
              r5 = add r6 r4
              jump b4
            b3:
              jump b4
            b4:
              r2 = copy r5
              r2 = add r2 r1
              return
        "#]],
    );
}

#[test]
fn a_short_loop_is_written_out() {
    check(
        r#"function f2 "directions" (r0, r1)
             registers 9 0 0
           b0:
             r2 = const 0
             r3 = const 1
             r4 = const 2
             r5 = const 0
             jump b1
           b1:
             r6 = list_item r2 r5
             r7 = step r1 r6
             r8 = test a0[r7] r3
             if r8 b2 else b3
           b2:
             store a0[r7] r4
             jump b3
           b3:
             r5 = add r5 r3
             r8 = lt r5 r4
             if r8 b1 else b4
           b4:
             return"#,
        |program, it| {
            unroll::unroll(program, it);
            dead::remove(it);
        },
        expect![[r#"
            function "directions" (r0, r1)
              registers 9 0 0
            b0:
              r2 = const 0
              r3 = const 1
              r4 = const 2
              r7 = step r1 r2
              r8 = test a0[r7] r3
              if r8 b1 else b2
            b1:
              store a0[r7] r4
              jump b2
            b2:
              r7 = step r1 r3
              r8 = test a0[r7] r3
              if r8 b3 else b4
            b3:
              store a0[r7] r4
              jump b4
            b4:
              return
        "#]],
    );
}

#[test]
fn a_loop_over_the_squares_stays() {
    check(
        r#"function f2 "all" (r0)
             registers 6 0 0
           b0:
             r1 = const 0
             r2 = const 9
             r3 = const 1
             jump b1
           b1:
             r4 = test a0[r1] r3
             if r4 b2 else b3
           b2:
             store a0[r1] r3
             jump b3
           b3:
             r1 = add r1 r3
             r5 = lt r1 r2
             if r5 b1 else b4
           b4:
             return"#,
        |program, it| unroll::unroll(program, it),
        expect![[r#"
            function "all" (r0)
              registers 6 0 0
            b0:
              r1 = const 0
              r2 = const 9
              r3 = const 1
              jump b1
            b1:
              r4 = test a0[r1] r3
              if r4 b2 else b3
            b2:
              store a0[r1] r3
              jump b3
            b3:
              r1 = add r1 r3
              r5 = lt r1 r2
              if r5 b1 else b4
            b4:
              return
        "#]],
    );
}

#[test]
fn loops_know_their_nesting() {
    let program = framed(
        r#"function f2 "nest" (r0)
             registers 1 0 0
           b0: jump b1
           b1: if r0 b2 else b5
           b2: if r0 b3 else b4
           b3: if r0 b2 else b6
           b4: jump b1
           b5: return
           b6: return"#,
    );
    let mut shown = String::new();
    for it in Loops::of(program.function(TESTED)).all() {
        shown += &format!("{it:?}\n");
    }
    expect![[r#"
        Loop { header: Block(2), blocks: {Block(2), Block(3)}, latches: [Block(3)], entries: [Block(1)], exits: [(Block(2), Block(4)), (Block(3), Block(6))], parent: Some(1) }
        Loop { header: Block(1), blocks: {Block(1), Block(2), Block(3), Block(4)}, latches: [Block(4)], entries: [Block(0)], exits: [(Block(1), Block(5)), (Block(3), Block(6))], parent: None }
    "#]].assert_eq(&shown);
}

/// A program whose moves call a function for the opponent, and itself for who knows whom.
const OPPONENT: &str = r#"
    function f2 "moves" (r0)
      registers 4 0 0
    b0:
      r1 = const 1
      r2 = sub r1 r0
      r2 = call f4(r2)
      if r2 b1 else b2
    b1:
      emit m0()
      return
    b2:
      r3 = load a1
      r2 = call f4(r3)
      if r2 b1 else b3
    b3:
      return
    function f3 "effect" (r0)
      registers 2 0 0
    b0:
      say text "pass"
      r1 = load a2[r0]
      store a2[r0] r1
      return
    function f4 "count" (r0) -> r1
      registers 3 1 0
    b0:
      r2 = lookup t0[r0]
      s0 = where r2
      r1 = count s0
      return"#;

fn opponent() -> Program {
    let mut program = framed(OPPONENT);
    program.roles.moves = Func(2);
    program.statements[0].effect = Func(3);
    assert_eq!(verify(&program), Ok(()));
    program
}

#[track_caller]
fn check_functions(optimised: &Optimised, expect: Expect) {
    assert_eq!(verify(&optimised.program), Ok(()));
    let mut shown = String::new();
    for (index, function) in optimised.program.functions.iter().enumerate() {
        shown += &format!("; f{index}\n{function}");
    }
    expect.assert_eq(&shown);
}

#[test]
fn every_player_has_code_of_its_own() {
    let mut optimised = specialise::specialise(&opponent());
    prune::prune(&mut optimised);
    check_functions(
        &optimised,
        expect![[r#"
        ; f0
        function "count" (r0) -> r1
          registers 3 1 0
        b0:
          r2 = lookup t0[r0]
          s0 = where r2
          r1 = count s0
          return
        ; f1
        function "moves as White" (r0)
          registers 5 0 0
        b0:
          r4 = const 1
          r2 = call f6(r4)
          if r2 b2 else b1
        b1:
          r3 = load a1
          r2 = call f0(r3)
          if r2 b2 else b3
        b2:
          emit m0()
          return
        b3:
          return
        ; f2
        function "effect as White" (r0)
          registers 3 0 0
        b0:
          r2 = const 0
          r1 = load a2[r2]
          store a2[r2] r1
          return
        ; f3
        function "moves as Black" (r0)
          registers 5 0 0
        b0:
          r4 = const 0
          r2 = call f5(r4)
          if r2 b2 else b1
        b1:
          r3 = load a1
          r2 = call f0(r3)
          if r2 b2 else b3
        b2:
          emit m0()
          return
        b3:
          return
        ; f4
        function "effect as Black" (r0)
          registers 3 0 0
        b0:
          r2 = const 1
          r1 = load a2[r2]
          store a2[r2] r1
          return
        ; f5
        function "count as White" (r0) -> r1
          registers 4 1 0
        b0:
          r3 = const 0
          s0 = where r3
          r1 = count s0
          return
        ; f6
        function "count as Black" (r0) -> r1
          registers 4 1 0
        b0:
          r3 = const 2
          s0 = where r3
          r1 = count s0
          return
        ; f7
        function "moves" (r0)
          registers 3 0 0
        b0:
          r1 = const 0
          r2 = eq r0 r1
          if r2 b1 else b2
        b1:
          call f1(r0)
          return
        b2:
          call f3(r0)
          return
        ; f8
        function "effect" (r0)
          registers 3 0 0
        b0:
          r1 = const 0
          r2 = eq r0 r1
          if r2 b1 else b2
        b1:
          call f2(r0)
          return
        b2:
          call f4(r0)
          return
    "#]],
    );
}

#[test]
fn all_passes_together() {
    check_functions(
        &optimise(&opponent()),
        expect![[r#"
        ; f0
        function "moves as White" (r0)
          registers 6 2 0
        b0:
          r1 = const 2
          s0 = where r1
          r2 = count s0
          if r2 b2 else b1
        b1:
          r3 = load a1
          r4 = lookup t0[r3]
          s1 = where r4
          r5 = count s1
          if r5 b2 else b3
        b2:
          emit m0()
          return
        b3:
          return
        ; f1
        function "effect as White" (r0)
          registers 3 0 0
        b0:
          r1 = const 0
          r2 = load a2[r1]
          store a2[r1] r2
          return
        ; f2
        function "moves as Black" (r0)
          registers 6 2 0
        b0:
          r1 = const 0
          s0 = where r1
          r2 = count s0
          if r2 b2 else b1
        b1:
          r3 = load a1
          r4 = lookup t0[r3]
          s1 = where r4
          r5 = count s1
          if r5 b2 else b3
        b2:
          emit m0()
          return
        b3:
          return
        ; f3
        function "effect as Black" (r0)
          registers 3 0 0
        b0:
          r1 = const 1
          r2 = load a2[r1]
          store a2[r1] r2
          return
        ; f4
        function "moves" (r0)
          registers 3 0 0
        b0:
          r1 = const 0
          r2 = eq r0 r1
          if r2 b1 else b2
        b1:
          call f0(r0)
          return
        b2:
          call f2(r0)
          return
        ; f5
        function "effect" (r0)
          registers 3 0 0
        b0:
          r1 = const 0
          r2 = eq r0 r1
          if r2 b1 else b2
        b1:
          call f1(r0)
          return
        b2:
          call f3(r0)
          return
    "#]],
    );
}
