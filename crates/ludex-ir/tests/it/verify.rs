//! Every rule of the verifier refuses something.

use crate::common::framed;
use expect_test::{Expect, expect};
use ludex_ir::Program;
use ludex_ir::verify::errors;

#[track_caller]
fn check(program: &Program, expect: Expect) {
    let errors = errors(program);
    let shown: Vec<String> = errors.iter().map(|it| format!("{it}\n")).collect();
    expect.assert_eq(&shown.concat());
}

/// The frame with a part of its text changed.
#[track_caller]
fn changed(from: &str, to: &str) -> Program {
    let text = framed("").to_string();
    assert!(text.contains(from), "{from}\n{text}");
    Program::parse(&text.replacen(from, to, 1)).expect("the change can be read")
}

/// The frame with a function `f2`, given from its parameters on.
fn code(text: &str) -> Program {
    framed(&format!("function f2 \"test\" {text}"))
}

/// The frame with a function `f2 (r0)` of one block in a role.
fn role(role: &str, body: &str) -> Program {
    let mut program = code(&format!("(r0) registers 3 1 1 b0: {body} return"));
    let func = Some(ludex_ir::Func(2));
    match role {
        "moves" => program.roles.moves = ludex_ir::Func(2),
        "result" => program.roles.result = func,
        "stuck" => program.roles.stuck = func,
        "illegal" => program.roles.illegal = func,
        "features" => program.roles.features = func,
        "candidates" => program.roles.candidates = func,
        "effect" => program.statements[0].effect = ludex_ir::Func(2),
        _ => panic!("no such role"),
    }
    program
}

#[test]
fn limits() {
    let mut program = framed("");
    program.players = Vec::new();
    program.statements = vec![program.statements[0].clone(); 256];
    let errors = errors(&program);
    let shown: Vec<String> = errors.iter().take(2).map(ToString::to_string).collect();
    expect!["limits: 256 move statements, at most 255 are allowed; limits: there is no player"]
        .assert_eq(&shown.join("; "));
}

