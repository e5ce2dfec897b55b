//! Random rules files, run by every engine: the interpreter is the reference, the
//! optimised program and native code must answer as it does.
//!
//! Each run has a printed seed; a failure shows the file and the number of the run.
//! By hand:
//!
//! ```text
//! LUDEX_FUZZ_SECONDS=600 LUDEX_SEED=7 cargo test --release -p ludex-testkit --test it native_fuzz::
//! LUDEX_SEED=7 LUDEX_RUN=123 cargo test -p ludex-testkit --test it native_fuzz::
//! LUDEX_SEED=7 LUDEX_RUN=123 LUDEX_FILE=smaller.game cargo test -p ludex-testkit --test it native_fuzz::
//! ```
//!
//! The last one tries a file as if it were that of the run: so a file can be made smaller, line by line.
//!
//! `LUDEX_FAILURES=20` goes on after a failure, until there are that many.

#![allow(clippy::print_stderr, reason = "what a long test has done is worth a line")]

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::common::setting;
use crate::compare::{Plan, Tally, compare};
use ludex_core::Random;
use ludex_interp::{RulesGame, RunLimits};
use ludex_ir::{End, Program, verify};
use ludex_jit::CompiledGame;
use ludex_testkit::random_rules;

fn plan() -> Plan {
    Plan {
        states: 60,
        plies: 25,
        children: 2,
        more_children: (4, 15),
        ask_turn: true,
        playouts: setting("LUDEX_PLAYOUTS", 2) as usize,
        followed: 20,
        wild: true,
    }
}

fn seconds() -> Duration {
    let usual = if std::env::var_os("CI").is_some() { 60 } else { 10 };
    Duration::from_secs(setting("LUDEX_FUZZ_SECONDS", usual))
}

/// Makes random files until the time is up and hands each game to `check`.
fn fuzz(label: &str, check: impl Fn(&RulesGame, u64) -> Result<Tally, String>) {
    let seed = setting("LUDEX_SEED", 1);
    let only = std::env::var("LUDEX_RUN").ok().and_then(|it| it.parse::<u64>().ok());
    let given =
        std::env::var("LUDEX_FILE").ok().map(|it| std::fs::read_to_string(it).expect("a file"));
    let end = Instant::now() + seconds();
    let most_failures = setting("LUDEX_FAILURES", 1) as usize;
    let mut wrong = Vec::new();
    let (mut runs, mut played, mut total) = (only.unwrap_or(0), 0, Tally::default());
    while Instant::now() < end {
        let text =
            given.clone().unwrap_or_else(|| random_rules(&mut Random::stream(seed, runs, 2)));
        if let Some(program) = ludex_rules::compile(&text, "").program {
            let game = RulesGame::new(program);
            let limits = RunLimits { steps: 300_000, moves: 20_000, ..*game.limits() };
            match check(&game.with_limits(limits), seed.wrapping_add(runs)) {
                Ok(tally) => add(&mut total, &tally),
                Err(it) => wrong.push(format!("{label}: seed {seed}, run {runs}: {it}\n\n{text}")),
            }
            played += 1;
        }
        runs += 1;
        if only.is_some() || wrong.len() >= most_failures {
            break;
        }
    }
    eprintln!("{label}: {played} files of {runs} from seed {seed}: {total:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(only.is_some() || played > 20, "{label}: only {played} files, nothing was tried");
}

fn add(total: &mut Tally, tally: &Tally) {
    total.states += tally.states;
    total.games += tally.games;
    total.finished += tally.finished;
    total.moves += tally.moves;
    total.children += tally.children;
    total.faults += tally.faults;
    total.playouts += tally.playouts;
    total.traced += tally.traced;
}

/// The optimised program, run by the interpreter, within the limits of the original.
fn optimised(game: &RulesGame) -> RulesGame {
    let program = ludex_ir::passes::optimise(game.program()).program;
    let program = verify(program).expect("passes keep to the rules of a program");
    RulesGame::new(program).with_limits(*game.limits())
}

#[test]
fn optimised_programs_answer_as_the_originals_do() {
    fuzz("optimised", |game, seed| compare(game, &optimised(game), seed, &plan()));
}

#[test]
fn native_code_answers_as_the_interpreter_does() {
    let (tried, refused) = (Cell::new(0), Cell::new(0));
    fuzz("native", |game, seed| {
        tried.set(tried.get() + 1);
        let Ok(native) = CompiledGame::native(game.clone()) else {
            refused.set(refused.get() + 1);
            return Ok(Tally::default());
        };
        compare(game, &native, seed, &plan())
    });
    let (tried, refused) = (tried.get(), refused.get());
    eprintln!("native: {refused} of {tried} files were left to the interpreter");
    assert!(refused * 10 <= tried + 10, "{refused} of {tried} files have no native code");
}

/// A comparison that finds nothing is worth nothing: a program with one branch turned round
/// must be told from the original as often as not.
#[test]
fn the_comparison_has_teeth() {
    let (mut tried, mut found) = (0, 0);
    for run in 0..60 {
        let mut random = Random::stream(9, run, 2);
        let text = random_rules(&mut random);
        let Some(program) = ludex_rules::compile(&text, "").program else { continue };
        let Some(changed) = with_a_branch_turned(&program, &mut random) else { continue };
        let limits = RunLimits { steps: 300_000, moves: 20_000, ..RunLimits::default() };
        let [game, other] = [program, verify(changed).expect("it is valid")].map(RulesGame::new);
        tried += 1;
        let agrees = compare(&game.with_limits(limits), &other.with_limits(limits), run, &plan());
        found += u32::from(agrees.is_err());
    }
    eprintln!("teeth: {found} of {tried} changes were found");
    assert!(tried > 40 && found * 3 > tried, "{found} of {tried} changes were found");
}

/// A program whose moves go the other way at one branch.
fn with_a_branch_turned(program: &Program, random: &mut Random) -> Option<Program> {
    let mut changed = program.clone();
    let moves = &mut changed.functions[program.roles.moves.0 as usize];
    let mut branches: Vec<&mut End> = moves
        .blocks
        .iter_mut()
        .map(|block| &mut block.end.0)
        .filter(|end| matches!(end, End::Branch { .. }))
        .collect();
    let at = random.below(branches.len() as u32) as usize;
    if let End::Branch { yes, no, .. } = branches.get_mut(at)? {
        std::mem::swap(yes, no);
    }
    Some(changed)
}
