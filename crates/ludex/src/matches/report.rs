//! The results of a match as plain data.

use ludex_arena::statistics::{Estimate, Score, Sprt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::Schema;

/// The results of a match: `ludex.match/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchReport {
    /// `ludex.match/1`.
    pub schema: Schema<1>,
    /// Every two players against each other.
    pub table: Vec<Meeting>,
    /// Each player against all others, in a game of two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elo: Option<Vec<Standing>>,
    /// The share of points of the player who moves first, in a game of two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first_player: Option<Interval>,
    /// The sequential test, if there was one.
    pub sprt: Option<Test>,
    /// `A vs B: Elo +12.3 ± 8.1, LOS 99.8 %`, for two players who have met.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<String>,
    /// Each player's shares, in a game of more than two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shares: Option<Vec<Share>>,
    /// The share of points of each seat, in a game of more than two.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seats: Option<Vec<Interval>>,
    /// The games, in the order of their numbers.
    pub games: Vec<GameReport>,
    /// The longest time overrun of a move, in seconds.
    pub longest_overrun: f64,
}

/// A value with its 95 % interval; nothing stands for infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// The estimate.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl From<Estimate> for Interval {
    fn from(estimate: Estimate) -> Self {
        let finite = |it: f64| it.is_finite().then_some(it);
        Self {
            value: finite(estimate.value),
            low: finite(estimate.low),
            high: finite(estimate.high),
        }
    }
}

/// Two players against each other; all is from the view of `a`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Meeting {
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// How many games they played.
    pub games: u64,
    /// How many `a` won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many `a` lost.
    pub losses: u64,
    /// Points of `a`: 1 for a win, ½ for a draw.
    pub points: f64,
    /// The rate of points, with its Wilson interval.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rate: Option<Interval>,
    /// The Elo difference of the games.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub elo: Option<Interval>,
    /// How many pairs of games from one opening gave `a` 0, ½, 1, 1½ and 2 points.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pentanomial: Option<[u64; 5]>,
    /// The Elo difference of the pairs, where they vary.
    pub elo_pairs: Option<Interval>,
    /// The difference in normalised Elo.
    pub normalised_elo: Option<f64>,
    /// The likelihood of superiority (LOS) of `a`.
    pub superiority: Option<f64>,
}

/// A player against all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The player.
    pub player: String,
    /// Points: 1 for a win, ½ for a draw.
    pub points: f64,
    /// How many games it played.
    pub games: u64,
    /// How many it won.
    pub won: u64,
    /// How many it drew.
    pub drawn: u64,
    /// How many it lost.
    pub lost: u64,
    /// The rate of points, with its Wilson interval.
    pub rate: Interval,
    /// The Elo difference to the others.
    pub elo: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
}

impl Standing {
    /// The standing of a player with this score.
    pub(super) fn new(player: &str, score: Score) -> Self {
        let Interval { value, low, high } = score.elo().into();
        Self {
            player: player.to_owned(),
            points: score.points(),
            games: score.games(),
            won: score.wins,
            drawn: score.draws,
            lost: score.losses,
            rate: score.rate().into(),
            elo: value,
            low,
            high,
        }
    }
}

/// A player in games of more than two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The player.
    pub player: String,
    /// How many games it played.
    pub games: u64,
    /// How many it won.
    pub won: u64,
    /// Points: in each game the part of its opponents behind it, a level one counting half.
    pub points: f64,
    /// The rate of points with its interval.
    pub rate: Interval,
    /// Its rank.
    pub place: usize,
    /// The best and the worst rank that its interval allows.
    pub places: [usize; 2],
}

/// A sequential probability ratio test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    /// The difference of H0, in normalised Elo.
    pub low: f64,
    /// The difference of H1.
    pub high: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where it accepts H0 and where H1.
    pub bounds: [f64; 2],
    /// `low` (H0 accepted), `high` (H1 accepted) or `undecided`.
    pub state: String,
}

impl Test {
    /// The test after these pairs.
    pub(super) fn new(test: Sprt, pairs: ludex_arena::statistics::Pentanomial) -> Self {
        let (low, high) = test.bounds();
        Self {
            low: test.elo0,
            high: test.elo1,
            llr: test.llr(pairs),
            bounds: [low, high],
            state: test.state(pairs).name().to_owned(),
        }
    }

    /// Whether it accepted one of the two.
    pub fn is_decided(&self) -> bool {
        self.state != ludex_arena::statistics::SprtState::Undecided.name()
    }
}

/// A game of the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameReport {
    /// The players by seat.
    pub players: Vec<String>,
    /// The first of them.
    pub first: String,
    /// The second of them.
    pub second: String,
    /// The number of the opening: the games of a pair have the same.
    pub number: u64,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves after it.
    pub moves: Vec<String>,
    /// The points of the first seat.
    pub points: f64,
    /// The points of each seat.
    pub shares: Vec<f64>,
    /// Why the game ended: `rules`, `time`, `resigned`, …
    pub end: String,
    /// The same in a sentence, where the rules did not end the game.
    pub reason: Option<String>,
    /// The nodes that each seat searched.
    pub nodes: Vec<u64>,
}
