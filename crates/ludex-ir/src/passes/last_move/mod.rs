//! What the last move alone can have brought about.
//!
//! ```text
//! moves, stuck --listed--> what stood on the squares of a move
//! effect --changes--> which squares changed, from what to what
//! result --clauses--> when it says what --plan--> what must be tested now --code--> a function
//! ```
//!
//! A game goes on only while its result says nothing. So right after a move the
//! result can only say what that move has brought about: a clause about planes
//! of the board that the move cannot have added to is still silent, a row of
//! men must pass through the square that was occupied, and two regions can only
//! have been joined through it. Where this can be proved, the whole result need
//! not be run: see [`After`].
//!
//! Conditions are read from straight code over whole sets, so this pass comes
//! after those that make it. What it does not understand is left as it is.

mod changes;
mod clauses;
mod code;
pub(in crate::passes) mod listed;
mod plan;
pub(in crate::passes) mod products;
mod shapes;
pub(in crate::passes) mod symbols;

use std::collections::BTreeSet;

use self::changes::Changes;
use self::clauses::{Clause, clauses, silent};
use self::code::Planned;
use self::plan::{Planner, Test, Way, is_worth_it};
use self::products::Planes;
use self::symbols::{Literal, Symbols, Trace};
use super::{After, Optimised, PlayerCode, tidy};
use crate::inst::{Func, OutcomeKind, StatementId};
use crate::program::{Program, RoleFunctions};
use crate::summary::Summaries;

/// The code of one player who moves.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    /// The player.
    pub me: usize,
    /// The function that lists the player's moves.
    pub moves: Func,
    /// The function for a player without a move, which may list some.
    pub stuck: Option<Func>,
    /// What the moves of each statement do.
    pub effects: &'a [Func],
}

/// Fills in what can be said of the result after each move.
pub fn run(optimised: &mut Optimised) {
    let results: Vec<Option<Func>> = optimised.players.iter().map(|it| it.roles.result).collect();
    for me in 0..optimised.players.len() {
        let PlayerCode { roles: RoleFunctions { moves, stuck, .. }, ref effects, .. } =
            optimised.players[me];
        let effects = effects.clone();
        let mover = Mover { me, moves, stuck, effects: &effects };
        optimised.players[me].after = after(&mut optimised.program, mover, &results);
    }
}

/// What `result`, asked for each player, can say after a move of each statement: first by
/// statement, then by player. `results` is the result function of each player.
pub fn after(program: &mut Program, mover: Mover<'_>, results: &[Option<Func>]) -> Vec<Vec<After>> {
    let mut symbols = Symbols::default();
    let asked = asked(&mut symbols, program, results);
    if asked.iter().all(|it| matches!(it, Asked::Unread)) {
        return vec![vec![After::Whole; results.len()]; program.statements.len()];
    }
    let silent = silent(asked.iter().flat_map(|it| match it {
        Asked::Says(_, clauses) => &clauses[..],
        Asked::Silent | Asked::Unread => &[],
    }));
    let changes = changes(&mut symbols, program, mover);
    let mut after = Vec::new();
    for (statement, changes) in changes.iter().enumerate() {
        let statement = StatementId(statement as u16);
        let said = asked.iter().map(|asked| match (asked, changes) {
            (Asked::Silent, _) => After::Nothing,
            (Asked::Says(func, clauses), Some(changes)) => {
                one(program, &symbols, statement, (*func, (clauses, &silent)), changes)
            }
            _ => After::Whole,
        });
        after.push(said.collect());
    }
    after
}

/// What is known of the result function of a player.
enum Asked {
    /// There is none.
    Silent,
    /// Nothing.
    Unread,
    /// When it says what.
    Says(Func, Vec<Clause>),
}

fn asked(symbols: &mut Symbols, program: &Program, results: &[Option<Func>]) -> Vec<Asked> {
    let summaries = Summaries::of(program);
    let mut one = |(player, result): (usize, &Option<Func>)| {
        let Some(func) = *result else { return Asked::Silent };
        let player = symbols.number(player as i64);
        let trace = Trace::of(symbols, program, &summaries, func, &[player]);
        match trace.and_then(|it| clauses(symbols, program.function(func), &it)) {
            Some(clauses) => Asked::Says(func, clauses),
            None => Asked::Unread,
        }
    };
    results.iter().enumerate().map(&mut one).collect()
}

/// What the moves of each statement change; `None` where that cannot be told.
fn changes(symbols: &mut Symbols, program: &Program, mover: Mover<'_>) -> Vec<Option<Changes>> {
    let summaries = Summaries::of(program);
    let roots: Vec<Func> = std::iter::once(mover.moves).chain(mover.stuck).collect();
    let operands = listed::operands(symbols, program, &summaries, (mover.me, &roots));
    let effects = operands.iter().zip(mover.effects);
    let of = |(operands, &effect): (&Vec<_>, &Func)| {
        Changes::of(symbols, program, &summaries, (effect, mover.me), operands)
    };
    effects.map(of).collect()
}

fn one(
    program: &mut Program,
    symbols: &Symbols,
    statement: StatementId,
    (result, said): (Func, (&[Clause], &BTreeSet<Literal>)),
    changes: &Changes,
) -> After {
    let Some(planned) = planned(program, symbols, said, changes) else { return After::Whole };
    if planned.is_empty() {
        return After::Nothing;
    }
    let name = format!("{} after m{}", program.function(result).name, statement.0);
    let operands = program.statements[statement.0 as usize].operands.clone();
    let mut function = code::write(program, symbols, name, &operands, &planned);
    tidy(program, &mut function);
    program.functions.push(function);
    After::Function(Func(program.functions.len() as u16 - 1))
}

/// What must be tested, by outcome; `None` if that is no less than the whole result.
fn planned(
    program: &Program,
    symbols: &Symbols,
    (clauses, silent): (&[Clause], &BTreeSet<Literal>),
    changes: &Changes,
) -> Option<Vec<Planned>> {
    let planes = Planes::new(program);
    let mut planner = Planner { program, symbols, changes, planes, silent };
    let mut dropped = false;
    let mut planned = Vec::new();
    for clause in clauses {
        let ways = ways(&mut planner, clause, &mut dropped)?;
        // A score would have to be worked out again.
        if !ways.is_empty() && clause.kind == OutcomeKind::Score {
            return None;
        }
        if !ways.is_empty() {
            planned.push((clause.kind, clause.place, ways));
        }
    }
    let all: Vec<Vec<Test>> = planned.iter().flat_map(|it| it.2.clone()).collect();
    (planned.is_empty() || is_worth_it(dropped, &all)).then_some(planned)
}

/// What must be tested for one outcome.
fn ways(planner: &mut Planner<'_>, clause: &Clause, dropped: &mut bool) -> Option<Vec<Vec<Test>>> {
    let mut ways = Vec::new();
    for all in &clause.any {
        match planner.way(all) {
            Way::Open(tests) => ways.push(tests),
            Way::Closed => *dropped = true,
            Way::Unwritable => return None,
        }
    }
    Some(ways)
}
