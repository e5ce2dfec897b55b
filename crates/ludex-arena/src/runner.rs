//! The runner: many games, several at once.
//!
//! ```text
//! fixtures ──> queue ──> workers, each with its own contestants ──> updates ──> the caller
//! ```
//!
//! Every worker is a thread that takes game after game from the queue. A game depends on its fixture
//! alone (its opening, its seed): with node budgets the games are the same at every concurrency, and
//! only the order in which they end differs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ludex_core::{Fault, Game, Player, Random};

use crate::contestant::{BestMove, Contestant, Failure, GameView};
use crate::fixtures::Fixture;
use crate::game::{PlayedGame, Termination};
use crate::openings::{Opening, Openings};
use crate::referee::{Conditions, play_game};
use crate::time_control::MoveLimits;

/// How often the caller gets an update while no game ends.
const TICK: Duration = Duration::from_millis(20);

/// One of the games of a match or tournament, with its conditions.
#[derive(Debug)]
pub struct Competition<'a, G: Game> {
    /// The conditions.
    pub conditions: Conditions<'a, G>,
    /// The position of all games before the opening.
    pub from: Opening<G>,
    /// The openings.
    pub openings: Openings<G>,
}

/// The entrants, and a contestant for each.
pub trait Roster<G: Game>: Sync {
    /// A new contestant for an entrant in an event; each worker asks for its own.
    fn contestant(
        &self,
        event: usize,
        entrant: usize,
    ) -> Result<Box<dyn Contestant<G> + '_>, Failure>;
}

/// What the caller learns while games are played.
#[derive(Debug)]
pub enum Update {
    /// A game is over. Interrupted games are not reported.
    GameOver(Fixture, Box<PlayedGame>),
    /// A worker is done: the descriptions of its contestants, by entrant.
    Players(Vec<(usize, String)>),
    /// No news; the caller may stop the match.
    Tick,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Play the next game.
    Continue,
    /// Stop; running games are interrupted.
    Stop,
}

/// A fault of the rules of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompetitionFault {
    /// The index of the event.
    pub event: usize,
    /// The fault.
    pub fault: Fault,
}

/// Plays the games of a match or of tournament rounds.
pub struct Runner<'a, G: Game> {
    /// The games with their conditions.
    pub events: &'a [Competition<'a, G>],
    /// The players.
    pub roster: &'a dyn Roster<G>,
    /// The number of games at once.
    pub concurrency: usize,
    /// Seed of everything that is random.
    pub seed: u64,
    /// Ends everything; the conditions of all events refer to the same flag.
    pub stop: &'a AtomicBool,
}

