//! What was counted in random games.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::{Ending, count, has_points};

/// How often each result was seen.
pub(super) type Results = BTreeMap<String, u64>;

/// What was counted in random games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statistics {
    /// Games played.
    pub games: u64,
    /// Games that did not end within the limit.
    pub unfinished: u64,
    /// How many moves a game has.
    pub length: Length,
    /// How many moves there are to choose from, on average.
    pub branching: f64,
    /// How often each result was seen.
    pub results: BTreeMap<String, u64>,
    /// The points of each player, where there are points.
    pub points: Vec<Points>,
}

/// How many moves a game has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Length {
    /// On average.
    pub mean: f64,
    /// The fewest.
    pub min: u64,
    /// The most.
    pub max: u64,
}

/// The points of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The player.
    pub player: String,
    /// On average.
    pub mean: f64,
    /// The fewest.
    pub min: i64,
    /// The most.
    pub max: i64,
}

/// In a line.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = self.results.iter().map(|(it, n)| format!("{it}: {n}"));
        let points = self.points.iter().map(|Points { player, mean, min, max }| {
            format!("{player} {mean:.1} points ({min} to {max})")
        });
        let parts: Vec<String> = results.chain(points).collect();
        let Length { mean, min, max } = self.length;
        write!(
            f,
            "{}, {mean:.1} moves long ({min} to {max}), {:.1} to choose from; {}",
            count(self.games as i64, "random game"),
            self.branching,
            if parts.is_empty() { "no result".to_owned() } else { parts.join(", ") },
        )
    }
}

/// Counts games.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    /// Games played.
    pub(super) games: u64,
    /// Games that did not end within the limit.
    pub(super) unfinished: u64,
    /// How often each result was seen.
    pub(super) results: Results,
    plies: u64,
    shortest: u64,
    longest: u64,
    branching: u64,
    /// Lowest, highest and sum of each player's points, where there are points.
    points: Vec<(i64, i64, i64)>,
    players: Vec<String>,
}

impl Counter {
    /// No games, of these players.
    pub(super) fn new(players: Vec<String>) -> Self {
        Self { players, ..Self::default() }
    }

    /// Counts one game.
    pub(super) fn add(&mut self, length: u64, branching: u64, ending: Option<&Ending>) {
        self.shortest = if self.games == 0 { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.games += 1;
        self.plies += length;
        self.branching += branching;
        let Some(ending) = ending else {
            self.unfinished += 1;
            return;
        };
        *self.results.entry(ending.verdict.clone()).or_default() += 1;
        self.add_points(ending);
    }

    fn add_points(&mut self, ending: &Ending) {
        if self.points.is_empty() && !has_points(&ending.payoffs) {
            return;
        }
        self.points.resize(ending.payoffs.len(), (i64::MAX, i64::MIN, 0));
        for ((low, high, sum), score) in self.points.iter_mut().zip(ending.scores()) {
            *low = score.min(*low);
            *high = score.max(*high);
            *sum = sum.saturating_add(score);
        }
    }

    /// Games that ended.
    pub(super) fn finished(&self) -> u64 {
        self.games - self.unfinished
    }

    /// The counts as plain data.
    pub(super) fn statistics(self) -> Statistics {
        let finished = self.finished().max(1) as f64;
        let points = self.players.iter().zip(&self.points).map(|(player, &(min, max, sum))| {
            Points { player: player.clone(), mean: sum as f64 / finished, min, max }
        });
        Statistics {
            games: self.games,
            unfinished: self.unfinished,
            length: Length {
                mean: self.plies as f64 / self.games.max(1) as f64,
                min: self.shortest,
                max: self.longest,
            },
            branching: self.branching as f64 / self.plies.max(1) as f64,
            points: points.collect(),
            results: self.results,
        }
    }
}
