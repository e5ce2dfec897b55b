//! Standings and crosstable, as text and as JSON.

use std::collections::BTreeMap;

use ludex::Result;
use ludex_arena::record::{DATE_TAG, END_TAG, points, tag};
use ludex_arena::statistics::{Estimate, Score};
use ludex_arena::tournament::standings::crosstable;
use ludex_arena::tournament::{Plan, Results, Schedule, Standing, standings};
use ludex_core::record::Record;
use serde_json::{Value, json};

use super::folder::Folder;
use crate::output::Out;

/// The number of leaders in the progress line.
const LEADERS: usize = 3;

/// The results of a tournament.
#[derive(Clone, Debug)]
pub(super) struct Told<'a> {
    pub(super) plan: &'a Plan,
    pub(super) standings: Vec<Standing>,
    pub(super) table: Vec<Vec<Score>>,
    played: usize,
    expected: u64,
    complete: bool,
}

impl<'a> Told<'a> {
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

    fn name(&self, player: usize) -> &str {
        &self.plan.players[player].name
    }

    /// The expected number of games.
    pub(super) fn expected(&self) -> u64 {
        self.expected
    }

    /// The results as text.
    pub(super) fn text(&self) -> String {
        let Self { plan, played, expected, .. } = self;
        let games = plan.games.join(", ");
        let mut text = format!(
            "{}: {}, {games}; {played} of {expected} games played\n\n",
            plan.name,
            plan.kind.text()
        );
        self.standings_text(&mut text);
        text.push('\n');
        self.table_text(&mut text);
        text
    }

    fn standings_text(&self, text: &mut String) {
        let widest = self.widest();
        let is_published = self.plan.players.iter().any(|it| it.published.is_some());
        let beside = |it: &str| if is_published { format!(" {it:>9}") } else { String::new() };
        text.push_str(&format!(
            "{:>4} {:<widest$} {:>8}{} {:>6} {:>6} {:>6} {:>6} {:>9} {:>8} {:>15}\n",
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
        ));
        for line in &self.standings {
            let Score { wins, draws, losses } = line.score;
            let (rating, interval) = line.rating.map_or_else(Default::default, |it| {
                // A rating just below 0 is shown as +0.
                (
                    format!("{:+.0}", it.value.round() + 0.0),
                    format!("{:+.0} .. {:+.0}", it.low, it.high),
                )
            });
            let published = self.plan.players[line.player].published;
            let published = published.map(|it| it.to_string()).unwrap_or_default();
            text.push_str(&format!(
                "{:>3}. {:<widest$} {:>8}{} {:>6} {wins:>6} {draws:>6} {losses:>6} {:>9} {rating:>8} {interval:>15}\n",
                line.rank,
                self.name(line.player),
                line.points,
                beside(&published),
                line.games,
                line.sonneborn_berger,
            ));
        }
    }

    fn widest(&self) -> usize {
        self.plan.players.iter().map(|it| it.name.chars().count()).max().unwrap_or(0).max(6)
    }

    /// The crosstable, in the order of the standings.
    fn table_text(&self, text: &mut String) {
        let widest = self.widest();
        let cell = |one: usize, other: usize| match self.table[one][other] {
            _ if one == other => "·".to_owned(),
            it if it.games() == 0 => String::new(),
            it => self.plan.scoring.total(it).to_string(),
        };
        let order: Vec<usize> = self.standings.iter().map(|it| it.player).collect();
        let cells = order.iter().flat_map(|&one| order.iter().map(move |&other| cell(one, other)));
        let wide = cells.map(|it| it.chars().count()).max().unwrap_or(1).max(3);
        text.push_str(&format!("{:>4} {:<widest$}", "", ""));
        (1..=order.len()).for_each(|it| text.push_str(&format!(" {it:>wide$}")));
        text.push('\n');
        for (number, &one) in (1..).zip(&order) {
            text.push_str(&format!("{number:>3}. {:<widest$}", self.name(one)));
            order.iter().for_each(|&it| text.push_str(&format!(" {:>wide$}", cell(one, it))));
            text.push('\n');
        }
    }

    /// Prints the results.
    pub(super) fn tell(
        &self,
        folder: &Folder,
        schedule: &Schedule,
        records: &BTreeMap<u64, Record>,
        out: &mut Out,
    ) -> Result<()> {
        let report = folder.path("report.html").display().to_string();
        if out.is_json() {
            let mut value = self.as_json();
            value["report"] = json!(report);
            value["games"] = self.games_json(folder, schedule, records);
            out.json(&value)?;
        } else {
            out.text(&self.text())?;
            out.line(format_args!("\nreport: {report}"))?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let lines = self.standings.iter().map(|it| {
            json!({
                "rank": it.rank,
                "player": self.name(it.player),
                "points": it.points,
                "published": self.plan.players[it.player].published,
                "games": it.games,
                "wins": it.score.wins,
                "draws": it.score.draws,
                "losses": it.score.losses,
                "sonneborn_berger": it.sonneborn_berger,
                "direct": it.direct,
                "byes": it.byes,
                "rating": it.rating.map(|it| json!({ "value": it.value, "low": it.low, "high": it.high })),
            })
        });
        let mut table = Vec::new();
        for (one, row) in self.table.iter().enumerate() {
            for (other, &score) in row.iter().enumerate().skip(one + 1) {
                if score.games() > 0 {
                    table.push(self.meeting_json(one, other, score));
                }
            }
        }
        json!({
            "name": self.plan.name,
            "kind": self.plan.kind.text(),
            "complete": self.complete,
            "played": self.played,
            "expected": self.expected,
            "standings": lines.collect::<Vec<_>>(),
            "table": table,
        })
    }

    fn meeting_json(&self, one: usize, other: usize, score: Score) -> Value {
        let Estimate { value, low, high } = score.rate();
        let worth = |it| self.plan.scoring.total(it);
        json!({
            "a": self.name(one),
            "b": self.name(other),
            "games": score.games(),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "points": [worth(score), worth(self.table[other][one])],
            "rate": { "value": value, "low": low, "high": high },
        })
    }

    fn games_json(
        &self,
        folder: &Folder,
        schedule: &Schedule,
        records: &BTreeMap<u64, Record>,
    ) -> Value {
        let rounds = schedule
            .rounds
            .iter()
            .flat_map(|round| round.fixtures.iter().map(move |it| (round.number, it)));
        let mut games: Vec<(u64, Value)> = rounds
            .filter_map(|(round, it)| {
                let record = records.get(&it.number)?;
                let points = points(record)?;
                let value = json!({
                    "number": it.number + 1,
                    "round": round,
                    "game": record.game,
                    "players": self.plan.names_of(&it.entrants),
                    "first": self.name(it.entrants[0]),
                    "second": self.name(it.entrants[1]),
                    "points": points.of(0),
                    "shares": points.all(),
                    "date": tag(record, DATE_TAG),
                    "end": tag(record, END_TAG),
                    "moves": record.turns.len(),
                    "file": folder.path(&Folder::game(it.number)).display().to_string(),
                });
                Some((it.number, value))
            })
            .collect();
        games.sort_by_key(|it| it.0);
        Value::Array(games.into_iter().map(|it| it.1).collect())
    }
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
