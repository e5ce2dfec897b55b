//! A match that failed, with the games that it played before.

use std::fmt;

use super::report::MatchReport;
use crate::error::Error;

/// Why a match ended before its time, and its results until then.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchFailure {
    /// What went wrong.
    pub error: Error,
    /// The results of the games that were played, if there are any.
    pub report: Option<Box<MatchReport>>,
}

impl MatchFailure {
    pub(super) fn new(error: Error, report: MatchReport) -> Self {
        let report = (!report.games.is_empty()).then(|| Box::new(report));
        Self { error, report }
    }
}

impl From<Error> for MatchFailure {
    fn from(error: Error) -> Self {
        Self { error, report: None }
    }
}

impl From<MatchFailure> for Error {
    fn from(failure: MatchFailure) -> Self {
        failure.error
    }
}

impl fmt::Display for MatchFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl std::error::Error for MatchFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
