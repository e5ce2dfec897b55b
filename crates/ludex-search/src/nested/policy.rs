//! A playout policy: a weight for each code of a move, learnt by gradient ascent.
//!
//! A move is drawn with a probability in proportion to the exponential of its weight. Codes
//! are 64 bits wide and come from the rules; [`Codes`] numbers them in the order in which they are
//! met, so that a policy is a plain array that is copied in no time.

/// Numbers for codes, in the order in which they were met.
///
/// Open addressing with linear probing, at most half full. Codes are hashes already.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// A code and its number, or [`NONE`].
    slots: Vec<(u64, u32)>,
    len: u32,
}

const NONE: u32 = u32::MAX;

impl Default for Codes {
    fn default() -> Self {
        Self { slots: vec![(0, NONE); 1 << 12], len: 0 }
    }
}

impl Codes {
    /// How many codes have a number.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The number of a code; a new one if it was never met.
    pub(super) fn number(&mut self, code: u64) -> u32 {
        let slot = self.slot(code);
        let (_, number) = self.slots[slot];
        if number != NONE {
            return number;
        }
        let number = self.len;
        self.slots[slot] = (code, number);
        self.len += 1;
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    /// Where a code is, or would be.
    fn slot(&self, code: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The upper bits of a product depend on all bits of the code.
        let mut slot = (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[slot].1 != NONE && self.slots[slot].0 != code {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let larger = vec![(0, NONE); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        for entry in old.into_iter().filter(|it| it.1 != NONE) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }
}

/// The weights of codes, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Policy {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    weight: f64,
    /// The exponential of the weight, kept because it is read far more often than it changes.
    odds: f64,
}

const FRESH: Entry = Entry { weight: 0.0, odds: 1.0 };

/// One decision of a game: the numbers of the codes that could be chosen, and which was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision<'a> {
    /// What there was to choose from.
    pub(super) codes: &'a [u32],
    /// The place of the choice in it.
    pub(super) chosen: usize,
}

/// Memory for [`Policy::adapt`].
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    /// What is added to the weight of each code; zero but while it is worked out.
    slopes: Vec<f64>,
    touched: Vec<u32>,
    odds: Vec<f64>,
}

impl Policy {
    /// Becomes equal to another policy.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.entries.clone_from(&other.entries);
    }

    /// Makes room for codes with numbers below `len`.
    pub(super) fn reach(&mut self, len: usize) {
        if self.entries.len() < len {
            self.entries.resize(len, FRESH);
        }
    }

    /// Chooses among codes, whose numbers [`reach`](Self::reach) has made room for: by their odds,
    /// where `lot` is from 0 to 1.
    pub(super) fn choose(&self, codes: &[u32], lot: f64, odds: &mut Vec<f64>) -> usize {
        let sum = self.odds(codes, odds);
        let mut left = lot * sum;
        for (place, odd) in odds.iter().enumerate() {
            left -= odd;
            if left < 0.0 {
                return place;
            }
        }
        // What rounding leaves over goes to the last that has odds at all.
        odds.iter().rposition(|&odd| odd > 0.0).unwrap_or(0)
    }

    /// Replaces `odds` by numbers in proportion to the probabilities; their sum.
    fn odds(&self, codes: &[u32], odds: &mut Vec<f64>) -> f64 {
        odds.clear();
        odds.extend(codes.iter().map(|&code| self.entries[code as usize].odds));
        let sum: f64 = odds.iter().sum();
        if sum.is_normal() {
            return sum;
        }
        // Weights too large or too small for their exponentials: only differences count.
        let weight = |&code: &u32| self.entries[code as usize].weight;
        let most = codes.iter().map(weight).fold(f64::NEG_INFINITY, f64::max);
        odds.clear();
        odds.extend(codes.iter().map(|code| (weight(code) - most).exp()));
        odds.iter().sum()
    }

