//! Loops over the squares of a set, unrolled into one question per square.
//!
//! ```text
//! head: a = next_member s a            head: a = a + 1
//!       if 0 <= a  body  done    =>          if a < squares  ask  none
//!                                      ask:  if a in s  body  head
//!                                      none: a = -1, then done
//! ```
//!
//! The two do the same, square by square. But which square comes *next* depends
//! on every square passed over, while whether *this* square is in the set
//! depends on this square alone. In the second form the conjugate of `ask` is
//! `head`, and each turn of the loop stands on its own: the reasons of what it
//! lists do not speak of the squares before it.

use ludex_ir::{Binary, Block, BlockData, End, Function, Inst, Reg, SetReg};

use crate::constants::{Constants, Known, follow};

/// Rewrites every loop over a set in a function.
pub(crate) fn unroll(function: &mut Function, squares: usize) {
    let is_loop = |(inst, _): &(Inst, u32)| matches!(inst, Inst::NextMember { .. });
    if !function.blocks.iter().any(|block| block.insts.first().is_some_and(is_loop)) {
        return;
    }
    let constants = Constants::of(function);
    let heads: Vec<(usize, Head)> = function
        .blocks
        .iter()
        .enumerate()
        .filter_map(|(index, block)| Some((index, head(block, constants.at(Block(index as u32)))?)))
        .collect();
    if heads.is_empty() || function.ints > u16::MAX - 2 {
        return;
    }
    let spare = Spare { number: Reg(function.ints), truth: Reg(function.ints + 1) };
    function.ints += 2;
    for (index, head) in heads {
        rewrite(function, index, &head, spare, squares as i64);
    }
}

/// Registers that hold nothing from one instruction to the next.
#[derive(Clone, Copy)]
struct Spare {
    number: Reg,
    truth: Reg,
}

/// The parts of a block that begins a turn of a loop over a set.
struct Head {
    square: Reg,
    set: SetReg,
    body: Block,
    done: Block,
}

/// The block as the head of a loop: it takes the next square, and nothing but
/// whether there is one decides where it leads.
fn head(block: &BlockData, mut known: Known) -> Option<Head> {
    let ((first, _), rest) = block.insts.split_first()?;
    let &Inst::NextMember { dst: square, set, after } = first else { return None };
    let End::Branch { cond, yes: body, no: done } = block.end.0 else { return None };
    if after != square {
        return None;
    }
    follow(&mut known, first);
    let mut decides = false;
    for (inst, _) in rest {
        decides = match *inst {
            Inst::Binary { op, dst, a, b } if b == square && dst == cond => {
                matches!((op, known.get(&a)?), (Binary::Lt, -1) | (Binary::Le, 0))
            }
            Inst::Const { dst, .. } if dst != square => decides && dst != cond,
            _ => return None,
        };
        follow(&mut known, inst);
    }
    (decides && cond != square).then_some(Head { square, set, body, done })
}

fn rewrite(function: &mut Function, index: usize, head: &Head, spare: Spare, squares: i64) {
    let Spare { number, truth } = spare;
    let place = function.blocks[index].insts[0].1;
    let at = |inst: Inst| (inst, place);
    let rest = function.blocks[index].insts[1..].to_vec();
    let end_place = function.blocks[index].end.1;
    let ask = Block(function.blocks.len() as u32);
    let (member, none) = (Block(ask.0 + 1), Block(ask.0 + 2));

    let &Head { square, set, body, done } = head;
    function.blocks[index] = BlockData {
        insts: vec![
            at(Inst::Const { dst: number, value: -1 }),
            at(Inst::Binary { op: Binary::Max, dst: square, a: square, b: number }),
            at(Inst::Const { dst: number, value: 1 }),
            at(Inst::Binary { op: Binary::Add, dst: square, a: square, b: number }),
            at(Inst::Const { dst: number, value: squares }),
            at(Inst::Binary { op: Binary::Lt, dst: truth, a: square, b: number }),
        ],
        end: (End::Branch { cond: truth, yes: ask, no: none }, end_place),
    };
    let to_head = Block(index as u32);
    function.blocks.push(BlockData {
        insts: vec![at(Inst::Contains { dst: truth, set, square })],
        end: (End::Branch { cond: truth, yes: member, no: to_head }, end_place),
    });
    function.blocks.push(BlockData { insts: rest.clone(), end: (End::Jump(body), end_place) });
    let leave = std::iter::once(at(Inst::Const { dst: square, value: -1 })).chain(rest).collect();
    function.blocks.push(BlockData { insts: leave, end: (End::Jump(done), end_place) });
}
