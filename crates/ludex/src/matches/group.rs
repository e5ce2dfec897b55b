//! The results of a match in a game of more than two players.

use ludex_arena::statistics::multiplayer::{MultiplayerScore, ranks};

use super::report::{Interval, Share};
use super::table::Crosstable;

/// The results of all players, in the order in which they were named.
pub(super) fn shares(table: &Crosstable) -> Vec<Share> {
    let mut scores = vec![MultiplayerScore::default(); table.players.len()];
    for game in &table.games {
        for (seat, &entrant) in game.fixture.entrants.iter().enumerate() {
            scores[entrant].add(game.played.points.of(seat));
        }
    }
    let rates: Vec<_> = scores.iter().map(|it| it.rate()).collect();
    let named = table.players.iter().zip(scores).zip(ranks(&rates));
    let share = |((name, score), rank): ((&String, MultiplayerScore), _)| {
        let rank: ludex_arena::statistics::multiplayer::Rank = rank;
        Share {
            player: name.clone(),
            games: score.games,
            won: score.won,
            points: score.points,
            rate: score.rate().into(),
            place: rank.rank,
            places: [rank.range.0, rank.range.1],
        }
    };
    named.map(share).collect()
}

/// The results of each seat.
pub(super) fn seats(table: &Crosstable) -> Vec<Interval> {
    let mut seats = vec![MultiplayerScore::default(); table.seats];
    for game in &table.games {
        for (seat, score) in seats.iter_mut().enumerate() {
            score.add(game.played.points.of(seat));
        }
    }
    seats.iter().map(|it| it.rate().into()).collect()
}
