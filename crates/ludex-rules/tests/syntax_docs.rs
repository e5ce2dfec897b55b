//! The examples of the language page can be read.
//!
//! An example is an indented block. It is a piece of a file or of a block of
//! statements; headers may stand in it without their blocks, and `...` for
//! what is left out.

use ludex_rules::diag::Diagnostic;
use ludex_rules::parse::parse;
use ludex_rules::render::render;

const PAGE: &str = include_str!("../../../docs/language.md");

#[test]
fn examples_can_be_read() {
    let examples = examples(PAGE);
    assert!(examples.len() > 8, "the page has many examples");
    for example in examples {
        let as_file = format!("game \"G\"\n{example}");
        let indented: String = example.lines().flat_map(|line| ["  ", line, "\n"]).collect();
        let as_block = format!("game \"G\"\nmoves\n{indented}");
        let (file_errors, block_errors) = (errors(&as_file), errors(&as_block));
        assert!(
            file_errors.is_empty() || block_errors.is_empty() || mixed(&example),
            "{}\nor\n{}",
            render(&file_errors, "declarations", &as_file, false),
            render(&block_errors, "statements", &as_block, false),
        );
    }
}

/// What is wrong with an example, other than headers without blocks.
fn errors(source: &str) -> Vec<Diagnostic> {
    parse(source).1.into_iter().filter(|it| it.code != "missing-block").collect()
}

/// The example that shows statements and then declarations: each part must do.
fn mixed(example: &str) -> bool {
    let Some((statements, declarations)) = example.split_once("\n\n") else { return false };
    let statements: String = statements.lines().flat_map(|line| ["  ", line, "\n"]).collect();
    errors(&format!("game \"G\"\nmoves\n{statements}")).is_empty()
        && errors(&format!("game \"G\"\n{declarations}\n")).is_empty()
}

/// The indented blocks of a page, without their indentation.
fn examples(page: &str) -> Vec<String> {
    let mut examples = vec![String::new()];
    for line in page.lines() {
        let last = examples.last_mut().expect("there is always one");
        match line.strip_prefix("    ") {
            Some(code) => last.push_str(&(code.replace("...", "pass") + "\n")),
            None if line.is_empty() && !last.is_empty() => last.push('\n'),
            None if line.is_empty() => {}
            None => examples.push(String::new()),
        }
    }
    examples.iter().map(|it| it.trim_end().to_owned() + "\n").filter(|it| it.len() > 1).collect()
}
