//! What can go wrong with a program from outside.

use std::fmt;
use std::time::Duration;

use crate::contestant::{Failure, FailureKind};
use crate::quote::quote;

/// Why a program has lost a game without having been beaten. The text of each is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It cannot be started.
    NoStart(String),
    /// It ended: how, and its last words.
    Crashed(String),
    /// It closed its output and lives on.
    Closed(String),
    /// It was silent where no clock runs, for this long; and its last words.
    Hung(Duration, String),
    /// It had this much time for an answer, and did not give it.
    Overstepped(Duration),
    /// It wrote more than anybody can read.
    Flooded(&'static str),
    /// It says that it cannot do what is asked.
    Refused(String),
    /// Somebody wanted an end: not its failure.
    Stopped,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart(why) => write!(f, "cannot be started: {why}"),
            Self::Crashed(how) => write!(f, "ended by itself: {how}"),
            Self::Closed(words) => write!(f, "closed its output but did not end{words}"),
            Self::Hung(waited, words) => {
                write!(f, "no answer within {}{words}", seconds(*waited))
            }
            Self::Overstepped(time) => write!(f, "no move within {}", seconds(*time)),
            Self::Flooded(where_to) => write!(f, "flooded {where_to}"),
            Self::Refused(text) => write!(f, "refused: {text}"),
            Self::Stopped => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Trouble {}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// How much of what a program says is shown.
const SHOWN: usize = 120;

/// Something that a program said, fit to be shown.
pub(super) fn shortened(text: &str) -> String {
    quote(text, SHOWN)
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        let kind = match &trouble {
            Trouble::NoStart(_) => FailureKind::Unavailable,
            Trouble::Crashed(_) | Trouble::Closed(_) => FailureKind::Crashed,
            Trouble::Hung(..) | Trouble::Overstepped(_) | Trouble::Stopped => FailureKind::TimedOut,
            Trouble::Flooded(_) => FailureKind::Flooded,
            Trouble::Refused(_) => FailureKind::Protocol,
        };
        Self::new(kind, trouble.to_string())
    }
}
