//! Every rules file in `games/` keeps the promises of its `expect` block.
//!
//! To add a game, add a file. Nothing here needs to change. The interpreter counts up to a
//! million and native code further; counts above the limits are left to a run by hand:
//!
//! ```text
//! LUDEX_PERFT_LIMIT=20000000 cargo test --release -p ludex-testkit --test it corpus:: -- --nocapture
//! LUDEX_NATIVE_PERFT_LIMIT=300000000 cargo test --release -p ludex-testkit --test it corpus::native -- --nocapture
//! ```

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::time::Instant;

use crate::common::{for_all, game_of, setting, sheets};
use ludex_core::perft::perft;
use ludex_core::{Game, GameExt, Player, PositionOf, Turn};
use ludex_interp::RulesGame;
use ludex_jit::CompiledGame;
use ludex_rules::ast::{Fact, FactKind};
use ludex_testkit::solve::solve;

/// One promise of one file.
struct Promise {
    game: String,
    source: String,
    fact: Fact,
    /// For counts, the depth.
    depth: u32,
    /// For counts, the number promised.
    count: u64,
}

fn promises(limit: u64) -> Vec<Promise> {
    let mut promises = Vec::new();
    for (game, source) in sheets() {
        for fact in ludex_rules::compile(&source, "").facts {
            let counts = match &fact.kind {
                FactKind::Perft(counts) => counts.clone(),
                _ => vec![0],
            };
            for (index, count) in counts.into_iter().enumerate().filter(|(_, it)| *it <= limit) {
                promises.push(Promise {
                    game: game.clone(),
                    source: source.clone(),
                    fact: fact.clone(),
                    depth: index as u32 + 1,
                    count,
                });
            }
        }
    }
    promises
}

#[test]
fn rules_files_keep_their_promises() {
    let limit = setting("LUDEX_PERFT_LIMIT", 1_000_000);
    let promises = promises(limit);
    assert!(promises.len() > 150, "only {} promises were found", promises.len());
    let broken = for_all(&promises, |it| it.count, keep);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

/// The counts again, and further, by native code.
#[test]
fn native_code_comes_to_the_same_counts() {
    let limit = setting("LUDEX_NATIVE_PERFT_LIMIT", 7_000_000);
    let is_count = |it: &Promise| matches!(it.fact.kind, FactKind::Perft(_));
    let promises: Vec<Promise> = promises(limit).into_iter().filter(is_count).collect();
    assert!(promises.len() > 150, "only {} promises were found", promises.len());
    let broken = for_all(&promises, |it| it.count, keep_natively);
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

/// Every bundled game promises something, and is free of warnings.
#[test]
fn rules_files_are_clean() {
    let mut wrong = Vec::new();
    for (name, source) in sheets() {
        let compiled = ludex_rules::compile(&source, "");
        if compiled.facts.is_empty() {
            wrong.push(format!("{name} promises nothing"));
        }
        if !compiled.diagnostics.is_empty() {
            wrong.push(ludex_diagnostics::render(
                &compiled.diagnostics,
                ludex_diagnostics::SourceText::new(&name, &source),
            ));
        }
        if compiled.program.is_none() {
            wrong.push(format!("{name} does not compile"));
        }
        if ludex_rules::fmt::format(&source).ok().as_deref() != Some(source.as_str()) {
            wrong.push(format!("{name} is not formatted: run `ludex fmt games/{name}.game`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn keep(promise: &Promise) -> Result<(), String> {
    let options = promise.fact.with.clone().unwrap_or_default();
    let label = format!("{}:{options}", promise.game);
    let game = game_of(&promise.source, &options);
    match &promise.fact.kind {
        FactKind::Perft(_) => count(&label, &game.with_adjudication(false), promise),
        FactKind::After { moves, outcome, draw } => {
            let wanted = match outcome {
                Some(winner) => format!("{} wins", winner.text),
                None if *draw => "draw".to_owned(),
                None => "goes on".to_owned(),
            };
            let found = after(&game, promise.fact.from.as_deref(), moves)
                .map_err(|it| format!("{label}: {it}"))?;
            if found == wanted {
                return Ok(());
            }
            Err(format!("{label}: after `{moves}`: {found}, promised {wanted}"))
        }
        FactKind::Solved(value) => solved(&label, &game.with_adjudication(false), &value.text),
    }
}

fn keep_natively(promise: &Promise) -> Result<(), String> {
    let options = promise.fact.with.clone().unwrap_or_default();
    let label = format!("{}:{options} natively", promise.game);
    let game = game_of(&promise.source, &options).with_adjudication(false);
    let game = CompiledGame::native(game).map_err(|it| format!("{label}: {it}"))?;
    count(&label, &game, promise)
}

fn from<G: Game>(game: &G, position: Option<&str>) -> Result<PositionOf<G>, String> {
    let Some(text) = position else { return Ok(game.start()) };
    let state = game.read(text).map_err(|it| format!("`{text}`: {it}"))?;
    Ok(game.position(state))
}

fn count(label: &str, game: &impl Game, promise: &Promise) -> Result<(), String> {
    let started = Instant::now();
    let text = promise.fact.from.as_deref();
    let position = from(game, text).map_err(|it| format!("{label}: {it}"))?;
    let counted = perft(game, &position, promise.depth)
        .map_err(|it| format!("{label}: perft {}: {it}", promise.depth))?;
    if promise.count >= 100_000 {
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{label} perft {} = {counted} in {seconds:.1} s", promise.depth);
    }
    if counted == promise.count {
        return Ok(());
    }
    let (depth, wanted) = (promise.depth, promise.count);
    Err(format!("{label} {text:?}: perft {depth} is {counted}, promised {wanted}"))
}

fn after(game: &RulesGame, text: Option<&str>, moves: &str) -> Result<String, String> {
    let mut position = from(game, text)?;
    for name in moves.split_whitespace() {
        let Turn::Of(player) = game.turn(&position).map_err(|it| it.to_string())? else {
            return Err(format!("the game is over before {name}"));
        };
        let mv = game.named(&position, player, name).map_err(|it| it.to_string())?;
        let mv = mv.ok_or_else(|| format!("no move {name} in\n{}", game.draw(&position.state)))?;
        game.apply(&mut position, &[mv]).map_err(|it| it.to_string())?;
    }
    if game.turn(&position).map_err(|it| it.to_string())? != Turn::Over {
        return Ok("goes on".to_owned());
    }
    for player in 0..game.players() as u8 {
        let payoff = game.payoff(&position, Player(player)).map_err(|it| it.to_string())?;
        if payoff.utility > 0.0 {
            return Ok(format!("{} wins", game.player_name(Player(player))));
        }
    }
    Ok("draw".to_owned())
}

fn solved(label: &str, game: &RulesGame, wanted: &str) -> Result<(), String> {
    let solution = solve(game, 2_000_000).map_err(|it| format!("{label}: {it:?}"))?;
    let start = game.start().state;
    let found = match solution.value(&start, game.mover(&start)) {
        1 => "win",
        -1 => "loss",
        _ => "draw",
    };
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{label}: solved {found}, promised {wanted}"))
    }
}
