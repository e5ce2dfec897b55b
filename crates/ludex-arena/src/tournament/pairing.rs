//! Pairings: round robin, gauntlet, Swiss, knockout.
//!
//! A pairing lists the player first that moves first in its first game.

use std::collections::BTreeSet;

/// A pairing of two players, first player first.
pub type Pair = [usize; 2];

/// A round robin by the Berger tables. A player with an even number of games moves first in half of
/// them, one with an odd number in one more or one less.
pub fn round_robin(players: usize) -> Vec<Vec<Pair>> {
    if players < 2 {
        return Vec::new();
    }
    // With an odd number one player has a bye in each round: the opponent of the missing last one.
    let even = players + players % 2;
    let turning = even - 1;
    let mut rounds = Vec::with_capacity(turning);
    for round in 0..turning {
        let mut pairs = Vec::with_capacity(even / 2);
        if even == players {
            let last = even - 1;
            pairs.push(if round % 2 == 0 { [round, last] } else { [last, round] });
        }
        for step in 1..even / 2 {
            let (one, other) = ((round + step) % turning, (round + turning - step) % turning);
            pairs.push(if step % 2 == 1 { [one, other] } else { [other, one] });
        }
        rounds.push(pairs);
    }
    rounds
}

/// A gauntlet: the first `heroes` meet all others, and move first in every second pairing.
pub fn gauntlet(players: usize, heroes: usize) -> Vec<Vec<Pair>> {
    let heroes = heroes.min(players);
    let rounds = (heroes..players).map(|other| {
        let pairs = (0..heroes).map(|hero| {
            if (hero + other - heroes).is_multiple_of(2) { [hero, other] } else { [other, hero] }
        });
        pairs.collect()
    });
    rounds.collect()
}

/// A player before a Swiss round is paired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwissPlayer {
    /// Its points.
    pub points: f64,
    /// Its opponents in earlier rounds.
    pub met: BTreeSet<usize>,
    /// The pairings in which it moved first, less the others.
    pub begun: i32,
    /// The number of its byes.
    pub byes: u32,
}

/// A round of a Swiss tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissRound {
    /// The pairings.
    pub pairs: Vec<Pair>,
    /// The player with the bye.
    pub bye: Option<usize>,
}

/// The step budget of the search at each number of rematches. Real tournaments need far fewer steps;
/// the budget bounds adversarial ones.
const MOST_STEPS: u32 = 20_000;

/// The next Swiss round: neighbours in the standings meet, with the fewest possible rematches. The bye
/// goes to the last player among those with the fewest byes.
pub fn swiss(players: &[SwissPlayer]) -> SwissRound {
    let mut table: Vec<usize> = (0..players.len()).collect();
    table.sort_by(|&a, &b| players[b].points.total_cmp(&players[a].points));
    let mut byes: Vec<Option<usize>> = vec![None];
    if !players.len().is_multiple_of(2) {
        let mut upwards: Vec<usize> = table.iter().rev().copied().collect();
        upwards.sort_by_key(|&it| players[it].byes);
        byes = upwards.into_iter().map(Some).collect();
    }
    // As many rematches as pairs always suffice, so that the last search finds a round.
    let doubling = std::iter::successors(Some(1), |it| Some(it * 2));
    let pairs = players.len() / 2;
    for allowed in std::iter::once(0).chain(doubling.take_while(|&it| it < pairs)).chain([pairs]) {
        let mut steps = MOST_STEPS;
        for &bye in &byes {
            let others: Vec<usize> = table.iter().copied().filter(|it| Some(*it) != bye).collect();
            if let Some(found) = paired(&others, players, allowed, &mut steps) {
                return SwissRound { pairs: with_first_moves(&found, players), bye };
            }
        }
    }
    SwissRound::default()
}

