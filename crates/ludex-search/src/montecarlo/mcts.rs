//! The player: a tree that is grown for a move and kept for the next.
//!
//! Start reading at [`Mcts::search`](crate::GamePlayer::search); [`search`](super::search) has what
//! is done for every playout.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use ludex_core::{Clock, Game, GameExt, Limits, PositionOf, Random};

use crate::error::SearchError;
use crate::evaluation::Evaluate;
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::prover_budget::ProverBudget;
use crate::result::{SearchResult, mover};
use crate::uct::{UctConfig, uct};

use super::cache_padded::CachePadded;
use super::config::{McConfig, PolicyConfig};
use super::playout::PlayoutPolicy;
use super::search::{Search, Worker};
use super::threads::{self, StopReason};
use super::tree::Tree;
use super::{prune, report};

/// The best move is reported after this many playouts, then after twice as many, and so on.
const FIRST_REPORT: u64 = 256;

/// And at least about this often.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// How often the clock is read for that, in playouts.
const TICK: u64 = 64;

/// How long it takes at most to throw away or keep a node when a full tree is pruned, and a
/// thousand bytes of its moves. A quarter of a gigabyte took 41 ms (42,000 nodes) to 90 ms
/// (104,000).
const PRUNING_NODE: Duration = Duration::from_micros(1);
const PRUNING_KILOBYTE: Duration = Duration::from_nanos(400);

/// Finds an evaluation for a game, where there is one.
pub type EvaluationSource<G> =
    Box<dyn Fn(SearchRoot<'_, G>) -> Result<Option<Arc<dyn Evaluate<G>>>, SearchError> + Send>;

/// Monte-Carlo tree search as a player.
pub struct Mcts<G: Game> {
    name: &'static str,
    config: McConfig,
    options: PlayerOptions,
    /// Where evaluations come from, asked once for each game.
    source: EvaluationSource<G>,
    /// Whether it has been asked.
    asked: bool,
    /// What it said.
    evaluation: Option<Arc<dyn Evaluate<G>>>,
    /// The tree of the last position, where it is kept.
    kept: Option<KeptTree<G>>,
    workers: Vec<Worker<G>>,
    /// How many positions of this game were searched.
    turns: u64,
}

/// A tree and the position at its root.
struct KeptTree<G: Game> {
    position: PositionOf<G>,
    tree: Tree<G::Move>,
}

impl<G: Game> Mcts<G> {
    /// A player of a name and a setting. The evaluation is for playouts that are cut and for
    /// implicit minimax; without one neither is done.
    pub fn new(
        name: &'static str,
        config: McConfig,
        options: PlayerOptions,
        source: EvaluationSource<G>,
    ) -> Self {
        let (evaluation, kept, workers) = (None, None, Vec::new());
        let (asked, turns) = (false, 0);
        Self { name, config, options, source, asked, evaluation, kept, workers, turns }
    }

    /// Asks for an evaluation, where it would be used.
    fn find_evaluation(&mut self, root: SearchRoot<'_, G>) -> Result<(), SearchError> {
        let used = self.config.cut.is_some() || self.config.implicit > 0.0;
        if used && !self.asked {
            self.evaluation = (self.source)(root)?;
            self.asked = true;
        }
        Ok(())
    }

    /// The setting.
    pub fn config(&self) -> &McConfig {
        &self.config
    }

    /// How many nodes the kept tree has, and about how many bytes it takes.
    pub fn kept(&self) -> Option<(usize, usize)> {
        self.kept.as_ref().map(|it| (it.tree.len(), it.tree.bytes()))
    }

    /// The tree to begin with: what is known of the position already, or a root alone.
    fn tree(&mut self, root: SearchRoot<'_, G>) -> Tree<G::Move> {
        let SearchRoot { game, position } = root;
        let shared = self.config.transpositions && !game.has_history() && game.players() <= 2;
        let fresh = || Tree::new(self.options.memory, shared);
        let Some(kept) = self.kept.take().filter(|_| self.config.reuse) else { return fresh() };
        let found = prune::find(game, &kept.tree, &kept.position, position);
        match found {
            Some(number) => prune::below(kept.tree, number, 0),
            None => fresh(),
        }
    }

    /// Makes the workers ready for a position.
    fn prepare_workers(&mut self, root: SearchRoot<'_, G>) {
        let keeps = matches!(self.config.policy, PolicyConfig::Adaptive { keep: true, .. });
        if !keeps {
            self.workers.clear();
        }
        while self.workers.len() < self.options.threads.max(1) {
            let playout_policy = PlayoutPolicy::new(self.config.policy);
            self.workers.push(Worker::new(playout_policy, root.position));
        }
        for (thread, worker) in self.workers.iter_mut().enumerate() {
            worker.random = Random::stream(self.options.seed, self.turns, thread as u64);
            worker.prover_budget = ProverBudget::default();
        }
        self.turns += 1;
    }

    /// Grows the tree until the budget is spent.
    fn grow(
        &mut self,
        root: SearchRoot<'_, G>,
        tree: &mut Tree<G::Move>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<(u64, Duration), SearchError> {
        let Some(side) = mover(root.game, root.position)? else {
            return Ok((0, Duration::ZERO));
        };
        self.prepare_workers(root);
        let limits = limits.or_nodes(self.config.playouts);
        let begun = CachePadded(AtomicU64::new(0));
        let mut progress = Progress::new(root.game.players(), limits.clock);
        loop {
            let search = Search {
                game: root.game,
                position: root.position,
                side,
                config: &self.config,
                tree,
                evaluation: self.evaluation.as_deref(),
                depth: limits.depth.map_or(usize::MAX, |it| it as usize).max(1),
                limits,
            };
            self.workers[0].open_root(&search)?;
            let mut report = |playouts| progress.tell(tree, playouts, observer);
            match threads::run(&search, &mut self.workers, &begun, &mut report)? {
                StopReason::Interrupted | StopReason::LimitReached | StopReason::Solved => break,
                StopReason::MemoryFull => make_room(tree, limits),
            }
        }
        progress.look(tree);
        Ok((begun.load(Relaxed), progress.found))
    }

    /// Chance and turns of several at once are left to plain UCT.
    fn search_by_uct(
        &self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let config = UctConfig {
            exploration: self.config.exploration.max(0.4),
            seed: self.options.seed.wrapping_add(self.turns),
            playouts: self.config.playouts,
            playout_plies: self.config.playout_plies,
            memory: self.options.memory,
        };
        let SearchRoot { game, position } = root;
        Ok(uct(game, position, &config, limits)?.into_result(limits.clock.elapsed()))
    }
}

impl<G: Game> GamePlayer<G> for Mcts<G> {
    /// A node of the budget is a playout.
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        mover(root.game, root.position)?;
        self.find_evaluation(root)?;
        let mut tree = self.tree(root);
        let (nodes, found) = match self.grow(root, &mut tree, limits, observer) {
            Err(SearchError::Unsupported(_)) => return self.search_by_uct(root, limits),
            grown => grown?,
        };
        let mut result = report::result(&tree, root.game.players());
        result.nodes = nodes;
        result.elapsed = limits.clock.elapsed();
        result.found = found;
        // Also where it is not used again: to throw a large tree away takes time, which belongs to
        // the next search and not to the end of this one.
        let position = root.position.clone();
        self.kept = Some(KeptTree { position, tree });
        Ok(result)
    }

    fn forget(&mut self) {
        self.kept = None;
        self.workers.clear();
        self.turns = 0;
        (self.asked, self.evaluation) = (false, None);
    }

    fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    fn describe(&self) -> String {
        let author_evaluation = match &self.evaluation {
            Some(it) => format!("; evaluation: {}", it.describe()),
            None => String::new(),
        };
        format!("{}: Monte-Carlo tree search, {}{author_evaluation}", self.name, self.config)
    }
}

/// Prunes a full tree, or lets it be where there is no time for that.
fn make_room<M>(tree: &mut Tree<M>, limits: Limits<'_>) {
    let left = limits.time.map_or(Duration::MAX, |it| it.saturating_sub(limits.clock.elapsed()));
    if left < pruning_time(tree) {
        tree.frozen = true;
        return;
    }
    let full = std::mem::replace(tree, Tree::new(0, false));
    *tree = prune::halve(full);
}

/// How long it takes to prune a tree, at most.
fn pruning_time<M>(tree: &Tree<M>) -> Duration {
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    PRUNING_NODE * count(tree.len()) + PRUNING_KILOBYTE * count(tree.bytes() / 1000)
}

/// What has been reported.
struct Progress<'a, M> {
    players: usize,
    clock: &'a dyn Clock,
    best: Option<M>,
    found: Duration,
    next: u64,
    last: Duration,
}

