//! The passes on functions written by hand: text in, text out. A file of `passes/` is one case:
//!
//! ```text
//! ; passes: walks tidy                run one after the other on the first function
//! ; frame: list l0 0 1 => list l0 0   what is another in the program around it
//! ; function: king steps of sets.ir   or a function of a file of `programs/`
//!
//! function f2 "before" ...
//!
//! ; after
//! function "after" ...                or `unchanged`
//! ```
//!
//! With `UPDATE_EXPECT=1` what comes after `; after` is written anew. That the code does the same
//! is tested by playing, in `ludex-testkit`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::framed_by;
use ludex_ir::passes::{
    constant_folding, copy_propagation, cse, dead_code, emit_merging, if_conversion, inline,
    jump_threading, list_loops, members, ray_precheck, rays, reverse, setwise, simplify,
    store_merging, tidy, unroll, walks, webs, with_function,
};
use ludex_ir::verify::errors;
use ludex_ir::{Block, Func, Function, Program};

/// Runs a pass by name. Functions from `f2` on are the test's.
fn run(pass: &str, program: &mut Program, func: Func) {
    let pass: fn(&mut Program, &mut Function) = match pass {
        "members" => return members::run(program, func),
        "list_loops" => return list_loops::run(program, func),
        "rays" => return rays::run(program, func),
        "setwise" => return setwise::run(program, func),
        "reverse" => return reverse::run(program, func),
        "walks" => return walks::run(program, func),
        "if_conversion" => return if_conversion::run(program, func),
        "store_merging" => return store_merging::run(program, func),
        "emit_merging" => return emit_merging::run(program, func),
        "ray_precheck" => return ray_precheck::run(program, func),
        "tidy" => |program, it| tidy(program, it),
        "simplify" => |_, it| simplify::simplify(it),
        "fold" => |program, it| _ = constant_folding::fold(program, it),
        "dead" => |_, it| _ = dead_code::remove(it),
        "renumber" => |_, it| dead_code::renumber(it),
        "copies" => |_, it| _ = copy_propagation::propagate(it),
        "coalesce" => |_, it| _ = copy_propagation::coalesce(it),
        "split" => |_, it| _ = webs::split(it),
        "cse" => |_, it| _ = cse::share(it),
        "thread" => |program, it| _ = jump_threading::thread(program, it),
        "inline" => |program, it| _ = inline::inline(program, it, (Block(0), 0)),
        "unroll" => |program, it| _ = unroll::unroll(program, it),
        _ => panic!("there is no pass `{pass}`"),
    };
    with_function(program, func, pass);
}

/// What a case says after a word like `passes`.
fn said<'a>(case: &'a str, what: &str) -> Option<&'a str> {
    let begin = format!("; {what}: ");
    case.lines().find_map(|line| line.strip_prefix(&begin))
}

/// The program of a case, and the function that it is about.
fn program(case: &str) -> (Program, Func) {
    let Some(named) = said(case, "function") else {
        return (
            framed_by(case, said(case, "frame").and_then(|it| it.split_once(" => "))),
            Func(2),
        );
    };
    let (name, file) = named.split_once(" of ").expect("a function of a file");
    let text = fs::read_to_string(folder("programs").join(file)).expect("there is such a file");
    let program = Program::parse(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let found = program.functions.iter().position(|it| it.name == name);
    (program, Func(found.expect("there is such a function") as u16))
}

/// What becomes of the function of a case.
fn after(case: &str) -> String {
    let (mut program, func) = program(case);
    assert_eq!(errors(&program), [], "before");
    let before = program.function(func).to_string();
    for pass in said(case, "passes").expect("a case has passes").split_whitespace() {
        run(pass, &mut program, func);
        assert_eq!(errors(&program), [], "after `{pass}`");
    }
    let after = program.function(func).to_string();
    if after == before { "unchanged".to_owned() } else { after.trim_end().to_owned() }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

#[test]
fn every_case_becomes_what_it_says() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder("passes"))
        .expect("the cases are there")
        .map(|it| it.expect("it can be listed").path())
        .collect();
    files.sort();
    assert!(files.len() > 50, "{} cases", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("it can be read");
        let (case, expected) = text.split_once("; after\n").expect("a case has an `after`");
        let found = after(case);
        if found == expected.trim_end() {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&file, format!("{case}; after\n{found}\n")).expect("it can be written");
        }
        wrong.push(format!("{}:\n{found}", file.display()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
