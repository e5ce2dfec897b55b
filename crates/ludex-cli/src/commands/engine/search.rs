//! A search on its own thread, which can be stopped at any time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use ludex::analysis::SearchResult;
use ludex::players::LoadedPlayer;
use ludex_core::{Clock, Limits, Position};
use ludex_jit::CompiledGame;
use ludex_search::SearchError;
use ludex_search::SearchRoot;

/// An event of an engine session.
pub(super) enum Event {
    /// A line of input.
    Line(String),
    /// The end of the input.
    End,
    /// The search has a better move.
    Improved(Box<SearchResult>),
    /// The search is done; the player comes back.
    Done(LoadedPlayer, Box<Result<SearchResult, SearchError>>),
}

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// The node budget.
    pub(super) nodes: Option<u64>,
    /// The search depth in plies.
    pub(super) depth: Option<u32>,
    /// The soft time limit: no new iteration after it.
    pub(super) soft: Option<Duration>,
    /// The hard time limit.
    pub(super) hard: Option<Duration>,
    /// Whether the answer waits for `stop`.
    pub(super) endless: bool,
    /// Whether it ponders: the clock stands until the opponent has moved.
    pub(super) ponder: bool,
}

/// A clock that stands still until it is released.
#[derive(Debug, Default)]
struct HeldClock {
    started: OnceLock<Instant>,
}

impl Order {
    /// Whether its limit is fixed, and not a part of a game clock.
    fn has_amount(&self) -> bool {
        let limited = self.nodes.is_some() || self.depth.is_some() || self.hard.is_some();
        limited && self.soft.is_none() && !self.endless
    }
}

impl Clock for HeldClock {
    fn elapsed(&self) -> Duration {
        self.started.get().map_or(Duration::ZERO, Instant::elapsed)
    }
}

/// A running search.
#[derive(Debug)]
pub(super) struct Running {
    stop: Arc<AtomicBool>,
    clock: Arc<HeldClock>,
    /// Whether the answer waits for `stop` or for the opponent's move.
    pub(super) held: bool,
    endless: bool,
    /// Whether its limit is fixed, and not a part of a game clock.
    has_amount: bool,
    begun: Instant,
}

impl Running {
    /// Whether it ends by itself and is finished after the end of the input.
    pub(super) fn is_to_be_finished(&self) -> bool {
        self.has_amount && !self.held
    }

    /// The time since its start.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The time that it pondered.
    pub(super) fn pondered(&self) -> Duration {
        let end = self.clock.started.get().copied().unwrap_or_else(Instant::now);
        end.saturating_duration_since(self.begun)
    }

    /// Stops it: the answer comes at once.
    pub(super) fn stop(&mut self) {
        self.held = false;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The opponent has made the expected move: the clock runs from now on.
    pub(super) fn opponent_moved(&mut self) {
        self.held = self.endless;
        let _ = self.clock.started.set(Instant::now());
    }
}

/// Starts a search. Its progress and its result are sent as events.
pub(super) fn start(
    mut player: LoadedPlayer,
    game: Arc<CompiledGame>,
    position: Position,
    order: Order,
    sender: Sender<Event>,
) -> Running {
    let stop = Arc::new(AtomicBool::new(false));
    let clock = Arc::new(HeldClock::default());
    let begun = Instant::now();
    if !order.ponder {
        let _ = clock.started.set(begun);
    }
    let held = order.endless || order.ponder;
    let running = Running {
        stop: stop.clone(),
        clock: clock.clone(),
        held,
        endless: order.endless,
        has_amount: order.has_amount(),
        begun,
    };
    thread::spawn(move || {
        let result = search(&mut player, &game, &position, order, &sender, &stop, &*clock);
        let _ = sender.send(Event::Done(player, Box::new(result)));
    });
    running
}

fn search(
    player: &mut LoadedPlayer,
    game: &CompiledGame,
    position: &Position,
    order: Order,
    sender: &Sender<Event>,
    stop: &AtomicBool,
    clock: &dyn Clock,
) -> Result<SearchResult, SearchError> {
    let Order { nodes, hard: time, depth, .. } = order;
    let limits = Limits { nodes, time, depth, stop: Some(stop), clock };
    let mut watch = |result: &SearchResult| {
        let _ = sender.send(Event::Improved(Box::new(result.clone())));
        if order.soft.is_some_and(|it| clock.elapsed() >= it) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let root = SearchRoot { game, position };
    player.search(root, limits, &mut watch)
}
