//! The inner loop: ops that only read the state and write registers.
//!
//! Everything it needs is borrowed at once, so that the loop works on plain
//! slices. An op that does more sends it back to [`exec`](crate::exec).

use ludex_ir::inst::BOARD;

use crate::cells::raw;
use crate::code::{Code, NONE, Op};
use crate::geometry::{contains, lowest};
use crate::numbers::{binary, unary};
use crate::tables::Tables;

/// Why the loop was left.
pub(crate) enum Exit {
    /// At an instruction that it cannot run, with its number; the op after it comes next.
    Other(u32),
    /// The function is done.
    Return,
    /// The budget is spent.
    Spent,
}

/// What the loop works on.
pub(crate) struct Scalar<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) code: &'a Code,
    /// The cells.
    pub(crate) words: &'a [u64],
    /// The number registers of the activation.
    pub(crate) ints: &'a mut [i64],
    /// Its sets.
    pub(crate) sets: &'a mut [u64],
    /// The op that comes next.
    pub(crate) next: usize,
    /// Steps that are left.
    pub(crate) left: u64,
}

impl Scalar<'_> {
    /// Runs until there is something that it cannot do.
    pub(crate) fn run(&mut self) -> Exit {
        // Locals, so that they can stay in machine registers.
        let Self { tables, code, words, .. } = *self;
        let (ints, sets) = (&mut *self.ints, &mut *self.sets);
        let ops = code.ops.as_slice();
        let board = &tables.board;
        let width = board.words;
        let mut next = self.next;
        let mut left = self.left;
        let exit = loop {
            let op = ops[next];
            next += 1;
            // A loop comes past an op that jumps; there it is looked whether any are left.
            left = left.wrapping_sub(1);
            match op {
                Op::Const { dst, value } => ints[dst as usize] = value,
                Op::Copy { dst, src } => ints[dst as usize] = ints[src as usize],
                Op::Unary { op, dst, src } => {
                    ints[dst as usize] = unary(board, op, ints[src as usize]);
                }
                Op::Binary { op, dst, a, b } => {
                    let (a, b) = (ints[a as usize], ints[b as usize]);
                    ints[dst as usize] = binary(board, op, a, b);
                }
                Op::BinaryBranch { op, dst, a, b, yes, no } => {
                    let (a, b) = (ints[a as usize], ints[b as usize]);
                    let value = binary(board, op, a, b);
                    ints[dst as usize] = value;
                    next = if value != 0 { yes } else { no } as usize;
                    if left as i64 <= 0 {
                        break Exit::Spent;
                    }
                }
                Op::Lookup { dst, table, i, j } => {
                    ints[dst as usize] = lookup(tables, ints, table, i, j);
                }
                Op::Pair { dst, i, j, rows, columns } => {
                    let (i, j) = (ints[i as usize], ints[j as usize]);
                    let inside = (i as u64) < u64::from(rows) && (j as u64) < u64::from(columns);
                    ints[dst as usize] = if inside { i * i64::from(columns) + j } else { -1 };
                }
                Op::Step { dst, from, dir } => {
                    let (from, dir) = (ints[from as usize], ints[dir as usize]);
                    ints[dst as usize] = board.step(from, dir);
                }
                Op::ListLen { dst, list } => {
                    let len = board.list(ints[list as usize]).len();
                    ints[dst as usize] = len as i64;
                }
                Op::ListItem { dst, list, index } => {
                    let list = board.list(ints[list as usize]);
                    let index = ints[index as usize];
                    let item = usize::try_from(index).ok().and_then(|it| list.get(it));
                    ints[dst as usize] = item.map_or(-1, |&it| i64::from(it));
                }
                Op::Load { dst, array, index } => {
                    let cell = cell(tables, ints, array, index);
                    let lo = tables.slots[array as usize].lo;
                    let value = cell.map_or(-1, |cell| i64::from(raw(words, cell)) + lo);
                    ints[dst as usize] = value;
                }
                Op::Test { dst, array, index, mask } => {
                    let cell = cell(tables, ints, array, index);
                    ints[dst as usize] = i64::from(test(words, cell, ints[mask as usize]));
                }
                Op::TestBranch { dst, square, mask, yes, no } => {
                    let cell = cell(tables, ints, BOARD.0, square);
                    let found = test(words, cell, ints[mask as usize]);
                    ints[dst as usize] = i64::from(found);
                    next = if found { yes } else { no } as usize;
                    if left as i64 <= 0 {
                        break Exit::Spent;
                    }
                }
                Op::Contains { dst, set, square } => {
                    let square = board.square(ints[square as usize]);
                    let set = &sets[set as usize * width..][..width];
                    let found = square.is_some_and(|it| contains(set, it));
                    ints[dst as usize] = i64::from(found);
                }
                Op::Count { dst, set } => {
                    let set = &sets[set as usize * width..][..width];
                    let count: u32 = set.iter().map(|it| it.count_ones()).sum();
                    ints[dst as usize] = i64::from(count);
                }
                Op::Any { dst, set } => {
                    let set = &sets[set as usize * width..][..width];
                    ints[dst as usize] = i64::from(set.iter().any(|&word| word != 0));
                }
                Op::NextMember { dst, set, after } => {
                    let from = ints[after as usize].saturating_add(1).max(0);
                    let set = &sets[set as usize * width..][..width];
                    let next = lowest(set, from as usize);
                    ints[dst as usize] = next.map_or(-1, |it| it as i64);
                }
                Op::SetConst { dst, family, index } => {
                    let index = if index == NONE { 0 } else { ints[index as usize] };
                    let into = &mut sets[dst as usize * width..][..width];
                    set_const(tables, into, family, index);
                }
                Op::Jump { to } => {
                    next = to as usize;
                    if left as i64 <= 0 {
                        break Exit::Spent;
                    }
                }
                Op::Branch { cond, yes, no } => {
                    next = if ints[cond as usize] != 0 { yes } else { no } as usize;
                    if left as i64 <= 0 {
                        break Exit::Spent;
                    }
                }
                Op::Return => break Exit::Return,
                Op::Other { number } => break Exit::Other(number),
            }
        };
        self.next = next;
        self.left = if left as i64 <= 0 { 0 } else { left };
        exit
    }
}

/// The cell that an op means; `None` if it is off.
#[inline]
fn cell(tables: &Tables, ints: &[i64], array: u16, index: u16) -> Option<usize> {
    let slot = &tables.slots[array as usize];
    let index = if index == NONE { 0 } else { ints[index as usize] };
    ((index as u64) < slot.len as u64).then(|| slot.base + index as usize)
}

/// Whether the bit of a cell's value is set in a mask.
#[inline]
fn test(words: &[u64], cell: Option<usize>, mask: i64) -> bool {
    cell.is_some_and(|cell| {
        let raw = raw(words, cell);
        raw < 64 && mask >> raw & 1 == 1
    })
}

fn lookup(tables: &Tables, ints: &[i64], table: u16, i: u16, j: u16) -> i64 {
    let table = &tables.program.tables[table as usize];
    let row = ints[i as usize];
    let column = if j == NONE { 0 } else { ints[j as usize] };
    let inside = (row as u64) < table.rows as u64 && (column as u64) < table.columns as u64;
    if inside { table.data[row as usize * table.columns + column as usize] } else { -1 }
}

fn set_const(tables: &Tables, into: &mut [u64], family: u16, index: i64) {
    let sets = &tables.program.families[family as usize].sets;
    match usize::try_from(index).ok().and_then(|it| sets.get(it)) {
        Some(set) => into.copy_from_slice(&set.words),
        None => into.fill(0),
    }
}
