//! `ludex tournament`: a tournament from a small text file, which can resume.
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
mod tell;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;
use folder::Folder;
use ludex::files::read_text;
use ludex::game::LoadedGame;
use ludex::matches::{OpeningSource, Participants};
use ludex::players::Entrant;
use ludex::source::{fnv1a, split};
use ludex::{Error, Result};
use ludex_arena::record::{Heading, record};
use ludex_arena::tournament::plan::LONGEST_PLAN;
use ludex_arena::tournament::{OpeningPlan, Plan, PlanError, Results, Schedule, schedule};
use ludex_arena::{
    Conditions, Event, Fixture, Flow, Opening, Openings, PlayedGame, Runner, Termination, Update,
};
use ludex_core::GameExt;
use ludex_core::record::Record;
use ludex_jit::CompiledGame;
use ludex_search::PlayerOptions;

use crate::args::EngineArgs;
use crate::commands::matches::DEFAULT_TIME;
use crate::date::utc_before;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::load;
use crate::output::{Out, note};
use crate::progress::Progress;

/// The ending of the default folder.
const FOLDER_ENDING: &str = "run";

/// Arguments of `tournament`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ludex tournament club.txt
  ludex tournament club.txt --folder results --concurrency 2
  ludex tournament club.txt --json

A tournament file has lines of a key and a value:
  name      Club championship
  game      connect4               several games may be played
  player    Ann uct:c=0.7          a name and a player
  player    \"Bob Lee\" alphabeta
  player    Old cmd:./prog args,protocol=ugi    an external engine (docs/guide/external-engines.md)
  published Ann 24                 points of another table, shown beside ours
  kind      double round-robin     or round-robin, gauntlet, swiss 5, knockout
  games     2                      in each pairing, of each game
  scoring   2 1 0                  for a win, a draw and a loss
  nodes     1000                   or time 200ms, clock 5m+1s, depth 4
  openings  balanced 4             or none, random 4, file lines.txt
  longest   200                    the move limit: then a draw
and concurrency, seed, resign, draw, grace, ponder, threads, memory; see docs/guide/matches.md.

Every game is saved in the folder as it ends. An interrupted run resumes when the same
command is given again; a file that was changed ponder_while is refused. The folder gets a
report, report.html, with every game move by move.")]
pub(crate) struct TournamentArgs {
    /// The tournament file
    file: PathBuf,

