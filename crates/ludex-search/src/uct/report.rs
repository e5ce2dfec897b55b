//! What a tree of UCT says about its root.

use std::time::Duration;

use ludex_core::{Game, Player};

use super::{Arm, Bandit, Node, Number, ROOT, Search};
use crate::result::{Line, SearchResult};

/// A principal variation is not followed further than this.
const LONGEST_PV: usize = 100;

/// The result of a search. Nothing in it is proved.
#[derive(Clone, Debug, PartialEq)]
pub struct UctReport<M> {
    /// What each player whose turn it is should do, lowest player first. Nothing
    /// where the game is over or chance decides.
    pub decisions: Vec<Decision<M>>,
    /// The turns that were tried most, from the root on, up to a turn of chance.
    pub pv: Vec<Vec<M>>,
    /// The mean utility of each player over all playouts, first player first.
    pub values: Vec<f64>,
    /// Playouts done.
    pub playouts: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Turns played in all, in the tree and in playouts.
    pub plies: u64,
}

/// What one player should do at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// Whose decision it is.
    pub player: Player,
    /// All moves, the most visited first: that is the one to play.
    pub lines: Vec<UctLine<M>>,
}

/// The estimate of one move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct UctLine<M> {
    /// The move.
    pub mv: M,
    /// How many playouts began with it.
    pub visits: u64,
    /// Their mean utility for the player whose move it is; 0 without playouts.
    pub value: f64,
    /// The turns tried most from the root on, this move first. In a joint turn, a
    /// single move has no continuation, and this is empty.
    pub pv: Vec<Vec<M>>,
}

impl<M: Copy> UctReport<M> {
    /// The lines of the first decision, as the result of a search that took `elapsed`.
    pub(crate) fn into_result(self, elapsed: Duration) -> SearchResult<M> {
        let lines = self.decisions.into_iter().next().map_or(Vec::new(), |it| it.lines);
        let line = |it: UctLine<M>| Line {
            value: it.value,
            visits: it.visits,
            pv: it.pv.iter().map_while(|turn| turn.first().copied()).collect(),
            ..Line::new(it.mv)
        };
        let lines = lines.into_iter().map(line).collect();
        SearchResult { lines, nodes: self.playouts, depth: 0, elapsed, found: elapsed }
    }

    /// The move to play, where the turn is one player's.
    pub fn best(&self) -> Option<M> {
        match self.decisions.as_slice() {
            [decision] => decision.best(),
            _ => None,
        }
    }
}

impl<M: Copy> Decision<M> {
    /// The move to play.
    pub fn best(&self) -> Option<M> {
        self.lines.first().map(|line| line.mv)
    }
}

impl<G: Game> Search<'_, G> {
    pub(super) fn report(&self) -> UctReport<G::Move> {
        let decisions = match &self.nodes[ROOT as usize] {
            Node::Players { bandits, .. } => {
                let alone = bandits.len() == 1;
                bandits.iter().map(|bandit| self.decision(bandit, alone)).collect()
            }
            _ => Vec::new(),
        };
        let playouts = self.playouts.max(1) as f64;
        let mut pv = Vec::new();
        self.follow(ROOT, &mut pv);
        UctReport {
            decisions,
            pv,
            values: self.rewards.iter().map(|sum| 2.0 * sum / playouts - 1.0).collect(),
            playouts: self.playouts,
            nodes: self.nodes.len(),
            plies: self.plies,
        }
    }

    fn decision(&self, bandit: &Bandit<G::Move>, alone: bool) -> Decision<G::Move> {
        let lines = ranked(&bandit.arms).into_iter().map(|pick| {
            let arm = &bandit.arms[pick as usize];
            let mut pv = Vec::new();
            if alone {
                pv.push(vec![arm.mv]);
                if let Some(&child) = self.edges.get(&(ROOT, pick)) {
                    self.follow(child, &mut pv);
                }
            }
            UctLine { mv: arm.mv, visits: arm.visits, value: arm.utility(), pv }
        });
        Decision { player: bandit.player, lines: lines.collect() }
    }

    /// Adds the turns tried most from a node on.
    fn follow(&self, number: Number, pv: &mut Vec<Vec<G::Move>>) {
        let mut number = number;
        while let Node::Players { visits, bandits } = &self.nodes[number as usize] {
            if *visits == 0 || pv.len() >= LONGEST_PV {
                return;
            }
            let best: Vec<u32> = bandits.iter().map(|it| ranked(&it.arms)[0]).collect();
            let turn = bandits.iter().zip(&best).map(|(it, &pick)| it.arms[pick as usize].mv);
            pv.push(turn.collect());
            let child = |at, pick: &u32| self.edges.get(&(at, *pick)).copied();
            match best.iter().try_fold(number, child) {
                Some(child) => number = child,
                None => return,
            }
        }
    }
}

/// The numbers of the arms, the one to play first: the most visited, then the
/// better, then the smaller move, so that the order of listing does not matter.
fn ranked<M: Ord>(arms: &[Arm<M>]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..arms.len() as u32).collect();
    numbers.sort_by(|&one, &other| {
        let (one, other) = (&arms[one as usize], &arms[other as usize]);
        let visits = other.visits.cmp(&one.visits);
        let utility = other.utility().total_cmp(&one.utility());
        visits.then(utility).then(one.mv.cmp(&other.mv))
    });
    numbers
}
