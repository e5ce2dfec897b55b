//! Abstract interpretation of the functions that a player's moves run.
//!
//! A function is entered with the facts of all its callers, and its blocks are
//! visited until a fixed point is reached. Facts only grow, so there is one.

use std::collections::BTreeSet;

use ludex_interp::numbers::{binary, unary};
use ludex_ir::inst::BOARD;
use ludex_ir::{
    ArrayId, Binary, Block, End, Func, Function, Inst, Reg, SetBinary, TableId, Unary, Var,
};

use crate::code::Code;

use super::fact::{ALL, Fact, Facts};

/// A write that some effect may do: where one of `before` stood, one of `after` comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) array: ArrayId,
    pub(super) before: u64,
    pub(super) after: u64,
}

/// What is known about everything that is run.
pub(super) struct Flow<'a> {
    code: &'a Code,
    /// For each function, and each block of it that is reached, what is known at its beginning.
    blocks: Vec<Vec<Option<Facts>>>,
    /// What is known where each function is left.
    exits: Vec<Option<Facts>>,
    /// For each move statement, what is known about its operands.
    listed: Vec<Option<Vec<Fact>>>,
    written: Vec<Written>,
    /// The blocks that must be gone through again: functions and blocks.
    work: BTreeSet<(usize, usize)>,
}

impl<'a> Flow<'a> {
    /// What runs when a player's moves are listed.
    pub(super) fn of_moves(code: &'a Code, me: usize) -> Self {
        let roles = &code.program.roles;
        let roots = [Some(roles.moves), roles.stuck].into_iter().flatten();
        let enter = |func| (func, vec![Fact::one(me as i64)]);
        Self::new(code).run(&roots.map(enter).collect::<Vec<_>>())
    }

    /// What runs when they are played.
    pub(super) fn of_effects(code: &'a Code, me: usize, listed: &[Option<Vec<Fact>>]) -> Self {
        let statements = code.program.statements.iter().zip(listed);
        let roots = statements.filter_map(|(statement, operands)| {
            let operands = operands.as_ref()?.iter().map(|it| it.clone().afresh());
            let me = std::iter::once(Fact::one(me as i64));
            Some((statement.effect, me.chain(operands).collect()))
        });
        Self::new(code).run(&roots.collect::<Vec<_>>())
    }

    /// What is known about the operands of each statement.
    pub(super) fn listed(&self) -> &[Option<Vec<Fact>>] {
        &self.listed
    }

    /// All that may be written.
    pub(super) fn writes(&self) -> &[Written] {
        &self.written
    }

    fn new(code: &'a Code) -> Self {
        let functions = &code.program.functions;
        Self {
            code,
            blocks: functions.iter().map(|it| vec![None; it.blocks.len()]).collect(),
            exits: vec![None; functions.len()],
            listed: vec![None; code.program.statements.len()],
            written: Vec::new(),
            work: BTreeSet::new(),
        }
    }

    fn run(mut self, roots: &[(Func, Vec<Fact>)]) -> Self {
        for (func, params) in roots {
            self.enter(*func, params, 0);
        }
        while let Some((func, block)) = self.work.pop_first() {
            self.pass(func, block);
        }
        // Only now is everything known that the writes depend on.
        self.written.clear();
        for (func, block) in self.reached() {
            self.pass(func, block);
        }
        self
    }

    /// All blocks that are run.
    fn reached(&self) -> Vec<(usize, usize)> {
        let blocks = |(func, blocks): (usize, &Vec<Option<Facts>>)| {
            let reached = (0..blocks.len()).filter(|&it| blocks[it].is_some());
            reached.map(|it| (func, it)).collect::<Vec<_>>()
        };
        self.blocks.iter().enumerate().flat_map(blocks).collect()
    }

