//! The command line: parses, calls, prints.
//!
//! ```text
//! arguments ──> cli ──> load (a game) ──> place (a position) ──> one of verbs ──> output
//! ```
//!
//! The contract with scripts is `cli.md`: what goes to standard output, what the
//! fields of `--json` are called and what the exit codes mean. One file of
//! `verbs` is one verb. Files, clocks, signals and the terminal are touched here
//! and in no other crate.

#![forbid(unsafe_code)]

mod arena;
mod args;
mod bundled;
mod cli;
mod clock;
mod date;
mod engine;
mod failure;
mod files;
mod goal;
mod interrupt;
mod load;
mod marked;
mod notation;
mod output;
mod place;
mod players;
mod ponder;
mod thinking;
mod verbs;
mod watched;
mod words;

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
    let done = cli.verb.run(&mut out);
    match done {
        Ok(answer) => ExitCode::from(answer.code()),
        Err(error) => failure::report(&error),
    }
}
