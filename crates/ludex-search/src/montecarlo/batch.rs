//! Batches of playouts, and their virtual loss.
//!
//! A thread that writes to a node takes its cache line from all other threads, which must fetch it
//! again, and near the root every playout passes. So each of several threads descends by the moves
//! that were tried often, makes a batch of playouts from the node where it arrives, and updates the
//! nodes above once for all of them. Until then the batch counts as lost there (virtual loss).
//!
//! To look at nodes again only after a while, in proportion to their visits, is sound: Peter Auer,
//! Nicolò Cesa-Bianchi and Paul Fischer, "Finite-time analysis of the multiarmed bandit problem",
//! 2002 (UCB2, whose arms are tried for an epoch).
//!
//! With one thread batches begin at the root and nothing is deferred.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::{Game, Player, PositionOf};

use super::allocation::ThreadAllocation;
use super::amaf::{self, AmafTable, LaterMoves};
use super::backup;
use super::code_table::Mean;
use super::move_ids::{MoveId, NO_MOVE_ID};
use super::reward_table::{Rewards, TableRewards};
use super::tree::{Number, ROOT, Tree};

/// Playouts of a batch.
pub(crate) const BATCH_SIZE: u32 = 16;

/// The batches of all threads are at most one part in this many of the playouts through a node.
const PART: u32 = 8;

/// More visits than any node has: a single thread stays at the root.
const ALONE: u32 = u32::MAX;

/// Where a thread begins its playouts, and the results that the nodes above have not had yet.
#[derive(Debug)]
pub(crate) struct PlayoutBatch<G: Game> {
    pub(crate) position: PositionOf<G>,
    /// The nodes above and the moves taken there.
    pub(crate) path: Vec<(Number, u32)>,
    pub(crate) number: Number,
    /// The node whose table of later moves counts here.
    pub(crate) reference: Number,
    /// How many visits an edge needs for a batch not to matter; a single thread has no batches.
    pub(crate) min_visits: u32,
    /// Whether the batch has begun.
    pub(crate) is_begun: bool,
    /// Whether the nodes on the path and the first node are updated when the batch is finished.
    pub(crate) is_deferred: bool,
    pending: PendingPlayouts,
}

/// Results that are still to be backed up.
#[derive(Debug, Default)]
struct PendingPlayouts {
    count: u32,
    /// Sums of what each player earned, and of what goes into tables for it.
    rewards: Rewards,
    table_rewards: TableRewards,
    /// What was played below the first node.
    later: AmafTable,
}

impl<G: Game> PlayoutBatch<G> {
    /// At the root, for a single thread.
    pub(crate) fn new(position: &PositionOf<G>) -> Self {
        Self {
            position: position.clone(),
            path: Vec::new(),
            number: ROOT,
            reference: ROOT,
            min_visits: ALONE,
            is_begun: true,
            is_deferred: false,
            pending: PendingPlayouts::default(),
        }
    }

    /// Is the batch of one of `threads` threads from now on.
    pub(crate) fn share(&mut self, threads: usize) {
        let threads = u32::try_from(threads).unwrap_or(ALONE);
        self.min_visits =
            if threads > 1 { (BATCH_SIZE * PART).saturating_mul(threads) } else { ALONE };
        self.is_begun = false;
    }

    /// Returns to the root.
    pub(crate) fn return_to_root(&mut self, position: &PositionOf<G>) {
        self.position.clone_from(position);
        self.path.clear();
        (self.number, self.reference) = (ROOT, ROOT);
    }

    /// Begins: the playouts to come count as lost on the path to here.
    pub(crate) fn begin(&mut self, tree: &Tree<G::Move>) {
        self.is_begun = true;
        let visits = tree.node(self.number).visits.load(Relaxed);
        self.is_deferred = !self.path.is_empty() || visits >= self.min_visits;
        for &(number, pick) in &self.path {
            if let Some(opened) = tree.node(number).opened.get() {
                opened.edges[pick as usize].visits.fetch_add(BATCH_SIZE, Relaxed);
            }
        }
    }

