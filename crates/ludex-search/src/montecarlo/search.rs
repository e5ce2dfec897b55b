//! One simulation: down the tree, a playout, and back.
//!
//! Start reading at [`Worker::simulate`].

use std::sync::atomic::Ordering::Relaxed;

use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Limits, Player, PositionOf, Random, Turn};

use crate::error::SearchError;
use crate::evaluation::{Evaluate, Standpoint};
use crate::prover_budget::ProverBudget;

use super::allocation::ThreadAllocation;
use super::amaf::LaterMoves;
use super::backup::{self, Played};
use super::batch::PlayoutBatch;
use super::config::McConfig;
use super::playout::{Ended, PlayoutPolicy, Start};
use super::reward_table::{self, Rewards, TableRewards};
use super::select::select;
use super::solver::Bounds;
use super::tree::{Edge, NONE, Node, Number, Opened, ROOT, Tree};

/// A path through the tree is left after this many turns: with transpositions it may run in
/// circles.
const LONGEST_PATH: usize = 1_000;

/// Utilities of two opponents may miss a sum of zero by this much of rounding.
const ROUNDING: f64 = 1e-6;

/// How many times as many positions are looked at for a forced win of the player who is to move.
const AT_THE_ROOT: u64 = 2;

/// What all threads share.
pub(crate) struct Search<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) position: &'a PositionOf<G>,
    /// The player that the search plays for.
    pub(crate) side: Player,
    pub(crate) config: &'a McConfig,
    pub(crate) tree: &'a Tree<G::Move>,
    pub(crate) evaluation: Option<&'a dyn Evaluate<G>>,
    /// For how many turns moves are chosen in the tree.
    pub(crate) depth: usize,
    /// When to end.
    pub(crate) limits: Limits<'a>,
}

/// What one thread needs: where it stands, and what it has learnt about playouts.
///
/// Workers stand in a row, and so each has cache lines of its own: see
/// [`cache_padded`](super::cache_padded).
#[repr(align(128))]
pub(crate) struct Worker<G: Game> {
    pub(crate) random: Random,
    pub(crate) playout_policy: PlayoutPolicy<G>,
    pub(super) position: PositionOf<G>,
    /// The nodes passed and the numbers of the moves taken there.
    pub(super) path: Vec<(Number, u32)>,
    /// All moves since the root.
    played: Vec<Played>,
    pub(super) later: LaterMoves,
    pub(super) choices: Choices<G::Move>,
    /// Whether something has been proved or evaluated that the path should hear of.
    pub(super) progress: bool,
    pub(super) allocation: ThreadAllocation,
    batch: PlayoutBatch<G>,
    /// Turns played in playouts.
    pub(super) turns: u64,
    pub(crate) prover_budget: ProverBudget,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(playout_policy: PlayoutPolicy<G>, position: &PositionOf<G>) -> Self {
        Self {
            random: Random::stream(0, 0, 0),
            playout_policy,
            position: position.clone(),
            path: Vec::new(),
            played: Vec::new(),
            later: LaterMoves::default(),
            choices: Choices::default(),
            progress: false,
            allocation: ThreadAllocation::default(),
            batch: PlayoutBatch::new(position),
            turns: 0,
            prover_budget: ProverBudget::default(),
        }
    }

    /// Begins to work on a tree, as one of `threads` threads.
    pub(crate) fn join(&mut self, search: &Search<'_, G>, threads: usize) {
        self.allocation = ThreadAllocation::of(threads);
        self.later.forget();
        self.batch.return_to_root(search.position);
        self.batch.share(threads);
    }

    /// Tells the others what they do not know yet.
    pub(crate) fn flush(&mut self, tree: &Tree<G::Move>) {
        self.batch.finish(tree, &mut self.allocation);
        self.allocation.flush(tree);
    }

    /// Tells everything, and keeps nothing of the tree.
    pub(crate) fn leave(&mut self, tree: &Tree<G::Move>) {
        self.flush(tree);
        self.allocation = ThreadAllocation::default();
    }

