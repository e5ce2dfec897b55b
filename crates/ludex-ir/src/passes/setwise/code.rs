//! What a pass over loops knows about the function around them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::liveness::Liveness;
use super::super::loops::{Dominators, Loop, Loops, Predecessors, predecessors, reverse_postorder};
use crate::inst::{Binary, Block, End, Func, Inst, Reg, SetReg, Var};
use crate::program::{BlockData, Function, Program};

/// A function and its loops.
#[derive(Debug)]
pub(crate) struct Code<'a> {
    pub(crate) function: &'a Function,
    pub(crate) loops: Loops,
    pub(crate) dominators: Dominators,
    /// Every block that can be reached, each before all that can only be reached through it.
    pub(crate) order: Vec<Block>,
    /// Worked out when it is first asked for.
    live: OnceCell<Liveness>,
    before: Predecessors,
    /// Number registers that are only ever given one and the same number: where, and which.
    constants: OnceCell<BTreeMap<Reg, (Vec<Block>, i64)>>,
}

impl<'a> Code<'a> {
    pub(crate) fn of(function: &'a Function) -> Self {
        let order = reverse_postorder(function);
        let before = Predecessors::new(function, &order);
        let dominators = Dominators::new(function, &order, &before);
        Self {
            function,
            loops: Loops::new(function, &order, &before, &dominators),
            dominators,
            order,
            live: OnceCell::new(),
            before,
            constants: OnceCell::new(),
        }
    }

    fn constants(&self) -> &BTreeMap<Reg, (Vec<Block>, i64)> {
        self.constants.get_or_init(|| constants(self.function, &self.order))
    }

    /// The number that a register is known to hold where a block ends.
    pub(crate) fn constant(&self, block: Block, reg: Reg) -> Option<i64> {
        self.lasting(block, reg).or_else(|| match self.last_assignment(block, reg.into())? {
            (_, &Inst::Const { value, .. }) => Some(value),
            (at, &Inst::Copy { src, .. }) => self.lasting(at, src).filter(|_| !self.gives(at, src)),
            _ => None,
        })
    }

    fn gives(&self, block: Block, reg: Reg) -> bool {
        let (blocks, _) = &self.constants()[&reg];
        blocks.contains(&block)
    }

    /// The number that a register holds for good from the end of a block on, at the latest.
    pub(crate) fn lasting(&self, block: Block, reg: Reg) -> Option<i64> {
        let (blocks, value) = self.constants().get(&reg)?;
        blocks.iter().any(|&at| self.dominators.dominates(at, block)).then_some(*value)
    }

    /// The assignment that a register has its value from where a block ends, as far as only one
    /// way leads there.
    pub(crate) fn last_assignment(&self, block: Block, var: Var) -> Option<(Block, &Inst)> {
        let mut at = block;
        for _ in 0..self.function.blocks.len() {
            let insts = self.function.block(at).insts.iter().rev();
            if let Some((inst, _)) = insts.clone().find(|(it, _)| it.assigns() == Some(var)) {
                return Some((at, inst));
            }
            match self.before[at.0 as usize][..] {
                [only] => at = only,
                _ => return None,
            }
        }
        None
    }

    /// Whether a register may be looked at from the beginning of a block on.
    pub(crate) fn wanted(&self, block: Block, var: Var) -> bool {
        let live = self.live.get_or_init(|| Liveness::of(self.function));
        live.entry(block).contains(live.dense.index(var))
    }

    /// Everything that some blocks assign.
    pub(crate) fn assigned<'b>(
        &self,
        blocks: impl IntoIterator<Item = &'b Block>,
    ) -> BTreeSet<Var> {
        let insts = blocks.into_iter().flat_map(|&block| &self.function.block(block).insts);
        insts.filter_map(|(inst, _)| inst.assigns()).collect()
    }

    /// How often some blocks look at a register or change it, ends included.
    pub(crate) fn uses<'b>(&self, blocks: impl IntoIterator<Item = &'b Block>, var: Var) -> usize {
        let uses = |&block: &Block| {
            let data = self.function.block(block);
            let insts = data.insts.iter().flat_map(|(inst, _)| inst.uses());
            let at_end = match data.end.0 {
                End::Branch { cond, .. } => Var::Int(cond) == var,
                _ => false,
            };
            insts.filter(|&it| it == var).count() + usize::from(at_end)
        };
        blocks.into_iter().map(uses).sum()
    }

    /// The blocks that lead to a block.
    pub(crate) fn before(&self, block: Block) -> &[Block] {
        &self.before[block.0 as usize]
    }
}

/// Puts the blocks that a block leads to at its end, as far as nothing else leads to them.
pub(crate) fn merge(function: &mut Function, block: Block) {
    while let End::Jump(next) = function.block(block).end.0 {
        if next == block || predecessors(function)[next.0 as usize] != [block] {
            return;
        }
        let data = function.block(next).clone();
        let into = function.block_mut(block);
        into.insts.extend(data.insts);
        into.end = data.end;
        *function.block_mut(next) = BlockData { insts: Vec::new(), end: (End::Return, 0) };
    }
}

