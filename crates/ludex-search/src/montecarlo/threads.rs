//! Several threads on one tree.
//!
//! Guillaume Chaslot, Mark Winands and Jaap van den Herik, "Parallel Monte-Carlo tree search",
//! 2008: tree parallelization with virtual loss; see [`tree`](super::tree) for why no lock is
//! needed. Several workers take playouts in batches, each from a [`batch`](super::batch).
//!
//! The thread that asked is one of the workers, and the only one that tells of improvements.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use ludex_core::{Game, Limits};

use super::batch::BATCH_SIZE;
use super::cache_padded::CachePadded;
use super::search::{Search, Worker};
use super::tree::ROOT;
use crate::error::SearchError;

/// Why the workers stopped. Where they give several reasons the largest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StopReason {
    /// Another worker did.
    Interrupted,
    /// The tree has no room left.
    MemoryFull,
    /// The budget is spent.
    LimitReached,
    /// The root is proved.
    Solved,
}

/// Of what is left of the budget, a worker takes a part of this size at most, so that all are busy
/// to the end.
const PART: u64 = 8;

/// What workers watch.
struct Signals<'a> {
    limits: Limits<'a>,
    /// Playouts taken, over all rounds.
    begun: &'a CachePadded<AtomicU64>,
    stop: CachePadded<AtomicBool>,
    /// How many workers there are.
    threads: usize,
}

/// Simulates with all workers until something ends it. `report` is called by this thread between
/// playouts, with the number begun.
pub(crate) fn run<G: Game>(
    search: &Search<'_, G>,
    workers: &mut [Worker<G>],
    begun: &CachePadded<AtomicU64>,
    report: &mut dyn FnMut(u64),
) -> Result<StopReason, SearchError> {
    let (stop, threads) = (CachePadded::default(), workers.len());
    let signals = Signals { limits: search.limits, begun, stop, threads };
    let Some((first, others)) = workers.split_first_mut() else {
        return Ok(StopReason::LimitReached);
    };
    std::thread::scope(|scope| {
        let signals = &signals;
        let others: Vec<_> = others
            .iter_mut()
            .map(|worker| scope.spawn(move || work(search, worker, signals, &mut |_| {})))
            .collect();
        let mut halt = work(search, first, signals, report);
        for other in others {
            let theirs = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // A fault of any is a fault of all.
            halt = halt.and_then(|halt| theirs.map(|it| halt.max(it)));
        }
        halt
    })
}

/// What one thread does.
fn work<G: Game>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    signals: &Signals<'_>,
    report: &mut dyn FnMut(u64),
) -> Result<StopReason, SearchError> {
    worker.join(search, signals.threads);
    let halt = loop {
        if let Some(halt) = signals.halt(search) {
            break Ok(halt);
        }
        let Some(numbers) = signals.take() else { break Ok(StopReason::LimitReached) };
        match work_off(search, worker, signals, numbers, report) {
            Ok(None) => worker.flush(search.tree),
            Ok(Some(halt)) => break Ok(halt),
            Err(fault) => break Err(fault),
        }
    };
    worker.leave(search.tree);
    signals.stop.store(true, Relaxed);
    halt
}

/// Makes the playouts that were taken. Those that are left when something ends the search are given
/// back, and a reason is given.
fn work_off<G: Game>(
    search: &Search<'_, G>,
    worker: &mut Worker<G>,
    signals: &Signals<'_>,
    numbers: Range<u64>,
    report: &mut dyn FnMut(u64),
) -> Result<Option<StopReason>, SearchError> {
    let (first, end) = (numbers.start, numbers.end);
    for number in numbers {
        // Before the first, everything has been looked at.
        if number > first
            && let Some(halt) = signals.early_halt(search)
        {
            signals.begun.fetch_sub(end - number, Relaxed);
            return Ok(Some(halt));
        }
        worker.simulate(search)?;
        report(number + 1);
    }
    Ok(None)
}

