//! The tournament file: lines of a key and a value.
//!
//! ```text
//! # An afternoon.
//! name      Phutball, 1999
//! game      connect4
//! player    Platon            players/platon.player
//! player    "Lao Tseu"        alphabeta:depth=1
//! kind      double round-robin
//! scoring   2 1 0
//! clock     5m
//! longest   200
//! openings  none
//! ```
//!
//! This module defines the plan; `read` parses the lines of a file, and `values` the values of its keys.
//! All errors are reported at once, with their lines. **Invariant:** reading never panics on any text.

mod read;
mod values;

use std::time::Duration;

use crate::adjudication::{Adjudication, Rule};
use crate::rotation;
use crate::statistics::Score;
use crate::time_control::TimeControl;

pub use read::KEYS;

/// The greatest size of a tournament file, in bytes.
pub const LONGEST_PLAN: usize = 1 << 20;

/// The most players of a tournament.
pub const MOST_PLAYERS: usize = 500;

/// The most games, as in chess and Go, of a tournament.
pub const MOST_EVENTS: usize = 200;

/// The most games that a tournament plays.
pub const MOST_GAMES: u64 = 1_000_000;

/// The plan of a tournament, as its file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// The names of its games, with their options.
    pub games: Vec<String>,
    /// The players.
    pub players: Vec<Entry>,
    /// The pairing system.
    pub kind: Kind,
    /// The number of players of a game: see [`Plan::for_seats`].
    pub seats: usize,
    /// The number of games of a pairing, in each event.
    pub games_per_pairing: u32,
    /// The points of a win, a draw and a loss.
    pub scoring: Scoring,
    /// The time control.
    pub time_control: TimeControl,
    /// The openings.
    pub openings: OpeningPlan,
    /// The move limit: a game of this many moves is a draw.
    pub longest: u32,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Whether players think on the time of their opponents.
    pub ponder: bool,
    /// Seed of everything that is random.
    pub seed: u64,
    /// The number of search threads of a player.
    pub threads: u32,
    /// The memory for a player's trees and tables, in bytes.
    pub memory: usize,
    /// The number of games at once: the only setting that a running tournament may change.
    pub concurrency: u16,
}

/// A player of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its spec: a search, a player file or an external engine.
    pub spec: String,
    /// Its line in the file.
    pub line: usize,
    /// Its published points in another table, shown beside ours.
    pub published: Option<f64>,
}

/// The pairing system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every two players meet.
    RoundRobin,
    /// The same twice, with the sides exchanged.
    DoubleRoundRobin,
    /// The first players of this number meet all others.
    Gauntlet(usize),
    /// This number of rounds, each against an opponent with about as many points.
    Swiss(u32),
    /// The loser of a pairing is out.
    Knockout,
}

impl Kind {
    /// How often every two players meet.
    pub(super) fn cycles(self) -> u64 {
        if self == Self::DoubleRoundRobin { 2 } else { 1 }
    }

    /// Its text in the file.
    pub fn text(self) -> String {
        match self {
            Self::RoundRobin => "round-robin".to_owned(),
            Self::DoubleRoundRobin => "double round-robin".to_owned(),
            Self::Gauntlet(1) => "gauntlet".to_owned(),
            Self::Gauntlet(heroes) => format!("gauntlet {heroes}"),
            Self::Swiss(rounds) => format!("swiss {rounds}"),
            Self::Knockout => "knockout".to_owned(),
        }
    }
}

/// The points of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scoring {
    /// For a win.
    pub win: f64,
    /// For a draw.
    pub draw: f64,
    /// For a loss.
    pub loss: f64,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { win: 1.0, draw: 0.5, loss: 0.0 }
    }
}

impl Scoring {
    /// The points of these games together.
    pub fn total(self, score: Score) -> f64 {
        self.win * score.wins as f64
            + self.draw * score.draws as f64
            + self.loss * score.losses as f64
    }

    /// The points of a result of 1, 1/2 or 0.
    pub fn worth(self, result: f64) -> f64 {
        if result > 0.5 {
            self.win
        } else if result < 0.5 {
            self.loss
        } else {
            self.draw
        }
    }
}

/// The openings of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningPlan {
    /// None.
    None,
    /// Random moves; with `balanced`, only openings that a short search scores as fair.
    Random {
        /// The number of moves.
        plies: u32,
        /// Whether only fair openings are kept.
        balanced: bool,
    },
    /// Those of a file, beside the tournament file.
    File(String),
}

/// An error in a tournament file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Its line, counted from 1; 0 where something is missing.
    pub line: usize,
    /// The message.
    pub message: String,
    /// How to correct it.
    pub help: Option<String>,
}

