//! Whole programs: the copies for each player, and all passes together.

use crate::common::framed;
use expect_test::{Expect, expect};
use ludex_ir::passes::loops::Loops;
use ludex_ir::passes::{Optimised, dead_functions, optimise, specialise};
use ludex_ir::verify::errors;
use ludex_ir::{Func, Program};

/// The function that the tests are about: the first after those of the frame.
const TESTED: Func = Func(2);

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
    assert_eq!(errors(&program), []);
    program
}

#[track_caller]
fn check_functions(optimised: &Optimised, expect: Expect) {
    assert_eq!(errors(&optimised.program), []);
    let mut shown = String::new();
    for (index, function) in optimised.program.functions.iter().enumerate() {
        shown += &format!("; f{index}\n{function}");
    }
    expect.assert_eq(&shown);
}

#[test]
fn every_player_has_code_of_its_own() {
    let mut optimised = specialise::specialise(&opponent());
    dead_functions::prune(&mut optimised);
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
