//! Loops over the members of a set become operations on whole sets.
//!
//! `for a in mine: if a.forward is empty: emit(a)` asks the same question of every
//! man; the answer for all of them at once is
//! `mine & shift(empty, back)`, whatever the number of men. A loop becomes such
//! code if its body is only tests at fixed distances from the member (and walks
//! through sets), and only lists moves, says outcomes or sets flags.
//!
//! `body` goes through a body once for all members, `sets` holds the
//! expressions, `writer` makes instructions of them. A loop that cannot become set
//! code as a whole is split by its first question (`index_set_splitting`), so that a part may.
//! What is not understood is left alone.

mod body;
pub(crate) mod code;
pub(crate) mod commute;
mod convert;
mod hoisting;
mod index_set_splitting;
mod ops;
pub(crate) mod plane;
mod questions;
pub(crate) mod sets;
mod value;
mod walk;
mod writer;

use std::collections::BTreeSet;

use self::code::{Code, MemberLoop};
use crate::inst::{Block, Func};
use crate::program::{Function, Program};

pub(crate) use self::body::{Body, Scope};
pub(crate) use self::convert::convert;
pub(crate) use self::value::{Env, Num, Value};

/// A function is not split further when it has this many instructions.
const MOST_INSTRUCTIONS: usize = 4000;

/// Makes set code of the loops over members of a function, as far as possible.
pub fn run(program: &mut Program, func: Func) {
    let mut tried: BTreeSet<Block> = BTreeSet::new();
    let mut split: BTreeSet<Block> = BTreeSet::new();
    loop {
        let function = program.function(func).clone();
        let changed = one_change(program, &function, &mut tried, &mut split);
        match changed {
            Some(changed) => program.functions[func.0 as usize] = changed,
            None => break,
        }
    }
    hoisting::hoist(&mut program.functions[func.0 as usize]);
}

/// If a loop goes over the squares whose cells have a bit of a mask set: the mask.
pub(crate) fn members_of(program: &mut Program, code: &Code<'_>, it: &MemberLoop) -> Option<u64> {
    let mut body = Body::new(program, code, Scope::before(it.entry));
    let members = body.before_loop(it.set);
    match *body.sets.node(members) {
        sets::Node::Where(mask) => Some(mask),
        _ => None,
    }
}

/// The function with one loop changed, inner loops first, or `None` if there is nothing to do.
fn one_change(
    program: &mut Program,
    function: &Function,
    tried: &mut BTreeSet<Block>,
    split: &mut BTreeSet<Block>,
) -> Option<Function> {
    let code = Code::of(function);
    for it in code.loops.all() {
        if tried.contains(&it.header) {
            continue;
        }
        let Some(it) = &MemberLoop::of(&code, it) else { continue };
        tried.insert(it.head);
        let changed = super::reverse::turned(program, &code, it);
        if let Some(changed) = changed.or_else(|| convert(program, &code, it)) {
            // What is around it may be simple enough now.
            if let Some(head) = it.parent {
                tried.remove(&head);
            }
            return Some(changed);
        }
    }
    if function.size() > MOST_INSTRUCTIONS {
        return None;
    }
    code.loops.all().iter().find_map(|it| {
        if split.contains(&it.header) {
            return None;
        }
        let it = MemberLoop::of(&code, it)?;
        split.insert(it.head);
        let changed = index_set_splitting::split(program, &code, &it)?;
        tried.remove(&it.head);
        split.remove(&it.head);
        Some(changed)
    })
}
