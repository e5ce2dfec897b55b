//! Tournaments from a small text file, which can resume.
//!
//! ```text
//! file ──> Plan ──> games and entrants ──┐
//! folder ──> results ────────────────────┴──> schedule ──> games ──> folder (each as it ends)
//!                                                └──> standings, crosstable, report
//! ```
//!
//! The folder holds the whole state, so that a killed run loses its running games and nothing more.

mod folder;
mod page;
mod report;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ludex_arena::record::{Heading, record};
use ludex_arena::tournament::plan::LONGEST_PLAN;
use ludex_arena::tournament::{OpeningPlan, Plan, PlanError, Results, Schedule, schedule};
use ludex_arena::{
    Competition, Conditions, Fixture, Flow, Opening, Openings, PlayedGame, Runner, Termination,
    Update,
};
use ludex_core::GameExt;
use ludex_core::record::Record;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use crate::date::Now;
use crate::engine::EngineKind;
use crate::error::{Error, Result};
use crate::files::read_text;
use crate::game::LoadedGame;
use crate::matches::{OpeningSource, Participants};
use crate::players::Entrant;
use crate::source::{fnv1a, split};
use crate::stop::StopToken;
use folder::Folder;
use report::Scores;

pub use report::{PairScore, Rank, TournamentGame, TournamentReport};

/// The ending of the default folder.
const FOLDER_ENDING: &str = "run";

/// Which tournament is played, and where its games are saved.
#[derive(Clone, Debug)]
pub struct TournamentRequest {
    /// The tournament file.
    pub file: PathBuf,
    /// The folder of the games; by default beside the file, with the ending `.run`.
    pub folder: Option<PathBuf>,
    /// How many games are played at once; by default as the file says.
    pub concurrency: Option<u16>,
    /// What runs the rules.
    pub engine: EngineKind,
    /// The time for a move where the file does not say.
    pub default_time: Duration,
    /// The time that the dates of the records are made of.
    pub now: Now,
}

impl TournamentRequest {
    /// The tournament of a file, with the usual settings.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            folder: None,
            concurrency: None,
            engine: EngineKind::Native,
            default_time: Duration::from_millis(200),
            now: Now::Clock,
        }
    }
}

