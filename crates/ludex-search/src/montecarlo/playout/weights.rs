//! What a policy thinks of moves: a weight for each code, with its exponential.
//!
//! A code is looked up once, when a move is listed; from then on it is a place in an array.

use crate::montecarlo::codes::{Code, Codes};

/// Where the weight of a code is.
pub(crate) type Place = u32;

/// Weights are kept within what an exponential in single precision holds.
const LARGEST: f32 = 30.0;

/// Where the weights of a move are: that of the move alone, and that of the move with what stands
/// around it. The same where nothing around it counts, and then it has one weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) alone: Place,
    pub(crate) around: Place,
}

#[derive(Clone, Copy, Debug)]
struct Weight {
    weight: f32,
    /// The exponential as it was when the weights were settled last.
    exp: f32,
    /// Whether the weight has changed since.
    changed: bool,
}

/// The weights of a policy.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    /// Places by codes, plus one.
    places: Codes<Place>,
    weights: Vec<Weight>,
    changed: Vec<Place>,
}

impl Weights {
    /// The place of a code, made if it is new.
    pub(crate) fn place(&mut self, code: Code) -> Place {
        let entry = self.places.entry(code);
        if *entry == 0 {
            self.weights.push(Weight { weight: 0.0, exp: 1.0, changed: false });
            *entry = self.weights.len() as Place;
        }
        *entry - 1
    }

    /// How likely a move is compared with others: the exponential of the sum of its weights.
    pub(crate) fn odds(&self, at: Places) -> f64 {
        let exp = |place: Place| f64::from(self.weights[place as usize].exp);
        if at.alone == at.around { exp(at.alone) } else { exp(at.alone) * exp(at.around) }
    }

    /// Adds to what a move weighs, in equal parts where it has two weights. The odds stay as they
    /// are until all is [settled](Self::settle).
    pub(crate) fn add(&mut self, at: Places, gain: f64) {
        if at.alone == at.around {
            self.add_to(at.alone, gain as f32);
        } else {
            let half = (gain / 2.0) as f32;
            self.add_to(at.alone, half);
            self.add_to(at.around, half);
        }
    }

    fn add_to(&mut self, place: Place, gain: f32) {
        let entry = &mut self.weights[place as usize];
        entry.weight += gain;
        if !entry.changed {
            entry.changed = true;
            self.changed.push(place);
        }
    }

    /// Lets the odds follow the weights.
    pub(crate) fn settle(&mut self) {
        for place in self.changed.drain(..) {
            let entry = &mut self.weights[place as usize];
            entry.weight = entry.weight.clamp(-LARGEST, LARGEST);
            entry.exp = entry.weight.exp();
            entry.changed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-5 * other
    }

    #[test]
    fn odds_wait_until_all_is_settled() {
        let mut weights = Weights::default();
        let place = weights.place(7);
        let at = Places { alone: place, around: place };
        assert_eq!(weights.place(7), place);
        weights.add(at, 1.0);
        weights.add(at, 0.5);
        assert!(close(weights.odds(at), 1.0));
        weights.settle();
        assert!(close(weights.odds(at), 1.5_f64.exp()));
        weights.add(at, 1e9);
        weights.settle();
        assert!(close(weights.odds(at), f64::from(LARGEST).exp()));
    }

    #[test]
    fn half_of_what_is_learnt_is_of_the_move_alone() {
        let mut weights = Weights::default();
        let [alone, here, there] = [7, 8, 9].map(|code| weights.place(code));
        weights.add(Places { alone, around: here }, 2.0);
        weights.settle();
        assert!(close(weights.odds(Places { alone, around: here }), 2_f64.exp()));
        assert!(close(weights.odds(Places { alone, around: there }), 1_f64.exp()));
    }
}
