//! The inlining heuristic: which calls are worth inlining, and doing so from the innermost out.
//!
//! A small function costs less than the call of it; one that is called once
//! costs nothing to move; and one that is handed a constant (a list of
//! directions, a kind) becomes another function where it is known.

use std::collections::{BTreeMap, BTreeSet};

use super::budget::Budget;
use super::constant_folding::constants;
use super::inline::{Site, calls, inline};
use super::{tidy, with_function};
use crate::inst::{Func, Inst, Var};
use crate::program::{Function, Program};

/// The most instructions of a function that is always inlined.
const SMALL: usize = 24;
/// The most of one that is called once.
const LARGE: usize = 1200;
/// The most of one that is handed a constant.
const WITH_CONSTANT: usize = 160;
/// A function that calls are inlined into stays below this.
const LARGEST: usize = 4000;

/// Inlines calls in everything that `roots` reach, and tidies it, as far as that is not too much work.
pub fn inline_all(program: &mut Program, roots: &[Func], work: &mut Budget) {
    let graph = Graph::of(program, roots);
    for &func in &graph.order {
        with_function(program, func, |program, function| {
            // What is left of a call may be worth a second look once all is clear around it.
            while work.tidies(function) {
                let inlined = inline_some(program, &graph, func, function);
                tidy(program, function);
                if !inlined || calls(function).next().is_none() {
                    break;
                }
            }
        });
    }
}

/// Inlines the calls of a function that are worth it; whether there were any.
fn inline_some(
    program: &mut Program,
    graph: &Graph,
    caller: Func,
    function: &mut Function,
) -> bool {
    let constant = constants(function);
    let worth: Vec<Site> = calls(function)
        .filter(|&(site, func)| {
            let size = program.function(func).size();
            let given = is_given_constant(function, site, &constant);
            let once = graph.sites.get(&func) == Some(&1);
            let small =
                size <= SMALL || (once && size <= LARGE) || (given && size <= WITH_CONSTANT);
            small && func != caller && !graph.recursive.contains(&func)
        })
        .map(|(site, _)| site)
        .collect();
    let mut changed = false;
    // From the last, so that the places of the others stay.
    for site in worth.into_iter().rev() {
        let Some(Inst::Call { func, .. }) = inst_at(function, site) else { continue };
        if function.size() + program.function(*func).size() > LARGEST {
            continue;
        }
        changed |= inline(program, function, site).is_some();
    }
    changed
}

fn inst_at(function: &Function, (block, at): Site) -> Option<&Inst> {
    function.block(block).insts.get(at).map(|it| &it.0)
}

/// Whether a call hands on a constant besides `me`.
fn is_given_constant(function: &Function, site: Site, constant: &BTreeMap<Var, i64>) -> bool {
    let Some(Inst::Call { args, .. }) = inst_at(function, site) else { return false };
    args.iter().skip(1).any(|arg| constant.contains_key(arg))
}

/// Who calls whom.
struct Graph {
    /// Everything that is reached, callees before callers.
    order: Vec<Func>,
    /// How many places call a function.
    sites: BTreeMap<Func, usize>,
    /// The functions that come back to themselves.
    recursive: BTreeSet<Func>,
}

impl Graph {
    fn of(program: &Program, roots: &[Func]) -> Self {
        let mut graph =
            Self { order: Vec::new(), sites: BTreeMap::new(), recursive: BTreeSet::new() };
        let mut seen = BTreeSet::new();
        for &root in roots {
            graph.visit(program, root, &mut seen);
        }
        // Roots are called from outside as well.
        roots.iter().for_each(|&root| *graph.sites.entry(root).or_default() += 2);
        for &func in &graph.order {
            calls(program.function(func))
                .for_each(|(_, to)| *graph.sites.entry(to).or_default() += 1);
        }
        let recursive = graph.order.iter().filter(|&&it| comes_back(program, it));
        graph.recursive = recursive.copied().collect();
        graph
    }

    fn visit(&mut self, program: &Program, func: Func, seen: &mut BTreeSet<Func>) {
        let mut stack = vec![(func, false)];
        while let Some((func, done)) = stack.pop() {
            if done {
                self.order.push(func);
            } else if seen.insert(func) {
                stack.push((func, true));
                stack.extend(calls(program.function(func)).map(|(_, to)| (to, false)));
            }
        }
    }
}

fn comes_back(program: &Program, func: Func) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![func];
    while let Some(at) = work.pop() {
        for (_, to) in calls(program.function(at)) {
            if to == func {
                return true;
            }
            work.extend(seen.insert(to).then_some(to));
        }
    }
    false
}
