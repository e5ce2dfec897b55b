//! The registers of one function of the program inside a native function.

use std::collections::HashMap;

use cranelift_codegen::ir::types::{I64, I128};
use cranelift_codegen::ir::{Block as Place, InstBuilder, Value};
use cranelift_frontend::Variable;
use ludex_ir::passes::loops::{Dominators, Loops, reverse_postorder};
use ludex_ir::{Block, BlockData, Func, Function, Inst, PathReg, Reg, SetReg, Var};

use super::sets::Set;
use super::{Emitter, Mode};

/// A path: its length and its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathValue {
    pub(super) len: Value,
    pub(super) items: Value,
}

/// The value of a register.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Int(Value),
    Set(Set),
    Path(PathValue),
}

/// One activation.
pub(super) struct Frame<'p> {
    pub(super) function: &'p Function,
    pub(super) mode: Mode,
    ints: Vec<Variable>,
    sets: Vec<Vec<Variable>>,
    paths: Vec<(Variable, Variable)>,
    /// Registers that only ever hold one number, and the block where they get it.
    constants: HashMap<Reg, (i64, Block)>,
    dominators: Dominators,
    /// The native block of each block.
    pub(super) places: Vec<Place>,
    /// The blocks that code can reach, each before those that only it leads to.
    pub(super) order: Vec<Block>,
    /// What one round of the loop that begins at a block costs in steps; 0 where none begins.
    pub(super) rounds: Vec<i64>,
    /// Where a return goes.
    pub(super) exit: Place,
    /// The block being written.
    pub(super) at: Block,
}

impl Frame<'_> {
    /// The number that a register certainly holds where the code is being written.
    pub(super) fn known(&self, reg: Reg) -> Option<i64> {
        let &(value, block) = self.constants.get(&reg)?;
        self.dominators.dominates(block, self.at).then_some(value)
    }
}

/// Registers that one `const` and nothing else assigns, where that comes before any use.
fn constants(function: &Function) -> HashMap<Reg, (i64, Block)> {
    let mut constants: HashMap<Reg, Option<(i64, Block)>> = HashMap::new();
    for param in &function.params {
        if let Var::Int(reg) = *param {
            constants.insert(reg, None);
        }
    }
    for (index, block) in function.blocks.iter().enumerate() {
        let mut used: Vec<Var> = Vec::new();
        for (inst, _) in &block.insts {
            if let Some(Var::Int(dst)) = inst.assigns() {
                let value = match *inst {
                    // A use before it in the same block would see another number.
                    Inst::Const { value, .. } if !used.contains(&dst.into()) => {
                        Some((value, Block(index as u32)))
                    }
                    _ => None,
                };
                let entry = constants.entry(dst);
                entry.and_modify(|it| *it = None).or_insert(value);
            }
            used.extend(inst.uses());
        }
    }
    constants.into_iter().filter_map(|(reg, it)| Some((reg, it?))).collect()
}

