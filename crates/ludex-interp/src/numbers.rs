//! Operations on numbers, as [`ludex_ir::inst`] defines them.

use ludex_ir::{Binary, Unary};

use crate::reals::{self, bits, real};

/// What two of the operations ask of a board.
pub trait Plane {
    /// The direction opposite to a direction, or -1.
    fn opposite(&self, direction: i64) -> i64;
    /// King steps between two squares on the drawing, or -1.
    fn distance(&self, a: i64, b: i64) -> i64;
}

/// `op x`.
#[inline]
pub fn unary(board: &impl Plane, op: Unary, x: i64) -> i64 {
    match op {
        Unary::Neg => x.wrapping_neg(),
        Unary::Not => i64::from(x == 0),
        Unary::Abs => x.wrapping_abs(),
        Unary::Real => bits(x as f64),
        Unary::RNeg => bits(-real(x)),
        Unary::RAbs => bits(real(x).abs()),
        Unary::RExp => bits(reals::exp(real(x))),
        Unary::RTanh => bits(reals::tanh(real(x))),
        Unary::RSqrt => bits(reals::sqrt(real(x))),
        Unary::Opposite => board.opposite(x),
    }
}

/// `a op b`.
#[inline]
pub fn binary(board: &impl Plane, op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => {
            if b == 0 {
                0
            } else {
                a.wrapping_div(b)
            }
        }
        Binary::Rem => {
            if b == 0 {
                0
            } else {
                a.wrapping_rem(b)
            }
        }
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Eq => i64::from(a == b),
        Binary::Ne => i64::from(a != b),
        Binary::Lt => i64::from(a < b),
        Binary::Le => i64::from(a <= b),
        Binary::Distance => board.distance(a, b),
        Binary::RAdd => bits(real(a) + real(b)),
        Binary::RSub => bits(real(a) - real(b)),
        Binary::RMul => bits(real(a) * real(b)),
        Binary::RDiv => bits(reals::div(real(a), real(b))),
        Binary::RMin => bits(reals::min(real(a), real(b))),
        Binary::RMax => bits(reals::max(real(a), real(b))),
        Binary::REq => i64::from(equal(real(a), real(b))),
        Binary::RLt => i64::from(real(a) < real(b)),
        Binary::RLe => i64::from(real(a) <= real(b)),
    }
}

#[allow(clippy::float_cmp, reason = "the file asks for exact equality")]
fn equal(a: f64, b: f64) -> bool {
    a == b
}
