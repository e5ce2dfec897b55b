//! `ludex tournament`: a tournament from a small text file, which goes on where it was.
//!
//! ```text
//! file ──> Plan ──> games and entrants ──┐
//! folder ──> results so far ─────────────┴──> schedule ──> games ──> folder (each as it ends)
//!                                                └──> standings, cross-table, report
//! ```
//!
//! What was played is what is in the folder; nothing else is kept, so a run that is killed has lost
//! the games that were not over and nothing more.

mod folder;
mod page;
mod tell;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use ludex_arena::record::{Heading, record};
use ludex_arena::tournament::plan::LONGEST_PLAN;
use ludex_arena::tournament::{OpeningPlan, Plan, Results, Schedule, Trouble, schedule};
use ludex_arena::{End, Event, Fixture, Flow, Hall, News, Opening, Openings, Played, Terms};
use ludex_core::Game;
use ludex_core::record::Record;
use ludex_search::Means;

use crate::arena::{House, OpeningWish, Progress};
use crate::args::EngineArgs;
use crate::date::utc_before;
use crate::engine::Engine;
use crate::failure::{Answer, Done, Mistake};
use crate::files::read_text;
use crate::interrupt;
use crate::load::{Loaded, fnv1a, load, split};
use crate::output::{Out, note};
use crate::players::Entrant;
use crate::verbs::matches::DEFAULT_TIME;
use folder::Folder;

/// How the name of the folder ends, where none is said.
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
  player    Old cmd:./prog args,protocol=ugi    a program (docs/outside-programs.md)
  published Ann 24                 points of another table, shown beside ours
  kind      double round-robin     or round-robin, gauntlet, swiss 5, knockout
  games     2                      in each pairing, of each game
  scoring   2 1 0                  for a win, a draw and a loss
  nodes     1000                   or time 200ms, clock 5m+1s, depth 4
  openings  balanced 4             or none, random 4, file lines.txt
  longest   200                    a longer game is a draw
and concurrency, seed, resign, draw, grace, ponder, threads, memory; see docs/arena.md.

Every game is saved in the folder as it ends. A run that was broken off, however that
happened, goes on where it was when the same command is given again; a file that was
changed meanwhile is refused. The folder gets a report, report.html, in which every game
can be played through.")]
pub(crate) struct TournamentArgs {
    /// The tournament file
    file: PathBuf,

    /// Where the games are saved [default: beside the file, with the ending `.run`]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// How many games to play at once [default: as the file says, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Plays what there is to play.
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
    // What went wrong first is told: a full disk takes no report either.
    played.and(written)?;
    told.tell(&folder, &schedule, &records, out)?;
    Ok(if interrupt::happened() { Answer::Interrupted } else { Answer::Yes })
}

/// Reads the tournament file.
fn read(file: &Path) -> Result<Plan> {
    let text = read_text(file, LONGEST_PLAN as u64)?;
    let mut plan = Plan::parse(&text).map_err(|troubles| shown(file, &troubles))?;
    let pace = &mut plan.pace;
    if pace.clock.is_none() && pace.per_move.is_none() && pace.nodes.is_none() {
        pace.usual = Some(DEFAULT_TIME);
    }
    Ok(plan)
}

/// What is wrong with a tournament file, line by line.
fn shown(file: &Path, troubles: &[Trouble]) -> Mistake {
    let shown = troubles.iter().map(|it| {
        let line = if it.line == 0 { String::new() } else { format!(":{}", it.line) };
        let help = it.help.as_ref().map(|it| format!("\nhelp: {it}")).unwrap_or_default();
        format!("error: {}{line}: {}{help}", file.display(), it.message)
    });
    Mistake::Shown(shown.collect::<Vec<_>>().join("\n"))
}

/// A tournament that can be played.
struct Tournament {
    plan: Plan,
    games: Vec<Loaded>,
    /// For each game, every player.
    entrants: Vec<Vec<Entrant>>,
    openings: Vec<Openings<Engine>>,
    concurrency: u16,
}