impl Signals<'_> {
    /// Takes the next few playouts, where there are any left.
    fn take(&self) -> Option<Range<u64>> {
        let limit = self.limits.nodes.unwrap_or(u64::MAX);
        let most = if self.threads > 1 { BATCH_SIZE.into() } else { 1 };
        let count = |begun: u64| ((limit - begun) / PART).clamp(1, most);
        let more = |begun| (begun < limit).then(|| begun + count(begun));
        let first = self.begun.fetch_update(Relaxed, Relaxed, more).ok()?;
        Some(first..first + count(first))
    }

    /// Whether something ends the search.
    fn halt<G: Game>(&self, search: &Search<'_, G>) -> Option<StopReason> {
        if let Some(halt) = self.early_halt(search) {
            Some(halt)
        } else if self.limits.nodes.is_some_and(|limit| limit <= self.begun.load(Relaxed)) {
            Some(StopReason::LimitReached)
        } else if search.tree.is_full() && !search.tree.frozen {
            Some(StopReason::MemoryFull)
        } else if self.stop.load(Relaxed) {
            Some(StopReason::Interrupted)
        } else {
            None
        }
    }

    /// Whether something ends it in the midst of a batch. The number of playouts does not, as they
    /// were counted when they were taken, and so it does not when another worker found none left.
    fn early_halt<G: Game>(&self, search: &Search<'_, G>) -> Option<StopReason> {
        // A playout takes a microsecond at the very least: the clock may be read before each.
        let limits = Limits { nodes: None, ..self.limits };
        if search.config.solver && search.tree.node(ROOT).bounds().value().is_some() {
            Some(StopReason::Solved)
        } else if limits.is_reached(0) {
            Some(StopReason::LimitReached)
        } else {
            None
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use ludex_core::Player;
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::montecarlo::McConfig;
    use crate::montecarlo::playout::PlayoutPolicy;
    use crate::montecarlo::tree::{Node, Number, Opened, Tree};

    type Move = <TicTacToe as Game>::Move;

    /// A tree that several threads have grown, and how many playouts they say they made.
    pub(in crate::montecarlo) fn grown(
        config: &McConfig,
        threads: usize,
        playouts: u64,
    ) -> (Tree<Move>, u64) {
        let state = TicTacToe.start();
        let tree = Tree::new(1 << 30, config.transpositions);
        let playout_policy = || PlayoutPolicy::new(config.policy);
        let mut workers: Vec<Worker<TicTacToe>> =
            (0..threads).map(|_| Worker::new(playout_policy(), &state)).collect();
        let search = Search {
            game: &TicTacToe,
            position: &state,
            side: Player(0),
            config,
            tree: &tree,
            evaluation: None,
            depth: usize::MAX,
            limits: Limits::of_nodes(playouts),
        };
        workers[0].open_root(&search).unwrap();
        let begun = CachePadded::default();
        run(&search, &mut workers, &begun, &mut |_| {}).unwrap();
        (tree, begun.load(Relaxed))
    }

    #[test]
    fn a_budget_is_spent_exactly() {
        let config = McConfig { solver: false, ..McConfig::default() };
        for threads in [1, 2, 3, 5] {
            for playouts in [0, 1, 7, 15, 16, 17, 100, 1_001] {
                let (tree, begun) = grown(&config, threads, playouts);
                let visits = u64::from(tree.node(ROOT).visits.load(Relaxed));
                assert_eq!((begun, visits), (playouts, playouts), "{threads} threads");
            }
        }
    }

    /// All nodes with their moves.
    fn opened(tree: &Tree<Move>) -> impl Iterator<Item = (u32, &Opened<Move>)> {
        (0..tree.len() as Number).filter_map(|number| {
            let node = tree.node(number);
            Some((node.visits.load(Relaxed), &**node.opened.get()?))
        })
    }

    #[test]
    fn nothing_is_lost_between_threads() {
        for name in ["mcts", "rave", "mast"] {
            for solver in [false, true] {
                let preset = McConfig::preset(name).unwrap();
                let config = McConfig { solver, exploration: 1.0, ..preset };
                let (tree, begun) = grown(&config, 2, 20_000);
                assert_eq!(u64::from(tree.node(ROOT).visits.load(Relaxed)), begun, "{name}");
                let mut deep = 0;
                for (node_visits, opened) in opened(&tree) {
                    for edge in &opened.edges {
                        let visits = edge.visits.load(Relaxed);
                        let below = edge.child().map_or(0, |it| tree.node(it).visits.load(Relaxed));
                        assert_eq!(visits, below, "{name}");
                        let heard = opened.amaf().and_then(|it| it.get(edge.move_id));
                        let heard = heard.map_or(0, |it| it.visits);
                        let expected = if config.amaf.is_some() { visits } else { 0 };
                        assert!((expected..=node_visits).contains(&heard), "{name}");
                        deep += u32::from(visits > 600);
                    }
                }
                // Else no batch has begun below the root.
                assert!(deep >= 5 || solver, "{name}: {deep}");
            }
        }
    }

    #[test]
    fn memory_of_all_threads_is_counted() {
        let config = McConfig { solver: false, ..McConfig::default() };
        let (tree, _) = grown(&config, 2, 20_000);
        let tables: usize = opened(&tree).map(|it| it.1.bytes()).sum();
        let nodes = tree.len() * size_of::<Node<Move>>();
        assert!((tables..=tables + nodes).contains(&tree.bytes()), "{}", tree.bytes());
    }
}
