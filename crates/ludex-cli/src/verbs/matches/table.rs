//! The results of a match.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use ludex_arena::statistics::{Estimate, Pairs, Score, Sprt, SprtState, normal};
use ludex_arena::{Fixture, Played};
use serde_json::{Value, json};

use super::shares;
use crate::output::Out;

/// A game with its circumstances.
#[derive(Clone, Debug)]
pub(super) struct Report {
    /// Who plays, and from which opening.
    pub(super) fixture: Fixture,
    /// What happened.
    pub(super) played: Played,
}

impl Report {
    /// What `one` got against `other`; nothing if they did not both play.
    fn between(&self, one: usize, other: usize) -> Option<f64> {
        let seat = |player: usize| self.fixture.entrants.iter().position(|&it| it == player);
        Some(self.played.points.against(seat(one)?, seat(other)?))
    }
}

/// Who met whom, and with what result.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) players: Vec<String>,
    /// How many players a game has.
    pub(super) seats: usize,
    pub(super) games: Vec<Report>,
    sprt: Option<Sprt>,
}

impl Table {
    /// A table without games.
    pub(super) fn new(players: Vec<String>, seats: usize, sprt: Option<Sprt>) -> Self {
        Self { players, seats, games: Vec::new(), sprt }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, report: Report) {
        self.games.push(report);
    }

    /// Keeps the first so many games; gives the numbers of the others.
    pub(super) fn keep_first(&mut self, games: u64) -> Vec<u64> {
        let others = self.games.extract_if(.., |it| it.fixture.number >= games);
        others.map(|it| it.fixture.number).collect()
    }

    /// What `one` got against `other` in the games in which both played.
    fn score(&self, one: usize, other: usize) -> Score {
        let mut score = Score::default();
        self.games.iter().filter_map(|it| it.between(one, other)).for_each(|it| score.add(it));
        score
    }

    /// What `one` got against `other` in pairs of games from one opening.
    fn pairs(&self, one: usize, other: usize) -> Pairs {
        let mut openings: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for game in &self.games {
            let Some(points) = game.between(one, other) else { continue };
            openings.entry(game.fixture.opening).or_default().push(points);
        }
        let mut pairs = Pairs::default();
        for points in openings.values().filter(|it| it.len() == 2) {
            pairs.add(points[0] + points[1]);
        }
        pairs
    }