    /// Defers a playout, and what was played below the first node.
    pub(crate) fn defer(
        &mut self,
        rewards: &[f64],
        table_rewards: &TableRewards,
        later: &LaterMoves,
    ) {
        let pending = &mut self.pending;
        pending.count += 1;
        pending.rewards.resize(rewards.len(), 0.0);
        pending.table_rewards.resize(rewards.len(), 0.0);
        pending.rewards.iter_mut().zip(rewards).for_each(|(sum, it)| *sum += it);
        pending.table_rewards.iter_mut().zip(table_rewards).for_each(|(sum, it)| *sum += it);
        for &(move_id, mover) in later.moves() {
            pending.later.entry(move_id).add(table_rewards[mover.index()]);
        }
    }

    /// Updates the nodes above, upwards, so that each gets the moves below it.
    pub(crate) fn finish(&mut self, tree: &Tree<G::Move>, allocation: &mut ThreadAllocation) {
        if !self.is_begun || self.min_visits == ALONE {
            return;
        }
        self.is_begun = false;
        let pending = &mut self.pending;
        if self.is_deferred && pending.count > 0 {
            pending.update((tree, allocation), self.number);
        }
        for &(number, pick) in self.path.iter().rev() {
            let Some(opened) = tree.node(number).opened.get() else { continue };
            let edge = &opened.edges[pick as usize];
            edge.visits.fetch_sub(BATCH_SIZE - pending.count, Relaxed);
            if pending.count > 0 {
                backup::reward(opened, pick, &pending.rewards);
                pending.join(edge.move_id, opened.mover);
                pending.update((tree, allocation), number);
            }
        }
        pending.clear();
    }
}

impl PendingPlayouts {
    /// Adds a move that all playouts began with.
    fn join(&mut self, move_id: MoveId, mover: Player) {
        if move_id != NO_MOVE_ID {
            *self.later.entry(move_id) = Mean::of(self.count, self.table_rewards[mover.index()]);
        }
    }

