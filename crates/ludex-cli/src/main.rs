//! The command line: parses, calls, prints.
//!
//! ```text
//! arguments ──> cli ──> open (a game and a position) ──> a subcommand ──> ludex ──> output
//! ```
//!
//! The contract with scripts is what goes to standard output, what the fields of `--json` are
//! called and what the exit codes mean. A file or folder of `commands` is one subcommand: it parses
//! its arguments, calls the library and prints. Signals and the terminal are touched here and in
//! no other crate.

#![expect(clippy::disallowed_methods, reason = "files, clocks and the environment are read here")]
#![forbid(unsafe_code)]

mod args;
mod cli;
mod commands;
mod failure;
mod interrupt;
mod open;
mod output;
mod progress;
#[cfg(test)]
mod reference;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::output::Out;

fn main() -> ExitCode {
    failure::catch_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let mut out = Out::new(cli.json);
    let done = cli.command.run(&mut out);
    match done {
        Ok(answer) => ExitCode::from(answer.code()),
        Err(error) => failure::report(&error),
    }
}
