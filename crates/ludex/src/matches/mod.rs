//! Matches: games between players, with intervals and sequential tests.
//!
//! ```text
//! players ──> fixtures ──> pairs of games from one opening, sides exchanged ──> MatchReport
//! ```
//!
//! What happens in a game follows from its number and the seed, so that with node budgets a match
//! is the same every time, however many games are played at once; that holds for the end of a
//! sequential test as well.

mod failure;
mod group;
mod openings;
mod participants;
mod records;
mod report;
mod sequential;
mod table;

use std::sync::atomic::AtomicBool;

use ludex_arena::adjudication::Adjudication;
use ludex_arena::rotation::count_groups;
use ludex_arena::statistics::Sprt;
use ludex_arena::{
    Competition, Conditions, Fixture, Flow, Opening, PlayedGame, Runner, Termination, TimeControl,
    Update, match_fixtures,
};
use ludex_core::GameExt;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::players::{Entrant, titles};
use crate::stop::StopToken;

pub use failure::MatchFailure;
pub use openings::{OpeningSource, opening_source};
pub use participants::Participants;
pub use records::RecordFolder;
pub use report::{GameReport, Interval, MatchReport, Meeting, Share, Standing, Test};
use sequential::SequentialTest;
use table::Crosstable;

/// The most games of a match between groups of more than two.
const MOST_GAMES: u64 = 10_000_000;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct MatchRequest {
    /// The players, two or more: `auto`, `uct:c=0.7`, a player file, an external engine `cmd:…`.
    pub players: Vec<String>,
    /// The number of games of every two players, or of every group.
    pub games: u32,
    /// The time control.
    pub time_control: TimeControl,
    /// The threads, seed and memory of each player.
    pub options: PlayerOptions,
    /// Where openings come from.
    pub openings: OpeningSource,
    /// Whether only openings that a short search scores as fair are kept; by default in games of
    /// two.
    pub balanced: Option<bool>,
    /// The position that all games begin with, before the opening.
    pub position: Option<String>,
    /// Moves that all games begin with, from there.
    pub moves: String,
    /// How many games are played at once.
    pub concurrency: usize,
    /// A game of this many moves is a draw.
    pub longest: u32,
    /// Whether players search on the time of their opponents.
    pub ponder: bool,
    /// When the referee ends a game that both players call decided.
    pub adjudication: Adjudication,
    /// A sequential test that ends the match.
    pub sprt: Option<Sprt>,
}

impl MatchRequest {
    /// A match of 20 games between two players with a node budget for each move: repeatable.
    pub fn of_nodes(one: &str, other: &str, nodes: u64) -> Self {
        Self {
            players: vec![one.to_owned(), other.to_owned()],
            games: 20,
            time_control: TimeControl::of_nodes(nodes),
            options: PlayerOptions::default(),
            openings: OpeningSource::Random(4),
            balanced: None,
            position: None,
            moves: String::new(),
            concurrency: 1,
            longest: 2000,
            ponder: false,
            adjudication: Adjudication::default(),
            sprt: None,
        }
    }
}

/// What happens while a match is played.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// The names of the players and the number of games: always the first event.
    Begins {
        /// The names.
        players: &'a [String],
        /// The number of games at most.
        games: u64,
        /// The threads of each player.
        threads: usize,
    },
    /// What a player is, and why.
    Player {
        /// Its name.
        name: &'a str,
        /// The description.
        description: &'a str,
    },
    /// A player failed and lost its game.
    Failed {
        /// Its name.
        name: &'a str,
        /// What went wrong.
        reason: &'a str,
    },
    /// A game is over.
    Game {
        /// Its players and its number.
        fixture: &'a Fixture,
        /// The game.
        played: &'a PlayedGame,
        /// The points of all players so far.
        score: &'a str,
    },
    /// Games after the end of a sequential test, which do not count.
    Discarded(&'a [u64]),
}

/// A match whose players were read and can play the game.
#[derive(Debug)]
pub struct Match<'a> {
    game: &'a LoadedGame,
    request: MatchRequest,
    entrants: [Vec<Entrant>; 1],
    fixtures: Vec<Fixture>,
}