    fn function(&self, func: usize) -> &'a Function {
        &self.code.program.functions[func]
    }

    /// Enters a function with this much known about its parameters. What is known of a set or path
    /// is what stood on its squares.
    fn enter(&mut self, func: Func, params: &[Fact], put: u64) {
        let function = self.code.program.function(func);
        let mut facts = Facts { put, ..Facts::new(function) };
        for (&param, fact) in function.params.iter().zip(params) {
            match param {
                Var::Int(reg) => facts.ints[reg.0 as usize] = fact.clone(),
                Var::Set(reg) => facts.sets[reg.0 as usize] = fact.stood,
                Var::Path(reg) => facts.paths[reg.0 as usize] = fact.stood,
            }
        }
        self.reach(func.0 as usize, 0, &facts);
    }

    fn reach(&mut self, func: usize, block: usize, facts: &Facts) {
        if grow(&mut self.blocks[func][block], facts) {
            self.work.insert((func, block));
        }
    }

    /// Goes through a block.
    fn pass(&mut self, func: usize, block: usize) {
        let Some(mut facts) = self.blocks[func][block].clone() else { return };
        let function = self.function(func);
        let data = &function.blocks[block];
        for (inst, _) in &data.insts {
            self.follow(&mut facts, inst);
        }
        match data.end.0 {
            End::Jump(to) => self.reach(func, to.0 as usize, &facts),
            End::Branch { cond, yes, no } => {
                for (to, truth) in [(yes, true), (no, false)] {
                    let facts = refined(function, Block(block as u32), &facts, cond, truth);
                    self.reach(func, to.0 as usize, &facts);
                }
            }
            End::Return => {
                if grow(&mut self.exits[func], &facts) {
                    self.work.extend(self.callers(func));
                }
            }
        }
    }

    /// The blocks that call a function.
    fn callers(&self, func: usize) -> Vec<(usize, usize)> {
        let calls = |(inst, _): &(Inst, u32)| matches!(inst, Inst::Call { func: callee, .. } if callee.0 as usize == func);
        let here = |&(func, block): &(usize, usize)| {
            self.function(func).blocks[block].insts.iter().any(calls)
        };
        self.reached().into_iter().filter(here).collect()
    }

    fn follow(&mut self, facts: &mut Facts, inst: &Inst) {
        match *inst {
            Inst::Store { array, index, value } => {
                let after = self.mask(facts, array, value);
                let before = if array == BOARD { stood(facts, index) } else { ALL };
                self.write(facts, array, before, after);
                if let (BOARD, Some(square)) = (array, index) {
                    facts.ints[square.0 as usize].now = after;
                }
            }
            Inst::TryBegin => facts.attempt(),
            Inst::TryEnd => facts.undo(),
            Inst::StoreAll { set, value } => {
                let after = self.mask(facts, BOARD, value);
                self.write(facts, BOARD, facts.sets[set.0 as usize], after);
            }
            Inst::Add { array, .. } => self.write(facts, array, ALL, ALL),
            Inst::SetStore { array, .. } => self.write(facts, array, ALL, 0b11),
            Inst::SetUpdate { array, add, .. } => {
                self.write(facts, array, ALL, if add { 0b10 } else { 0b01 });
            }
            Inst::Call { func, ref args, result } => self.call(facts, func, args, result),
            Inst::Emit { statement, ref args, .. } => {
                let known = args.iter().map(|&arg| fact(facts, arg)).collect();
                self.list(statement.0 as usize, known);
            }
            Inst::SetInsert { set, square } => {
                facts.sets[set.0 as usize] |= facts.ints[square.0 as usize].stood;
            }
            _ => match inst.assigns() {
                Some(Var::Int(dst)) => facts.ints[dst.0 as usize] = self.number(facts, inst),
                Some(Var::Set(dst)) => facts.sets[dst.0 as usize] = set(facts, inst),
                Some(Var::Path(dst)) => facts.paths[dst.0 as usize] = path(facts, inst),
                None => {}
            },
        }
    }

    /// The raw values that a register may put into an array.
    fn mask(&self, facts: &Facts, array: ArrayId, value: Reg) -> u64 {
        facts.ints[value.0 as usize].mask(self.code.program.arrays[array.0 as usize].lo)
    }

    fn write(&mut self, facts: &mut Facts, array: ArrayId, before: u64, after: u64) {
        if array == BOARD {
            facts.put(after);
        }
        self.written.push(Written { array, before, after });
    }

    fn call(&mut self, facts: &mut Facts, func: Func, args: &[Var], result: Option<Var>) {
        let params: Vec<Fact> = args.iter().map(|&arg| fact(facts, arg)).collect();
        self.enter(func, &params, facts.put);
        let Some(exit) = &self.exits[func.0 as usize] else { return };
        facts.put(exit.own);
        if let (Some(to), Some(from)) = (result, self.code.program.function(func).result) {
            match (to, from) {
                (Var::Int(to), _) => facts.ints[to.0 as usize] = fact(exit, from),
                (Var::Set(to), _) => facts.sets[to.0 as usize] = fact(exit, from).stood,
                (Var::Path(to), _) => facts.paths[to.0 as usize] = fact(exit, from).stood,
            }
        }
    }

    fn list(&mut self, statement: usize, known: Vec<Fact>) {
        match &mut self.listed[statement] {
            Some(listed) => {
                for (old, new) in listed.iter_mut().zip(&known) {
                    old.join(new);
                }
            }
            entry => *entry = Some(known),
        }
    }

    /// What is known about the number that an instruction assigns.
    fn number(&self, facts: &Facts, inst: &Inst) -> Fact {
        let int = |reg: Reg| &facts.ints[reg.0 as usize];
        match *inst {
            Inst::Const { value, .. } => Fact::one(value),
            Inst::Copy { src, .. } => int(src).clone(),
            Inst::Unary { op, src, .. } => self.unary(op, int(src)),
            Inst::Binary { op, a, b, .. } => self.binary(op, int(a), int(b)),
            Inst::Lookup { table, i, j, .. } => self.lookup(table, int(i), j.map(int)),
            Inst::Load { array, index, .. } => {
                let it = &self.code.program.arrays[array.0 as usize];
                let stands = match index {
                    Some(reg) if array == BOARD => facts.stands(reg.0 as usize),
                    _ => ALL,
                };
                let size = (it.hi - it.lo + 1) as usize;
                let off = index.is_some_and(|reg| !int(reg).on);
                if size <= 64 { Fact::bits(stands, it.lo, size, off) } else { Fact::ANY }
            }
            Inst::Test { .. }
            | Inst::TestRange { .. }
            | Inst::Contains { .. }
            | Inst::Any { .. }
            | Inst::Reply { .. } => Fact::some([0, 1]),
            Inst::NextMember { set, .. } => Fact::square(facts.sets[set.0 as usize]),
            Inst::PathItem { path, .. } => Fact::square(facts.paths[path.0 as usize]),
            _ => Fact::ANY,
        }
    }

    fn unary(&self, op: Unary, x: &Fact) -> Fact {
        let Some(values) = &x.values else { return Fact::ANY };
        Fact::some(values.iter().map(|&it| unary(&self.code.board, op, it)))
    }

    fn binary(&self, op: Binary, a: &Fact, b: &Fact) -> Fact {
        let (Some(a), Some(b)) = (&a.values, &b.values) else { return Fact::ANY };
        // Sums would grow in each round, and no question depends on them.
        if !matches!(op, Binary::Min | Binary::Max) && a.len() * b.len() > 1 {
            return Fact::ANY;
        }
        let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (*a, *b)));
        Fact::some(pairs.map(|(a, b)| binary(&self.code.board, op, a, b)))
    }

    /// The entries of a table that may be meant, and -1 for none.
    fn lookup(&self, table: TableId, i: &Fact, j: Option<&Fact>) -> Fact {
        let table = &self.code.program.tables[table.0 as usize];
        let may = |fact: Option<&Fact>, index: usize| match fact.map(|it| &it.values) {
            Some(Some(values)) => values.contains(&(index as i64)),
            Some(None) => true,
            None => index == 0,
        };
        let inside = |fact: Option<&Fact>, size: usize| match fact.map(|it| &it.values) {
            Some(Some(values)) => values.iter().all(|&it| (0..size as i64).contains(&it)),
            Some(None) => false,
            None => true,
        };
        let rows = (0..table.rows).filter(|&row| may(Some(i), row));
        let entries = rows.flat_map(|row| {
            let columns = (0..table.columns).filter(|&column| may(j, column));
            columns.map(move |column| table.data[row * table.columns + column])
        });
        let on = inside(Some(i), table.rows) && inside(j, table.columns);
        Fact::some(entries.chain((!on).then_some(-1)))
    }
}

