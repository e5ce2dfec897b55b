//! Tables by the code of a move.
//!
//! A code is a hash already, so a table is an array, a mask and a step to the next slot. Codes are
//! cut to 32 bits: two moves in four thousand million may be taken for each other, which may cost
//! accuracy and never a proof. Tables in the tree go by [`move_ids`](super::move_ids) instead.

/// What a move is called in tables; never 0.
pub(crate) type MoveCode = u32;

/// A code from a hash of 64 bits.
pub(crate) fn code(hash: u64) -> MoveCode {
    ((hash ^ (hash >> 32)) as u32).max(1)
}

/// The code of two things together.
pub(crate) fn join(one: MoveCode, other: MoveCode) -> MoveCode {
    let product = (u64::from(one) << 32 | u64::from(other)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    code(product ^ (product >> 29))
}

/// Slots of a table that has just got its first entry.
const FIRST: usize = 32;

/// A table from codes to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeTable<V> {
    slots: Vec<(MoveCode, V)>,
    used: usize,
}

impl<V: Copy + Default> CodeTable<V> {
    /// What is known of a code.
    pub(crate) fn get(&self, code: MoveCode) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        let (key, value) = self.slots[self.slot(code)];
        (key == code).then_some(value)
    }

    /// The entry of a code, made if it is new.
    pub(crate) fn entry(&mut self, code: MoveCode) -> &mut V {
        if !self.has_room(self.used) {
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

    /// Makes room for `count` codes in all, as if they had been added one by one.
    pub(crate) fn reserve(&mut self, count: usize) {
        while count > 0 && !self.has_room(count - 1) {
            self.grow();
        }
    }

    /// Whether a table of `used` codes has room for another.
    fn has_room(&self, used: usize) -> bool {
        used * 3 < self.slots.len() * 2
    }

    /// All codes with what is known of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (MoveCode, V)> {
        self.slots.iter().copied().filter(|it| it.0 != 0)
    }

    /// How many codes there are.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// How much memory the table takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(MoveCode, V)>()
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, V::default()));
        self.used = 0;
    }

    /// The slot that holds `code`, or the free one where it would go.
    fn slot(&self, code: MoveCode) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = code as usize & mask;
        while self.slots[at].0 != code && self.slots[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
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
    /// The mean of `visits` rewards.
    pub(crate) fn of(visits: u32, sum: f32) -> Self {
        Self { visits, sum }
    }

    /// Adds a reward from 0 to 1.
    pub(crate) fn add(&mut self, reward: f32) {
        self.merge(Self::of(1, reward));
    }

    /// Adds all rewards of another one.
    pub(crate) fn merge(&mut self, other: Self) {
        // Halved before single precision would swallow what is added: old rewards fade.
        if self.visits >= 1 << 22 {
            self.visits /= 2;
            self.sum /= 2.0;
        }
        self.visits += other.visits;
        self.sum += other.sum;
    }

    /// The mean reward; a half without any.
    pub(crate) fn value(self) -> f64 {
        if self.visits == 0 { 0.5 } else { f64::from(self.sum) / f64::from(self.visits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_what_was_put_in() {
        let mut table = CodeTable::default();
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
    fn room_is_the_same_whenever_it_is_made() {
        for count in 0..300 {
            let (mut at_once, mut by_and_by) = (CodeTable::default(), CodeTable::default());
            at_once.reserve(count);
            (1..=count as MoveCode).for_each(|it| *by_and_by.entry(it) = it);
            assert_eq!(at_once.bytes(), by_and_by.bytes(), "{count}");
            (1..=count as MoveCode).for_each(|it| *at_once.entry(it) = it);
            assert_eq!(at_once.bytes(), by_and_by.bytes(), "{count}");
        }
    }
}