    /// What the test has come to, if there is one.
    pub(super) fn sprt_state(&self) -> Option<SprtState> {
        self.sprt.map(|it| it.state(self.pairs(0, 1)))
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
            score.add(game.played.points.of(0));
        }
        score
    }

    pub(super) fn overstep(&self) -> Duration {
        self.games.iter().map(|it| it.played.overstep).max().unwrap_or_default()
    }

    /// Tells everything.
    pub(super) fn tell(mut self, out: &mut Out) -> Result<()> {
        // Games that were played at once come in any order.
        self.games.sort_by_key(|it| it.fixture.number);
        if out.is_json() {
            out.json(&self.as_json())?;
            return Ok(());
        }
        if self.seats > 2 {
            return shares::tell(&self, out);
        }
        let widest = self.widest();
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
        if self.players.len() == 2 {
            self.tell_pairs(out)?;
        }
        let first = self.first();
        if first.games() == 0 {
            out.line("no game was played to its end")?;
            return Ok(());
        }
        out.line(format_args!(
            "the first player won {:.1} % of {} games; longest overstep {:.1} ms",
            100.0 * first.rate().value,
            first.games(),
            1000.0 * self.overstep().as_secs_f64(),
        ))?;
        Ok(())
    }

    /// How many letters the first column has: for the names, and for those of two who have met.
    fn widest(&self) -> usize {
        let mut lengths: Vec<usize> = self.players.iter().map(|it| it.chars().count()).collect();
        lengths.sort_unstable();
        let widest = match lengths.as_slice() {
            [.., _, one, other] => one + " : ".len() + other,
            _ => lengths.last().copied().unwrap_or(0),
        };
        widest.max("player".len())
    }

    /// Tells what pairs of games say.
    fn tell_pairs(&self, out: &mut Out) -> Result<()> {
        let pairs = self.pairs(0, 1);
        if pairs.count() > 0 {
            let counts: Vec<String> = pairs.0.iter().map(u64::to_string).collect();
            let mut line = format!("pairs with 0, ½, 1, 1½, 2 points: {}", counts.join(", "));
            if let Some(elo) = pairs.elo() {
                let [value, low, high] = [elo.value, elo.low, elo.high].map(elo_text);
                line.push_str(&format!("; Elo by pairs {value}, 95 % {low} .. {high}"));
            }
            out.line(line)?;
        }
        if let Some(los) = superiority(pairs, self.score(0, 1)) {
            let name = &self.players[0];
            out.line(format_args!("`{name}` is the stronger one with {:.1} %", 100.0 * los))?;
        }
        if let Some(test) = self.sprt {
            let (low, high) = test.bounds();
            let state = match test.state(pairs) {
                SprtState::Open => "undecided".to_owned(),
                SprtState::Low => format!("{} it is", test.low),
                SprtState::High => format!("{} it is", test.high),
            };
            out.line(format_args!(
                "test between {} and {} normalised Elo: {state} (log-likelihood ratio {:.2} of {low:.2} .. {high:.2})",
                test.low,
                test.high,
                test.log_likelihood_ratio(pairs),
            ))?;
        }
        Ok(())
    }

    fn sprt_json(&self) -> Value {
        let Some(test) = self.sprt else { return Value::Null };
        let pairs = self.pairs(0, 1);
        let (low, high) = test.bounds();
        json!({
            "low": test.low,
            "high": test.high,
            "llr": test.log_likelihood_ratio(pairs),
            "bounds": [low, high],
            "state": test.state(pairs).name(),
        })
    }

    fn as_json(&self) -> Value {
        let mut told = if self.seats > 2 { self.groups_json() } else { self.pairs_json() };
        told["games"] = self.games.iter().map(|it| self.game_json(it)).collect();
        told["longest_overstep"] = json!(self.overstep().as_secs_f64());
        told
    }

    /// What is told of a game for two.
    fn pairs_json(&self) -> Value {
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
            "table": self.meetings().map(|(one, other)| self.meeting_json(one, other)).collect::<Vec<_>>(),
            "elo": elo.collect::<Vec<_>>(),
            "first_player": estimate_json(self.first().rate()),
            "sprt": self.sprt_json(),
        })
    }

    /// What is told of a game for more.
    fn groups_json(&self) -> Value {
        let (players, seats) = shares::as_json(self);
        let table = self.meetings().map(|(one, other)| self.score_json(one, other));
        json!({ "table": table.collect::<Vec<_>>(), "shares": players, "seats": seats })
    }

    /// Every two players.
    fn meetings(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = self.players.len();
        (0..players).flat_map(move |one| (one + 1..players).map(move |other| (one, other)))
    }

    fn score_json(&self, one: usize, other: usize) -> Value {
        let score = self.score(one, other);
        json!({
            "a": self.players[one],
            "b": self.players[other],
            "games": score.games(),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "points": score.points(),
        })
    }

    fn meeting_json(&self, one: usize, other: usize) -> Value {
        let (score, pairs) = (self.score(one, other), self.pairs(one, other));
        let mut told = self.score_json(one, other);
        told["rate"] = estimate_json(score.rate());
        told["elo"] = estimate_json(score.elo());
        told["pentanomial"] = json!(pairs.0);
        told["elo_pairs"] = json!(pairs.elo().map(estimate_json));
        told["normalised_elo"] = json!(pairs.normalised_elo());
        told["superiority"] = json!(superiority(pairs, score));
        told
    }

    fn game_json(&self, game: &Report) -> Value {
        let names: Vec<&str> =
            game.fixture.entrants.iter().map(|&it| self.players[it].as_str()).collect();
        json!({
            "players": names,
            "first": names[0],
            "second": names[1],
            "number": game.fixture.opening,
            "opening": game.played.opening,
            "moves": game.played.moves.iter().map(|it| &it.name).collect::<Vec<_>>(),
            "points": game.played.points.of(0),
            "shares": game.played.points.all(),
            "end": game.played.end.name(),
            "reason": game.played.end.words(&names),
            "nodes": game.played.nodes,
        })
    }
}

/// How likely the first is the stronger one: by pairs where they vary, and else by games won and lost.
fn superiority(pairs: Pairs, score: Score) -> Option<f64> {
    let decided = score.wins + score.losses;
    let by_games = || {
        let difference = score.wins as f64 - score.losses as f64;
        (decided > 0).then(|| normal::below(difference / (decided as f64).sqrt()))
    };
    pairs.superiority().or_else(by_games)
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

pub(super) fn estimate_json(estimate: Estimate) -> Value {
    json!({
        "value": finite(estimate.value),
        "low": finite(estimate.low),
        "high": finite(estimate.high),
    })
}
