//! Why a search has no answer.

use std::fmt;

use ludex_core::Fault;

use crate::support::Unsupported;

/// Why a search has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// The rules of the game, or the player file that came with them, failed in play.
    Rules(Fault),
    /// The search is not for games like this one.
    Unsupported(Unsupported),
    /// The limits were reached, or the search was stopped, before there was an answer.
    Stopped,
}

impl SearchError {
    /// The error; nothing where the limits were reached and what was found until then counts.
    pub(crate) fn unless_stopped(self) -> Result<(), Self> {
        if self == Self::Stopped { Ok(()) } else { Err(self) }
    }
}

impl From<Fault> for SearchError {
    fn from(fault: Fault) -> Self {
        Self::Rules(fault)
    }
}

impl From<Unsupported> for SearchError {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(fault) => fault.fmt(f),
            Self::Unsupported(unsupported) => write!(f, "this player {unsupported}"),
            Self::Stopped => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for SearchError {}
