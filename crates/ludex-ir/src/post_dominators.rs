//! Post-dominators: where the sides of a branch meet again for certain.
//!
//! Pitrat's conjugate of a test is the first place where we are sure to
//! arrive, whichever side was taken: its immediate post-dominator. Between a
//! branch and its conjugate the branch decides what runs; from the conjugate
//! on it matters only through what was, or could have been, assigned.
//!
//! Block `a` *post-dominates* `b` if every way from `b` out of the function
//! passes `a`. That is dominance in the graph with its edges turned round,
//! seen from one place where all ways end. So we add a **virtual exit** that
//! every return leads to, and call it `None`: it is where conditions go that
//! hold until the function is left.
//!
//! **Blocks that no way leads out of** (an endless loop) have no way to the
//! exit, and "every way passes `a`" would hold of them for any `a`: nonsense
//! that could put a conjugate where a run need not arrive. Each of them gets an
//! edge of its own to the virtual exit. Then the conjugate of such a block, and
//! of a branch with such a block on one side only, is the exit: its condition
//! is kept to the end of the function. That is the sound direction (reasons may
//! be too many, never too few), it does not depend on which block of a loop is
//! looked at first, and it costs nothing in practice, for the rules of a game
//! end.
//!
//! The algorithm is the iterative one of Cooper, Harvey and Kennedy ("A Simple,
//! Fast Dominance Algorithm", 2001) on the turned graph: give each block the
//! nearest common ancestor of its successors, in reverse postorder, until
//! nothing changes. The tests compare it with the definition above.

use crate::inst::{Block, End};
use crate::program::Function;

/// The conjugate of every block of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominators {
    conjugates: Vec<Option<Block>>,
}

impl PostDominators {
    /// Computes them.
    pub fn of(function: &Function) -> Self {
        let graph = Graph::of(function);
        let (order, number) = graph.reverse_postorder();
        // The tree so far: the parent of each node that has been given one.
        let mut parent = vec![None; graph.exit + 1];
        parent[graph.exit] = Some(graph.exit);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().filter(|&&node| node != graph.exit) {
                let known =
                    graph.after[node].iter().copied().filter(|&next| parent[next].is_some());
                let met = known.reduce(|a, b| meet(&parent, &number, a, b));
                if parent[node] != met {
                    parent[node] = met;
                    changed = true;
                }
            }
        }
        let real = |node: usize| (node != graph.exit).then_some(Block(node as u32));
        Self { conjugates: parent[..graph.exit].iter().map(|it| it.and_then(real)).collect() }
    }

    /// The first block that every way out of `block` passes; `None` is the
    /// virtual exit.
    pub fn block(&self, block: Block) -> Option<Block> {
        self.conjugates[block.0 as usize]
    }

    /// The blocks that every way out of `block` passes, nearest first:
    /// its conjugate, the conjugate of that, and so on.
    pub fn chain(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.block(block), |&it| self.block(it))
    }

    /// Whether every way out of `b` passes `a`. A block post-dominates itself.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        a == b || self.chain(b).any(|it| it == a)
    }
}

/// The nearest common ancestor of two nodes of the tree.
fn meet(parent: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    let up = |node: usize| parent[node].expect("only nodes with a parent are climbed from");
    while a != b {
        while number[a] > number[b] {
            a = up(a);
        }
        while number[b] > number[a] {
            b = up(b);
        }
    }
    a
}

/// A function's blocks and the virtual exit, numbered after them.
struct Graph {
    exit: usize,
    /// Successors of each node.
    after: Vec<Vec<usize>>,
    /// Predecessors of each node.
    before: Vec<Vec<usize>>,
}

impl Graph {
    fn of(function: &Function) -> Self {
        let exit = function.blocks.len();
        let mut graph =
            Self { exit, after: vec![Vec::new(); exit + 1], before: vec![Vec::new(); exit + 1] };
        for (index, block) in function.blocks.iter().enumerate() {
            if matches!(block.end.0, End::Return) {
                graph.connect(index, exit);
            }
            // Edges to blocks that do not exist are the verifier's business.
            let next = block.end.0.successors().map(|next| next.0 as usize);
            next.filter(|&next| next < exit).for_each(|next| graph.connect(index, next));
        }
        let leaves = graph.reverse_postorder().1;
        for index in (0..exit).filter(|&index| leaves[index] == UNSEEN) {
            graph.connect(index, exit);
        }
        graph
    }

    fn connect(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }

