//! One copy of the code for each player, `me` being that player.
//!
//! Every function that an algorithm or an effect reaches is copied for each
//! player it can be called for; a call whose `me` is known goes to the copy,
//! for a call "as opponent" that is the opponent's. A call whose `me` is not
//! known goes to the function as it was.
//!
//! The copies do not say how a move is written: names come from the program as
//! it was.

use std::collections::BTreeMap;

use super::constant_folding::{fold, visit};
use super::range_analysis::RangeAnalysis;
use super::simplify::{own_entry, simplify};
use super::{After, Optimised, PlayerCode, dead_code};
use crate::inst::{Binary, Block, End, Func, Inst, Reg, Var};
use crate::program::{BlockData, Function, Program};

/// Copies the code of a program for each player; the roles choose among the copies.
pub fn specialise(program: &Program) -> Optimised {
    let mut copies = Copies { program: program.clone(), known: BTreeMap::new(), work: Vec::new() };
    let players = (0..program.players.len()).map(|me| copies.player(me)).collect();
    copies.fill(program);
    let mut optimised = Optimised { program: copies.program, players };
    dispatch(&mut optimised);
    optimised
}

struct Copies {
    program: Program,
    /// The copy of a function for a player.
    known: BTreeMap<(Func, usize), Func>,
    /// Copies whose code is still to be made.
    work: Vec<(Func, usize)>,
}

impl Copies {
    /// The functions of one player.
    fn player(&mut self, me: usize) -> PlayerCode {
        let mut roles = self.program.roles.clone();
        let effects: Vec<Func> = self.program.statements.iter().map(|it| it.effect).collect();
        roles.each_mut().for_each(|func| *func = self.copy(*func, me));
        PlayerCode {
            roles,
            after: vec![vec![After::Whole; self.program.players.len()]; effects.len()],
            legality_guard: None,
            effects: effects.into_iter().map(|it| self.copy(it, me)).collect(),
        }
    }

    /// The number of a function's copy, whose code may still have to be made.
    fn copy(&mut self, func: Func, me: usize) -> Func {
        let functions = &mut self.program.functions;
        let work = &mut self.work;
        *self.known.entry((func, me)).or_insert_with(|| {
            let original = &functions[func.0 as usize];
            let signature = Function { blocks: Vec::new(), ..original.clone() };
            functions.push(signature);
            work.push((func, me));
            Func(functions.len() as u16 - 1)
        })
    }

    fn fill(&mut self, original: &Program) {
        while let Some((func, me)) = self.work.pop() {
            let mut function = original.function(func).clone();
            function.name = format!("{} as {}", function.name, original.players[me]);
            know_me(&mut function, me);
            forget_names(&mut function);
            fold(original, &mut function);
            dead_code::remove(&mut function);
            simplify(&mut function);
            self.redirect_calls(original, &mut function);
            let copy = self.known[&(func, me)];
            self.program.functions[copy.0 as usize] = function;
        }
    }

    /// Sends the calls whose `me` is known to copies.
    fn redirect_calls(&mut self, original: &Program, function: &mut Function) {
        let before = function.clone();
        let facts = RangeAnalysis::of(original, &before);
        for block in before.all_blocks() {
            visit(&facts, &before, block, |index, inst, known| {
                let Inst::Call { func, args, .. } = inst else { return };
                let Some(Var::Int(me)) = args.first() else { return };
                let me = known[me.0 as usize].constant().and_then(|it| usize::try_from(it).ok());
                let Some(me) = me.filter(|&it| it < original.players.len()) else { return };
                let copy = self.copy(*func, me);
                let call = &mut function.block_mut(block).insts[index].0;
                if let Inst::Call { func, .. } = call {
                    *func = copy;
                }
            });
        }
    }
}

/// Sets `me` where the function begins.
fn know_me(function: &mut Function, me: usize) {
    own_entry(function);
    if let Some(&Var::Int(dst)) = function.params.first() {
        function.blocks[0].insts.insert(0, (Inst::Const { dst, value: me as i64 }, 0));
    }
}

fn forget_names(function: &mut Function) {
    for block in &mut function.blocks {
        block.insts.retain(|(inst, _)| !matches!(inst, Inst::Say { .. }));
    }
}

/// Points roles and effects to functions that choose by `me`.
fn dispatch(optimised: &mut Optimised) {
    let Optimised { program, players } = optimised;
    let mut roles = program.roles.clone();
    for (index, func) in roles.each_mut().enumerate() {
        let copies = players.iter().filter_map(|it| it.roles.each().nth(index));
        *func = chooser(program, *func, copies);
    }
    program.roles = roles;
    for index in 0..program.statements.len() {
        let effect = program.statements[index].effect;
        let copies = players.iter().map(|it| it.effects[index]);
        program.statements[index].effect = chooser(program, effect, copies);
    }
}

/// Adds a function that calls the copy of `me`.
fn chooser(program: &mut Program, original: Func, copies: impl Iterator<Item = Func>) -> Func {
    let function = choose(program.function(original), &copies.collect::<Vec<_>>());
    program.functions.push(function);
    Func(program.functions.len() as u16 - 1)
}

/// A function that calls one of several by `me`; the last for a player who is none of the others.
fn choose(original: &Function, copies: &[Func]) -> Function {
    let mut chooser = Function {
        blocks: Vec::new(),
        names: original
            .names
            .iter()
            .filter(|it| original.params.contains(&it.0))
            .cloned()
            .collect(),
        ..original.clone()
    };
    let (number, same) = (chooser.fresh_int(), chooser.fresh_int());
    let me = match chooser.params.first() {
        Some(&Var::Int(me)) => me,
        _ => Reg(0),
    };
    for (player, &func) in copies.iter().enumerate() {
        let call = Inst::Call { func, args: chooser.params.clone(), result: chooser.result };
        let returns = BlockData { insts: vec![(call, 0)], end: (End::Return, 0) };
        if player + 1 < copies.len() {
            let insts = vec![
                (Inst::Const { dst: number, value: player as i64 }, 0),
                (Inst::Binary { op: Binary::Eq, dst: same, a: me, b: number }, 0),
            ];
            let yes = Block(chooser.blocks.len() as u32 + 1);
            let end = (End::Branch { cond: same, yes, no: Block(yes.0 + 1) }, 0);
            chooser.blocks.push(BlockData { insts, end });
        }
        chooser.blocks.push(returns);
    }
    super::dead_code::renumber(&mut chooser);
    chooser
}