/// Pairings with at most `allowed` rematches; `None` if there are none, or if the step budget is spent.
fn paired(
    table: &[usize],
    players: &[SwissPlayer],
    allowed: usize,
    steps: &mut u32,
) -> Option<Vec<Pair>> {
    if players.iter().all(|it| it.met.is_empty() && it.byes == 0) {
        return Some(halves(table));
    }
    let taken = vec![false; players.len()];
    let mut search = Search { players, taken, pairs: Vec::new(), steps: *steps };
    let found = search.from(table, allowed);
    *steps = search.steps;
    found.then_some(search.pairs)
}

/// The upper half meets the lower half.
fn halves(table: &[usize]) -> Vec<Pair> {
    let half = table.len() / 2;
    (0..half).map(|it| [table[it], table[it + half]]).collect()
}

/// A backtracking search for pairings, from the top of the standings.
struct Search<'a> {
    players: &'a [SwissPlayer],
    taken: Vec<bool>,
    pairs: Vec<Pair>,
    /// The steps left.
    steps: u32,
}

impl Search<'_> {
    fn from(&mut self, table: &[usize], rematches: usize) -> bool {
        let Some(top) = table.iter().position(|&it| !self.taken[it]) else { return true };
        let (one, rest) = (table[top], &table[top + 1..]);
        self.taken[one] = true;
        for &other in rest {
            if self.taken[other] {
                continue;
            }
            let met = self.players[one].met.contains(&other);
            if met && rematches == 0 {
                continue;
            }
            let Some(left) = self.steps.checked_sub(1) else { break };
            self.steps = left;
            self.taken[other] = true;
            self.pairs.push([one, other]);
            if self.from(rest, rematches - usize::from(met)) {
                return true;
            }
            self.pairs.pop();
            self.taken[other] = false;
        }
        self.taken[one] = false;
        false
    }
}

/// Gives the first move to the player that had it less often; between equals, to the upper one in every
/// second pairing.
fn with_first_moves(pairs: &[Pair], players: &[SwissPlayer]) -> Vec<Pair> {
    let ordered = pairs.iter().enumerate().map(|(number, &[one, other])| {
        match players[one].begun.cmp(&players[other].begun) {
            std::cmp::Ordering::Less => [one, other],
            std::cmp::Ordering::Greater => [other, one],
            std::cmp::Ordering::Equal if number % 2 == 0 => [one, other],
            std::cmp::Ordering::Equal => [other, one],
        }
    });
    ordered.collect()
}

