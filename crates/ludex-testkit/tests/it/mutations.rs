//! Bundled games with lines and words deleted, doubled, swapped and replaced:
//! whatever comes of it, the compiler answers soon and nothing panics.
//!
//! A run stops after a number of seconds; with another seed it sees other files:
//!
//! ```text
//! LUDEX_MUTATION_SECONDS=600 LUDEX_MUTATION_SEED=7 cargo test -p ludex-testkit --test it mutations:: -- --nocapture
//! ```

#![allow(clippy::print_stderr, reason = "the seed of a run is worth knowing")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::common::{setting, sheets};
use ludex_core::{Fault, Game, Random, Turn};
use ludex_interp::{RulesGame, RunLimits};
use ludex_rules::compile;

/// What one question to a mutant may cost: enough for the games as they are, and soon over.
const LIMITS: RunLimits = RunLimits { steps: 300_000, depth: 200, moves: 20_000 };

/// How long the compiler may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many turns of a mutant are played.
const PLIES: u32 = 50;

/// What came of a mutant.
enum Life {
    /// It was refused.
    Refused,
    /// It was played, perhaps up to a fault.
    Played,
}

#[test]
fn mutants_are_refused_or_played() {
    let seed = setting("LUDEX_MUTATION_SEED", 1);
    let until = Instant::now() + Duration::from_secs(setting("LUDEX_MUTATION_SECONDS", 15));
    eprintln!("seed {seed}");
    let games: Vec<String> = sheets().into_iter().map(|(_, source)| source).collect();
    let words: Vec<&str> =
        games.iter().flat_map(|it| pieces(it)).filter(|it| !is_space(it)).collect();
    let lines: Vec<&str> = games.iter().flat_map(|it| it.lines()).collect();
    let (next, refused, played) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while Instant::now() < until {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let mut random = Random::stream(seed, number, 0);
            let source = mutant(&games, &lines, &words, &mut random);
            match live(&source, &mut random) {
                Ok(Life::Refused) => refused.fetch_add(1, Ordering::Relaxed),
                Ok(Life::Played) => played.fetch_add(1, Ordering::Relaxed),
                Err(message) => {
                    let file = keep(&source, seed, number);
                    wrong.lock().expect("no thread panics here").push(format!("{message}: {file}"));
                    return;
                }
            };
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|it| it.join().expect("panics are caught"));
    });
    let wrong = wrong.into_inner().expect("no thread panics here");
    assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    let (refused, played) = (refused.into_inner(), played.into_inner());
    eprintln!("{refused} refused, {played} played");
    assert!(refused > 0 && played > 0, "mutants should be of both kinds: {refused}, {played}");
}

/// Writes a mutant down, so that it can be looked at.
fn keep(source: &str, seed: u64, number: u64) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutant-{seed}-{number}.game"));
    fs::write(&path, source).expect("there is room for it");
    path.display().to_string()
}

/// Compiles and plays a file; what went wrong, if the fault is not the file's.
fn live(source: &str, random: &mut Random) -> Result<Life, String> {
    let lived = catch_unwind(AssertUnwindSafe(|| {
        if compiling(source) > PATIENCE && compiling(source) > PATIENCE {
            return Err("the compiler took too long".to_owned());
        }
        let compiled = compile(source, "");
        // Showing what is wrong may not panic either.
        ludex_diagnostics::render(
            &compiled.diagnostics,
            ludex_diagnostics::SourceText::new("mutant.game", source),
        );
        let Some(program) = compiled.program else {
            return if compiled.diagnostics.is_empty() {
                Err("no program, and no message says why".to_owned())
            } else {
                Ok(Life::Refused)
            };
        };
        let game = RulesGame::new(program).with_limits(LIMITS);
        // A fault is an error of the file, and that is what mutants are for.
        let _: Result<(), Fault> = play(&game, random);
        Ok(Life::Played)
    }));
    lived.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", message.unwrap_or("without words")))
    })
}

fn compiling(source: &str) -> Duration {
    let started = Instant::now();
    compile(source, "");
    started.elapsed()
}

fn play(game: &RulesGame, random: &mut Random) -> Result<(), Fault> {
    let mut position = game.start();
    let mut moves = Vec::new();
    for _ in 0..PLIES {
        let Turn::Of(player) = game.turn(&position)? else { break };
        game.moves(&position, player, &mut moves)?;
        let Some(&mv) = random.pick(&moves) else { break };
        game.name(&position.state, mv);
        game.apply(&mut position, &[mv])?;
    }
    let text = game.write(&position.state);
    // The symbols of men may have become ambiguous; reading may fail, but not panic.
    let _ = game.read(&text);
    game.draw(&position.state);
    Ok(())
}

/// A bundled game after a few accidents.
fn mutant(games: &[String], lines: &[&str], words: &[&str], random: &mut Random) -> String {
    let mut source = random.pick(games).expect("there are games").clone();
    for _ in 0..=random.below(4) {
        source = if random.below(3) == 0 {
            line_accident(&source, lines, random)
        } else {
            word_accident(&source, words, random)
        };
    }
    source
}

fn line_accident(source: &str, others: &[&str], random: &mut Random) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let (a, b) = (place(&lines, random), place(&lines, random));
    match random.below(6) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(a, lines[a].clone()),
        2 => lines.swap(a, b),
        3 => lines[a].insert_str(0, "  "),
        4 if lines[a].starts_with("  ") => drop(lines[a].drain(..2)),
        _ => lines.insert(a, (*random.pick(others).expect("there are lines")).to_owned()),
    }
    lines.join("\n") + "\n"
}

fn word_accident(source: &str, words: &[&str], random: &mut Random) -> String {
    let mut parts: Vec<&str> = pieces(source);
    let solid: Vec<usize> = (0..parts.len()).filter(|&it| !is_space(parts[it])).collect();
    let (Some(&a), Some(&b)) = (random.pick(&solid), random.pick(&solid)) else {
        return source.to_owned();
    };
    match random.below(6) {
        0 => parts[a] = "",
        1 => parts.insert(a, parts[a]),
        2 => parts.swap(a, b),
        3 => parts[a] = parts[b],
        4 => parts[a] = random.pick(NUMBERS).expect("there are some"),
        _ => parts[a] = random.pick(words).expect("there are words"),
    }
    parts.concat()
}

/// Words that are likely to do harm.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "3",
    "60000",
    "60001",
    "65536",
    "1000000",
    "9223372036854775807",
    "99999999999999999999",
    "none",
    "all",
    "me",
    "{}",
    "[]",
];

fn place(lines: &[String], random: &mut Random) -> usize {
    random.below(lines.len().max(1) as u32) as usize
}

fn is_space(piece: &str) -> bool {
    piece.chars().all(char::is_whitespace)
}

/// A text cut into words, signs and stretches of blanks.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| {
        if c.is_alphanumeric() || c == '_' {
            0
        } else if c == ' ' {
            1
        } else {
            2
        }
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = kind(c);
        if at > start && (kind == 2 || last != Some(kind)) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = Some(kind);
    }
    pieces.push(&text[start..]);
    pieces
}