    /// Updates a node.
    fn update<M>(&self, (tree, allocation): (&Tree<M>, &mut ThreadAllocation), number: Number) {
        let node = tree.node(number);
        node.visits.fetch_add(self.count, Relaxed);
        if tree.known.is_some() {
            node.reward.add(self.table_rewards[0].into());
        }
        if let Some(opened) = node.opened.get() {
            amaf::update_table((tree, allocation), opened, |table| {
                self.later.iter().for_each(|(move_id, mean)| table.entry(move_id).merge(mean));
            });
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.rewards.clear();
        self.table_rewards.clear();
        self.later.clear();
    }
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::montecarlo::backup::Played;
    use crate::montecarlo::reward_table;
    use crate::montecarlo::tree::{Edge, Opened};

    type Move = <TicTacToe as Game>::Move;

    /// The second move of the root leads to a node with two moves. Moves are called 1 to 4.
    fn small_tree(later: &mut LaterMoves) -> Tree<Move> {
        let tree = Tree::new(1 << 20, true);
        let child = tree.add(&mut ThreadAllocation::default(), 0);
        let start = TicTacToe.start();
        let mv = TicTacToe.named(&start, Player(0), "a1").unwrap().unwrap();
        for (number, codes) in [(ROOT, [1, 2]), (child, [3, 4])] {
            let mut name = |code| (code, later.known().move_id(&tree.move_ids, code));
            let edges = codes.map(|code| Edge::new(mv, name(code)));
            let opened = Opened::new(Player(number as u8), edges.into(), true);
            tree.node(number).opened.set(Box::new(opened)).unwrap();
        }
        tree.node(ROOT).opened.get().unwrap().edges[1].child.store(child, Relaxed);
        tree
    }

    /// Everything that playouts have written.
    fn said(tree: &Tree<Move>) -> Vec<String> {
        let node = |number| {
            let node = tree.node(number);
            let opened = node.opened.get().unwrap();
            let edges = opened.edges.iter();
            let edges: Vec<_> =
                edges.map(|it| (it.visits.load(Relaxed), it.reward.get())).collect();
            let mut table: Vec<_> = opened.amaf().unwrap().iter().collect();
            table.sort_by_key(|it| it.0);
            format!("{:?} {} {edges:?} {table:?}", node.visits, node.reward.get())
        };
        vec![node(ROOT), node(1)]
    }

    /// Playouts as the move at the first node, the first player's reward, and what was played
    /// later.
    const PLAYOUTS: [(u32, f64, &[u32]); 5] = [
        (0, 1.0, &[7, 8, 9, 7]),
        (1, 0.0, &[2, 9, 10]),
        (1, 0.5, &[3]),
        (0, 1.0, &[]),
        (1, 1.0, &[4, 2, 8]),
    ];

    fn played(codes: &[u32]) -> Vec<Played> {
        codes.iter().map(|&code| Played { code, mover: Player(0) }).collect()
    }

    #[test]
    fn what_is_told_later_is_the_same() {
        let (mut later, mut allocation) = (LaterMoves::default(), ThreadAllocation::default());
        let at_once = small_tree(&mut later);
        for (pick, reward, codes) in PLAYOUTS {
            let rewards = [reward, 1.0 - reward];
            let table_rewards = reward_table::table_rewards(&rewards);
            later.start(&at_once, &played(codes));
            for (number, pick) in [(1, pick), (ROOT, 1)] {
                let opened = at_once.node(number).opened.get().unwrap();
                opened.edges[pick as usize].visits.fetch_add(1, Relaxed);
                backup::reward(opened, pick, &rewards);
                backup::visit(&at_once, number, &table_rewards);
                later.join(opened, pick);
                later.update((&at_once, &mut allocation), number, &table_rewards);
            }
        }

        later.forget();
        let by_and_by = small_tree(&mut later);
        let start = TicTacToe.start();
        let mut batch = PlayoutBatch::<TicTacToe>::new(&start);
        batch.share(2);
        // A batch that is interrupted, and one that is not begun at all.
        for playouts in [&PLAYOUTS[..3], &PLAYOUTS[3..], &[]] {
            (batch.path, batch.number) = (vec![(ROOT, 1)], 1);
            batch.begin(&by_and_by);
            for &(pick, reward, codes) in playouts {
                let rewards = [reward, 1.0 - reward];
                later.start(&by_and_by, &played(codes));
                let opened = by_and_by.node(1).opened.get().unwrap();
                opened.edges[pick as usize].visits.fetch_add(1, Relaxed);
                backup::reward(opened, pick, &rewards);
                later.join(opened, pick);
                batch.defer(&rewards, &reward_table::table_rewards(&rewards), &later);
            }
            batch.finish(&by_and_by, &mut allocation);
        }
        assert_eq!(said(&by_and_by), said(&at_once));
        assert!(
            said(&at_once)[0].starts_with("5 3.5 [(0, 0.0), (5, 3.5)]"),
            "{:?}",
            said(&at_once)
        );
    }

    #[test]
    fn playouts_to_come_count_as_lost() {
        let tree = small_tree(&mut LaterMoves::default());
        let start = TicTacToe.start();
        let mut batch = PlayoutBatch::<TicTacToe>::new(&start);
        batch.share(2);
        (batch.path, batch.number) = (vec![(ROOT, 1)], 1);
        batch.begin(&tree);
        let edge = &tree.node(ROOT).opened.get().unwrap().edges[1];
        assert_eq!((edge.visits.load(Relaxed), edge.reward.get()), (BATCH_SIZE, 0.0));
        batch.finish(&tree, &mut ThreadAllocation::default());
        assert_eq!(edge.visits.load(Relaxed), 0);
    }
}
