//! Whole-number operations on numbers known beforehand.

use crate::inst::{Binary, Unary};
use crate::program::Program;

/// `op x`; `None` for reals.
pub(crate) fn unary(program: &Program, op: Unary, x: i64) -> Option<i64> {
    Some(match op {
        Unary::Neg => x.wrapping_neg(),
        Unary::Not => i64::from(x == 0),
        Unary::Abs => x.wrapping_abs(),
        Unary::Opposite => {
            let directions = &program.geometry.directions;
            let dir = usize::try_from(x).ok().and_then(|it| directions.get(it));
            dir.filter(|it| (it.opposite as usize) < directions.len())
                .map_or(-1, |it| i64::from(it.opposite))
        }
        _ => return None,
    })
}

/// `a op b`; `None` for reals and distances.
pub(crate) fn binary(op: Binary, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div if b == 0 => 0,
        Binary::Div => a.wrapping_div(b),
        Binary::Rem if b == 0 => 0,
        Binary::Rem => a.wrapping_rem(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Eq => i64::from(a == b),
        Binary::Ne => i64::from(a != b),
        Binary::Lt => i64::from(a < b),
        Binary::Le => i64::from(a <= b),
        _ => return None,
    })
}
