//! The points that a game gives to each of its players.
//!
//! Between two players a win is a point and a draw half a point. With more players every two of them
//! are compared: the higher result is a win, an equal one a draw. The points of a seat are the mean
//! over the others: 1 for the sole winner, 0 for the sole last, 1/2 for all when all are level. A game
//! of more players therefore counts as games of two, and tables and ratings work for both.

use std::fmt;

/// The points of all seats, first player's first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Points(Vec<f64>);

impl Points {
    /// The points for these values of the seats, of which only the order matters.
    pub fn of_values(values: &[f64]) -> Self {
        let others = values.len().saturating_sub(1).max(1) as f64;
        let ahead = |one: usize| {
            let of = |other: usize| result(values[one], values[other]);
            (0..values.len()).filter(|&it| it != one).map(of).sum::<f64>()
        };
        Self((0..values.len()).map(|it| ahead(it) / others).collect())
    }

    /// All are level.
    pub fn draw(seats: usize) -> Self {
        Self(vec![0.5; seats])
    }

    /// One seat has lost, and the others are level.
    pub fn lost_by(seat: usize, seats: usize) -> Self {
        let values: Vec<f64> = (0..seats).map(|it| f64::from(u8::from(it != seat))).collect();
        Self::of_values(&values)
    }

    /// The points of a seat; 1/2 if there is no such seat.
    pub fn of(&self, seat: usize) -> f64 {
        self.0.get(seat).copied().unwrap_or(0.5)
    }

    /// The result of one seat against another: 1, 1/2 or 0.
    pub fn against(&self, one: usize, other: usize) -> f64 {
        result(self.of(one), self.of(other))
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.0.len()
    }

    /// The points of all seats, first player's first.
    pub fn all(&self) -> &[f64] {
        &self.0
    }

    /// Every two seats, and the result of the first of them against the second.
    pub fn pairs(&self) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
        let seats = self.seats();
        let pairs = (0..seats).flat_map(move |one| (one + 1..seats).map(move |it| [one, it]));
        pairs.map(|[one, other]| ([one, other], self.against(one, other)))
    }
}

fn result(one: f64, other: f64) -> f64 {
    match one.partial_cmp(&other) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Less) => 0.0,
        Some(std::cmp::Ordering::Equal) | None => 0.5,
    }
}

/// As records have it: `1, 0`, `0.5, 0.5`, `1, 0.25, 0.25`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (seat, points) in self.0.iter().enumerate() {
            let between = if seat == 0 { "" } else { ", " };
            // Four places distinguish the points of the greatest number of seats.
            write!(f, "{between}{}", (points * 1e4).round() / 1e4)?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    fn check(values: &[f64], text: &str) {
        let points = Points::of_values(values);
        assert_eq!(points.to_string(), text);
        let sum: f64 = points.all().iter().sum();
        assert!((sum - values.len() as f64 / 2.0).abs() < 1e-9, "half a point for each seat");
        let read: Vec<f64> = text.split(", ").map(|it| it.parse().unwrap()).collect();
        assert_eq!(Points::of_values(&read), points, "they can be read again");
    }

    #[test]
    fn every_two_players_are_compared() {
        check(&[1.0, -1.0], "1, 0");
        check(&[0.0, 0.0], "0.5, 0.5");
        check(&[40.0, 24.0], "1, 0");
        check(&[-1.0, 1.0, -1.0], "0.25, 1, 0.25");
        check(&[3.0, 7.0, 5.0], "0, 1, 0.5");
        check(&[4.0, 3.0, 2.0, 1.0], "1, 0.6667, 0.3333, 0");
        check(&[0.0; 16], &["0.5"; 16].join(", "));
    }

    #[test]
    fn a_failure_loses_and_the_others_are_level() {
        assert_eq!(Points::lost_by(1, 2).to_string(), "1, 0");
        assert_eq!(Points::lost_by(1, 3).to_string(), "0.75, 0, 0.75");
        assert_eq!(Points::draw(3).to_string(), "0.5, 0.5, 0.5");
    }

    #[test]
    fn every_two_seats_are_listed_once() {
        let pairs: Vec<_> = Points::of_values(&[1.0, 5.0, 1.0]).pairs().collect();
        assert_eq!(pairs, [([0, 1], 0.0), ([0, 2], 0.5), ([1, 2], 1.0)]);
    }
}
