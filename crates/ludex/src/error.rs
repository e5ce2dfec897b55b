//! What can go wrong, as data: a message, what to do about it, and the text it is about.

use std::{fmt, io};

use ludex_core::TextError;
use ludex_diagnostics::Diagnostic;

use crate::source::Source;

/// What the functions of this crate give back.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something that was asked for cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// What was given is wrong: a name, a position, a move, an option, a file.
    Input {
        /// What is wrong.
        message: String,
        /// What to give instead.
        help: Option<String>,
    },
    /// A text of rules is wrong, or its rules were at fault in play.
    Rules(Box<RulesError>),
    /// Reading or writing failed.
    Io {
        /// What kind of failure it is.
        kind: io::ErrorKind,
        /// What the system says.
        message: String,
    },
    /// Several things are wrong.
    Several(Vec<Error>),
    /// The stop flag was raised before there was an answer.
    Stopped,
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io { kind: error.kind(), message: error.to_string() }
    }
}

/// What is wrong with a text of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The text.
    pub source: Source,
    /// What is wrong with it, each with its place.
    pub diagnostics: Vec<Diagnostic>,
    /// What follows from that, if that is not plain.
    pub conclusion: Option<String>,
}

impl Error {
    /// An error that says only what is wrong.
    pub fn new(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: None }
    }

    /// An error that also says what to do.
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: Some(help.into()) }
    }

    /// An error that names what was probably meant, where something is near.
    pub fn with_nearest(message: impl Into<String>, nearest: Option<&str>) -> Self {
        Self::Input { message: message.into(), help: did_you_mean(nearest) }
    }

    /// What is wrong with `text`, which was given as `what`: the place is marked.
    pub fn in_text(what: &str, text: &str, error: &TextError) -> Self {
        let mut message = format!("{what}: {}", error.message);
        if let Some(at) = error.at.filter(|&at| text.is_char_boundary(at) && !text.contains('\n')) {
            let column = text[..at].chars().count();
            message.push_str(&format!("\n  {text}\n  {:column$}^", ""));
        }
        Self::with_nearest(message, error.nearest.as_deref())
    }

    /// What is wrong with a text of rules.
    pub fn in_rules(
        source: Source,
        diagnostics: Vec<Diagnostic>,
        conclusion: Option<String>,
    ) -> Self {
        Self::Rules(Box::new(RulesError { source, diagnostics, conclusion }))
    }

    /// The error as a person reads it, over several lines where the text of the rules is shown.
    pub fn render(&self, colour: bool) -> String {
        match self {
            Self::Input { message, help: Some(help) } => {
                format!("error: {message}\nhelp: {help}")
            }
            Self::Input { message, help: None } | Self::Io { message, .. } => {
                format!("error: {message}")
            }
            Self::Rules(error) => error.render(colour),
            Self::Several(errors) => {
                let shown: Vec<String> = errors.iter().map(|it| it.render(colour)).collect();
                shown.join("\n")
            }
            Self::Stopped => "error: stopped".to_owned(),
        }
    }
}

impl RulesError {
    fn render(&self, colour: bool) -> String {
        let shown = self.source.render(&self.diagnostics, colour);
        match &self.conclusion {
            Some(conclusion) => format!("{shown}\nerror: {conclusion}"),
            None => shown.trim_end().to_owned(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { message, .. } | Self::Io { message, .. } => f.write_str(message),
            Self::Rules(error) => f.write_str(&error.render(false)),
            Self::Several(_) => f.write_str(&self.render(false)),
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {}

/// Says what was being done when reading or writing failed.
pub trait Context<T> {
    /// The same, with `what` in front of what the system says.
    fn with_context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn with_context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| {
            let (kind, message) = (error.kind(), format!("{}: {error}", what()));
            Error::Io { kind, message }
        })
    }
}

/// The help that names what was probably meant.
pub(crate) fn did_you_mean(nearest: Option<&str>) -> Option<String> {
    nearest.map(|it| format!("did you mean `{it}`?"))
}
