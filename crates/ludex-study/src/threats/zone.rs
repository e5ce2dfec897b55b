//! Zones: what a win of the attacker depends on.
//!
//! A zone is a conjunction of conditions on cells. A move of the defender that leaves all of them
//! true cannot prevent the win; one that writes something else *touches* the zone. A win that depends on
//! too much to list, such as a stalemate, has the zone *everything*, which every move touches.

use ludex_interp::Write;
use ludex_ir::Program;

use crate::label::Allowed;
use crate::study::{Explained, Reason};

/// Conditions on cells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Zone {
    is_everything: bool,
    /// In the order of the cells, one for each at most.
    reasons: Vec<Reason>,
}

impl Zone {
    /// The zone that every move touches.
    pub fn everything() -> Self {
        Self { is_everything: true, reasons: Vec::new() }
    }

    /// The zone of something explained.
    pub fn of<T>(explained: &Explained<T>) -> Self {
        if explained.history {
            // Every move changes the history.
            return Self::everything();
        }
        Self { is_everything: false, reasons: explained.reasons.clone() }
    }

    /// Whether every move touches it.
    pub fn is_everything(&self) -> bool {
        self.is_everything
    }

    /// The conditions, in the order of the cells; none if it is everything.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// Adds the conditions of another zone.
    pub fn add(&mut self, other: &Self) {
        if self.is_everything || other.is_everything {
            *self = Self::everything();
            return;
        }
        for &reason in &other.reasons {
            self.add_reason(reason);
        }
    }

    /// Adds a condition.
    pub fn add_reason(&mut self, reason: Reason) {
        if self.is_everything {
            return;
        }
        match self.reasons.binary_search_by_key(&reason.cell, |it| it.cell) {
            Ok(at) => {
                let kept = &mut self.reasons[at];
                kept.allowed = kept.allowed.and(reason.allowed);
            }
            Err(at) => self.reasons.insert(at, reason),
        }
    }

    /// Whether a cell may get a raw value.
    pub fn allows(&self, cell: usize, raw: u16) -> bool {
        let found = self.reasons.binary_search_by_key(&cell, |it| it.cell);
        !self.is_everything && found.map_or(true, |at| self.reasons[at].allowed.contains(raw))
    }

    /// The zone before a move that writes `writes`, where `raw` gives the cells before it.
    ///
    /// A condition on a cell that the move sets is dropped. A cell that the move adds to must have had
    /// the value it has, so that it fulfils its condition afterwards.
    #[must_use]
    pub fn before(&self, writes: &[Write], program: &Program, raw: impl Fn(usize) -> u16) -> Self {
        let mut before = self.clone();
        before.reasons.retain_mut(|reason| {
            let written = || writes.iter().filter(|it| it.cell() == reason.cell);
            if written().next().is_none() {
                return true;
            }
            if written().any(|it| matches!(it, Write::Set(..))) {
                return false;
            }
            reason.allowed = Allowed::exactly(raw(reason.cell), domain(program, reason.cell));
            true
        });
        before
    }

    /// Whether cells with the raw values `raw` fulfil all conditions.
    pub fn holds(&self, raw: impl Fn(usize) -> u16) -> bool {
        !self.is_everything && self.reasons.iter().all(|it| it.allowed.contains(raw(it.cell)))
    }
}

/// How many values a cell may have.
pub(super) fn domain(program: &Program, cell: usize) -> usize {
    let array = program.cell(cell).0;
    (array.hi - array.lo + 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(cell: usize, values: u64) -> Reason {
        Reason { cell, allowed: Allowed::Values(values) }
    }

    #[test]
    fn conditions_on_one_cell_become_one() {
        let mut zone = Zone::default();
        zone.add_reason(reason(5, 0b110));
        zone.add_reason(reason(2, 0b001));
        zone.add_reason(reason(5, 0b011));
        assert_eq!(zone.reasons(), [reason(2, 0b001), reason(5, 0b010)]);
        assert!(zone.holds(|cell| u16::from(cell == 5)) && !zone.holds(|_| 0));
        assert!(zone.allows(5, 1) && !zone.allows(5, 2) && zone.allows(7, 2));
    }

    #[test]
    fn everything_is_touched_by_every_move() {
        let mut zone = Zone::default();
        assert!(zone.holds(|_| 0));
        zone.add(&Zone::everything());
        zone.add_reason(reason(1, 1));
        assert!(zone.is_everything() && !zone.holds(|_| 0) && !zone.allows(3, 0));
    }
}