impl<'p> Emitter<'_, 'p> {
    /// Registers for an activation, all 0 or empty.
    pub(super) fn frame(&mut self, func: Func, mode: Mode) -> Frame<'p> {
        let function = self.unit.program.function(func);
        let loops = Loops::of(function);
        let mut rounds = vec![0; function.blocks.len()];
        for it in loops.all() {
            let cost: i64 = it.blocks.iter().map(|&block| self.cost(function.block(block))).sum();
            rounds[it.header.0 as usize] = cost + 1;
        }
        let zero = self.number(0);
        let wide = self.wide_number(zero, zero);
        let int = |it: &mut Self| {
            let var = it.b.declare_var(I64);
            it.b.def_var(var, zero);
            var
        };
        let ints = (0..function.ints).map(|_| int(self)).collect();
        let words = self.words();
        let sets = (0..function.sets).map(|_| (0..words).map(|_| int(self)).collect()).collect();
        let paths = (0..function.paths)
            .map(|_| {
                let (len, items) = (int(self), self.b.declare_var(I128));
                self.b.def_var(items, wide);
                (len, items)
            })
            .collect();
        Frame {
            function,
            mode,
            ints,
            sets,
            paths,
            constants: constants(function),
            dominators: Dominators::of(function),
            places: function.blocks.iter().map(|_| self.b.create_block()).collect(),
            order: reverse_postorder(function),
            rounds,
            exit: self.b.create_block(),
            at: Block(0),
        }
    }

    /// What the instructions of a block cost: those on sets count by the words they touch.
    fn cost(&self, block: &BlockData) -> i64 {
        let words = self.words() as i64;
        let cost = |inst: &Inst| {
            let sets =
                inst.uses().iter().chain(&inst.assigns()).any(|it| matches!(it, Var::Set(_)));
            if sets { words } else { 1 }
        };
        block.insts.iter().map(|(inst, _)| cost(inst)).sum()
    }

    /// 128 bits from two halves.
    pub(super) fn wide_number(&mut self, low: Value, high: Value) -> Value {
        self.b.ins().iconcat(low, high)
    }

    pub(super) fn int(&mut self, frame: &Frame<'_>, reg: Reg) -> Value {
        match frame.known(reg) {
            Some(value) => self.number(value),
            None => self.b.use_var(frame.ints[reg.0 as usize]),
        }
    }

    /// The value of a register where the function has returned: whatever path led there.
    pub(super) fn int_at_exit(&mut self, frame: &Frame<'_>, reg: Reg) -> Value {
        self.b.use_var(frame.ints[reg.0 as usize])
    }

    pub(super) fn set_int(&mut self, frame: &Frame<'_>, reg: Reg, value: Value) {
        self.b.def_var(frame.ints[reg.0 as usize], value);
    }

    /// Sets a register to 0 or 1.
    pub(super) fn set_flag(&mut self, frame: &Frame<'_>, reg: Reg, cond: Value) {
        let value = self.wide(cond);
        self.set_int(frame, reg, value);
    }

    pub(super) fn set(&mut self, frame: &Frame<'_>, reg: SetReg) -> Set {
        self.use_set(&frame.sets[reg.0 as usize])
    }

    pub(super) fn set_set(&mut self, frame: &Frame<'_>, reg: SetReg, set: &Set) {
        self.define_set(&frame.sets[reg.0 as usize], set);
    }

    pub(super) fn path(&mut self, frame: &Frame<'_>, reg: PathReg) -> PathValue {
        let (len, items) = frame.paths[reg.0 as usize];
        PathValue { len: self.b.use_var(len), items: self.b.use_var(items) }
    }

    pub(super) fn set_path(&mut self, frame: &Frame<'_>, reg: PathReg, path: PathValue) {
        let (len, items) = frame.paths[reg.0 as usize];
        self.b.def_var(len, path.len);
        self.b.def_var(items, path.items);
    }

    pub(super) fn operand(&mut self, frame: &Frame<'_>, var: Var) -> Operand {
        match var {
            Var::Int(reg) => Operand::Int(self.int(frame, reg)),
            Var::Set(reg) => Operand::Set(self.set(frame, reg)),
            Var::Path(reg) => Operand::Path(self.path(frame, reg)),
        }
    }

    pub(super) fn set_operand(&mut self, frame: &Frame<'_>, var: Var, value: &Operand) {
        match (var, value) {
            (Var::Int(reg), &Operand::Int(value)) => self.set_int(frame, reg, value),
            (Var::Set(reg), Operand::Set(set)) => self.set_set(frame, reg, set),
            (Var::Path(reg), &Operand::Path(path)) => self.set_path(frame, reg, path),
            // The check of the program has ruled out any other pair.
            _ => {}
        }
    }

    pub(super) fn new_var(&mut self) -> Variable {
        self.b.declare_var(I64)
    }

    pub(super) fn new_set_vars(&mut self) -> Vec<Variable> {
        (0..self.words()).map(|_| self.b.declare_var(I64)).collect()
    }

    pub(super) fn define_set(&mut self, vars: &[Variable], set: &Set) {
        vars.iter().zip(set).for_each(|(&var, &word)| self.b.def_var(var, word));
    }

    pub(super) fn use_set(&mut self, vars: &[Variable]) -> Set {
        vars.iter().map(|&var| self.b.use_var(var)).collect()
    }
}
