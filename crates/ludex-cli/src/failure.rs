//! What went wrong, and how it is told.
//!
//! Verbs give an [`anyhow::Error`]. A [`Mistake`] inside it knows more: the
//! nearest right thing, or a message that is already laid out with the line of
//! the file it is about.

use std::fmt;
use std::io::{self, Write};
use std::panic;
use std::process::{self, ExitCode};

use ludex_core::TextError;

/// How a verb came out, where nothing was wrong with the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes, or done.
    Yes,
    /// No: there were errors, or something differs.
    No,
    /// The budget ran out before there was an answer.
    Undecided,
    /// Somebody pressed Ctrl-C.
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

/// What a verb gives back.
pub(crate) type Done = anyhow::Result<Answer>;

/// Something wrong with what the user gave us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// A message, and what to do about it.
    Plain { message: String, help: Option<String> },
    /// A text that shows the place, ready to be printed.
    Shown(String),
}

impl Mistake {
    /// A mistake that says only what is wrong.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Plain { message: message.into(), help: None }
    }

    /// A mistake that also says what to do.
    pub(crate) fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Plain { message: message.into(), help: Some(help.into()) }
    }

    /// What is wrong with `text`, which the user gave as `what`: the place is marked.
    pub(crate) fn in_text(what: &str, text: &str, error: &TextError) -> Self {
        let mut message = format!("{what}: {}", error.message);
        if let Some(at) = error.at.filter(|&at| text.is_char_boundary(at) && !text.contains('\n')) {
            let column = text[..at].chars().count();
            message.push_str(&format!("\n  {text}\n  {:column$}^", ""));
        }
        Self::Plain { message, help: did_you_mean(error.nearest.as_deref()) }
    }
}

/// The help that names what was probably meant.
pub(crate) fn did_you_mean(nearest: Option<&str>) -> Option<String> {
    nearest.map(|it| format!("did you mean `{it}`?"))
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain { message, .. } => f.write_str(message),
            Self::Shown(text) => f.write_str(text.trim_end()),
        }
    }
}

impl std::error::Error for Mistake {}

/// Tells an error on standard error; gives the exit code that goes with it.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        // Whoever read our answer has seen enough.
        return ExitCode::SUCCESS;
    }
    let text = match error.downcast_ref::<Mistake>() {
        Some(Mistake::Shown(text)) => text.trim_end().to_owned(),
        Some(Mistake::Plain { message, help: Some(help) }) => {
            format!("error: {message}\nhelp: {help}")
        }
        _ => format!("error: {error:#}"),
    };
    let _ = writeln!(io::stderr(), "{text}");
    ExitCode::from(BAD_INPUT)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|it| it.kind() == io::ErrorKind::BrokenPipe)
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
