//! All moves as first: what tables learn from moves that were played later.
//!
//! Bernd Brügmann, "Monte Carlo Go", 1993; how they are used is in [`select`](mod@super::select).
//! A node counts each move that was played below it once, by either player.

use ludex_core::Player;

use super::allocation::ThreadAllocation;
use super::backup::Played;
use super::code_table::{CodeTable, Mean};
use super::move_ids::{MoveId, MoveIdCache, NO_MOVE_ID};
use super::reward_table::TableRewards;
use super::tree::{Number, Opened, Tree};

/// A table of later moves.
pub(crate) type AmafTable = CodeTable<Mean>;

/// What was played in one playout, each move once.
#[derive(Debug, Default)]
pub(crate) struct LaterMoves {
    moves: Vec<(MoveId, Player)>,
    /// For each id, in which round it was seen last.
    seen: Vec<u64>,
    round: u64,
    known: MoveIdCache,
}

impl LaterMoves {
    /// Begins with what was played below the tree.
    pub(crate) fn start<M>(&mut self, tree: &Tree<M>, played: &[Played]) {
        self.moves.clear();
        self.round += 1;
        for it in played {
            let move_id = self.known.move_id(&tree.move_ids, it.code);
            self.add(move_id, it.mover);
        }
    }

    /// Adds a move, if it is new.
    fn add(&mut self, move_id: MoveId, mover: Player) {
        let slot = move_id as usize;
        if slot >= self.seen.len() {
            self.seen.resize(2 * slot, 0);
        }
        if self.seen[slot] != self.round {
            self.seen[slot] = self.round;
            self.moves.push((move_id, mover));
        }
    }

    /// Adds the move that was taken at a node to what was played below the nodes above it.
    pub(crate) fn join<M>(&mut self, opened: &Opened<M>, pick: u32) {
        let move_id = opened.edges[pick as usize].move_id;
        if move_id != NO_MOVE_ID {
            self.add(move_id, opened.mover);
        }
    }

    /// The moves.
    pub(crate) fn moves(&self) -> &[(MoveId, Player)] {
        &self.moves
    }

    /// The ids that are known, for the moves of a node.
    pub(crate) fn known(&mut self) -> &mut MoveIdCache {
        &mut self.known
    }

    /// Forgets the tree.
    pub(crate) fn forget(&mut self) {
        self.known = MoveIdCache::default();
    }

    /// Tells a node.
    pub(crate) fn update<M>(
        &self,
        (tree, allocation): (&Tree<M>, &mut ThreadAllocation),
        number: Number,
        table_rewards: &TableRewards,
    ) {
        if let Some(opened) = tree.node(number).opened.get() {
            update_table((tree, allocation), opened, |table| {
                if table.len() == 0 {
                    table.reserve(self.moves.len());
                }
                for &(move_id, mover) in &self.moves {
                    table.entry(move_id).add(table_rewards[mover.index()]);
                }
            });
        }
    }
}

/// Adds to the table of a node, where it has one, and counts what memory that took.
pub(crate) fn update_table<M>(
    (tree, allocation): (&Tree<M>, &mut ThreadAllocation),
    opened: &Opened<M>,
    add: impl FnOnce(&mut AmafTable),
) {
    if let Some(mut table) = opened.amaf_mut() {
        let before = table.bytes();
        add(&mut table);
        allocation.spend(tree, table.bytes() - before);
    }
}