impl Plan {
    /// The identity of the tournament, line by line: plans with equal lines are the same tournament.
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        for (number, game) in (1..).zip(&self.games) {
            line(&format!("game {number}"), game.clone());
        }
        for (number, player) in (1..).zip(&self.players) {
            line(&format!("player {number}"), format!("{} = {}", player.name, player.spec));
        }
        line("kind", self.kind.text());
        if self.seats != 2 {
            line("seats", self.seats.to_string());
        }
        line("games", self.games_per_pairing.to_string());
        let Scoring { win, draw, loss } = self.scoring;
        line("scoring", format!("{win} {draw} {loss}"));
        time_lines(&self.time_control, &mut line);
        line(
            "openings",
            match &self.openings {
                OpeningPlan::None => "none".to_owned(),
                OpeningPlan::Random { plies, balanced: false } => format!("random {plies}"),
                OpeningPlan::Random { plies, balanced: true } => format!("balanced {plies}"),
                OpeningPlan::File(file) => format!("file {file}"),
            },
        );
        line("longest", self.longest.to_string());
        let rule = |it: Rule| format!("{} {} {}", it.value, it.moves, it.after);
        line("resign", self.adjudication.resign.map_or("never".to_owned(), rule));
        line("draw", self.adjudication.draw.map_or("never".to_owned(), rule));
        line("ponder", if self.ponder { "yes" } else { "no" }.to_owned());
        line("seed", self.seed.to_string());
        line("threads", self.threads.to_string());
        line("memory", self.memory.to_string());
        lines
    }

    /// The names of the players of a game.
    pub fn names_of(&self, entrants: &[usize]) -> Vec<&str> {
        entrants.iter().map(|&it| self.players[it].name.as_str()).collect()
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<&str> {
        self.players.iter().map(|it| it.name.as_str()).collect()
    }

    /// The same plan for games of `seats` players, a number that the file does not give; an error says why
    /// it does not fit. In games of more than two players every group of players meets: see [`rotation`].
    pub fn for_seats(mut self, seats: usize) -> Result<Self, String> {
        self.seats = seats;
        if seats == 2 {
            return Ok(self);
        }
        if seats < 2 {
            return Err("a game of one player has no opponents".to_owned());
        }
        if self.players.len() < seats {
            return Err(format!("a game of {seats} players needs at least {seats} players"));
        }
        let kind = match self.kind {
            Kind::RoundRobin | Kind::DoubleRoundRobin => None,
            kind => Some(format!("`kind {}`", kind.text())),
        };
        let balanced = matches!(self.openings, OpeningPlan::Random { balanced: true, .. })
            .then(|| "`openings balanced`".to_owned());
        let adjudicated = (self.adjudication != Adjudication::default())
            .then(|| "adjudication (`resign`, `draw`)".to_owned());
        if let Some(what) = kind.or(balanced).or(adjudicated) {
            return Err(format!("{what} is for games of two players; this one has {seats}"));
        }
        if self.expected_games() > MOST_GAMES {
            return Err(format!("a tournament has at most {MOST_GAMES} games"));
        }
        Ok(self)
    }

    /// The sets of games that every group plays in a cycle, in games of more than two players.
    pub fn sets(&self) -> u64 {
        u64::from(self.games_per_pairing).div_ceil(self.seats.max(1) as u64)
    }

    /// The expected number of games: exact unless there are play-offs.
    pub fn expected_games(&self) -> u64 {
        let players = self.players.len() as u64;
        if self.seats > 2 {
            let groups = rotation::count_groups(self.players.len(), self.seats);
            let games = self.sets() * self.seats as u64 * self.kind.cycles();
            return groups.saturating_mul(games).saturating_mul(self.games.len() as u64);
        }
        let pairings = match self.kind {
            Kind::RoundRobin => players * players.saturating_sub(1) / 2,
            Kind::DoubleRoundRobin => players * players.saturating_sub(1),
            Kind::Gauntlet(heroes) => heroes as u64 * players.saturating_sub(heroes as u64),
            Kind::Swiss(rounds) => u64::from(rounds) * (players / 2),
            Kind::Knockout => players.saturating_sub(1),
        };
        pairings * u64::from(self.games_per_pairing) * self.games.len() as u64
    }
}

fn time_lines(time_control: &TimeControl, line: &mut impl FnMut(&str, String)) {
    let time = |it: Option<Duration>| it.map_or("-".to_owned(), |it| format!("{it:?}"));
    line("time", time(time_control.per_move.or(time_control.default_time)));
    let clock = time_control.clock.map(|it| format!("{:?}+{:?}", it.left, it.increment));
    line("clock", clock.unwrap_or_else(|| "-".to_owned()));
    line("nodes", time_control.nodes.map_or("-".to_owned(), |it| it.to_string()));
    line("depth", time_control.depth.map_or("-".to_owned(), |it| it.to_string()));
    line("grace", time(time_control.grace));
}
