//! The schedule: the rounds and their games, given the results.
//!
//! The pairings of one round are independent of each other; a Swiss or knockout round depends on the
//! results of the rounds before. The numbers of games follow the order of the rounds and never change,
//! so that the number identifies a result.

use std::collections::BTreeMap;

use super::pairing::{self, Pair, SwissPlayer};
use super::plan::{Kind, Plan};
use crate::fixtures::Fixture;
use crate::points::Points;
use crate::rotation;

/// The points of each played game, by the number of the game.
pub type Results = BTreeMap<u64, Points>;

/// The number of play-offs of a tied knockout pairing; after them the upper seed advances.
const PLAY_OFFS: u32 = 2;

/// A round of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// Its games.
    pub fixtures: Vec<Fixture>,
    /// The players with a bye.
    pub byes: Vec<usize>,
}

/// The rounds of a tournament that the results determine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Whether there are no other rounds.
    pub complete: bool,
    /// In a knockout: the rounds that each player survived; empty for the other kinds.
    pub reached: Vec<u32>,
}

impl Schedule {
    /// All games of these rounds.
    pub fn fixtures(&self) -> impl Iterator<Item = &Fixture> {
        self.rounds.iter().flat_map(|it| &it.fixtures)
    }

    /// Whether every game of the tournament has a result.
    pub fn is_over(&self, results: &Results) -> bool {
        self.complete && self.fixtures().all(|it| results.contains_key(&it.number))
    }

    /// The round of each game, by the number of the game.
    pub fn rounds_by_game(&self) -> BTreeMap<u64, u32> {
        let rounds = self.rounds.iter();
        rounds.flat_map(|round| round.fixtures.iter().map(|it| (it.number, round.number))).collect()
    }
}

/// The rounds that these results determine.
pub fn schedule(plan: &Plan, results: &Results) -> Schedule {
    let players = plan.players.len();
    if plan.seats > 2 {
        return grouped(plan);
    }
    match plan.kind {
        Kind::RoundRobin => fixed(plan, pairing::round_robin(players), 1),
        Kind::DoubleRoundRobin => fixed(plan, pairing::round_robin(players), 2),
        Kind::Gauntlet(heroes) => fixed(plan, pairing::gauntlet(players, heroes), 1),
        Kind::Swiss(rounds) => swiss(plan, rounds, results),
        Kind::Knockout => knockout(plan, results),
    }
}

/// Rounds that do not depend on results. A second cycle has the same openings with the sides
/// exchanged.
///
/// All rounds of one game come before those of the next, so that a player learns each game once.
fn fixed(plan: &Plan, rounds: Vec<Vec<Pair>>, cycles: u32) -> Schedule {
    let mut builder = FixtureBuilder::new(plan);
    let count = rounds.len();
    let mut made: Vec<Vec<Fixture>> = vec![Vec::new(); count * cycles as usize];
    for event in 0..plan.games.len() {
        for cycle in 0..cycles as usize {
            for (number, pairs) in rounds.iter().enumerate() {
                for &[one, other] in pairs {
                    let pair = if cycle % 2 == 0 { [one, other] } else { [other, one] };
                    made[cycle * count + number].extend(builder.games(event, pair, number as u64));
                }
            }
        }
    }
    rounds_of(made)
}

/// Rounds of games of more than two players: in each, every group plays a set. A second cycle has the
/// same openings with other orders of the players.
fn grouped(plan: &Plan) -> Schedule {
    let groups = rotation::groups(plan.players.len(), plan.seats);
    let (sets, cycles) = (plan.sets(), plan.kind.cycles());
    let mut made: Vec<Vec<Fixture>> = vec![Vec::new(); (sets * cycles) as usize];
    let mut number = 0;
    for event in 0..plan.games.len() {
        for (set, round) in (0..).zip(&mut made) {
            for entrants in groups.iter().flat_map(|it| rotation::rotations(it, set)) {
                round.push(Fixture { number, event, entrants, opening: set % sets });
                number += 1;
            }
        }
    }
    rounds_of(made)
}

