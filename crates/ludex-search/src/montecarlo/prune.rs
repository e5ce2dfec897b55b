//! A tree that stays small: what is kept when it is full, and from move to move.
//!
//! Both are one operation: the part of a tree below a node is moved into a new one, in which nodes
//! with few visits have lost their moves. Such a node keeps what it is worth and what is proved of
//! it, and lists its moves again when it is met again.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use ludex_core::{Game, GameExt, PositionOf};

use super::allocation::ThreadAllocation;
use super::tree::{NONE, Node, Number, Opened, ROOT, Tree};

/// How many nodes are looked at to find a position again.
const LOOKS: usize = 100_000;

/// How many turns down a position is looked for.
const TURNS: usize = 4;

/// The tree below `root`, in which nodes of fewer visits than `least` have no moves.
pub(crate) fn below<M>(mut old: Tree<M>, root: Number, least: u32) -> Tree<M> {
    let mut new = Tree::new(old.limit(), old.known.is_some());
    let mut places = vec![NONE; old.len()];
    let mut queue = VecDeque::from([(root, ROOT)]);
    places[root as usize] = ROOT;
    while let Some((from, to)) = queue.pop_front() {
        let mut node = std::mem::take(old.node_mut(from));
        let keeps = to == ROOT || *node.visits.get_mut() >= least;
        let opened = node.opened.take().filter(|_| keeps);
        *new.node_mut(to) = node;
        let Some(mut opened) = opened else { continue };
        for edge in &mut opened.edges {
            let Some(child) = edge.child() else { continue };
            let place = &mut places[child as usize];
            if *place == NONE {
                *place = new.add(&mut ThreadAllocation::default(), 0);
                queue.push_back((child, *place));
            }
            *edge.child.get_mut() = *place;
        }
        new.spend(opened.bytes());
        // A fresh node has no moves yet, so that these are taken.
        let _ = new.node(to).opened.set(opened);
    }
    keep_known(&mut old, &mut new, &places);
    new.move_ids = old.move_ids;
    new
}

/// Hands on which positions are known.
fn keep_known<M>(old: &mut Tree<M>, new: &mut Tree<M>, places: &[Number]) {
    let (Some(old), Some(shards)) = (&mut old.known, &mut new.known) else { return };
    let mut kept = 0;
    for (old, new) in old.iter_mut().zip(shards) {
        let old = std::mem::take(old.get_mut().unwrap_or_else(PoisonError::into_inner));
        let place = |(key, number): ((u64, u64), Number)| {
            let place = places[number as usize];
            (place != NONE).then_some((key, place))
        };
        let new = new.get_mut().unwrap_or_else(PoisonError::into_inner);
        new.extend(old.into_iter().filter_map(place));
        kept += new.len();
    }
    new.spend(kept * super::tree::KNOWN_BYTES);
}

/// The same tree with about half its memory free.
pub(crate) fn halve<M>(old: Tree<M>) -> Tree<M> {
    let least = threshold(&old, old.limit() / 2);
    let mut new = below(old, ROOT, least);
    new.frozen = new.bytes() >= new.limit() / 4 * 3;
    new
}

/// From how many visits on nodes may keep their moves, if all is to fit into `bytes`.
fn threshold<M>(tree: &Tree<M>, bytes: usize) -> u32 {
    // The bytes of the nodes by the number of bits of their visits.
    let mut sizes = [0_usize; 33];
    for number in 0..tree.len() as Number {
        let node = tree.node(number);
        if let Some(opened) = node.opened.get() {
            let bits = 32 - node.visits.load(Relaxed).leading_zeros();
            sizes[bits as usize] += size_of::<Node<M>>() + taken(opened);
        }
    }
    let mut left = bytes;
    for bits in (0..=32).rev() {
        match left.checked_sub(sizes[bits]) {
            Some(rest) => left = rest,
            // All that have more bits than these.
            None => return 1_u32.checked_shl(bits as u32).unwrap_or(u32::MAX),
        }
    }
    0
}

/// What the moves of a node take, with the bare nodes behind them.
fn taken<M>(opened: &Opened<M>) -> usize {
    let children = opened.edges.iter().filter(|it| it.child().is_some()).count();
    opened.bytes() + children * size_of::<Node<M>>()
}