/// Number registers that are only ever given one and the same number: where, and which.
fn constants(function: &Function, order: &[Block]) -> BTreeMap<Reg, (Vec<Block>, i64)> {
    let mut constants: BTreeMap<Reg, (Vec<Block>, i64)> = BTreeMap::new();
    let mut others = vec![false; function.ints.into()];
    let mut exclude = |var: Var| {
        if let Var::Int(reg) = var {
            others[reg.0 as usize] = true;
        }
    };
    function.params.iter().for_each(|&param| exclude(param));
    for &block in order {
        for (inst, _) in &function.block(block).insts {
            match *inst {
                Inst::Const { dst, value } => {
                    let (blocks, first) =
                        constants.entry(dst).or_insert_with(|| (Vec::new(), value));
                    blocks.push(block);
                    if *first != value {
                        exclude(dst.into());
                    }
                }
                _ => inst.assigns().into_iter().for_each(&mut exclude),
            }
        }
    }
    constants.retain(|&reg, _| !others[reg.0 as usize]);
    constants
}

/// Changes loops of a function, one after the other, as long as `change` finds one; it notes in
/// the set which it has tried.
pub(crate) fn change_loops(
    program: &mut Program,
    func: Func,
    mut change: impl FnMut(&mut Program, &Code<'_>, &mut BTreeSet<Block>) -> Option<Function>,
) {
    let mut tried = BTreeSet::new();
    loop {
        let function = program.function(func).clone();
        let Some(changed) = change(program, &Code::of(&function), &mut tried) else { return };
        program.functions[func.0 as usize] = changed;
    }
}

/// A loop over the members of a set, in the one form that all passes make and look for:
///
/// ```text
/// head: a = next_member s m1
///       c = lt m1 a
///       if c body else exit
/// body: remove s a
///       ...
/// ```
///
/// `s` is used by nothing else, `m1` is always -1, and the body assigns neither `a` nor `s`.
#[derive(Clone, Debug)]
pub(crate) struct MemberLoop {
    /// The block that leads into it and nowhere else.
    pub(crate) entry: Block,
    pub(crate) head: Block,
    pub(crate) body: Block,
    pub(crate) exit: Block,
    pub(crate) member: Reg,
    pub(crate) set: SetReg,
    /// All its blocks but the head.
    pub(crate) blocks: BTreeSet<Block>,
    /// The edges that leave it from the body: from, to.
    pub(crate) leaves: Vec<(Block, Block)>,
    /// The next loop around it.
    pub(crate) parent: Option<Block>,
}

impl MemberLoop {
    /// Reads a loop as one over members.
    pub(crate) fn of(code: &Code<'_>, it: &Loop) -> Option<Self> {
        let function = code.function;
        let entry = it.preheader(function)?;
        let data = function.block(it.header);
        let [(Inst::NextMember { dst: member, set, after }, _), (test, _)] = &data.insts[..] else {
            return None;
        };
        let (member, set, after) = (*member, *set, *after);
        let &Inst::Binary { op: Binary::Lt, dst, a, b } = test else { return None };
        let End::Branch { cond, yes: body, no: exit } = data.end.0 else {
            return None;
        };
        let first = function.block(body).insts.first();
        let removed = matches!(first, Some((Inst::SetRemove { set: from, square }, _))
            if *from == set && *square == member);
        let shape = a == after && b == member && cond == dst && removed;
        let inside = it.contains(body) && !it.contains(exit) && body != it.header;
        let enters_body_once = code.before(body) == [it.header];
        if !(shape && inside && enters_body_once) || code.constant(entry, after) != Some(-1) {
            return None;
        }
        let blocks: BTreeSet<Block> =
            it.blocks.iter().copied().filter(|&block| block != it.header).collect();
        let assigned = code.assigned(&blocks);
        let changes = |block: &Block| {
            let insts = function.block(*block).insts.iter();
            insts.filter(|(it, _)| it.assigns() == Some(set.into())).count()
        };
        let private = code.uses(&blocks, set.into()) == 1
            && blocks.iter().map(changes).sum::<usize>() == 1
            && !assigned.contains(&member.into())
            && !assigned.contains(&after.into());
        let leaves: Vec<_> =
            it.exits.iter().copied().filter(|&(from, _)| from != it.header).collect();
        let gone = |block| !code.wanted(block, member.into()) && !code.wanted(block, set.into());
        let gone = gone(exit) && leaves.iter().all(|&(_, to)| !code.wanted(to, set.into()));
        let parent = it.parent.map(|at| code.loops.all()[at].header);
        (private && gone).then_some(Self {
            entry,
            head: it.header,
            body,
            exit,
            member,
            set,
            blocks,
            leaves,
            parent,
        })
    }
}