    /// The nodes that lead to the exit, in reverse postorder of a walk from the
    /// exit backwards, and the number of each node in it.
    fn reverse_postorder(&self) -> (Vec<usize>, Vec<usize>) {
        let mut seen = vec![false; self.exit + 1];
        seen[self.exit] = true;
        let mut order = Vec::new();
        // Nodes on the way, each with how many of its edges are done.
        let mut stack = vec![(self.exit, 0)];
        while let Some((node, done)) = stack.last_mut() {
            if let Some(&next) = self.before[*node].get(*done) {
                *done += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, 0));
                }
            } else {
                order.push(*node);
                stack.pop();
            }
        }
        order.reverse();
        let mut number = vec![UNSEEN; self.exit + 1];
        order.iter().enumerate().for_each(|(index, &node)| number[node] = index);
        (order, number)
    }
}

/// The number of a node that does not lead to the exit.
const UNSEEN: usize = usize::MAX;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::inst::Reg;
    use crate::program::BlockData;

    /// The definition: `a` post-dominates `b` if without `a` there is no way
    /// from `b` to the exit.
    fn post_dominates(ends: &[End], a: usize, b: usize) -> bool {
        a == b || !reachable(ends, b, Some(a)).any(|it| ends_at_exit(ends, it))
    }

    /// Whether there is an edge from a block to the virtual exit.
    fn ends_at_exit(ends: &[End], block: usize) -> bool {
        let returns = |it: usize| matches!(ends[it], End::Return);
        returns(block) || !reachable(ends, block, None).any(returns)
    }

    /// The blocks that `from` leads to without passing `without`, itself included.
    fn reachable(ends: &[End], from: usize, without: Option<usize>) -> impl Iterator<Item = usize> {
        let mut seen = vec![false; ends.len()];
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            if Some(block) != without && !std::mem::replace(&mut seen[block], true) {
                work.extend(ends[block].successors().map(|next| next.0 as usize));
            }
        }
        (0..seen.len()).filter(move |&block| seen[block])
    }

    /// The strict post-dominator of `b` that all others post-dominate.
    fn conjugate(ends: &[End], b: usize) -> Option<Block> {
        let strict: Vec<usize> =
            (0..ends.len()).filter(|&a| a != b && post_dominates(ends, a, b)).collect();
        let nearest = |&a: &usize| strict.iter().all(|&other| post_dominates(ends, other, a));
        strict.iter().copied().find(nearest).map(|a| Block(a as u32))
    }

    fn function(ends: &[End]) -> Function {
        let blocks = ends.iter().map(|end| BlockData { insts: Vec::new(), end: (end.clone(), 0) });
        Function {
            name: "test".to_owned(),
            params: vec![Reg(0).into()],
            result: None,
            ints: 1,
            sets: 0,
            paths: 0,
            blocks: blocks.collect(),
            names: Vec::new(),
        }
    }

    fn check(ends: &[End], expect: &[Option<u32>]) {
        let conjugates = PostDominators::of(&function(ends));
        let found: Vec<Option<u32>> =
            (0..ends.len() as u32).map(|it| conjugates.block(Block(it)).map(|it| it.0)).collect();
        assert_eq!(found, expect);
    }

    fn jump(to: u32) -> End {
        End::Jump(Block(to))
    }

    fn branch(yes: u32, no: u32) -> End {
        End::Branch { cond: Reg(0), yes: Block(yes), no: Block(no) }
    }

    #[test]
    fn sides_meet() {
        check(&[branch(1, 2), jump(3), jump(3), End::Return], &[Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn an_early_return_reaches_to_the_exit() {
        check(&[branch(1, 2), End::Return, jump(3), End::Return], &[None, None, Some(3), None]);
    }

    #[test]
    fn a_loop_ends_at_its_exit() {
        check(&[jump(1), branch(2, 3), jump(1), End::Return], &[Some(1), Some(3), Some(1), None]);
    }

    #[test]
    fn an_endless_side_keeps_the_condition_to_the_end() {
        // b1 <-> b2 never end; b3 returns.
        check(&[branch(1, 3), jump(2), jump(1), End::Return], &[None, None, None, None]);
    }

    fn ends() -> impl Strategy<Value = Vec<End>> {
        (1_u32..12).prop_flat_map(|blocks| {
            let end = prop_oneof![
                1 => Just(End::Return),
                2 => (0..blocks).prop_map(jump),
                4 => (0..blocks, 0..blocks).prop_map(|(yes, no)| branch(yes, no)),
            ];
            prop::collection::vec(end, blocks as usize)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_tree_is_the_definition(ends in ends()) {
            let conjugates = PostDominators::of(&function(&ends));
            for b in 0..ends.len() {
                let block = Block(b as u32);
                prop_assert_eq!(conjugates.block(block), conjugate(&ends, b));
                for a in 0..ends.len() {
                    let fast = conjugates.post_dominates(Block(a as u32), block);
                    prop_assert_eq!(fast, post_dominates(&ends, a, b));
                }
            }
        }
    }
}