/// The first round of a knockout, as a seeded bracket from top to bottom: the winners of neighbours
/// meet. The first two seeds can meet only in the final; a player beside an empty slot has a bye.
pub fn bracket(players: usize) -> Vec<Option<usize>> {
    let size = players.max(1).next_power_of_two();
    let mut seeds = vec![0];
    while seeds.len() < size {
        let round = 2 * seeds.len();
        seeds = seeds.iter().flat_map(|&it| [it, round - 1 - it]).collect();
    }
    seeds.into_iter().map(|it| (it < players).then_some(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_players_meet_once_and_share_the_first_move() {
        for players in 2..=15 {
            let rounds = round_robin(players);
            let mut met = BTreeSet::new();
            let mut begun = vec![0_i32; players];
            for round in &rounds {
                let mut busy = BTreeSet::new();
                for &[a, b] in round {
                    assert!(busy.insert(a) && busy.insert(b), "one game in a round");
                    assert!(met.insert([a.min(b), a.max(b)]), "{a} and {b} meet once");
                    begun[a] += 1;
                    begun[b] -= 1;
                }
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            let most = i32::from(players % 2 == 0);
            assert!(begun.iter().all(|it| it.abs() <= most), "{players}: {begun:?}");
        }
        assert!(round_robin(1).is_empty() && round_robin(0).is_empty());
    }

    #[test]
    fn heroes_meet_all_others_and_not_each_other() {
        let pairs: Vec<Pair> = gauntlet(7, 2).concat();
        assert_eq!(pairs.len(), 10);
        assert!(pairs.iter().all(|it| it.iter().filter(|&&it| it < 2).count() == 1));
        let begun = pairs.iter().filter(|it| it[0] == 0).count();
        assert!((2..=3).contains(&begun), "{begun}");
    }

    fn rematches(pairs: &[Pair], players: &[SwissPlayer]) -> usize {
        pairs.iter().filter(|[a, b]| players[*a].met.contains(b)).count()
    }

    /// Whether `players` can be paired without rematches, by exhaustive search.
    fn can_be_paired(left: &[usize], players: &[SwissPlayer]) -> bool {
        let Some((&one, rest)) = left.split_first() else { return true };
        rest.iter().any(|&other| {
            let others: Vec<usize> = rest.iter().copied().filter(|&it| it != other).collect();
            !players[one].met.contains(&other) && can_be_paired(&others, players)
        })
    }

    #[test]
    fn there_is_no_rematch_where_one_can_be_avoided() {
        for count in 2..=9_usize {
            for seed in 0..20 {
                let mut random = ludex_core::Random::stream(seed, count as u64, 0);
                let mut players = vec![SwissPlayer::default(); count];
                for _ in 0..count {
                    let round = swiss(&players);
                    check_round(&round, &players);
                    for &[a, b] in &round.pairs {
                        players[a].met.insert(b);
                        players[b].met.insert(a);
                        players[a].begun += 1;
                        players[b].begun -= 1;
                        let winner = if random.below(2) == 0 { a } else { b };
                        players[winner].points += 1.0;
                    }
                    if let Some(bye) = round.bye {
                        players[bye].byes += 1;
                        players[bye].points += 1.0;
                    }
                }
                let balance = players.iter().map(|it| it.begun.abs()).max();
                assert!(balance <= Some(3), "{count}: {players:?}");
            }
        }
    }

    fn check_round(round: &SwissRound, players: &[SwissPlayer]) {
        let mut seen: Vec<usize> = round.pairs.iter().flatten().copied().collect();
        seen.extend(round.bye);
        seen.sort_unstable();
        assert_eq!(seen, (0..players.len()).collect::<Vec<_>>(), "every player, once");
        let repeated = rematches(&round.pairs, players) > 0;
        let all: Vec<usize> = (0..players.len()).collect();
        let possible = if round.bye.is_none() {
            can_be_paired(&all, players)
        } else {
            all.iter().any(|bye| {
                let others: Vec<usize> = all.iter().copied().filter(|it| it != bye).collect();
                can_be_paired(&others, players)
            })
        };
        assert_eq!(repeated, !possible, "{round:?} {players:?}");
    }

    #[test]
    fn large_swiss_rounds_are_paired_quickly() {
        let mut players = vec![SwissPlayer::default(); 201];
        for _ in 0..9 {
            let round = swiss(&players);
            assert_eq!(rematches(&round.pairs, &players), 0);
            for &[a, b] in &round.pairs {
                players[a].met.insert(b);
                players[b].met.insert(a);
                players[a].points += 1.0;
            }
            players[round.bye.expect("an odd number")].byes += 1;
        }
        assert!(players.iter().all(|it| it.byes <= 1));
    }

    #[test]
    fn rounds_that_need_rematches_are_paired_quickly_too() {
        for count in [120, 121] {
            let all: BTreeSet<usize> = (0..count).collect();
            let all_met = SwissPlayer { met: all, ..SwissPlayer::default() };
            let mut players = vec![all_met; count];
            // Only these two have not met.
            players[3].met.remove(&90);
            players[90].met.remove(&3);
            let round = swiss(&players);
            assert_eq!(round.pairs.len(), count / 2);
            assert_eq!(round.bye.is_some(), count == 121);
        }
    }

    #[test]
    fn the_best_meet_late() {
        assert_eq!(bracket(4), [Some(0), Some(3), Some(1), Some(2)]);
        let bracket = bracket(6);
        assert_eq!(bracket.len(), 8);
        assert_eq!(bracket.iter().flatten().count(), 6);
        let free = bracket.chunks(2).filter(|it| it.contains(&None));
        assert!(free.flatten().flatten().all(|&it| it < 2), "the first two have the byes");
    }
}
