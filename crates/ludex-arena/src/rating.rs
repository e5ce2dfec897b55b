//! Ratings of many players from their games.
//!
//! The model is that of R. A. Bradley and M. E. Terry ("Rank analysis of incomplete block designs",
//! 1952), on the scale of A. Elo: a player rated d points above another is expected to score
//! 1 / (1 + 10^(-d/400)). A draw counts as half a win and half a loss. The ratings are the maximum of
//! the likelihood, found by Newton's method, which also gives the error bars (the inverse of the
//! second derivatives). Draws vary less than wins and losses, so that with many of them the bars are
//! a little too wide, never too narrow.
//!
//! A game of more than two players counts as the games of every two of them, each with less weight
//! ([`weight`]), because they are not independent.
//!
//! The prior is one virtual draw of every player against an average one: without it a player that
//! has won every game would have no finite rating, and groups that never met no common scale.

use std::f64::consts::LN_10;

use crate::statistics::{Estimate, score::Z};

/// The head-to-head result of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadToHead {
    /// The two players.
    pub players: [usize; 2],
    /// Points of the first of them: 1 for each win, 1/2 for each draw.
    pub points: f64,
    /// The number of games.
    pub games: f64,
}

/// From rating points to the natural scale of the model.
const SCALE: f64 = LN_10 / 400.0;

/// The expected score of a player rated `difference` points above the other.
pub fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference * SCALE).exp())
}

/// The weight of each of the results of two in a game with this many seats. Together they say as much
/// as a ranking of all, which is one comparison less than there are players.
pub fn weight(seats: usize) -> f64 {
    2.0 / seats.max(2) as f64
}

/// The most players that are rated together: the time grows with the cube.
pub const MOST_PLAYERS: usize = 1000;

/// The ratings of `players` players, each with its 95 % interval; their mean is `mean`.
pub fn ratings(players: usize, head_to_heads: &[HeadToHead], mean: f64) -> Vec<Estimate> {
    let players = players.min(MOST_PLAYERS);
    let fits = |it: &&HeadToHead| it.players.iter().all(|&it| it < players) && it.games > 0.0;
    let head_to_heads: Vec<HeadToHead> = head_to_heads.iter().filter(fits).copied().collect();
    let mut strengths = vec![0.0; players];
    let mut curvature = Matrix::zero(players);
    for _ in 0..100 {
        let slope = slope(&strengths, &head_to_heads, &mut curvature);
        let Some(step) = curvature.clone().solved(&slope) else { break };
        // The likelihood has one peak; far from it a Newton step may be too long and is cut.
        let longest = step.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
        let cut = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        strengths.iter_mut().zip(&step).for_each(|(it, step)| *it += cut * step);
        if longest < 1e-10 {
            break;
        }
    }
    let average = strengths.iter().sum::<f64>() / players.max(1) as f64;
    let variances = curvature.centred_variances();
    let rated = strengths.iter().zip(variances).map(|(strength, variance)| {
        let value = (strength - average) / SCALE + mean;
        let error = Z * variance.max(0.0).sqrt() / SCALE;
        Estimate { value, low: value - error, high: value + error }
    });
    rated.collect()
}

/// The gradient of the log-likelihood; `curvature` becomes the negated second derivatives.
fn slope(strengths: &[f64], head_to_heads: &[HeadToHead], curvature: &mut Matrix) -> Vec<f64> {
    *curvature = Matrix::zero(strengths.len());
    let mut slope = vec![0.0; strengths.len()];
    let rate = |difference: f64| 1.0 / (1.0 + (-difference).exp());
    for it in head_to_heads {
        let [a, b] = it.players;
        let rate = rate(strengths[a] - strengths[b]);
        let gain = it.points - it.games * rate;
        slope[a] += gain;
        slope[b] -= gain;
        let bend = it.games * rate * (1.0 - rate);
        *curvature.at(a, a) += bend;
        *curvature.at(b, b) += bend;
        *curvature.at(a, b) -= bend;
        *curvature.at(b, a) -= bend;
    }
    // The virtual draw.
    for (player, strength) in strengths.iter().enumerate() {
        let rate = rate(*strength);
        slope[player] += 0.5 - rate;
        *curvature.at(player, player) += rate * (1.0 - rate);
    }
    slope
}

