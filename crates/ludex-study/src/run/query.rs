//! Questions put to cells.

use crate::label::Allowed;

/// A question put to a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Query {
    /// What is your value?
    Value,
    /// Is the bit of your raw value set?
    Mask(u64),
    /// Is your raw value between these?
    Between(i64, i64),
}

impl Query {
    pub(super) fn holds(self, raw: u16) -> bool {
        match self {
            Self::Value => true,
            Self::Mask(mask) => raw < 64 && mask >> raw & 1 == 1,
            Self::Between(lo, hi) => lo <= i64::from(raw) && i64::from(raw) <= hi,
        }
    }

    /// The values that give the answer that `raw` gives; of an interval's outside the side that
    /// `raw` is on, which is enough.
    pub(super) fn allowed(self, raw: u16, size: usize) -> Allowed {
        if let Self::Value = self {
            return Allowed::exactly(raw, size);
        }
        if size <= 64 {
            let same = (0..size as u16).filter(|&it| self.holds(it) == self.holds(raw));
            return Allowed::Values(same.fold(0, |mask, it| mask | 1 << it));
        }
        let Self::Between(lo, hi) = self else { return Allowed::exactly(raw, size) };
        let (value, last) = (i64::from(raw), size as i64 - 1);
        let (lo, hi) = if value < lo {
            (0, lo - 1)
        } else if value > hi {
            (hi + 1, last)
        } else {
            (lo, hi)
        };
        Allowed::Range { lo: lo.clamp(0, value) as u16, hi: hi.clamp(value, last) as u16 }
    }
}
