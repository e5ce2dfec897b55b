//! What a playout leaves behind on the way it came.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::Player;

use super::code_table::MoveCode;
use super::config::McConfig;
use super::reward_table::TableRewards;
use super::solver;
use super::tree::{Node, Number, Opened, Tree};

/// A move that was played in a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    /// What it is called in tables.
    pub(crate) code: MoveCode,
    /// Who played it; with two players it is not read, and need not be right.
    pub(crate) mover: Player,
}

/// Counts a playout that has come through a node.
pub(crate) fn visit<M>(tree: &Tree<M>, number: Number, table_rewards: &TableRewards) {
    let node = tree.node(number);
    node.visits.fetch_add(1, Relaxed);
    if tree.known.is_some() {
        node.reward.add(table_rewards[0].into());
    }
}

/// Adds the mover's reward to the move that was taken at a node.
pub(crate) fn reward<M>(opened: &Opened<M>, pick: u32, rewards: &[f64]) {
    let reward = rewards.get(opened.mover.index()).copied().unwrap_or(0.5);
    opened.edges[pick as usize].reward.add(reward);
}

/// Draws conclusions from a leaf of which something new is known: proved values and minimax values
/// of evaluations go up the path as far as they change anything. On how many levels from the top
/// nothing new was proved.
pub(crate) fn conclude<M>(tree: &Tree<M>, config: &McConfig, path: &[(Number, u32)]) -> usize {
    let (mut proved, mut implicit) = (config.solver, config.implicit > 0.0);
    let mut unmoved = path.len();
    for (level, &(number, _)) in path.iter().enumerate().rev() {
        let node = tree.node(number);
        proved = proved && solver::raise(tree, node);
        implicit = implicit && raise_implicit(tree, node);
        if proved {
            unmoved = level;
        }
        if !proved && !implicit {
            break;
        }
    }
    unmoved
}

/// The best evaluation behind a node's tried moves, for its mover; whether that is news.
fn raise_implicit<M>(tree: &Tree<M>, node: &Node<M>) -> bool {
    let Some(opened) = node.opened.get() else { return false };
    let sign = if opened.mover.0 == 1 { -1.0 } else { 1.0 };
    let children = opened.edges.iter().filter_map(|edge| tree.node(edge.child()?).implicit());
    let best = children.map(|it| it * sign).fold(f32::NEG_INFINITY, f32::max);
    best > f32::NEG_INFINITY && node.set_implicit(best * sign)
}