/// A square matrix.
#[derive(Clone, Debug)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    /// The Cholesky factor of a positive definite matrix: lower, in place.
    fn factored(mut self) -> Option<Self> {
        let size = self.size;
        for column in 0..size {
            for row in column..size {
                let (rows, columns) = (row * size, column * size);
                let product: f64 =
                    (0..column).map(|it| self.cells[rows + it] * self.cells[columns + it]).sum();
                let rest = self.cells[rows + column] - product;
                self.cells[rows + column] = if row == column {
                    if rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / self.cells[columns + column]
                };
            }
        }
        Some(self)
    }

    /// Solves the linear system with this Cholesky factor and right side.
    fn substituted(&self, right: &[f64]) -> Vec<f64> {
        let size = self.size;
        let mut answer = right.to_vec();
        for row in 0..size {
            let done: f64 = (0..row).map(|it| self.cells[row * size + it] * answer[it]).sum();
            answer[row] = (answer[row] - done) / self.cells[row * size + row];
        }
        for row in (0..size).rev() {
            let done: f64 =
                (row + 1..size).map(|it| self.cells[it * size + row] * answer[it]).sum();
            answer[row] = (answer[row] - done) / self.cells[row * size + row];
        }
        answer
    }

    fn solved(self, right: &[f64]) -> Option<Vec<f64>> {
        Some(self.factored()?.substituted(right))
    }

    /// The variance of each strength about the mean of all, where this is the curvature: the diagonal
    /// of the inverse less its common part; infinite where there is no inverse.
    fn centred_variances(self) -> Vec<f64> {
        let size = self.size;
        let Some(factor) = self.factored() else { return vec![f64::INFINITY; size] };
        let mut unit = vec![0.0; size];
        let (mut own, mut means) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for player in 0..size {
            unit[player] = 1.0;
            let column = factor.substituted(&unit);
            unit[player] = 0.0;
            own.push(column[player]);
            means.push(column.iter().sum::<f64>() / size as f64);
        }
        let common = means.iter().sum::<f64>() / size as f64;
        own.iter().zip(&means).map(|(own, mean)| own - 2.0 * mean + common).collect()
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "these numbers are exact")]
mod tests {
    use super::*;

    fn result(a: usize, b: usize, points: f64, games: f64) -> HeadToHead {
        HeadToHead { players: [a, b], points, games }
    }

    #[test]
    fn many_games_give_the_difference_of_elo() {
        let rated = ratings(2, &[result(0, 1, 7597.0, 10_000.0)], 0.0);
        assert!((rated[0].value - rated[1].value - 200.0).abs() < 0.5, "{rated:?}");
        assert!((rated[0].value + rated[1].value).abs() < 1e-6, "the mean is kept");
        // 400 / ln 10 · 1.96 / √(10000 · 0.7597 · 0.2403), half of it for each.
        assert!((rated[0].high - rated[0].value - 3.98).abs() < 0.1, "{rated:?}");
    }

    #[test]
    fn more_games_give_narrower_intervals() {
        let width = |games: f64| {
            let head_to_heads = [
                result(0, 1, games / 2.0, games),
                result(1, 2, games / 2.0, games),
                result(0, 2, games / 2.0, games),
            ];
            let rated = ratings(3, &head_to_heads, 1500.0);
            assert!(rated.iter().all(|it| (it.value - 1500.0).abs() < 1e-6));
            rated[0].high - rated[0].low
        };
        assert!(width(1000.0) < width(10.0));
    }

    #[test]
    fn a_player_that_won_every_game_has_a_rating() {
        let rated = ratings(3, &[result(0, 1, 10.0, 10.0), result(1, 2, 10.0, 10.0)], 0.0);
        assert!(rated.iter().all(|it| it.value.is_finite() && it.low.is_finite()), "{rated:?}");
        assert!(rated[0].value > rated[1].value && rated[1].value > rated[2].value);
    }

    #[test]
    fn strength_is_carried_through_others() {
        // 0 and 2 never met.
        let rated = ratings(3, &[result(0, 1, 750.0, 1000.0), result(1, 2, 750.0, 1000.0)], 0.0);
        let difference = rated[0].value - rated[2].value;
        assert!((difference - 381.7).abs() < 4.0, "{difference}");
        assert!((expected(190.85) - 0.75).abs() < 1e-3);
    }

    #[test]
    fn games_of_unknown_players_are_ignored() {
        assert!(ratings(0, &[], 0.0).is_empty());
        assert_eq!(ratings(1, &[result(0, 7, 1.0, 1.0)], 3.0)[0].value, 3.0);
    }
}
