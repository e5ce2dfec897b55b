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
//! Here is what a tournament is; `read` makes one of the lines of a file, and `values` reads what stands
//! behind the keys. What is wrong is told with its line, all at once. **Invariant:** reading never
//! panics, whatever the text.

mod read;
mod values;

use std::time::Duration;

use crate::adjudication::{Adjudication, Rule};
use crate::clocks::Pace;
use crate::seating;
use crate::statistics::Score;

pub use read::KEYS;

/// The longest text that is read as a tournament file, in bytes.
pub const LONGEST_PLAN: usize = 1 << 20;

/// The most players of a tournament.
pub const MOST_PLAYERS: usize = 500;

/// The most kinds of game that are played in a tournament.
pub const MOST_EVENTS: usize = 200;

/// The most games of a tournament.
pub const MOST_GAMES: u64 = 1_000_000;

/// A tournament as its organiser wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// The games that are played, with their options.
    pub games: Vec<String>,
    /// Who takes part.
    pub players: Vec<Entry>,
    /// Who meets whom.
    pub kind: Kind,
    /// How many players a game has: see [`Plan::for_seats`].
    pub seats: usize,
    /// How many games a pairing has, of each of the games.
    pub games_per_pairing: u32,
    /// What a game is worth.
    pub scoring: Scoring,
    /// How long to think.
    pub pace: Pace,
    /// How games are opened.
    pub openings: OpeningPlan,
    /// A game that is not over after so many moves is a draw.
    pub longest: u32,
    /// When games are cut short.
    pub adjudication: Adjudication,
    /// Whether players think on the time of their opponents.
    pub ponder: bool,
    /// Seed of everything that is random.
    pub seed: u64,
    /// How many threads a player thinks with.
    pub threads: u32,
    /// How much memory a player's trees and tables may take.
    pub memory: usize,
    /// How many games to play at once. The only line that may be changed in a tournament under way.
    pub concurrency: u16,
}

/// A player of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub spec: String,
    /// The line that says so.
    pub line: usize,
    /// The points that somebody else's table has for it, to be shown beside ours.
    pub published: Option<f64>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everybody meets everybody.
    RoundRobin,
    /// The same twice, with the sides exchanged.
    DoubleRoundRobin,
    /// The first so many meet all others.
    Gauntlet(usize),
    /// So many rounds, each against somebody with about as many points.
    Swiss(u32),
    /// Who loses is out.
    Knockout,
}

impl Kind {
    /// How often everybody meets everybody.
    pub(super) fn cycles(self) -> u64 {
        if self == Self::DoubleRoundRobin { 2 } else { 1 }
    }

    /// As the file has it.
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

/// What a game is worth.
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
    /// What these games are worth together.
    pub fn total(self, score: Score) -> f64 {
        self.win * score.wins as f64
            + self.draw * score.draws as f64
            + self.loss * score.losses as f64
    }

    /// What a result of 1, 1/2 or 0 is worth.
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

/// How games are opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningPlan {
    /// Not at all.
    None,
    /// By so many random moves; with `balanced`, only such that look fair.
    Random {
        /// How many.
        plies: u32,
        /// Whether both sides must have a chance.
        balanced: bool,
    },
    /// By those of a file, beside the tournament file.
    File(String),
}

/// Something wrong with a tournament file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// In which line, counted from 1; 0 where something is missing.
    pub line: usize,
    /// What.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Plan {
    /// What the tournament is, line by line: two plans with the same lines are the same tournament.
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
        pace_lines(&self.pace, &mut line);
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

    /// The names of those who play a game.
    pub fn names_of(&self, entrants: &[usize]) -> Vec<&str> {
        entrants.iter().map(|&it| self.players[it].name.as_str()).collect()
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<&str> {
        self.players.iter().map(|it| it.name.as_str()).collect()
    }

    /// The same for games of so many players, which a tournament file does not say; what stands in the
    /// way, if anything does. In games of more than two players every group of as many plays: see
    /// [`seating`].
    pub fn for_seats(mut self, seats: usize) -> Result<Self, String> {
        self.seats = seats;
        if seats == 2 {
            return Ok(self);
        }
        if seats < 2 {
            return Err("nobody plays against anybody in a game of one player".to_owned());
        }
        if self.players.len() < seats {
            return Err(format!("a game of {seats} players needs at least {seats} of them"));
        }
        let kind = match self.kind {
            Kind::RoundRobin | Kind::DoubleRoundRobin => None,
            kind => Some(format!("`kind {}`", kind.text())),
        };
        let balanced = matches!(self.openings, OpeningPlan::Random { balanced: true, .. })
            .then(|| "`openings balanced`".to_owned());
        let cut = (self.adjudication != Adjudication::default())
            .then(|| "ending games early (`resign`, `draw`)".to_owned());
        if let Some(what) = kind.or(balanced).or(cut) {
            return Err(format!("{what} is for games of two players; this one has {seats}"));
        }
        if self.expected_games() > MOST_GAMES {
            return Err(format!("a tournament has at most {MOST_GAMES} games"));
        }
        Ok(self)
    }

    /// How many sets of games every group plays in a cycle, where more than two play a game.
    pub fn sets(&self) -> u64 {
        u64::from(self.games_per_pairing).div_ceil(self.seats.max(1) as u64)
    }

    /// About how many games there will be; exactly, unless play-offs are needed.
    pub fn expected_games(&self) -> u64 {
        let players = self.players.len() as u64;
        if self.seats > 2 {
            let groups = seating::count_groups(self.players.len(), self.seats);
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

fn pace_lines(pace: &Pace, line: &mut impl FnMut(&str, String)) {
    let time = |it: Option<Duration>| it.map_or("-".to_owned(), |it| format!("{it:?}"));
    line("time", time(pace.per_move.or(pace.usual)));
    let clock = pace.clock.map(|it| format!("{:?}+{:?}", it.left, it.increment));
    line("clock", clock.unwrap_or_else(|| "-".to_owned()));
    line("nodes", pace.nodes.map_or("-".to_owned(), |it| it.to_string()));
    line("depth", pace.depth.map_or("-".to_owned(), |it| it.to_string()));
    line("grace", time(pace.grace));
}