    /// One playout, from the first node of the batch to the end of a game and back.
    pub(crate) fn simulate(&mut self, search: &Search<'_, G>) -> Result<(), SearchError> {
        if !self.batch.is_begun {
            self.begin(search)?;
        }
        self.position.clone_from(&self.batch.position);
        self.path.clone_from(&self.batch.path);
        self.played.clear();
        self.progress = false;
        let leaf = self.descend(search)?;
        let known = self.known(search, leaf);
        let rewards = match known {
            Some(rewards) => rewards,
            None => {
                let rewards = self.play_out(search, leaf)?;
                self.learn(search.tree, &rewards);
                rewards
            }
        };
        self.back_up(search, leaf, &rewards);
        Ok(())
    }

    /// Goes to where the next playouts begin: down the moves that were tried often.
    fn begin(&mut self, search: &Search<'_, G>) -> Result<(), Fault> {
        let Search { tree, game, .. } = *search;
        self.batch.return_to_root(search.position);
        let PlayoutBatch { position, path, number, reference, min_visits, .. } = &mut self.batch;
        while path.len() < search.longest_path() {
            let node = tree.node(*number);
            let Some(opened) = node.opened.get() else { break };
            let Some(pick) = search.choose((*number, node, opened), reference) else { break };
            let edge = &opened.edges[pick];
            let often = edge.visits.load(Relaxed) >= *min_visits;
            let Some(child) = edge.child().filter(|_| often) else { break };
            game.apply(position, &[edge.mv])?;
            path.push((*number, pick as u32));
            *number = child;
        }
        self.batch.begin(tree);
        Ok(())
    }

    /// Lists the moves of the root, so that there is something to choose from.
    pub(crate) fn open_root(&mut self, search: &Search<'_, G>) -> Result<(), SearchError> {
        self.position.clone_from(search.position);
        self.path.clear();
        self.later.forget();
        let root = search.tree.node(ROOT);
        root.hash.store(search.game.hash(&search.position.state), Relaxed);
        if root.opened.get().is_none() {
            self.open(search, root)?;
        }
        if let Some(opened) = root.opened.get() {
            let positions = search.config.threats.saturating_mul(AT_THE_ROOT);
            self.seek_threats(search, (root, opened), positions)?;
        }
        Ok(())
    }

    /// Walks down to a node without moves of its own, adding one to the tree; `None` where the
    /// tree has no room.
    fn descend(&mut self, search: &Search<'_, G>) -> Result<Option<Number>, SearchError> {
        let (tree, game) = (search.tree, search.game);
        let PlayoutBatch { mut number, mut reference, .. } = self.batch;
        loop {
            let node = tree.node(number);
            let Some(opened) = self.opened(search, node)? else { return Ok(Some(number)) };
            let often = node.visits.load(Relaxed) >= search.config.threats_at;
            if often {
                self.seek_threats(search, (node, opened), search.config.threats)?;
            }
            let pick = search.choose((number, node, opened), &mut reference);
            let Some(pick) = pick else { return Ok(Some(number)) };
            let edge = &opened.edges[pick];
            // Lost, until the playout has ended.
            edge.visits.fetch_add(1, Relaxed);
            self.path.push((number, pick as u32));
            game.apply(&mut self.position, &[edge.mv])?;
            number = match edge.child() {
                Some(child) => child,
                None => match self.add(search, edge) {
                    Some((child, false)) => child,
                    added => return Ok(added.map(|it| it.0)),
                },
            };
        }
    }

