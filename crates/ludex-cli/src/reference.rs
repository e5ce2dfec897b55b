//! The page of the command line in the book, made from the arguments themselves.
//!
//! `UPDATE_EXPECT=1` writes it anew.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use expect_test::expect_file;

use crate::cli::Cli;

const HEAD: &str = "\
# The command line

This page is generated from the program: `ludex SUBCOMMAND --help` says the same.

- Standard output has the answer, standard error the progress and the diagnostics.
- `--json`, for every subcommand, prints one JSON document, or one object per line where a
  subcommand streams. The [schemas](schemas.md) describe them.
- Exit codes: 0 done or yes; 1 a negative answer; 2 wrong usage or bad input; 3 undecided within
  the limits; 130 interrupted.
- With one thread, a node budget and a seed, the output is the same every time, times excepted.
";

#[test]
fn the_page_is_that_of_the_arguments() {
    let mut command = Cli::command();
    command.build();
    let mut page = HEAD.to_owned();
    for subcommand in command.get_subcommands().filter(|it| it.get_name() != "help") {
        page += &section(subcommand);
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/cli.md");
    expect_file![file].assert_eq(&page);
}

/// What there is to say about a subcommand.
fn section(command: &Command) -> String {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let mut text = format!("\n## `ludex {name}`\n\n{about}.\n\n```text\n{usage}\n```\n");
    let listed = |it: &&Arg| !it.is_hide_set() && it.get_id() != "help" && it.get_id() != "json";
    let rows: String = command.get_arguments().filter(listed).map(row).collect();
    if !rows.is_empty() {
        write!(text, "\n| argument | meaning |\n| --- | --- |\n{rows}").expect("it is a string");
    }
    if let Some(notes) = command.get_after_help() {
        write!(text, "\n```text\n{}\n```\n", notes.to_string().trim()).expect("it is a string");
    }
    text
}

/// An argument as a row of the table.
fn row(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|it| it.to_string_lossy().into_owned()).collect();
    let is_switch = !arg.get_action().takes_values();
    let default = match defaults.as_slice() {
        [] => String::new(),
        _ if is_switch => String::new(),
        all => format!(" (default: `{}`)", all.join(" ")),
    };
    let name = arg.to_string().replace('|', "\\|");
    format!("| `{name}` | {}{default} |\n", help.replace('|', "\\|").replace('\n', " "))
}
