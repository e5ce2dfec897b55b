//! Who sits where in games of more than two players.
//!
//! Those who meet in such a game are a *group*. A group plays *sets* of as many games as it has
//! players, from one opening: in each game of a set everybody sits one place further, so that in a set
//! everybody has sat everywhere once. That keeps who moves after whom; so the next set has another
//! order, until all orders have had their turn.

/// All groups of `seats` players out of `players`, in the order of their numbers.
pub fn groups(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    if seats == 0 || seats > players {
        return groups;
    }
    let mut group: Vec<usize> = (0..seats).collect();
    loop {
        groups.push(group.clone());
        // The last place that can go up does, and those after it follow closely.
        let can_go_up = |&it: &usize| group[it] + (seats - it) < players;
        let Some(place) = (0..seats).rev().find(can_go_up) else { return groups };
        let next = group[place] + 1;
        (place..seats).zip(next..).for_each(|(place, player)| group[place] = player);
    }
}

/// How many groups there are; the largest number there is if there are more.
pub fn count_groups(players: usize, seats: usize) -> u64 {
    if seats == 0 || seats > players {
        return 0;
    }
    let (players, seats) = (players as u128, seats.min(players - seats) as u128);
    let count = (0..seats).try_fold(1_u128, |count, it| {
        // A product of so many numbers in a row can be divided by their factorial at every step.
        count.checked_mul(players - it).map(|product| product / (it + 1))
    });
    count.and_then(|it| u64::try_from(it).ok()).unwrap_or(u64::MAX)
}

/// The games of a set: who sits where in each of them, first player first.
pub fn seatings(group: &[usize], set: u64) -> Vec<Vec<usize>> {
    let mut order = order(group, set);
    let mut seatings = Vec::new();
    for _ in 0..group.len() {
        seatings.push(order.clone());
        order.rotate_right(1);
    }
    seatings
}

/// An order of the group, with the first one first: one order after the other.
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
    fn in_a_set_everybody_sits_everywhere_once() {
        for seats in 2..=6 {
            let group: Vec<usize> = (10..10 + seats).collect();
            for set in 0..9 {
                let games = seatings(&group, set);
                assert_eq!(games.len(), seats);
                for seat in 0..seats {
                    let who: BTreeSet<usize> = games.iter().map(|it| it[seat]).collect();
                    assert_eq!(who.len(), seats, "{games:?}");
                }
            }
        }
    }

    #[test]
    fn all_orders_have_their_turn() {
        let all: BTreeSet<Vec<usize>> =
            (0..6).flat_map(|set| seatings(&[0, 1, 2, 3], set)).collect();
        assert_eq!(all.len(), 24);
        assert_eq!(seatings(&[4, 5, 6], 0), [[4, 5, 6], [6, 4, 5], [5, 6, 4]]);
        assert_eq!(seatings(&[4, 5, 6], 1)[0], [4, 6, 5]);
        assert_eq!(seatings(&[4, 5, 6], 2), seatings(&[4, 5, 6], 0));
    }
}
