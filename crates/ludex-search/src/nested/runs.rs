//! What the searches for best sequences share: threads, the budget, and the best game so far.
//!
//! A search for sequences plays whole games, and what it has to show is the best of them. So it
//! hands every finished game to its [`Worker`], which keeps the best for each first move, tells
//! the observer of each new best, and says when the limits are reached. When a run has reached its
//! end and something of the budget is left, another run begins with other random numbers.
//!
//! Several threads make independent runs (root parallel: Cazenave and Jouandeau, 2007): they share
//! the budget and nothing else, and the best game of all is kept.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ludex_core::{Fault, Game, Limits, Payoff, Player, PositionOf, Random};

use super::playout_budget::{SharedPlayouts, StopCondition};
use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::{Line, SearchResult, mover};
use crate::support;

/// A finished game from the root.
#[derive(Clone, Debug)]
pub(super) struct Found<M> {
    /// The points of the player whose turn it is at the root.
    pub(super) score: f64,
    /// What they are worth to this player, from -1 to 1.
    pub(super) utility: f64,
    /// All moves, from the root to the end.
    pub(super) moves: Vec<M>,
    /// When it was found.
    pub(super) at: Duration,
}

/// The best game for each first move, smallest move first.
type Table<M> = Vec<(M, Option<Found<M>>)>;

/// Called with each new best game, and after how many playouts it came.
type Tell<'a, M> = dyn FnMut(Found<M>, u64) + 'a;

/// What a thread does.
type Work<'a, M> = dyn Fn(usize, &mut Tell<'_, M>) -> Result<Table<M>, SearchError> + Sync + 'a;

/// A search for sequences: what one run of it does.
pub trait Sequences<G: Game>: Send + Sync {
    /// Searches from the root once, and hands every finished game to the worker.
    fn run(&self, worker: &mut Worker<'_, G>) -> Result<(), SearchError>;

    /// What it is, in a few words.
    fn describe(&self) -> String;
}

/// A player by a search for sequences.
#[derive(Debug)]
pub struct SequencePlayer<C> {
    /// The search.
    pub config: C,
    /// Threads, seed and memory.
    pub options: PlayerOptions,
}

impl<G: Game, C: Sequences<G>> GamePlayer<G> for SequencePlayer<C> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        support::one_player(root.game.info())?;
        search(&self.config, &self.options, root, limits, observer)
    }

    fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    fn describe(&self) -> String {
        self.config.describe()
    }
}

/// One thread of a search.
pub struct Worker<'a, G: Game> {
    /// The position to think about.
    pub(super) root: SearchRoot<'a, G>,
    /// Whose points count.
    pub(super) player: Player,
    /// The random numbers of this run.
    pub(super) random: Random,
    /// About how many bytes this thread may take.
    pub(super) memory: usize,
    /// What may still be spent.
    pub(super) budget: StopCondition<'a>,
    best: Table<G::Move>,
    best_score: f64,
    tell: &'a mut Tell<'a, G::Move>,
}

