//! Ratings from records of games.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ludex_arena::rating::{HeadToHead, MOST_PLAYERS, ratings, weight};
use ludex_arena::record::points;
use ludex_arena::statistics::{Estimate, Score};
use ludex_core::record::Record;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::schema::Schema;

/// The ratings of players, on the Elo scale: `ludex.ratings/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatingReport {
    /// `ludex.ratings/1`.
    pub schema: Schema<1>,
    /// The players, the best first.
    pub ratings: Vec<Rating>,
    /// How many games were counted.
    pub games: u64,
    /// How many records were left out: of games without a result, or of one player.
    pub skipped: u64,
}

/// The rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rating {
    /// The player.
    pub player: String,
    /// The rating.
    pub rating: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many games it played.
    pub games: u64,
    /// How many it won; in a game of more than two players, against each of them.
    pub wins: u64,
    /// How many it drew.
    pub draws: u64,
    /// How many it lost.
    pub losses: u64,
    /// Its points, at most one in each game.
    pub points: f64,
}

impl Rating {
    fn new(rating: Estimate, player: Player) -> Self {
        let Estimate { value, low, high } = rating;
        let Score { wins, draws, losses } = player.score;
        let Player { name, games, points, .. } = player;
        Self { player: name, rating: value, low, high, games, wins, draws, losses, points }
    }
}

/// A table.
impl fmt::Display for RatingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.ratings.iter().map(|it| it.player.chars().count()).max();
        let widest = widest.unwrap_or(0).max(6);
        writeln!(
            f,
            "{:>4} {:<widest$} {:>8} {:>8} {:>6} {:>8} {:>6}",
            "", "player", "rating", "± 95 %", "games", "points", "%"
        )?;
        for (number, it) in (1..).zip(&self.ratings) {
            writeln!(
                f,
                "{number:>3}. {:<widest$} {:>8.0} {:>8.0} {:>6} {:>8} {:>6.1}",
                it.player,
                it.rating,
                it.high - it.rating,
                it.games,
                it.points,
                100.0 * it.points / it.games.max(1) as f64,
            )?;
        }
        Ok(())
    }
}

/// Rates the players of records by the Bradley-Terry model, with `mean` as the mean of the ratings
/// and only games of the name `game`, if one is given.
pub fn rate<'r>(
    records: impl IntoIterator<Item = &'r Record>,
    game: Option<&str>,
    mean: f64,
) -> Result<RatingReport> {
    let mut book = Book::default();
    records.into_iter().for_each(|it| book.add(it, game));
    if book.players.is_empty() {
        return Err(Error::new("there is no finished game of two players or more to rate"));
    }
    if book.players.len() > MOST_PLAYERS {
        return Err(Error::new(format!("at most {MOST_PLAYERS} players are rated together")));
    }
    let met: Vec<HeadToHead> = book.met.values().copied().collect();
    let estimates = ratings(book.players.len(), &met, mean);
    let players = estimates.into_iter().zip(book.players);
    let mut ratings: Vec<Rating> = players.map(|(it, player)| Rating::new(it, player)).collect();
    ratings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let (schema, games) = (Schema::of("ratings"), book.games);
    Ok(RatingReport { schema, ratings, games, skipped: book.skipped })
}

/// A player and its games.
#[derive(Clone, Debug, Default)]
struct Player {
    name: String,
    games: u64,
    points: f64,
    score: Score,
}

/// The games that count.
#[derive(Debug, Default)]
struct Book {
    numbers: BTreeMap<String, usize>,
    players: Vec<Player>,
    met: BTreeMap<[usize; 2], HeadToHead>,
    games: u64,
    skipped: u64,
}

impl Book {
    fn add(&mut self, record: &Record, game: Option<&str>) {
        let name = record.game.split(':').next().unwrap_or_default();
        if game.is_some_and(|it| it != name && it != record.game) {
            return;
        }
        let seats = record.players.len();
        let Some(points) = points(record).filter(|it| it.seats() == seats) else {
            self.skipped += 1;
            return;
        };
        let names: BTreeSet<&String> = record.players.iter().collect();
        if names.len() < seats {
            // A game of a player against itself says nothing about its strength.
            self.skipped += 1;
            return;
        }
        let numbers: Vec<usize> = record.players.iter().map(|it| self.number(it)).collect();
        for (seat, &number) in numbers.iter().enumerate() {
            self.players[number].games += 1;
            self.players[number].points += points.of(seat);
        }
        for ([one, other], points) in points.pairs() {
            self.meet([numbers[one], numbers[other]], points, weight(seats));
        }
        self.games += 1;
    }

    /// Adds a result of the first player against the second.
    fn meet(&mut self, pair: [usize; 2], points: f64, weight: f64) {
        self.players[pair[0]].score.add(points);
        self.players[pair[1]].score.add(1.0 - points);
        let (pair, points) =
            if pair[0] < pair[1] { (pair, points) } else { ([pair[1], pair[0]], 1.0 - points) };
        let met =
            self.met.entry(pair).or_insert(HeadToHead { players: pair, points: 0.0, games: 0.0 });
        met.points += weight * points;
        met.games += weight;
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.players.push(Player { name: name.to_owned(), ..Player::default() });
        self.numbers.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }
}
