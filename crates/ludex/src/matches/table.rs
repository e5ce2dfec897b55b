//! The crosstable of a match.

use std::collections::BTreeMap;
use std::time::Duration;

use ludex_arena::statistics::{Pentanomial, Score, Sprt, los, summary};
use ludex_arena::{Fixture, PlayedGame};

use super::group;
use super::report::{GameReport, MatchReport, Meeting, Standing, Test};
use crate::schema::Schema;

/// A game with its fixture.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The players and the opening.
    pub(super) fixture: Fixture,
    /// The played game.
    pub(super) played: PlayedGame,
}

impl Entry {
    /// The result of `one` against `other`; `None` if they did not both play.
    fn between(&self, one: usize, other: usize) -> Option<f64> {
        let seat = |player: usize| self.fixture.entrants.iter().position(|&it| it == player);
        Some(self.played.points.against(seat(one)?, seat(other)?))
    }
}

/// The games of a match, and what they say of the players.
#[derive(Clone, Debug)]
pub(super) struct Crosstable {
    pub(super) players: Vec<String>,
    /// The number of players of a game.
    pub(super) seats: usize,
    pub(super) games: Vec<Entry>,
    sprt: Option<Sprt>,
}

impl Crosstable {
    /// A table without games.
    pub(super) fn new(players: Vec<String>, seats: usize, sprt: Option<Sprt>) -> Self {
        Self { players, seats, games: Vec::new(), sprt }
    }

    /// Adds a game.
    pub(super) fn add(&mut self, fixture: Fixture, played: PlayedGame) {
        self.games.push(Entry { fixture, played });
    }

    /// Keeps the games with the first numbers; returns the numbers of the others.
    pub(super) fn keep_first(&mut self, games: u64) -> Vec<u64> {
        let others = self.games.extract_if(.., |it| it.fixture.number >= games);
        others.map(|it| it.fixture.number).collect()
    }

    /// The points of all players, in a line.
    pub(super) fn short(&self) -> String {
        let points: Vec<String> =
            (0..self.players.len()).map(|it| format!("{}", self.total(it).points())).collect();
        points.join(" : ")
    }

    /// The results.
    pub(super) fn report(mut self) -> MatchReport {
        // Games at once end in any order.
        self.games.sort_by_key(|it| it.fixture.number);
        let report = MatchReport {
            schema: Schema::of("match"),
            table: Vec::new(),
            elo: None,
            first_player: None,
            sprt: None,
            summary: None,
            shares: None,
            seats: None,
            games: self.games.iter().map(|it| self.game(it)).collect(),
            longest_overrun: self.overrun().as_secs_f64(),
        };
        if self.seats > 2 { self.of_groups(report) } else { self.of_pairs(report) }
    }

    /// The results of a game for two players.
    fn of_pairs(&self, report: MatchReport) -> MatchReport {
        let standing = |(number, name): (usize, &String)| Standing::new(name, self.total(number));
        MatchReport {
            table: self.meetings().map(|(one, other)| self.meeting(one, other)).collect(),
            elo: Some(self.players.iter().enumerate().map(standing).collect()),
            first_player: Some(self.first().rate().into()),
            sprt: self.sprt.map(|it| Test::new(it, self.pairs(0, 1))),
            summary: self.summary(),
            ..report
        }
    }

    /// The results of a game for more players.
    fn of_groups(&self, report: MatchReport) -> MatchReport {
        MatchReport {
            table: self.meetings().map(|(one, other)| self.score_of(one, other)).collect(),
            shares: Some(group::shares(self)),
            seats: Some(group::seats(self)),
            ..report
        }
    }

    /// Every two players.
    fn meetings(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = self.players.len();
        (0..players).flat_map(move |one| (one + 1..players).map(move |other| (one, other)))
    }

    /// The score of `one` against `other` in the games of both.
    fn score(&self, one: usize, other: usize) -> Score {
        let mut score = Score::default();
        self.games.iter().filter_map(|it| it.between(one, other)).for_each(|it| score.add(it));
        score
    }

    /// The score of a player against all others.
    fn total(&self, player: usize) -> Score {
        let others = (0..self.players.len()).filter(|&it| it != player);
        others.map(|it| self.score(player, it)).fold(Score::default(), Score::plus)
    }

    /// The score of `one` against `other` in pairs of games from one opening.
    fn pairs(&self, one: usize, other: usize) -> Pentanomial {
        let mut openings: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for game in &self.games {
            let Some(points) = game.between(one, other) else { continue };
            openings.entry(game.fixture.opening).or_default().push(points);
        }
        let mut pairs = Pentanomial::default();
        for points in openings.values().filter(|it| it.len() == 2) {
            pairs.add(points[0] + points[1]);
        }
        pairs
    }

    /// The score of the first player of each game.
    fn first(&self) -> Score {
        let mut score = Score::default();
        for game in &self.games {
            score.add(game.played.points.of(0));
        }
        score
    }

    /// The longest time overrun of a move.
    fn overrun(&self) -> Duration {
        self.games.iter().map(|it| it.played.overrun).max().unwrap_or_default()
    }

    /// The result line of two players who have met.
    fn summary(&self) -> Option<String> {
        let [one, other] = self.players.as_slice() else { return None };
        let (pairs, score) = (self.pairs(0, 1), self.score(0, 1));
        let line = || format!("{one} vs {other}: {}", summary(pairs, score, self.sprt));
        (score.games() > 0).then(line)
    }

    /// The score of two players against each other.
    fn score_of(&self, one: usize, other: usize) -> Meeting {
        let score = self.score(one, other);
        Meeting {
            a: self.players[one].clone(),
            b: self.players[other].clone(),
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            rate: None,
            elo: None,
            pentanomial: None,
            elo_pairs: None,
            normalised_elo: None,
            superiority: None,
        }
    }

    /// The same in a game of two, with what the pairs say.
    fn meeting(&self, one: usize, other: usize) -> Meeting {
        let (score, pairs) = (self.score(one, other), self.pairs(one, other));
        Meeting {
            rate: Some(score.rate().into()),
            elo: Some(score.elo().into()),
            pentanomial: Some(pairs.0),
            elo_pairs: pairs.elo().map(Into::into),
            normalised_elo: pairs.normalised_elo(),
            superiority: los(pairs, score),
            ..self.score_of(one, other)
        }
    }

    fn game(&self, game: &Entry) -> GameReport {
        let names: Vec<String> =
            game.fixture.entrants.iter().map(|&it| self.players[it].clone()).collect();
        GameReport {
            first: names[0].clone(),
            second: names[1].clone(),
            number: game.fixture.opening,
            opening: game.played.opening.clone(),
            moves: game.played.moves.iter().map(|it| it.name.clone()).collect(),
            points: game.played.points.of(0),
            shares: game.played.points.all().to_vec(),
            end: game.played.end.name().to_owned(),
            reason: game.played.end.words(&names),
            nodes: game.played.nodes.clone(),
            players: names,
        }
    }
}