/// Adds what is known on one more way to what is known; whether that is more.
fn grow(entry: &mut Option<Facts>, facts: &Facts) -> bool {
    match entry {
        Some(old) => old.join(facts),
        None => {
            *entry = Some(facts.clone());
            true
        }
    }
}

/// What is known about a register; of a set or path, what stood on its squares.
fn fact(facts: &Facts, var: Var) -> Fact {
    match var {
        Var::Int(reg) => facts.ints[reg.0 as usize].clone(),
        Var::Set(reg) => Fact::square(facts.sets[reg.0 as usize]),
        Var::Path(reg) => Fact::square(facts.paths[reg.0 as usize]),
    }
}

fn stood(facts: &Facts, index: Option<Reg>) -> u64 {
    index.map_or(ALL, |reg| facts.ints[reg.0 as usize].stood)
}

/// What stood on the squares of the set that an instruction makes.
fn set(facts: &Facts, inst: &Inst) -> u64 {
    let of = |reg: ludex_ir::SetReg| facts.sets[reg.0 as usize];
    match *inst {
        Inst::SetWhere { mask, .. } => match &facts.ints[mask.0 as usize].values {
            Some(masks) => facts.stood(masks.iter().fold(0, |all, &it| all | it as u64)),
            None => ALL,
        },
        Inst::SetCopy { src, .. } => of(src),
        Inst::SetBinary { op, a, b, .. } => match op {
            SetBinary::Union => of(a) | of(b),
            SetBinary::Intersection => of(a) & of(b),
            SetBinary::Difference => of(a),
        },
        Inst::Flood { within, .. } => of(within),
        _ => ALL,
    }
}

