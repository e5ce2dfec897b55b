//! Games of more than two players: what part of the points somebody made, and which place that is.

use super::score::{Estimate, wilson};

/// Games as one of the players sees them, each worth a point at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// How many there were.
    pub games: u64,
    /// In how many it was ahead of all others.
    pub won: u64,
    /// Its points.
    pub points: f64,
}

impl Shares {
    /// Adds a game that gave so much, from 0 to 1.
    pub fn add(&mut self, points: f64) {
        self.games += 1;
        self.won += u64::from(points >= 1.0);
        self.points += points;
    }

    /// The part of the points that was made, with Wilson's interval. Nothing from 0 to 1 varies more
    /// than won and lost games do, so that the interval is a little too wide and never too narrow.
    pub fn rate(self) -> Estimate {
        wilson(self.points, self.games)
    }
}

/// A place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The place; equals share one.
    pub place: usize,
    /// The best and the worst that it may be in truth: who is surely ahead of it is before it, who is
    /// surely behind it after it.
    pub range: (usize, usize),
}

/// The place of each of those who made these parts of the points.
pub fn places(rates: &[Estimate]) -> Vec<Place> {
    let count = |of: &dyn Fn(&Estimate) -> bool| rates.iter().filter(|it| of(it)).count();
    let place = |own: &Estimate| Place {
        place: 1 + count(&|it| it.value > own.value),
        range: (1 + count(&|it| it.low > own.high), rates.len() - count(&|it| it.high < own.low)),
    };
    rates.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(games: &[f64]) -> Shares {
        let mut shares = Shares::default();
        games.iter().for_each(|&it| shares.add(it));
        shares
    }

    #[test]
    fn parts_of_points_are_surer_with_more_games() {
        let few = shares(&[1.0, 0.25, 0.25]);
        assert_eq!((few.games, few.won), (3, 1));
        let many = shares(&[1.0, 0.25, 0.25].repeat(100));
        let (few, many) = (few.rate(), many.rate());
        assert!((few.value - 0.5).abs() < 1e-9 && (many.value - 0.5).abs() < 1e-9);
        assert!(few.low < many.low && many.high < few.high);
        assert!((many.high - 0.556).abs() < 0.001, "{many:?}");
    }

    #[test]
    fn places_are_as_sure_as_the_intervals() {
        let rate = |value, low, high| Estimate { value, low, high };
        let places = places(&[rate(0.5, 0.4, 0.6), rate(0.9, 0.8, 0.95), rate(0.45, 0.3, 0.55)]);
        assert_eq!(places[0], Place { place: 2, range: (2, 3) });
        assert_eq!(places[1], Place { place: 1, range: (1, 1) });
        assert_eq!(places[2], Place { place: 3, range: (2, 3) });
        let level = super::places(&[rate(0.5, 0.4, 0.6); 2]);
        assert!(level.iter().all(|it| *it == Place { place: 1, range: (1, 2) }));
    }
}
