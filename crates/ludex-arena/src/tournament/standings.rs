//! The table of a tournament.
//!
//! Ordered by points; between equals by the score of W. Sonneborn and J. Berger (the points of those
//! one has beaten, and half of those of drawn games), then by the games of the equals against each
//! other, then by wins. In a knockout whoever came further is ahead.

use std::cmp::Ordering;

use super::plan::Plan;
use super::schedule::{Results, Schedule, bye_points};
use crate::rating::{self, Encounter};
use crate::statistics::{Estimate, Score};

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The player, by its place in the plan.
    pub player: usize,
    /// Its place; equals share one.
    pub rank: usize,
    /// Its games.
    pub score: Score,
    /// Its points, as the organiser counts them, with those of rounds it had nobody to play.
    pub points: f64,
    /// The tie-break of Sonneborn and Berger.
    pub sonneborn_berger: f64,
    /// Its points against those who have as many points.
    pub direct: f64,
    /// In how many rounds it had nobody to play.
    pub byes: u32,
    /// Its rating, if anything was played; the mean of all is 0.
    pub rating: Option<Estimate>,
}

/// Who met whom with what result: `table[a][b]` is what `a` got against `b`.
pub fn cross_table(players: usize, schedule: &Schedule, results: &Results) -> Vec<Vec<Score>> {
    let mut table = vec![vec![Score::default(); players]; players];
    for (fixture, points) in played(schedule, results) {
        let [a, b] = fixture;
        table[a][b].add(points);
        table[b][a].add(1.0 - points);
    }
    table
}

fn played<'a>(
    schedule: &'a Schedule,
    results: &'a Results,
) -> impl Iterator<Item = ([usize; 2], f64)> + 'a {
    schedule.fixtures().filter_map(|it| Some((it.entrants, *results.get(&it.number)?)))
}

/// The encounters of a table, for ratings.
pub fn encounters(table: &[Vec<Score>]) -> Vec<Encounter> {
    let mut encounters = Vec::new();
    for (one, row) in table.iter().enumerate() {
        for (other, score) in row.iter().enumerate().skip(one + 1) {
            if score.games() > 0 {
                let (points, games) = (score.points(), score.games() as f64);
                encounters.push(Encounter { players: [one, other], points, games });
            }
        }
    }
    encounters
}

/// The table after these results, the first one first.
pub fn standings(plan: &Plan, schedule: &Schedule, results: &Results) -> Vec<Standing> {
    let players = plan.players.len();
    let table = cross_table(players, schedule, results);
    let encounters = encounters(&table);
    let ratings = (!encounters.is_empty()).then(|| rating::ratings(players, &encounters, 0.0));
    let byes = byes(players, schedule);
    let points = points(plan, schedule, &table, &byes);
    let equals = |one: usize, other: usize| points[one].total_cmp(&points[other]).is_eq();
    let mut lines: Vec<Standing> = (0..players)
        .map(|player| Standing {
            player,
            rank: 0,
            score: table[player].iter().fold(Score::default(), |sum, it| sum.plus(*it)),
            points: points[player],
            sonneborn_berger: table[player]
                .iter()
                .zip(&points)
                .map(|(it, of)| it.points() * of)
                .sum(),
            direct: (0..players)
                .filter(|&it| it != player && equals(it, player))
                .map(|it| plan.scoring.total(table[player][it]))
                .sum(),
            byes: byes[player],
            rating: ratings.as_ref().and_then(|it| it.get(player).copied()),
        })
        .collect();
    lines.sort_by(|a, b| order(schedule, a, b));
    for number in 0..lines.len() {
        let ties = number > 0 && order(schedule, &lines[number - 1], &lines[number]).is_eq();
        lines[number].rank = if ties { lines[number - 1].rank } else { number + 1 };
    }
    lines
}