/// Rounds that do not depend on results.
fn rounds_of(made: Vec<Vec<Fixture>>) -> Schedule {
    let rounds = (1..).zip(made);
    let rounds = rounds.map(|(number, fixtures)| Round { number, fixtures, byes: Vec::new() });
    Schedule { rounds: rounds.collect(), complete: true, reached: Vec::new() }
}

fn swiss(plan: &Plan, rounds: u32, results: &Results) -> Schedule {
    let mut builder = FixtureBuilder::new(plan);
    let mut players = vec![SwissPlayer::default(); plan.players.len()];
    let mut schedule = Schedule::default();
    for number in 1..=rounds {
        let drawn = pairing::swiss(&players);
        let fixtures = builder.round(&drawn.pairs, u64::from(number - 1));
        let over = fixtures.iter().all(|it| results.contains_key(&it.number));
        for &[a, b] in &drawn.pairs {
            players[a].met.insert(b);
            players[b].met.insert(a);
            players[a].begun += 1;
            players[b].begun -= 1;
        }
        for fixture in &fixtures {
            let Some(points) = results.get(&fixture.number) else { continue };
            for (seat, &entrant) in fixture.entrants.iter().enumerate() {
                players[entrant].points += plan.scoring.worth(points.of(seat));
            }
        }
        if let Some(bye) = drawn.bye {
            players[bye].byes += 1;
            players[bye].points += bye_points(plan);
        }
        schedule.rounds.push(Round { number, fixtures, byes: drawn.bye.into_iter().collect() });
        if !over {
            return schedule;
        }
    }
    schedule.complete = true;
    schedule
}

/// The points of a bye in a Swiss round: all games of a pairing, won.
pub fn bye_points(plan: &Plan) -> f64 {
    plan.scoring.win * f64::from(plan.games_per_pairing) * plan.games.len() as f64
}

fn knockout(plan: &Plan, results: &Results) -> Schedule {
    let mut builder = FixtureBuilder::new(plan);
    let mut places = pairing::bracket(plan.players.len());
    let mut schedule = Schedule { reached: vec![0; plan.players.len()], ..Schedule::default() };
    let mut opening = 0;
    while places.len() > 1 {
        let number = schedule.rounds.len() as u32 + 1;
        let pairs: Vec<Pair> = places.chunks(2).filter_map(|it| Some([it[0]?, it[1]?])).collect();
        let byes: Vec<usize> = places.chunks(2).filter_map(alone).collect();
        let mut round = Round { number, fixtures: Vec::new(), byes };
        let winners = winners(&mut builder, &pairs, &mut round, &mut opening, results);
        schedule.rounds.push(round);
        let Some(winners) = winners else { return schedule };
        places = places.chunks(2).map(|it| winner(it, &winners)).collect();
        places.iter().flatten().for_each(|&it| schedule.reached[it] = number);
    }
    schedule.complete = true;
    schedule
}

/// The winner of each pairing: a tie leads to play-offs, and after the last to the upper seed. `None`
/// while there are games to play.
fn winners(
    builder: &mut FixtureBuilder<'_>,
    pairs: &[Pair],
    round: &mut Round,
    opening: &mut u64,
    results: &Results,
) -> Option<BTreeMap<Pair, usize>> {
    let mut winners: BTreeMap<Pair, usize> = BTreeMap::new();
    for attempt in 0..=PLAY_OFFS {
        let is_open = |it: &&Pair| !winners.contains_key(*it);
        let open: Vec<Pair> = pairs.iter().filter(is_open).copied().collect();
        round.fixtures.extend(builder.round(&open, *opening));
        *opening += 1;
        if round.fixtures.iter().any(|it| !results.contains_key(&it.number)) {
            return None;
        }
        for pair in open {
            let balance = balance(pair, &round.fixtures, results);
            let ahead = (balance != 0.0).then(|| pair[usize::from(balance < 0.0)]);
            let upper = (attempt == PLAY_OFFS).then(|| pair[0].min(pair[1]));
            if let Some(winner) = ahead.or(upper) {
                winners.insert(pair, winner);
            }
        }
        if winners.len() == pairs.len() {
            break;
        }
    }
    Some(winners)
}

