//! The numbers of a node of df-pn from those of its children, and the thresholds of the child that
//! is searched next.

use super::dfpn::Child;
use super::table::{INFINITE, LARGEST, Numbers};

/// The number that the mover wants small, and the one that adds up.
pub(super) fn sides(numbers: Numbers, attacks: bool) -> (u32, u32) {
    let Numbers { proof, disproof } = numbers;
    if attacks { (proof, disproof) } else { (disproof, proof) }
}

/// The number that adds up, over all children.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) plain: u32,
    pub(super) largest: u32,
    pub(super) open: u32,
}

impl Sum {
    pub(super) fn add(&mut self, number: u32) {
        // A child that the mover has won is infinitely far for the other, and then so is the sum.
        self.plain = self.plain.saturating_add(number).min(LARGEST);
        self.largest = self.largest.max(number);
        self.open += u32::from(number != 0);
    }

    pub(super) fn total(&self, weak: bool) -> u32 {
        if weak {
            self.largest.saturating_add(self.open.saturating_sub(1)).min(LARGEST)
        } else {
            self.plain
        }
    }
}

/// What the children beside the picked one add to the number that adds up.
pub(super) fn others<M>(children: &[Child<M>], pick: usize, attacks: bool, weak: bool) -> u32 {
    let mut sum = Sum::default();
    for (number, child) in children.iter().enumerate() {
        if number != pick {
            sum.add(sides(child.known.numbers, attacks).1);
        }
    }
    if weak { sum.open } else { sum.plain }
}

/// The child whose own number is least, and the least of the others.
pub(super) fn choose<M>(children: &[Child<M>], attacks: bool) -> (usize, u32) {
    let (mut pick, mut best, mut second) = (0, INFINITE, INFINITE);
    for (number, child) in children.iter().enumerate() {
        let (own, _) = sides(child.known.numbers, attacks);
        if own < best {
            (pick, second, best) = (number, best, own);
        } else if own < second {
            second = own;
        }
    }
    (pick, second)
}

/// A little more than the second best. Where numbers are at their largest nothing is a limit any
/// more, or a position would be left as soon as it is entered.
pub(super) fn stretched(second: u32, epsilon: f64) -> u32 {
    let more = (f64::from(second) * (1.0 + epsilon)).ceil();
    let more = (more as u32).max(second.saturating_add(1));
    if more >= LARGEST { INFINITE } else { more }
}
