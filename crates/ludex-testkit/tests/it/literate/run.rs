//! What is done with an example.

use ludex_core::perft::perft;
use ludex_core::playout::payoffs;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Player, Position, Random, Turn};
use ludex_diagnostics::{Diagnostic, SourceText, render};
use ludex_interp::{RulesGame, RunLimits};
use ludex_rules::ast::{Fact, FactKind};
use ludex_rules::codes::fault_help;
use ludex_rules::{Compiled, compile, compile_player};

use super::wrap::{Kind, Wrapped};
use crate::common::{game, root};

/// What parts of a game may be warned of: most of them are not meant to be a whole.
const HARMLESS: &[&str] = &["missing-result", "never-moves", "never-used"];

/// How messages call the example.
const FILE: &str = "example.game";

fn compiled(wrapped: &Wrapped) -> Result<Compiled, String> {
    if wrapped.kind != Kind::Beside {
        return Ok(compile(&wrapped.source, ""));
    }
    let (file, _) = ludex_rules::parse::parse(&wrapped.source);
    let name = file.header.and_then(|it| it.for_game).ok_or("it is for no game")?.text;
    let path = root().join("games").join(format!("{name}.game"));
    let rules = std::fs::read_to_string(path).map_err(|_| format!("there is no game `{name}`"))?;
    Ok(compile_player(&rules, "", &wrapped.source))
}

fn playable(program: Option<ludex_ir::VerifiedProgram>) -> Result<RulesGame, String> {
    let program = program.ok_or("it does not compile, and no message says why")?;
    Ok(RulesGame::new(program).with_limits(RunLimits::default()))
}

/// A part of a game must compile and play.
pub(super) fn clean(wrapped: &Wrapped) -> Result<(), String> {
    let compiled = compiled(wrapped)?;
    let wrong: Vec<Diagnostic> =
        compiled.diagnostics.iter().filter(|it| !HARMLESS.contains(&it.code)).cloned().collect();
    if !wrong.is_empty() {
        return Err(render(&wrong, SourceText::new(FILE, &wrapped.source)));
    }
    let game = playable(compiled.program)?;
    (0..20).try_for_each(|seed| play(&game, seed).map_err(|(fault, _)| fault.message))
}

/// A whole game must compile without a word, be formatted, play, and keep its promises.
pub(super) fn whole(source: &str, warns: bool) -> Result<(), String> {
    let compiled = compile(source, "");
    if compiled.has_errors() || compiled.diagnostics.is_empty() == warns {
        return Err(render(&compiled.diagnostics, SourceText::new(FILE, source)));
    }
    match ludex_rules::fmt::format(source) {
        Ok(formatted) if formatted == source => {}
        Ok(formatted) => return Err(format!("it is not formatted, which would be:\n{formatted}")),
        Err(_) => return Err("it cannot be formatted".to_owned()),
    }
    let game = playable(compiled.program)?;
    (0..20).try_for_each(|seed| play(&game, seed).map_err(|(fault, _)| fault.message))?;
    compiled.facts.iter().try_for_each(|fact| keep(fact, source))
}

/// Plays a random game of at most 300 turns; a fault comes with the moves before it.
fn play(game: &RulesGame, seed: u64) -> Result<(), (Fault, Vec<String>)> {
    let mut position = game.start();
    let mut random = Random::stream(seed, 0, 0);
    let mut choices = Choices::default();
    let (mut turn, mut names) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        match choices.fill(game, &position) {
            Ok(Turn::Over) => return Ok(()),
            Ok(_) => choices.draw(&mut random, &mut turn),
            Err(fault) => return Err((fault, names)),
        }
        let name = turn.first().map(|&mv| game.name(&position.state, mv));
        if let Err(fault) = game.apply(&mut position, &turn) {
            return Err((fault, names));
        }
        names.extend(name);
    }
    Ok(())
}

/// How an example with exactly this error is shown.
pub(super) fn error(wrapped: &Wrapped, code: &str) -> Result<String, String> {
    let compiled = compiled(wrapped)?;
    let found: Vec<&Diagnostic> = compiled
        .diagnostics
        .iter()
        .filter(|it| it.code == code || !HARMLESS.contains(&it.code))
        .collect();
    if found.is_empty() || found.iter().any(|it| it.code != code) {
        let found = render(&compiled.diagnostics, SourceText::new(FILE, &wrapped.source));
        return Err(format!("exactly `{code}` was promised, but found:\n{found}"));
    }
    let mut shown = Vec::new();
    for it in found {
        let (diagnostic, part) = wrapped.as_read(it)?;
        shown.push(render(&[diagnostic], SourceText::new(FILE, part)));
    }
    Ok(shown.join("\n"))
}