impl Tournament {
    /// Loads everything: what is wrong is told before anything is played.
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
                    "`{spec}` has {} players and `{}` {}: the games of a tournament have as many",
                    loaded.game.players(),
                    first.source.spec(),
                    first.game.players()
                );
                return Err(Mistake::with_help(message, "make two tournaments of them").into());
            }
            let entrants = tournament.plan.players.iter().map(|it| {
                Entrant::read(&near(&beside, &it.spec), &loaded)
                    .map_err(|error| wrong_player(&args.file, it.line, &it.name, &error))
            });
            tournament.entrants.push(entrants.collect::<Result<_, _>>()?);
            let wish = opening_wish(&tournament.plan.openings, &beside);
            tournament.openings.push(wish.0.made(&loaded.game, wish.1)?);
            tournament.games.push(loaded);
        }
        let seats = tournament.games.first().map_or(2, |it| it.game.players());
        let plan = tournament.plan.for_seats(seats);
        tournament.plan = plan.map_err(|why| {
            Mistake::new(format!("`{}`: {why}", tournament.games[0].source.spec()))
        })?;
        Ok(tournament)
    }

    /// What makes this tournament what it is: the plan's lines, and the texts of rules, players and
    /// openings.
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

    /// Plays round after round, until nothing is left or somebody wants an end.
    fn play(&self, desk: &mut Desk<'_>) -> Result<()> {
        let stop = AtomicBool::new(false);
        let events: Vec<Event<'_, Engine>> =
            (0..self.games.len()).map(|it| self.event(it, &stop)).collect();
        let plan = &self.plan;
        let means = Means { threads: plan.threads as usize, seed: plan.seed, memory: plan.memory };
        let house = House { games: &self.games, entrants: &self.entrants, means, pace: plan.pace };
        let tables = usize::from(self.concurrency);
        let hall = Hall { events: &events, host: &house, tables, seed: plan.seed, stop: &stop };
        loop {
            let known = schedule(plan, &desk.results);
            let is_open = |it: &&Fixture| !desk.results.contains_key(&it.number);
            let mut open: Vec<Fixture> = known.fixtures().filter(is_open).cloned().collect();
            // In the order of their numbers one game comes after the other: whoever has learned one
            // need not learn it again.
            open.sort_by_key(|it| it.number);
            if open.is_empty() || interrupt::happened() {
                return Ok(());
            }
            desk.expect(&known);
            hall.play(&open, |news| desk.hear(&known, news))
                .map_err(|it| self.games[it.event].blame(it.fault))?;
            std::mem::replace(&mut desk.saved, Ok(()))?;
        }
    }

    fn event<'a>(&'a self, number: usize, stop: &'a AtomicBool) -> Event<'a, Engine> {
        let game = &self.games[number].game;
        let Plan { pace, longest, adjudication, ponder, .. } = self.plan;
        let terms = Terms { game, pace, longest, adjudication, ponder, stop };
        Event { terms, from: Opening::none(game), openings: self.openings[number].clone() }
    }
}

/// A file beside the tournament file comes first; otherwise a name is what it is everywhere.
fn near(folder: &Path, spec: &str) -> String {
    let (name, _) = split(spec);
    let path = folder.join(name);
    if name.contains(['/', '.']) && !folder.as_os_str().is_empty() && path.is_file() {
        return format!("{}{}", path.display(), &spec[name.len()..]);
    }
    spec.to_owned()
}

fn opening_wish(plan: &OpeningPlan, folder: &Path) -> (OpeningWish, bool) {
    match plan {
        OpeningPlan::None => (OpeningWish::None, false),
        OpeningPlan::Random { plies, balanced } => (OpeningWish::Random(*plies), *balanced),
        OpeningPlan::File(file) => (OpeningWish::File(PathBuf::from(near(folder, file))), false),
    }
}

fn wrong_player(file: &Path, line: usize, name: &str, error: &anyhow::Error) -> Mistake {
    let place = format!("{}:{line}: `{name}` cannot play", file.display());
    match error.downcast_ref::<Mistake>() {
        Some(Mistake::Shown(text)) => Mistake::Shown(format!("{text}\nerror: {place}")),
        Some(Mistake::Plain { message, help }) => {
            Mistake::Plain { message: format!("{place}: {message}"), help: help.clone() }
        }
        None => Mistake::new(format!("{place}: {error:#}")),
    }
}

/// Takes down what happens: each game goes into the folder before anybody hears of it.
struct Desk<'a> {
    tournament: &'a Tournament,
    folder: &'a Folder,
    records: BTreeMap<u64, Record>,
    results: Results,
    /// The round of each game that is known.
    rounds: BTreeMap<u64, u32>,
    progress: Progress,
    saved: Result<()>,
}

impl<'a> Desk<'a> {
    /// Begins with what is in the folder.
    fn new(tournament: &'a Tournament, folder: &'a Folder) -> Result<Self> {
        let records = folder.records()?;
        let results = folder::results(&records);
        let plan = &tournament.plan;
        let known = schedule(plan, &results);
        folder.check(plan, &known, &records)?;
        // Play-offs come on top of what is expected.
        let expected = plan.expected_games().max(known.fixtures().count() as u64);
        if !records.is_empty() {
            note(format_args!("{} of {expected} games were played already", records.len()));
        }
        let progress = Progress::new(expected, records.len() as u64);
        let rounds = BTreeMap::new();
        Ok(Self { tournament, folder, records, results, rounds, progress, saved: Ok(()) })
    }

    /// Says how many games there will be.
    fn expect(&mut self, known: &Schedule) {
        self.rounds = known.rounds_by_game();
        let known = known.fixtures().count() as u64;
        self.progress.expect(known.max(self.tournament.plan.expected_games()));
    }

    fn hear(&mut self, known: &Schedule, news: News) -> Flow {
        if let News::Over(fixture, played) = news {
            self.over(known, &fixture, &played);
        }
        if interrupt::happened() || self.saved.is_err() { Flow::Stop } else { Flow::GoOn }
    }

    fn over(&mut self, known: &Schedule, fixture: &Fixture, played: &Played) {
        let Tournament { plan, games, entrants, .. } = self.tournament;
        let loaded = &games[fixture.event];
        if let End::Failed(seat, failure) = &played.end {
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
            // The first trouble ends the tournament, whatever is saved after it.
            Err(trouble) if self.saved.is_ok() => self.saved = Err(trouble),
            Err(_) => {}
        }
        let results = &self.results;
        self.progress.game(|| tell::leaders(plan, known, results));
    }
}
