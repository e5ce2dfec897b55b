//! Webs: one register for each independent value.
//!
//! A register that is assigned in several places is used for several values
//! if no use can see two of the assignments. Each group of assignments that
//! some use sees together gets a register of its own. After unrolling and
//! inlining this gives most values a register that is assigned once, which is
//! what the other passes look for.

use super::liveness::{BitSet, Dense, Liveness};
use super::loops::{predecessors, reverse_postorder};
use crate::inst::{Block, End, Var};
use crate::operands::Access;
use crate::program::Function;

/// Splits the registers of a function; whether any was.
pub fn split(function: &mut Function) -> bool {
    let mut webs = Webs::of(function);
    if webs.first_def.is_empty() {
        return false;
    }
    webs.join(function);
    let names = webs.names(function);
    let changed = names.iter().enumerate().any(|(def, &name)| webs.vars[def] != name);
    if changed {
        webs.apply(function, &names);
    }
    changed
}

/// The assignments of the registers that have more than one, each group known by one of them.
struct Webs {
    dense: Dense,
    /// For each register the number of its first assignment, which is what it holds at the start.
    first_def: Vec<(usize, usize)>,
    /// Whether that is ever looked at, or an argument.
    first_counts: Vec<bool>,
    /// By register: where it is in `first_def`.
    of_var: Vec<Option<usize>>,
    /// By assignment: the register.
    vars: Vec<Var>,
    /// By assignment: another of its group, itself for the one that stands for it.
    group: Vec<usize>,
    /// By register (as in `first_def`): all its assignments.
    all: Vec<BitSet>,
    /// By block: the number of the first assignment in it.
    begins: Vec<usize>,
    order: Vec<Block>,
    entries: Vec<BitSet>,
}

impl Webs {
    fn of(function: &Function) -> Self {
        let dense = Dense::of(function);
        let live = Liveness::of(function);
        let counts = live.assignments(function);
        let order = reverse_postorder(function);
        let mut webs = Self {
            dense,
            first_def: Vec::new(),
            first_counts: Vec::new(),
            of_var: vec![None; dense.len()],
            vars: Vec::new(),
            group: Vec::new(),
            all: Vec::new(),
            begins: vec![0; function.blocks.len()],
            order,
            entries: Vec::new(),
        };
        for (index, _) in counts.iter().enumerate().filter(|(_, count)| **count > 1) {
            webs.of_var[index] = Some(webs.first_def.len());
            webs.first_def.push((index, webs.vars.len()));
            webs.vars.push(dense.var(index));
            let wanted = live.entry(Block(0)).contains(index);
            webs.first_counts.push(wanted || function.params.contains(&dense.var(index)));
        }
        for &block in &webs.order {
            webs.begins[block.0 as usize] = webs.vars.len();
            for (inst, _) in &function.block(block).insts {
                if let Some(var) =
                    inst.assigns().filter(|&it| webs.of_var[dense.index(it)].is_some())
                {
                    webs.vars.push(var);
                }
            }
        }
        webs.group = (0..webs.vars.len()).collect();
        webs.all = vec![BitSet::new(webs.vars.len()); webs.first_def.len()];
        for (def, &var) in webs.vars.iter().enumerate() {
            if let Some(slot) = webs.of_var[dense.index(var)] {
                webs.all[slot].insert(def);
            }
        }
        webs.reach(function);
        webs
    }

    fn slot(&self, var: Var) -> Option<usize> {
        self.of_var[self.dense.index(var)]
    }

    /// Which assignments may be seen where each block begins.
    fn reach(&mut self, function: &Function) {
        let before = predecessors(function);
        let empty = BitSet::new(self.vars.len());
        self.entries = vec![empty.clone(); function.blocks.len()];
        let mut exits = self.entries.clone();
        for slot in 0..self.first_def.len() {
            self.entries[0].insert(self.first_def[slot].1);
        }
        // What each block ends for those that come into it.
        let mut ended = exits.clone();
        for &block in &self.order {
            let (made, ended) = (&mut exits[block.0 as usize], &mut ended[block.0 as usize]);
            self.walk(function, block, made, |_, _, _| {});
            let insts = function.block(block).insts.iter();
            for slot in insts.filter_map(|(inst, _)| self.slot(inst.assigns()?)) {
                ended.add(&self.all[slot]);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &self.order {
                let entry = &mut self.entries[block.0 as usize];
                for from in &before[block.0 as usize] {
                    entry.add(&exits[from.0 as usize]);
                }
                changed |= exits[block.0 as usize].add_without(entry, &ended[block.0 as usize]);
            }
        }
    }

    /// Goes through a block and calls `visit` with each use (a set that is changed counts as
    /// one) of a register, what may be seen there, and the assignment that the same instruction
    /// makes of the same register.
    fn walk(
        &self,
        function: &Function,
        block: Block,
        seen: &mut BitSet,
        mut visit: impl FnMut(Var, &BitSet, Option<usize>),
    ) {
        let mut def = self.begins[block.0 as usize];
        let data = function.block(block);
        for (inst, _) in &data.insts {
            let assigned = inst.assigns().filter(|&it| self.slot(it).is_some());
            for var in inst.uses() {
                let changes = is_changed(inst, var) && assigned == Some(var);
                visit(var, seen, changes.then_some(def));
            }
            if let Some(slot) = assigned.and_then(|it| self.slot(it)) {
                seen.take(&self.all[slot]);
                seen.insert(def);
                def += 1;
            }
        }
        let result = function.result.filter(|_| data.end.0 == End::Return);
        data.end.0.uses().into_iter().chain(result).for_each(|it| visit(it, seen, None));
    }

    fn top(&self, mut def: usize) -> usize {
        while self.group[def] != def {
            def = self.group[def];
        }
        def
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.top(a), self.top(b));
        // The lowest stands for all: what the register holds at the start, if it is among them.
        self.group[a.max(b)] = a.min(b);
    }

