//! `ludex suite`: public test sets.
//!
//! ```text
//! files ──> a format ──> cases ──> a player thinks, or moves are counted ──> verdict ──> tally
//! ```
//!
//! The files come from anywhere: a line that cannot be read is told with its number and skipped.

mod case;
mod connect4;
mod each;
mod epd;
mod hex;
mod loa;
mod mates;
mod obf;
mod perft;
mod reach;
mod reading;
mod verdict;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use case::{Case, Format, Goal, Known, Wanted};
use clap::Args;
use each::{Exchange, Outcome, Tried};
use indicatif::ProgressBar;
use ludex::analysis::{SearchResult, prepare};
use ludex::clock::RealClock;
use ludex::error::Context;
use ludex::game::LoadedGame;
use ludex::notation::san;
use ludex::players::{LoadedPlayer, refuse_unknown};
use ludex::stoppable::{Stoppable, was_stopped};
use ludex::{EngineKind, Error, Result};
use ludex_core::{Fault, Game, Limits, Position};
use ludex_search::SearchRoot;
use serde_json::{Value, json};
use verdict::{Said, Verdict, judge};

use crate::args::{EngineArgs, FromArgs, PlayerArgs, ThinkArgs, usual_time};
use crate::commands::moves::legal;
use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::{load, reach};
use crate::output::{Out, note};

/// How long to think about a case when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// How long a player may take to get to know a game, before its first case.
const TIME_TO_PREPARE: Duration = Duration::from_secs(5);

/// How far to count when nothing is said.
const DEFAULT_COUNT: u64 = 5_000_000;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// So many skipped lines of a file are told.
const TOLD_SKIPS: u64 = 20;

/// All kinds of files, the more particular first.
const FORMATS: [Format; 10] = [
    perft::EPD,
    reading::FORMAT,
    mates::FORMAT,
    hex::FORMAT,
    loa::FORMAT,
    perft::VARIANTS,
    perft::TABLE,
    obf::FORMAT,
    connect4::FORMAT,
    epd::FORMAT,
];

