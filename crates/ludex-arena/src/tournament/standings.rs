//! Standings and crosstable of a tournament.
//!
//! The order is by points; ties are broken by Sonneborn-Berger (the points of beaten opponents and half
//! of those of drawn ones), then by the direct encounters of the tied players, then by wins. In a
//! knockout the rounds that a player survived come first.

use std::cmp::Ordering;

use super::plan::Plan;
use super::schedule::{Results, Schedule, bye_points};
use crate::rating::{self, HeadToHead};
use crate::statistics::{Estimate, Score};

/// A line of the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The index of the player in the plan.
    pub player: usize,
    /// Its rank; equals share one.
    pub rank: usize,
    /// The number of its games.
    pub games: u64,
    /// Its wins, draws and losses; in a game of more players, against each of them.
    pub score: Score,
    /// Its points by the scoring of the plan, with those of its byes.
    pub points: f64,
    /// The Sonneborn-Berger tie-break.
    pub sonneborn_berger: f64,
    /// The direct-encounter tie-break: its points against the players with as many points.
    pub direct: f64,
    /// The number of its byes.
    pub byes: u32,
    /// Its rating, if a game was played; the mean of all is 0.
    pub rating: Option<Estimate>,
}

/// The crosstable: `table[a][b]` is the score of `a` against `b`. A game of more players counts as one
/// game of every two of them.
pub fn crosstable(players: usize, schedule: &Schedule, results: &Results) -> Vec<Vec<Score>> {
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

/// The head-to-head results of a crosstable, for ratings; `seats` is the number of players of a game.
pub fn head_to_heads(table: &[Vec<Score>], seats: usize) -> Vec<HeadToHead> {
    let weight = rating::weight(seats);
    let mut head_to_heads = Vec::new();
    for (one, row) in table.iter().enumerate() {
        for (other, score) in row.iter().enumerate().skip(one + 1) {
            if score.games() > 0 {
                let (points, games) = (weight * score.points(), weight * score.games() as f64);
                head_to_heads.push(HeadToHead { players: [one, other], points, games });
            }
        }
    }
    head_to_heads
}

/// The standings after these results, the leader first.
pub fn standings(plan: &Plan, schedule: &Schedule, results: &Results) -> Vec<Standing> {
    let players = plan.players.len();
    let table = crosstable(players, schedule, results);
    let head_to_heads = head_to_heads(&table, plan.seats);
    let ratings =
        (!head_to_heads.is_empty()).then(|| rating::ratings(players, &head_to_heads, 0.0));
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

/// The points of all players. In a knockout a bye gives none.
fn points(plan: &Plan, schedule: &Schedule, table: &[Vec<Score>], byes: &[u32]) -> Vec<f64> {
    let bye = if schedule.reached.is_empty() { bye_points(plan) } else { 0.0 };
    let played = table.iter().map(|row| row.iter().map(|it| plan.scoring.total(*it)).sum::<f64>());
    played.zip(byes).map(|(played, byes)| played + bye * f64::from(*byes)).collect()
}

/// The order of two players.
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
    // The byes of a round count as soon as it is paired.
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
    fn points_follow_the_scoring_of_the_plan() {
        let plan = plan(3, "scoring 2 1 0\nkind double round-robin");
        let lines = table(&plan, |[a, b]| f64::from(u8::from(a < b)));
        let points: Vec<f64> = lines.iter().map(|it| it.points).collect();
        assert_eq!(points, [8.0, 4.0, 0.0]);
        assert_eq!(lines.iter().map(|it| it.rank).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(lines[0].rating.expect("they played").value > lines[2].rating.expect("too").value);
    }

    #[test]
    fn in_games_of_three_every_two_players_are_compared() {
        let plan = plan(4, "scoring 2 1 0").for_seats(3).expect("it is right");
        let schedule = schedule(&plan, &Results::new());
        // The upper player always wins, and the others lose.
        let points = |it: &[usize]| {
            let best = it.iter().min();
            Points::of_values(
                &it.iter().map(|it| f64::from(u8::from(Some(it) == best))).collect::<Vec<_>>(),
            )
        };
        let results = schedule.fixtures().map(|it| (it.number, points(&it.entrants))).collect();
        let lines = standings(&plan, &schedule, &results);
        // Three groups of three games each: 0 has won nine, with two others each time.
        let totals: Vec<_> = lines.iter().map(|it| (it.player, it.games, it.points)).collect();
        assert_eq!(totals, [(0, 9, 36.0), (1, 9, 18.0), (2, 9, 9.0), (3, 9, 9.0)]);
        assert_eq!((lines[0].score.wins, lines[1].score.wins, lines[1].score.losses), (18, 6, 6));
        let ratings: Vec<f64> = lines.iter().filter_map(|it| Some(it.rating?.value)).collect();
        assert!(ratings.is_sorted_by(|a, b| *a > b - 1e-6), "{ratings:?}");
    }

    #[test]
    fn equals_share_a_rank() {
        let lines = table(&plan(4, ""), |_| 0.5);
        assert!(lines.iter().all(|it| it.rank == 1 && it.points == 1.5), "{lines:?}");
    }

    #[test]
    fn ties_are_broken_by_sonneborn_berger() {
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