    /// Groups the assignments that a use sees together.
    fn join(&mut self, function: &Function) {
        let mut pairs = Vec::new();
        // All returns find the result in one register.
        let mut returned: Option<usize> = None;
        for &block in &self.order {
            let mut seen = self.entries[block.0 as usize].clone();
            let is_return = function.block(block).end.0 == End::Return;
            self.walk(function, block, &mut seen, |var, seen, own| {
                let Some(slot) = self.slot(var) else { return };
                let mut members = seen.both(&self.all[slot]).chain(own);
                if let Some(first) = members.next() {
                    pairs.extend(members.map(|it| (first, it)));
                }
            });
            let result = function.result.and_then(|it| self.slot(it)).filter(|_| is_return);
            if let Some(slot) = result {
                for def in seen.both(&self.all[slot]) {
                    pairs.push((*returned.get_or_insert(def), def));
                }
            }
        }
        for (a, b) in pairs {
            self.unite(a, b);
        }
    }

    /// The new register of each assignment. What a register holds at the start keeps it, if that
    /// counts; else the first group does.
    fn names(&self, function: &mut Function) -> Vec<Var> {
        let mut names = self.vars.clone();
        let mut taken = self.first_counts.clone();
        for def in 0..self.vars.len() {
            let top = self.top(def);
            if top != def {
                names[def] = names[top];
                continue;
            }
            let Some(slot) = self.slot(self.vars[def]) else { continue };
            let first = def == self.first_def[slot].1;
            if !first && std::mem::replace(&mut taken[slot], true) {
                names[def] = function.fresh_like(self.vars[def]);
                let named = function.names.iter().find(|it| it.0 == self.vars[def]);
                let name = named.map(|it| (names[def], it.1.clone()));
                function.names.extend(name);
            }
        }
        names
    }

    fn apply(&self, function: &mut Function, names: &[Var]) {
        let mut result = function.result;
        for &block in &self.order {
            let mut seen = self.entries[block.0 as usize].clone();
            let mut def = self.begins[block.0 as usize];
            let mut data = std::mem::replace(
                function.block_mut(block),
                crate::program::BlockData { insts: Vec::new(), end: (End::Return, 0) },
            );
            for (inst, _) in &mut data.insts {
                let assigned = inst.assigns().and_then(|it| self.slot(it));
                inst.rename(|access, var| match self.slot(var) {
                    None => var,
                    Some(_) if access != Access::Reads => names[def],
                    Some(slot) => self.visible(slot, &seen).map_or(var, |it| names[it]),
                });
                if let Some(slot) = assigned {
                    seen.take(&self.all[slot]);
                    seen.insert(def);
                    def += 1;
                }
            }
            data.end.0.rename(|var| {
                let slot = self.slot(var);
                slot.and_then(|it| self.visible(it, &seen)).map_or(var, |it| names[it])
            });
            if let (Some(var), End::Return) = (function.result, &data.end.0) {
                let slot = self.slot(var);
                result =
                    Some(slot.and_then(|it| self.visible(it, &seen)).map_or(var, |it| names[it]));
            }
            *function.block_mut(block) = data;
        }
        function.result = result;
    }

    fn visible(&self, slot: usize, seen: &BitSet) -> Option<usize> {
        seen.both(&self.all[slot]).next()
    }
}

fn is_changed(inst: &crate::inst::Inst, var: Var) -> bool {
    use crate::inst::Inst;
    matches!(*inst, Inst::SetInsert { set, .. } | Inst::SetRemove { set, .. } if Var::Set(set) == var)
}
