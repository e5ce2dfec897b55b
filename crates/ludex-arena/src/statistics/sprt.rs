//! The sequential probability ratio test (SPRT), which ends a match as soon as it is decided.
//!
//! A. Wald, "Sequential tests of statistical hypotheses" (1945), in the generalised form (GSPRT) for
//! pairs of games by M. Van den Bergh ("A practical introduction to the GSPRT" and "Normalized Elo",
//! 2020), as fishtest uses it. H0 and H1 are differences in *normalised* Elo. The likelihood of each is
//! that of its maximum-likelihood distribution: the likeliest of all with that difference, given the
//! observed pairs.

use super::pentanomial::Pentanomial;

/// A test between two differences in normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 where H1 is true.
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtState {
    /// Neither hypothesis is accepted yet.
    Undecided,
    /// H0 is accepted.
    AcceptH0,
    /// H1 is accepted.
    AcceptH1,
}

impl SprtState {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::AcceptH0 => "low",
            Self::AcceptH1 => "high",
        }
    }
}

impl Sprt {
    /// A test with 5 % errors of both kinds.
    pub fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The bounds of the log-likelihood ratio at which the test accepts H0 and H1.
    pub fn bounds(self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision after these pairs.
    pub fn state(self, pairs: Pentanomial) -> SprtState {
        let (low, high) = self.bounds();
        let ratio = self.llr(pairs);
        if ratio <= low {
            SprtState::AcceptH0
        } else if ratio >= high {
            SprtState::AcceptH1
        } else {
            SprtState::Undecided
        }
    }

    /// The log-likelihood ratio (LLR) of H1 to H0.
    pub fn llr(self, pairs: Pentanomial) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A count of 0 would give every distribution with that result the likelihood 0.
        let counts = pairs.0.map(|it| if it == 0 { NEVER_SEEN } else { it as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|it| it / total);
        let low = nearest(&seen, Pentanomial::deviations(self.elo0));
        let high = nearest(&seen, Pentanomial::deviations(self.elo1));
        let gain = |it: usize| seen[it] * (high[it] / low[it]).ln();
        total * (0..seen.len()).map(gain).sum::<f64>()
    }
}

/// The count of a result that was never observed.
const NEVER_SEEN: f64 = 1e-3;

/// The scores of a pair, from 0 to 1.
const RESULTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The score of an even pair.
const EVEN: f64 = 0.5;

/// The greatest number of iterations for a maximum-likelihood distribution.
const ROUNDS: usize = 50;

/// The likeliest distribution, given the observed one, whose mean is `deviations` of its own standard
/// deviations above even.
///
/// With many deviations the likelihood may have two local maxima: one near a won pair, and one near a
/// pair of 3/2 points.
fn nearest(seen: &[f64; 5], deviations: f64) -> [f64; 5] {
    let ends = if deviations < 0.0 { [0, 1] } else { [4, 3] };
    let [one, other] = ends.map(|it| climbed(seen, deviations, start(deviations, it)));
    let likelihood = |of: &[f64; 5]| (0..5).map(|it| seen[it] * of[it].ln()).sum::<f64>();
    if likelihood(&other) > likelihood(&one) { other } else { one }
}

/// A start for the iteration: a distribution whose mean is at least `deviations` of its standard
/// deviations from even, by the least weight on one result with all others equal.
fn start(deviations: f64, result: usize) -> [f64; 5] {
    let mixed = |part: f64| -> [f64; 5] {
        std::array::from_fn(|it| 0.2 * (1.0 - part) + if it == result { part } else { 0.0 })
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let (mean, sigma) = moments(&mixed(middle));
        if (mean - EVEN) * deviations.signum() < deviations.abs() * sigma {
            low = middle;
        } else {
            high = middle;
        }
    }
    mixed(high)
}

/// The mean and the standard deviation of a distribution.
fn moments(of: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|it| of[it] * RESULTS[it]).sum();
    let variance: f64 = (0..5).map(|it| of[it] * (RESULTS[it] - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The local maximum of the likelihood near `guess`.
///
/// The constraint is not linear in the distribution. Every iteration linearises it about the last
/// guess and solves it. The standard deviation is concave, so that a guess beyond the constraint is
/// followed by another one beyond it, and every iteration has a solution.
fn climbed(seen: &[f64; 5], deviations: f64, mut guess: [f64; 5]) -> [f64; 5] {
    for _ in 0..ROUNDS {
        let (mean, sigma) = moments(&guess);
        let sigma = sigma.max(1e-9);
        let values = RESULTS
            .map(|it| it - EVEN - deviations * sigma * (1.0 + ((mean - it) / sigma).powi(2)) / 2.0);
        let next = with_mean_zero(seen, &values);
        let change = (0..5).map(|it| (next[it] - guess[it]).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-10 {
            break;
        }
    }
    guess
}

/// The likeliest distribution over `values` with the mean 0, given the observed one: each weight is
/// divided by `1 + x · value`, with the one `x` that gives this mean.
fn with_mean_zero(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No distribution has this mean: keep the observed one.
        return *seen;
    }
    let mean =
        |x: f64| -> f64 { (0..5).map(|it| seen[it] * values[it] / (1.0 + x * values[it])).sum() };
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        // The mean falls as x grows.
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|it| seen[it] / (1.0 + x * values[it]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pairs: [u64; 5], low: f64, high: f64, expected: f64) {
        let ratio = Sprt::new(low, high).llr(Pentanomial(pairs));
        assert!((ratio - expected).abs() < 0.006, "{ratio} is not {expected}");
    }

    #[test]
    fn published_vectors() {
        check([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.25);
        check([379, 10_170, 21_828, 10_640, 343], 0.0, 2.0, 2.95);
        check([127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, 3.01);
        // Where all pairs are won the normal approximation is useless. The count of unobserved results
        // shows in the fourth digit.
        let ratio = Sprt::new(0.0, 5.0).llr(Pentanomial([0, 0, 0, 0, 5_550]));
        assert!((ratio - 111.82).abs() < 0.03, "{ratio}");
    }

    /// Large differences need a good start of the iteration. The expected figures are from another
    /// method: both moments given, two multipliers, and a search over the standard deviation.
    #[test]
    fn large_differences_converge() {
        for (pairs, low, high, expected) in [
            ([2, 86, 12, 0, 0], 0.0, 400.0, -162.893),
            ([0, 7, 0, 0, 3], 0.0, 400.0, -8.767),
            ([2, 3, 3, 2, 0], 0.0, 400.0, -12.652),
            ([12, 7, 2, 9, 0], 0.0, 400.0, -38.677),
            ([140, 444, 138, 265, 13], -300.0, 300.0, -770.943),
            ([0, 8, 10, 0, 12], -1000.0, -400.0, 34.448),
        ] {
            let ratio = Sprt::new(low, high).llr(Pentanomial(pairs));
            assert!((ratio - expected).abs() < 0.02, "{pairs:?}: {ratio} is not {expected}");
        }
    }

    #[test]
    fn a_test_ends_at_the_bounds_of_wald() {
        let test = Sprt::new(0.0, 2.0);
        let (low, high) = test.bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
        assert_eq!(
            test.state(Pentanomial([379, 10_170, 21_828, 10_640, 343])),
            SprtState::AcceptH1
        );
        assert_eq!(
            test.state(Pentanomial([365, 16_618, 36_229, 16_974, 390])),
            SprtState::Undecided
        );
        assert_eq!(
            test.state(Pentanomial([9000, 10_640, 21_828, 10_170, 343])),
            SprtState::AcceptH0
        );
        assert_eq!(test.state(Pentanomial::default()), SprtState::Undecided);
    }

    #[test]
    fn both_sides_are_treated_alike() {
        let pairs = Pentanomial([3, 10, 40, 22, 5]);
        let turned = Pentanomial([5, 22, 40, 10, 3]);
        let one = Sprt::new(0.0, 10.0).llr(pairs);
        let other = Sprt::new(-10.0, 0.0).llr(turned);
        assert!((one + other).abs() < 1e-6, "{one} {other}");
    }
}
