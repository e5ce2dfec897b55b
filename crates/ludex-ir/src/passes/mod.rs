//! Passes: code that says the same and runs faster.
//!
//! ```text
//! Program --optimise--> Optimised { program, players } --> native code, or the interpreter
//! ```
//!
//! [`specialise`](mod@specialise) makes a copy of the code for each player, [`calls`] inlines, and
//! [`tidy`] clears up: [`constant_folding`] with [`range_analysis`], [`jump_threading`],
//! [`copy_propagation`], [`webs`], [`cse`], [`dead_code`] and [`simplify`](mod@simplify). Then loops
//! over squares become operations on sets, and short loops that remain are unrolled
//! ([`unroll`](mod@unroll)).
//!
//! A pass never changes what the code does to the state, nor which moves it lists, outcomes it
//! gives or features it sets. It may change the order in which moves are listed, and how many
//! steps a run takes; only candidates keep theirs, because a search may play the first of equals.

mod arith;
pub mod budget;
pub mod calls;
pub mod constant_folding;
pub mod copy_propagation;
pub mod cse;
pub mod dead_code;
pub mod dead_functions;
pub mod distinct;
pub mod edit;
pub mod emit_merging;
pub mod faults;
pub mod if_conversion;
pub mod inline;
pub mod jump_threading;
pub mod last_move;
pub mod legality_guard;
pub mod list_loops;
pub mod liveness;
pub mod loops;
pub mod members;
mod path_conditions;
pub mod range;
pub mod range_analysis;
pub mod ray_precheck;
pub mod rays;
pub mod reverse;
pub mod setwise;
pub mod simplify;
pub mod specialise;
pub mod store_merging;
pub mod unroll;
mod value_sets;
pub mod walks;
pub mod webs;

use self::budget::Budget;
use crate::inst::{Func, Inst};
use crate::program::{Function, Program, RoleFunctions};
use crate::verify::errors;

/// A program made ready for running fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimised {
    /// An ordinary program that plays the same game: each role calls the code of `me`. It says
    /// nothing of how moves are written.
    pub program: Program,
    /// The code of each player.
    pub players: Vec<PlayerCode>,
}

/// The algorithms of one player, `me` being that player throughout (the parameter `me` stays, but
/// its value is known).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCode {
    /// The functions that are the algorithms.
    pub roles: RoleFunctions,
    /// What a move does, by statement.
    pub effects: Vec<Func>,
    /// What can be said of the result after a move of this player, by statement and by the
    /// player it is asked for.
    pub after: Vec<Vec<After>>,
    /// Which moves are legal without being tried.
    pub legality_guard: Option<legality_guard::LegalityGuard>,
}

/// What `result`, asked for a player, can say right after a move of a statement, if it said
/// nothing before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Whatever the whole result function says.
    Whole,
    /// It still says nothing.
    Nothing,
    /// What this function says: its parameters are `me` (the player it is asked for) and then the
    /// operands of the move.
    Function(Func),
}

impl PlayerCode {
    /// All functions of the player that are run by themselves.
    pub fn functions(&self) -> impl Iterator<Item = Func> + '_ {
        self.roles.each().chain(self.effects.iter().copied())
    }
}

/// Runs all passes over a verified program. What becomes of it is verified again in debug builds.
pub fn optimise(program: &Program) -> Optimised {
    let optimised = run_passes(program);
    debug_assert_eq!(errors(&optimised.program), [], "passes keep to the rules of a program");
    optimised
}

fn run_passes(program: &Program) -> Optimised {
    let mut work = Budget::default();
    let mut optimised = optimise_functions(program, &mut work, |program, func, order| {
        if order == Order::Kept {
            run_all(IN_ORDER, program, func);
            return write_out(program, func);
        }
        run_all(TO_SETS, program, func);
        write_out(program, func);
        run_all(SETS_AT_ONCE, program, func);
        run_all(WHAT_IS_LEFT, program, func);
    });
    if work.was_too_much() {
        // What follows looks at the same functions again.
        dead_functions::prune(&mut optimised);
        return optimised;
    }
    last_move::run(&mut optimised);
    for player in 0..optimised.players.len() {
        let code = &optimised.players[player];
        let (illegal, effects) = (code.roles.illegal, code.effects.clone());
        optimised.players[player].legality_guard = illegal
            .and_then(|it| legality_guard::legality_guard(&mut optimised.program, it, &effects));
    }
    dead_functions::prune(&mut optimised);
    // After the guard, which reads the rays as they were written.
    for func in (0..optimised.program.functions.len() as u16).map(Func) {
        ray_precheck::run(&mut optimised.program, func);
    }
    optimised
}

