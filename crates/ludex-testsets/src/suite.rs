//! Runs test sets: each case is searched by a player, counted, or proved by threats.

use std::time::Duration;

use ludex::analysis::{SearchResult, prepare};
use ludex::clock::RealClock;
use ludex::game::LoadedGame;
use ludex::notation::san;
use ludex::players::{LoadedPlayer, refuse_unknown};
use ludex::stoppable::{Stoppable, was_stopped};
use ludex::{EngineKind, Error, Result, StopToken};
use ludex_core::perft::perft;
use ludex_core::{Game, Limits, Position, Turn};
use ludex_search::SearchError;
use ludex_search::{PlayerOptions, SearchRoot};

use crate::case::{Case, Goal, Known, Wanted};
use crate::goal;
use crate::report::{Answer, CaseReport, Outcome, SetReport};
use crate::test_set::TestSet;
use crate::verdict::{Claim, Verdict, judge, sign};

/// The time for a case where no limit is given.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The time that a player may take to learn about a game before its first case.
const TIME_TO_PREPARE: Duration = Duration::from_secs(5);

/// Larger counts are left out where no limit is given.
const DEFAULT_COUNT: u64 = 5_000_000;

/// How a test set is run.
#[derive(Clone, Debug)]
pub struct SuiteRequest {
    /// The player that searches the positions.
    pub player: String,
    /// Another player, which finds out whether an unproved move keeps the value of the position.
    pub judge: Option<String>,
    /// Its node budget for a move.
    pub judge_nodes: u64,
    /// The game, where it is not the usual one of the format.
    pub game: Option<String>,
    /// What runs the rules.
    pub engine: EngineKind,
    /// Threads, memory and seed of the players.
    pub options: PlayerOptions,
    /// The limits of a case.
    pub limits: Limits<'static>,
    /// At most this many cases of each set.
    pub cases: Option<u64>,
    /// Whether the report lists each case.
    pub lists_cases: bool,
}

/// What happens while a set is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SuiteEvent<'a> {
    /// A line of the set is done.
    Line,
    /// The answer to a case is wrong.
    Wrong {
        /// The number of the line.
        line: usize,
        /// What is wrong.
        reason: &'a str,
    },
    /// A line was skipped.
    Skipped {
        /// The number of the line.
        line: usize,
        /// Why it cannot be used.
        reason: &'a Error,
    },
}

/// Runs test sets, and keeps games and players from case to case.
pub struct Suite {
    request: SuiteRequest,
    stop: StopToken,
    games: Vec<(String, LoadedGame)>,
    /// The players of the present game.
    seated: Option<Seated>,
    /// The answer to the last case.
    answer: Answer,
}

/// The players of a game.
struct Seated {
    /// The number of the game.
    game: usize,
    player: LoadedPlayer,
    judge: Option<LoadedPlayer>,
}

impl Suite {
    /// A suite without cases; players that do not exist are refused.
    pub fn new(request: SuiteRequest, stop: StopToken) -> Result<Self> {
        refuse_unknown(&request.player)?;
        request.judge.as_deref().map_or(Ok(()), refuse_unknown)?;
        Ok(Self { request, stop, games: Vec::new(), seated: None, answer: Answer::default() })
    }

    /// What the present player is, and why.
    pub fn describe(&self) -> Option<String> {
        self.seated.as_ref().map(|it| it.player.describe())
    }

