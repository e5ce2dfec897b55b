//! Alpha-beta as a player: what it keeps between positions, and how it spends its time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};

use ludex_core::{Game, Limits};

use super::calibration::Calibration;
use super::candidates::CandidateMode;
use super::config::AlphaBetaConfig;
use super::root::Root;
use super::table::TranspositionTable;
use super::threads;
use super::worker::{Shared, Worker};
use crate::error::SearchError;
use crate::evaluation::scale::{self, Aim};
use crate::evaluation::{Evaluate, LazyEvaluation};
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::{Line, SearchResult, mover};
use crate::support::opponents;

/// Alpha-beta. A node is a position looked at.
///
/// It learns an evaluation when it meets a game that has none, which takes a second or two; with
/// a clock it takes at most half of the time of a move for that, and goes on with the next one.
/// [`GamePlayer::prepare`] does it beforehand.
#[derive(Debug)]
pub struct AlphaBeta<G: Game> {
    config: AlphaBetaConfig,
    evaluation: LazyEvaluation<G>,
    options: PlayerOptions,
    table: TranspositionTable,
    /// What the game is like, with the first position of the game and whether the evaluation was
    /// ready by then.
    calibration: Option<(G::State, bool, Calibration)>,
}

impl<G: Game> AlphaBeta<G> {
    /// A player that knows nothing yet.
    pub fn new(
        config: AlphaBetaConfig,
        evaluation: LazyEvaluation<G>,
        options: PlayerOptions,
    ) -> Self {
        Self {
            config,
            evaluation,
            options,
            table: TranspositionTable::default(),
            calibration: None,
        }
    }

    /// What the evaluation is so far.
    pub fn evaluation(&self) -> Option<&dyn Evaluate<G>> {
        self.evaluation.made()
    }

    /// Learns the evaluation and looks at the game, within the limits.
    fn get_ready(&mut self, game: &G, limits: Limits<'_>) -> Result<(), SearchError> {
        self.evaluation.within(game, limits)?;
        let start = game.start().state;
        let is_ready = self.evaluation.is_ready();
        let is_new = self
            .calibration
            .as_ref()
            .is_none_or(|(of, ready, _)| *of != start || *ready != is_ready);
        if is_new {
            let Some(evaluation) = self.evaluation.made() else { return Ok(()) };
            let mut stop = || limits.is_timed() && limits.is_reached(0);
            let calibration = Calibration::of(game, evaluation, self.options.seed, &mut stop)?;
            self.calibration = calibration.map(|it| (start, is_ready, it));
        }
        Ok(())
    }

    /// Makes the table as large as the budget calls for: memory that is not needed is not touched.
    fn size_table(&mut self, limits: Limits<'_>) {
        if !self.config.table {
            return;
        }
        let seconds = limits.time.map(|it| it.as_secs_f64() * self.options.threads as f64);
        let by_time = seconds.map(|it| (it * 2e6) as u64);
        let nodes = [limits.nodes, by_time].into_iter().flatten().min().unwrap_or(u64::MAX);
        let bytes = usize::try_from(nodes.saturating_mul(24)).unwrap_or(usize::MAX);
        let bytes = bytes.clamp(1 << 18, usize::MAX).min(self.options.memory);
        if bytes >= 2 * self.table.bytes() {
            self.table = TranspositionTable::new(bytes);
        }
        self.table.grow_old();
        if self.config.strict {
            // A path begins at the root: entries of another root are not for this one.
            self.table.clear();
        }
    }
}

impl<G: Game> GamePlayer<G> for AlphaBeta<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let view = opponents(root.game)?;
        let Some(mover) = mover(root.game, root.position)? else {
            return Ok(SearchResult::default());
        };
        let unsearched = SearchResult::unsearched(root.game, root.position)?;
        self.get_ready(root.game, limits.part_of_time(2))?;
        self.size_table(limits);
        let evaluation = self.evaluation.made().expect("getting ready makes one");
        let unknown = Calibration::default();
        let (nodes, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let (mut candidate_mode, mut candidates) = (CandidateMode::None, Vec::new());
        if self.config.candidates {
            (candidate_mode, candidates) = CandidateMode::of_author(root, mover)?;
        }
        if candidate_mode == CandidateMode::None {
            let moves: Vec<G::Move> = unsearched.lines.iter().map(|it| it.mv).collect();
            (candidate_mode, candidates) =
                CandidateMode::of_policy(evaluation, root, mover, &moves)?;
        }
        let shared = Shared {
            view,
            config: &self.config,
            evaluation,
            calibration: self.calibration.as_ref().map_or(&unknown, |it| &it.2),
            table: &self.table,
            candidate_mode,
            limits,
            nodes: &nodes,
            stop: &stop,
        };
        let mut roots: Vec<Root<G::Move>> =
            unsearched.lines.iter().map(|it| Root::new(it.mv)).collect();
        roots.sort_by_key(|it| candidates.iter().position(|mv| *mv == it.mv).unwrap_or(usize::MAX));
        if candidate_mode == CandidateMode::Only && !candidates.is_empty() {
            roots.retain(|it| candidates.contains(&it.mv));
        }
        let mut driver = Driver { shared: &shared, root, mover, result: unsearched };
        let helpers = self.options.threads.saturating_sub(1);
        threads::with_helpers(&shared, root, mover, &roots, helpers, |others| {
            driver.search(roots.clone(), observer, others)
        })?;
        Ok(driver.result)
    }

    fn prepare(&mut self, game: &G, limits: Limits<'_>) -> Result<(), SearchError> {
        opponents(game)?;
        self.get_ready(game, limits)
    }

    fn forget(&mut self) {
        self.table.clear();
    }

    fn aim_at(&mut self, aim: Aim) {
        self.config.aim = aim;
    }

    fn describe(&self) -> String {
        format!("alpha-beta with {}", self.evaluation.describe())
    }
}