/// What happens while a tournament is played.
#[derive(Debug)]
pub enum TournamentEvent<'a> {
    /// A game has no native code and is interpreted.
    Interpreted(&'a str),
    /// The record of a game is not whole: the game is played again.
    Damaged(&'a Path),
    /// How many games were played before this run, and how many are expected.
    Begins {
        /// Games in the folder.
        played: u64,
        /// Games expected.
        expected: u64,
    },
    /// How many games are expected now, which may depend on results.
    Expected(u64),
    /// A player failed and lost its game.
    Failed {
        /// Its name.
        name: &'a str,
        /// What went wrong.
        reason: &'a str,
    },
    /// A game is over and saved; the leaders, in a line.
    Game(&'a str),
}

/// A tournament that can be played: its file was read, its games and players are loaded.
pub struct Tournament {
    plan: Plan,
    games: Vec<LoadedGame>,
    /// For each game, every player.
    entrants: Vec<Vec<Entrant>>,
    openings: Vec<Openings<CompiledGame>>,
    concurrency: u16,
    folder: PathBuf,
    now: Now,
}

impl Tournament {
    /// Loads everything: errors are reported before the first game.
    pub fn open(request: &TournamentRequest) -> Result<Self> {
        let plan = read(&request.file, request.default_time)?;
        let beside = request.file.parent().unwrap_or(Path::new("")).to_owned();
        let folder = request.folder.clone();
        let mut tournament = Self {
            games: Vec::new(),
            entrants: Vec::new(),
            openings: Vec::new(),
            concurrency: request.concurrency.unwrap_or(plan.concurrency),
            folder: folder.unwrap_or_else(|| request.file.with_extension(FOLDER_ENDING)),
            now: request.now,
            plan,
        };
        for number in 0..tournament.plan.games.len() {
            tournament.load(number, request, &beside)?;
        }
        let seats = tournament.games.first().map_or(2, |it| it.game.players());
        let plan = tournament.plan.for_seats(seats);
        tournament.plan = plan
            .map_err(|why| Error::new(format!("`{}`: {why}", tournament.games[0].source.spec())))?;
        Ok(tournament)
    }

    /// Loads a game, with its players and openings.
    fn load(&mut self, number: usize, request: &TournamentRequest, beside: &Path) -> Result<()> {
        let spec = &self.plan.games[number];
        let loaded = LoadedGame::load(&near(beside, spec), request.engine)?;
        if let Some(first) = self.games.first()
            && first.game.players() != loaded.game.players()
        {
            let message = format!(
                "`{spec}` has {} players and `{}` {}: the games of a tournament have equally many",
                loaded.game.players(),
                first.source.spec(),
                first.game.players()
            );
            return Err(Error::with_help(message, "make a tournament of each"));
        }
        let entrants = self.plan.players.iter().map(|it| {
            Entrant::read(&near(beside, &it.spec), &loaded)
                .map_err(|error| wrong_player(&request.file, it.line, &it.name, &error))
        });
        self.entrants.push(entrants.collect::<Result<_>>()?);
        let (openings, is_balanced) = opening_source(&self.plan.openings, beside);
        self.openings.push(openings.made(&loaded.game, is_balanced)?);
        self.games.push(loaded);
        Ok(())
    }

    /// Plays the remaining games, and writes the standings and the report into the folder.
    pub fn play(
        &self,
        stop: &StopToken,
        observer: &mut dyn FnMut(TournamentEvent<'_>),
    ) -> Result<TournamentReport> {
        let folder = Folder::open(&self.folder, &self.lines())?;
        for reason in self.games.iter().filter_map(LoadedGame::no_native) {
            observer(TournamentEvent::Interpreted(reason));
        }
        let mut collector = Collector::new(self, &folder, stop, observer)?;
        let played = self.play_rounds(&mut collector);
        let Collector { records, results, .. } = collector;
        let schedule = schedule(&self.plan, &results);
        let scores = Scores::new(&self.plan, &schedule, &results);
        let report = scores.report(&folder, &schedule, &records);
        let written = page::write(&folder, self, &scores, &schedule, &records)
            .and_then(|()| folder.write("standings.txt", &report.to_string()));
        // The first error is reported: a full disk takes no report either.
        played.and(written)?;
        Ok(report)
    }

    /// The identity of the tournament: the plan's lines, and hashes of rules, players and openings.
    fn lines(&self) -> Vec<(String, String)> {
        let mut lines = self.plan.lines();
        for (number, game) in (1..).zip(&self.games) {
            lines.push((format!("rules {number}"), format!("{:016x}", game.source.hash())));
        }
        // By their numbers: a name may have a colon in it.
        for number in 0..self.plan.players.len() {
            let hashes = self.entrants.iter().filter_map(|it| it[number].text_hash());
            let hashes: Vec<String> = hashes.map(|it| format!("{it:016x}")).collect();
            if !hashes.is_empty() {
                lines.push((format!("file of player {}", number + 1), hashes.join(" ")));
            }
        }
        if let Some(Openings::Listed(listed)) = self.openings.first() {
            let text: Vec<String> =
                listed.iter().map(|it| format!("{:?} {:?}", it.start, it.names)).collect();
            let hash = fnv1a(text.join("\n").as_bytes());
            lines.push(("file of openings".to_owned(), format!("{hash:016x}")));
        }
        lines
    }

    /// Plays round after round, until all are played or the run is stopped.
    fn play_rounds(&self, collector: &mut Collector<'_>) -> Result<()> {
        let stop = AtomicBool::new(false);
        let events: Vec<Competition<'_, CompiledGame>> =
            (0..self.games.len()).map(|it| self.event(it, &stop)).collect();
        let plan = &self.plan;
        let options =
            PlayerOptions { threads: plan.threads as usize, seed: plan.seed, memory: plan.memory };
        let participants = Participants {
            games: &self.games,
            entrants: &self.entrants,
            options,
            time_control: plan.time_control,
        };
        let (concurrency, seed) = (usize::from(self.concurrency), plan.seed);
        let runner =
            Runner { events: &events, roster: &participants, concurrency, seed, stop: &stop };
        loop {
            let known = schedule(plan, &collector.results);
            let is_open = |it: &&Fixture| !collector.results.contains_key(&it.number);
            let mut open: Vec<Fixture> = known.fixtures().filter(is_open).cloned().collect();
            // The order of numbers goes game by game, so that a player learns each game once.
            open.sort_by_key(|it| it.number);
            if open.is_empty() || collector.stop.is_stopped() {
                return Ok(());
            }
            collector.expect(&known);
            runner
                .play(&open, |update| collector.take(&known, update))
                .map_err(|it| self.games[it.event].blame(it.fault))?;
            std::mem::replace(&mut collector.saved, Ok(()))?;
        }
    }

    fn event<'a>(&'a self, number: usize, stop: &'a AtomicBool) -> Competition<'a, CompiledGame> {
        let game = &self.games[number].game;
        let Plan { time_control, longest, adjudication, ponder, .. } = self.plan;
        let conditions = Conditions { game, time_control, longest, adjudication, ponder, stop };
        Competition {
            conditions,
            from: Opening::none(game),
            openings: self.openings[number].clone(),
        }
    }
}

/// A file beside the tournament file comes first; else the name is resolved as everywhere.
fn near(folder: &Path, spec: &str) -> String {
    let (name, _) = split(spec);
    let path = folder.join(name);
    if name.contains(['/', '.']) && !folder.as_os_str().is_empty() && path.is_file() {
        return format!("{}{}", path.display(), &spec[name.len()..]);
    }
    spec.to_owned()
}

fn opening_source(plan: &OpeningPlan, folder: &Path) -> (OpeningSource, bool) {
    match plan {
        OpeningPlan::None => (OpeningSource::None, false),
        OpeningPlan::Random { plies, balanced } => (OpeningSource::Random(*plies), *balanced),
        OpeningPlan::File(file) => (OpeningSource::File(PathBuf::from(near(folder, file))), false),
    }
}

fn wrong_player(file: &Path, line: usize, name: &str, error: &Error) -> Error {
    let place = format!("{}:{line}: `{name}` cannot play", file.display());
    match error {
        Error::Rules(_) => Error::Several(vec![error.clone(), Error::new(place)]),
        Error::Input { message, help } => {
            Error::Input { message: format!("{place}: {message}"), help: help.clone() }
        }
        _ => Error::new(format!("{place}: {error}")),
    }
}

/// Reads the tournament file.
fn read(file: &Path, default_time: Duration) -> Result<Plan> {
    let text = read_text(file, LONGEST_PLAN as u64)?;
    let mut plan = Plan::parse(&text).map_err(|errors| shown(file, &errors))?;
    let limits = &mut plan.time_control;
    if limits.clock.is_none() && limits.per_move.is_none() && limits.nodes.is_none() {
        limits.default_time = Some(default_time);
    }
    Ok(plan)
}

/// The errors of a tournament file, with their lines.
fn shown(file: &Path, errors: &[PlanError]) -> Error {
    let errors = errors.iter().map(|it| {
        let line = if it.line == 0 { String::new() } else { format!(":{}", it.line) };
        let message = format!("{}{line}: {}", file.display(), it.message);
        Error::Input { message, help: it.help.clone() }
    });
    Error::Several(errors.collect())
}

/// Collects the results: each game is saved before it counts.
struct Collector<'a> {
    tournament: &'a Tournament,
    folder: &'a Folder,
    stop: &'a StopToken,
    observer: &'a mut dyn FnMut(TournamentEvent<'_>),
    records: BTreeMap<u64, Record>,
    results: Results,
    /// The round of each scheduled game.
    rounds: BTreeMap<u64, u32>,
    saved: Result<()>,
}

impl<'a> Collector<'a> {
    /// Begins with the games in the folder.
    fn new(
        tournament: &'a Tournament,
        folder: &'a Folder,
        stop: &'a StopToken,
        observer: &'a mut dyn FnMut(TournamentEvent<'_>),
    ) -> Result<Self> {
        let (records, damaged) = folder.records()?;
        damaged.iter().for_each(|it| observer(TournamentEvent::Damaged(it)));
        let results = folder::results(&records);
        let plan = &tournament.plan;
        let known = schedule(plan, &results);
        folder.check(plan, &known, &records)?;
        // Play-offs come on top of the expected games.
        let expected = plan.expected_games().max(known.fixtures().count() as u64);
        observer(TournamentEvent::Begins { played: records.len() as u64, expected });
        let (rounds, saved) = (BTreeMap::new(), Ok(()));
        Ok(Self { tournament, folder, stop, observer, records, results, rounds, saved })
    }

    /// Updates the expected number of games.
    fn expect(&mut self, known: &Schedule) {
        self.rounds = known.rounds_by_game();
        let known = known.fixtures().count() as u64;
        let expected = known.max(self.tournament.plan.expected_games());
        (self.observer)(TournamentEvent::Expected(expected));
    }

    fn take(&mut self, known: &Schedule, update: Update) -> Flow {
        if let Update::GameOver(fixture, played) = update {
            self.over(known, &fixture, &played);
        }
        if self.stop.is_stopped() || self.saved.is_err() { Flow::Stop } else { Flow::Continue }
    }

    fn over(&mut self, known: &Schedule, fixture: &Fixture, played: &PlayedGame) {
        let Tournament { plan, games, entrants, .. } = self.tournament;
        if let Termination::Failed(seat, failure) = &played.end {
            let entrant = fixture.entrants[*seat];
            let reason = &entrants[fixture.event][entrant].blame(&games[fixture.event], failure);
            let name = &plan.players[entrant].name;
            (self.observer)(TournamentEvent::Failed { name, reason });
        }
        let record = record(played, self.heading(fixture, played));
        match self.folder.save(fixture.number, &record) {
            Ok(()) => {
                self.records.insert(fixture.number, record);
                self.results.insert(fixture.number, played.points.clone());
            }
            // The first error ends the tournament.
            Err(error) if self.saved.is_ok() => self.saved = Err(error),
            Err(_) => {}
        }
        let leaders = report::leaders(plan, known, &self.results);
        (self.observer)(TournamentEvent::Game(&leaders));
    }

    /// The first lines of the record of a game.
    fn heading(&self, fixture: &Fixture, played: &PlayedGame) -> Heading<'a> {
        let Tournament { plan, games, now, .. } = self.tournament;
        let round = self.rounds.get(&fixture.number).copied().unwrap_or(0);
        Heading {
            game: plan.games[fixture.event].clone(),
            rules: Some(format!("{:016x}", games[fixture.event].source.hash())),
            players: plan.names_of(&fixture.entrants),
            date: now.utc_before(played.duration()),
            tags: vec![
                ("tournament".to_owned(), plan.name.clone()),
                ("number".to_owned(), (fixture.number + 1).to_string()),
                ("round".to_owned(), round.to_string()),
            ],
        }
    }
}
