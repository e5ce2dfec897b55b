//! Where a few playouts in a row begin.
//!
//! Whoever writes to a node takes its memory from all other threads, who must fetch it again, and
//! near the root all of them come by in every playout. So each of several threads goes down the
//! moves that were tried often, makes a batch of playouts from where it comes to, its *camp*, and
//! only then tells the nodes above of all of them together. That nodes are looked at again only
//! after a while, in proportion to what is known of them, is sound: Peter Auer, Nicolò
//! Cesa-Bianchi and Paul Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002
//! (UCB2, whose arms are tried for an epoch).
//!
//! With one thread the camp is the root and nothing is held back.

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::{Game, Player, PositionOf};

use super::amaf::{self, Later, Table};
use super::backup;
use super::codes::Mean;
use super::credit::{Rewards, Written};
use super::marks::{Mark, NO_MARK};
use super::purse::Purse;
use super::tree::{Number, ROOT, Tree};

/// Playouts that are made from one camp.
pub(crate) const BATCH: u32 = 16;

/// Of the playouts that took a way down to a camp, batches of all threads are such a part at most.
const PART: u32 = 8;

/// More than anything was ever tried: a thread alone stays at the root.
const ALONE: u32 = u32::MAX;

/// Where a thread begins its playouts, and what it has not told the nodes above.
#[derive(Debug)]
pub(crate) struct Camp<G: Game> {
    pub(crate) position: PositionOf<G>,
    /// The nodes above and the moves taken there.
    pub(crate) path: Vec<(Number, u32)>,
    pub(crate) number: Number,
    /// The node whose table of later moves counts here.
    pub(crate) reference: Number,
    /// How often something must have been tried not to notice a batch; a thread alone has none.
    pub(crate) many: u32,
    /// Whether playouts can begin here.
    pub(crate) stands: bool,
    /// Whether the nodes on the path and the camp itself hear of playouts later.
    pub(crate) holds: bool,
    held: Held,
}

/// Playouts that were not told.
#[derive(Debug, Default)]
struct Held {
    count: u32,
    /// Sums of what each player earned, and of what goes into tables for it.
    rewards: Rewards,
    written: Written,
    /// What was played from the camp on.
    later: Table,
}

impl<G: Game> Camp<G> {
    /// At the root, of a thread alone.
    pub(crate) fn new(position: &PositionOf<G>) -> Self {
        Self {
            position: position.clone(),
            path: Vec::new(),
            number: ROOT,
            reference: ROOT,
            many: ALONE,
            stands: true,
            holds: false,
            held: Held::default(),
        }
    }

    /// Is the camp of one of so many threads from now on.
    pub(crate) fn share(&mut self, threads: usize) {
        let threads = u32::try_from(threads).unwrap_or(ALONE);
        self.many = if threads > 1 { (BATCH * PART).saturating_mul(threads) } else { ALONE };
        self.stands = false;
    }

    /// Goes back to the root.
    pub(crate) fn go_home(&mut self, position: &PositionOf<G>) {
        self.position.clone_from(&position);
        self.path.clear();
        (self.number, self.reference) = (ROOT, ROOT);
    }

    /// Settles down: the playouts to come count as lost on the way here.
    pub(crate) fn pitch(&mut self, tree: &Tree<G::Move>) {
        self.stands = true;
        let visits = tree.node(self.number).visits.load(Relaxed);
        self.holds = !self.path.is_empty() || visits >= self.many;
        for &(number, pick) in &self.path {
            if let Some(opened) = tree.node(number).opened.get() {
                opened.edges[pick as usize].visits.fetch_add(BATCH, Relaxed);
            }
        }
    }

    /// Holds back a playout, and what was played from the camp on.
    pub(crate) fn hold(&mut self, rewards: &[f64], written: &Written, later: &Later) {
        let held = &mut self.held;
        held.count += 1;
        held.rewards.resize(rewards.len(), 0.0);
        held.written.resize(rewards.len(), 0.0);
        held.rewards.iter_mut().zip(rewards).for_each(|(sum, it)| *sum += it);
        held.written.iter_mut().zip(written).for_each(|(sum, it)| *sum += it);
        for &(mark, mover) in later.moves() {
            held.later.entry(mark).add(written[mover.index()]);
        }
    }

    /// Tells the nodes above, from below upwards, so that each hears of the moves below it.
    pub(crate) fn strike(&mut self, tree: &Tree<G::Move>, purse: &mut Purse) {
        if !self.stands || self.many == ALONE {
            return;
        }
        self.stands = false;
        let held = &mut self.held;
        if self.holds && held.count > 0 {
            held.tell((tree, purse), self.number);
        }
        for &(number, pick) in self.path.iter().rev() {
            let Some(opened) = tree.node(number).opened.get() else { continue };
            let edge = &opened.edges[pick as usize];
            edge.visits.fetch_sub(BATCH - held.count, Relaxed);
            if held.count > 0 {
                backup::reward(opened, pick, &held.rewards);
                held.join(edge.mark, opened.mover);
                held.tell((tree, purse), number);
            }
        }
        held.clear();
    }
}