impl<G: Game> Worker<'_, G> {
    /// What a finished game gives the player whose points count.
    pub(super) fn payoff(&self, position: &PositionOf<G>) -> Result<Payoff, Fault> {
        self.root.game.payoff(position, self.player)
    }

    /// Takes note of a finished game from the root.
    pub(super) fn finish(&mut self, payoff: Payoff, moves: &[G::Move]) {
        let Some(first) = moves.first() else { return };
        let Ok(place) = self.best.binary_search_by(|(mv, _)| mv.cmp(first)) else { return };
        let score = payoff.score as f64;
        if self.best[place].1.as_ref().is_some_and(|old| old.score >= score) {
            return;
        }
        let shared = self.budget.shared;
        let at = shared.limits.clock.elapsed();
        let found = Found { score, utility: payoff.utility, moves: moves.to_vec(), at };
        if score > self.best_score {
            self.best_score = score;
            (self.tell)(found.clone(), shared.playouts());
        }
        self.best[place].1 = Some(found);
    }

    /// Run after run, until the budget is spent; only one where it has no end.
    fn work(
        &mut self,
        search: &dyn Sequences<G>,
        seed: u64,
        thread: u64,
    ) -> Result<(), SearchError> {
        let runs = if self.budget.shared.limits.is_endless() { 1 } else { u64::MAX };
        for run in 0..runs {
            self.random = Random::stream(seed, run, thread);
            match search.run(self) {
                Ok(()) => {}
                Err(SearchError::Stopped) => break,
                Err(error) => {
                    self.budget.shared.close();
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Thinks about a position with as many threads as there are.
fn search<G: Game>(
    search: &dyn Sequences<G>,
    options: &PlayerOptions,
    root: SearchRoot<'_, G>,
    limits: Limits<'_>,
    observer: &mut Observer<'_, G::Move>,
) -> Result<SearchResult<G::Move>, SearchError> {
    let Some(player) = mover(root.game, root.position)? else {
        return Ok(SearchResult::default());
    };
    let mut result = SearchResult::unsearched(root.game, root.position)?;
    let shared = SharedPlayouts::new(limits);
    let fresh = || result.lines.iter().map(|line| (line.mv, None)).collect::<Vec<_>>();
    let memory = options.memory / options.threads.max(1);
    let work = |thread: usize, tell: &mut Tell<'_, G::Move>| {
        let random = Random::stream(options.seed, 0, thread as u64);
        let (best, best_score) = (fresh(), f64::NEG_INFINITY);
        let budget = StopCondition::new(&shared);
        let mut worker = Worker { root, player, random, memory, budget, best, best_score, tell };
        worker.work(search, options.seed, thread as u64).map(|()| worker.best)
    };
    let mut best_score = f64::NEG_INFINITY;
    let mut show = |found: Found<G::Move>, playouts: u64| {
        if found.score > best_score {
            best_score = found.score;
            let elapsed = shared.limits.clock.elapsed();
            let (found, lines) = (found.at, vec![line(found, playouts)]);
            observer(&SearchResult { lines, nodes: playouts, depth: 0, elapsed, found });
        }
    };
    let tables = if options.threads <= 1 {
        vec![work(0, &mut show)?]
    } else {
        all(options, &work, &mut show)?
    };
    let playouts = shared.playouts();
    judge(&mut result, tables, playouts);
    result.elapsed = shared.limits.clock.elapsed();
    Ok(result)
}

/// Works in several threads; what they find is shown by this one.
fn all<M: Copy + Send>(
    options: &PlayerOptions,
    work: &Work<'_, M>,
    show: &mut Tell<'_, M>,
) -> Result<Vec<Table<M>>, SearchError> {
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let start = |thread: usize| {
            let sender = sender.clone();
            // The receiver is gone only after all threads have ended.
            let mut tell = move |found, playouts| drop(sender.send((found, playouts)));
            scope.spawn(move || work(thread, &mut tell))
        };
        let workers: Vec<_> = (0..options.threads).map(start).collect();
        drop(sender);
        receiver.iter().for_each(|(found, playouts)| show(found, playouts));
        let end = |it: thread::ScopedJoinHandle<'_, _>| it.join().expect("a worker never panics");
        workers.into_iter().map(end).collect()
    })
}

/// Puts what was found for each first move into the result, best first.
fn judge<M: Copy + Ord>(result: &mut SearchResult<M>, tables: Vec<Table<M>>, playouts: u64) {
    let mut best: Table<M> = result.lines.iter().map(|line| (line.mv, None)).collect();
    for table in tables {
        for ((_, old), (_, new)) in best.iter_mut().zip(table) {
            let Some(new) = new else { continue };
            if old.as_ref().is_none_or(|old: &Found<M>| new.score > old.score) {
                *old = Some(new);
            }
        }
    }
    let score = |it: &Option<Found<M>>| it.as_ref().map_or(f64::NEG_INFINITY, |it| it.score);
    // The sort is stable: among equals the smaller move stays first.
    let time = |it: &Option<Found<M>>| it.as_ref().map_or(Duration::MAX, |it| it.at);
    best.sort_by(|(_, one), (_, other)| {
        score(other).total_cmp(&score(one)).then(time(one).cmp(&time(other)))
    });
    if let Some((_, Some(first))) = best.first() {
        result.found = first.at;
        let judged = best.into_iter().filter_map(|(_, found)| found);
        result.lines = judged.map(|found| line(found, playouts)).collect();
    } else {
        // Not one game was finished: there is a move all the same.
        result.lines.truncate(1);
    }
    result.nodes = playouts;
}

fn line<M: Copy>(found: Found<M>, playouts: u64) -> Line<M> {
    let Found { score, utility, moves, .. } = found;
    let mv = moves[0];
    Line { value: utility, score: Some(score), visits: playouts, pv: moves, ..Line::new(mv) }
}
