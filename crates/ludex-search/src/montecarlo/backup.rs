//! What a playout leaves behind on the way it came.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::Player;

use super::codes::{Code, Seen};
use super::config::McConfig;
use super::credit;
use super::solver;
use super::tree::{Node, Number, Tree};

/// A move that was played in a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    /// What it is called in tables.
    pub(crate) code: Code,
    /// Who played it; with two players nobody asks, and it need not be right.
    pub(crate) mover: Player,
}

/// Adds the rewards to every move of the path and every node on it.
pub(crate) fn add<M>(
    tree: &Tree<M>,
    path: &[(Number, u32)],
    leaf: Option<Number>,
    rewards: &[f64],
) {
    let first = f64::from(credit::write(rewards, Player(0)));
    let visit = |node: &Node<M>| {
        node.visits.fetch_add(1, Relaxed);
        if tree.known.is_some() {
            node.reward.add(first);
        }
    };
    for &(number, pick) in path {
        let node = tree.node(number);
        visit(node);
        if let Some(opened) = node.opened.get() {
            let reward = rewards.get(opened.mover.index()).copied().unwrap_or(0.5);
            opened.edges[pick as usize].reward.add(reward);
        }
    }
    if let Some(leaf) = leaf {
        visit(tree.node(leaf));
    }
}

/// Tells the tables on the path what was played below them, each code once.
///
/// From the leaf upwards, so that a node gets what came after it. `later` has the moves of the
/// playout, and those of the path join it.
pub(crate) fn tell_tables<M>(
    tree: &Tree<M>,
    path: &[(Number, u32)],
    leaf: Option<Number>,
    rewards: &[f64],
    later: &mut Vec<Played>,
    seen: &mut Seen,
) {
    seen.start();
    later.retain(|it| seen.insert(it.code));
    if let Some(leaf) = leaf {
        tell(tree, tree.node(leaf), rewards, later);
    }
    for &(number, pick) in path.iter().rev() {
        let node = tree.node(number);
        let Some(opened) = node.opened.get() else { continue };
        let code = opened.edges[pick as usize].code;
        if seen.insert(code) {
            later.push(Played { code, mover: opened.mover });
        }
        tell(tree, node, rewards, later);
    }
}

fn tell<M>(tree: &Tree<M>, node: &Node<M>, rewards: &[f64], later: &[Played]) {
    let Some(mut table) = node.opened.get().and_then(|it| it.amaf()) else { return };
    let before = table.bytes();
    for it in later {
        table.entry(it.code).add(credit::write(rewards, it.mover));
    }
    tree.spend(table.bytes() - before);
}

/// Draws conclusions from a leaf of which something new is known: proved values and minimax values
/// of evaluations go up the path as far as they change anything.
pub(crate) fn conclude<M>(tree: &Tree<M>, config: &McConfig, path: &[(Number, u32)]) {
    let (mut proved, mut implicit) = (config.solver, config.implicit > 0.0);
    for &(number, _) in path.iter().rev() {
        let node = tree.node(number);
        proved = proved && solver::raise(tree, node);
        implicit = implicit && raise_implicit(tree, node);
        if !proved && !implicit {
            return;
        }
    }
}

/// The best evaluation behind a node's tried moves, for its mover; whether that is news.
fn raise_implicit<M>(tree: &Tree<M>, node: &Node<M>) -> bool {
    let Some(opened) = node.opened.get() else { return false };
    let sign = if opened.mover.0 == 1 { -1.0 } else { 1.0 };
    let children = opened.edges.iter().filter_map(|edge| tree.node(edge.child()?).implicit());
    let best = children.map(|it| it * sign).fold(f32::NEG_INFINITY, f32::max);
    best > f32::NEG_INFINITY && node.set_implicit(best * sign)
}
