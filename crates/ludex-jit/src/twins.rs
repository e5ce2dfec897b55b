//! Moves that are one move: listed twice, or different ways to the same position.
//!
//! Games whose moves are paths ask this in every turn, so nothing is allocated:
//! the memory of the last time is used again, and a [`Table`] is emptied by
//! counting up what its entries are stamped with.

use std::cell::Cell;

use ludex_ir::PackedMove;
use ludex_ir::moves::Value;

use crate::code::Code;
use crate::context::Context;

/// Steps that playing one move may take.
const STEPS: i64 = 1 << 20;

/// Memory for finding moves that are one move.
#[derive(Debug, Default)]
struct Memory {
    /// The block of the state that is moved from.
    block: Vec<u64>,
    reached: Reached,
}

/// The states that kept moves lead to.
#[derive(Debug, Default)]
struct Reached {
    table: Table,
    /// Their words, one state after the other.
    states: Vec<u64>,
    /// The kept move that leads to each of them.
    leading: Vec<usize>,
}

thread_local! {
    /// Memory that is not in use.
    static IDLE: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// Leaves one of each kind in the list of the context, in the order they came; whether that
/// went well.
///
/// # Safety
///
/// `state` must be the block of a state of `code` that may be read.
pub(crate) unsafe fn unite(
    code: &Code,
    context: &mut Context,
    state: *const u64,
    player: usize,
) -> bool {
    let mut memory = IDLE.take().unwrap_or_default();
    drop_repeated(&mut memory.reached.table, &code.may_repeat[player], context);
    let several = context.listed().iter().filter(|&&mv| is_twin(code, mv)).nth(1).is_some();
    let done = !several || {
        // SAFETY: the caller's promise; it is read before anything else is done.
        let block = unsafe { std::slice::from_raw_parts(state, code.layout.block_words()) };
        memory.block.clear();
        memory.block.extend_from_slice(block);
        code.with(STEPS, |trial| memory.unite_twins(code, context, trial, player)).is_some()
    };
    IDLE.set(Some(memory));
    done
}

fn is_twin(code: &Code, mv: PackedMove) -> bool {
    code.program.statement_of(mv).is_some_and(|(_, it)| it.twins)
}

/// Drops moves that were listed before. Only some statements are ever listed twice.
fn drop_repeated(table: &mut Table, may_repeat: &[bool], context: &mut Context) {
    let repeats = |mv: PackedMove| may_repeat.get(usize::from(mv.0 as u8)).is_none_or(|&it| it);
    let sorted = || context.listed().is_sorted_by(|a, b| a < b);
    if !may_repeat.contains(&true) || sorted() {
        return;
    }
    table.clear(context.listed().len());
    let list = context.listed_mut();
    let mut kept = 0;
    for index in 0..list.len() {
        let mv = list[index];
        if !repeats(mv) || table.find(mixed(mv), kept, |other| list[other] == mv).is_none() {
            list[kept] = mv;
            kept += 1;
        }
    }
    context.len = kept as u64;
}

impl Memory {
    /// Leaves one of the moves of a statement that lead to the same state; nothing if one of
    /// them cannot be played.
    fn unite_twins(
        &mut self,
        code: &Code,
        context: &mut Context,
        trial: &mut Context,
        player: usize,
    ) -> Option<()> {
        self.reached.clear(context.listed().len());
        let list = context.listed_mut();
        let mut kept = 0;
        for index in 0..list.len() {
            let mv = list[index];
            let twin = if is_twin(code, mv) {
                let words = play(code, player, mv, (trial, &self.block))?;
                self.reached.find(list, mv, words, kept)
            } else {
                None
            };
            if let Some(twin) = twin {
                if order(code, mv) < order(code, list[twin]) {
                    list[twin] = mv;
                }
            } else {
                list[kept] = mv;
                kept += 1;
            }
        }
        context.len = kept as u64;
        Some(())
    }
}

impl Reached {
    /// Forgets everything, and makes room for `count` states.
    fn clear(&mut self, count: usize) {
        self.table.clear(count);
        self.states.clear();
        self.leading.clear();
    }

    /// The kept move of the same statement that leads to the same state. If there is none, the
    /// state is remembered as that of the move at place `kept`.
    fn find(
        &mut self,
        list: &[PackedMove],
        mv: PackedMove,
        words: &[u64],
        kept: usize,
    ) -> Option<usize> {
        let Self { table, states, leading } = self;
        let statement = mv.0 as u8;
        let hash = words.iter().fold(u64::from(statement), |hash, &word| mix(hash, word));
        let width = words.len();
        let found = table.find(hash, leading.len(), |other| {
            list[leading[other]].0 as u8 == statement
                && &states[other * width..(other + 1) * width] == words
        });
        if found.is_none() {
            leading.push(kept);
            states.extend_from_slice(words);
        }
        found.map(|it| leading[it])
    }
}

/// Numbers found by hash. Where a hash is kept, and with it the number, is where it belongs or
/// after it.
#[derive(Debug, Default)]
struct Table {
    /// The time an entry is of, half of its hash, and its number. Their count is a power of two.
    entries: Vec<(u32, u32, u32)>,
    /// Entries of other times count for nothing.
    time: u32,
}

impl Table {
    /// Forgets everything, and makes room for `count` numbers.
    fn clear(&mut self, count: usize) {
        let wanted = (count * 2 + 1).next_power_of_two();
        self.time = self.time.wrapping_add(1);
        if self.entries.len() < wanted || self.time == 0 {
            self.entries.clear();
            self.entries.resize(wanted, (0, 0, 0));
            self.time = 1;
        }
    }

    /// The number with a hash that is the right one. If there is none, `new` is put in.
    fn find(&mut self, hash: u64, new: usize, right: impl Fn(usize) -> bool) -> Option<usize> {
        let last = self.entries.len() - 1;
        let half = (hash >> 32) as u32;
        let mut place = hash as usize & last;
        loop {
            let (time, kept, number) = self.entries[place];
            if time != self.time {
                self.entries[place] = (self.time, half, new as u32);
                return None;
            }
            if kept == half && right(number as usize) {
                return Some(number as usize);
            }
            place = (place + 1) & last;
        }
    }
}

/// A hash of a move.
fn mixed(mv: PackedMove) -> u64 {
    mix(mix(0, mv.0 as u64), (mv.0 >> 64) as u64)
}

/// A hash of one word more.
fn mix(hash: u64, word: u64) -> u64 {
    let product = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

/// Plays a move from a block on a trial context; gives the words of the state.
fn play<'a>(
    code: &Code,
    player: usize,
    mv: PackedMove,
    (trial, block): (&'a mut Context, &[u64]),
) -> Option<&'a [u64]> {
    trial.begin(code, STEPS);
    trial.block.clear();
    trial.block.extend_from_slice(block);
    code.play(player, mv.0, trial).value()?;
    Some(&trial.block[..code.layout.words])
}

/// The words of the state that a move leads to.
pub(crate) fn leads_to(
    code: &Code,
    player: usize,
    mv: PackedMove,
    block: &[u64],
) -> Option<Vec<u64>> {
    code.with(STEPS, |context| play(code, player, mv, (context, block)).map(<[u64]>::to_vec))
}

/// How twins are ordered: shorter paths first, then by their elements from the first on, then by
/// the rest of the move.
fn order(code: &Code, mv: PackedMove) -> (u8, u128, u128) {
    let (mut len, mut items) = (0, 0);
    let Some((_, statement)) = code.program.statement_of(mv) else { return (0, 0, mv.0) };
    for (operand, value) in statement.operands.iter().zip(code.program.unpack(mv)) {
        if let Value::Path(path) = value {
            let width = code.program.operand_bits(operand.kind);
            len = path.len;
            items = (0..path.len as usize)
                .filter_map(|it| path.item(it, width))
                .fold(0, |items, item| items << width | item as u128);
        }
    }
    (len, items, mv.0)
}

#[cfg(test)]
mod tests {
    use super::{Table, mix};

    #[test]
    fn a_table_finds_what_was_put_in_and_forgets_it_when_cleared() {
        let mut table = Table::default();
        for round in 0..3 {
            table.clear(100);
            // Hashes that agree in all but what is kept last share their places.
            let values: Vec<u64> =
                (0..100).map(|it| if it % 2 == 0 { mix(0, it) } else { 7 }).collect();
            for (index, &value) in values.iter().enumerate() {
                let found = table.find(value, index, |other| other == index);
                assert_eq!(found, None, "round {round}, number {index}");
            }
            for (index, &value) in values.iter().enumerate() {
                assert_eq!(table.find(value, 0, |other| other == index), Some(index));
            }
        }
    }

    #[test]
    fn a_table_outlives_its_count_of_times() {
        let mut table = Table::default();
        table.clear(1);
        assert_eq!(table.find(5, 0, |_| true), None);
        table.time = u32::MAX;
        table.clear(1);
        assert_eq!(table.find(5, 0, |_| true), None);
        assert_eq!(table.find(5, 1, |_| true), Some(0));
    }
}
