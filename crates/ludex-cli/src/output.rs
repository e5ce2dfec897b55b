//! The answer, on standard output.
//!
//! Every write may find the pipe closed; such an error is passed up
//! and ends the program quietly (see [`failure::report`](crate::failure::report)).

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use serde::Serialize;

/// Standard output, as text or as JSON.
#[derive(Debug)]
pub(crate) struct Out {
    json: bool,
    stdout: io::Stdout,
}

impl Out {
    /// Standard output; JSON if asked for.
    pub(crate) fn new(json: bool) -> Self {
        Self { json, stdout: io::stdout() }
    }

    /// Whether the answer is to be JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.stdout.lock(), "{text}")
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let mut stdout = self.stdout.lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes a result: as JSON if asked for, and else as people read it.
    pub(crate) fn result(&mut self, result: &(impl Serialize + Display)) -> io::Result<()> {
        if self.json { self.json(result) } else { self.text(&result.to_string()) }
    }

    /// Writes one JSON document on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.line(serde_json::to_string(value)?)
    }
}

/// Prints something beside the answer, on standard error. That it may be closed is no error of ours.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether messages may be coloured: on a terminal, unless `NO_COLOR` is set.
pub(crate) fn colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    io::stderr().is_terminal() && !refused && !dumb
}
