//! Set code does what the loops did: the interpreter on hand-written functions before
//! and after the passes, on random boards; and what becomes of the loops of the bundled games.
//!
//! That whole games stay the same is tested in `passes.rs`.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::common::{game, setting, sheets};
use ludex_core::{Fault, Game, Player, Random};
use ludex_interp::RulesGame;
use ludex_ir::passes::loops::Loops;
use ludex_ir::passes::{Optimised, list_loops, members, optimise, rays, reverse, setwise, tidy};
use ludex_ir::passes::{PlayerCode, with_function};
use ludex_ir::{Func, Inst, PackedMove, Program, verify};

const TEXT: &str = include_str!("../../../ludex-ir/tests/programs/sets.ir");

/// Functions of the text that are not moves or results by themselves.
const HELPERS: &[&str] = &["effect of one", "effect of two", "could take"];

fn optimised(program: &Program) -> Program {
    let mut program = program.clone();
    let passes: [fn(&mut Program, Func); 5] =
        [members::run, list_loops::run, rays::run, setwise::run, reverse::run];
    for index in 0..program.functions.len() {
        for pass in passes {
            let func = Func(index as u16);
            with_function(&mut program, func, |program, function| tidy(program, function));
            pass(&mut program, func);
        }
    }
    program
}

/// The moves that a program lists and what it says, from where it starts.
fn answers(program: Program) -> Result<(BTreeSet<PackedMove>, usize), Fault> {
    let game = RulesGame::new(verify(program).expect("the passes keep to the rules of a program"));
    let position = game.start();
    let moves = game.pseudo_moves(&position, Player(0))?;
    let outcomes = game.outcomes(&position, Player(0))?;
    Ok((moves.into_iter().collect(), outcomes.len()))
}

#[test]
fn functions_by_hand_do_the_same_on_random_boards() {
    let seed = setting("LUDEX_SEED", 5);
    let boards = setting("LUDEX_PASS_STATES", 300);
    let plain = Program::parse(TEXT).expect("the program is well formed");
    let fast = optimised(&plain);
    for (index, function) in plain.functions.iter().enumerate() {
        if HELPERS.contains(&function.name.as_str()) {
            continue;
        }
        let mut random = Random::stream(seed, index as u64, 0);
        let mut answered = BTreeSet::new();
        for board in 0..boards {
            let crowd = random.below(4) + 2;
            let start: Vec<i64> = (0..plain.squares)
                .map(|_| if random.below(crowd) == 0 { 0 } else { random.below(5) as i64 })
                .chain([0])
                .collect();
            let [before, after] = [&plain, &fast].map(|program| {
                let mut program = program.clone();
                let func = Func(index as u16);
                if function.name.ends_with("wins") {
                    program.roles.result = Some(func);
                } else {
                    program.roles.moves = func;
                }
                program.start.clone_from(&start);
                answers(program)
            });
            let same = match (&before, &after) {
                (Ok(before), Ok(after)) => before == after,
                // A walk that goes round in circles is stopped in both.
                (before, after) => before.is_err() && after.is_err(),
            };
            let name = &function.name;
            assert!(same, "{name}, seed {seed}, board {board} {start:?}: {before:?} {after:?}");
            answered.insert(format!("{before:?}"));
        }
        assert!(answered.len() > 1 || function.name == "idle", "{} says one thing", function.name);
    }
}

/// How many loops a function has, and how many instructions on whole sets.
fn loops_and_sets(program: &Program, func: Func) -> (usize, usize) {
    let function = program.function(func);
    let insts = function.blocks.iter().flat_map(|it| &it.insts);
    let at_once = insts.filter(|(inst, _)| {
        matches!(
            inst,
            Inst::EmitAll { .. }
                | Inst::Rays { .. }
                | Inst::Neighbours { .. }
                | Inst::Shift { .. }
                | Inst::Leap { .. }
                | Inst::Slide { .. }
        )
    });
    (Loops::of(function).all().len(), at_once.count())
}

fn algorithms(code: &PlayerCode) -> Vec<(&'static str, Func)> {
    let all = [
        ("moves", Some(code.roles.moves)),
        ("result", code.roles.result),
        ("illegal", code.roles.illegal),
    ];
    all.into_iter().filter_map(|(name, func)| Some((name, func?))).collect()
}

#[test]
fn games_of_fixed_distances_have_no_loops_left() {
    let names =
        ["tictactoe", "connect4", "gomoku", "hex", "breakthrough", "othello", "knightthrough"];
    for name in names {
        let Optimised { program, players } = optimise(game(name).program());
        for (what, func) in players.iter().flat_map(algorithms) {
            let (loops, _) = loops_and_sets(&program, func);
            assert_eq!(loops, 0, "{name} {what}:\n{}", program.function_text(func));
        }
    }
}

/// What became of the loops of each game: `cargo test -- --nocapture` shows it.
#[test]
#[allow(clippy::print_stdout, reason = "the table is what the test is for")]
fn loops_of_the_bundled_games() {
    println!("game: algorithm, loops left, instructions on whole sets; time for all passes");
    for (name, _) in sheets() {
        let plain = game(&name);
        let started = Instant::now();
        let Optimised { program, players } = optimise(plain.program());
        let time = started.elapsed().as_millis();
        let shown: Vec<String> = algorithms(&players[0])
            .into_iter()
            .map(|(what, func)| {
                let (loops, sets) = loops_and_sets(&program, func);
                format!("{what} {loops} {sets}")
            })
            .collect();
        println!("{name}: {}; {time} ms", shown.join(", "));
    }
}
