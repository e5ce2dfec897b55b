//! A walk along one direction becomes a look at the squares on its way.
//!
//! ```text
//! b = a + d; while b is passed: gather b; b = b + d       a walk that ends at something
//! repeat n times: if b is passed: flag = 0; b = b + d     a walk of n steps
//! ```
//!
//! What such a loop gathers, and the flags it sets, follow from the set of the
//! squares that it reaches: `rays` or `reach`. So does the square where it ends:
//! the one of the ray that is not passed, or `hop`.
//!
//! `shape` recognises the loops, `body` says what they do to the squares they
//! come to, and `rewrite` puts code on sets in their place.

mod body;
mod rewrite;
mod shape;

use std::collections::BTreeSet;

use self::shape::Walk;
use super::setwise::code::{Code, change_loops};
use crate::inst::{Block, Func, Inst};
use crate::program::{Function, Program};

/// Takes the walks of a function that do no more than look.
pub fn run(program: &mut Program, func: Func) {
    if may_walk(program.function(func)) {
        change_loops(program, func, one_change);
    }
    name_lines_alike(program, func);
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    if !may_walk(code.function) {
        return None;
    }
    let inner = |place: usize| !code.loops.all().iter().any(|it| it.parent == Some(place));
    code.loops.all().iter().enumerate().find_map(|(place, it)| {
        if !inner(place) || !tried.insert(it.header) {
            return None;
        }
        let walk = Walk::of(program, code, it)?;
        let effects = body::effects(program, code, &walk)?;
        rewrite::rewrite(program, code, &walk, &effects)
    })
}

/// Whether there is a step that a walk could be made of.
fn may_walk(function: &Function) -> bool {
    let insts = function.blocks.iter().flat_map(|it| &it.insts);
    insts.into_iter().any(|(it, _)| matches!(*it, Inst::Step { dst, from, .. } if dst == from))
}

/// The line along a direction is the line along its opposite: both are asked for by the lower of
/// the two, so that they are seen to be equal.
fn name_lines_alike(program: &mut Program, func: Func) {
    let function = program.function(func);
    let code = Code::of(function);
    let mut found = Vec::new();
    for &block in &code.order {
        for (index, (inst, _)) in function.block(block).insts.iter().enumerate() {
            let Inst::Axis { dir, .. } = *inst else { continue };
            let named = code.lasting(block, dir).and_then(|dir| lower_name(program, dir));
            found.extend(named.map(|name| (block, index, name)));
        }
    }
    let function = &mut program.functions[func.0 as usize];
    // The last first, so that places stay right.
    for (block, index, value) in found.into_iter().rev() {
        let name = function.fresh_int();
        let insts = &mut function.block_mut(block).insts;
        let place = insts[index].1;
        if let Inst::Axis { dir, .. } = &mut insts[index].0 {
            *dir = name;
        }
        insts.insert(index, (Inst::Const { dst: name, value }, place));
    }
}

/// The opposite of a direction, if that comes before it and they are each other's.
fn lower_name(program: &Program, dir: i64) -> Option<i64> {
    let opposite = |dir: i64| {
        let dir = program.geometry.directions.get(usize::try_from(dir).ok()?)?;
        Some(i64::from(dir.opposite))
    };
    let other = opposite(dir)?;
    (other < dir && opposite(other) == Some(dir)).then_some(other)
}