impl<G: Game> Runner<'_, G> {
    /// Plays all fixtures and reports each to `observer` as it ends. Stops at the first fault of the
    /// rules.
    pub fn play(
        &self,
        fixtures: &[Fixture],
        observer: impl FnMut(Update) -> Flow,
    ) -> Result<(), CompetitionFault> {
        let (next, openings) = (AtomicUsize::new(0), OpeningCache::default());
        let workers = self.concurrency.clamp(1, fixtures.len().max(1));
        // An observer that is slower than the games (it may write to a disk) makes the workers wait:
        // an unbounded queue would take memory, and its games would be reported after a stop.
        let (sender, receiver) = mpsc::sync_channel(workers);
        thread::scope(|scope| {
            for _ in 0..workers {
                let (sender, next, openings) = (sender.clone(), &next, &openings);
                scope.spawn(move || {
                    let mut worker =
                        Worker { runner: self, openings, event: None, contestants: Vec::new() };
                    worker.work(fixtures, next, &sender);
                });
            }
            drop(sender);
            self.observe(&receiver, observer)
        })
    }

    /// Passes messages on until the last worker is done.
    fn observe(
        &self,
        receiver: &Receiver<Message>,
        mut observer: impl FnMut(Update) -> Flow,
    ) -> Result<(), CompetitionFault> {
        let mut result = Ok(());
        loop {
            let update = match receiver.recv_timeout(TICK) {
                Ok(Ok(update)) => update,
                Ok(Err(fault)) => {
                    self.stop.store(true, Ordering::Relaxed);
                    result = Err(fault);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => Update::Tick,
                Err(RecvTimeoutError::Disconnected) => return result,
            };
            if observer(update) == Flow::Stop {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl<G: Game> std::fmt::Debug for Runner<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("concurrency", &self.concurrency).finish_non_exhaustive()
    }
}

/// Openings that were drawn: the games of a pair share one, and a balanced one takes a search.
struct OpeningCache<G: Game> {
    kept: Mutex<BTreeMap<(usize, u64), Opening<G>>>,
}

/// The number of cached openings. The oldest goes first: fixtures take openings in their order.
const KEPT_OPENINGS: usize = 256;

impl<G: Game> Default for OpeningCache<G> {
    fn default() -> Self {
        Self { kept: Mutex::new(BTreeMap::new()) }
    }
}

impl<G: Game> OpeningCache<G> {
    fn opening(&self, runner: &Runner<'_, G>, fixture: &Fixture) -> Result<Opening<G>, Fault> {
        let key = (fixture.event, fixture.opening);
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opening) = kept().get(&key) {
            return Ok(opening.clone());
        }
        let Competition { conditions, from, openings } = &runner.events[fixture.event];
        let streams = (runner.seed, fixture.opening);
        let opening = openings.draw(conditions.game, from, streams, runner.stop)?;
        let mut kept = kept();
        kept.insert(key, opening.clone());
        if kept.len() > KEPT_OPENINGS {
            kept.pop_first();
        }
        Ok(opening)
    }
}

/// A thread that plays games, with its contestants.
struct Worker<'h, 'a, G: Game> {
    runner: &'h Runner<'a, G>,
    openings: &'h OpeningCache<G>,
    /// The event of the contestants.
    event: Option<usize>,
    /// Contestants by entrant, the last to play at the end.
    contestants: Vec<(usize, Box<dyn Contestant<G> + 'h>)>,
}

/// The number of contestants that a worker keeps: each may have a large transposition table.
const KEPT_CONTESTANTS: usize = 16;

type Message = Result<Update, CompetitionFault>;

impl<'h, G: Game> Worker<'h, '_, G> {
    fn work(&mut self, fixtures: &[Fixture], next: &AtomicUsize, sender: &SyncSender<Message>) {
        while !self.runner.stop.load(Ordering::Relaxed) {
            let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let message = match self.play(fixture) {
                Ok(PlayedGame { end: Termination::Interrupted, .. }) => break,
                Ok(played) => Ok(Update::GameOver(fixture.clone(), Box::new(played))),
                Err(fault) => Err(CompetitionFault { event: fixture.event, fault }),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
        let lines = self.contestants.iter().map(|(entrant, it)| (*entrant, it.describe()));
        let mut lines: Vec<(usize, String)> = lines.collect();
        lines.sort();
        let _ = sender.send(Ok(Update::Players(lines)));
    }

    fn play(&mut self, fixture: &Fixture) -> Result<PlayedGame, Fault> {
        let runner = self.runner;
        let opening = self.openings.opening(runner, fixture)?;
        let seed = Random::stream(runner.seed, fixture.number, GAMES).next_u64();
        let take = |&entrant: &usize| self.take(fixture.event, entrant);
        let mut contestants: Vec<Box<dyn Contestant<G> + 'h>> =
            fixture.entrants.iter().map(take).collect();
        let mut seats: Vec<&mut dyn Contestant<G>> = Vec::new();
        for contestant in &mut contestants {
            seats.push(&mut **contestant);
        }
        let conditions = &runner.events[fixture.event].conditions;
        let played = play_game(conditions, &opening, &mut seats, seed);
        self.contestants.extend(fixture.entrants.iter().copied().zip(contestants));
        if self.contestants.len() > KEPT_CONTESTANTS {
            self.contestants.drain(..self.contestants.len() - KEPT_CONTESTANTS);
        }
        played
    }

    /// The contestant of an entrant; one that cannot be started loses at once.
    fn take(&mut self, event: usize, entrant: usize) -> Box<dyn Contestant<G> + 'h> {
        if self.event != Some(event) {
            // Tables and trees of another game only take memory.
            self.contestants.clear();
            self.event = Some(event);
        }
        let roster = self.runner.roster;
        let new = || {
            let made = roster.contestant(event, entrant);
            made.unwrap_or_else(|failure| Box::new(Absent(failure)))
        };
        match self.contestants.iter().position(|(it, _)| *it == entrant) {
            Some(at) => self.contestants.remove(at).1,
            None => new(),
        }
    }
}

/// The random stream of games, beside those of openings.
const GAMES: u64 = 1 << 32;

/// A contestant that cannot be started.
struct Absent(Failure);

impl<G: Game> Contestant<G> for Absent {
    fn begin(&mut self, _: &GameView<'_, G>, _: Player, _: u64) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn think(&mut self, _: &GameView<'_, G>, _: &MoveLimits) -> Result<BestMove<G::Move>, Failure> {
        Err(self.0.clone())
    }

    fn describe(&self) -> String {
        format!("unavailable: {}", self.0)
    }
}
