//! Rendering holds for any place in any text.

use expect_test::{Expect, expect};
use ludex_rules::diag::{Diagnostic, Span};
use ludex_rules::render::{line_column, render};

#[track_caller]
fn check(source: &str, start: usize, end: usize, expect: Expect) {
    let diagnostic = Diagnostic::error("some-code", Span::new(start, end), "something is wrong")
        .label("here")
        .help("mend it");
    expect.assert_eq(&render(&[diagnostic], "test.game", source, false));
}

#[test]
fn in_a_line() {
    check(
        "first\nsecond line\nthird\n",
        13,
        17,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:2:8
          |
        2 | second line
          |        ^^^^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn at_the_end_of_a_line() {
    check(
        "first\nsecond\nthird\n",
        12,
        12,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:2:7
          |
        2 | second
          |       ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn at_the_end_of_the_file() {
    check(
        "first\n",
        6,
        6,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:2:1
          |
        2 |
          | ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn past_the_end_of_the_file() {
    check(
        "first",
        99,
        120,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:1:6
          |
        1 | first
          |      ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn in_an_empty_file() {
    check(
        "",
        0,
        0,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:1:1
          |
        1 |
          | ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn over_several_lines() {
    check(
        "first\nsecond\nthird\n",
        2,
        15,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:1:3
          |
        1 | first
          |   ^^^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn with_carriage_returns() {
    check(
        "first\r\nsecond\r\n",
        7,
        15,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:2:1
          |
        2 | second
          | ^^^^^^ here
          |
          = help: mend it
    "#]],
    );
    check(
        "first\r\nsecond\r\n",
        13,
        14,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:2:7
          |
        2 | second
          |       ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn with_wide_characters() {
    check(
        "# ééé ♔♕ 漢字 x\n",
        9,
        15,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:1:7
          |
        1 | # ééé ♔♕ 漢字 x
          |       ^^ here
          |
          = help: mend it
    "#]],
    );
    check(
        "# é漢字\n",
        3,
        6,
        expect![[r#"
        error[some-code]: something is wrong
         --> test.game:1:3
          |
        1 | # é漢字
          |   ^ here
          |
          = help: mend it
    "#]],
    );
}

#[test]
fn a_warning_without_help() {
    let diagnostic = Diagnostic::warning("some-code", Span::new(0, 5), "something is odd");
    let shown = render(&[diagnostic.clone(), diagnostic], "test.game", "first\n", false);
    expect![[r#"
        warning[some-code]: something is odd
         --> test.game:1:1
          |
        1 | first
          | ^^^^^

        warning[some-code]: something is odd
         --> test.game:1:1
          |
        1 | first
          | ^^^^^
    "#]]
    .assert_eq(&shown);
}

#[test]
fn colours_are_only_added() {
    let diagnostic =
        Diagnostic::error("some-code", Span::new(0, 5), "something is wrong").label("here");
    let coloured = render(&[diagnostic], "test.game", "first\n", true);
    assert!(coloured.contains("\u{1b}["));
    assert!(coloured.contains("something is wrong"));
}

#[test]
fn lines_and_columns() {
    let source = "aé\nb\r\n\nc";
    let at = |offset| line_column(source, offset);
    assert_eq!([at(0), at(1), at(2), at(3), at(4)], [(1, 1), (1, 2), (1, 2), (1, 3), (2, 1)]);
    assert_eq!([at(7), at(8), at(9), at(99)], [(3, 1), (4, 1), (4, 2), (4, 2)]);
}
