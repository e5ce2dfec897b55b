//! Dominators and natural loops, for the passes that work on loops.
//!
//! Block `a` *dominates* `b` if every way from block 0 to `b` passes `a`. An
//! edge to a block that dominates where it comes from closes a *natural loop*:
//! the block is its header, and the loop is every block from which the edge can
//! be reached without passing the header. Loops with one header are one loop.
//! So a loop is entered at its header only, and two loops either share nothing
//! or one is inside the other.
//!
//! Code that block 0 never leads to is in no loop and dominates nothing.

use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

use crate::inst::{Block, End};
use crate::program::Function;

/// For each block the blocks that may come right before it, each once, lowest first. Blocks that
/// block 0 never leads to count for nothing.
pub fn predecessors(function: &Function) -> Predecessors {
    Predecessors::new(function, &reverse_postorder(function))
}

/// What [`predecessors`] gives: by the number of a block, the blocks before it.
#[derive(Clone, Debug)]
pub struct Predecessors {
    /// Those of all blocks, one after the other.
    blocks: Vec<Block>,
    /// Where those of each block begin; one more for the end.
    begins: Vec<usize>,
}

impl Predecessors {
    /// Those of a function whose blocks are reached in this order.
    pub fn new(function: &Function, order: &[Block]) -> Self {
        let mut reached = vec![false; function.blocks.len()];
        order.iter().for_each(|block| reached[block.0 as usize] = true);
        let edges = || {
            let from = function.all_blocks().filter(|block| reached[block.0 as usize]);
            from.flat_map(|block| sides(function, block).map(move |to| (block, to)))
        };
        let mut begins = vec![0; function.blocks.len() + 1];
        edges().for_each(|(_, to)| begins[to.0 as usize + 1] += 1);
        for index in 1..begins.len() {
            begins[index] += begins[index - 1];
        }
        let mut blocks = vec![Block(0); begins[function.blocks.len()]];
        let mut next = begins.clone();
        for (from, to) in edges() {
            blocks[next[to.0 as usize]] = from;
            next[to.0 as usize] += 1;
        }
        Self { blocks, begins }
    }
}

impl Index<usize> for Predecessors {
    type Output = [Block];

    fn index(&self, block: usize) -> &[Block] {
        &self.blocks[self.begins[block]..self.begins[block + 1]]
    }
}

impl IndexMut<usize> for Predecessors {
    fn index_mut(&mut self, block: usize) -> &mut [Block] {
        &mut self.blocks[self.begins[block]..self.begins[block + 1]]
    }
}

/// The blocks that a block leads to, each once.
fn sides(function: &Function, block: Block) -> impl Iterator<Item = Block> + use<> {
    let sides = match function.block(block).end.0 {
        End::Jump(to) => [Some(to), None],
        End::Branch { yes, no, .. } => [Some(yes), (no != yes).then_some(no)],
        End::Return => [None, None],
    };
    sides.into_iter().flatten()
}

/// The blocks that block 0 leads to, each before all that can only be reached through it.
pub fn reverse_postorder(function: &Function) -> Vec<Block> {
    let mut seen = vec![false; function.blocks.len()];
    let mut order = Vec::new();
    let after = |block: Block| match function.block(block).end.0 {
        End::Jump(to) => [None, Some(to)],
        // `no` is taken first, so that `yes` comes before it in the order.
        End::Branch { yes, no, .. } => [Some(yes), Some(no)],
        End::Return => [None, None],
    };
    let mut stack = Vec::new();
    if !function.blocks.is_empty() {
        seen[0] = true;
        stack.push((Block(0), after(Block(0))));
    }
    while let Some((block, [other, first])) = stack.last_mut() {
        match first.take().or_else(|| other.take()) {
            Some(next) if std::mem::replace(&mut seen[next.0 as usize], true) => {}
            Some(next) => stack.push((next, after(next))),
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Which block dominates which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// The nearest block that dominates each; block 0 has itself, the unreachable none.
    parents: Vec<Option<Block>>,
    /// The place of each block in reverse postorder.
    places: Vec<usize>,
    /// How many blocks dominate each, itself not counted.
    depths: Vec<u32>,
}

impl Dominators {
    /// Computes them, as [`PostDominators`](crate::PostDominators) are on the turned graph.
    pub fn of(function: &Function) -> Self {
        let order = reverse_postorder(function);
        Self::new(function, &order, &Predecessors::new(function, &order))
    }

    /// The same, with what is known of the function already.
    pub fn new(function: &Function, order: &[Block], before: &Predecessors) -> Self {
        let mut places = vec![usize::MAX; function.blocks.len()];
        for (place, block) in order.iter().enumerate() {
            places[block.0 as usize] = place;
        }
        let depths = vec![0; function.blocks.len()];
        let mut tree = Self { parents: vec![None; function.blocks.len()], places, depths };
        if let Some(&first) = order.first() {
            tree.parents[first.0 as usize] = Some(first);
        }
        while tree.improve(order, before) {}
        for &block in order {
            if let Some(parent) = tree.parent(block) {
                tree.depths[block.0 as usize] = tree.depths[parent.0 as usize] + 1;
            }
        }
        tree
    }

    /// Gives each block the nearest common ancestor of those before it; whether any is new.
    fn improve(&mut self, order: &[Block], before: &Predecessors) -> bool {
        let mut changed = false;
        for &block in order.iter().skip(1) {
            let known = before[block.0 as usize].iter().copied();
            let known = known.filter(|it| self.parents[it.0 as usize].is_some());
            let met = known.reduce(|a, b| self.meet(a, b));
            let parent = &mut self.parents[block.0 as usize];
            changed |= *parent != met;
            *parent = met;
        }
        changed
    }

    fn meet(&self, mut a: Block, mut b: Block) -> Block {
        let place = |block: Block| self.places[block.0 as usize];
        let up = |block: Block| self.parents[block.0 as usize].unwrap_or(Block(0));
        while a != b {
            if place(a) > place(b) {
                a = up(a);
            } else {
                b = up(b);
            }
        }
        a
    }

    /// Whether block 0 leads to a block.
    pub fn reached(&self, block: Block) -> bool {
        self.parents[block.0 as usize].is_some()
    }

    /// The nearest other block that dominates a block; `None` for block 0 and the unreachable.
    pub fn parent(&self, block: Block) -> Option<Block> {
        self.parents[block.0 as usize].filter(|&parent| parent != block)
    }

    /// Whether every way to `b` passes `a`. A block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        if !self.reached(a) || !self.reached(b) {
            return false;
        }
        let depth = |block: Block| self.depths[block.0 as usize];
        let above = depth(b).saturating_sub(depth(a));
        (0..above).try_fold(b, |it, _| self.parent(it)) == Some(a)
    }
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Where it is entered.
    pub header: Block,
    /// All its blocks, those of inner loops and the header among them.
    pub blocks: BTreeSet<Block>,
    /// The blocks of the loop that lead back to the header, lowest first.
    pub latches: Vec<Block>,
    /// The blocks outside that lead to the header, lowest first. A loop that begins at block 0 is
    /// entered from the call as well.
    pub entries: Vec<Block>,
    /// The edges that leave it: from, to.
    pub exits: Vec<(Block, Block)>,
    /// The next loop around it, by its place in [`Loops::all`].
    pub parent: Option<usize>,
}

