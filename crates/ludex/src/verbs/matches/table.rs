//! The results of a match.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::Report;
use crate::output::Out;
use ludex_arena::statistics::{Estimate, Score};

/// Who met whom, and with what result.
#[derive(Clone, Debug)]
pub(super) struct Table {
    players: Vec<String>,
    games: Vec<Report>,
}

impl Table {
    /// A table without games.
    pub(super) fn new(players: Vec<String>) -> Self {
        Self { players, games: Vec::new() }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, report: Report) {
        self.games.push(report);
    }

    /// How many games there are.
    pub(super) fn games(&self) -> usize {
        self.games.len()
    }

    /// What `one` got against `other`.
    fn score(&self, one: usize, other: usize) -> Score {
        let mut score = Score::default();
        for game in &self.games {
            if game.players == [one, other] {
                score.add(game.played.points);
            } else if game.players == [other, one] {
                score.add(1.0 - game.played.points);
            }
        }
        score
    }

    /// What a player got against all others.
    fn total(&self, player: usize) -> Score {
        let others = (0..self.players.len()).filter(|&it| it != player);
        others.map(|it| self.score(player, it)).fold(Score::default(), Score::plus)
    }

    /// The score so far in a few words.
    pub(super) fn short(&self) -> String {
        let points: Vec<String> =
            (0..self.players.len()).map(|it| format!("{}", self.total(it).points())).collect();
        points.join(" : ")
    }

    /// The first player's score, whoever it was.
    fn first(&self) -> Score {
        let mut score = Score::default();
        for game in &self.games {
            score.add(game.played.points);
        }
        score
    }

    fn overstep(&self) -> Duration {
        self.games.iter().map(|it| it.played.overstep).max().unwrap_or_default()
    }

    /// Tells everything.
    pub(super) fn tell(mut self, out: &mut Out) -> Result<()> {
        // Games that were played at once come in any order.
        self.games.sort_by_key(|it| (it.number, it.players[0].min(it.players[1])));
        if out.is_json() {
            out.json(&self.as_json())?;
            return Ok(());
        }
        let widest = self.players.iter().map(|it| it.chars().count()).max().unwrap_or(0);
        out.line(format_args!(
            "{:<widest$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>15} {:>7} {:>15}",
            "player", "games", "won", "drawn", "lost", "points", "%", "95 %", "Elo", "95 %",
        ))?;
        for (number, name) in self.players.iter().enumerate() {
            out.line(row(name, widest, self.total(number)))?;
        }
        if self.players.len() > 2 {
            for one in 0..self.players.len() {
                for other in one + 1..self.players.len() {
                    let names = format!("{} : {}", self.players[one], self.players[other]);
                    out.line(row(&names, widest, self.score(one, other)))?;
                }
            }
        }
        let first = self.first();
        out.line(format_args!(
            "the first player won {:.1} % of {} games; longest overstep {:.1} ms",
            100.0 * first.rate().value,
            first.games(),
            1000.0 * self.overstep().as_secs_f64(),
        ))?;
        Ok(())
    }

    fn as_json(&self) -> Value {
        let mut table = Vec::new();
        for one in 0..self.players.len() {
            for other in one + 1..self.players.len() {
                let score = self.score(one, other);
                table.push(json!({
                    "a": self.players[one],
                    "b": self.players[other],
                    "games": score.games(),
                    "wins": score.wins,
                    "draws": score.draws,
                    "losses": score.losses,
                    "points": score.points(),
                    "rate": estimate_json(score.rate()),
                    "elo": estimate_json(score.elo()),
                }));
            }
        }
        let elo = self.players.iter().enumerate().map(|(number, name)| {
            let score = self.total(number);
            let Estimate { value, low, high } = score.elo();
            json!({
                "player": name,
                "points": score.points(),
                "games": score.games(),
                "rate": estimate_json(score.rate()),
                "elo": finite(value),
                "low": finite(low),
                "high": finite(high),
            })
        });
        json!({
            "table": table,
            "elo": elo.collect::<Vec<_>>(),
            "games": self.games.iter().map(|it| self.game_json(it)).collect::<Vec<_>>(),
            "first_player": estimate_json(self.first().rate()),
            "longest_overstep": self.overstep().as_secs_f64(),
        })
    }

    fn game_json(&self, game: &Report) -> Value {
        json!({
            "first": self.players[game.players[0]],
            "second": self.players[game.players[1]],
            "number": game.number,
            "opening": game.opening,
            "moves": game.played.moves,
            "points": game.played.points,
            "end": game.played.end.name(),
            "nodes": game.played.nodes,
        })
    }
}

fn row(name: &str, widest: usize, score: Score) -> String {
    let (rate, elo) = (score.rate(), score.elo());
    format!(
        "{name:<widest$} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8.1} {:>15} {:>7} {:>15}",
        score.games(),
        score.wins,
        score.draws,
        score.losses,
        score.points(),
        100.0 * rate.value,
        format!("{:.1} .. {:.1}", 100.0 * rate.low, 100.0 * rate.high),
        elo_text(elo.value),
        format!("{} .. {}", elo_text(elo.low), elo_text(elo.high)),
    )
}

fn elo_text(elo: f64) -> String {
    if elo.is_finite() {
        format!("{elo:+.0}")
    } else if elo > 0.0 {
        "+∞".to_owned()
    } else {
        "−∞".to_owned()
    }
}

/// JSON has no infinity.
fn finite(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { Value::Null }
}

fn estimate_json(estimate: Estimate) -> Value {
    json!({
        "value": finite(estimate.value),
        "low": finite(estimate.low),
        "high": finite(estimate.high),
    })
}
