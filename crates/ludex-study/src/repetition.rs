//! Whether rules use the history of a game for repetition draws only.
//!
//! Proof searches may then identify positions with equal cells: see the graph-history interaction
//! in `ludex_search::proof::question`. The soundness of their proofs and certificates rests on the
//! answer, so it is yes only if the rules show it.

use ludex_ir::inst::{Inst, OutcomeKind};
use ludex_ir::summary::Summaries;
use ludex_ir::{ArrayRole, Func, History, Program};

/// Whether the rules use the history only to end repetitions in a draw, and repetition compares all
/// cells.
///
/// In particular no move, result or effect depends on it, there is no counter of turns, and
/// `adjudicate` gives nothing but draws. Rules that ignore the history fulfil this as well.
pub fn history_only_draws(program: &Program) -> bool {
    let summaries = Summaries::of(program);
    !is_used_elsewhere(program, &summaries)
        && program.arrays.iter().all(|it| it.role != ArrayRole::Counter)
        && program.history != History::Board
        && program.roles.adjudicate.is_none_or(|it| only_draws(program, it))
}

/// Whether the rules ask about repetition outside of `adjudicate`.
fn is_used_elsewhere(program: &Program, summaries: &Summaries) -> bool {
    let roles = &program.roles;
    let decides = [Some(roles.moves), roles.result, roles.stuck];
    // A move may act through functions without a role, so these count. Evaluations and candidate
    // moves do not: no proof depends on them.
    let harmless = [roles.adjudicate, roles.evaluate, roles.features, roles.candidates];
    let counts = |func: Func| decides.contains(&Some(func)) || !harmless.contains(&Some(func));
    let functions = (0..program.functions.len()).map(|number| Func(number as u16));
    functions.filter(|&it| counts(it)).any(|it| summaries.function(it).repeats)
}

/// Whether a function gives no outcome but draws, and calls nothing that might.
fn only_draws(program: &Program, func: Func) -> bool {
    let insts = program.functions[usize::from(func.0)].blocks.iter().flat_map(|it| &it.insts);
    insts.into_iter().all(|(inst, _)| match inst {
        Inst::Outcome { kind, .. } => *kind == OutcomeKind::Draw,
        Inst::Call { .. } => false,
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = "game \"Step\"\nboard square 3 by 3\nplayers A, B\nmen man\n";
    const MOVES: &str = "start\n  A man on a1\n  B man on c3\nmoves\n  for a in mine\n    \
                         for d in orthogonal\n      let b = a + d\n      \
                         if b is empty: move a to b\n";

    #[track_caller]
    fn check(declarations: &str, clauses: &str, expected: bool) {
        let rules = format!("{STEP}{declarations}{MOVES}{clauses}");
        let compiled = ludex_rules::compile(&rules, "");
        let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        assert_eq!(history_only_draws(&program), expected, "{rules}");
    }
    #[test]
    fn rules_without_history_fulfil_it() {
        check("", "result\n  if no theirs: victory\n", true);
    }

    #[test]
    fn repetition_may_draw() {
        check("history position\n", "adjudicate\n  if repeats >= 2: draw\n", true);
    }

    #[test]
    fn repetition_may_do_nothing_else() {
        check("history position\n", "adjudicate\n  if repeats >= 2: victory\n", false);
        check("history position\n", "result\n  if repeats >= 2: draw\n", false);
        check("history position\n", "illegal if repeats >= 1\n", false);
    }

    #[test]
    fn repetition_has_to_compare_all_cells() {
        check("history board\n", "adjudicate\n  if repeats >= 2: draw\n", false);
        let counted = "history position\ncounter clock to 9\n";
        check(counted, "adjudicate\n  if repeats >= 2: draw\n", false);
    }
}
