//! When a match has said enough: a sequential probability ratio test.
//!
//! A. Wald, "Sequential tests of statistical hypotheses" (1945), in the generalised form for games in
//! pairs of M. Van den Bergh ("A practical introduction to the GSPRT" and "Normalized Elo", 2020), as
//! the testing sites of chess programs use it: the two hypotheses are differences in *normalised*
//! Elo, and the likelihood of each is that of the distribution nearest to what was seen among all
//! those with that difference.

use super::pairs::Pairs;

/// Two differences of strength, in normalised Elo, and how often one may be taken for the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The first hypothesis: the difference is this.
    pub low: f64,
    /// The second: it is that.
    pub high: f64,
    /// How often the second may be taken where the first is true.
    pub alpha: f64,
    /// How often the first may be taken where the second is true.
    pub beta: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtState {
    /// Nothing yet.
    Open,
    /// The first hypothesis.
    Low,
    /// The second.
    High,
}

impl SprtState {
    /// What it is called in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "undecided",
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

impl Sprt {
    /// A test between two differences with five errors in a hundred either way.
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high, alpha: 0.05, beta: 0.05 }
    }

    /// Where the test ends, below and above.
    pub fn bounds(self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the pairs have decided.
    pub fn state(self, pairs: Pairs) -> SprtState {
        let (low, high) = self.bounds();
        let ratio = self.log_likelihood_ratio(pairs);
        if ratio <= low {
            SprtState::Low
        } else if ratio >= high {
            SprtState::High
        } else {
            SprtState::Open
        }
    }

    /// By how much the second hypothesis is the likelier one, as a logarithm.
    pub fn log_likelihood_ratio(self, pairs: Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A count of nothing would make everything it excludes impossible.
        let counts = pairs.0.map(|it| if it == 0 { NEVER_SEEN } else { it as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|it| it / total);
        let low = nearest(&seen, Pairs::deviations(self.low));
        let high = nearest(&seen, Pairs::deviations(self.high));
        let gain = |it: usize| seen[it] * (high[it] / low[it]).ln();
        total * (0..seen.len()).map(gain).sum::<f64>()
    }
}

/// How often something counts as seen that was not.
const NEVER_SEEN: f64 = 1e-3;

/// The results of a pair, as parts of its two points.
const RESULTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What an even pair gives.
const EVEN: f64 = 0.5;

/// How often the nearest distribution is made better before it is taken.
const ROUNDS: usize = 50;

/// The likeliest distribution, given what was `seen`, whose mean is so many of its own deviations
/// above even.
///
/// There may be two that are likelier than all about them, where the deviations are many: one near a pair
/// that is won, and one near three quarters of it.
fn nearest(seen: &[f64; 5], deviations: f64) -> [f64; 5] {
    let ends = if deviations < 0.0 { [0, 1] } else { [4, 3] };
    let [one, other] = ends.map(|it| climbed(seen, deviations, start(deviations, it)));
    let likelihood = |of: &[f64; 5]| (0..5).map(|it| seen[it] * of[it].ln()).sum::<f64>();
    if likelihood(&other) > likelihood(&one) { other } else { one }
}

/// A distribution whose mean is at least so many of its deviations from even: as much of one result
/// as that takes, and of all others alike.
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

/// The mean and the deviation of a distribution.
fn moments(of: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|it| of[it] * RESULTS[it]).sum();
    let variance: f64 = (0..5).map(|it| of[it] * (RESULTS[it] - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The likeliest distribution about `guess`.
///
/// The condition is not linear in the distribution; it is made linear about the last guess, solved,
/// and made linear again. The deviation is concave: a guess that goes far enough is followed by
/// another that does, so that something can always be solved.
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

/// The likeliest distribution over `values`, given what was `seen`, that has the mean 0: each weight
/// divided by `1 + x · value`, with the one `x` that makes it so.
fn with_mean_zero(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // Nothing has this mean; what was seen is as near as anything.
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
        let ratio = Sprt::new(low, high).log_likelihood_ratio(Pairs(pairs));
        assert!((ratio - expected).abs() < 0.006, "{ratio} is not {expected}");
    }

    #[test]
    fn figures_of_others() {
        check([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.25);
        check([379, 10_170, 21_828, 10_640, 343], 0.0, 2.0, 2.95);
        check([127, 4_883, 10_712, 5_150, 104], -1.75, 0.25, 3.01);
        // Where all are won the simple approximation gives nonsense. How what was never seen is
        // counted shows in the fourth digit.
        let ratio = Sprt::new(0.0, 5.0).log_likelihood_ratio(Pairs([0, 0, 0, 0, 5_550]));
        assert!((ratio - 111.82).abs() < 0.03, "{ratio}");
    }

    /// Differences so large that the first guess has to be looked for. The expected figures are from
    /// another method: both moments given, two multipliers, and a search over the deviation.
    #[test]
    fn large_differences_are_no_matter() {
        for (pairs, low, high, expected) in [
            ([2, 86, 12, 0, 0], 0.0, 400.0, -162.893),
            ([0, 7, 0, 0, 3], 0.0, 400.0, -8.767),
            ([2, 3, 3, 2, 0], 0.0, 400.0, -12.652),
            ([12, 7, 2, 9, 0], 0.0, 400.0, -38.677),
            ([140, 444, 138, 265, 13], -300.0, 300.0, -770.943),
            ([0, 8, 10, 0, 12], -1000.0, -400.0, 34.448),
        ] {
            let ratio = Sprt::new(low, high).log_likelihood_ratio(Pairs(pairs));
            assert!((ratio - expected).abs() < 0.02, "{pairs:?}: {ratio} is not {expected}");
        }
    }

    #[test]
    fn a_test_ends_where_wald_says() {
        let test = Sprt::new(0.0, 2.0);
        let (low, high) = test.bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
        assert_eq!(test.state(Pairs([379, 10_170, 21_828, 10_640, 343])), SprtState::High);
        assert_eq!(test.state(Pairs([365, 16_618, 36_229, 16_974, 390])), SprtState::Open);
        assert_eq!(test.state(Pairs([9000, 10_640, 21_828, 10_170, 343])), SprtState::Low);
        assert_eq!(test.state(Pairs::default()), SprtState::Open);
    }

    #[test]
    fn both_sides_are_treated_alike() {
        let pairs = Pairs([3, 10, 40, 22, 5]);
        let turned = Pairs([5, 22, 40, 10, 3]);
        let one = Sprt::new(0.0, 10.0).log_likelihood_ratio(pairs);
        let other = Sprt::new(-10.0, 0.0).log_likelihood_ratio(turned);
        assert!((one + other).abs() < 1e-6, "{one} {other}");
    }
}
