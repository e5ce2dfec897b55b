//! The one generator of random numbers in Ludex.
//!
//! It is xoshiro256\*\* (Blackman and Vigna, "Scrambled linear pseudorandom
//! number generators", 2021), seeded by splitmix64 as its authors advise. It is
//! written here and not taken from a crate so that a seed printed today gives
//! the same game in ten years.

/// A stream of random numbers.
///
/// Three numbers choose the stream: a seed, the number of the game and the
/// number of the thread. Equal numbers give equal streams, on every machine.
///
/// ```
/// use ludex_core::Random;
///
/// let mut dice = Random::stream(7, 0, 0);
/// let mut again = Random::stream(7, 0, 0);
/// assert_eq!(dice.below(6), again.below(6));
/// assert!(dice.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of `thread` in game number `game` under `seed`.
    pub fn stream(seed: u64, game: u64, thread: u64) -> Self {
        // What has been taken in is mixed before the next number is, so that
        // neighbouring seeds, games and threads have nothing in common and none
        // of the three can stand in for another.
        let mut key = [seed, game, thread]
            .iter()
            .fold(0, |key: u64, part| mix(mix(key.wrapping_add(GOLDEN)) ^ part));
        let state = std::array::from_fn(|_| {
            key = key.wrapping_add(GOLDEN);
            mix(key)
        });
        Self { state }
    }

    /// The state of the generator, for code that draws from the same stream by itself.
    pub fn state(&self) -> [u64; 4] {
        self.state
    }

    /// Goes on from a state.
    pub fn set_state(&mut self, state: [u64; 4]) {
        self.state = state;
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number from 0 to `bound - 1`, each as likely as any other; 0 where `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Lemire, "Fast random integer generation in an interval", 2019: the
        // high half of a product is the answer; the few low halves that would
        // favour some answers are drawn again.
        let mut product = u64::from(self.high_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let unfair = bound.wrapping_neg() % bound;
            while (product as u32) < unfair {
                product = u64::from(self.high_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A number at least 0 and less than 1, in steps of 2^-53.
    pub fn chance(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// One element of `items`, each as likely as any other; `None` where there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let bound = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(bound) as usize)
    }

    /// One element of `items` by its weight, where the weights sum to 1.
    ///
    /// What rounding leaves over goes to the last element.
    pub fn pick_weighted<T: Copy>(&mut self, items: &[(T, f64)]) -> Option<T> {
        let mut left = self.chance();
        for &(item, weight) in items {
            left -= weight;
            if left < 0.0 {
                return Some(item);
            }
        }
        items.last().map(|&(item, _)| item)
    }

    /// The upper bits: the better half of the generator's output.
    fn high_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }
}

/// 2^64 divided by the golden ratio: the step of splitmix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of splitmix64: spreads every bit of `key` over all bits.
fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_reference_implementation() {
        // First outputs of the authors' xoshiro256starstar.c from state 1, 2, 3, 4.
        let mut random = Random { state: [1, 2, 3, 4] };
        let drawn: Vec<u64> = (0..6).map(|_| random.next_u64()).collect();
        assert_eq!(
            drawn,
            [
                11520,
                0,
                1_509_978_240,
                1_215_971_899_390_074_240,
                1_216_172_134_540_287_360,
                607_988_272_756_665_600
            ]
        );
    }

    #[test]
    fn streams_differ_in_every_coordinate() {
        let first = |seed, game, thread| Random::stream(seed, game, thread).next_u64();
        let mut drawn = vec![first(0, 0, 0), first(1, 0, 0), first(0, 1, 0), first(0, 0, 1)];
        drawn.extend([first(1, 1, 0), first(1, 0, 1), first(0, 1, 1), first(1, 1, 1)]);
        let count = drawn.len();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), count);
    }

    #[test]
    fn a_seed_means_the_same_for_ever() {
        // If this fails, every recorded seed has lost its meaning.
        let mut random = Random::stream(42, 3, 1);
        assert_eq!(random.next_u64(), 5_885_910_828_917_719_274);
    }

    #[test]
    fn below_is_even() {
        let mut random = Random::stream(1, 0, 0);
        for bound in [1_u32, 2, 3, 6, 7] {
            let draws = 70_000;
            let mut counts = vec![0_u32; bound as usize];
            for _ in 0..draws {
                counts[random.below(bound) as usize] += 1;
            }
            let expected = f64::from(draws) / f64::from(bound);
            let chi: f64 =
                counts.iter().map(|&it| (f64::from(it) - expected).powi(2) / expected).sum();
            assert!(chi < 30.0, "chi squared of {chi} below {bound}");
        }
    }

    #[test]
    fn below_covers_the_whole_range() {
        let mut random = Random::stream(2, 0, 0);
        assert_eq!(random.below(0), 0);
        assert!((0..100).all(|_| random.below(u32::MAX) < u32::MAX));
        assert!((0..100).any(|_| random.below(u32::MAX) > u32::MAX / 2));
    }

    #[test]
    fn chance_lies_in_the_unit_interval() {
        let mut random = Random::stream(3, 0, 0);
        let draws: Vec<f64> = (0..10_000).map(|_| random.chance()).collect();
        assert!(draws.iter().all(|it| (0.0..1.0).contains(it)));
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
    }

    #[test]
    fn weights_are_kept() {
        let mut random = Random::stream(4, 0, 0);
        let heads = (0..10_000)
            .filter(|_| random.pick_weighted(&[(true, 0.9), (false, 0.1)]) == Some(true));
        assert!((8_800..9_200).contains(&heads.count()));
        assert_eq!(random.pick_weighted::<u8>(&[]), None);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