    /// Tries all cases of a set, until the stop token ends it.
    pub fn run(&mut self, set: &TestSet, observer: &mut dyn FnMut(SuiteEvent<'_>)) -> SetReport {
        let most = self.request.cases.unwrap_or(u64::MAX);
        let mut report = SetReport {
            file: set.file.clone(),
            format: set.format.name,
            criterion: set.format.criterion,
            ..SetReport::default()
        };
        for (number, line) in &set.lines {
            if self.stop.is_stopped() || report.cases >= most {
                break;
            }
            let line = (*number, line.as_str());
            self.line(line, set.format.read, &mut report, observer);
        }
        report
    }

    /// Tries the case of a line.
    fn line(
        &mut self,
        (line, text): (usize, &str),
        read: fn(&str) -> Result<Case, String>,
        report: &mut SetReport,
        observer: &mut dyn FnMut(SuiteEvent<'_>),
    ) {
        let before = (report.cases, report.solved, report.nodes, report.seconds);
        let tried = match read(text) {
            Ok(case) => self.case(&case, report),
            Err(message) => Err(Error::new(message)),
        };
        observer(SuiteEvent::Line);
        match tried {
            Ok(wrong) => {
                if let Some(reason) = &wrong {
                    observer(SuiteEvent::Wrong { line, reason });
                }
                if self.request.lists_cases && report.cases > before.0 {
                    report.results.push(CaseReport {
                        line,
                        outcome: Outcome::of(wrong.is_some(), report.solved > before.1),
                        answer: std::mem::take(&mut self.answer),
                        nodes: report.nodes - before.2,
                        seconds: report.seconds - before.3,
                    });
                }
            }
            Err(error) => {
                report.skipped += 1;
                observer(SuiteEvent::Skipped { line, reason: &error });
            }
        }
    }

    /// Tries a case: what is wrong with the answer, if anything is.
    fn case(&mut self, case: &Case, report: &mut SetReport) -> Result<Option<String>> {
        let spec = self.request.game.clone().unwrap_or_else(|| case.game.clone());
        if let Goal::Reach(wanted) = &case.goal {
            return self.reach(&spec, case.position.as_deref().unwrap_or_default(), wanted, report);
        }
        let index = self.game(&spec)?;
        let loaded = &self.games[index].1;
        let position = loaded.reach(case.position.as_deref(), &case.moves.join(" "))?;
        match &case.goal {
            Goal::Reach(_) => Ok(None),
            Goal::Counts(counts) => self.count(index, &position, counts, report),
            Goal::Play(known) => {
                if loaded.ending(&position)?.is_some() {
                    return Err(Error::new("the game is over in this position"));
                }
                let known = in_our_names(loaded, &position, known)?;
                self.play(index, &position, &known, report)
            }
        }
    }

    /// Searches for a way to reach a goal.
    fn reach(
        &mut self,
        game: &str,
        position: &str,
        wanted: &Wanted,
        report: &mut SetReport,
    ) -> Result<Option<String>> {
        let Limits { nodes, time, .. } = self.request.limits;
        let time = time.or(nodes.is_none().then_some(DEFAULT_TIME));
        let stop = Some(self.stop.flag());
        let limits = Limits { nodes, time, stop, ..Limits::default() };
        let reached = goal::reach((game, self.request.engine), position, wanted, limits)?;
        if self.stop.is_stopped() {
            return Ok(None);
        }
        if reached.proved {
            let (chosen, proved) = (Some(reached.line.join(" ")), Some("win"));
            self.answer = Answer { chosen, proved, ..Answer::default() };
        }
        report.cases += 1;
        report.nodes += reached.nodes;
        report.seconds += reached.seconds;
        let (all, proved) = (report.reaching.get_or_insert_default(), u64::from(reached.proved));
        all.provable += u64::from(wanted.reached == Some(true));
        match wanted.reached {
            None => {
                all.apart += 1;
                all.apart_proved += proved;
            }
            Some(_) if !reached.proved => all.unknown += 1,
            Some(true) => report.solved += 1,
            Some(false) => {
                report.wrong += 1;
                return Ok(Some(format!("it is reached by {}", reached.line.join(" "))));
            }
        }
        Ok(None)
    }

    /// The number of a game, which is loaded if it is new.
    fn game(&mut self, spec: &str) -> Result<usize> {
        if let Some(found) = self.games.iter().position(|(it, _)| it == spec) {
            return Ok(found);
        }
        self.games.push((spec.to_owned(), LoadedGame::load(spec, self.request.engine)?));
        Ok(self.games.len() - 1)
    }

    /// Compares the counts of move sequences.
    fn count(
        &self,
        game: usize,
        position: &Position,
        counts: &[(u32, u64)],
        report: &mut SetReport,
    ) -> Result<Option<String>> {
        let loaded = &self.games[game].1;
        let engine = loaded.game.clone().with_adjudication(false);
        let engine = Stoppable { game: &engine, stop: self.stop.flag(), until: None };
        let most = self.request.limits.nodes.unwrap_or(DEFAULT_COUNT);
        let clock = RealClock::start();
        let mut wrong = None;
        let mut counted = 0;
        for &(depth, expected) in counts.iter().filter(|(_, count)| *count <= most) {
            let found = match perft(&engine, position, depth) {
                Ok(found) => found,
                Err(fault) if was_stopped(&fault) => return Ok(None),
                Err(fault) => return Err(loaded.blame(fault)),
            };
            counted += 1;
            report.nodes += found;
            if found != expected {
                wrong = Some(format!("depth {depth}: {found} and not {expected}"));
                break;
            }
        }
        report.seconds += clock.seconds();
        if counted == 0 {
            let message = format!("every count is larger than {most}: nothing was counted");
            return Err(Error::new(message));
        }
        report.cases += 1;
        report.solved += u64::from(wrong.is_none());
        report.wrong += u64::from(wrong.is_some());
        Ok(wrong)
    }

    /// Makes the players of a game; they stay until another game needs its own.
    fn seat(&mut self, game: usize) -> Result<()> {
        if self.seated.as_ref().is_some_and(|it| it.game == game) {
            return Ok(());
        }
        // The tables of the last ones may be large.
        self.seated = None;
        let (request, loaded) = (&self.request, &self.games[game].1);
        let made = |spec: &str| LoadedPlayer::make(spec, request.options, loaded);
        let mut player = made(&request.player)?;
        if request.limits.nodes.is_none() {
            let prepared = prepare(&mut player, &loaded.game, TIME_TO_PREPARE, self.stop.flag());
            prepared.map_err(|it| player.blame(loaded, it))?;
        }
        let judge = request.judge.as_deref().map(made).transpose()?;
        self.seated = Some(Seated { game, player, judge });
        Ok(())
    }

    /// Lets the player choose a move.
    fn play(
        &mut self,
        game: usize,
        position: &Position,
        known: &Known,
        report: &mut SetReport,
    ) -> Result<Option<String>> {
        self.seat(game)?;
        let Some(Seated { player, .. }) = &mut self.seated else { return Ok(None) };
        let limits = self.request.limits;
        let time = player.time_or(&limits, DEFAULT_TIME);
        let limits = Limits { time, stop: Some(self.stop.flag()), ..limits };
        let loaded = &self.games[game].1;
        let result = searched(player, loaded, position, limits);
        let result = result.map_err(|it| player.blame(loaded, it))?;
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let lines = result.lines.iter();
        let claims: Vec<Claim> = lines
            .map(|it| Claim { name: loaded.game.name(&position.state, it.mv), proved: it.proved })
            .collect();
        let mut verdict = judge(known, &claims);
        self.answer = Answer {
            chosen: claims.first().map(|it| it.name.clone()),
            proved: claims.first().and_then(|it| it.proved).map(ludex_search::Proved::name),
            wanted: known.best.clone(),
            value: known.value,
        };
        report.nodes += result.nodes;
        report.seconds += result.elapsed.as_secs_f64();
        self.ask_the_judge(game, position, known, &result, &mut verdict)?;
        report.cases += 1;
        report.solved += u64::from(verdict.solved);
        report.wrong += u64::from(verdict.wrong.is_some());
        report.kept += u64::from(verdict.keeps == Some(true));
        report.errors += u64::from(verdict.keeps == Some(false));
        Ok(verdict.wrong)
    }

    /// Asks the judge whether a move keeps the value of its position, where that is unknown.
    fn ask_the_judge(
        &mut self,
        game: usize,
        position: &Position,
        known: &Known,
        result: &SearchResult,
        verdict: &mut Verdict,
    ) -> Result<()> {
        let judge = self.seated.as_mut().and_then(|it| it.judge.as_mut());
        let (Some(judge), Some(value), Some(best), None) =
            (judge, known.value, result.best(), verdict.keeps)
        else {
            return Ok(());
        };
        let loaded = &self.games[game].1;
        let mut after = position.clone();
        loaded.game.apply(&mut after, &[best]).map_err(|it| loaded.blame(it))?;
        let worth = match loaded.ending(&after)? {
            Some(ending) => {
                let Turn::Of(mover) = loaded.turn(position)? else { return Ok(()) };
                ending.payoffs.get(mover.index()).map(|it| it.utility)
            }
            None => {
                let stop = Some(self.stop.flag());
                let limits = Limits { stop, ..Limits::of_nodes(self.request.judge_nodes) };
                let reply = searched(judge, loaded, &after, limits);
                let reply = reply.map_err(|it| judge.blame(loaded, it))?;
                reply.lines.first().and_then(|it| it.proved).map(|it| -it.utility)
            }
        };
        verdict.keeps = worth.map(|it| sign(it) >= value);
        if known.best.is_empty() && verdict.keeps == Some(true) && verdict.wrong.is_none() {
            verdict.solved = true;
        }
        Ok(())
    }
}

/// Searches a position that has nothing to do with the one before.
fn searched(
    player: &mut LoadedPlayer,
    loaded: &LoadedGame,
    position: &Position,
    limits: Limits<'_>,
) -> Result<SearchResult, SearchError> {
    player.forget();
    let root = SearchRoot { game: &loaded.game, position };
    let clock = &RealClock::start();
    player.search(root, Limits { clock, ..limits }, &mut |_| {})
}

/// The same, with moves as the rules call them.
fn in_our_names(loaded: &LoadedGame, position: &Position, known: &Known) -> Result<Known> {
    let legal = loaded.moves(position)?;
    let text = loaded.game.write(&position.state);
    let speaks_san = loaded.game.program().look.notations.iter().any(|it| it == "san");
    let named = |wanted: &[String]| -> Result<Vec<String>> {
        let mut names = Vec::new();
        for wanted in wanted {
            if legal.contains(wanted) {
                names.push(wanted.clone());
                continue;
            }
            let found = if speaks_san { san::find(wanted, &text, &legal) } else { Vec::new() };
            if found.is_empty() {
                return Err(Error::new(format!("`{wanted}` is no legal move here")));
            }
            names.extend(found.into_iter().map(str::to_owned));
        }
        Ok(names)
    };
    Ok(Known { best: named(&known.best)?, avoid: named(&known.avoid)?, ..known.clone() })
}
