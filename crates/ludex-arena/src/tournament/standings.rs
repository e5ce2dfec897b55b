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
    /// How many games it has played.
    pub games: u64,
    /// What it made against others: in a game of more players, against each of them.
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

/// Who met whom with what result: `table[a][b]` is what `a` got against `b`. In a game of more players
/// every two of them have met.
pub fn cross_table(players: usize, schedule: &Schedule, results: &Results) -> Vec<Vec<Score>> {
    let mut table = vec![vec![Score::default(); players]; players];
    for fixture in schedule.fixtures() {
        let Some(points) = results.get(&fixture.number) else { continue };
        for ([one, other], points) in points.pairs() {
            let (Some(&a), Some(&b)) = (fixture.entrants.get(one), fixture.entrants.get(other))
            else {
                continue;
            };
            table[a][b].add(points);
            table[b][a].add(1.0 - points);
        }
    }
    table
}

/// The encounters of a table of games of so many players, for ratings.
pub fn encounters(table: &[Vec<Score>], seats: usize) -> Vec<Encounter> {
    let weight = rating::weight(seats);
    let mut encounters = Vec::new();
    for (one, row) in table.iter().enumerate() {
        for (other, score) in row.iter().enumerate().skip(one + 1) {
            if score.games() > 0 {
                let (points, games) = (weight * score.points(), weight * score.games() as f64);
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
    let encounters = encounters(&table, plan.seats);
    let ratings = (!encounters.is_empty()).then(|| rating::ratings(players, &encounters, 0.0));
    let byes = byes(players, schedule);
    let games = games(players, schedule, results);
    let points = points(plan, schedule, &table, &byes);
    let equals = |one: usize, other: usize| points[one].total_cmp(&points[other]).is_eq();
    let mut lines: Vec<Standing> = (0..players)
        .map(|player| Standing {
            player,
            rank: 0,
            games: games[player],
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

fn games(players: usize, schedule: &Schedule, results: &Results) -> Vec<u64> {
    let mut games = vec![0; players];
    let played = schedule.fixtures().filter(|it| results.contains_key(&it.number));
    played.flat_map(|it| &it.entrants).for_each(|&it| games[it] += 1);
    games
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
    use crate::points::Points;
    use crate::tournament::schedule::schedule;

    fn plan(players: usize, lines: &str) -> Plan {
        let players: Vec<String> = (0..players).map(|it| format!("player p{it}")).collect();
        let players = players.join("\n");
        Plan::parse(&format!("game a\n{players}\n{lines}\n")).expect("it is right")
    }

    fn table(plan: &Plan, result: impl Fn([usize; 2]) -> f64) -> Vec<Standing> {
        let schedule = schedule(plan, &Results::new());
        let points = |it: &[usize]| {
            let first = result([it[0], it[1]]);
            Points::of_values(&[first, 1.0 - first])
        };
        let results = schedule.fixtures().map(|it| (it.number, points(&it.entrants))).collect();
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
    fn in_games_of_three_everybody_is_held_against_both_others() {
        let plan = plan(4, "scoring 2 1 0").for_seats(3).expect("it is right");
        let schedule = schedule(&plan, &Results::new());
        // The upper one of the list always wins, and the others lose.
        let points = |it: &[usize]| {
            let best = it.iter().min();
            Points::of_values(
                &it.iter().map(|it| f64::from(u8::from(Some(it) == best))).collect::<Vec<_>>(),
            )
        };
        let results = schedule.fixtures().map(|it| (it.number, points(&it.entrants))).collect();
        let lines = standings(&plan, &schedule, &results);
        // Three groups of three games each: 0 has won nine, with two others each time.
        let told: Vec<_> = lines.iter().map(|it| (it.player, it.games, it.points)).collect();
        assert_eq!(told, [(0, 9, 36.0), (1, 9, 18.0), (2, 9, 9.0), (3, 9, 9.0)]);
        assert_eq!((lines[0].score.wins, lines[1].score.wins, lines[1].score.losses), (18, 6, 6));
        let ratings: Vec<f64> = lines.iter().filter_map(|it| Some(it.rating?.value)).collect();
        assert!(ratings.is_sorted_by(|a, b| *a > b - 1e-6), "{ratings:?}");
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