/// How an example that fails in play is shown.
pub(super) fn fault(wrapped: &Wrapped, code: &str) -> Result<String, String> {
    let compiled = compiled(wrapped)?;
    if compiled.has_errors() {
        return Err(render(&compiled.diagnostics, SourceText::new(FILE, &wrapped.source)));
    }
    let game = playable(compiled.program)?;
    let (fault, moves) =
        (0..20).find_map(|it| play(&game, it).err()).ok_or("nothing fails in play")?;
    if fault.code != code {
        return Err(format!("`{code}` was promised, but found `{}`: {fault}", fault.code));
    }
    let place = fault.place.and_then(|it| compiled.spans.get(it as usize - 1));
    let diagnostic =
        Diagnostic::error(fault.code, place.copied().unwrap_or_default(), fault.message)
            .help(fault_help(fault.code).unwrap_or_default());
    let (diagnostic, part) = wrapped.as_read(&diagnostic)?;
    let after = if moves.is_empty() {
        "at the start".to_owned()
    } else {
        format!("after {}", moves.join(" "))
    };
    Ok(format!("{}  in play: {after}\n", render(&[diagnostic], SourceText::new(FILE, part))))
}

/// `EXPRESSION => VALUE`, for the first player at the start of a game.
pub(super) fn expression(line: &str, game: &str) -> Result<(), String> {
    let code = line.split("  #").next().unwrap_or_default().trim();
    if code.is_empty() {
        return Ok(());
    }
    let (expr, value) = code.split_once("=>").ok_or_else(|| format!("`{code}` has no `=>`"))?;
    let (expr, value) = (expr.trim(), value.trim());
    let holds = if value.starts_with('{') {
        format!("no (({expr}) - {value}) and no ({value} - ({expr}))")
    } else {
        format!("({expr}) == {value}")
    };
    let asked = format!("if me == to_move and {holds}: victory\n");
    let wrapped = super::wrap::wrap(Kind::Result, &asked, game);
    let compiled = compile(&wrapped.source, "");
    let Some(program) = compiled.program else {
        return Err(format!(
            "{code}\n{}",
            render(&compiled.diagnostics, SourceText::new(FILE, &wrapped.source))
        ));
    };
    let game = playable(Some(program))?;
    let position = game.start();
    let won = game.outcomes(&position, Player(0)).map_err(|it| it.message)?;
    if won.is_empty() { Err(format!("`{code}` is not so")) } else { Ok(()) }
}

/// Positions that a bundled game reads and writes as they are.
pub(super) fn positions(name: &str, text: &str) -> Result<(), String> {
    let game = game(name);
    for line in text.lines().map(|it| it.split("  #").next().unwrap_or_default().trim()) {
        let state = game.read(line).map_err(|it| format!("`{line}`: {it}"))?;
        let written = game.write(&state);
        if written != line {
            return Err(format!("`{line}` is written `{written}`"));
        }
    }
    Ok(())
}

/// Whether a promise is kept.
fn keep(fact: &Fact, source: &str) -> Result<(), String> {
    let compiled = compile(source, fact.with.as_deref().unwrap_or_default());
    let game = playable(compiled.program)?;
    let mut position = match &fact.from {
        None => game.start(),
        Some(text) => {
            let state = game.read(text).map_err(|it| format!("`{text}`: {it}"))?;
            game.position(state)
        }
    };
    match &fact.kind {
        FactKind::Perft(counts) => {
            let game = game.with_adjudication(false);
            for (depth, &count) in (1..).zip(counts).filter(|(_, it)| **it <= 100_000) {
                let found = perft(&game, &position, depth).map_err(|it| it.message)?;
                if found != count {
                    return Err(format!("perft {depth} is {found}, not {count}"));
                }
            }
            Ok(())
        }
        FactKind::After { moves, outcome, draw } => {
            for name in moves.split_whitespace() {
                let mv = game
                    .named(&position, game.mover(&position.state), name)
                    .map_err(|it| it.message)?;
                let mv = mv.ok_or_else(|| {
                    format!("there is no move {name}:\n{}", game.draw(&position.state))
                })?;
                game.apply(&mut position, &[mv]).map_err(|it| it.message)?;
            }
            let wanted = match outcome {
                Some(winner) => format!("{} wins", winner.text),
                None if *draw => "draw".to_owned(),
                None => "goes on".to_owned(),
            };
            let found = ending(&game, &position).map_err(|it| it.message)?;
            if found == wanted {
                Ok(())
            } else {
                Err(format!("after `{moves}`: {found}, not {wanted}"))
            }
        }
        // Small games only, and the corpus test is for them.
        FactKind::Solved(_) => Ok(()),
    }
}

/// How a game stands, in the words of `expect`.
fn ending(game: &RulesGame, position: &Position) -> Result<String, Fault> {
    if game.turn(position)? != Turn::Over {
        return Ok("goes on".to_owned());
    }
    let payoffs = payoffs(game, position)?;
    let winner = payoffs.iter().position(|it| it.utility > 0.0);
    Ok(winner
        .map_or("draw".to_owned(), |it| format!("{} wins", game.player_name(Player(it as u8)))))
}