impl<'a, M: Copy + Ord> Progress<'a, M> {
    fn new(players: usize, clock: &'a dyn Clock) -> Self {
        let (found, last) = (Duration::ZERO, Duration::ZERO);
        Self { players, clock, best: None, found, next: FIRST_REPORT, last }
    }

    /// Tells of a new best move, now and then.
    fn tell(&mut self, tree: &Tree<M>, playouts: u64, observer: &mut Observer<'_, M>) {
        let due = playouts >= self.next;
        if !due && !playouts.is_multiple_of(TICK) {
            return;
        }
        let now = self.clock.elapsed();
        if !due && now < self.last + REPORT_EVERY {
            return;
        }
        self.last = now;
        while self.next <= playouts {
            self.next *= 2;
        }
        if self.look(tree) {
            let mut result = report::result(tree, self.players);
            (result.nodes, result.elapsed, result.found) = (playouts, now, self.found);
            observer(&result);
        }
    }

    /// Looks whether another move has become the best.
    fn look(&mut self, tree: &Tree<M>) -> bool {
        let best = report::best(tree, self.players);
        let new = best != self.best;
        if new {
            self.best = best;
            self.found = self.clock.elapsed();
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::montecarlo::threads::tests::grown;

    #[test]
    fn a_full_tree_is_pruned_only_where_there_is_time_for_it() {
        let config = McConfig { solver: false, ..McConfig::default() };
        let (mut tree, _) = grown(&config, 1, 1_000);
        let (nodes, needed) = (tree.len(), pruning_time(&tree));
        assert!(needed > Duration::from_micros(nodes as u64));
        let limits = |time| Limits { time: Some(time), ..Limits::default() };
        make_room(&mut tree, limits(needed.saturating_sub(Duration::from_nanos(1))));
        assert!(tree.frozen && tree.len() == nodes);
        tree.frozen = false;
        make_room(&mut tree, limits(needed));
        assert!(!tree.frozen);
    }
}
