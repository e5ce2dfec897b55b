//! Rules about functions, blocks and instructions, each by itself.

use super::{At, Errors};
use crate::inst::{ArrayId, Block, Func, Inst, OutcomeKind, Spread, StatementId, Var};
use crate::program::{Array, ArrayRole, Function, History, OperandKind, Program};
use crate::try_depth::TryDepth;

pub(super) fn check(program: &Program, errors: &mut Errors) {
    for (index, function) in program.functions.iter().enumerate() {
        let mut ctx = Ctx { program, func: Func(index as u16), function, errors };
        ctx.signature();
        for block in 0..function.blocks.len() as u32 {
            ctx.block(Block(block));
        }
        ctx.balance();
    }
}

struct Ctx<'a> {
    program: &'a Program,
    func: Func,
    function: &'a Function,
    errors: &'a mut Errors,
}

impl<'a> Ctx<'a> {
    fn require(&mut self, right: bool, at: At<'_>, message: impl Into<String>) {
        if !right {
            self.errors.code(self.program, at, message);
        }
    }

    fn head(&self) -> At<'a> {
        At { func: self.func, block: None, inst: None }
    }

    fn signature(&mut self) {
        let function = self.function;
        let at = self.head();
        self.require(!function.blocks.is_empty(), at, "has no block");
        let me = matches!(function.params.first(), Some(Var::Int(_)));
        self.require(me, at, "its first parameter is not a number (`me`)");
        for (index, param) in function.params.iter().enumerate() {
            let again = function.params[..index].contains(param);
            self.require(!again, at, format!("{param} is a parameter twice"));
        }
        let named = function.names.iter().map(|(var, _)| var);
        for &var in function.params.iter().chain(&function.result).chain(named) {
            self.register(at, var);
        }
    }

    fn register(&mut self, at: At<'_>, var: Var) {
        let (id, count) = match var {
            Var::Int(reg) => (reg.0, self.function.ints),
            Var::Set(reg) => (reg.0, self.function.sets),
            Var::Path(reg) => (reg.0, self.function.paths),
        };
        self.require(id < count, at, format!("{var} is not among its {count} registers"));
    }

    fn block(&mut self, block: Block) {
        let data = self.function.block(block);
        for (inst, _) in &data.insts {
            let at = At { func: self.func, block: Some(block), inst: Some(inst) };
            inst.registers(|_, var| self.register(at, var));
            self.inst(at, inst);
        }
        let end = &data.end.0;
        let at = At { func: self.func, block: Some(block), inst: Some(end) };
        end.uses().into_iter().for_each(|var| self.register(at, var));
        for next in end.successors() {
            let exists = (next.0 as usize) < self.function.blocks.len();
            self.require(exists, at, format!("there is no block {next}"));
        }
    }

    fn inst(&mut self, at: At<'_>, inst: &Inst) {
        let program = self.program;
        match inst {
            Inst::Load { array, .. }
            | Inst::TestRange { array, .. }
            | Inst::Store { array, .. }
            | Inst::Add { array, .. } => {
                self.array(at, *array);
            }
            Inst::Test { array, .. } => self.test(at, *array),
            Inst::SetLoad { array, .. }
            | Inst::SetStore { array, .. }
            | Inst::SetUpdate { array, .. } => {
                let sets = self.array(at, *array).is_none_or(|it| it.role == ArrayRole::Set);
                self.require(sets, at, "is not an array of sets");
            }
            Inst::Lookup { table, j, .. } => {
                let Some(found) = program.tables.get(table.0 as usize) else {
                    return self.require(false, at, format!("there is no table {table}"));
                };
                let right = j.is_some() || found.columns == 1;
                self.require(right, at, "the table has columns, and none is chosen");
            }
            Inst::SetConst { family, .. } => {
                let exists = (family.0 as usize) < program.families.len();
                self.require(exists, at, format!("there is no family {family}"));
            }
            Inst::Call { func, args, result } => self.call(at, *func, args, *result),
            Inst::Emit { statement, args, .. } => {
                let Some(found) = program.statements.get(statement.0 as usize) else {
                    return self.require(false, at, format!("there is no statement {statement}"));
                };
                let right = found.operands.len() == args.len()
                    && found.operands.iter().zip(args).all(|(it, &arg)| fits(it.kind, arg));
                self.require(right, at, "does not match the operands of its statement");
            }
            Inst::EmitAll { statement, args, .. } => self.emit_all(at, *statement, args),
            Inst::Outcome { kind, score } => {
                let right = (*kind == OutcomeKind::Score) == score.is_some();
                self.require(right, at, "a score, and nothing else, comes with a number");
            }
            Inst::Feature { index, .. } => {
                let exists = (*index as usize) < program.features.len();
                self.require(exists, at, "there is no such feature");
            }
            Inst::Repeats { .. } => {
                let kept = program.history != History::None;
                self.require(kept, at, "the program keeps no history");
            }
            _ => {}
        }
    }

    fn emit_all(&mut self, at: At<'_>, statement: StatementId, args: &[Spread]) {
        let Some(found) = self.program.statements.get(statement.0 as usize) else {
            return self.require(false, at, format!("there is no statement {statement}"));
        };
        let right = found.operands.len() == args.len()
            && found.operands.iter().all(|it| !it.kind.is_path());
        self.require(right, at, "does not match the operands of its statement");
        for arg in args {
            if let Spread::Table(table) = *arg {
                let found = self.program.tables.get(table.0 as usize);
                let right = found.is_some_and(|it| it.columns == 1);
                self.require(right, at, format!("{table} is no table of one column"));
            }
        }
    }

    /// An array by number; notes if there is none.
    fn array(&mut self, at: At<'_>, array: ArrayId) -> Option<&'a Array> {
        let found = self.program.arrays.get(array.0 as usize);
        self.require(found.is_some(), at, format!("there is no array {array}"));
        found
    }

    fn test(&mut self, at: At<'_>, array: ArrayId) {
        let Some(found) = self.array(at, array) else { return };
        let few = found.hi.checked_sub(found.lo).is_some_and(|it| it < 64);
        self.require(few, at, "the array has more than 64 values");
    }

    fn call(&mut self, at: At<'_>, func: Func, args: &[Var], result: Option<Var>) {
        let Some(callee) = self.program.functions.get(func.0 as usize) else {
            return self.require(false, at, format!("there is no function {func}"));
        };
        let right = callee.params.len() == args.len()
            && callee.params.iter().zip(args).all(|(param, &arg)| param.same_class(arg));
        self.require(right, at, "does not match the parameters of its function");
        if let Some(wanted) = result {
            let given = callee.result.is_some_and(|it| it.same_class(wanted));
            self.require(given, at, "the function does not give such a result");
        }
    }

    fn balance(&mut self) {
        for fault in TryDepth::of(self.function).faults() {
            let data = self.function.block(fault.block);
            let inst: &dyn std::fmt::Display = match fault.inst {
                Some(index) => &data.insts[index].0,
                None => &data.end.0,
            };
            let at = At { func: self.func, block: Some(fault.block), inst: Some(inst) };
            self.require(false, at, fault.message.clone());
        }
    }
}

/// Whether a register can hold an operand.
pub(super) const fn fits(kind: OperandKind, var: Var) -> bool {
    match var {
        Var::Int(_) => !kind.is_path(),
        Var::Set(_) => false,
        Var::Path(_) => kind.is_path(),
    }
}
