//! What a policy thinks of moves: a weight for each code, with its exponential.
//!
//! A code is looked up once, when a move is listed; from then on it is a place in an array.

use crate::montecarlo::code_table::{CodeTable, MoveCode};

/// Where the weight of a code is in its table.
pub(crate) type Place = u32;

/// Weights are kept within what an exponential in single precision holds.
const LARGEST: f32 = 30.0;

/// Where the weights of a move are: that of the move alone, and that of the move with what stands
/// around it, where that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) alone: Place,
    pub(crate) around: Option<Place>,
}

/// The weights of a policy. Moves alone are few and asked for all the time, and so they have a
/// small table of their own.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    alone: WeightTable,
    around: WeightTable,
}

impl Weights {
    /// The place of a move alone.
    pub(crate) fn alone(&mut self, code: MoveCode) -> Place {
        self.alone.place(code)
    }

    /// The place of a move with what stands around it.
    pub(crate) fn around(&mut self, code: MoveCode) -> Place {
        self.around.place(code)
    }

    /// How likely a move is compared with others: the exponential of the sum of its weights.
    pub(crate) fn odds(&self, at: Places) -> f64 {
        let alone = f64::from(self.alone.exp(at.alone));
        at.around.map_or(alone, |it| alone * f64::from(self.around.exp(it)))
    }

    /// Adds to what a move weighs, in equal parts where it has two weights. The odds stay as they
    /// are until all is [settled](Self::settle).
    pub(crate) fn add(&mut self, at: Places, gain: f64) {
        match at.around {
            None => self.alone.add(at.alone, gain as f32),
            Some(around) => {
                let half = (gain / 2.0) as f32;
                self.alone.add(at.alone, half);
                self.around.add(around, half);
            }
        }
    }

    /// Lets the odds follow the weights.
    pub(crate) fn settle(&mut self) {
        self.alone.settle();
        self.around.settle();
    }
}

/// Weights by codes.
#[derive(Debug, Default)]
struct WeightTable {
    /// Places by codes, plus one.
    places: CodeTable<Place>,
    weights: Vec<Weight>,
    changed: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Weight {
    value: f32,
    /// The exponential as it was when the weights were settled last.
    exp: f32,
    /// Whether the value has changed since.
    changed: bool,
}

impl WeightTable {
    /// The place of a code, made if it is new.
    fn place(&mut self, code: MoveCode) -> Place {
        let entry = self.places.entry(code);
        if *entry == 0 {
            self.weights.push(Weight { value: 0.0, exp: 1.0, changed: false });
            *entry = self.weights.len() as Place;
        }
        *entry - 1
    }

    fn exp(&self, place: Place) -> f32 {
        self.weights[place as usize].exp
    }

    fn add(&mut self, place: Place, gain: f32) {
        let entry = &mut self.weights[place as usize];
        entry.value += gain;
        if !entry.changed {
            entry.changed = true;
            self.changed.push(place);
        }
    }

    fn settle(&mut self) {
        for place in self.changed.drain(..) {
            let entry = &mut self.weights[place as usize];
            entry.value = entry.value.clamp(-LARGEST, LARGEST);
            entry.exp = entry.value.exp();
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
        let at = Places { alone: weights.alone(7), around: None };
        assert_eq!(weights.alone(7), at.alone);
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
        let alone = weights.alone(7);
        let [here, there] = [8, 9].map(|code| Some(weights.around(code)));
        weights.add(Places { alone, around: here }, 2.0);
        weights.settle();
        assert!(close(weights.odds(Places { alone, around: here }), 2_f64.exp()));
        assert!(close(weights.odds(Places { alone, around: there }), 1_f64.exp()));
    }
}
