//! Dead-function elimination: functions that no call reaches go, and the rest is renumbered.

use std::collections::{BTreeMap, BTreeSet};

use super::inline::calls;
use super::{After, Optimised, PlayerCode};
use crate::inst::{Func, Inst};

/// Drops what neither the roles nor the players' code reach.
pub fn prune(optimised: &mut Optimised) {
    let mut roots = Vec::new();
    each_root(optimised, &mut |func| roots.push(*func));
    let mut reached = BTreeSet::new();
    while let Some(func) = roots.pop() {
        if reached.insert(func) {
            roots.extend(calls(optimised.program.function(func)).map(|(_, to)| to));
        }
    }
    let numbers: BTreeMap<Func, Func> = reached.iter().copied().zip((0..).map(Func)).collect();
    let rename = |func: &mut Func| *func = numbers[func];
    each_root(optimised, &mut |func| rename(func));
    let mut index = 0;
    optimised.program.functions.retain(|_| {
        index += 1;
        reached.contains(&Func(index - 1))
    });
    for function in &mut optimised.program.functions {
        for (inst, _) in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            if let Inst::Call { func, .. } = inst {
                rename(func);
            }
        }
    }
}

fn each_root(optimised: &mut Optimised, visit: &mut dyn FnMut(&mut Func)) {
    optimised.program.roles.each_mut().for_each(&mut *visit);
    optimised.program.statements.iter_mut().for_each(|it| visit(&mut it.effect));
    optimised.players.iter_mut().for_each(|it| each_of_player(it, visit));
}

fn each_of_player(code: &mut PlayerCode, visit: &mut dyn FnMut(&mut Func)) {
    code.roles.each_mut().chain(&mut code.effects).for_each(&mut *visit);
    for after in code.after.iter_mut().flatten() {
        if let After::Function(func) = after {
            visit(func);
        }
    }
    code.legality_guard.iter_mut().for_each(|guard| visit(&mut guard.func));
}
