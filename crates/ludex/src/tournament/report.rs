//! Standings, crosstable and games of a tournament as plain data.

use std::collections::BTreeMap;
use std::fmt;

use ludex_arena::record::{DATE_TAG, END_TAG, points, tag};
use ludex_arena::statistics::Score;
use ludex_arena::tournament::standings::crosstable;
use ludex_arena::tournament::{Plan, Results, Schedule, Standing, standings};
use ludex_core::record::Record;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::folder::Folder;
use crate::matches::Interval;
use crate::schema::Schema;

/// The number of leaders in the progress line.
const LEADERS: usize = 3;

/// The results of a tournament: `ludex.tournament/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentReport {
    /// `ludex.tournament/1`.
    pub schema: Schema<1>,
    /// The name of the tournament.
    pub name: String,
    /// Its kind: `round-robin`, `swiss 5`, …
    pub kind: String,
    /// The games that are played, with their options.
    pub rules: Vec<String>,
    /// Whether all games were played.
    pub complete: bool,
    /// How many games were played.
    pub played: usize,
    /// How many games are expected.
    pub expected: u64,
    /// The players, the leader first.
    pub standings: Vec<Rank>,
    /// Every two players who have met.
    pub table: Vec<PairScore>,
    /// The games, in the order of their numbers.
    pub games: Vec<TournamentGame>,
    /// The file of the report in HTML.
    pub report: String,
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rank {
    /// Its rank; equals share one.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Its points by the scoring of the tournament, with those of its byes.
    pub points: f64,
    /// Its points in another table, where they are known.
    pub published: Option<f64>,
    /// How many games it played.
    pub games: u64,
    /// How many it won; in a game of more than two players, against each of them.
    pub wins: u64,
    /// How many it drew.
    pub draws: u64,
    /// How many it lost.
    pub losses: u64,
    /// The Sonneborn-Berger tie-break.
    pub sonneborn_berger: f64,
    /// The direct-encounter tie-break.
    pub direct: f64,
    /// How many byes it had.
    pub byes: u32,
    /// Its rating; the mean of all is 0.
    pub rating: Option<Interval>,
}

/// Two players who have met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairScore {
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
    /// The points of `a` and of `b`.
    pub points: [f64; 2],
    /// The rate of points of `a`.
    pub rate: Interval,
}

/// A game of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentGame {
    /// Its number, from 1.
    pub number: u64,
    /// Its round.
    pub round: u32,
    /// The game with its options.
    pub game: String,
    /// The players by seat.
    pub players: Vec<String>,
    /// The first of them.
    pub first: String,
    /// The second of them.
    pub second: String,
    /// The points of the first seat.
    pub points: f64,
    /// The points of each seat.
    pub shares: Vec<f64>,
    /// When it was played.
    pub date: Option<String>,
    /// How it ended, where the rules did not end it.
    pub end: Option<String>,
    /// How many moves it has.
    pub moves: usize,
    /// The file of its record.
    pub file: String,
}

/// The scores of a tournament, by the numbers of the players.
#[derive(Clone, Debug)]
pub(super) struct Scores<'a> {
    plan: &'a Plan,
    pub(super) standings: Vec<Standing>,
    pub(super) table: Vec<Vec<Score>>,
    played: usize,
    /// The expected number of games.
    pub(super) expected: u64,
    complete: bool,
}

impl<'a> Scores<'a> {
    pub(super) fn new(plan: &'a Plan, schedule: &Schedule, results: &Results) -> Self {
        let known = schedule.fixtures().count() as u64;
        Self {
            plan,
            standings: standings(plan, schedule, results),
            table: crosstable(plan.players.len(), schedule, results),
            played: results.len(),
            expected: if schedule.complete { known } else { known.max(plan.expected_games()) },
            complete: schedule.is_over(results),
        }
    }

    fn name(&self, player: usize) -> String {
        self.plan.players[player].name.clone()
    }

    /// The results as plain data.
    pub(super) fn report(
        &self,
        folder: &Folder,
        schedule: &Schedule,
        records: &BTreeMap<u64, Record>,
    ) -> TournamentReport {
        TournamentReport {
            schema: Schema::of("tournament"),
            name: self.plan.name.clone(),
            kind: self.plan.kind.text(),
            rules: self.plan.games.clone(),
            complete: self.complete,
            played: self.played,
            expected: self.expected,
            standings: self.standings.iter().map(|it| self.rank(it)).collect(),
            table: self.pairs(),
            games: self.games(folder, schedule, records),
            report: folder.path("report.html").display().to_string(),
        }
    }

    fn rank(&self, it: &Standing) -> Rank {
        Rank {
            rank: it.rank,
            player: self.name(it.player),
            points: it.points,
            published: self.plan.players[it.player].published,
            games: it.games,
            wins: it.score.wins,
            draws: it.score.draws,
            losses: it.score.losses,
            sonneborn_berger: it.sonneborn_berger,
            direct: it.direct,
            byes: it.byes,
            rating: it.rating.map(Into::into),
        }
    }

    fn pairs(&self) -> Vec<PairScore> {
        let players = self.table.len();
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
        let met = pairs.filter(|&(one, other)| self.table[one][other].games() > 0);
        met.map(|(one, other)| self.pair(one, other)).collect()
    }

    fn pair(&self, one: usize, other: usize) -> PairScore {
        let score = self.table[one][other];
        let worth = |it| self.plan.scoring.total(it);
        PairScore {
            a: self.name(one),
            b: self.name(other),
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: [worth(score), worth(self.table[other][one])],
            rate: score.rate().into(),
        }
    }

