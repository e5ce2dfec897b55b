//! From expressions to instructions that run once, before the loop.

use std::collections::HashMap;

use super::super::cse::nameless;
use super::sets::{Node, Set, Sets};
use crate::bits::Bits;
use crate::inst::{Inst, Reg, SetBinary, SetId, SetReg, Var};
use crate::operands::Access;
use crate::program::{Function, Program, SetFamily};

/// Instructions in the order in which they run, and what they gave.
#[derive(Debug)]
pub(crate) struct Writer {
    /// The instructions.
    pub(crate) insts: Vec<(Inst, u32)>,
    /// Registers used so far.
    pub(crate) ints: u16,
    pub(crate) sets: u16,
    /// Where new instructions come from in the source.
    pub(crate) place: u32,
    numbers: HashMap<i64, Reg>,
    written: HashMap<Set, SetReg>,
    moved: HashMap<Inst, Var>,
}

impl Writer {
    pub(crate) fn new(function: &Function) -> Self {
        Self {
            insts: Vec::new(),
            ints: function.ints,
            sets: function.sets,
            place: 0,
            numbers: HashMap::new(),
            written: HashMap::new(),
            moved: HashMap::new(),
        }
    }

    pub(crate) fn fresh_int(&mut self) -> Reg {
        self.ints += 1;
        Reg(self.ints - 1)
    }

    pub(crate) fn fresh_set(&mut self) -> SetReg {
        self.sets += 1;
        SetReg(self.sets - 1)
    }

    pub(crate) fn push(&mut self, inst: Inst) {
        self.insts.push((inst, self.place));
    }

    /// A register that holds a number.
    pub(crate) fn number(&mut self, value: i64) -> Reg {
        if let Some(&reg) = self.numbers.get(&value) {
            return reg;
        }
        let dst = self.fresh_int();
        self.push(Inst::Const { dst, value });
        self.numbers.insert(value, dst);
        dst
    }

    /// Puts an instruction without effect in front of the loop; gives the register that holds its
    /// outcome.
    pub(crate) fn hoist(&mut self, inst: &Inst) -> Option<Var> {
        let key = nameless(inst);
        if let Some(&var) = self.moved.get(&key) {
            return Some(var);
        }
        let dst: Var = match inst.assigns()? {
            Var::Int(_) => self.fresh_int().into(),
            Var::Set(_) => self.fresh_set().into(),
            Var::Path(_) => return None,
        };
        let mut moved = inst.clone();
        moved.rename(|access, var| if access == Access::Assigns { dst } else { var });
        self.push(moved);
        self.moved.insert(key, dst);
        Some(dst)
    }

    /// A register that holds a set.
    pub(crate) fn set(&mut self, program: &mut Program, sets: &Sets, set: Set) -> SetReg {
        if let Node::Held(reg) = *sets.node(set) {
            return reg;
        }
        if let Some(&reg) = self.written.get(&set) {
            return reg;
        }
        let dst = self.compute(program, sets, set);
        self.written.insert(set, dst);
        dst
    }

    fn compute(&mut self, program: &mut Program, sets: &Sets, set: Set) -> SetReg {
        let mut operand = |writer: &mut Self, set| writer.set(program, sets, set);
        let (op, a, b) = match *sets.node(set) {
            Node::And(a, b) => (SetBinary::Intersection, a, b),
            Node::Or(a, b) => (SetBinary::Union, a, b),
            Node::Minus(a, b) => (SetBinary::Difference, a, b),
            Node::Moved(src, dir, count) => {
                let (src, dir) = (operand(self, src), self.number(i64::from(dir)));
                let dst = self.fresh_set();
                self.push(match count {
                    1 => Inst::Shift { dst, src, dir },
                    _ => Inst::Leap { dst, src, dir, count },
                });
                return dst;
            }
            Node::Slide(from, through, dir) => {
                let (from, through) = (operand(self, from), operand(self, through));
                let dir = self.number(i64::from(dir));
                let dst = self.fresh_set();
                self.push(Inst::Slide { dst, from, through, dir });
                return dst;
            }
            _ => return self.leaf(program, sets, set),
        };
        let (a, b) = (operand(self, a), operand(self, b));
        let dst = self.fresh_set();
        self.push(Inst::SetBinary { op, dst, a, b });
        dst
    }

    fn leaf(&mut self, program: &mut Program, sets: &Sets, set: Set) -> SetReg {
        match sets.node(set) {
            Node::Known(bits) => self.constant(program, bits),
            &Node::Where(mask) => {
                let mask = self.number(mask as i64);
                let dst = self.fresh_set();
                self.push(Inst::SetWhere { dst, mask });
                dst
            }
            &Node::If(reg) => {
                let (none, all) = (Bits::empty(program.squares), Bits::full(program.squares));
                let family = family(program, "nothing or all", vec![none, all]);
                let dst = self.fresh_set();
                self.push(Inst::SetConst { dst, family, index: Some(reg) });
                dst
            }
            &Node::One(square) => {
                let dst = self.constant(program, &Bits::empty(program.squares));
                self.push(Inst::SetInsert { set: dst, square });
                dst
            }
            _ => unreachable!("the other nodes are not leaves"),
        }
    }

    fn constant(&mut self, program: &mut Program, bits: &Bits) -> SetReg {
        let dst = self.fresh_set();
        let member = |family: &SetFamily| family.sets.iter().position(|it| it == bits);
        let found =
            program.families.iter().enumerate().find_map(|(at, it)| Some((at, member(it)?)));
        let (family, index) = match found {
            Some((family, index)) => (SetId(family as u16), index),
            None => (family(program, "squares", vec![bits.clone()]), 0),
        };
        let alone = program.families[family.0 as usize].sets.len() == 1;
        let index = (!alone || index != 0).then(|| self.number(index as i64));
        self.push(Inst::SetConst { dst, family, index });
        dst
    }
}

/// The number of a family of sets, which is added if there is none like it.
fn family(program: &mut Program, name: &str, sets: Vec<Bits>) -> SetId {
    let found = program.families.iter().position(|it| it.sets == sets);
    let index = found.unwrap_or_else(|| {
        program.families.push(SetFamily { name: name.to_owned(), sets });
        program.families.len() - 1
    });
    SetId(index as u16)
}
