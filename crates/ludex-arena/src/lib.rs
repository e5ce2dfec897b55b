//! Games between players: clocks, matches, tournaments, ratings, outside programs.
//!
//! ```text
//!             openings ──┐
//! Contestant ────────────┴──> play_game ──> Played ──> record (text) ──> rating, standings, report
//! (one for each seat)          (clock, adjudication)
//! ```
//!
//! * [`contestant`]: the seam. Whatever plays here, in this process or outside, is a [`Contestant`].
//! * [`game`]: one game, from its opening to its end, whatever the contestants do; with [`clocks`],
//!   [`openings`] and [`adjudication`].
//! * [`outside`]: programs that are spoken to over pipes.
//! * [`hall`]: many games, several at once; [`seating`]: who sits where if more than two play.
//! * [`statistics`], [`rating`]: what results say about strength, and how surely.
//! * [`tournament`]: the file, who meets whom, who has won.
//! * [`record`], [`report`]: games and tournaments as text, for programs and for people.
//!
//! A contestant that crashes, hangs, answers nonsense or oversteps its time loses that game; the
//! match goes on and nothing that was played is lost.
//!
//! **Invariant:** generic over [`Game`](ludex_core::Game). It reads the clock, opens no files and prints
//! nothing: what is to be kept leaves as text.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod clocks;
pub mod contestant;
pub mod game;
pub mod hall;
pub mod openings;
pub mod outside;
pub mod points;
mod quote;
pub mod rating;
pub mod record;
pub mod report;
pub mod seating;
pub mod statistics;
pub mod tournament;
pub mod units;

pub use clocks::{Allowance, Pace, Time};
pub use contestant::{Answer, Choice, Contestant, Failure, FailureKind, Opinion, Situation};
pub use game::{End, Played, Terms, play_game};
pub use hall::{Event, EventFault, Fixture, Flow, Hall, Host, News};
pub use openings::{Opening, Openings};
pub use points::Points;
pub use quote::quote;