impl<'a> Match<'a> {
    /// Reads the players; what is wrong with the request is found before anything is played.
    pub fn new(game: &'a LoadedGame, request: MatchRequest) -> Result<Self> {
        check(&request, game)?;
        let entrants = request.players.iter().map(|it| Entrant::read(it, game));
        let entrants = [entrants.collect::<Result<Vec<Entrant>>>()?];
        let seats = game.game.players();
        let fixtures = match_fixtures(request.players.len(), seats, request.games);
        Ok(Self { game, request, entrants, fixtures })
    }

    /// Plays all games. An error of the observer ends the match: it comes with the report of the
    /// games until then.
    pub fn play(
        &self,
        stop: &StopToken,
        observer: &mut dyn FnMut(MatchEvent<'_>) -> Result<()>,
    ) -> Result<MatchReport, MatchFailure> {
        let Self { game, request, .. } = self;
        let participants = Participants {
            games: std::slice::from_ref(self.game),
            entrants: &self.entrants,
            options: request.options,
            time_control: request.time_control,
        };
        let ends = AtomicBool::new(false);
        let conditions = Conditions {
            game: &game.game,
            time_control: request.time_control,
            longest: request.longest,
            adjudication: request.adjudication,
            ponder: request.ponder,
            stop: &ends,
        };
        let is_balanced = request.balanced.unwrap_or(game.game.players() == 2);
        let openings = request.openings.made(&game.game, is_balanced)?;
        let events = [Competition { conditions, from: self.beginning()?, openings }];
        let (concurrency, seed) = (request.concurrency, request.options.seed);
        let runner =
            Runner { events: &events, roster: &participants, concurrency, seed, stop: &ends };
        let mut collector = Collector::new(self, stop, observer)?;
        let played = runner.play(&self.fixtures, |update| collector.take(update));
        let Collector { table, failed, .. } = collector;
        let failed = played.err().map(|it| game.blame(it.fault)).or(failed);
        let report = table.report();
        match failed {
            None => Ok(report),
            Some(error) => Err(MatchFailure::new(error, report)),
        }
    }

    /// The position of all games before the opening.
    fn beginning(&self) -> Result<Opening<CompiledGame>> {
        let MatchRequest { position, moves, .. } = &self.request;
        // `reach` reports errors in a position or a move, as everywhere.
        let reached = self.game.reach(position.as_deref(), moves)?;
        if self.game.ending(&reached)?.is_some() {
            return Err(Error::new("the game is over in this position"));
        }
        let game = &self.game.game;
        let mut from = match position {
            Some(text) => Opening::from_position(game, text),
            None => Ok(Opening::none(game)),
        };
        for name in moves.split_whitespace() {
            from = from.and_then(|mut it| it.play_named(game, name).map(|()| it));
        }
        from.map_err(|it| Error::new(it.message))
    }

    /// The most threads that one of the players has.
    fn threads(&self) -> usize {
        let threads = self.entrants[0].iter().map(|it| it.threads(self.request.options));
        threads.max().unwrap_or(1)
    }
}

/// Refuses players that cannot play this game as the request wants.
fn check(request: &MatchRequest, loaded: &LoadedGame) -> Result<()> {
    let (game, seats) = (loaded.source.spec(), loaded.game.players());
    let players = request.players.len();
    let refused = |message: String| Err(Error::new(message));
    if seats < 2 {
        return refused(format!(
            "`{game}` is a game of one player, and a match is between two or more"
        ));
    }
    if request.sprt.is_some() && players != 2 {
        return refused(format!("a sequential test between two players cannot have {players}"));
    }
    if players < seats {
        let message = format!("`{game}` is a game of {seats} players, and there are {players}");
        return Err(Error::with_help(message, "one may be named several times"));
    }
    if seats == 2 {
        return Ok(());
    }
    let for_two = [
        ("--sprt", request.sprt.is_some()),
        ("--resign", request.adjudication.resign.is_some()),
        ("--draw", request.adjudication.draw.is_some()),
        ("--balanced yes", request.balanced == Some(true)),
    ];
    if let Some((what, _)) = for_two.iter().find(|it| it.1) {
        return refused(format!("`{what}` is for games of two players; `{game}` has {seats}"));
    }
    if count_groups(players, seats).saturating_mul(request.games.into()) > MOST_GAMES {
        return refused(format!("{players} players make too many groups of {seats}"));
    }
    Ok(())
}

/// Collects the results and passes them on.
struct Collector<'a> {
    of: &'a Match<'a>,
    stop: &'a StopToken,
    observer: &'a mut dyn FnMut(MatchEvent<'_>) -> Result<()>,
    names: Vec<String>,
    table: Crosstable,
    test: Option<SequentialTest>,
    described: bool,
    /// What went wrong in the observer.
    failed: Option<Error>,
}

