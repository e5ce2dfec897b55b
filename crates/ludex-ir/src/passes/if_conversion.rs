//! If-conversion: a branch that only chooses a set becomes operations on sets.
//!
//! ```text
//! if c: s = p else: s = {}        g = all squares if c, none if not; s = p & g
//! ```
//!
//! A branch that cannot be foretold costs a machine more than that, and code
//! without branches lets other passes see further.

use super::liveness::{Dense, assignments};
use super::setwise::code::Code;
use crate::bits::Bits;
use crate::inst::{Binary, Block, End, Func, Inst, Reg, SetBinary, SetId, SetReg, Unary, Var};
use crate::program::{Function, Program, SetFamily};

/// Takes the branches of a function that only choose a set.
pub fn run(program: &mut Program, func: Func) {
    while let Some(choice) = find(program, program.function(func)) {
        let family = none_or_all(program);
        apply(&mut program.functions[func.0 as usize], family, &choice);
    }
}

/// A block that ends by choosing what a set register holds.
struct Choice {
    block: Block,
    cond: Reg,
    set: SetReg,
    yes: Value,
    no: Value,
    /// Where it goes on.
    next: Block,
}

/// What a set register is given.
#[derive(Clone, Copy)]
enum Value {
    Empty,
    Of(SetReg),
}

fn find(program: &Program, function: &Function) -> Option<Choice> {
    let mut copies = function.blocks.iter().map(|it| &it.insts[..]);
    copies.find(|it| matches!(it, [(Inst::SetCopy { .. }, _)]))?;
    let code = Code::of(function);
    let known = Single::of(function);
    code.order.iter().find_map(|&block| {
        let End::Branch { cond, yes, no } = function.block(block).end.0 else { return None };
        if !known.is_truth(cond) {
            return None;
        }
        let (one, other) = (arm(&code, block, yes), arm(&code, block, no));
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) if one.1 == other.1 && one.0 == other.0 => (one, other),
            (Some(one), _) if one.1 == no => (one, (one.0, no, one.0)),
            (_, Some(other)) if other.1 == yes => ((other.0, yes, other.0), other),
            _ => return None,
        };
        let value = |set: SetReg| match known.maker(set.into()) {
            Some(inst) if is_empty(program, inst) => Value::Empty,
            _ => Value::Of(set),
        };
        let (yes, no) = (value(one.2), value(other.2));
        Some(Choice { block, cond, set: one.0, yes, no, next: one.1 })
    })
}

/// A block that does no more than copy a set: to which, where it leads, and the set.
fn arm(code: &Code<'_>, from: Block, block: Block) -> Option<(SetReg, Block, SetReg)> {
    let data = code.function.block(block);
    let [(Inst::SetCopy { dst, src }, _)] = data.insts[..] else { return None };
    let End::Jump(next) = data.end.0 else { return None };
    (code.before(block) == [from] && next != block).then_some((dst, next, src))
}

fn apply(function: &mut Function, family: SetId, choice: &Choice) {
    let place = function.block(choice.block).end.1;
    let (mask, kept) = (function.fresh_set(), function.fresh_set());
    let mut insts = vec![Inst::SetConst { dst: mask, family, index: Some(choice.cond) }];
    let dst = choice.set;
    let mut op = |op, dst, a, b| insts.push(Inst::SetBinary { op, dst, a, b });
    match (choice.yes, choice.no) {
        // None is also what is left of anything without itself.
        (Value::Empty, Value::Empty) => op(SetBinary::Difference, dst, mask, mask),
        (Value::Of(yes), Value::Empty) => op(SetBinary::Intersection, dst, yes, mask),
        (Value::Empty, Value::Of(no)) => op(SetBinary::Difference, dst, no, mask),
        (Value::Of(yes), Value::Of(no)) => {
            op(SetBinary::Intersection, kept, yes, mask);
            op(SetBinary::Difference, dst, no, mask);
            op(SetBinary::Union, dst, dst, kept);
        }
    }
    let data = function.block_mut(choice.block);
    data.insts.extend(insts.into_iter().map(|inst| (inst, place)));
    data.end.0 = End::Jump(choice.next);
}

/// The family of the empty set and the set of all squares: which is which by 0 and 1.
pub(crate) fn none_or_all(program: &mut Program) -> SetId {
    let sets = vec![Bits::empty(program.squares), Bits::full(program.squares)];
    let found = program.families.iter().position(|it| it.sets == sets);
    let index = found.unwrap_or_else(|| {
        program.families.push(SetFamily { name: "none or all".to_owned(), sets });
        program.families.len() - 1
    });
    SetId(index as u16)
}

/// Whether an instruction gives the empty set.
pub(crate) fn is_empty(program: &Program, inst: &Inst) -> bool {
    let Inst::SetConst { family, index: None, .. } = *inst else { return false };
    let first = program.families.get(family.0 as usize).and_then(|it| it.sets.first());
    first.is_none_or(Bits::is_empty)
}

/// The instructions that give registers the one value they ever have.
pub(crate) struct Single<'a> {
    dense: Dense,
    makers: Vec<Option<&'a Inst>>,
}

impl<'a> Single<'a> {
    pub(crate) fn of(function: &'a Function) -> Self {
        let dense = Dense::of(function);
        let counts = assignments(function);
        let mut makers = vec![None; dense.len()];
        for (inst, _) in function.blocks.iter().flat_map(|it| &it.insts) {
            if let Some(var) = inst.assigns() {
                let index = dense.index(var);
                makers[index] = Some(inst).filter(|_| counts[index] == 1);
            }
        }
        Self { dense, makers }
    }

    /// The instruction that a register has its one value from.
    pub(crate) fn maker(&self, var: Var) -> Option<&'a Inst> {
        self.makers[self.dense.index(var)]
    }

    /// Whether a register holds 0 or 1.
    pub(crate) fn is_truth(&self, reg: Reg) -> bool {
        match self.maker(reg.into()) {
            Some(Inst::Unary { op, .. }) => *op == Unary::Not,
            Some(Inst::Binary { op, .. }) => matches!(
                op,
                Binary::Eq
                    | Binary::Ne
                    | Binary::Lt
                    | Binary::Le
                    | Binary::REq
                    | Binary::RLt
                    | Binary::RLe
            ),
            Some(inst) => matches!(
                inst,
                Inst::Any { .. }
                    | Inst::Test { .. }
                    | Inst::TestRange { .. }
                    | Inst::Contains { .. }
                    | Inst::Reply { .. }
            ),
            None => false,
        }
    }
}
