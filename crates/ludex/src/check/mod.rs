//! Checks a rules file, a player file or a goal.
//!
//! ```text
//! text ──> compile ──> errors, warnings
//!             ├─> promises of the file ──> kept or broken
//!             └─> random games (sample) ──> faults, doubtful things, statistics
//!
//! player ──> compile with its game ──> errors, warnings
//!             └─> games against a random player (trial) ──> faults, speed
//!
//! goal ──> compile with its game ──> errors, and random games until it is reached
//! ```

mod findings;
mod promises;
mod report;
mod sample;
mod statistics;
mod trial;

use std::time::{Duration, Instant};

use ludex_rules::compile;

use crate::engine::EngineKind;
use crate::error::Result;
use crate::game::LoadedGame;
use crate::goal;
use crate::players::PlayerSpec;
use crate::players::file::{self, PlayerFile};
use crate::source::Source;
use crate::stop::StopToken;
use findings::Findings;

pub use report::{CheckReport, Finding, Promises};
pub use statistics::{Length, Points, Statistics};
pub use trial::Trial;

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckRequest {
    /// How many random games are played.
    pub games: u64,
    /// How long they are played at most.
    pub time: Duration,
    /// How many turns a game has at most.
    pub plies: u32,
    /// Seed of the games.
    pub seed: u64,
    /// What runs the rules.
    pub engine: EngineKind,
}

impl Default for CheckRequest {
    fn default() -> Self {
        let (games, time, engine) = (100, Duration::from_secs(2), EngineKind::Native);
        Self { games, time, plies: 2_000, seed: 0, engine }
    }
}

/// Checks the file or the bundled game or player that `spec` names.
pub fn check(spec: &str, request: &CheckRequest, stop: &StopToken) -> Result<CheckReport> {
    let source = Source::find(spec).or_else(|error| file::find_bundled(spec).ok_or(error))?;
    check_source(source, request, stop)
}

/// Checks a text of rules, of a player or of a goal.
pub fn check_source(
    source: Source,
    request: &CheckRequest,
    stop: &StopToken,
) -> Result<CheckReport> {
    match file::game_of(&source) {
        Some(game) if goal::is_goal(&source.text) => check_goal(source, &game, request, stop),
        Some(game) => check_player(source, &game, request, stop),
        None => check_rules(source, request, stop),
    }
}

fn check_rules(source: Source, request: &CheckRequest, stop: &StopToken) -> Result<CheckReport> {
    let compiled = compile(&source.text, &source.options);
    let mut findings = Findings::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(CheckReport::new(findings, None));
    }
    let loaded = LoadedGame::build(source, compiled, request.engine)?;
    note_no_native(&loaded, &mut findings);
    promises::check(&loaded, Instant::now() + request.time / 2, stop, &mut findings);
    sample::play(&loaded, request, stop, &mut findings);
    Ok(CheckReport::new(findings, Some(loaded.info())))
}

/// Notes why the rules are interpreted although native code was asked for.
fn note_no_native(loaded: &LoadedGame, findings: &mut Findings) {
    let reason = loaded.no_native().map(|it| format!("{it}; interpreting instead"));
    findings.notes.extend(reason);
}

/// The rules that a player or a goal is for, with the options that were given to it.
fn rules_of(source: &Source, game: &str) -> Result<Source> {
    let rules = file::rules_of(source, game)?;
    Ok(Source { options: source.options.clone(), ..rules })
}

fn check_goal(
    source: Source,
    game: &str,
    request: &CheckRequest,
    stop: &StopToken,
) -> Result<CheckReport> {
    let rules = rules_of(&source, game)?;
    let compiled = goal::compile(&rules, &source)?;
    let mut findings = Findings::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(CheckReport::new(findings, None));
    }
    let loaded = LoadedGame::build_goal(source, compiled, rules, request.engine)?;
    note_no_native(&loaded, &mut findings);
    sample::play(&loaded, request, stop, &mut findings);
    Ok(CheckReport::new(findings, Some(loaded.info())))
}

fn check_player(
    source: Source,
    game: &str,
    request: &CheckRequest,
    stop: &StopToken,
) -> Result<CheckReport> {
    let game = LoadedGame::of_source(rules_of(&source, game)?, request.engine)?;
    let compiled = file::compile(&source, &game);
    let mut findings = Findings::new(source.clone(), compiled.diagnostics.clone());
    if compiled.has_errors() {
        return Ok(CheckReport::new(findings, None));
    }
    note_no_native(&game, &mut findings);
    let player = PlayerFile::build(source, compiled, &game)?;
    let spec = PlayerSpec::of_file(player.clone(), "")?;
    trial::play(&spec, player.engine(), &game, request, (stop, &mut findings))?;
    Ok(CheckReport::new(findings, Some(game.info())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules that native code does not hold: 40 nested `try` over a state of 32,000 bytes.
    fn too_deep_for_native() -> Source {
        let mut text = String::from("game \"Stack\"\nboard square 3 by 3\nplayers A, B\n");
        text += "men stone \"as\" \"bs\"\n";
        (0..4).for_each(|it| text += &format!("cell big{it}[4000]: 0..60000\n"));
        text += "moves\n";
        for depth in 1..=40 {
            text += &format!("{}try put my stone on a1\n", "  ".repeat(depth));
        }
        text += &format!("{}for a in empty: move put my stone on a\n", "  ".repeat(41));
        Source::of_text("stack.game", text + "  move pass\nstuck\n  draw\n", "")
    }

    #[test]
    fn rules_without_native_code_are_noted() {
        let notes = |engine| {
            let request = CheckRequest { games: 1, plies: 2, engine, ..CheckRequest::default() };
            let report = check_source(too_deep_for_native(), &request, &StopToken::new());
            let report = report.expect("the rules are right");
            assert_eq!(report.errors, []);
            report.notes.iter().filter(|it| it.ends_with("; interpreting instead")).count()
        };
        assert_eq!(notes(EngineKind::Native), 1);
        assert_eq!(notes(EngineKind::Interpreter), 0, "the interpreter was asked for");
    }
}
