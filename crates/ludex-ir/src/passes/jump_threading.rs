//! Jump threading: a branch whose condition is known on an edge is decided on that edge.
//!
//! A short block that ends in a branch may be reached over an edge on which
//! the condition is known: `found := 1; jump b5`, `b5: if found ...`. Such an
//! edge gets a copy of the block that goes on where the branch would.

use super::dead_code::is_removable;
use super::loops::{Loops, predecessors};
use super::range_analysis::RangeAnalysis;
use crate::inst::{Block, End};
use crate::program::{BlockData, Function, Program};

/// Blocks with more instructions are not copied.
const LONGEST: usize = 6;

/// Decides what can be decided early; whether there was anything.
pub fn thread(program: &Program, function: &mut Function) -> bool {
    let found = decided(program, function);
    for decision in &found {
        let mut data = function.block(decision.block).clone();
        data.end.0 = End::Jump(decision.to);
        let copy = function.add_block(data);
        let end = &mut function.block_mut(decision.from).end.0;
        end.retarget(|it| if it == decision.block { copy } else { it });
    }
    !found.is_empty()
}

/// An edge over which a block's branch is known to go to `to`.
struct Decision {
    from: Block,
    block: Block,
    to: Block,
}

fn decided(program: &Program, function: &Function) -> Vec<Decision> {
    let before = predecessors(function);
    let loops = Loops::of(function);
    let mut worth = vec![false; function.blocks.len()];
    for block in function.all_blocks() {
        let data = function.block(block);
        worth[block.0 as usize] = matches!(data.end.0, End::Branch { .. })
            && before[block.0 as usize].len() >= 2
            && is_short(data);
    }
    loops.all().iter().for_each(|it| worth[it.header.0 as usize] = false);
    if !worth.contains(&true) {
        return Vec::new();
    }
    let facts = RangeAnalysis::of(program, function);
    let mut found = Vec::new();
    for from in function.all_blocks() {
        let mut after = function.block(from).end.0.successors();
        // Both edges to one block would be one decision.
        if both(function, from) || !after.any(|it| worth[it.0 as usize]) {
            continue;
        }
        let edges = facts.edges(from).into_iter().filter(|it| worth[it.0.0 as usize]);
        for (block, mut known) in edges {
            let data = function.block(block);
            let End::Branch { cond, yes, no } = data.end.0 else { continue };
            data.insts.iter().for_each(|(inst, _)| facts.step(inst, &mut known));
            let range = known[cond.0 as usize];
            let to = match range.constant() {
                Some(0) => no,
                _ if !range.contains(0) => yes,
                _ => continue,
            };
            found.push(Decision { from, block, to });
        }
    }
    found
}

fn is_short(data: &BlockData) -> bool {
    data.insts.len() <= LONGEST && data.insts.iter().all(|(inst, _)| is_removable(inst))
}

/// Whether both sides of a block's branch lead to the same block.
fn both(function: &Function, from: Block) -> bool {
    matches!(function.block(from).end.0, End::Branch { yes, no, .. } if yes == no)
}