impl Loop {
    /// Whether a block is in it.
    pub fn contains(&self, block: Block) -> bool {
        self.blocks.contains(&block)
    }

    /// The one block that leads into it, if that leads nowhere else: code at its end runs once
    /// before the loop.
    pub fn preheader(&self, function: &Function) -> Option<Block> {
        match self.entries[..] {
            [entry] if function.block(entry).end.0.successors().count() == 1 => Some(entry),
            _ => None,
        }
    }

    /// The one block outside that all its exits lead to, if there is just one.
    pub fn exit(&self) -> Option<Block> {
        let (_, to) = *self.exits.first()?;
        self.exits.iter().all(|&(_, it)| it == to).then_some(to)
    }
}

/// The natural loops of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loops {
    all: Vec<Loop>,
    /// The innermost loop of each block.
    innermost: Vec<Option<usize>>,
}

impl Loops {
    /// Finds them.
    pub fn of(function: &Function) -> Self {
        let order = reverse_postorder(function);
        let before = Predecessors::new(function, &order);
        Self::new(function, &order, &before, &Dominators::new(function, &order, &before))
    }

    /// The same, with what is known of the function already.
    pub fn new(
        function: &Function,
        order: &[Block],
        before: &Predecessors,
        dominators: &Dominators,
    ) -> Self {
        let mut all: Vec<Loop> = Vec::new();
        for &header in order {
            let leads_back = |&it: &Block| dominators.dominates(header, it);
            if !before[header.0 as usize].iter().any(leads_back) {
                continue;
            }
            let (latches, entries): (Vec<Block>, Vec<Block>) =
                before[header.0 as usize].iter().partition(|&it| leads_back(it));
            let blocks = body(header, &latches, before);
            let exits = exits(function, &blocks);
            all.push(Loop { header, blocks, latches, entries, exits, parent: None });
        }
        all.sort_by_key(|it| it.blocks.len());
        let mut innermost: Vec<Option<usize>> = vec![None; function.blocks.len()];
        // From the outside in: the last that was written to a block is the next one around it.
        for (place, it) in all.iter_mut().enumerate().rev() {
            it.parent = innermost[it.header.0 as usize];
            it.blocks.iter().for_each(|block| innermost[block.0 as usize] = Some(place));
        }
        Self { all, innermost }
    }

    /// All of them, an inner loop before those around it.
    pub fn all(&self) -> &[Loop] {
        &self.all
    }

    /// The innermost loop that a block is in, by its place in [`all`](Self::all).
    pub fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost.get(block.0 as usize).copied().flatten()
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: Block) -> usize {
        std::iter::successors(self.innermost(block), |&it| self.all[it].parent).count()
    }
}

/// The blocks from which a latch can be reached without passing the header.
fn body(header: Block, latches: &[Block], before: &Predecessors) -> BTreeSet<Block> {
    let mut blocks = BTreeSet::from([header]);
    let mut work = latches.to_vec();
    while let Some(block) = work.pop() {
        if blocks.insert(block) {
            work.extend(&before[block.0 as usize]);
        }
    }
    blocks
}

fn exits(function: &Function, blocks: &BTreeSet<Block>) -> Vec<(Block, Block)> {
    let edges = blocks
        .iter()
        .flat_map(|&from| function.block(from).end.0.successors().map(move |to| (from, to)));
    edges.filter(|(_, to)| !blocks.contains(to)).collect()
}