/// What stood on the squares of the path that an instruction makes.
fn path(facts: &Facts, inst: &Inst) -> u64 {
    match *inst {
        Inst::PathEmpty { .. } => 0,
        Inst::PathCopy { src, .. } => facts.paths[src.0 as usize],
        Inst::PathPush { src, item, .. } => {
            facts.paths[src.0 as usize] | facts.ints[item.0 as usize].stood
        }
        _ => ALL,
    }
}

/// The facts on one side of a branch: a test of a square in the same block adds what stands there.
fn refined(function: &Function, block: Block, facts: &Facts, cond: Reg, truth: bool) -> Facts {
    let mut facts = facts.clone();
    let mut wanted = (cond, truth);
    let mut assigned: Vec<Var> = Vec::new();
    for (inst, _) in function.block(block).insts.iter().rev() {
        let var = inst.assigns();
        assigned.extend(var);
        if var == Some(wanted.0.into()) {
            // What was asked must still be in its registers.
            if inst.uses().iter().any(|it| assigned.contains(it)) {
                break;
            }
            match *inst {
                Inst::Unary { op: Unary::Not, src, .. } => wanted = (src, !wanted.1),
                Inst::Copy { src, .. } => wanted = (src, wanted.1),
                _ => {
                    tested(&mut facts, inst, wanted.1);
                    break;
                }
            }
        }
    }
    facts
}

/// What a test tells about the square that it asks about.
fn tested(facts: &mut Facts, inst: &Inst, truth: bool) {
    let (square, stood, now) = match *inst {
        Inst::Test { array: BOARD, index: Some(square), mask, .. } => {
            let Some(masks) = &facts.ints[mask.0 as usize].values else { return };
            let masks = masks.iter().map(|&it| it as u64);
            let mask = if truth {
                masks.fold(0, |all, it| all | it)
            } else {
                !masks.fold(ALL, |all, it| all & it)
            };
            (square, facts.stood(mask), mask)
        }
        // The members' past is known, not their present.
        Inst::Contains { set, square, .. } if truth => (square, facts.sets[set.0 as usize], ALL),
        _ => return,
    };
    let square = &mut facts.ints[square.0 as usize];
    square.stood &= stood;
    square.now &= now;
    square.on |= truth;
}
