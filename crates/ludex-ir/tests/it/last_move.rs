//! What is found from the last move alone, and which moves are never listed twice: text in, text
//! out.

use expect_test::{Expect, expect};
use ludex_ir::passes::last_move::{Mover, after};
use ludex_ir::passes::{After, distinct::distinct};
use ludex_ir::verify::errors;
use ludex_ir::{Func, Program};

/// A game on a square board of `side` by `side` for two players with one kind of men each
/// (codes 1 and 2): `f0` lists moves of `m0(a)` and `m1(a, b)`, whose effects are `f1` and `f2`.
fn program(side: i64, functions: &str) -> Program {
    let squares = side * side;
    let steps = |dx: i64, dy: i64| -> String {
        let to = |square: i64| {
            let (x, y) = (square % side + dx, square / side + dy);
            let inside = (0..side).contains(&x) && (0..side).contains(&y);
            if inside { (y * side + x).to_string() } else { "-1".to_owned() }
        };
        (0..squares).map(to).collect::<Vec<_>>().join(" ")
    };
    let names = (0..squares).map(|it| format!("\"q{it}\"")).collect::<Vec<_>>().join(" ");
    let last = squares - 1;
    let text = format!(
        "game \"Frame\"
players \"White\" \"Black\"
kinds \"man\"
squares {squares}
history none
man 0 0 \"M\"
man 1 0 \"m\"
array a0 \"board\" board [] base 0 cells {squares} from 0 to 2 default 0
array a1 \"turn\" turn [] base {squares} cells 1 from 0 to 1 default 0
statement m0 f1 (square \"a\")
statement m1 f2 (square \"a\", square \"b\")
roles
  moves f0
  result f3
{functions}
start 0*{squares} 0
direction d0 \"north\" compass opposite d1 {}
direction d1 \"south\" compass opposite d0 {}
direction d2 \"east\" compass opposite d3 {}
direction d3 \"west\" compass opposite d2 {}
list l0 0 1 2 3
table t0 \"south\" {squares} 1 {}
table t1 \"west\" {squares} 1 {}
family c0 \"near\" {{0..{}}}
family c1 \"far\" {{{}..{last}}}
look
  squares {names}
  grid square {side} {side}
  at 0..{last}
  kinds \"M\"
  players \"w\" \"b\"
",
        steps(0, 1),
        steps(0, -1),
        steps(1, 0),
        steps(-1, 0),
        steps(0, -1),
        steps(-1, 0),
        side - 1,
        squares - side,
    );
    let program = Program::parse(&text).unwrap_or_else(|err| panic!("{err}\n{text}"));
    assert_eq!(errors(&program), []);
    program
}

/// Puts a man on any empty square (`m0`), or moves one north to an empty square (`m1`).
const MOVES: &str = r#"
function f0 "moves" (r0) registers 4 3 0
b0:
  r1 = const 1
  r2 = const 2
  r3 = const 0
  s0 = where r1
  emit_all m0 s0(member)
  s1 = where r2
  s1 = shift s1 r3
  s1 = intersection s1 s0
  emit_all m1 s1(table t0, member)
  return
function f1 "put" (r0, r1) registers 3 0 0
b0:
  r2 = const 1
  store a0[r1] r2
  return
function f2 "go" (r0, r1, r2) registers 5 0 0
b0:
  r3 = load a0[r1]
  r4 = const 0
  store a0[r1] r4
  store a0[r2] r3
  return
"#;

/// What can be said after moves of White, asked with a result function that White and Black
/// share; `result` has `r0` for the player.
fn check(side: i64, result: &str, expect: Expect) {
    let mut program = program(side, &format!("{MOVES}{result}"));
    let effects = [Func(1), Func(2)];
    let mover = Mover { me: 0, moves: Func(0), stuck: None, effects: &effects };
    let found = after(&mut program, mover, &[Some(Func(3))]);
    assert_eq!(errors(&program), []);
    let mut shown = String::new();
    for (statement, after) in found.iter().enumerate() {
        shown += &format!("m{statement}: ");
        shown += &match after[0] {
            After::Whole => "whole\n".to_owned(),
            After::Nothing => "nothing\n".to_owned(),
            After::Function(func) => format!("\n{}", program.function(func)),
        };
    }
    expect.assert_eq(&shown);
}

#[test]
fn what_the_move_does_not_touch_is_still_silent() {
    check(
        3,
        r#"
function f3 "result" (r0) registers 3 3 0
b0:
  r1 = const 4
  r2 = const 2
  s0 = where r1
  s1 = shift s0 r2
  s1 = intersection s1 s0
  r1 = any s1
  if r1 b1 else b2
b1:
  outcome loss
  jump b2
b2:
  return
"#,
        expect![[r#"
            m0: nothing
            m1: nothing
        "#]],
    );
}

#[test]
fn a_region_is_reached_by_the_man_that_moved() {
    check(
        3,
        r#"
function f3 "result" (r0) registers 3 3 0
b0:
  r1 = const 2
  s0 = where r1
  s1 = family c1
  s1 = intersection s0 s1
  r1 = any s1
  if r1 b1 else b2
b1:
  outcome victory
  jump b2
b2:
  return
"#,
        expect![[r#"
            m0: 
            function "result after m0" (r0, r1)
              registers 3 1 0
              names r0 "me" r1 "a"
            b0:
              s0 = family c1
              r2 = contains s0 r1                ; r2 = contains s0 a
              if r2 b1 else b2
            b1:
              outcome victory
              return
            b2:
              return
            m1: 
            function "result after m1" (r0, r1, r2)
              registers 4 1 0
              names r0 "me" r1 "a" r2 "b"
            b0:
              s0 = family c1
              r3 = contains s0 r2                ; r3 = contains s0 b
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
fn a_plane_that_the_move_adds_to_is_not_empty() {
    check(
        3,
        r#"
function f3 "result" (r0) registers 4 2 0
b0:
  r1 = const 2
  s0 = where r1
  r1 = any s0
  if r1 b1 else b2
b1:
  r2 = const 1
  s1 = where r2
  r3 = any s1
  if r3 b3 else b4
b2:
  outcome loss
  return
b3:
  return
b4:
  outcome draw
  return
"#,
        expect![[r#"
            m0: 
            function "result after m0" (r0, r1)
              registers 4 1 0
              names r0 "me" r1 "a"
            b0:
              r2 = const 1
              s0 = where r2
              r3 = any s0
              if r3 b1 else b2
            b1:
              return
            b2:
              outcome draw
              return
            m1: 
            function "result after m1" (r0, r1, r2)
              registers 7 2 0
              names r0 "me" r1 "a" r2 "b"
            b0:
              r3 = const 1
              r4 = const 2
              s0 = where r3
              r5 = any s0
              if r5 b1 else b2
            b1:
              return
            b2:
              s1 = where r4
              r6 = any s1
              if r6 b3 else b4
            b3:
              outcome draw
              return
            b4:
              return
        "#]],
    );
}

#[test]
fn a_row_passes_through_the_square_that_was_occupied() {
    check(
        15,
        r#"
function f3 "result" (r0) registers 4 4 0
b0:
  r1 = const 2
  r2 = const 3
  r3 = const 0
  s0 = where r1
  s1 = shift s0 r2
  s1 = intersection s1 s0
  s2 = leap s1 r2 2
  s1 = intersection s1 s2
  s2 = leap s0 r2 4
  s1 = intersection s1 s2
  s2 = shift s0 r3
  s2 = intersection s2 s0
  s3 = leap s2 r3 2
  s2 = intersection s2 s3
  s3 = leap s0 r3 4
  s2 = intersection s2 s3
  s1 = union s1 s2
  r1 = any s1
  if r1 b1 else b2
b1:
  outcome victory
  jump b2
b2:
  return
"#,
        expect![[r#"
            m0: 
            function "result after m0" (r0, r1)
              registers 43 0 0
              names r0 "me" r1 "a"
            b0:
              r2 = const 0
              r3 = const 1
              r4 = const 2
              r5 = const 3
              r6 = const 5
              r7 = step r1 r4                    ; r7 = step a r4
              r8 = step r1 r5                    ; r8 = step a r5
              r9 = step r7 r4
              r10 = test a0[r7] r4
              r11 = test a0[r9] r4
              r12 = mul r10 r11
              r13 = step r8 r5
              r14 = test a0[r8] r4
              r15 = test a0[r13] r4
              r16 = mul r14 r15
              r17 = add r12 r16
              if r17 b1 else b9
            b1:
              r18 = const 1
              r19 = copy r7
              jump b2
            b2:
              r20 = test a0[r19] r4
              if r20 b3 else b5
            b3:
              r18 = add r18 r3
              r21 = lt r18 r6
              if r21 b4 else b18
            b4:
              r19 = step r19 r4
              jump b2
            b5:
              r22 = copy r8
              jump b6
            b6:
              r23 = test a0[r22] r4
              if r23 b7 else b9
            b7:
              r18 = add r18 r3
              r24 = lt r18 r6
              if r24 b8 else b18
            b8:
              r22 = step r22 r5
              jump b6
            b9:
              r25 = step r1 r2                   ; r25 = step a r2
              r26 = step r1 r3                   ; r26 = step a r3
              r27 = step r25 r2
              r28 = test a0[r25] r4
              r29 = test a0[r27] r4
              r30 = mul r28 r29
              r31 = step r26 r3
              r32 = test a0[r26] r4
              r33 = test a0[r31] r4
              r34 = mul r32 r33
              r35 = add r30 r34
              if r35 b10 else b20
            b10:
              r36 = const 1
              r37 = copy r25
              jump b11
            b11:
              r38 = test a0[r37] r4
              if r38 b12 else b14
            b12:
              r36 = add r36 r3
              r39 = lt r36 r6
              if r39 b13 else b18
            b13:
              r37 = step r37 r2
              jump b11
            b14:
              r40 = copy r26
              jump b15
            b15:
              r41 = test a0[r40] r4
              if r41 b16 else b19
            b16:
              r36 = add r36 r3
              r42 = lt r36 r6
              if r42 b17 else b18
            b17:
              r40 = step r40 r3
              jump b15
            b18:
              outcome victory
              return
            b19:
              return
            b20:
              return
            m1: 
            function "result after m1" (r0, r1, r2)
              registers 44 0 0
              names r0 "me" r1 "a" r2 "b"
            b0:
              r3 = const 0
              r4 = const 1
              r5 = const 2
              r6 = const 3
              r7 = const 5
              r8 = step r2 r5                    ; r8 = step b r5
              r9 = step r2 r6                    ; r9 = step b r6
              r10 = step r8 r5
              r11 = test a0[r8] r5
              r12 = test a0[r10] r5
              r13 = mul r11 r12
              r14 = step r9 r6
              r15 = test a0[r9] r5
              r16 = test a0[r14] r5
              r17 = mul r15 r16
              r18 = add r13 r17
              if r18 b1 else b9
            b1:
              r19 = const 1
              r20 = copy r8
              jump b2
            b2:
              r21 = test a0[r20] r5
              if r21 b3 else b5
            b3:
              r19 = add r19 r4
              r22 = lt r19 r7
              if r22 b4 else b18
            b4:
              r20 = step r20 r5
              jump b2
            b5:
              r23 = copy r9
              jump b6
            b6:
              r24 = test a0[r23] r5
              if r24 b7 else b9
            b7:
              r19 = add r19 r4
              r25 = lt r19 r7
              if r25 b8 else b18
            b8:
              r23 = step r23 r6
              jump b6
            b9:
              r26 = step r2 r3                   ; r26 = step b r3
              r27 = step r2 r4                   ; r27 = step b r4
              r28 = step r26 r3
              r29 = test a0[r26] r5
              r30 = test a0[r28] r5
              r31 = mul r29 r30
              r32 = step r27 r4
              r33 = test a0[r27] r5
              r34 = test a0[r32] r5
              r35 = mul r33 r34
              r36 = add r31 r35
              if r36 b10 else b20
            b10:
              r37 = const 1
              r38 = copy r26
              jump b11
            b11:
              r39 = test a0[r38] r5
              if r39 b12 else b14
            b12:
              r37 = add r37 r4
              r40 = lt r37 r7
              if r40 b13 else b18
            b13:
              r38 = step r38 r3
              jump b11
            b14:
              r41 = copy r27
              jump b15
            b15:
              r42 = test a0[r41] r5
              if r42 b16 else b19
            b16:
              r37 = add r37 r4
              r43 = lt r37 r7
              if r43 b17 else b18
            b17:
              r41 = step r41 r4
              jump b15
            b18:
              outcome victory
              return
            b19:
              return
            b20:
              return
        "#]],
    );
}

#[test]
fn regions_are_joined_through_the_square_that_was_occupied() {
    check(
        11,
        r#"
function f3 "result" (r0) registers 4 4 0
b0:
  r1 = const 2
  r2 = const 0
  s0 = where r1
  s1 = family c0
  s1 = intersection s1 s0
  s1 = flood s1 s0 r2
  s2 = family c1
  s1 = intersection s1 s2
  r1 = any s1
  if r1 b1 else b2
b1:
  outcome victory
  jump b2
b2:
  return
"#,
        expect![[r#"
            m0: 
            function "result after m0" (r0, r1)
              registers 24 8 0
              names r0 "me" r1 "a"
            b0:
              r2 = const 0
              r3 = const 1
              r4 = const 2
              r5 = const 3
              s0 = family c2
              r6 = contains s0 r1                ; r6 = contains s0 a
              if r6 b2 else b1
            b1:
              r7 = step r1 r5                    ; r7 = step a r5
              r8 = test a0[r7] r4
              r9 = step r1 r4                    ; r9 = step a r4
              r10 = test a0[r9] r4
              r11 = add r8 r8
              r12 = add r11 r10
              r13 = step r1 r3                   ; r13 = step a r3
              r14 = test a0[r13] r4
              r15 = add r12 r12
              r16 = add r15 r14
              r17 = step r1 r2                   ; r17 = step a r2
              r18 = test a0[r17] r4
              r19 = add r16 r16
              r20 = add r19 r18
              r21 = lookup t2[r20]
              if r21 b2 else b5
            b2:
              insert s1 r1                       ; insert s1 a
              s2 = where r4
              s3 = flood s1 s2 r2
              s4 = family c0
              s5 = intersection s3 s4
              r22 = any s5
              if r22 b3 else b5
            b3:
              s6 = family c1
              s7 = intersection s3 s6
              r23 = any s7
              if r23 b4 else b5
            b4:
              outcome victory
              return
            b5:
              return
            m1: 
            function "result after m1" (r0, r1, r2)
              registers 25 8 0
              names r0 "me" r1 "a" r2 "b"
            b0:
              r3 = const 0
              r4 = const 1
              r5 = const 2
              r6 = const 3
              s0 = family c2
              r7 = contains s0 r2                ; r7 = contains s0 b
              if r7 b2 else b1
            b1:
              r8 = step r2 r6                    ; r8 = step b r6
              r9 = test a0[r8] r5
              r10 = step r2 r5                   ; r10 = step b r5
              r11 = test a0[r10] r5
              r12 = add r9 r9
              r13 = add r12 r11
              r14 = step r2 r4                   ; r14 = step b r4
              r15 = test a0[r14] r5
              r16 = add r13 r13
              r17 = add r16 r15
              r18 = step r2 r3                   ; r18 = step b r3
              r19 = test a0[r18] r5
              r20 = add r17 r17
              r21 = add r20 r19
              r22 = lookup t2[r21]
              if r22 b2 else b5
            b2:
              insert s1 r2                       ; insert s1 b
              s2 = where r5
              s3 = flood s1 s2 r3
              s4 = family c0
              s5 = intersection s3 s4
              r23 = any s5
              if r23 b3 else b5
            b3:
              s6 = family c1
              s7 = intersection s3 s6
              r24 = any s7
              if r24 b4 else b5
            b4:
              outcome victory
              return
            b5:
              return
        "#]],
    );
}

#[test]
fn what_is_not_understood_is_asked_whole() {
    check(
        3,
        r#"
function f3 "result" (r0) registers 4 2 0
b0:
  r1 = const 2
  r2 = const 5
  s0 = where r1
  r1 = count s0
  r1 = lt r2 r1
  if r1 b1 else b2
b1:
  outcome victory
  jump b2
b2:
  r1 = load a1
  if r1 b3 else b4
b3:
  outcome draw
  jump b4
b4:
  return
"#,
        expect![[r#"
            m0: whole
            m1: whole
        "#]],
    );
}

/// Which statements are distinct, for `moves` with `r0` for the player.
fn check_distinct(moves: &str, expected: [bool; 2]) {
    let rest = MOVES.split_once("function f1").expect("there are effects").1;
    let result = "function f3 \"result\" (r0) registers 1 0 0 b0: return\n";
    let program = program(3, &format!("{moves}\nfunction f1{rest}{result}"));
    assert_eq!(distinct(&program, Func(0)), expected);
}

#[test]
fn one_set_lists_each_member_once() {
    let moves = MOVES.split_once("function f1").expect("there are effects").0;
    check_distinct(moves, [true, true]);
}

#[test]
fn tables_that_lead_to_different_squares_tell_moves_apart() {
    let moves = |second: &str| {
        format!(
            r#"
function f0 "moves" (r0) registers 4 4 0
b0:
  r1 = const 2
  r2 = const 0
  r3 = const 2
  s0 = where r1
  s1 = shift s0 r2
  s2 = shift s0 r3
  emit_all m0 s1(member)
  emit_all m0 s2(member)
  emit_all m1 s1(table t0, member)
  emit_all m1 s2({second}, member)
  return
"#
        )
    };
    check_distinct(&moves("table t1"), [false, true]);
    check_distinct(&moves("table t0"), [false, false]);
}

#[test]
fn sets_of_different_men_have_no_square_in_common() {
    check_distinct(
        r#"
function f0 "moves" (r0) registers 4 4 0
b0:
  r1 = const 2
  r2 = const 4
  r3 = const 7
  s0 = where r1
  s1 = where r2
  emit_all m0 s0(member)
  emit_all m0 s1(member)
  s2 = where r3
  emit_all m1 s0(member, member)
  emit_all m1 s2(member, member)
  return
"#,
        [true, false],
    );
}

/// A member loop over White's men, with an inner one over the squares around each.
fn nested(inner: &str) -> String {
    format!(
        r#"
function f0 "moves" (r0) registers 9 4 0
b0:
  r1 = const -1
  r2 = const 2
  r3 = const 0
  s0 = where r2
  jump b1
b1:
  r4 = next_member s0 r1
  r5 = lt r1 r4
  if r5 b2 else b6
b2:
  remove s0 r4
  s2 = copy s3
  insert s2 r4
  s1 = neighbours s2 r3
  jump b3
b3:
  r6 = next_member s1 r1
  r7 = lt r1 r6
  if r7 b4 else b5
b4:
  remove s1 r6
  {inner}
  jump b3
b5:
  jump b1
b6:
  return
"#
    )
}

#[test]
fn member_loops_are_told_apart_by_their_members() {
    check_distinct(&nested("emit m1(r4, r6)"), [true, true]);
    check_distinct(&nested("emit m0(r6) emit m1(r6, r6)"), [false, false]);
    check_distinct(&nested("emit m0(r4) emit m1(r6, r4) emit m1(r4, r6)"), [false, false]);
    check_distinct(&nested("r8 = step r6 r3 emit m1(r4, r8)"), [true, false]);
}

#[test]
fn moves_that_exclude_each_other_are_no_repeats() {
    check_distinct(
        r#"
function f0 "moves" (r0) registers 7 1 0
b0:
  r1 = const -1
  r2 = const 2
  r3 = const 4
  s0 = where r2
  jump b1
b1:
  r4 = next_member s0 r1
  r5 = lt r1 r4
  if r5 b2 else b5
b2:
  remove s0 r4
  r6 = load a1
  if r6 b3 else b4
b3:
  emit m0(r4)
  emit m1(r4, r4)
  jump b1
b4:
  emit m0(r4)
  emit m1(r3, r4)
  jump b1
b5:
  return
"#,
        [true, false],
    );
}

/// Two loops over White's men, one after the other, as a loop over two squares that a move does
/// not remember looks when it is written out. `second` is what the other loop is over.
fn one_after_the_other(second: &str) -> String {
    format!(
        r#"
function f0 "moves" (r0) registers 8 2 0
b0:
  r1 = const -1
  r2 = const 2
  r3 = const 4
  s0 = where r2
  s1 = where {second}
  jump b1
b1:
  r4 = next_member s0 r1
  r5 = lt r1 r4
  if r5 b2 else b3
b2:
  remove s0 r4
  emit m0(r4)
  jump b1
b3:
  r6 = next_member s1 r1
  r7 = lt r1 r6
  if r7 b4 else b5
b4:
  remove s1 r6
  emit m0(r6)
  emit m1(r6, r1)
  jump b3
b5:
  return
"#
    )
}

#[test]
fn a_loop_that_comes_after_another_does_not_exclude_it() {
    check_distinct(&one_after_the_other("r2"), [false, true]);
    check_distinct(&one_after_the_other("r3"), [true, true]);
}

/// A loop that begins with `begin` and goes on with `next` around a loop over White's men.
fn repeated(begin: &str, next: &str, inner: &str) -> String {
    format!(
        r#"
function f0 "moves" (r0) registers 12 3 0
b0:
  r1 = const -1
  r2 = const 2
  r10 = const 1
  r11 = const 3
  s1 = where r2
  {begin}
  jump b1
b1:
  {next}
  if r7 b2 else b6
b2:
  remove s1 r6
  s0 = where r2
  jump b3
b3:
  r4 = next_member s0 r1
  r5 = lt r1 r4
  if r5 b4 else b5
b4:
  remove s0 r4
  {inner}
  jump b3
b5:
  r8 = add r8 r10
  jump b1
b6:
  return
"#
    )
}

#[test]
fn a_loop_that_the_move_forgets_repeats_it() {
    let members = |inner: &str| repeated("", "r6 = next_member s1 r1 r7 = lt r1 r6", inner);
    check_distinct(&members("emit m0(r4) emit m1(r4, r1)"), [false, false]);
    check_distinct(&members("emit m0(r6) emit m1(r6, r4)"), [false, true]);
    let counted = |inner: &str| repeated("r8 = const 0", "r7 = lt r8 r11", inner);
    check_distinct(&counted("emit m0(r4) emit m1(r4, r1)"), [false, false]);
    check_distinct(&counted("emit m0(r8) emit m1(r4, r8)"), [false, true]);
    let endless = |inner: &str| repeated("", "r6 = load a1 r7 = lt r8 r6", inner);
    check_distinct(&endless("emit m0(r4) emit m1(r4, r6)"), [false, false]);
}

/// Walks from each of White's men as far as the squares are empty, first in direction `r2` and
/// then in direction `second`.
fn walks(second: &str) -> String {
    format!(
        r#"
function f0 "moves" (r0) registers 13 1 0
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
  if r6 b2 else b7
b2:
  remove s0 r5
  r7 = step r5 r2
  jump b3
b3:
  r8 = test a0[r7] r3
  if r8 b4 else b5
b4:
  emit m0(r7)
  emit m1(r5, r7)
  r7 = step r7 r2
  jump b3
b5:
  r9 = load a1
  r10 = hop r5 {second} r9
  r11 = test a0[r10] r3
  if r11 b6 else b1
b6:
  emit m1(r5, r10)
  jump b1
b7:
  return
"#
    )
}

#[test]
fn walks_in_different_directions_do_not_meet() {
    check_distinct(&walks("r3"), [false, true]);
    check_distinct(&walks("r4"), [false, true]);
    check_distinct(&walks("r2"), [false, false]);
}

/// Calls `f4`, which lists a move of `m1` to each square around `r1`, for each of White's men.
fn calling(args: &str, f4: &str) -> String {
    format!(
        r#"
function f0 "moves" (r0) registers 6 1 0
b0:
  r1 = const -1
  r2 = const 2
  s0 = where r2
  jump b1
b1:
  r3 = next_member s0 r1
  r4 = lt r1 r3
  if r4 b2 else b5
b2:
  remove s0 r3
  r5 = load a1
  if r5 b3 else b4
b3:
  call f4(r0, r3)
  jump b1
b4:
  call f4(r0, {args})
  jump b1
b5:
  return
function f4 "around" (r0, r1) registers 4 2 0
b0:
  r2 = const 0
  insert s0 r1
  s1 = neighbours s0 r2
  emit_all m1 s1(r1, member)
  {f4}
  return
"#
    )
}

#[test]
fn what_is_called_is_looked_at_where_it_is_called() {
    check_distinct_with(&calling("r3", ""), [true, true]);
    check_distinct_with(&calling("r2", ""), [true, false]);
    check_distinct_with(&calling("r3", "r3 = step r1 r2 call f4(r0, r3)"), [true, false]);
}

/// As [`check_distinct`], for moves that call a function of their own, `f4`.
fn check_distinct_with(moves: &str, expected: [bool; 2]) {
    let (moves, other) = moves.split_once("function f4").expect("there is one");
    let rest = MOVES.split_once("function f1").expect("there are effects").1;
    let result = "function f3 \"result\" (r0) registers 1 0 0 b0: return\n";
    let program = program(3, &format!("{moves}\nfunction f1{rest}{result}function f4{other}"));
    assert_eq!(distinct(&program, Func(0)), expected);
}