/// The player with a bye in this part of the bracket.
fn alone(places: &[Option<usize>]) -> Option<usize> {
    match places {
        [Some(it), None] | [None, Some(it)] => Some(*it),
        _ => None,
    }
}

fn winner(places: &[Option<usize>], winners: &BTreeMap<Pair, usize>) -> Option<usize> {
    match places {
        &[Some(a), Some(b)] => winners.get(&[a, b]).copied(),
        places => alone(places),
    }
}

/// The lead of the first of a pair over the second in these games, in points.
fn balance([one, other]: Pair, fixtures: &[Fixture], results: &Results) -> f64 {
    let of = |it: &Fixture| {
        let points = results.get(&it.number)?.of(0) * 2.0 - 1.0;
        match it.entrants.as_slice() {
            pair if pair == [one, other] => Some(points),
            pair if pair == [other, one] => Some(-points),
            _ => None,
        }
    };
    fixtures.iter().filter_map(of).sum()
}

/// Makes fixtures and numbers them.
struct FixtureBuilder<'a> {
    plan: &'a Plan,
    next: u64,
}

impl<'a> FixtureBuilder<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, next: 0 }
    }

    /// The games of one pairing in one event. Every second game repeats the opening of the one before
    /// with the sides exchanged.
    fn games(&mut self, event: usize, pair: Pair, round: u64) -> Vec<Fixture> {
        let games = self.plan.games_per_pairing;
        let openings = u64::from(games.div_ceil(2));
        let made = (0..games).map(|game| {
            let entrants = if game % 2 == 0 { pair.to_vec() } else { vec![pair[1], pair[0]] };
            let number = self.next;
            self.next += 1;
            let opening = round * openings + u64::from(game / 2);
            Fixture { number, event, entrants, opening }
        });
        made.collect()
    }

    /// The games of a round in all events.
    fn round(&mut self, pairs: &[Pair], round: u64) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for event in 0..self.plan.games.len() {
            for &pair in pairs {
                fixtures.extend(self.games(event, pair, round));
            }
        }
        fixtures
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(players: usize, lines: &str) -> Plan {
        let players: Vec<String> = (0..players).map(|it| format!("player p{it}")).collect();
        let players = players.join("\n");
        Plan::parse(&format!("game a\ngame b\n{players}\n{lines}\n")).expect("it is right")
    }

    /// Plays a tournament to its end, a game at a time, with these results of the first player.
    fn played(plan: &Plan, result: impl Fn(&Fixture) -> f64) -> (Schedule, Results) {
        let mut results = Results::new();
        loop {
            let now = schedule(plan, &results);
            let is_open = |it: &&Fixture| !results.contains_key(&it.number);
            let Some(next) = now.fixtures().filter(is_open).last().cloned() else {
                return (now, results);
            };
            let first = result(&next);
            results.insert(next.number, Points::of_values(&[first, 1.0 - first]));
        }
    }

    fn upper_wins(fixture: &Fixture) -> f64 {
        f64::from(u8::from(fixture.entrants[0] < fixture.entrants[1]))
    }

    #[test]
    fn numbers_are_unique_and_stable() {
        for lines in ["kind round-robin", "kind double round-robin\ngames 3", "kind gauntlet 2"]
            .into_iter()
            .chain([
                "kind swiss 4",
                "kind knockout",
                "kind knockout\ngames 1",
                "kind swiss 3\ngames 2",
            ])
        {
            let plan = plan(7, lines);
            let (schedule, results) = played(&plan, upper_wins);
            assert!(schedule.is_over(&results), "{lines}");
            let mut numbers: Vec<u64> = schedule.fixtures().map(|it| it.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>(), "{lines}");
            assert_eq!(numbers.len() as u64, plan.expected_games(), "{lines}");
            assert_eq!(results.len(), numbers.len());
        }
    }

    #[test]
    fn a_double_round_robin_exchanges_sides_with_the_same_openings() {
        let (schedule, _) = played(&plan(5, "kind double round-robin"), upper_wins);
        let games: BTreeSet<(usize, Pair, u64)> = schedule
            .fixtures()
            .map(|it| (it.event, [it.entrants[0], it.entrants[1]], it.opening))
            .collect();
        assert_eq!(games.len(), 40);
        assert!(games.iter().all(|&(event, [a, b], it)| games.contains(&(event, [b, a], it))));
    }

    #[test]
    fn groups_of_more_players_meet_and_have_every_seat_equally_often() {
        let plan = plan(5, "kind double round-robin\ngames 2").for_seats(3).expect("it is right");
        let schedule = schedule(&plan, &Results::new());
        assert!(schedule.complete && schedule.rounds.len() == 2);
        let fixtures: Vec<&Fixture> = schedule.fixtures().collect();
        assert_eq!(fixtures.len() as u64, plan.expected_games());
        assert_eq!(fixtures.len(), 2 * 10 * 3 * 2, "events, groups, games of a set, cycles");
        let numbers: BTreeSet<u64> = fixtures.iter().map(|it| it.number).collect();
        assert_eq!(numbers.len(), fixtures.len());
        assert!(fixtures.iter().all(|it| it.opening == 0), "both cycles have the same openings");
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for fixture in &fixtures {
            for (seat, &player) in fixture.entrants.iter().enumerate() {
                *counts.entry((player, seat)).or_default() += 1;
            }
        }
        assert_eq!(counts.len(), 15);
        let counts: BTreeSet<usize> = counts.into_values().collect();
        assert_eq!(counts.len(), 1, "{counts:?}");
        let orders: BTreeSet<(usize, &[usize])> =
            fixtures.iter().map(|it| (it.event, it.entrants.as_slice())).collect();
        assert_eq!(orders.len(), fixtures.len(), "six orders of three, each once");
    }

    #[test]
    fn the_strongest_wins_a_knockout() {
        for players in [2, 3, 5, 8, 9] {
            let (schedule, _) = played(&plan(players, "kind knockout"), upper_wins);
            let most = schedule.reached.iter().max();
            assert_eq!(schedule.reached.iter().max_by_key(|it| **it), most);
            assert_eq!(schedule.reached.first(), most, "{players}: {:?}", schedule.reached);
            assert_eq!(schedule.reached.iter().filter(|it| Some(*it) == most).count(), 1);
        }
    }

    #[test]
    fn an_even_knockout_is_played_off_and_has_an_end() {
        let plan = plan(2, "kind knockout\ngames 1");
        let (schedule, results) = played(&plan, |_| 0.5);
        assert_eq!(results.len(), 2 * 3, "two games, and two play-offs");
        assert_eq!(schedule.reached, [1, 0]);
        // Decided in the first play-off.
        let (_, results) = played(&plan, |it| if it.number < 2 { 0.5 } else { 1.0 });
        assert_eq!(results.len(), 4);
    }

    #[test]
    fn a_swiss_tournament_has_its_rounds_and_byes() {
        let plan = plan(7, "kind swiss 4");
        let (schedule, _) = played(&plan, upper_wins);
        assert_eq!(schedule.rounds.len(), 4);
        let byes: BTreeSet<usize> =
            schedule.rounds.iter().flat_map(|it| &it.byes).copied().collect();
        assert_eq!(byes.len(), 4, "no player has two byes");
    }
}
