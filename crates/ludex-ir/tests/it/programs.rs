//! The hand-written programs make sense and survive printing.

use crate::common::{FRAME, PROGRAMS, framed, program};
use expect_test::expect;
use ludex_ir::verify::errors;
use ludex_ir::{Func, Function, Program};

#[test]
fn programs_verify() {
    for (name, _) in PROGRAMS {
        let errors = errors(&program(name));
        if !errors.is_empty() {
            let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{name}:\n{}", shown.join("\n"));
        }
    }
    assert_eq!(errors(&framed("")), [], "{FRAME}");
}

#[test]
fn programs_print_and_read_back() {
    for (name, _) in PROGRAMS {
        let before = program(name);
        let printed = before.to_string();
        assert_eq!(Program::parse(&printed), Ok(before.clone()), "{name}:\n{printed}");
        assert_eq!(Program::parse(&printed).map(|it| it.to_string()), Ok(printed));
        for (index, function) in before.functions.iter().enumerate() {
            assert_eq!(Function::parse(&function.to_string()).as_ref(), Ok(function));
            let text = before.function_text(Func(index as u16));
            assert_eq!(Function::parse(&text).as_ref(), Ok(function));
        }
    }
}

#[test]
fn a_program_as_text() {
    expect_test::expect_file!["../programs/compulsory_capture.printed"]
        .assert_eq(&program("compulsory_capture").to_string());
}

#[test]
fn a_function_as_text() {
    let text = "function \"step\" (r0, r1) -> r2 registers 3 0 0 names r1 \"from\"
                b0: r2 = step r1 r0 if r2 b1 else b1 @4 b1: return";
    let function = Function::parse(text).expect("the text is well formed");
    expect![[r#"
        function "step" (r0, r1) -> r2
          registers 3 0 0
          names r1 "from"
        b0:
          r2 = step r1 r0                    ; r2 = step from r0
          if r2 b1 else b1 @4
        b1:
          return
    "#]]
    .assert_eq(&function.to_string());
}

#[test]
fn errors_name_the_line() {
    let check = |text: &str, expect: expect_test::Expect| {
        expect.assert_eq(&Program::parse(text).expect_err("it is wrong").to_string());
    };
    check("", expect!["line 1: expected `game`, found the end of the text"]);
    check("game \"x\"\nplayers \"a\"\nplayers", expect!["line 3: `players` comes twice"]);
    check("game \"x\"\nsquares 5000", expect!["line 2: more than 1600 squares"]);
    check("game \"x\"\nsquares -1", expect!["line 2: -1 is out of range here"]);
    check("game \"x\"\nstart 0*99999", expect!["line 2: too many numbers"]);
    check("game \"x\"\nstart 5..1", expect!["line 2: a run of numbers must have one at least"]);
    check("game \"x", expect!["line 1: the string has no end on its line"]);
    check("game \"x\" é", expect!["line 1: 'é' means nothing here"]);
    let code =
        |body: &str| format!("game \"x\"\nfunction f0 \"f\" (r0) registers 1 0 0\nb0:\n{body}");
    check(
        &code("r1 = leap r2"),
        expect!["line 4: expected an instruction that gives a number, found `leap`"],
    );
    check(&code("return\nb2: return"), expect!["line 5: expected `b1`, found `b2`"]);
    check(
        &code("store a0[s1] r2"),
        expect!["line 4: expected a number after `r`, as in `r0`, found `s1`"],
    );
}
