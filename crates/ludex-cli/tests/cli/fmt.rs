//! `fmt`.

use expect_test::expect;

use crate::run::{Folder, json, ludex, ludex_reading};

const UNTIDY: &str = "game \"X\"\nboard   square 3 by 3\nplayers A,B\nmen m\nmoves\n     for a in empty:move put my m on a\n";
const TIDY: &str = "game \"X\"\nboard square 3 by 3\nplayers A, B\nmen m\nmoves\n  for a in empty: move put my m on a\n";

#[test]
fn files_are_laid_out_in_place() {
    let folder = Folder::new();
    let path = folder.write("x.game", UNTIDY);
    let ran = ludex(&["fmt", &path]);
    assert_eq!((ran.code, folder.hide(&ran.stdout).as_str()), (0, "x.game\n"));
    assert_eq!(folder.read("x.game"), TIDY);
    let again = ludex(&["fmt", &path]);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""));
}

#[test]
fn check_only_tells() {
    let folder = Folder::new();
    let (untidy, tidy) = (folder.write("a.game", UNTIDY), folder.write("b.game", TIDY));
    let ran = ludex(&["fmt", "--check", &untidy, &tidy]);
    assert_eq!((ran.code, folder.hide(&ran.stdout).as_str()), (1, "a.game\n"));
    assert_eq!(folder.read("a.game"), UNTIDY);
    assert_eq!(ludex(&["fmt", "--check", &tidy]).code, 0);
    assert_eq!(json(&["fmt", &untidy])["changed"], true);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let ran = ludex_reading(UNTIDY, &["fmt", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, TIDY));
}

#[test]
fn a_broken_file_is_not_touched() {
    let folder = Folder::new();
    let broken = "game \"X\"\nmoves\n  for a in\n";
    let path = folder.write("x.game", broken);
    let ran = ludex(&["fmt", &path]);
    assert_eq!(folder.read("x.game"), broken);
    expect![[r#"
        ---
        error[expected-expression]: expected an expression after `in`, found the end of the line
         --> x.game:3:11
          |
        3 |   for a in
          |           ^ expected an expression
          |
          = help: a square, a number, a name or a bracket can stand here
        exit code 2
    "#]]
    .assert_eq(&folder.hide(&ran.all()));
}
