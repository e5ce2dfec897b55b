//! Fewer blocks: jumps to jumps go straight on, blocks that follow each other
//! become one, and code that is never reached goes.
//!
//! Block 0 of what comes out has no block before it, so that what is put there
//! runs once.

use super::loops::{predecessors, reverse_postorder};
use crate::inst::{Block, End};
use crate::program::{BlockData, Function};

/// Simplifies a function.
pub fn simplify(function: &mut Function) {
    own_entry(function);
    thread(function);
    merge(function);
    compact(function);
}

/// Makes a block 0 of its own if something leads to block 0.
pub fn own_entry(function: &mut Function) {
    let entry = Block(0);
    let entered =
        function.blocks.iter().any(|block| block.end.0.successors().any(|next| next == entry));
    if !entered {
        return;
    }
    let moved = Block(function.blocks.len() as u32);
    for block in &mut function.blocks {
        block.end.0.retarget(|to| if to == entry { moved } else { to });
    }
    let first = BlockData { insts: Vec::new(), end: (End::Jump(moved), 0) };
    let old = std::mem::replace(&mut function.blocks[0], first);
    function.blocks.push(old);
}

/// Sends edges to empty blocks on to where these lead.
fn thread(function: &mut Function) {
    for index in 0..function.blocks.len() {
        let mut end = function.blocks[index].end.clone();
        end.0.retarget(|to| destination(function, to));
        match end.0 {
            End::Branch { yes, no, .. } if yes == no => end.0 = End::Jump(yes),
            End::Jump(to) if is_bare_return(function, to) => end.0 = End::Return,
            _ => {}
        }
        function.blocks[index].end = end;
    }
}

fn is_bare_return(function: &Function, block: Block) -> bool {
    let data = function.block(block);
    data.insts.is_empty() && data.end.0 == End::Return
}

/// Where an edge to a block leads when empty blocks are passed over.
fn destination(function: &Function, mut block: Block) -> Block {
    // An endless loop of empty blocks stays one.
    for _ in 0..function.blocks.len() {
        let data = function.block(block);
        match data.end.0 {
            End::Jump(next) if data.insts.is_empty() => block = next,
            _ => break,
        }
    }
    block
}

/// Puts a block that only one block leads to, by a jump, behind that block.
fn merge(function: &mut Function) {
    let mut before = predecessors(function);
    for block in reverse_postorder(function) {
        while let End::Jump(next) = function.block(block).end.0 {
            if next == block || next == Block(0) || before[next.0 as usize] != [block] {
                break;
            }
            let empty = BlockData { insts: Vec::new(), end: (End::Return, 0) };
            let after = std::mem::replace(function.block_mut(next), empty);
            for to in after.end.0.successors() {
                for from in &mut before[to.0 as usize] {
                    *from = if *from == next { block } else { *from };
                }
            }
            let data = function.block_mut(block);
            data.insts.extend(after.insts);
            data.end = after.end;
        }
    }
}

/// Drops what is never reached and numbers the rest in the order of a walk.
fn compact(function: &mut Function) {
    let order = reverse_postorder(function);
    let mut numbers = vec![Block(0); function.blocks.len()];
    for (index, block) in order.iter().enumerate() {
        numbers[block.0 as usize] = Block(index as u32);
    }
    let blocks = order.iter().map(|&block| {
        let empty = BlockData { insts: Vec::new(), end: (End::Return, 0) };
        let mut data = std::mem::replace(function.block_mut(block), empty);
        data.end.0.retarget(|to| numbers[to.0 as usize]);
        data
    });
    function.blocks = blocks.collect();
}