    /// Makes the decisions of a game more likely: the weight of each choice rises by `alpha`, and
    /// that of each alternative falls by `alpha` times its probability before.
    pub(super) fn adapt<'a>(
        &mut self,
        game: impl Iterator<Item = Decision<'a>>,
        alpha: f64,
        gradient: &mut Gradient,
    ) {
        let Gradient { slopes, touched, odds } = gradient;
        slopes.resize(slopes.len().max(self.entries.len()), 0.0);
        for Decision { codes, chosen } in game {
            let scale = alpha / self.odds(codes, odds);
            for (&code, odd) in codes.iter().zip(odds.iter()) {
                let slope = &mut slopes[code as usize];
                if *slope == 0.0 {
                    touched.push(code);
                }
                *slope -= scale * odd;
            }
            slopes[codes[chosen] as usize] += alpha;
        }
        for code in touched.drain(..) {
            let slope = std::mem::take(&mut slopes[code as usize]);
            let entry = &mut self.entries[code as usize];
            entry.weight += slope;
            entry.odds = entry.weight.exp();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use ludex_core::Random;

    use super::*;

    #[test]
    fn codes_keep_their_numbers() {
        let mut random = Random::stream(1, 0, 0);
        let (mut codes, mut plain) = (Codes::default(), HashMap::new());
        for _ in 0..40_000 {
            let code = u64::from(random.below(10_000)) << random.below(40);
            let next = plain.len() as u32;
            let number = *plain.entry(code).or_insert(next);
            assert_eq!(codes.number(code), number);
        }
        assert_eq!(codes.len(), plain.len());
    }

    /// The same in the words of the paper, without anything kept.
    fn adapted(weights: &[f64], game: &[(Vec<u32>, usize)], alpha: f64) -> Vec<f64> {
        let mut new = weights.to_vec();
        for (codes, chosen) in game {
            let sum: f64 = codes.iter().map(|&it| weights[it as usize].exp()).sum();
            new[codes[*chosen] as usize] += alpha;
            for &code in codes {
                new[code as usize] -= alpha * weights[code as usize].exp() / sum;
            }
        }
        new
    }

    #[test]
    fn adapting_is_what_the_paper_says() {
        let mut random = Random::stream(2, 0, 0);
        let (mut policy, mut gradient) = (Policy::default(), Gradient::default());
        policy.reach(12);
        let mut weights = vec![0.0; 12];
        for _ in 0..30 {
            let game: Vec<(Vec<u32>, usize)> = (0..8)
                .map(|_| {
                    let first = random.below(6);
                    let codes: Vec<u32> = (first..first + 1 + random.below(6)).collect();
                    let chosen = random.below(codes.len() as u32) as usize;
                    (codes, chosen)
                })
                .collect();
            weights = adapted(&weights, &game, 0.7);
            let decisions = game.iter().map(|(codes, chosen)| Decision { codes, chosen: *chosen });
            policy.adapt(decisions, 0.7, &mut gradient);
            for (entry, weight) in policy.entries.iter().zip(&weights) {
                assert!((entry.weight - weight).abs() < 1e-9);
                assert!((entry.odds / weight.exp() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn odds_survive_weights_of_any_size() {
        let mut policy = Policy::default();
        policy.reach(3);
        for (code, weight) in [2_000.0, 2_000.0, 1_000.0_f64].into_iter().enumerate() {
            policy.entries[code] = Entry { weight, odds: weight.exp() };
        }
        let mut odds = Vec::new();
        assert_eq!(policy.choose(&[2, 0, 1], 0.25, &mut odds), 1);
        assert_eq!(policy.choose(&[2, 0, 1], 0.75, &mut odds), 2);
        policy.entries[2] = Entry { weight: -2_000.0, odds: 0.0 };
        assert_eq!(policy.choose(&[2], 0.5, &mut odds), 0);
    }

    #[test]
    fn choices_follow_the_odds() {
        let mut policy = Policy::default();
        policy.reach(2);
        let weight = 3.0_f64.ln();
        policy.entries[1] = Entry { weight, odds: 3.0 };
        let (mut random, mut odds) = (Random::stream(3, 0, 0), Vec::new());
        let drawn = (0..10_000).filter(|_| policy.choose(&[0, 1], random.chance(), &mut odds) == 1);
        let share = drawn.count() as f64 / 10_000.0;
        assert!((share - 0.75).abs() < 0.02, "{share}");
    }
}
