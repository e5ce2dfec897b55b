//! Thinking on a thread of its own, which can be stopped at any time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use ludex_core::{Budget, Clock, Fault};
use ludex_search::{Limits, Task};

use crate::engine::Engine;
use crate::place::Place;
use crate::players::Thinker;
use crate::thinking::Thought;

/// What happens to an engine.
pub(super) enum Event {
    /// A line came.
    Line(String),
    /// No more lines will come.
    End,
    /// The player thinks better of it.
    Improved(Box<Thought>),
    /// The player has done thinking, and is given back.
    Done(Thinker, Box<Result<Thought, Fault>>),
}

/// How long to think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Nodes.
    pub(super) nodes: Option<u64>,
    /// Plies.
    pub(super) depth: Option<u32>,
    /// Time after which nothing new is begun.
    pub(super) soft: Option<Duration>,
    /// Time after which it ends.
    pub(super) hard: Option<Duration>,
    /// Whether the answer waits until somebody asks for it.
    pub(super) endless: bool,
    /// Whether it is the opponent's time still: the clock stands until the opponent has moved.
    pub(super) ponder: bool,
}

/// A clock that stands still until it is released.
#[derive(Debug, Default)]
struct HeldClock {
    started: OnceLock<Instant>,
}

impl Order {
    /// Whether an amount of thinking is asked for, and not a share of somebody's clock.
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

/// A search that goes on.
#[derive(Debug)]
pub(super) struct Running {
    stop: Arc<AtomicBool>,
    clock: Arc<HeldClock>,
    /// Whether the answer waits for `stop` or for the opponent's move.
    pub(super) held: bool,
    endless: bool,
    /// Whether an amount of thinking was asked for, and not a share of somebody's clock.
    has_amount: bool,
    begun: Instant,
}

impl Running {
    /// Whether it comes to its end even if nobody speaks to it any more, and is wanted whole.
    pub(super) fn is_to_be_finished(&self) -> bool {
        self.has_amount && !self.held
    }

    /// How long ago it began.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How long it thought on the opponent's time.
    pub(super) fn pondered(&self) -> Duration {
        let end = self.clock.started.get().copied().unwrap_or_else(Instant::now);
        end.saturating_duration_since(self.begun)
    }

    /// Ends it: the answer comes at once.
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

/// Sets a player thinking. What comes of it is sent as events.
pub(super) fn start(
    mut thinker: Thinker,
    game: Arc<Engine>,
    place: Place,
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
        let thought = think(&mut thinker, &game, &place, order, &sender, &stop, &*clock);
        let _ = sender.send(Event::Done(thinker, Box::new(thought)));
    });
    running
}

fn think(
    thinker: &mut Thinker,
    game: &Engine,
    place: &Place,
    order: Order,
    sender: &Sender<Event>,
    stop: &AtomicBool,
    clock: &dyn Clock,
) -> Result<Thought, Fault> {
    let budget =
        Budget { nodes: order.nodes, time: order.hard, depth: order.depth, stop: Some(stop) };
    let mut watch = |thought: &Thought| {
        let _ = sender.send(Event::Improved(Box::new(thought.clone())));
        if order.soft.is_some_and(|it| clock.elapsed() >= it) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let task = Task { game, state: &place.state, trail: &place.trail };
    thinker.think(task, &mut Limits { budget, clock, watch: &mut watch })
}
