//! Games of more than two players: scores as rates, and ranks.

use super::score::{Estimate, wilson};

/// The results of games from the view of one player, each worth a point at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MultiplayerScore {
    /// The number of games.
    pub games: u64,
    /// The games that it won: ahead of all others.
    pub won: u64,
    /// Its points.
    pub points: f64,
}

impl MultiplayerScore {
    /// Adds a game by its points, from 0 to 1.
    pub fn add(&mut self, points: f64) {
        self.games += 1;
        self.won += u64::from(points >= 1.0);
        self.points += points;
    }

    /// The score as a rate from 0 to 1, with the Wilson interval. No result from 0 to 1 varies more than
    /// wins and losses, so that the interval is a little too wide and never too narrow.
    pub fn rate(self) -> Estimate {
        wilson(self.points, self.games)
    }
}

/// A rank in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The rank; equals share one.
    pub rank: usize,
    /// The best and the worst rank that the intervals allow: players with an interval wholly above
    /// this one rank before it, those with one wholly below after it.
    pub range: (usize, usize),
}

/// The ranks of players with these rates.
pub fn ranks(rates: &[Estimate]) -> Vec<Rank> {
    let count = |of: &dyn Fn(&Estimate) -> bool| rates.iter().filter(|it| of(it)).count();
    let rank = |own: &Estimate| Rank {
        rank: 1 + count(&|it| it.value > own.value),
        range: (1 + count(&|it| it.low > own.high), rates.len() - count(&|it| it.high < own.low)),
    };
    rates.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(games: &[f64]) -> MultiplayerScore {
        let mut score = MultiplayerScore::default();
        games.iter().for_each(|&it| score.add(it));
        score
    }

    #[test]
    fn more_games_give_narrower_intervals() {
        let few = score(&[1.0, 0.25, 0.25]);
        assert_eq!((few.games, few.won), (3, 1));
        let many = score(&[1.0, 0.25, 0.25].repeat(100));
        let (few, many) = (few.rate(), many.rate());
        assert!((few.value - 0.5).abs() < 1e-9 && (many.value - 0.5).abs() < 1e-9);
        assert!(few.low < many.low && many.high < few.high);
        assert!((many.high - 0.556).abs() < 0.001, "{many:?}");
    }

    #[test]
    fn ranks_are_as_certain_as_the_intervals() {
        let rate = |value, low, high| Estimate { value, low, high };
        let ranks = ranks(&[rate(0.5, 0.4, 0.6), rate(0.9, 0.8, 0.95), rate(0.45, 0.3, 0.55)]);
        assert_eq!(ranks[0], Rank { rank: 2, range: (2, 3) });
        assert_eq!(ranks[1], Rank { rank: 1, range: (1, 1) });
        assert_eq!(ranks[2], Rank { rank: 3, range: (2, 3) });
        let level = super::ranks(&[rate(0.5, 0.4, 0.6); 2]);
        assert!(level.iter().all(|it| *it == Rank { rank: 1, range: (1, 2) }));
    }
}