    /// What can be played at a node; `None` where it is not yet time to ask.
    fn opened<'t>(
        &mut self,
        search: &Search<'t, G>,
        node: &'t Node<G::Move>,
    ) -> Result<Option<&'t Opened<G::Move>>, SearchError> {
        if self.path.len() >= search.longest_path() {
            return Ok(None);
        }
        if let Some(opened) = node.opened.get() {
            return Ok(Some(opened));
        }
        let early = node.visits.load(Relaxed) < search.config.open_at;
        let over = search.config.solver && node.bounds().value().is_some();
        if early || over || search.tree.is_full() {
            return Ok(None);
        }
        self.open(search, node)?;
        Ok(node.opened.get().map(|it| &**it))
    }

    /// The node behind a move that was tried for the first time, and whether it is new.
    fn add(&mut self, search: &Search<'_, G>, edge: &Edge<G::Move>) -> Option<(Number, bool)> {
        if search.tree.is_full() {
            return None;
        }
        let hash = search.game.hash(&self.position.state);
        let second = || search.game.second_hash(&self.position.state);
        let (number, new) = search.tree.find_or_add(&mut self.allocation, hash, second);
        // Another thread may have been faster: then its node stands, and ours is never met again.
        match edge.child.compare_exchange(NONE, number, Relaxed, Relaxed) {
            Ok(_) => Some((number, new)),
            Err(other) => Some((other, false)),
        }
    }

    /// What a leaf is known to be worth.
    fn known(&mut self, search: &Search<'_, G>, leaf: Option<Number>) -> Option<Rewards> {
        if !search.config.solver || self.path.is_empty() {
            return None;
        }
        let value = search.tree.node(leaf?).bounds().value()?;
        self.progress = true;
        Some(reward_table::rewards(value.into(), Player(0), search.game.players()))
    }

    /// Finishes the game: each player's reward, from 0 to 1.
    fn play_out(&mut self, search: &Search<'_, G>, leaf: Option<Number>) -> Result<Rewards, Fault> {
        let Search { game, config, tree, .. } = *search;
        self.evaluate_leaf(search, leaf)?;
        if config.needs_codes() {
            let played = self.path.iter().filter_map(|&(number, pick)| {
                let opened = tree.node(number).opened.get()?;
                Some(Played { code: opened.edges[pick as usize].code, mover: opened.mover })
            });
            self.played.extend(played);
        }
        let cut = config.cut.filter(|_| search.evaluation.is_some());
        let start = Start {
            game,
            position: &mut self.position,
            random: &mut self.random,
            limit: cut.unwrap_or(u32::MAX).min(config.playout_plies),
        };
        let ended = self.playout_policy.play(start, config.amaf.is_some(), &mut self.played)?;
        self.turns += u64::from(ended.plies);
        self.note_end(search, leaf, &ended)?;
        match ended.payoffs {
            Some(payoffs) => {
                Ok(payoffs.iter().map(|it| reward_table::reward(it.utility)).collect())
            }
            None => self.estimate(search, cut.is_some()),
        }
    }

    /// Lets the guide learn from a game that was played to its end.
    fn learn(&mut self, tree: &Tree<G::Move>, rewards: &[f64]) {
        let path = self.path.iter().filter_map(|&(number, pick)| {
            let opened = tree.node(number).opened.get()?;
            Some((&**opened, pick))
        });
        self.playout_policy.learn(path, &self.played, rewards);
    }

    /// Notes that a leaf is the end of a game.
    fn note_end(
        &mut self,
        search: &Search<'_, G>,
        leaf: Option<Number>,
        ended: &Ended,
    ) -> Result<(), Fault> {
        let over = ended.plies == 0 && ended.payoffs.is_some() && search.config.solver;
        let Some(leaf) = leaf.filter(|_| over && !self.path.is_empty()) else { return Ok(()) };
        if let Some(bounds) = value_of_end(search.game, &self.position)? {
            search.tree.node(leaf).set_plies(Some(0));
            search.tree.node(leaf).narrow(bounds);
            self.progress = true;
        }
        Ok(())
    }

    /// Evaluates a new leaf, where minimax values of evaluations are backed up.
    fn evaluate_leaf(&mut self, search: &Search<'_, G>, leaf: Option<Number>) -> Result<(), Fault> {
        let fits = search.config.implicit > 0.0 && search.game.players() <= 2;
        let (Some(leaf), true) = (leaf, fits && search.evaluation.is_some()) else {
            return Ok(());
        };
        let node = search.tree.node(leaf);
        if node.implicit().is_none() {
            node.set_implicit(self.utility(search)? as f32);
            self.progress = true;
        }
        Ok(())
    }

    /// The utility of the position for the first player, as it looks.
    fn utility(&self, search: &Search<'_, G>) -> Result<f64, Fault> {
        let Search { game, evaluation, .. } = *search;
        let Some(evaluation) = evaluation else { return Ok(0.0) };
        let depth = self.path.len() as u32;
        match game.turn(&self.position)? {
            Turn::Of(mover) => {
                let from = Standpoint { mover, side: search.side, depth };
                let value = evaluation.evaluate(game, &self.position, from)?;
                let utility = evaluation.utility(value);
                Ok(if mover.0 == 1 { -utility } else { utility })
            }
            Turn::Over => Ok(game.payoff(&self.position, Player(0))?.utility),
            Turn::Joint(_) | Turn::Chance => Ok(0.0),
        }
    }

    /// The rewards of a game that was not finished.
    fn estimate(&self, search: &Search<'_, G>, cut: bool) -> Result<Rewards, Fault> {
        let players = search.game.players();
        if !cut || players > 2 {
            return Ok((0..players).map(|_| 0.5).collect());
        }
        Ok(reward_table::rewards(self.utility(search)?, Player(0), players))
    }

    /// Backs the result up. A batch that defers updates its first node and those above it later.
    fn back_up(&mut self, search: &Search<'_, G>, leaf: Option<Number>, rewards: &[f64]) {
        let Search { tree, config, .. } = *search;
        let table_rewards = reward_table::table_rewards(rewards);
        let traced = config.amaf.and(self.played.get(self.path.len()..));
        self.later.start(tree, traced.unwrap_or_default());
        let (top, is_deferred) = (self.batch.path.len(), self.batch.is_deferred);
        let is_held = |level| is_deferred && level <= top;
        if let Some(leaf) = leaf.filter(|_| !is_held(self.path.len())) {
            self.tell(tree, leaf, &table_rewards);
        }
        for level in (top..self.path.len()).rev() {
            let (number, pick) = self.path[level];
            let Some(opened) = tree.node(number).opened.get() else { continue };
            backup::reward(opened, pick, rewards);
            self.later.join(opened, pick);
            if !is_held(level) {
                self.tell(tree, number, &table_rewards);
            }
        }
        if is_deferred {
            self.batch.defer(rewards, &table_rewards, &self.later);
        }
        if self.progress && backup::conclude(tree, config, &self.path) <= top {
            // Something was proved on the way here, which may lead elsewhere now.
            self.batch.finish(tree, &mut self.allocation);
        }
    }

    /// Tells a node of a playout that came through.
    fn tell(&mut self, tree: &Tree<G::Move>, number: Number, table_rewards: &TableRewards) {
        backup::visit(tree, number, table_rewards);
        self.later.update((tree, &mut self.allocation), number, table_rewards);
    }
}

