//! What was counted in random games.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::{Ending, count, has_points};

/// What was counted in random games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// While games are counted, means are sums.
impl Statistics {
    /// Counts one game of these players.
    pub(super) fn add(
        &mut self,
        players: &[String],
        length: u64,
        branching: u64,
        ending: Option<&Ending>,
    ) {
        let Length { mean, min, max } = &mut self.length;
        *min = if self.games == 0 { length } else { length.min(*min) };
        *max = length.max(*max);
        *mean += length as f64;
        self.branching += branching as f64;
        self.games += 1;
        match ending {
            Some(ending) => {
                *self.results.entry(ending.verdict.clone()).or_default() += 1;
                self.add_points(players, ending);
            }
            None => self.unfinished += 1,
        }
    }

    fn add_points(&mut self, players: &[String], ending: &Ending) {
        if self.points.is_empty() {
            if !has_points(&ending.payoffs) {
                return;
            }
            let none = |player: &String| Points {
                player: player.clone(),
                mean: 0.0,
                min: i64::MAX,
                max: i64::MIN,
            };
            self.points = players.iter().map(none).collect();
        }
        for (points, score) in self.points.iter_mut().zip(ending.scores()) {
            points.min = score.min(points.min);
            points.max = score.max(points.max);
            points.mean += score as f64;
        }
    }

    /// Games that ended.
    pub(super) fn finished(&self) -> u64 {
        self.games - self.unfinished
    }

    /// Makes means of the sums.
    pub(super) fn averaged(mut self) -> Self {
        let (plies, finished) = (self.length.mean, self.finished().max(1) as f64);
        self.branching /= plies.max(1.0);
        self.length.mean /= self.games.max(1) as f64;
        self.points.iter_mut().for_each(|it| it.mean /= finished);
        self
    }
}