/// Runs the passes that work on numbers only: what [`optimise`] does without looking at sets.
pub fn optimise_numbers(program: &Program) -> Optimised {
    let change = |program: &mut Program, func, _| write_out(program, func);
    let mut optimised = optimise_functions(program, &mut Budget::default(), change);
    dead_functions::prune(&mut optimised);
    optimised
}

/// Makes the code of each player, its calls inlined, and changes every function of it.
fn optimise_functions(
    program: &Program,
    work: &mut Budget,
    change: impl Fn(&mut Program, Func, Order),
) -> Optimised {
    let mut optimised = specialise::specialise(program);
    let roots: Vec<Func> = optimised.players.iter().flat_map(PlayerCode::functions).collect();
    let program = &mut optimised.program;
    calls::inline_all(program, &roots, work);
    let candidates: Vec<Func> =
        optimised.players.iter().filter_map(|it| it.roles.candidates).collect();
    let listing = listing_in_order(program, &candidates);
    for func in reached(program, &roots) {
        if work.looks_at_loops(program.function(func)) {
            let order = if listing.contains(&func) { Order::Kept } else { Order::Any };
            change(program, func, order);
        }
    }
    optimised
}

/// Whether the moves that a function lists stay in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Any,
    Kept,
}

/// The functions that list candidates, by themselves or by what they call.
fn listing_in_order(program: &Program, candidates: &[Func]) -> Vec<Func> {
    let lists = |func: Func| {
        let mut insts = program.function(func).blocks.iter().flat_map(|it| &it.insts);
        insts.any(|(it, _)| matches!(it, Inst::Emit { .. } | Inst::EmitAll { .. }))
    };
    let mut found = reached(program, candidates);
    found.retain(|&func| reached(program, &[func]).into_iter().any(lists));
    found
}

/// A pass that looks for loops in one function.
type Pass = fn(&mut Program, Func);

/// Passes that make loops over sets of loops over squares and directions, while those are lists.
const TO_SETS: &[Pass] = &[members::run, list_loops::run, rays::run];
/// Those of them that keep the order of the squares.
const IN_ORDER: &[Pass] = &[members::run];
/// Passes that make operations on whole sets of loops over their members.
const SETS_AT_ONCE: &[Pass] = &[setwise::run, reverse::run];

/// Passes over the loops that could not be taken together.
const WHAT_IS_LEFT: &[Pass] =
    &[walks::run, if_conversion::run, store_merging::run, emit_merging::run];

/// Runs passes over a function, clearing up after each that found something.
fn run_all(passes: &[Pass], program: &mut Program, func: Func) {
    for pass in passes {
        let before = program.function(func).clone();
        pass(program, func);
        if *program.function(func) != before {
            with_function(program, func, |program, function| tidy(program, function));
        }
    }
}

/// Writes out the short loops that are left.
fn write_out(program: &mut Program, func: Func) {
    with_function(program, func, |program, function| {
        if unroll::unroll(program, function) {
            tidy(program, function);
        }
    });
}

/// Clears up a function: everything that can be known without looking at what it calls.
pub fn tidy(program: &Program, function: &mut Function) {
    // What a round decides or splits uncovers something for the next; few need more than three.
    for _ in 0..8 {
        constant_folding::fold(program, function);
        simplify::simplify(function);
        let decided = jump_threading::thread(program, function);
        copy_propagation::propagate(function);
        let split = webs::split(function);
        if cse::share(function) {
            copy_propagation::propagate(function);
        }
        dead_code::remove(function);
        copy_propagation::coalesce(function);
        simplify::simplify(function);
        dead_code::renumber(function);
        if !decided && !split {
            break;
        }
    }
}

/// The functions that some functions reach by calls, themselves included, lowest first.
fn reached(program: &Program, roots: &[Func]) -> Vec<Func> {
    let mut found: Vec<Func> = roots.to_vec();
    let mut next = 0;
    while let Some(&func) = found.get(next) {
        for (_, to) in inline::calls(program.function(func)) {
            if !found.contains(&to) {
                found.push(to);
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Changes a function that a program has, with the rest of the program at hand. Meanwhile the
/// function in the program is an empty one.
pub fn with_function<T>(
    program: &mut Program,
    func: Func,
    change: impl FnOnce(&mut Program, &mut Function) -> T,
) -> T {
    let slot = &mut program.functions[func.0 as usize];
    let (blocks, names) = (std::mem::take(&mut slot.blocks), std::mem::take(&mut slot.names));
    let mut function = Function { blocks, names, ..slot.clone() };
    let done = change(program, &mut function);
    program.functions[func.0 as usize] = function;
    done
}