/// Everybody's points. In a knockout nobody gets any for going on without playing.
fn points(plan: &Plan, schedule: &Schedule, table: &[Vec<Score>], byes: &[u32]) -> Vec<f64> {
    let bye = if schedule.reached.is_empty() { bye_points(plan) } else { 0.0 };
    let played = table.iter().map(|row| row.iter().map(|it| plan.scoring.total(*it)).sum::<f64>());
    played.zip(byes).map(|(played, byes)| played + bye * f64::from(*byes)).collect()
}

/// Who is ahead of whom.
fn order(schedule: &Schedule, a: &Standing, b: &Standing) -> Ordering {
    let reached = |it: &Standing| schedule.reached.get(it.player).copied().unwrap_or(0);
    reached(b)
        .cmp(&reached(a))
        .then(b.points.total_cmp(&a.points))
        .then(b.sonneborn_berger.total_cmp(&a.sonneborn_berger))
        .then(b.direct.total_cmp(&a.direct))
        .then(b.score.wins.cmp(&a.score.wins))
}

fn byes(players: usize, schedule: &Schedule) -> Vec<u32> {
    let mut byes = vec![0; players];
    // A round is drawn with its byes; they count when it has begun.
    schedule.rounds.iter().flat_map(|it| &it.byes).for_each(|&it| byes[it] += 1);
    byes
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;
    use crate::tournament::schedule::schedule;

    fn plan(players: usize, lines: &str) -> Plan {
        let players: Vec<String> = (0..players).map(|it| format!("player p{it}")).collect();
        let players = players.join("\n");
        Plan::parse(&format!("game a\n{players}\n{lines}\n")).expect("it is right")
    }

    fn table(plan: &Plan, result: impl Fn([usize; 2]) -> f64) -> Vec<Standing> {
        let schedule = schedule(plan, &Results::new());
        let results = schedule.fixtures().map(|it| (it.number, result(it.entrants))).collect();
        standings(plan, &schedule, &results)
    }

    #[test]
    fn points_are_as_the_organiser_says() {
        let plan = plan(3, "scoring 2 1 0\nkind double round-robin");
        let lines = table(&plan, |[a, b]| f64::from(u8::from(a < b)));
        let points: Vec<f64> = lines.iter().map(|it| it.points).collect();
        assert_eq!(points, [8.0, 4.0, 0.0]);
        assert_eq!(lines.iter().map(|it| it.rank).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(lines[0].rating.expect("they played").value > lines[2].rating.expect("too").value);
    }

    #[test]
    fn equals_share_a_place() {
        let lines = table(&plan(4, ""), |_| 0.5);
        assert!(lines.iter().all(|it| it.rank == 1 && it.points == 1.5), "{lines:?}");
    }

    #[test]
    fn ties_are_broken_by_whom_one_has_beaten() {
        // 0 beats 1, 1 beats 2, 2 beats 0, all beat 3; but 0 has drawn with 3.
        let lines = table(&plan(4, ""), |[a, b]| {
            let beats = |a, b| matches!((a, b), (0, 1) | (1, 2) | (2, 0) | (1 | 2, 3));
            if beats(a, b) {
                1.0
            } else if beats(b, a) {
                0.0
            } else {
                0.5
            }
        });
        // 1 and 2 have two points: 1 has beaten 2 (2 points), 2 has beaten 0 (1.5).
        assert_eq!(lines[0].player, 1, "{lines:?}");
        assert_eq!((lines[0].sonneborn_berger, lines[1].sonneborn_berger), (2.5, 2.0));
        assert_eq!((lines[0].direct, lines[1].direct), (1.0, 0.0));
    }

    #[test]
    fn totals_are_those_of_the_games() {
        let lines = table(&plan(6, "games 3"), |[a, b]| f64::from(u8::from((a * b) % 3 == 0)));
        let sum = |of: &dyn Fn(&Standing) -> f64| lines.iter().map(of).sum::<f64>();
        assert_eq!(sum(&|it| it.points), 45.0);
        assert_eq!(sum(&|it| it.score.wins as f64), sum(&|it| it.score.losses as f64));
    }
}
