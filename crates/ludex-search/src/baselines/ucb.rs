//! UCB1 over the moves of a position: random games where they tell most.
//!
//! Peter Auer, Nicolò Cesa-Bianchi and Paul Fischer, "Finite-time analysis of the multiarmed
//! bandit problem", 2002. The next random game begins with the move of the largest
//! `mean + c * sqrt(ln(all games) / games of the move)`, untried moves first; the move with the
//! most games is played.

use ludex_core::playout::Playouts;
use ludex_core::{Fault, Game, Limits, Random};

use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, SearchRoot};
use crate::result::{Line, SearchResult, mover};

/// A playout that has not ended after this many turns counts as a draw for all.
const PLAYOUT_PLIES: u32 = 10_000;

/// UCB1 as a player. A playout is a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Ucb {
    /// Weight of the exploration term, for rewards from 0 to 1.
    pub exploration: f64,
    /// Playouts where the budget has no limit that would ever end the search.
    pub playouts: u64,
    /// Seed of every random choice.
    pub seed: u64,
}

impl<G: Game> GamePlayer<G> for Ucb {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let Some(mut arms) = Arms::new(root)? else { return Ok(SearchResult::default()) };
        let limits = limits.or_nodes(self.playouts);
        let mut random = Random::stream(self.seed, 0, 0);
        while !limits.is_reached(arms.playouts) {
            let next = arms.most_promising(self.exploration);
            arms.try_out(root, next, &mut random)?;
        }
        Ok(arms.result((limits, observer), |arm: &Arm<G::Move>| arm.visits as f64))
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn describe(&self) -> String {
        format!("UCB1 over the moves, c={}", self.exploration)
    }
}

/// One move and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Arm<M> {
    mv: M,
    pub(super) visits: u64,
    /// Sum of the rewards, each from 0 to 1.
    reward: f64,
}

impl<M> Arm<M> {
    /// The mean reward; of an untried move, less than any.
    pub(super) fn mean(&self) -> f64 {
        if self.visits == 0 { -1.0 } else { self.reward / self.visits as f64 }
    }
}

/// The moves of a position, each with what came of it.
pub(super) struct Arms<G: Game> {
    pub(super) list: Vec<Arm<G::Move>>,
    pub(super) playouts: u64,
    mover: ludex_core::Player,
    games: Playouts<G::Move>,
}

impl<G: Game> Arms<G> {
    /// The moves of a position; `None` where the game is over.
    pub(super) fn new(root: SearchRoot<'_, G>) -> Result<Option<Self>, SearchError> {
        let Some(mover) = mover(root.game, root.position)? else { return Ok(None) };
        let lines = SearchResult::unsearched(root.game, root.position)?.lines;
        let fresh = |line: &Line<G::Move>| Arm { mv: line.mv, visits: 0, reward: 0.0 };
        let list = lines.iter().map(fresh).collect();
        Ok(Some(Self { list, playouts: 0, mover, games: Playouts::default() }))
    }

    fn most_promising(&self, exploration: f64) -> usize {
        let log = (self.playouts.max(1) as f64).ln();
        let bound = |arm: &Arm<G::Move>| {
            let tried = arm.visits as f64;
            if arm.visits == 0 {
                f64::INFINITY
            } else {
                arm.mean() + exploration * (log / tried).sqrt()
            }
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (number, arm) in self.list.iter().enumerate() {
            if bound(arm) > best.1 {
                best = (number, bound(arm));
            }
        }
        best.0
    }

    /// One random game that begins with a move.
    pub(super) fn try_out(
        &mut self,
        root: SearchRoot<'_, G>,
        number: usize,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let arm = &mut self.list[number];
        let mut position = root.position.clone();
        root.game.apply(&mut position, &[arm.mv])?;
        let played = self.games.run(root.game, &mut position, random, PLAYOUT_PLIES)?;
        let mine = played.payoffs.and_then(|it| it.get(self.mover.index()).copied());
        arm.reward += mine.map_or(0.5, |it| f64::midpoint(it.utility, 1.0));
        arm.visits += 1;
        self.playouts += 1;
        Ok(())
    }

    /// All moves, the one with most of `rank` first.
    pub(super) fn result(
        &self,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        rank: impl Fn(&Arm<G::Move>) -> f64,
    ) -> SearchResult<G::Move> {
        let mut arms: Vec<&Arm<G::Move>> = self.list.iter().collect();
        arms.sort_by(|one, other| {
            let better = rank(other).total_cmp(&rank(one));
            better.then(other.mean().total_cmp(&one.mean())).then(one.mv.cmp(&other.mv))
        });
        let line = |arm: &Arm<G::Move>| Line {
            visits: arm.visits,
            value: if arm.visits == 0 { 0.0 } else { 2.0 * arm.mean() - 1.0 },
            ..Line::new(arm.mv)
        };
        let elapsed = limits.clock.elapsed();
        let lines = arms.into_iter().map(line).collect();
        let result =
            SearchResult { lines, nodes: self.playouts, depth: 1, elapsed, found: elapsed };
        observer(&result);
        result
    }
}
