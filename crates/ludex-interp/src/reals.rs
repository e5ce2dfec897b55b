//! Arithmetic on reals, one definition for every engine.
//!
//! Reals travel in number registers as their bits. No operation gives `NaN`: it
//! gives 0 instead, so that an evaluation is always a number. Nothing here is a
//! fused multiply-add, whose results differ from machine to machine.

/// The real in a register.
#[inline]
pub fn real(bits: i64) -> f64 {
    f64::from_bits(bits as u64)
}

/// A real as a register holds it; 0 for what is no number.
#[inline]
pub fn bits(real: f64) -> i64 {
    if real.is_nan() { 0 } else { real.to_bits() as i64 }
}

/// The exponential.
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    x.tanh()
}

/// The square root; of a negative number 0.
pub fn sqrt(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

/// The quotient; 0 if the divisor is 0.
pub fn div(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

/// The smaller; the second if they cannot be compared or are equal.
pub fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger; the second if they cannot be compared or are equal.
pub fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
