//! Rendering holds for any place in any text.

use expect_test::{Expect, expect};
use ludex_diagnostics::{Diagnostic, Renderer, SourceText, Span, render};

#[track_caller]
fn check(source: &str, start: usize, end: usize, expect: Expect) {
    let diagnostic = Diagnostic::error("some-code", Span::new(start, end), "something is wrong")
        .label("here")
        .help("mend it");
    expect.assert_eq(&render(&[diagnostic], SourceText::new("test.game", source)));
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
    let shown = render(&[diagnostic.clone(), diagnostic], SourceText::new("test.game", "first\n"));
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
    let coloured =
        Renderer { colour: true }.render(&[diagnostic], SourceText::new("test.game", "first\n"));
    assert!(coloured.contains("\u{1b}["));
    assert!(coloured.contains("something is wrong"));
}

#[track_caller]
fn check_related(source: &str, span: Span, related: &[Span], expect: Expect) {
    let mut diagnostic =
        Diagnostic::error("duplicate-name", span, "there are two `b`").label("declared again");
    for &span in related {
        diagnostic = diagnostic.related(span, "declared first");
    }
    expect.assert_eq(&render(&[diagnostic], SourceText::new("test.game", source)));
}

#[test]
fn related_places_are_underlined_too() {
    let source = "one\ncell a\ncell b\ncell c\ncell d\ncell e\ncell f\ncell b\nlast\n";
    check_related(
        source,
        Span::new(51, 52),
        &[Span::new(16, 17)],
        expect![[r#"
        error[duplicate-name]: there are two `b`
         --> test.game:8:6
          |
        3 | cell b
          |      - declared first
        ...
        8 | cell b
          |      ^ declared again
    "#]],
    );
    check_related(
        source,
        Span::new(16, 17),
        &[Span::new(18, 22)],
        expect![[r#"
        error[duplicate-name]: there are two `b`
         --> test.game:3:6
          |
        3 | cell b
          |      ^ declared again
        4 | cell c
          | ---- declared first
    "#]],
    );
}

#[test]
fn a_related_place_in_the_same_line() {
    check_related(
        "cell b, b\n",
        Span::new(8, 9),
        &[Span::new(5, 6)],
        expect![[r#"
        error[duplicate-name]: there are two `b`
         --> test.game:1:9
          |
        1 | cell b, b
          |      -  ^ declared again
          |      |
          |      declared first
    "#]],
    );
}

#[test]
fn related_places_may_lie_anywhere() {
    check_related(
        "cell b",
        Span::new(99, 120),
        &[Span::new(3, 2), Span::new(500, 4)],
        expect![[r#"
            error[duplicate-name]: there are two `b`
             --> test.game:1:7
              |
            1 | cell b
              |    -  ^
              |    |  |
              |    |  declared again
              |    |  declared first
              |    declared first
        "#]],
    );
}