    fn games(
        &self,
        folder: &Folder,
        schedule: &Schedule,
        records: &BTreeMap<u64, Record>,
    ) -> Vec<TournamentGame> {
        let rounds = schedule.rounds.iter();
        let fixtures =
            rounds.flat_map(|round| round.fixtures.iter().map(move |it| (round.number, it)));
        let game = |(round, it): (u32, &ludex_arena::Fixture)| {
            let record = records.get(&it.number)?;
            let points = points(record)?;
            Some(TournamentGame {
                number: it.number + 1,
                round,
                game: record.game.clone(),
                players: it.entrants.iter().map(|&it| self.name(it)).collect(),
                first: self.name(it.entrants[0]),
                second: self.name(it.entrants[1]),
                points: points.of(0),
                shares: points.all().to_vec(),
                date: tag(record, DATE_TAG).map(str::to_owned),
                end: tag(record, END_TAG).map(str::to_owned),
                moves: record.turns.len(),
                file: folder.path(&Folder::game(it.number)).display().to_string(),
            })
        };
        let mut games: Vec<TournamentGame> = fixtures.filter_map(game).collect();
        games.sort_by_key(|it| it.number);
        games
    }
}

/// The standings and the crosstable.
impl fmt::Display for TournamentReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, kind, rules, played, expected, .. } = self;
        let rules = rules.join(", ");
        writeln!(f, "{name}: {kind}, {rules}; {played} of {expected} games played\n")?;
        self.write_standings(f)?;
        writeln!(f)?;
        self.write_table(f)
    }
}

impl TournamentReport {
    fn widest(&self) -> usize {
        self.standings.iter().map(|it| it.player.chars().count()).max().unwrap_or(0).max(6)
    }

    fn write_standings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.widest();
        let is_published = self.standings.iter().any(|it| it.published.is_some());
        let beside = |it: &str| if is_published { format!(" {it:>9}") } else { String::new() };
        writeln!(
            f,
            "{:>4} {:<widest$} {:>8}{} {:>6} {:>6} {:>6} {:>6} {:>9} {:>8} {:>15}",
            "",
            "player",
            "points",
            beside("published"),
            "games",
            "won",
            "drawn",
            "lost",
            "S.-B.",
            "rating",
            "95 %",
        )?;
        for it in &self.standings {
            let (rating, interval) = it.rating.map_or_else(Default::default, rating_texts);
            let published = it.published.map(|it| it.to_string()).unwrap_or_default();
            writeln!(
                f,
                "{:>3}. {:<widest$} {:>8}{} {:>6} {:>6} {:>6} {:>6} {:>9} {rating:>8} {interval:>15}",
                it.rank,
                it.player,
                it.points,
                beside(&published),
                it.games,
                it.wins,
                it.draws,
                it.losses,
                it.sonneborn_berger,
            )?;
        }
        Ok(())
    }

    /// The crosstable, in the order of the standings.
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.widest();
        let cells: Vec<Vec<String>> = self.standings.iter().map(|one| self.row(one)).collect();
        let wide = cells.iter().flatten().map(|it| it.chars().count()).max().unwrap_or(1).max(3);
        write!(f, "{:>4} {:<widest$}", "", "")?;
        (1..=cells.len()).try_for_each(|it| write!(f, " {it:>wide$}"))?;
        writeln!(f)?;
        for (number, (one, cells)) in (1..).zip(self.standings.iter().zip(&cells)) {
            write!(f, "{number:>3}. {:<widest$}", one.player)?;
            cells.iter().try_for_each(|it| write!(f, " {it:>wide$}"))?;
            writeln!(f)?;
        }
        Ok(())
    }

    /// The points of a player against each one, in the order of the standings.
    fn row(&self, one: &Rank) -> Vec<String> {
        let one = &one.player;
        let points = |other: &String| {
            let found = self.table.iter().find_map(|it| {
                let is_first = it.a == *one && it.b == *other;
                let is_second = it.b == *one && it.a == *other;
                (is_first || is_second).then(|| it.points[usize::from(is_second)])
            });
            found.map(|it| it.to_string()).unwrap_or_default()
        };
        let cell = |it: &Rank| if it.player == *one { "·".to_owned() } else { points(&it.player) };
        self.standings.iter().map(cell).collect()
    }
}

/// A rating, and its interval.
fn rating_texts(it: Interval) -> (String, String) {
    let signed = |it: Option<f64>| it.map(|it| format!("{it:+.0}")).unwrap_or_default();
    // A rating just below 0 is shown as +0.
    let rating = signed(it.value.map(|it| it.round() + 0.0));
    (rating, format!("{} .. {}", signed(it.low), signed(it.high)))
}

/// The leaders, in a line.
pub(super) fn leaders(plan: &Plan, schedule: &Schedule, results: &Results) -> String {
    let mut points: Vec<(f64, usize)> = (0..plan.players.len()).map(|it| (0.0, it)).collect();
    for fixture in schedule.fixtures() {
        let Some(result) = results.get(&fixture.number) else { continue };
        for ([one, other], result) in result.pairs() {
            let (Some(&one), Some(&other)) =
                (fixture.entrants.get(one), fixture.entrants.get(other))
            else {
                continue;
            };
            points[one].0 += plan.scoring.worth(result);
            points[other].0 += plan.scoring.worth(1.0 - result);
        }
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = points
        .iter()
        .take(LEADERS)
        .map(|(it, player)| format!("{} {it}", plan.players[*player].name));
    shown.collect::<Vec<_>>().join(", ")
}