    /// Where the games are saved [default: beside the file, with the ending `.run`]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Number of games at once [default: as the file says, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Plays the remaining games.
pub(crate) fn run(args: &TournamentArgs, out: &mut Out) -> Done {
    let plan = read(&args.file)?;
    let tournament = Tournament::prepare(args, plan)?;
    let default = || args.file.with_extension(FOLDER_ENDING);
    let folder = Folder::open(&args.folder.clone().unwrap_or_else(default), &tournament.lines())?;
    interrupt::listen();
    let mut desk = Desk::new(&tournament, &folder)?;
    let played = tournament.play(&mut desk);
    desk.progress.finish();
    let Desk { records, results, .. } = desk;
    let schedule = schedule(&tournament.plan, &results);
    let told = tell::Told::new(&tournament.plan, &schedule, &results);
    let written = page::write(&folder, &tournament, &told, &schedule, &records)
        .and_then(|()| folder.write("standings.txt", &told.text()));
    // The first error is reported: a full disk takes no report either.
    played.and(written)?;
    told.tell(&folder, &schedule, &records, out)?;
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Reads the tournament file.
fn read(file: &Path) -> Result<Plan> {
    let text = read_text(file, LONGEST_PLAN as u64)?;
    let mut plan = Plan::parse(&text).map_err(|errors| shown(file, &errors))?;
    let time_control = &mut plan.time_control;
    if time_control.clock.is_none()
        && time_control.per_move.is_none()
        && time_control.nodes.is_none()
    {
        time_control.default_time = Some(DEFAULT_TIME);
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

/// A tournament that can be played.
struct Tournament {
    plan: Plan,
    games: Vec<LoadedGame>,
    /// For each game, every player.
    entrants: Vec<Vec<Entrant>>,
    openings: Vec<Openings<CompiledGame>>,
    concurrency: u16,
}

impl Tournament {
    /// Loads everything: errors are reported before the first game.
    fn prepare(args: &TournamentArgs, plan: Plan) -> Result<Self> {
        let beside = args.file.parent().unwrap_or(Path::new("")).to_owned();
        let mut tournament = Self {
            games: Vec::new(),
            entrants: Vec::new(),
            openings: Vec::new(),
            concurrency: args.concurrency.unwrap_or(plan.concurrency),
            plan,
        };
        for spec in &tournament.plan.games {
            let loaded = load(&near(&beside, spec), args.engine.to_play())?;
            if let Some(first) = tournament.games.first()
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
            let entrants = tournament.plan.players.iter().map(|it| {
                Entrant::read(&near(&beside, &it.spec), &loaded)
                    .map_err(|error| wrong_player(&args.file, it.line, &it.name, &error))
            });
            tournament.entrants.push(entrants.collect::<Result<_, _>>()?);
            let wish = opening_source(&tournament.plan.openings, &beside);
            tournament.openings.push(wish.0.made(&loaded.game, wish.1)?);
            tournament.games.push(loaded);
        }
        let seats = tournament.games.first().map_or(2, |it| it.game.players());
        let plan = tournament.plan.for_seats(seats);
        tournament.plan = plan
            .map_err(|why| Error::new(format!("`{}`: {why}", tournament.games[0].source.spec())))?;
        Ok(tournament)
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

    /// Plays round after round, until all are played or the run is interrupted.
    fn play(&self, desk: &mut Desk<'_>) -> Result<()> {
        let stop = AtomicBool::new(false);
        let events: Vec<Event<'_, CompiledGame>> =
            (0..self.games.len()).map(|it| self.event(it, &stop)).collect();
        let plan = &self.plan;
        let means =
            PlayerOptions { threads: plan.threads as usize, seed: plan.seed, memory: plan.memory };
        let house = Participants {
            games: &self.games,
            entrants: &self.entrants,
            means,
            time_control: plan.time_control,
        };
        let concurrency = usize::from(self.concurrency);
        let runner =
            Runner { events: &events, roster: &house, concurrency, seed: plan.seed, stop: &stop };
        loop {
            let known = schedule(plan, &desk.results);
            let is_open = |it: &&Fixture| !desk.results.contains_key(&it.number);
            let mut open: Vec<Fixture> = known.fixtures().filter(is_open).cloned().collect();
            // The order of numbers goes game by game, so that a player learns each game once.
            open.sort_by_key(|it| it.number);
            if open.is_empty() || interrupt::happened() {
                return Ok(());
            }
            desk.expect(&known);
            runner
                .play(&open, |update| desk.hear(&known, update))
                .map_err(|it| self.games[it.event].blame(it.fault))?;
            std::mem::replace(&mut desk.saved, Ok(()))?;
        }
    }

    fn event<'a>(&'a self, number: usize, stop: &'a AtomicBool) -> Event<'a, CompiledGame> {
        let game = &self.games[number].game;
        let Plan { time_control, longest, adjudication, ponder, .. } = self.plan;
        let conditions = Conditions { game, time_control, longest, adjudication, ponder, stop };
        Event { conditions, from: Opening::none(game), openings: self.openings[number].clone() }
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

/// Collects the results: each game is saved before it counts.
struct Desk<'a> {
    tournament: &'a Tournament,
    folder: &'a Folder,
    records: BTreeMap<u64, Record>,
    results: Results,
    /// The round of each scheduled game.
    rounds: BTreeMap<u64, u32>,
    progress: Progress,
    saved: Result<()>,
}

impl<'a> Desk<'a> {
    /// Begins with the games in the folder.
    fn new(tournament: &'a Tournament, folder: &'a Folder) -> Result<Self> {
        let records = folder.records()?;
        let results = folder::results(&records);
        let plan = &tournament.plan;
        let known = schedule(plan, &results);
        folder.check(plan, &known, &records)?;
        // Play-offs come on top of the expected games.
        let expected = plan.expected_games().max(known.fixtures().count() as u64);
        if !records.is_empty() {
            note(format_args!("{} of {expected} games were played already", records.len()));
        }
        let progress = Progress::new(expected, records.len() as u64);
        let rounds = BTreeMap::new();
        Ok(Self { tournament, folder, records, results, rounds, progress, saved: Ok(()) })
    }

    /// Updates the expected number of games.
    fn expect(&mut self, known: &Schedule) {
        self.rounds = known.rounds_by_game();
        let known = known.fixtures().count() as u64;
        self.progress.expect(known.max(self.tournament.plan.expected_games()));
    }

    fn hear(&mut self, known: &Schedule, update: Update) -> Flow {
        if let Update::GameOver(fixture, played) = update {
            self.over(known, &fixture, &played);
        }
        if interrupt::happened() || self.saved.is_err() { Flow::Stop } else { Flow::Continue }
    }

    fn over(&mut self, known: &Schedule, fixture: &Fixture, played: &PlayedGame) {
        let Tournament { plan, games, entrants, .. } = self.tournament;
        let loaded = &games[fixture.event];
        if let Termination::Failed(seat, failure) = &played.end {
            let entrant = fixture.entrants[*seat];
            let shown = entrants[fixture.event][entrant].blame(loaded, failure);
            let name = &plan.players[entrant].name;
            self.progress.say_once(format!("{shown}\n`{name}` loses the game"));
        }
        let round = self.rounds.get(&fixture.number).copied().unwrap_or(0);
        let heading = Heading {
            game: plan.games[fixture.event].clone(),
            rules: Some(format!("{:016x}", loaded.source.hash())),
            players: plan.names_of(&fixture.entrants),
            date: utc_before(played.duration()),
            tags: vec![
                ("tournament".to_owned(), plan.name.clone()),
                ("number".to_owned(), (fixture.number + 1).to_string()),
                ("round".to_owned(), round.to_string()),
            ],
        };
        let record = record(played, heading);
        match self.folder.save(fixture.number, &record) {
            Ok(()) => {
                self.records.insert(fixture.number, record);
                self.results.insert(fixture.number, played.points.clone());
            }
            // The first error ends the tournament.
            Err(error) if self.saved.is_ok() => self.saved = Err(error),
            Err(_) => {}
        }
        let results = &self.results;
        self.progress.game(|| tell::leaders(plan, known, results));
    }
}