/// The first thread's work.
struct Driver<'a, G: Game> {
    shared: &'a Shared<'a, G>,
    root: SearchRoot<'a, G>,
    mover: ludex_core::Player,
    result: SearchResult<G::Move>,
}

impl<G: Game> Driver<'_, G> {
    fn search(
        &mut self,
        mut roots: Vec<Root<G::Move>>,
        observer: &mut Observer<'_, G::Move>,
        others: &threads::Results<G::Move>,
    ) -> Result<(), SearchError> {
        let mut worker = Worker::new(self.shared, self.root.position, self.mover);
        let deepest =
            self.shared.limits.depth.unwrap_or(u32::MAX).min(self.shared.config.depth).max(1);
        let is_forgetful = self.shared.is_forgetful();
        let (mut reached, mut is_done) = (0, false);
        if self.tell_forced_win(&mut worker, &mut roots, observer)? {
            return Ok(());
        }
        for depth in 1..=deepest {
            let found = worker.iterate(&mut roots, self.mover, depth);
            let is_whole = found.is_ok();
            if let Err(error) = found {
                error.unless_stopped()?;
            } else {
                reached = depth;
            }
            let best = roots[0].found.value;
            if is_whole && is_forgetful && scale::is_decided(best) {
                match worker.verify(&mut roots, self.mover, depth) {
                    Ok(_) | Err(SearchError::Stopped) => {}
                    Err(error) => error.unless_stopped()?,
                }
            }
            worker.tell();
            self.tell(&roots, reached, observer);
            // That the first move is lost says nothing of moves that were not searched.
            let is_decided =
                scale::is_decided(best) && roots[0].found.is_verified && (is_whole || best > 0);
            let is_solved = roots.iter().all(|it| it.is_finished);
            is_done = (is_decided && self.shared.config.lines == 1) || is_solved;
            if !is_whole || is_done {
                break;
            }
        }
        self.shared.stop.store(true, Atomic::Relaxed);
        // A proof is not given up for an evaluation, however deep the search was.
        if !is_done && let Some((depth, roots)) = others.deepest(reached) {
            self.tell(&roots, depth, observer);
        }
        Ok(())
    }

    /// Whether a win is forced by what the game itself can prove: then nothing is left to search.
    fn tell_forced_win(
        &mut self,
        worker: &mut Worker<'_, G>,
        roots: &mut [Root<G::Move>],
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<bool, SearchError> {
        let win = match worker.forced_at_the_root(self.root) {
            Ok(win) => win,
            Err(error) => return error.unless_stopped().map(|()| false),
        };
        worker.tell();
        let number = win.and_then(|win| roots.iter().position(|it| it.mv == win.mv));
        let (Some(win), Some(number)) = (win, number) else { return Ok(false) };
        roots[..=number].rotate_right(1);
        roots[0].win(scale::of_utility(1.0, win.plies));
        self.tell(roots, 1, observer);
        Ok(true)
    }

    /// Makes a result of what was found, and reports it.
    fn tell(&mut self, roots: &[Root<G::Move>], depth: u32, observer: &mut Observer<'_, G::Move>) {
        let Shared { config, evaluation, limits, .. } = self.shared;
        let is_partial = self.shared.candidate_mode == CandidateMode::Only;
        let line = |it: &Root<G::Move>| {
            let line = it.line(*evaluation, config.aim);
            // Who does not look at everything proves nothing.
            Line { proved: line.proved.filter(|_| !is_partial), ..line }
        };
        let lines: Vec<_> = sorted(roots, config.lines).iter().map(line).collect();
        let elapsed = limits.clock.elapsed();
        let is_same = self.result.best() == lines.first().map(|it| it.mv);
        let found = if is_same && self.result.depth > 0 { self.result.found } else { elapsed };
        let nodes = self.shared.nodes.load(Atomic::Relaxed);
        self.result = SearchResult { lines, nodes, depth, elapsed, found };
        observer(&self.result);
    }
}

/// The moves, the best first: the lines that were asked for as they are, the rest by their bounds.
/// Who was cut short when the best move turned out to be lost plays the next best that is not.
fn sorted<M: Copy>(roots: &[Root<M>], lines: usize) -> Vec<Root<M>> {
    let mut sorted = roots.to_vec();
    if sorted.first().is_some_and(|it| it.found.is_lost()) {
        sorted.sort_by_key(|it| (it.found.is_lost(), std::cmp::Reverse(it.found.value)));
    }
    let first = lines.clamp(1, sorted.len().max(1)).min(sorted.len());
    let rest = &mut sorted[first..];
    rest.sort_by_key(|it| std::cmp::Reverse(it.found.value));
    sorted
}
