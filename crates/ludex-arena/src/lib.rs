//! Games between players: matches, tournaments, statistics, ratings, external engines.
//!
//! ```text
//!             openings ──┐
//! Contestant ────────────┴──> play_game ──> PlayedGame ──> record (text) ──> rating, standings, report
//! (one for each seat)        (clocks, adjudication)
//! ```
//!
//! * [`contestant`]: the seam. Every player, in this process or in another one, is a [`Contestant`].
//! * [`referee`]: plays one game from its opening to its end; with [`time_control`], [`openings`] and
//!   [`adjudication`]. [`game`] is what a finished game leaves.
//! * [`engines`]: external engines, which speak UCI, USI, UGI, CECP, GTP or Gomocup over pipes.
//! * [`runner`]: many games, several at once; [`fixtures`]: the games of a match; [`rotation`]: seats in
//!   games of more than two players.
//! * [`statistics`], [`rating`]: Elo, LOS, SPRT and ratings with their intervals.
//! * [`tournament`]: the tournament file, pairings, rounds, standings and crosstable.
//! * [`record`], [`report`]: games and tournaments as text and as HTML.
//!
//! A contestant that crashes, hangs, answers an illegal move or overruns its time loses that game.
//! The match goes on, and no finished game is lost.
//!
//! **Invariant:** generic over [`Game`](ludex_core::Game). It reads the clock, opens no files, prints
//! nothing and keeps no global state: all output leaves as values and text.

#![expect(clippy::disallowed_methods, reason = "the arena keeps the clocks of games")]
#![forbid(unsafe_code)]

pub mod adjudication;
pub mod contestant;
pub mod engines;
pub mod fixtures;
pub mod game;
pub mod openings;
pub mod points;
mod quote;
pub mod rating;
pub mod record;
pub mod referee;
pub mod report;
pub mod rotation;
pub mod runner;
pub mod statistics;
pub mod time_control;
pub mod tournament;
pub mod units;

pub use contestant::{Answer, BestMove, Contestant, Failure, FailureKind, GameView, ReportedScore};
pub use fixtures::{Fixture, match_fixtures};
pub use game::{MoveMade, PlayedGame, Termination};
pub use openings::{Opening, Openings};
pub use points::Points;
pub use quote::quote;
pub use referee::{Conditions, play_game};
pub use runner::{Competition, CompetitionFault, Flow, Roster, Runner, Update};
pub use time_control::{MoveLimits, TimeControl, TimeLimit};
