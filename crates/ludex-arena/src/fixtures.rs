//! The fixtures of a match: the games to play, with players and openings.

use crate::rotation::{groups, rotations};

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, unique in the match or tournament.
    pub number: u64,
    /// The index of its event.
    pub event: usize,
    /// Its players, first player first.
    pub entrants: Vec<usize>,
    /// Number of its opening. The games of a pair, or of a set, share it.
    pub opening: u64,
}

/// The fixtures of a match: a round robin of pairs of games, each pair from one opening with the sides
/// exchanged. With an odd number of games per pairing both players move first equally often.
///
/// In a game for more than two players every group of entrants plays sets of games, at least `games` of
/// them: see [`rotation`](crate::rotation).
pub fn match_fixtures(entrants: usize, seats: usize, games: u32) -> Vec<Fixture> {
    if seats > 2 { set_fixtures(entrants, seats, games) } else { pair_fixtures(entrants, games) }
}

fn set_fixtures(entrants: usize, seats: usize, games: u32) -> Vec<Fixture> {
    let groups = groups(entrants, seats);
    let mut fixtures = Vec::new();
    for set in 0..u64::from(games).div_ceil(seats as u64) {
        for entrants in groups.iter().flat_map(|it| rotations(it, set)) {
            let number = fixtures.len() as u64;
            fixtures.push(Fixture { number, event: 0, entrants, opening: set });
        }
    }
    fixtures
}

fn pair_fixtures(entrants: usize, games: u32) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for opening in 0..games.div_ceil(2) {
        let in_pair = (games - 2 * opening).min(2);
        for one in 0..entrants {
            for other in one + 1..entrants {
                let turned = in_pair == 1 && opening % 2 == 1;
                for turn in 0..in_pair {
                    let sides =
                        if turned == (turn == 1) { vec![one, other] } else { vec![other, one] };
                    fixtures.push(Fixture {
                        number: fixtures.len() as u64,
                        event: 0,
                        entrants: sides,
                        opening: u64::from(opening),
                    });
                }
            }
        }
    }
    fixtures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_entrants_meet_from_the_same_openings() {
        let fixtures = match_fixtures(3, 2, 5);
        assert_eq!(fixtures.len(), 15);
        let met = |a, b| fixtures.iter().filter(|it| it.entrants == [a, b]).count();
        assert_eq!((met(0, 2) + met(2, 0), met(0, 2).abs_diff(met(2, 0))), (5, 1));
        for pair in fixtures.chunks(2).take(6) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].entrants[0], pair[1].entrants[1]);
        }
    }

    #[test]
    fn groups_play_sets_from_the_same_openings() {
        let fixtures = match_fixtures(4, 3, 5);
        assert_eq!(fixtures.len(), 4 * 6, "four groups, and six games instead of five");
        for set in fixtures.chunks(3) {
            assert!(set.iter().all(|it| it.opening == set[0].opening));
        }
        for player in 0..4 {
            for seat in 0..3 {
                let games = fixtures.iter().filter(|it| it.entrants[seat] == player).count();
                assert_eq!(games, 6, "{player} has seat {seat} as often as any other");
            }
        }
    }

    #[test]
    fn numbers_are_unique() {
        let numbers: Vec<u64> = match_fixtures(4, 2, 6).iter().map(|it| it.number).collect();
        assert_eq!(numbers, (0..36).collect::<Vec<_>>());
    }
}
