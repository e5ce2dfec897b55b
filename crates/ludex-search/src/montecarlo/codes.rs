//! Tables by the code of a move.
//!
//! A code is a hash already, so a table is an array, a mask and a step to the next slot. Codes are
//! cut to 32 bits: two moves in four thousand million may be taken for each other, which costs a
//! belief and never a proof.

/// What a move is called in tables; never 0.
pub(crate) type Code = u32;

/// A code from a hash of 64 bits.
pub(crate) fn code(hash: u64) -> Code {
    ((hash ^ (hash >> 32)) as u32).max(1)
}

/// The code of two things together.
pub(crate) fn join(one: Code, other: Code) -> Code {
    let product = (u64::from(one) << 32 | u64::from(other)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    code(product ^ (product >> 29))
}

/// Slots of a table that has just got its first entry.
const FIRST: usize = 32;

/// A table from codes to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes<V> {
    slots: Vec<(Code, V)>,
    used: usize,
}

impl<V: Copy + Default> Codes<V> {
    /// What is known of a code.
    pub(crate) fn get(&self, code: Code) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let (key, value) = self.slots[self.slot(code)];
        (key == code).then_some(value)
    }

    /// The entry of a code, made if it is new.
    pub(crate) fn entry(&mut self, code: Code) -> &mut V {
        if self.used * 3 >= self.slots.len() * 2 {
            self.grow();
        }
        let slot = self.slot(code);
        let entry = &mut self.slots[slot];
        if entry.0 != code {
            *entry = (code, V::default());
            self.used += 1;
        }
        &mut entry.1
    }

    /// How many codes there are.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// How much memory the table takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(Code, V)>()
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, V::default()));
        self.used = 0;
    }

    /// The slot that holds `code`, or the free one where it would go.
    fn slot(&self, code: Code) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = code.wrapping_mul(0x9e37_79b1) as usize >> 7 & mask;
        while self.slots[at].0 != code && self.slots[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let room = (self.slots.len() * 2).max(FIRST);
        let old = std::mem::replace(&mut self.slots, vec![(0, V::default()); room]);
        for (code, value) in old.into_iter().filter(|entry| entry.0 != 0) {
            let slot = self.slot(code);
            self.slots[slot] = (code, value);
        }
    }
}

/// A mean in the making.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mean {
    /// How many rewards were added.
    pub(crate) visits: u32,
    /// Their sum.
    sum: f32,
}

impl Mean {
    /// Adds a reward from 0 to 1.
    pub(crate) fn add(&mut self, reward: f32) {
        // Halved before single precision would swallow what is added: old rewards fade.
        if self.visits >= 1 << 22 {
            self.visits /= 2;
            self.sum /= 2.0;
        }
        self.visits += 1;
        self.sum += reward;
    }

    /// The mean reward; a half without any.
    pub(crate) fn value(self) -> f64 {
        if self.visits == 0 { 0.5 } else { f64::from(self.sum) / f64::from(self.visits) }
    }
}

/// A set of codes that is emptied at no cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    rounds: Codes<u32>,
    round: u32,
}

impl Seen {
    /// Empties the set.
    pub(crate) fn start(&mut self) {
        self.round += 1;
        if self.rounds.len() > 1 << 16 {
            self.rounds.clear();
        }
    }

    /// Adds a code; whether it is new.
    pub(crate) fn insert(&mut self, code: Code) -> bool {
        let round = self.rounds.entry(code);
        let new = *round != self.round;
        *round = self.round;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_what_was_put_in() {
        let mut table = Codes::default();
        for number in 1..5_000_u32 {
            *table.entry(code(u64::from(number).wrapping_mul(0x1234_5678_9abc_def1))) = number;
        }
        for number in 1..5_000_u32 {
            let code = code(u64::from(number).wrapping_mul(0x1234_5678_9abc_def1));
            assert_eq!(table.get(code), Some(number));
        }
        assert_eq!(table.len(), 4_999);
        table.clear();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn a_set_starts_anew() {
        let mut seen = Seen::default();
        seen.start();
        assert!(seen.insert(5) && !seen.insert(5));
        seen.start();
        assert!(seen.insert(5));
    }
}
