//! Rotation of seats in games of more than two players.
//!
//! The players of such a game are a *group*. A group plays *sets* of as many games as it has players,
//! from one opening. Each game of a set rotates the seats by one, so that in a set every player has
//! every seat once. A rotation keeps the cyclic order of the players; the next set has another order,
//! until all orders have been played.

/// All groups of `seats` players out of `players`, in the order of their numbers.
pub fn groups(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    if seats == 0 || seats > players {
        return groups;
    }
    let mut group: Vec<usize> = (0..seats).collect();
    loop {
        groups.push(group.clone());
        // Advance the last place that can go up, and reset the places after it.
        let can_go_up = |&it: &usize| group[it] + (seats - it) < players;
        let Some(place) = (0..seats).rev().find(can_go_up) else { return groups };
        let next = group[place] + 1;
        (place..seats).zip(next..).for_each(|(place, player)| group[place] = player);
    }
}

/// The number of groups; `u64::MAX` if there are more.
pub fn count_groups(players: usize, seats: usize) -> u64 {
    if seats == 0 || seats > players {
        return 0;
    }
    let (players, seats) = (players as u128, seats.min(players - seats) as u128);
    let count = (0..seats).try_fold(1_u128, |count, it| {
        // A product of n consecutive numbers is divisible by n!, at every step.
        count.checked_mul(players - it).map(|product| product / (it + 1))
    });
    count.and_then(|it| u64::try_from(it).ok()).unwrap_or(u64::MAX)
}

/// The games of a set: the players of each by seat, first player first.
pub fn rotations(group: &[usize], set: u64) -> Vec<Vec<usize>> {
    let mut order = order(group, set);
    let mut games = Vec::new();
    for _ in 0..group.len() {
        games.push(order.clone());
        order.rotate_right(1);
    }
    games
}

/// The order of this number: a permutation of the group that keeps its first player first.
fn order(group: &[usize], number: u64) -> Vec<usize> {
    let Some((&first, rest)) = group.split_first() else { return Vec::new() };
    let (mut left, mut number) = (rest.to_vec(), number);
    let mut order = vec![first];
    while !left.is_empty() {
        let at = number % left.len() as u64;
        number /= left.len() as u64;
        order.push(left.remove(at as usize));
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn groups_are_all_there_and_once() {
        assert_eq!(groups(4, 3), [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
        for (players, seats) in [(3, 3), (6, 3), (7, 4), (5, 2), (2, 3), (16, 16), (3, 0)] {
            let groups = groups(players, seats);
            assert_eq!(groups.len() as u64, count_groups(players, seats), "{players}, {seats}");
            assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), groups.len());
        }
        assert_eq!(count_groups(500, 3), 20_708_500);
        assert_eq!(count_groups(500, 16), u64::MAX, "more than can be counted");
    }

    #[test]
    fn in_a_set_every_player_has_every_seat_once() {
        for seats in 2..=6 {
            let group: Vec<usize> = (10..10 + seats).collect();
            for set in 0..9 {
                let games = rotations(&group, set);
                assert_eq!(games.len(), seats);
                for seat in 0..seats {
                    let players: BTreeSet<usize> = games.iter().map(|it| it[seat]).collect();
                    assert_eq!(players.len(), seats, "{games:?}");
                }
            }
        }
    }

    #[test]
    fn all_orders_are_played() {
        let all: BTreeSet<Vec<usize>> =
            (0..6).flat_map(|set| rotations(&[0, 1, 2, 3], set)).collect();
        assert_eq!(all.len(), 24);
        assert_eq!(rotations(&[4, 5, 6], 0), [[4, 5, 6], [6, 4, 5], [5, 6, 4]]);
        assert_eq!(rotations(&[4, 5, 6], 1)[0], [4, 6, 5]);
        assert_eq!(rotations(&[4, 5, 6], 2), rotations(&[4, 5, 6], 0));
    }
}
