//! When a result function says what: each outcome with its condition.
//!
//! Works on functions without loops, which is what set-wise compilation makes
//! of "some square such that". The condition of an outcome is an *or* of
//! *ands* of [`Literal`]s.

use std::collections::BTreeSet;

use super::symbols::{Expr, Literal, Node, Symbols, Trace};
use crate::inst::{Binary, Block, End, Inst, OutcomeKind, Unary};
use crate::post_dominators::PostDominators;
use crate::program::Function;

/// The most ways in which an outcome may come about.
const MOST: usize = 48;

/// Literals that must all hold.
pub(super) type All = Vec<Literal>;

/// An outcome and when it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// What it gives.
    pub(super) kind: OutcomeKind,
    /// Where it stands in the source.
    pub(super) place: u32,
    /// It is said if all of one of these hold.
    pub(super) any: Vec<All>,
}

/// The outcomes of a result function, one clause for each kind; `None` if it has loops, calls,
/// tries, or conditions that are too long.
pub(super) fn clauses(
    symbols: &Symbols,
    function: &Function,
    trace: &Trace,
) -> Option<Vec<Clause>> {
    if !trace.loops.all().is_empty() || !function.blocks.iter().all(|it| is_plain(&it.insts)) {
        return None;
    }
    let reached = conditions(symbols, function, trace)?;
    let mut clauses: Vec<Clause> = Vec::new();
    for &block in &trace.order {
        for (inst, place) in &function.block(block).insts {
            let &Inst::Outcome { kind, .. } = inst else { continue };
            let any = reached[block.0 as usize].clone();
            match clauses.iter_mut().find(|it| it.kind == kind) {
                Some(clause) => clause.any.extend(any),
                None => clauses.push(Clause { kind, place: *place, any }),
            }
        }
    }
    for clause in &mut clauses {
        absorb(&mut clause.any);
    }
    Some(clauses)
}

fn is_plain(insts: &[(Inst, u32)]) -> bool {
    insts.iter().all(|(inst, _)| {
        !matches!(inst, Inst::Call { .. } | Inst::TryBegin | Inst::TryEnd)
            && inst.writes_array().is_none()
    })
}

/// For each block when it is reached.
fn conditions(symbols: &Symbols, function: &Function, trace: &Trace) -> Option<Vec<Vec<All>>> {
    let conjugates = PostDominators::of(function);
    let mut reached: Vec<Vec<All>> = vec![Vec::new(); function.blocks.len()];
    for &block in &trace.order {
        let above = trace.dominators.parent(block);
        let after = |at: Block| {
            std::iter::successors(Some(at), |&it| conjugates.block(it)).any(|it| it == block)
        };
        reached[block.0 as usize] = match above {
            None => vec![Vec::new()],
            Some(at) if after(at) => reached[at.0 as usize].clone(),
            Some(_) => {
                let mut any = Vec::new();
                for from in trace.forward(block) {
                    let edge = edge(symbols, function, trace, from, block)?;
                    any.extend(both(&reached[from.0 as usize], &edge)?);
                }
                any
            }
        };
        if reached[block.0 as usize].len() > MOST {
            return None;
        }
    }
    Some(reached)
}

/// When an edge is taken, its block being reached.
fn edge(
    symbols: &Symbols,
    function: &Function,
    trace: &Trace,
    from: Block,
    to: Block,
) -> Option<Vec<All>> {
    match function.block(from).end.0 {
        End::Branch { yes, no, .. } if yes != no => {
            holds(symbols, trace.block(from)?.cond?, yes == to)
        }
        _ => Some(vec![Vec::new()]),
    }
}

/// When a number is not 0 (or, without `wanted`, is 0).
fn holds(symbols: &Symbols, node: Node, wanted: bool) -> Option<Vec<All>> {
    let certain = |yes: bool| if yes { vec![Vec::new()] } else { Vec::new() };
    match symbols.expr(node) {
        Expr::Const(value) => Some(certain((*value != 0) == wanted)),
        Expr::Apply { inst: Inst::Unary { op: Unary::Not, .. }, args, .. } => {
            holds(symbols, args[0], !wanted)
        }
        Expr::Apply {
            inst: Inst::Binary { op: op @ (Binary::Eq | Binary::Ne), .. }, args, ..
        } if symbols.constant(args[1]) == Some(0) => {
            holds(symbols, args[0], (*op == Binary::Ne) == wanted)
        }
        Expr::Select { cond, yes, no } => {
            let mut any = both(&holds(symbols, *cond, true)?, &holds(symbols, *yes, wanted)?)?;
            any.extend(both(&holds(symbols, *cond, false)?, &holds(symbols, *no, wanted)?)?);
            Some(any)
        }
        _ => Some(vec![vec![(node, wanted)]]),
    }
}

/// When both of two conditions hold; `None` if that is too long.
fn both(a: &[All], b: &[All]) -> Option<Vec<All>> {
    if a.len() * b.len() > MOST {
        return None;
    }
    Some(a.iter().flat_map(|a| b.iter().filter_map(move |b| joined(a, b))).collect())
}

/// All literals of two; `None` if they contradict each other.
fn joined(a: &All, b: &All) -> Option<All> {
    let mut all = a.clone();
    for &(node, wanted) in b {
        if all.contains(&(node, !wanted)) {
            return None;
        }
        if !all.contains(&(node, wanted)) {
            all.push((node, wanted));
        }
    }
    Some(all)
}

/// Takes out what is said twice: `x or (not x and y)` is `x or y`.
fn absorb(any: &mut Vec<All>) {
    let single: Vec<Literal> = any.iter().filter(|it| it.len() == 1).map(|it| it[0]).collect();
    for all in any.iter_mut().filter(|it| it.len() > 1) {
        all.retain(|&(node, wanted)| !single.contains(&(node, !wanted)));
    }
    let kept: Vec<All> = any
        .iter()
        .enumerate()
        .filter(|(index, all)| !any[..*index].contains(all))
        .map(|(_, all)| all.clone())
        .collect();
    *any = kept;
}

/// The literals that must have been false when none of these clauses said anything. Two ways that
/// differ in one literal and its opposite say that the rest of them failed.
pub(super) fn silent<'a>(clauses: impl Iterator<Item = &'a Clause>) -> BTreeSet<Literal> {
    let mut failed: BTreeSet<BTreeSet<Literal>> =
        clauses.flat_map(|it| &it.any).map(|all| all.iter().copied().collect()).collect();
    let mut todo: Vec<BTreeSet<Literal>> = failed.iter().cloned().collect();
    while let Some(all) = todo.pop() {
        for &(node, wanted) in &all {
            let mut rest = all.clone();
            rest.remove(&(node, wanted));
            let mut other = rest.clone();
            other.insert((node, !wanted));
            if failed.contains(&other) && failed.len() < MOST && failed.insert(rest.clone()) {
                todo.push(rest);
            }
        }
    }
    failed.iter().filter(|it| it.len() == 1).flatten().copied().collect()
}
