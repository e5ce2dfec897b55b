//! What went wrong, and how it is shown.
//!
//! Subcommands give an [`Error`] of the library, which knows the nearest right thing, or the line of
//! the file it is about.

use std::io::{self, Write};
use std::panic;
use std::process::{self, ExitCode};

use ludex::Error;

use crate::output::colour;

/// The outcome of a subcommand, where nothing was wrong with its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes, or done.
    Yes,
    /// No: there were errors, or something differs.
    No,
    /// The budget ran out before there was an answer.
    Undecided,
    /// Ctrl-C was pressed.
    Interrupted,
}

impl Answer {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Undecided => 3,
            Self::Interrupted => 130,
        }
    }
}

/// Exit code of wrong usage and of bad input.
const BAD_INPUT: u8 = 2;

/// What a subcommand gives back.
pub(crate) type Done = ludex::Result<Answer>;

/// Prints an error on standard error; gives the exit code that goes with it.
pub(crate) fn report(error: &Error) -> ExitCode {
    if is_closed_pipe(error) {
        // The reader of the answer has closed the pipe: it has seen enough.
        return ExitCode::SUCCESS;
    }
    let text = error.render(colour());
    let _ = writeln!(io::stderr(), "{text}");
    ExitCode::from(BAD_INPUT)
}

fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Io { kind: io::ErrorKind::BrokenPipe, .. })
}

/// Makes a panic, which is always a bug of this program, end it with one line.
pub(crate) fn catch_panics() {
    panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|it| format!(" at {it}")).unwrap_or_default();
        let what = what.lines().next().unwrap_or_default();
        let _ = writeln!(io::stderr(), "error: a bug in ludex, please report it: {what}{place}");
        process::exit(BAD_INPUT.into());
    }));
}