impl<'a> Collector<'a> {
    fn new(
        of: &'a Match<'a>,
        stop: &'a StopToken,
        observer: &'a mut dyn FnMut(MatchEvent<'_>) -> Result<()>,
    ) -> Result<Self> {
        let (request, games) = (&of.request, of.fixtures.len() as u64);
        let names = titles(&request.players, &of.entrants[0]);
        observer(MatchEvent::Begins { players: &names, games, threads: of.threads() })?;
        let table = Crosstable::new(names.clone(), of.game.game.players(), request.sprt);
        let test = request.sprt.map(SequentialTest::new);
        Ok(Self { of, stop, observer, names, table, test, described: false, failed: None })
    }

    /// Passes an event on; whether the observer took it.
    fn tell(&mut self, event: MatchEvent<'_>) -> bool {
        if self.failed.is_none() {
            self.failed = (self.observer)(event).err();
        }
        self.failed.is_none()
    }

    fn take(&mut self, update: Update) -> Flow {
        match update {
            Update::GameOver(fixture, played) => return self.over(fixture, *played),
            Update::Players(lines) if !self.described => {
                self.described = true;
                for (entrant, description) in lines {
                    let name = self.names[entrant].clone();
                    self.tell(MatchEvent::Player { name: &name, description: &description });
                }
            }
            Update::Players(_) | Update::Tick => {}
        }
        self.flow()
    }

    fn flow(&self) -> Flow {
        let ends = self.failed.is_some() || self.stop.is_stopped();
        if ends { Flow::Stop } else { Flow::Continue }
    }

    fn over(&mut self, fixture: Fixture, played: PlayedGame) -> Flow {
        if let Termination::Failed(seat, failure) = &played.end {
            let entrant = fixture.entrants[*seat];
            let reason = self.of.entrants[0][entrant].blame(self.of.game, failure);
            let name = self.names[entrant].clone();
            self.tell(MatchEvent::Failed { name: &name, reason: &reason });
        }
        self.table.add(fixture.clone(), played.clone());
        let score = self.table.short();
        self.tell(MatchEvent::Game { fixture: &fixture, played: &played, score: &score });
        let test = self.test.as_mut();
        if let Some(games) = test.and_then(|it| it.add(fixture.number, played.points.of(0))) {
            let discarded = self.table.keep_first(games);
            self.tell(MatchEvent::Discarded(&discarded));
            return Flow::Stop;
        }
        self.flow()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::load;

    /// A match of four games whose observer fails at the game with this number, from 1.
    fn failing_at(number: usize) -> MatchFailure {
        let game = load("tictactoe").expect("it is bundled");
        let mut request = MatchRequest::of_nodes("random", "random", 1);
        (request.games, request.balanced) = (4, Some(false));
        let to_play = Match::new(&game, request).expect("both play it");
        let mut games = 0;
        let played = to_play.play(&StopToken::new(), &mut |event| {
            games += usize::from(matches!(event, MatchEvent::Game { .. }));
            if games == number { Err(Error::new("the disk is full")) } else { Ok(()) }
        });
        played.expect_err("the observer failed")
    }

    #[test]
    fn a_failure_comes_with_the_games_that_were_played() {
        let failure = failing_at(2);
        assert_eq!(failure.error, Error::new("the disk is full"));
        let report = failure.report.expect("two games were played");
        // The next one may be over before it hears of the failure.
        assert!(report.games.len() >= 2 && report.table[0].games >= 2, "{report:?}");
        assert_eq!(failing_at(0).report, None, "nothing was played");
    }
}