/// Where a position is in a tree that was grown from another one, a few turns before.
///
/// A hash finds it and playing the moves in between makes sure. Where the past plays a role it must
/// be the same past.
pub(crate) fn find<G: Game>(
    game: &G,
    tree: &Tree<G::Move>,
    from: &PositionOf<G>,
    to: &PositionOf<G>,
) -> Option<Number> {
    let hash = game.hash(&to.state);
    // Nodes with the place in this list that they were reached from, and the move.
    let mut seen: Vec<(Number, usize, Option<G::Move>)> = vec![(ROOT, 0, None)];
    let (mut next, mut level_end) = (0, 1);
    for _ in 0..=TURNS {
        while next < level_end {
            let number = seen[next].0;
            if tree.node(number).hash.load(Relaxed) == hash && leads(game, &seen, next, from, to) {
                return Some(number);
            }
            let edges = tree.node(number).opened.get().map_or(&[][..], |it| &it.edges);
            let children = edges.iter().filter_map(|it| Some((it.child()?, next, Some(it.mv))));
            if seen.len() < LOOKS {
                seen.extend(children);
            }
            next += 1;
        }
        level_end = seen.len();
    }
    None
}

/// Whether the moves on the way to an entry of the list lead from one position to the other.
fn leads<G: Game>(
    game: &G,
    seen: &[(Number, usize, Option<G::Move>)],
    entry: usize,
    from: &PositionOf<G>,
    to: &PositionOf<G>,
) -> bool {
    let mut moves = Vec::new();
    let mut at = entry;
    while let (_, parent, Some(mv)) = seen[at] {
        moves.push(mv);
        at = parent;
    }
    let mut position = from.clone();
    let played = moves.iter().rev().all(|&mv| game.apply(&mut position, &[mv]).is_ok());
    played && position.state == to.state && (!game.has_history() || position.trail == to.trail)
}

#[cfg(test)]
mod tests {
    use ludex_core::Random;
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::montecarlo::McConfig;

    /// A setting that tries everything.
    fn wide(name: &str) -> McConfig {
        let preset = McConfig::preset(name).unwrap();
        McConfig { exploration: 1.4, first_play: None, solver: false, ..preset }
    }

    /// A tree of a number of playouts from the start.
    fn grown(config: &McConfig, playouts: u64) -> Tree<<TicTacToe as Game>::Move> {
        crate::montecarlo::threads::tests::grown(config, 1, playouts).0
    }

    /// Everything a tree says, below a node.
    fn said<M: std::fmt::Debug + Copy>(tree: &Tree<M>, number: Number, deep: usize) -> String {
        let node = tree.node(number);
        let (visits, bounds) = (node.visits.load(Relaxed), node.bounds());
        let mut text = format!("{} {visits} {bounds:?}", node.hash.load(Relaxed));
        for edge in node.opened.get().filter(|_| deep > 0).map_or(&[][..], |it| &it.edges) {
            let (visits, reward) = (edge.visits.load(Relaxed), edge.reward.get());
            text += &format!("({:?} {visits} {reward}", edge.mv);
            if let Some(child) = edge.child() {
                text += &said(tree, child, deep - 1);
            }
            text += ")";
        }
        text
    }

    #[test]
    fn what_is_kept_says_the_same() {
        for name in ["mcts", "grave"] {
            for transpositions in [false, true] {
                let config = McConfig { transpositions, ..wide(name) };
                let tree = grown(&config, 2_000);
                let start = TicTacToe.start();
                let mut state = start;
                let mut random = Random::stream(4, 0, 0);
                for _ in 0..2 {
                    let mv = TicTacToe.random_move(&state, &mut random).unwrap().unwrap();
                    TicTacToe.apply(&mut state, &[mv]).unwrap();
                }
                let found = find(&TicTacToe, &tree, &start, &state).unwrap();
                assert_eq!(tree.node(found).hash.load(Relaxed), TicTacToe.hash(&state.state));
                let (before, count, bytes) = (said(&tree, found, 9), tree.len(), tree.bytes());
                let kept = below(tree, found, 0);
                assert_eq!(said(&kept, ROOT, 9), before);
                assert!(kept.len() < count && kept.bytes() < bytes);
            }
        }
    }

    #[test]
    fn the_same_position_keeps_everything() {
        let tree = grown(&McConfig::default(), 500);
        let start = TicTacToe.start();
        let found = find(&TicTacToe, &tree, &start, &start);
        assert_eq!(found, Some(ROOT));
        let (before, count) = (said(&tree, ROOT, 9), tree.len());
        let kept = below(tree, ROOT, 0);
        assert_eq!((said(&kept, ROOT, 9), kept.len()), (before, count));
    }

    #[test]
    fn pruning_keeps_what_was_visited_most() {
        let tree = grown(&McConfig { amaf: None, ..wide("mcts") }, 3_000);
        let root = said(&tree, ROOT, 1);
        let (count, least) = (tree.len(), 50);
        let kept = below(tree, ROOT, least);
        assert_eq!(said(&kept, ROOT, 1), root);
        assert!(kept.len() < count / 2);
        let opened = |it: &Number| kept.node(*it).opened.get().is_some();
        let enough = |it: Number| kept.node(it).visits.load(Relaxed) >= least;
        assert!((1..kept.len() as Number).filter(opened).all(enough));
    }
}
