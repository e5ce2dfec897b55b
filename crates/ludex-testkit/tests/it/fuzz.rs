//! Text from nowhere: rules files, positions and records that are broken at
//! random. Nothing may panic or take long; a refusal with a message is right.
//!
//! Each target runs for a few seconds, in CI for a minute; by hand:
//!
//! ```text
//! LUDEX_FUZZ_SECONDS=600 LUDEX_FUZZ_SEED=7 cargo test --release -p ludex-testkit --test it fuzz::
//! ```

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::common::{game_of, setting, sheets};
use ludex_core::record::{Record, replay};
use ludex_core::{Game, Random, Turn};
use ludex_interp::RulesGame;

fn seconds() -> Duration {
    let usual = if std::env::var_os("CI").is_some() { 60 } else { 5 };
    Duration::from_secs(setting("LUDEX_FUZZ_SECONDS", usual))
}

/// Calls `attempt` with fresh random streams until the time is up. A panic, or an
/// attempt of more than two seconds, fails with the input.
fn fuzz<'a>(
    target: &str,
    mut attempt: impl FnMut(&mut Random) -> (String, Box<dyn FnOnce() + 'a>),
) {
    let seed = setting("LUDEX_FUZZ_SEED", 1);
    let end = Instant::now() + seconds();
    let mut runs = 0;
    while Instant::now() < end {
        let mut random = Random::stream(seed, runs, 0);
        let (input, run) = attempt(&mut random);
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(run));
        assert!(outcome.is_ok(), "{target}: seed {seed}, run {runs} panicked on\n{input}");
        let took = started.elapsed();
        assert!(took < Duration::from_secs(2), "{target}: run {runs} took {took:?} on\n{input}");
        runs += 1;
    }
    eprintln!("{target}: {runs} runs from seed {seed}");
    assert!(runs > 100, "{target}: only {runs} runs, nothing was tried");
}

/// A text with a few random changes: bytes, words and lines deleted, doubled,
/// swapped, replaced by pieces of `soup`.
fn damage(text: &str, soup: &[&str], random: &mut Random) -> String {
    let mut pieces: Vec<String> = split(text);
    for _ in 0..=random.below(6) {
        if pieces.is_empty() {
            break;
        }
        let at = random.below(pieces.len() as u32) as usize;
        let other = random.below(pieces.len() as u32) as usize;
        match random.below(6) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[other].clone()),
            2 => pieces.swap(at, other),
            3 => pieces[at] = piece(soup, random),
            4 => pieces.insert(at, piece(soup, random)),
            _ => pieces[at] = noise(random),
        }
    }
    pieces.concat()
}

fn piece(soup: &[&str], random: &mut Random) -> String {
    random.pick(soup).map_or_else(String::new, |it| (*it).to_owned())
}

/// Words, blanks and signs, each by itself.
fn split(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let kind = |c: char| (c.is_alphanumeric() || c == '_', c == ' ');
    for c in text.chars() {
        match pieces.last_mut() {
            Some(last)
                if last.chars().all(|it| kind(it) == kind(c)) && kind(c) != (false, false) =>
            {
                last.push(c);
            }
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// A few characters from anywhere.
fn noise(random: &mut Random) -> String {
    (0..random.below(8)).filter_map(|_| char::from_u32(random.below(0x3000))).collect()
}

const RULES_SOUP: &[&str] = &[
    "mine",
    "theirs",
    "for ",
    "in ",
    "if ",
    "let ",
    "move ",
    "try ",
    "to ",
    "take ",
    "put ",
    "on ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ";",
    "\n",
    "\n  ",
    "\n    ",
    "=",
    "==",
    "..",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "~",
    "0",
    "1",
    "99999999999999999999",
    "a1",
    "none",
    "me",
    "forward",
    "result",
    "moves",
    "stuck",
    "victory",
    "score ",
    "any ",
    "no ",
    "count(",
    "flood(",
    "while ",
    "break",
    "return ",
    "function f(): int",
    "cell x: 0..9",
    "board square 9 by 9",
    "\"",
    "#",
    "\t",
];

#[test]
fn rules_files() {
    let sheets = sheets();
    fuzz("rules", |random| {
        let (_, source) = random.pick(&sheets).expect("there are games");
        let text = damage(source, RULES_SOUP, random);
        let seed = random.next_u64();
        let input = text.clone();
        let run = move || {
            let compiled = ludex_rules::compile(&text, "");
            let _ = ludex_diagnostics::render(
                &compiled.diagnostics,
                ludex_diagnostics::SourceText::new("fuzz", &text),
            );
            let _ = ludex_rules::fmt::format(&text);
            if let Some(program) = compiled.program {
                let game = RulesGame::new(program);
                let limits = ludex_interp::RunLimits { steps: 300_000, ..*game.limits() };
                wander(&game.with_limits(limits), seed, 20);
            }
        };
        (input, Box::new(run))
    });
}

/// A short random game; a fault ends it.
fn wander(game: &RulesGame, seed: u64, plies: usize) {
    let mut random = Random::stream(seed, 0, 0);
    let mut position = game.start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let Ok(Turn::Of(player)) = game.turn(&position) else { return };
        if game.moves(&position, player, &mut moves).is_err() {
            return;
        }
        let Some(&mv) = random.pick(&moves) else { return };
        let _ = game.name(&position.state, mv);
        if game.apply(&mut position, &[mv]).is_err() {
            return;
        }
    }
    let _ = game.draw(&position.state);
}

const TEXT_SOUP: &[&str] = &[
    "/",
    "8",
    "99",
    "0",
    "-",
    "=",
    " ",
    "w",
    "b",
    "K",
    "x",
    "hand.",
    ".",
    ",",
    "\n",
    "{",
    "}",
    "+",
    "@",
    "a1",
    "none",
    "99999999999999999999",
    "é",
    "%",
    "\\",
    "game: ",
    "result: ",
    "start: ",
    "1. ",
];

#[test]
fn positions_and_records() {
    let games: Vec<(String, RulesGame)> =
        sheets().into_iter().map(|(name, source)| (name, game_of(&source, ""))).collect();
    let games = &games;
    fuzz("positions and records", |random| {
        let (name, game) = random.pick(games).expect("there are games");
        let (position, record) = sample(name, game, random);
        let text = damage(&position, TEXT_SOUP, random);
        let record = damage(&record, TEXT_SOUP, random);
        let input = format!("{name}\n{text}\n{record}");
        let run = move || {
            if let Ok(state) = game.read(&text) {
                let again = game.read(&game.write(&state));
                assert_eq!(again.as_ref(), Ok(&state), "what is written can be read");
                let _ = game.turn(&game.position(state.clone()));
                let _ = game.draw(&state);
            }
            if let Ok(record) = Record::parse(&record) {
                let again = Record::parse(&record.to_string());
                assert_eq!(again.as_ref(), Ok(&record), "what is written can be read");
                let _ = replay(game, &record);
            }
        };
        (input, Box::new(run))
    });
}

/// The texts of a position and of a record of a few random turns.
fn sample(name: &str, game: &RulesGame, random: &mut Random) -> (String, String) {
    let mut position = game.start();
    let mut record = format!("game: {name}\n\n");
    let mut moves = Vec::new();
    for _ in 0..random.below(6) {
        let Ok(Turn::Of(player)) = game.turn(&position) else { break };
        game.moves(&position, player, &mut moves).expect("no fault near the start");
        let Some(&mv) = random.pick(&moves) else { break };
        record.push_str(&game.name(&position.state, mv));
        record.push(' ');
        game.apply(&mut position, &[mv]).expect("no fault near the start");
    }
    (game.write(&position.state), record)
}
