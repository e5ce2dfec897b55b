//! Many games, several at once.
//!
//! ```text
//! fixtures ──> queue ──> threads, each with contestants of its own ──> one place that is told
//! ```
//!
//! A thread takes the next game from the queue as soon as it is done with one. What happens in a game
//! follows from its fixture alone (its opening, its seed): with budgets of nodes the games are the
//! same however many are played at once, and only the order in which they end is not.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ludex_core::{Fault, Game, Player, Random};

use crate::clocks::Allowance;
use crate::contestant::{Choice, Contestant, Failure, Situation};
use crate::game::{End, Played, Terms, play_game};
use crate::openings::{Opening, Openings};
use crate::seating::{groups, seatings};

/// How often whoever waits for results looks up.
const TICK: Duration = Duration::from_millis(20);

/// A game that is to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, which no other game of the match or tournament has.
    pub number: u64,
    /// Which of the events it belongs to.
    pub event: usize,
    /// Who plays, first player first.
    pub entrants: Vec<usize>,
    /// Number of its opening. Games of a pair, or of a set, have the same.
    pub opening: u64,
}

/// One of the games that are played, with what is agreed for it.
#[derive(Debug)]
pub struct Event<'a, G: Game> {
    /// What is agreed.
    pub terms: Terms<'a, G>,
    /// Where all games begin, before the opening.
    pub from: Opening<G>,
    /// How they are opened.
    pub openings: Openings<G>,
}

/// Whoever knows who the entrants are.
pub trait Host<G: Game>: Sync {
    /// Somebody to play for an entrant in an event; each thread asks for its own.
    fn seat(&self, event: usize, entrant: usize) -> Result<Box<dyn Contestant<G> + '_>, Failure>;
}

/// What is told while games are played.
#[derive(Debug)]
pub enum News {
    /// A game is over. Those that were interrupted are not told.
    Over(Fixture, Box<Played>),
    /// A thread has nothing more to do: what its contestants say of themselves, by entrant.
    Players(Vec<(usize, String)>),
    /// Nothing; it is time to look whether somebody wants an end.
    Nothing,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// There is more to play.
    GoOn,
    /// It is enough.
    Stop,
}

/// The rules of an event are at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFault {
    /// Which event.
    pub event: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// A hall in which games are played.
pub struct Hall<'a, G: Game> {
    /// What is played.
    pub events: &'a [Event<'a, G>],
    /// Who plays.
    pub host: &'a dyn Host<G>,
    /// How many games at once.
    pub tables: usize,
    /// Seed of everything that is random.
    pub seed: u64,
    /// Ends everything; the terms of all events look at the same flag.
    pub stop: &'a AtomicBool,
}

