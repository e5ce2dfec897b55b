//! Pairs of games: the same opening with the sides exchanged.
//!
//! A pair gives 0, 1/2, 1, 3/2 or 2 points: five counts, the pentanomial. An opening that favours the
//! first player gives each player one game, a pair of 1 point. Pairs therefore vary less than games,
//! and their intervals are right where those of single games are too wide. See M. Van den Bergh,
//! "Normalized Elo" (2020, in the notes of the fishtest project).

use std::f64::consts::{LN_10, SQRT_2};

use super::normal;
use super::score::{Estimate, Z, elo_of_rate};

/// The numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair of games with these points, from 0 to 2.
    pub fn add(&mut self, points: f64) {
        let index = (2.0 * points).round().clamp(0.0, 4.0) as usize;
        self.0[index] += 1;
    }

    /// The number of pairs.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean and the variance of a pair's score, from 0 to 1.
    fn moments(self) -> (f64, f64) {
        let total = self.count().max(1) as f64;
        let weighted = |of: &dyn Fn(f64) -> f64| {
            let parts = self.0.iter().enumerate().map(|(it, &n)| n as f64 * of(it as f64 / 4.0));
            parts.sum::<f64>() / total
        };
        let mean = weighted(&|it| it);
        (mean, weighted(&|it| (it - mean).powi(2)))
    }

    /// The Elo difference with its 95 % interval; `None` where all pairs gave the same, so that the
    /// variance is unknown.
    pub fn elo(self) -> Option<Estimate> {
        let (mean, variance) = self.moments();
        if self.count() < 2 || variance <= 0.0 {
            return None;
        }
        let spread = Z * (variance / self.count() as f64).sqrt();
        let at = |rate: f64| elo_of_rate(rate.clamp(0.0, 1.0));
        Some(Estimate { value: at(mean), low: at(mean - spread), high: at(mean + spread) })
    }

    /// Normalised Elo: the difference in units of the standard deviation of a game, which does not
    /// depend on the draw rate.
    pub fn normalised_elo(self) -> Option<f64> {
        let (mean, variance) = self.moments();
        let deviation = (2.0 * variance).sqrt();
        (deviation > 0.0).then(|| (mean - 0.5) / deviation * 800.0 / LN_10)
    }

    /// The likelihood of superiority (LOS) of the first player; `None` where all pairs gave the same.
    pub fn los(self) -> Option<f64> {
        let (mean, variance) = self.moments();
        let error = (variance / self.count().max(1) as f64).sqrt();
        (self.count() > 0 && error > 0.0).then(|| normal::cdf((mean - 0.5) / error))
    }

    /// The distance of a pair's mean score from 1/2 at this normalised Elo, in standard deviations of
    /// a pair.
    pub(super) fn deviations(normalised_elo: f64) -> f64 {
        normalised_elo * LN_10 / 800.0 * SQRT_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut pairs = Pentanomial::default();
        for points in [0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0] {
            pairs.add(points);
        }
        assert_eq!(pairs, Pentanomial([1, 1, 2, 1, 2]));
    }

    #[test]
    fn equal_players_are_equal() {
        let pairs = Pentanomial([10, 20, 100, 20, 10]);
        let elo = pairs.elo().expect("they vary");
        assert!(elo.value.abs() < 1e-9 && (elo.low + elo.high).abs() < 1e-9);
        assert!((pairs.los().expect("they vary") - 0.5).abs() < 1e-12);
        assert!(pairs.normalised_elo().is_some_and(|it| it.abs() < 1e-9));
    }

    #[test]
    fn without_variance_there_is_no_interval() {
        assert_eq!(Pentanomial([0, 0, 0, 0, 7]).elo(), None);
        assert_eq!(Pentanomial::default().los(), None);
    }

    #[test]
    fn exchanged_sides_cancel_the_opening() {
        // The first player wins almost every game: pairs hardly vary, and the interval is narrow.
        let elo = Pentanomial([0, 1, 95, 4, 0]).elo().expect("they vary");
        assert!(elo.high - elo.low < 16.0, "{elo:?}");
    }
}
