//! The promises of a file: what its `expect` block says, tried as far as that is quick.

use std::time::Instant;

use ludex_core::perft::perft;
use ludex_core::record::{Played, Record, replay};
use ludex_core::{Game, Turn};
use ludex_diagnostics::Diagnostic;
use ludex_jit::CompiledGame;
use ludex_rules::ast::{Fact, FactKind};

use super::findings::Findings;
use crate::ending::ending;
use crate::game::LoadedGame;
use crate::stop::StopToken;
use crate::stoppable::{Stoppable, was_stopped};

/// Larger counts are left to `ludex perft`.
const LARGEST_COUNT: u64 = 20_000;

/// The result of one part of a promise.
enum Kept {
    Yes,
    /// What was found instead.
    No(String),
    /// It would take too long, or is not for random games to find out.
    Untried,
}

/// Tries the promises of a file until the time is over.
pub(super) fn check(loaded: &LoadedGame, until: Instant, stop: &StopToken, report: &mut Findings) {
    for fact in &loaded.compiled.facts {
        for kept in parts(loaded, fact, until, stop) {
            match kept {
                Kept::Yes => report.promises.kept += 1,
                Kept::Untried => report.promises.untried += 1,
                Kept::No(found) => report.broken(
                    Diagnostic::error("broken-promise", fact.span, "a promise is not kept")
                        .label(found),
                ),
            }
        }
    }
}

/// The parts of a promise: one for each count.
fn parts(loaded: &LoadedGame, fact: &Fact, until: Instant, stop: &StopToken) -> Vec<Kept> {
    // A promise is about the options it names, not about those that were asked for.
    let game = match fact.with.as_deref().unwrap_or_default() {
        "" if loaded.source.options.is_empty() => loaded.game.clone(),
        options => match with_options(loaded, options) {
            Ok(game) => game,
            Err(message) => return vec![Kept::No(message)],
        },
    };
    let stoppable = |game| Stoppable { game, stop: stop.flag(), until: Some(until) };
    match &fact.kind {
        FactKind::Perft(counts) => {
            let game = game.with_adjudication(false);
            let each = (1..).zip(counts);
            each.map(|(depth, &count)| count_kept(&stoppable(&game), fact, depth, count)).collect()
        }
        FactKind::After { moves, outcome, draw } => {
            let wanted = match outcome {
                Some(winner) => format!("{} wins", winner.text),
                None if *draw => "draw".to_owned(),
                None => "goes on".to_owned(),
            };
            vec![after_kept(&stoppable(&game), fact, moves, &wanted)]
        }
        FactKind::Solved(_) => vec![Kept::Untried],
    }
}

fn with_options(loaded: &LoadedGame, options: &str) -> Result<CompiledGame, String> {
    loaded.with_options(options).map(|it| it.game).map_err(|it| it.to_string())
}

fn count_kept(game: &Stoppable<'_, CompiledGame>, fact: &Fact, depth: u32, count: u64) -> Kept {
    if count > LARGEST_COUNT {
        return Kept::Untried;
    }
    let position = match &fact.from {
        None => game.start(),
        Some(text) => match game.read(text) {
            Ok(state) => game.position(state),
            Err(error) => return Kept::No(format!("the position: {error}")),
        },
    };
    match perft(game, &position, depth) {
        Ok(found) if found == count => Kept::Yes,
        Ok(found) => Kept::No(format!("perft {depth} is {found}, not {count}")),
        Err(fault) if was_stopped(&fault) => Kept::Untried,
        Err(fault) => Kept::No(format!("perft {depth}: {fault}")),
    }
}

fn after_kept(game: &Stoppable<'_, CompiledGame>, fact: &Fact, moves: &str, wanted: &str) -> Kept {
    if game.is_stopped() {
        return Kept::Untried;
    }
    let turns = moves.split_whitespace().map(Played::new).collect();
    let record = Record { start: fact.from.clone(), turns, ..Record::default() };
    let found = match replay(game.game, &record) {
        Ok(it) if it.turn == Turn::Over => match ending(game.game, &it.position) {
            Ok(ending) => ending.verdict,
            Err(fault) => fault.message,
        },
        Ok(_) => "goes on".to_owned(),
        Err(error) => error.to_string(),
    };
    if found == wanted { Kept::Yes } else { Kept::No(format!("found: {found}")) }
}
