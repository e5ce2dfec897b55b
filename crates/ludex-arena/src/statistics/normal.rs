//! The normal distribution.

/// The cumulative distribution function of the standard normal distribution.
///
/// By the complementary error function: the Taylor series near 0, and far out the continued fraction
/// of M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions" (1964), 7.1.14.
pub fn cdf(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    let half_erfc = 0.5 * erfc(x.abs() / std::f64::consts::SQRT_2);
    if x < 0.0 { half_erfc } else { 1.0 - half_erfc }
}

/// Where the fraction takes over from the series.
const MEETING: f64 = 2.5;

/// The complementary error function of a number that is not negative.
fn erfc(x: f64) -> f64 {
    if x < MEETING {
        1.0 - series(x)
    } else if x > 27.0 {
        // Below the smallest positive number.
        0.0
    } else {
        fraction(x)
    }
}

/// `erf` by its Taylor series.
fn series(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        let next = term / f64::from(2 * n + 1);
        sum += next;
        if next.abs() < 1e-17 {
            break;
        }
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI
}

/// `erfc` by its continued fraction.
fn fraction(x: f64) -> f64 {
    let tail = (1..=120).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    (-x * x).exp() / tail * (std::f64::consts::FRAC_2_SQRT_PI / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_the_tables() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (1.959_964, 0.975),
            (-3.0, 0.001_349_898),
            (4.0, 0.999_968_329),
        ] {
            assert!((cdf(x) - expected).abs() < 1e-7, "{x}: {}", cdf(x));
        }
        assert_eq!((cdf(60.0), cdf(-60.0)), (1.0, 0.0));
        let jump = erfc(MEETING - 1e-12) - erfc(MEETING + 1e-12);
        assert!(jump.abs() < 1e-13, "both agree: {jump}");
    }
}