impl<G: Game> Hall<'_, G> {
    /// Plays all fixtures, and tells of each as it ends. Stops at the first fault of the rules.
    pub fn play(
        &self,
        fixtures: &[Fixture],
        mut told: impl FnMut(News) -> Flow,
    ) -> Result<(), EventFault> {
        let (next, book) = (AtomicUsize::new(0), Book::default());
        let tables = self.tables.clamp(1, fixtures.len().max(1));
        // Whoever is told may be slower than those who play (a disk is): then they wait. What
        // had been played ahead would take memory, and would have to be told after the end.
        let (sender, receiver) = mpsc::sync_channel(tables);
        thread::scope(|scope| {
            for _ in 0..tables {
                let (sender, next, book) = (sender.clone(), &next, &book);
                scope.spawn(move || {
                    let mut table = Table { hall: self, book, event: None, seats: Vec::new() };
                    table.work(fixtures, next, &sender);
                });
            }
            drop(sender);
            let mut result = Ok(());
            loop {
                let news = match receiver.recv_timeout(TICK) {
                    Ok(Ok(news)) => news,
                    Ok(Err(fault)) => {
                        self.stop.store(true, Ordering::Relaxed);
                        result = Err(fault);
                        continue;
                    }
                    Err(RecvTimeoutError::Timeout) => News::Nothing,
                    Err(RecvTimeoutError::Disconnected) => return result,
                };
                if told(news) == Flow::Stop {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
        })
    }
}

/// Openings that were drawn: the games of a pair have the same one, and a fair one takes a while to
/// find.
struct Book<G: Game> {
    kept: Mutex<BTreeMap<(usize, u64), Opening<G>>>,
}

/// How many openings are kept. The oldest goes first: openings are asked for in their order.
const KEPT_OPENINGS: usize = 256;

impl<G: Game> Default for Book<G> {
    fn default() -> Self {
        Self { kept: Mutex::new(BTreeMap::new()) }
    }
}

impl<G: Game> Book<G> {
    fn opening(&self, hall: &Hall<'_, G>, fixture: &Fixture) -> Result<Opening<G>, Fault> {
        let key = (fixture.event, fixture.opening);
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opening) = kept().get(&key) {
            return Ok(opening.clone());
        }
        let event = &hall.events[fixture.event];
        let streams = (hall.seed, fixture.opening);
        let opening = event.openings.draw(event.terms.game, &event.from, streams, hall.stop)?;
        let mut kept = kept();
        kept.insert(key, opening.clone());
        if kept.len() > KEPT_OPENINGS {
            kept.pop_first();
        }
        Ok(opening)
    }
}

impl<G: Game> std::fmt::Debug for Hall<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("tables", &self.tables).finish_non_exhaustive()
    }
}

/// A thread that plays, with its contestants.
struct Table<'h, 'a, G: Game> {
    hall: &'h Hall<'a, G>,
    book: &'h Book<G>,
    /// The event that the contestants are seated for.
    event: Option<usize>,
    /// Contestants by entrant, those who played last at the end.
    seats: Vec<(usize, Box<dyn Contestant<G> + 'h>)>,
}

/// How many contestants a thread keeps seated: each may have a large table.
const KEPT_SEATS: usize = 16;

type Message = Result<News, EventFault>;

impl<'h, G: Game> Table<'h, '_, G> {
    fn work(&mut self, fixtures: &[Fixture], next: &AtomicUsize, sender: &SyncSender<Message>) {
        while !self.hall.stop.load(Ordering::Relaxed) {
            let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let message = match self.game(fixture) {
                Ok(Played { end: End::Interrupted, .. }) => break,
                Ok(played) => Ok(News::Over(fixture.clone(), Box::new(played))),
                Err(fault) => Err(EventFault { event: fixture.event, fault }),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
        let lines = self.seats.iter().map(|(entrant, it)| (*entrant, it.describe()));
        let mut lines: Vec<(usize, String)> = lines.collect();
        lines.sort();
        let _ = sender.send(Ok(News::Players(lines)));
    }

    fn game(&mut self, fixture: &Fixture) -> Result<Played, Fault> {
        let hall = self.hall;
        let opening = self.book.opening(hall, fixture)?;
        let seed = Random::stream(hall.seed, fixture.number, GAMES).next_u64();
        let seat = |&entrant: &usize| self.take(fixture.event, entrant);
        let mut seated: Vec<Box<dyn Contestant<G> + 'h>> =
            fixture.entrants.iter().map(seat).collect();
        let terms = &hall.events[fixture.event].terms;
        let mut seats: Vec<&mut dyn Contestant<G>> = Vec::new();
        for contestant in &mut seated {
            seats.push(&mut **contestant);
        }
        let played = play_game(terms, &opening, &mut seats, seed);
        self.seats.extend(fixture.entrants.iter().copied().zip(seated));
        if self.seats.len() > KEPT_SEATS {
            self.seats.drain(..self.seats.len() - KEPT_SEATS);
        }
        played
    }

    /// The contestant of an entrant; who cannot be seated loses at once.
    fn take(&mut self, event: usize, entrant: usize) -> Box<dyn Contestant<G> + 'h> {
        if self.event != Some(event) {
            // Tables and trees of another game are in the way.
            self.seats.clear();
            self.event = Some(event);
        }
        let new = || self.hall.host.seat(event, entrant).unwrap_or_else(|it| Box::new(Absent(it)));
        match self.seats.iter().position(|(it, _)| *it == entrant) {
            Some(at) => self.seats.remove(at).1,
            None => new(),
        }
    }
}

/// The stream of games beside those of openings.
const GAMES: u64 = 1 << 32;

/// Somebody who cannot be seated.
struct Absent(Failure);

impl<G: Game> Contestant<G> for Absent {
    fn begin(&mut self, _: &Situation<'_, G>, _: Player, _: u64) -> Result<(), Failure> {
        Err(self.0.clone())
    }