impl<G: Game> Search<'_, G> {
    /// After this many turns a path through the tree is left.
    fn longest_path(&self) -> usize {
        self.depth.min(LONGEST_PATH)
    }

    /// The number of the move to take at a node; `None` where there is none that matters or the
    /// value is known. `reference` is the node whose table of later moves is asked.
    fn choose(
        &self,
        (number, node, opened): (Number, &Node<G::Move>, &Opened<G::Move>),
        reference: &mut Number,
    ) -> Option<usize> {
        let Self { tree, config, game, .. } = *self;
        if config.solver && number != ROOT && node.bounds().value().is_some() {
            return None;
        }
        let enough = config.amaf.map_or(u32::MAX, |it| it.reference);
        if node.visits.load(Relaxed) > enough {
            *reference = number;
        }
        let teacher = tree.node(*reference).opened.get().filter(|_| config.amaf.is_some());
        let table = teacher.and_then(|it| it.amaf());
        select(tree, config, game.players(), (node, opened), table.as_deref())
    }
}

/// What a finished game of one player or two opponents is worth; `None` for other games.
pub(super) fn value_of_end<G: Game>(
    game: &G,
    position: &PositionOf<G>,
) -> Result<Option<Bounds>, Fault> {
    let utility = game.payoff(position, Player(0))?.utility;
    let opposed = match game.players() {
        1 => true,
        2 => (utility + game.payoff(position, Player(1))?.utility).abs() <= ROUNDING,
        _ => false,
    };
    Ok(opposed.then(|| Bounds::exact(utility.clamp(-1.0, 1.0) as f32)))
}