impl Held {
    /// Adds a move that all playouts began with.
    fn join(&mut self, mark: Mark, mover: Player) {
        if mark != NO_MARK {
            *self.later.entry(mark) = Mean::of(self.count, self.written[mover.index()]);
        }
    }

    /// Tells a node.
    fn tell<M>(&self, (tree, purse): (&Tree<M>, &mut Purse), number: Number) {
        let node = tree.node(number);
        node.visits.fetch_add(self.count, Relaxed);
        if tree.known.is_some() {
            node.reward.add(self.written[0].into());
        }
        if let Some(opened) = node.opened.get() {
            amaf::teach((tree, purse), opened, |table| {
                self.later.iter().for_each(|(mark, mean)| table.entry(mark).merge(mean));
            });
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.rewards.clear();
        self.written.clear();
        self.later.clear();
    }
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::montecarlo::backup::Played;
    use crate::montecarlo::credit;
    use crate::montecarlo::tree::{Edge, Opened};

    type Move = <TicTacToe as Game>::Move;

    /// The second move of the root leads to a node with two moves. Moves are called 1 to 4.
    fn small_tree(later: &mut Later) -> Tree<Move> {
        let tree = Tree::new(1 << 20, true);
        let child = tree.add(&mut Purse::default(), 0);
        let start = TicTacToe.start();
        let mv = TicTacToe.named(&start, Player(0), "a1").unwrap().unwrap();
        for (number, codes) in [(ROOT, [1, 2]), (child, [3, 4])] {
            let mut name = |code| (code, later.known().mark(&tree.marks, code));
            let edges = codes.map(|code| Edge::new(mv, name(code)));
            let opened = Opened::new(Player(number as u8), edges.into(), true);
            tree.node(number).opened.set(Box::new(opened)).unwrap();
        }
        tree.node(ROOT).opened.get().unwrap().edges[1].child.store(child, Relaxed);
        tree
    }

    /// Everything that playouts leave behind.
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

    /// Playouts as the move at the camp, the first player's reward, and what was played later.
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
        let (mut later, mut purse) = (Later::default(), Purse::default());
        let at_once = small_tree(&mut later);
        for (pick, reward, codes) in PLAYOUTS {
            let rewards = [reward, 1.0 - reward];
            let written = credit::written(&rewards);
            later.start(&at_once, &played(codes));
            for (number, pick) in [(1, pick), (ROOT, 1)] {
                let opened = at_once.node(number).opened.get().unwrap();
                opened.edges[pick as usize].visits.fetch_add(1, Relaxed);
                backup::reward(opened, pick, &rewards);
                backup::visit(&at_once, number, &written);
                later.join(opened, pick);
                later.tell((&at_once, &mut purse), number, &written);
            }
        }

        later.forget();
        let by_and_by = small_tree(&mut later);
        let start = TicTacToe.start();
        let mut camp = Camp::<TicTacToe>::new(&start);
        camp.share(2);
        // A batch that is interrupted, and one that is not begun at all.
        for playouts in [&PLAYOUTS[..3], &PLAYOUTS[3..], &[]] {
            (camp.path, camp.number) = (vec![(ROOT, 1)], 1);
            camp.pitch(&by_and_by);
            for &(pick, reward, codes) in playouts {
                let rewards = [reward, 1.0 - reward];
                later.start(&by_and_by, &played(codes));
                let opened = by_and_by.node(1).opened.get().unwrap();
                opened.edges[pick as usize].visits.fetch_add(1, Relaxed);
                backup::reward(opened, pick, &rewards);
                later.join(opened, pick);
                camp.hold(&rewards, &credit::written(&rewards), &later);
            }
            camp.strike(&by_and_by, &mut purse);
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
        let tree = small_tree(&mut Later::default());
        let start = TicTacToe.start();
        let mut camp = Camp::<TicTacToe>::new(&start);
        camp.share(2);
        (camp.path, camp.number) = (vec![(ROOT, 1)], 1);
        camp.pitch(&tree);
        let edge = &tree.node(ROOT).opened.get().unwrap().edges[1];
        assert_eq!((edge.visits.load(Relaxed), edge.reward.get()), (BATCH, 0.0));
        camp.strike(&tree, &mut Purse::default());
        assert_eq!(edge.visits.load(Relaxed), 0);
    }
}