    fn think(&mut self, _: &Situation<'_, G>, _: &Allowance) -> Result<Choice<G::Move>, Failure> {
        Err(self.0.clone())
    }

    fn describe(&self) -> String {
        format!("not there: {}", self.0)
    }
}

/// The fixtures of a match: every two entrants meet, in pairs of games from the same openings with
/// the sides exchanged. Where the number of games is odd, both come first equally often.
///
/// In a game for more than two, every group of as many entrants as it has seats plays sets of games,
/// at least as many games as are asked for: see [`seating`](crate::seating).
pub fn match_fixtures(entrants: usize, seats: usize, games: u32) -> Vec<Fixture> {
    if seats > 2 { set_fixtures(entrants, seats, games) } else { pair_fixtures(entrants, games) }
}

fn set_fixtures(entrants: usize, seats: usize, games: u32) -> Vec<Fixture> {
    let groups = groups(entrants, seats);
    let mut fixtures = Vec::new();
    for set in 0..u64::from(games).div_ceil(seats as u64) {
        for entrants in groups.iter().flat_map(|it| seatings(it, set)) {
            let number = fixtures.len() as u64;
            fixtures.push(Fixture { number, event: 0, entrants, opening: set });
        }
    }
    fixtures
}

fn pair_fixtures(entrants: usize, games: u32) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for opening in 0..games.div_ceil(2) {
        let in_pair = (games - 2 * opening).min(2);
        for one in 0..entrants {
            for other in one + 1..entrants {
                let turned = in_pair == 1 && opening % 2 == 1;
                for turn in 0..in_pair {
                    let sides =
                        if turned == (turn == 1) { vec![one, other] } else { vec![other, one] };
                    fixtures.push(Fixture {
                        number: fixtures.len() as u64,
                        event: 0,
                        entrants: sides,
                        opening: u64::from(opening),
                    });
                }
            }
        }
    }
    fixtures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_from_the_same_openings() {
        let fixtures = match_fixtures(3, 2, 5);
        assert_eq!(fixtures.len(), 15);
        let met = |a, b| fixtures.iter().filter(|it| it.entrants == [a, b]).count();
        assert_eq!((met(0, 2) + met(2, 0), met(0, 2).abs_diff(met(2, 0))), (5, 1));
        for pair in fixtures.chunks(2).take(6) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].entrants[0], pair[1].entrants[1]);
        }
    }

    #[test]
    fn groups_play_sets_from_the_same_openings() {
        let fixtures = match_fixtures(4, 3, 5);
        assert_eq!(fixtures.len(), 4 * 6, "four groups, and six games instead of five");
        for set in fixtures.chunks(3) {
            assert!(set.iter().all(|it| it.opening == set[0].opening));
        }
        for player in 0..4 {
            for seat in 0..3 {
                let sits = fixtures.iter().filter(|it| it.entrants[seat] == player).count();
                assert_eq!(sits, 6, "{player} sits on seat {seat} as often as on any other");
            }
        }
    }

    #[test]
    fn no_number_is_given_twice() {
        let numbers: Vec<u64> = match_fixtures(4, 2, 6).iter().map(|it| it.number).collect();
        assert_eq!(numbers, (0..36).collect::<Vec<_>>());
    }
}
