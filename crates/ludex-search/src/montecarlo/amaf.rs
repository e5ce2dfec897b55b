//! All moves as first: what tables learn from moves that were played later.
//!
//! Bernd Brügmann, "Monte Carlo Go", 1993; how they are used is in [`select`](mod@super::select).
//! A node hears once of each move that was played below it, whoever's it was.

use ludex_core::Player;

use super::backup::Played;
use super::codes::{Codes, Mean};
use super::credit::Written;
use super::marks::{KnownMarks, Mark, NO_MARK};
use super::purse::Purse;
use super::tree::{Number, Opened, Tree};

/// A table of later moves.
pub(crate) type Table = Codes<Mean>;

/// What was played in one playout, each move once.
#[derive(Debug, Default)]
pub(crate) struct Later {
    moves: Vec<(Mark, Player)>,
    /// For each mark, in which round it was seen last.
    seen: Vec<u64>,
    round: u64,
    known: KnownMarks,
}

impl Later {
    /// Begins with what was played below the tree.
    pub(crate) fn start<M>(&mut self, tree: &Tree<M>, played: &[Played]) {
        self.moves.clear();
        self.round += 1;
        for it in played {
            let mark = self.known.mark(&tree.marks, it.code);
            self.add(mark, it.mover);
        }
    }

    /// Adds a move, if it is new.
    fn add(&mut self, mark: Mark, mover: Player) {
        let slot = mark as usize;
        if slot >= self.seen.len() {
            self.seen.resize(2 * slot, 0);
        }
        if self.seen[slot] != self.round {
            self.seen[slot] = self.round;
            self.moves.push((mark, mover));
        }
    }

    /// Adds the move that was taken at a node to what was played below the nodes above it.
    pub(crate) fn join<M>(&mut self, opened: &Opened<M>, pick: u32) {
        let mark = opened.edges[pick as usize].mark;
        if mark != NO_MARK {
            self.add(mark, opened.mover);
        }
    }

    /// The moves.
    pub(crate) fn moves(&self) -> &[(Mark, Player)] {
        &self.moves
    }

    /// The marks that are known, to mark moves of a node.
    pub(crate) fn known(&mut self) -> &mut KnownMarks {
        &mut self.known
    }

    /// Forgets the tree.
    pub(crate) fn forget(&mut self) {
        self.known = KnownMarks::default();
    }

    /// Tells a node.
    pub(crate) fn tell<M>(
        &self,
        (tree, purse): (&Tree<M>, &mut Purse),
        number: Number,
        written: &Written,
    ) {
        if let Some(opened) = tree.node(number).opened.get() {
            teach((tree, purse), opened, |table| {
                if table.len() == 0 {
                    table.reserve(self.moves.len());
                }
                for &(mark, mover) in &self.moves {
                    table.entry(mark).add(written[mover.index()]);
                }
            });
        }
    }
}

/// Adds to the table of a node, where it has one, and counts what memory that took.
pub(crate) fn teach<M>(
    (tree, purse): (&Tree<M>, &mut Purse),
    opened: &Opened<M>,
    add: impl FnOnce(&mut Table),
) {
    if let Some(mut table) = opened.amaf_mut() {
        let before = table.bytes();
        add(&mut table);
        purse.spend(tree, table.bytes() - before);
    }
}