#[test]
fn men_and_arrays() {
    check(
        &changed("man 1 0 \"m\"", "man 2 7 \"m\""),
        expect![[r#"
        man 2: its owner is no player
        man 2: its kind does not exist
    "#]],
    );
    check(
        &changed("man 1 0 \"m\"", "man 0 0 \"m\""),
        expect![[r#"
        man 2: there is another man like it
    "#]],
    );
    check(
        &changed("\"hand\" number", "\"hand\" turn"),
        expect![[r#"
        array a2 "hand": the board is array 0, the turn array 1
        array a2 "hand": is 0 to 100, should be 0 to 1
    "#]],
    );
    check(
        &changed("base 10 cells 4", "base 11 cells 4"),
        expect![[r#"
        array a2 "hand": begins at cell 11, should be 10
    "#]],
    );
    check(
        &changed("set [2] base", "set [3] base"),
        expect![[r#"
        array a3 "seen": has 18 cells, its indices make 27
    "#]],
    );
    check(
        &changed("from 0 to 2 default 0", "from 0 to 3 default 0"),
        expect![[r#"
        array a0 "board": is 0 to 3, should be 0 to 2
    "#]],
    );
    check(
        &changed("from 0 to 50 default 0", "from -1 to 65535 default 0"),
        expect![[r#"
            array a4 "clock": is -1 to 65535, should be 1 to 65536 values
        "#]],
    );
    check(
        &changed("from 0 to 50 default 0", "from 3 to 2 default 3"),
        expect![[r#"
            array a4 "clock": is 3 to 2, should be 1 to 65536 values
            array a4 "clock": its default is outside its domain
            start: "clock", cell 0: 0 is outside the domain
        "#]],
    );
    check(
        &changed("to 50 default 0", "to 50 default 51"),
        expect![[r#"
        array a4 "clock": its default is outside its domain
    "#]],
    );
    check(
        &changed("start\n  0*33", "start\n  3 0*31"),
        expect![[r#"
        start: "board", cell 0: 3 is outside the domain
        start: 32 values for 33 cells
    "#]],
    );
}

#[test]
fn constants_and_geometry() {
    check(
        &changed("\"double\" 3 1", "\"double\" 3 2"),
        expect![[r#"
        table t0 "double": does not have rows times columns entries
    "#]],
    );
    check(
        &changed("{6..8}", "{6..9}"),
        expect![[r#"
        family c0 "far": set 0 is not of this board
    "#]],
    );
    check(
        &changed("{6..8}", "words [1 1]"),
        expect![[r#"
        family c0 "far": set 0 is not of this board
    "#]],
    );
    check(
        &changed("3..8 -1*3", "3..9 -1*2"),
        expect![[r#"
        direction d0 "up": has a step to no square
    "#]],
    );
    check(
        &changed("3..8 -1*3", "3..8"),
        expect![[r#"
        direction d0 "up": does not have one step per square
    "#]],
    );
    check(
        &changed("compass opposite d1", "compass opposite d0"),
        expect![[r#"
        direction d1 "down": is not the opposite of its opposite
    "#]],
    );
    check(
        &changed("list l0\n  0 1", "list l0\n  0 2"),
        expect![[r#"
        list l0: names a direction that does not exist
    "#]],
    );
}

#[test]
fn look() {
    check(
        &changed("  squares \"a1\"", "  squares"),
        expect![[r#"
        look: 8 names for 9 squares
    "#]],
    );
    check(
        &changed("grid square 3 3", "grid square 3 4"),
        expect![[r#"
        look: the grid does not have rows times columns places
    "#]],
    );
    check(
        &changed("at\n  0..8", "at\n  0..7 9 edges (0 9)"),
        expect![[r#"
        look: the grid shows a square that does not exist
        look: an edge leads to a square that does not exist
    "#]],
    );
    check(
        &changed("  players \"w\"", "  position board cell 33 players \"w\""),
        expect![[r#"
        look: a position field names a cell that does not exist
    "#]],
    );
    check(
        &changed("  players \"w\"", "  position board flags (\"x\" 14) players \"w\""),
        expect![[""]],
    );
    check(
        &changed(
            "  players \"w\"",
            "  position board flags (\"x\" 14) flags (\"y\" 10) players \"w\"",
        ),
        expect![[r#"
            look: a flag is no cell of truth values
        "#]],
    );
}

#[test]
fn statements_and_roles() {
    check(
        &changed("m0 f1 ()", "m0 f1 (square \"a\")"),
        expect![[r#"
        f0 "moves", b0, `emit m0()`: does not match the operands of its statement
        statement m0: f1 does not take `me` and its operands
    "#]],
    );
    check(
        &changed("m0 f1 ()", "m0 f9 ()"),
        expect![[r#"
        statement m0: there is no function f9
    "#]],
    );
    let long = "m0 f1 (path_of_squares \"a\", path_of_squares \"b\")";
    check(
        &changed("m0 f1 ()", long),
        expect![[r#"
        f0 "moves", b0, `emit m0()`: does not match the operands of its statement
        statement m0: a path must be the last operand
        statement m0: f1 does not take `me` and its operands
    "#]],
    );
    let wide = format!("m0 f1 ({}bool \"b\")", "number \"n\", ".repeat(8));
    check(
        &changed("m0 f1 ()", &wide),
        expect![[r#"
        f0 "moves", b0, `emit m0()`: does not match the operands of its statement
        statement m0: its operands take 129 bits, a move has 120
        statement m0: f1 does not take `me` and its operands
    "#]],
    );
    check(
        &changed("moves f0", "moves f0 evaluate f1 royal 2 result f7"),
        expect![[r#"
        result: there is no function f7
        evaluate: f1 does not give a number
        roles: the royal kind does not exist
    "#]],
    );
    let mut program = code("(r0, r1) registers 2 0 0 b0: return");
    program.roles.stuck = Some(ludex_ir::Func(2));
    check(
        &program,
        expect![[r#"
        stuck: f2 does not take exactly `me`
    "#]],
    );
}

#[test]
fn signatures_and_registers() {
    check(
        &code("() registers 0 0 0"),
        expect![[r#"
        f2 "test": has no block
        f2 "test": its first parameter is not a number (`me`)
    "#]],
    );
    check(
        &code("(s0, r1, r1) -> p3 registers 1 1 0 b0: return"),
        expect![[r#"
        f2 "test": its first parameter is not a number (`me`)
        f2 "test": r1 is a parameter twice
        f2 "test": r1 is not among its 1 registers
        f2 "test": r1 is not among its 1 registers
        f2 "test": p3 is not among its 0 registers
    "#]],
    );
    check(
        &code("(r0) registers 1 0 0 b0: r0 = add r1 r2 if r3 b0 else b1"),
        expect![[r#"
        f2 "test", b0, `r0 = add r1 r2`: r1 is not among its 1 registers
        f2 "test", b0, `r0 = add r1 r2`: r2 is not among its 1 registers
        f2 "test", b0, `if r3 b0 else b1`: r3 is not among its 1 registers
        f2 "test", b0, `if r3 b0 else b1`: there is no block b1
    "#]],
    );
}

#[test]
fn ids() {
    check(
        &code(
            "(r0) registers 1 1 0 b0: r0 = load a9 r0 = lookup t9[r0] s0 = family c9
             call f9(r0) emit m9() feature 9 r0 return",
        ),
        expect![[r#"
            f2 "test", b0, `r0 = load a9`: there is no array a9
            f2 "test", b0, `r0 = lookup t9[r0]`: there is no table t9
            f2 "test", b0, `s0 = family c9`: there is no family c9
            f2 "test", b0, `call f9(r0)`: there is no function f9
            f2 "test", b0, `emit m9()`: there is no statement m9
            f2 "test", b0, `feature 9 r0`: there is no such feature
        "#]],
    );
}

#[test]
fn instructions() {
    check(
        &code(
            "(r0, s0) -> r0 registers 2 1 1 b0: r1 = call f2(r0, r0) s0 = call f2(r0, s0)
             r1 = call f2(r0, s0) call f1() r1 = call f1(r0) emit m0(r0) return",
        ),
        expect![[r#"
            f2 "test", b0, `r1 = call f2(r0, r0)`: does not match the parameters of its function
            f2 "test", b0, `s0 = call f2(r0, s0)`: the function does not give such a result
            f2 "test", b0, `call f1()`: does not match the parameters of its function
            f2 "test", b0, `r1 = call f1(r0)`: the function does not give such a result
            f2 "test", b0, `emit m0(r0)`: does not match the operands of its statement
        "#]],
    );
    check(
        &code(
            "(r0) registers 1 1 0 b0: r0 = test a2 r0 s0 = load a2 set_store a0 s0
             r0 = lookup t1[r0] outcome score outcome draw(r0) return",
        ),
        expect![[r#"
            f2 "test", b0, `r0 = test a2 r0`: the array has more than 64 values
            f2 "test", b0, `s0 = load a2`: is not an array of sets
            f2 "test", b0, `set_store a0 s0`: is not an array of sets
            f2 "test", b0, `r0 = lookup t1[r0]`: the table has columns, and none is chosen
            f2 "test", b0, `outcome score`: a score, and nothing else, comes with a number
            f2 "test", b0, `outcome draw(r0)`: a score, and nothing else, comes with a number
        "#]],
    );
    let mut program = code("(r0) registers 1 0 0 b0: r0 = repeats return");
    program.history = ludex_ir::History::None;
    check(
        &program,
        expect![[r#"
        f2 "test", b0, `r0 = repeats`: the program keeps no history
    "#]],
    );
}

#[test]
fn balance() {
    check(
        &code("(r0) registers 1 0 0 b0: try return"),
        expect![[r#"
        f2 "test", b0, `return`: returns inside 1 open `try`
    "#]],
    );
    check(
        &code("(r0) registers 1 0 0 b0: undo return"),
        expect![[r#"
        f2 "test", b0, `undo`: there is no open `try` to end
    "#]],
    );
    check(
        &code("(r0) registers 1 0 0 b0: if r0 b1 else b2 b1: try jump b2 b2: return"),
        expect![[r#"
            f2 "test", b1, `jump b2`: goes to b2 inside 1 open `try`, another way comes with 0
        "#]],
    );
    check(
        &code("(r0) registers 1 0 0 b0: jump b1 b1: try if r0 b1 else b2 b2: undo return"),
        expect![[r#"
            f2 "test", b1, `if r0 b1 else b2`: goes to b1 inside 1 open `try`, another way comes with 0
        "#]],
    );
}

#[test]
fn what_roles_may_do() {
    check(&role("moves", "emit m0()"), expect![[""]]);
    check(&role("moves", "try store a2 r0 next r0 undo"), expect![[""]]);
    check(
        &role("moves", "store a2 r0"),
        expect![[r#"
        f2 "test", b0, `store a2 r0`: moves may not change the position or speak about the move, except in a `try`
    "#]],
    );
    check(
        &role("moves", "call f1(r0) outcome draw"),
        expect![[r#"
        f2 "test", b0, `outcome draw`: moves may not give outcomes
    "#]],
    );
    check(
        &role("result", "emit m0()"),
        expect![[r#"
        f2 "test", b0, `emit m0()`: result may not list moves
    "#]],
    );
    check(&role("stuck", "emit m0() outcome loss"), expect![[""]]);
    check(
        &role("features", "feature 0 r0 outcome loss"),
        expect![[r#"
        f2 "test", b0, `outcome loss`: features may not give outcomes
    "#]],
    );
    check(&role("candidates", "r1 = side emit m0() weight r1"), expect![[""]]);
    check(
        &role("illegal", "r1 = depth"),
        expect![[r#"
        illegal: f2 does not give a number
    "#]],
    );
    check(&role("effect", "store a2 r0 irreversible next r0 say square r0"), expect![[""]]);
    check(
        &role("effect", "emit m0()"),
        expect![[r#"
        f2 "test", b0, `emit m0()`: an effect may not list moves
    "#]],
    );
}

/// The instruction is found through calls, also recursive ones.
#[test]
fn the_culprit_is_named() {
    let mut program = framed(
        r#"
function f2 "result" (r0) registers 1 0 0
b0:
  call f3(r0)
  return
function f3 "helper" (r0) registers 1 1 0
b0:
  if r0 b1 else b2
b1:
  call f3(r0)
  call f2(r0)
  try
  store a2 r0
  undo
  return
b2:
  store_all s0 r0
  return
"#,
    );
    program.roles.result = Some(ludex_ir::Func(2));
    check(
        &program,
        expect![[r#"
        f3 "helper", b2, `store_all s0 r0`: result may not change the position or speak about the move, except in a `try`
    "#]],
    );
}