/// Arguments of `suite`.
#[derive(Args, Debug)]
#[command(
    mut_arg("time", usual_time("1s")),
    after_help = "\
Examples:
  ludex suite data/connect4/Test_L3_R1.txt --nodes 100000
  ludex suite data/chess/*.epd data/chess/mates.tsv --time 1s --threads 2
  ludex suite data/othello/ffo-20-39.obf --player uct --nodes 10000 --json
  ludex suite data/chess/perft_standard.epd --nodes 1000000
  ludex suite positions.epd --game ./my-chess.game
  ludex suite data/go/gnugo_reading.tsv --nodes 10000
  printf '1\\tattack C3\\t9\\tB4 B3 C2\\tC3\\t1 D3\\n' > ladder.tsv
  ludex suite ladder.tsv --nodes 10000

Formats: connect-four move strings with a score, Othello OBF, chess mates and EPD with bm, am
and dm, Hex puzzles and openings, Lines of Action wins, counts of move sequences, and Go reading:
a number, the question (`attack C3`, `defend C3`), the size of the board, black stones, white
stones and the answer (1 yes, 0 no, 2 and 3 by ko), with tabs between them.

A case that is not solved is no error; `wrong` counts what was called proved and is not so, and
counts of moves that differ. Exit code 1 if there is any. Sequences of moves are counted as far as
--nodes allows (5000000), and captures are looked for by threats: no player has a part in these.
With --judge another player looks at moves that are not proved: `kept` and `errors` count those
that keep the value of the position and those that do not."
)]
pub(crate) struct SuiteArgs {
    /// Files of test cases; what format they have is seen from their lines
    #[arg(required = true)]
    files: Vec<String>,

    /// The game, where it is not the usual one of the format: `chess:castling=no`, a rules file
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// At most so many cases of each file
    #[arg(long, value_name = "N")]
    cases: Option<usize>,

    /// Tell of each case what was answered; with --json in `results`
    #[arg(long)]
    each: bool,

    /// Another player, who looks whether the move that was chosen keeps the value of the position
    #[arg(long, value_name = "SPEC")]
    judge: Option<String>,

    /// How many nodes that player may take for a move
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    judge_nodes: u64,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    think: ThinkArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// What came of a file.
#[derive(Clone, Debug, Default)]
struct Tally {
    cases: u64,
    solved: u64,
    wrong: u64,
    skipped: u64,
    /// Moves that keep the value of a position, and those that do not.
    kept: u64,
    errors: u64,
    reaching: Reaching,
    nodes: u64,
    seconds: f64,
    /// Case by case, where that is asked for.
    each: Vec<Tried>,
}

/// What came of cases in which something is to be reached.
#[derive(Clone, Copy, Debug, Default)]
struct Reaching {
    /// Those in which it can be, as the file says.
    provable: u64,
    /// Those in which nothing was proved.
    unknown: u64,
    /// Those that cannot be compared, and how many of them were proved.
    apart: u64,
    apart_proved: u64,
}

impl Reaching {
    fn add(&mut self, other: Self) {
        self.provable += other.provable;
        self.unknown += other.unknown;
        self.apart += other.apart;
        self.apart_proved += other.apart_proved;
    }
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.skipped += other.skipped;
        self.kept += other.kept;
        self.errors += other.errors;
        self.reaching.add(other.reaching);
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    fn as_json(&self, file: &str, format: Option<&Format>) -> Value {
        let mut told = json!({
            "file": file,
            "format": format.map(|it| it.name),
            "criterion": format.map(|it| it.criterion),
            "cases": self.cases,
            "solved": self.solved,
            "wrong": self.wrong,
            "skipped": self.skipped,
            "kept": self.kept,
            "errors": self.errors,
            "nodes": self.nodes,
            "seconds": self.seconds,
        });
        if !self.each.is_empty() {
            told["results"] = self.each.iter().map(Tried::as_json).collect();
        }
        let Reaching { provable, unknown, apart, apart_proved } = self.reaching;
        if provable + unknown + apart > 0 {
            told["provable"] = provable.into();
            told["unknown"] = unknown.into();
            told["apart"] = apart.into();
            told["apart_proved"] = apart_proved.into();
        }
        told
    }
}

/// Runs the sets.
pub(crate) fn run(args: &SuiteArgs, out: &mut Out) -> Done {
    let stop = interrupt::listen();
    let mut room = Room::new(args)?;
    let mut total = Tally::default();
    if !out.is_json() {
        out.line(format_args!(
            "{:>7} {:>7} {:>7} {:>7} {:>14} {:>10}  file",
            "cases", "solved", "wrong", "skipped", "nodes", "seconds"
        ))?;
    }
    for file in &args.files {
        let lines = read_lines(Path::new(file))?;
        let format = format_of(file, &lines)?;
        let tally = room.run(file, &format, &lines);
        tell(&tally, file, &format, out)?;
        total.add(&tally);
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(Answer::Interrupted);
        }
    }
    if args.player.verbose {
        room.describe();
    }
    Ok(if total.wrong == 0 { Answer::Yes } else { Answer::No })
}

fn tell(tally: &Tally, file: &str, format: &Format, out: &mut Out) -> Result<()> {
    if out.is_json() {
        out.json(&tally.as_json(file, Some(format)))?;
        return Ok(());
    }
    for tried in &tally.each {
        out.line(format_args!("{}", tried.as_line()))?;
    }
    let Tally { cases, solved, wrong, skipped, nodes, seconds, .. } = tally;
    out.line(format_args!(
        "{cases:>7} {solved:>7} {wrong:>7} {skipped:>7} {nodes:>14} {seconds:>10.2}  {file}"
    ))?;
    out.line(format_args!("        {}", format.criterion))?;
    if tally.kept + tally.errors > 0 {
        out.line(format_args!(
            "        {} moves are known to keep the value, {} to lose it",
            tally.kept, tally.errors
        ))?;
    }
    let Reaching { provable, unknown, apart, apart_proved } = tally.reaching;
    if provable + unknown + apart > 0 {
        out.line(format_args!(
            "        {provable} can be proved at best; {unknown} unknown; {apart} cases of ko apart, \
             {apart_proved} of them proved"
        ))?;
    }
    Ok(())
}

/// The lines of a file that are no comments, with their numbers.
fn read_lines(path: &Path) -> Result<Vec<(usize, String)>> {
    let shown = path.display();
    let file = File::open(path).map_err(|it| Error::new(format!("cannot read `{shown}`: {it}")))?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("reading `{shown}`"))?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::new(format!("`{shown}` has more than {LARGEST} bytes")));
    }
    // Old sets have stray bytes in them; what matters is plain text.
    let text = String::from_utf8_lossy(&bytes);
    let clean = |line: &str| {
        let line = line.trim_start_matches('\u{feff}');
        line.replace(|it: char| it.is_control() && it != '\t', "").trim_end_matches(' ').to_owned()
    };
    let lines = (1..).zip(text.lines().map(clean));
    Ok(lines.filter(|(_, it)| !it.trim().is_empty() && !it.starts_with('#')).collect())
}

/// The kind of file: the one that accepts most of its first lines.
fn format_of(file: &str, lines: &[(usize, String)]) -> Result<Format> {
    let fits = |format: &Format| lines.iter().take(50).filter(|it| (format.accepts)(&it.1)).count();
    let mut best: Option<(usize, &Format)> = None;
    for format in &FORMATS {
        let fits = fits(format);
        if fits > best.map_or(0, |it| it.0) {
            best = Some((fits, format));
        }
    }
    best.map(|(_, format)| *format).ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|it| it.name).collect();
        let message = format!("`{file}` is no test set of a kind that is known here");
        Error::with_help(message, format!("known are {}", names.join("; "))).into()
    })
}

/// What cases are tried with: games and players, kept from case to case.
struct Room<'a> {
    args: &'a SuiteArgs,
    games: Vec<(String, LoadedGame)>,
    /// Who thinks about the present game.
    seated: Option<Seated>,
    /// What was said about the last case.
    said: Exchange,
}

/// The players of a game.
struct Seated {
    /// The number of the game.
    game: usize,
    player: LoadedPlayer,
    judge: Option<LoadedPlayer>,
}

impl<'a> Room<'a> {
    fn new(args: &'a SuiteArgs) -> Result<Self> {
        refuse_unknown(args.player.spec())?;
        args.judge.as_deref().map_or(Ok(()), refuse_unknown)?;
        Ok(Self { args, games: Vec::new(), seated: None, said: Exchange::default() })
    }

    fn describe(&self) {
        if let Some(seated) = &self.seated {
            note(format_args!("{}: {}", self.args.player.spec(), seated.player.describe()));
        }
    }

    /// Gives a game its players; they stay until another one needs theirs.
    fn seat(&mut self, game: usize) -> Result<()> {
        if self.seated.as_ref().is_some_and(|it| it.game == game) {
            return Ok(());
        }
        // What the last ones remember may be much.
        self.seated = None;
        let (args, loaded) = (self.args, &self.games[game].1);
        let made = |spec| LoadedPlayer::make(spec, args.think.means(), loaded);
        let mut player = made(args.player.spec())?;
        if args.think.nodes.is_none() {
            let stop = interrupt::listen();
            let prepared = prepare(&mut player, &loaded.game, TIME_TO_PREPARE, stop);
            prepared.map_err(|it| player.blame(loaded, it))?;
        }
        let judge = args.judge.as_deref().map(made).transpose()?;
        self.seated = Some(Seated { game, player, judge });
        Ok(())
    }

    /// All cases of a file.
    fn run(&mut self, file: &str, format: &Format, lines: &[(usize, String)]) -> Tally {
        let most = self.args.cases.unwrap_or(usize::MAX);
        let progress = ProgressBar::new(lines.len().min(most) as u64);
        let mut tally = Tally::default();
        for (number, line) in lines {
            if interrupt::happened() || tally.cases >= most as u64 {
                break;
            }
            let before = (tally.cases, tally.solved, tally.nodes, tally.seconds);
            let tried = match (format.read)(line) {
                Ok(case) => self.case(&case, &mut tally),
                Err(message) => Err(Error::new(message)),
            };
            progress.inc(1);
            if let (Ok(wrong), true, true) = (&tried, self.args.each, tally.cases > before.0) {
                let said = std::mem::take(&mut self.said);
                let outcome = Outcome::of(wrong.is_some(), tally.solved > before.1);
                let (nodes, seconds) = (tally.nodes - before.2, tally.seconds - before.3);
                tally.each.push(Tried { line: *number, outcome, said, nodes, seconds });
            }
            match tried {
                Ok(None) => {}
                Ok(Some(wrong)) => {
                    progress.suspend(|| note(format_args!("{file}:{number}: wrong: {wrong}")));
                }
                Err(error) => {
                    tally.skipped += 1;
                    if tally.skipped <= TOLD_SKIPS {
                        progress
                            .suspend(|| note(format_args!("{file}:{number}: skipped: {error:#}")));
                    }
                }
            }
        }
        progress.finish_and_clear();
        if tally.skipped > TOLD_SKIPS {
            note(format_args!("{file}: {} more lines were skipped", tally.skipped - TOLD_SKIPS));
        }
        tally
    }

    /// Tries a case: what is wrong, if anything is.
    fn case(&mut self, case: &Case, tally: &mut Tally) -> Result<Option<String>> {
        let spec = self.args.game.clone().unwrap_or_else(|| case.game.clone());
        if let Goal::Reach(wanted) = &case.goal {
            return self.reach(&spec, case.position.as_deref().unwrap_or_default(), wanted, tally);
        }
        let index = self.game(&spec)?;
        let loaded = &self.games[index].1;
        let from = FromArgs { position: case.position.clone(), moves: Some(case.moves.join(" ")) };
        let place = reach(loaded, &from)?;
        match &case.goal {
            Goal::Reach(_) => Ok(None),
            Goal::Counts(counts) => self.count(index, &place, counts, tally),
            Goal::Play(known) => {
                if loaded.ending(&place)?.is_some() {
                    return Err(Error::new("the game is over in this position"));
                }
                let known = in_our_names(loaded, &place, known)?;
                self.play(index, &place, &known, tally)
            }
        }
    }

    /// Looks for a way to reach something.
    fn reach(
        &mut self,
        game: &str,
        position: &str,
        wanted: &Wanted,
        tally: &mut Tally,
    ) -> Result<Option<String>> {
        let reached = reach::reach(self.args, game, position, wanted)?;
        if interrupt::happened() {
            return Ok(None);
        }
        if reached.proved {
            let (answer, proved) = (Some(reached.line.join(" ")), Some("win"));
            self.said = Exchange { answer, proved, ..Exchange::default() };
        }
        tally.cases += 1;
        tally.nodes += reached.nodes;
        tally.seconds += reached.seconds;
        let (all, proved) = (&mut tally.reaching, u64::from(reached.proved));
        all.provable += u64::from(wanted.reached == Some(true));
        match wanted.reached {
            None => {
                all.apart += 1;
                all.apart_proved += proved;
            }
            Some(_) if !reached.proved => all.unknown += 1,
            Some(true) => tally.solved += 1,
            Some(false) => {
                tally.wrong += 1;
                return Ok(Some(format!("it is reached by {}", reached.line.join(" "))));
            }
        }
        Ok(None)
    }

    /// The number of a game that is loaded.
    fn game(&mut self, spec: &str) -> Result<usize> {
        if let Some(found) = self.games.iter().position(|(it, _)| it == spec) {
            return Ok(found);
        }
        let kind: EngineKind = self.args.engine.to_play();
        self.games.push((spec.to_owned(), load(spec, kind)?));
        Ok(self.games.len() - 1)
    }

    fn count(
        &self,
        game: usize,
        place: &Position,
        counts: &[(u32, u64)],
        tally: &mut Tally,
    ) -> Result<Option<String>> {
        let loaded = &self.games[game].1;
        let engine = loaded.game.clone().with_adjudication(false);
        let watched = Stoppable { game: &engine, stop: interrupt::listen(), until: None };
        let most = self.args.think.nodes.unwrap_or(DEFAULT_COUNT);
        let clock = RealClock::start();
        let mut wrong = None;
        let mut counted = 0;
        for &(depth, expected) in counts.iter().filter(|(_, count)| *count <= most) {
            let found = ludex_core::perft::perft(&watched, &place, depth);
            let found = match found {
                Ok(found) => found,
                Err(fault) if was_stopped(&fault) => return Ok(None),
                Err(fault) => return Err(loaded.blame(fault)),
            };
            counted += 1;
            tally.nodes += found;
            if found != expected {
                wrong = Some(format!("depth {depth}: {found} and not {expected}"));
                break;
            }
        }
        tally.seconds += clock.seconds();
        if counted == 0 {
            let message = format!("every count is larger than {most}: nothing was counted");
            return Err(Error::new(message));
        }
        tally.cases += 1;
        tally.solved += u64::from(wrong.is_none());
        tally.wrong += u64::from(wrong.is_some());
        Ok(wrong)
    }

    fn play(
        &mut self,
        game: usize,
        place: &Position,
        known: &Known,
        tally: &mut Tally,
    ) -> Result<Option<String>> {
        self.seat(game)?;
        let Some(Seated { player, .. }) = &mut self.seated else { return Ok(None) };
        let think = self.args.think;
        let limits = Limits {
            nodes: think.nodes,
            time: player.time_or(&think.limits(None), DEFAULT_TIME),
            depth: think.depth,
            stop: Some(interrupt::listen()),
            ..Limits::default()
        };
        let loaded = &self.games[game].1;
        let thought = thought(player, loaded, place, limits);
        let thought = thought.map_err(|it| player.blame(loaded, it))?;
        if interrupt::happened() {
            return Ok(None);
        }
        let lines = thought.lines.iter();
        let said: Vec<Said> = lines
            .map(|it| Said { name: loaded.game.name(&place.state, it.mv), proved: it.proved })
            .collect();
        let mut verdict = judge(known, &said);
        self.said = Exchange {
            answer: said.first().map(|it| it.name.clone()),
            proved: said.first().and_then(|it| it.proved).map(ludex_search::Proved::name),
            wanted: known.best.clone(),
            value: known.value,
        };
        tally.nodes += thought.nodes;
        tally.seconds += thought.elapsed.as_secs_f64();
        self.look_closer(game, place, known, &thought, &mut verdict)?;
        tally.cases += 1;
        tally.solved += u64::from(verdict.solved);
        tally.wrong += u64::from(verdict.wrong.is_some());
        tally.kept += u64::from(verdict.keeps == Some(true));
        tally.errors += u64::from(verdict.keeps == Some(false));
        Ok(verdict.wrong)
    }

    /// Asks the judge whether a move keeps the value of its position, where nobody knows.
    fn look_closer(
        &mut self,
        game: usize,
        place: &Position,
        known: &Known,
        thought: &SearchResult,
        verdict: &mut Verdict,
    ) -> Result<()> {
        let judge = self.seated.as_mut().and_then(|it| it.judge.as_mut());
        let (Some(judge), Some(value), Some(best), None) =
            (judge, known.value, thought.best(), verdict.keeps)
        else {
            return Ok(());
        };
        let loaded = &self.games[game].1;
        let mut after = place.clone();
        let played = loaded.game.apply(&mut after, &[best]);
        played.map_err(|it| loaded.blame(it))?;
        let worth = match loaded.ending(&after)? {
            Some(ending) => {
                let mover = loaded.game.turn(&place);
                let ludex_core::Turn::Of(mover) = mover.map_err(|it| loaded.blame(it))? else {
                    return Ok(());
                };
                ending.payoffs.get(mover.index()).map(|it| it.utility)
            }
            None => {
                let stop = Some(interrupt::listen());
                let limits = Limits { stop, ..Limits::of_nodes(self.args.judge_nodes) };
                let reply = self::thought(judge, loaded, &after, limits);
                let reply = reply.map_err(|it| judge.blame(loaded, it))?;
                reply.lines.first().and_then(|it| it.proved).map(|it| -it.utility)
            }
        };
        verdict.keeps = worth.map(|it| verdict::sign(it) >= value);
        if known.best.is_empty() && verdict.keeps == Some(true) && verdict.wrong.is_none() {
            verdict.solved = true;
        }
        Ok(())
    }
}

/// Lets a player think about a position that has nothing to do with the one before.
fn thought(
    player: &mut LoadedPlayer,
    loaded: &LoadedGame,
    place: &Position,
    limits: Limits<'_>,
) -> Result<SearchResult, Fault> {
    let position = place;
    player.forget();
    let task = SearchRoot { game: &loaded.game, position };
    let clock = &RealClock::start();
    player.search(task, Limits { clock, ..limits }, &mut |_| {})
}

/// The same, with moves as the rules call them.
fn in_our_names(loaded: &LoadedGame, place: &Position, known: &Known) -> Result<Known> {
    let legal = legal(loaded, place)?;
    let position = loaded.game.write(&place.state);
    let speaks_san = loaded.game.program().look.notations.iter().any(|it| it == "san");
    let named = |wanted: &[String]| -> Result<Vec<String>> {
        let mut names = Vec::new();
        for text in wanted {
            if legal.contains(text) {
                names.push(text.clone());
                continue;
            }
            let found = if speaks_san { san::find(text, &position, &legal) } else { Vec::new() };
            if found.is_empty() {
                return Err(Error::new(format!("`{text}` is no legal move here")));
            }
            names.extend(found.into_iter().map(str::to_owned));
        }
        Ok(names)
    };
    Ok(Known { best: named(&known.best)?, avoid: named(&known.avoid)?, ..known.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_reached_is_added_up() {
        let reaching = Reaching { provable: 1, unknown: 2, apart: 3, apart_proved: 4 };
        let one = Tally { cases: 5, reaching, ..Tally::default() };
        let mut total = one.clone();
        total.add(&one);
        let told = total.as_json("all", None);
        let counts = ["cases", "provable", "unknown", "apart", "apart_proved"];
        assert_eq!(counts.map(|it| told[it].as_u64().unwrap_or(0)), [10, 2, 4, 6, 8]);
    }
}
