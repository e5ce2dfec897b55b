//! Public test sets: positions whose value, best moves or counts are known.
//!
//! ```text
//! file ──> TestSet (its format is seen from its lines) ──> Suite::run ──> SetReport
//! ```
//!
//! A player searches the positions of a set, or move sequences are counted; what it finds is
//! compared with what is known. The files come from anywhere: a line that cannot be read is
//! reported with its number and skipped.

#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "it reads the files that its callers name")]

mod case;
mod formats;
mod goal;
mod report;
mod suite;
mod test_set;
mod verdict;

pub use report::{CaseReport, Reaching, SetReport};
pub use suite::{DEFAULT_TIME, Suite, SuiteEvent, SuiteRequest};
pub use test_set::TestSet;
