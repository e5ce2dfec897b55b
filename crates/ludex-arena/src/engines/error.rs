//! The errors of an external engine.

use std::fmt;
use std::time::Duration;

use crate::contestant::{Failure, FailureKind};
use crate::quote::quote;

/// An error of an external engine, which loses the game. The text of each is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// It cannot be started.
    NoStart(String),
    /// It ended: how, and the end of its error output.
    Crashed(String),
    /// It closed its output and runs on; the end of its error output.
    Closed(String),
    /// It was silent for this long where no clock runs; the end of its error output.
    Hung(Duration, String),
    /// A time overrun: it gave no answer within this time.
    TimeOverrun(Duration),
    /// It wrote more than the limit.
    Flooded(&'static str),
    /// It rejected a command.
    Refused(String),
    /// The match was stopped: not its failure.
    Stopped,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart(why) => write!(f, "cannot be started: {why}"),
            Self::Crashed(how) => write!(f, "ended by itself: {how}"),
            Self::Closed(words) => write!(f, "closed its output but did not end{words}"),
            Self::Hung(waited, words) => {
                write!(f, "no answer within {}{words}", seconds(*waited))
            }
            Self::TimeOverrun(time) => write!(f, "no move within {}", seconds(*time)),
            Self::Flooded(stream) => write!(f, "flooded {stream}"),
            Self::Refused(text) => write!(f, "refused: {text}"),
            Self::Stopped => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EngineError {}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// How many characters of an engine's line a message quotes.
const SHOWN: usize = 120;

/// A line of an engine, made safe for a message.
pub(super) fn shortened(text: &str) -> String {
    quote(text, SHOWN)
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let kind = match &error {
            EngineError::NoStart(_) => FailureKind::Unavailable,
            EngineError::Crashed(_) | EngineError::Closed(_) => FailureKind::Crashed,
            EngineError::Hung(..) | EngineError::TimeOverrun(_) | EngineError::Stopped => {
                FailureKind::TimedOut
            }
            EngineError::Flooded(_) => FailureKind::Flooded,
            EngineError::Refused(_) => FailureKind::Protocol,
        };
        Self::new(kind, error.to_string())
    }
}
