//! One step of a run that is about all worlds together.
//!
//! The instruction is run as usual. Then it is run again for each world that
//! breaks the label of what came out: with its operands as they are in that
//! world, and with the changed cell.

use ludex_core::Fault;
use ludex_ir::{Inst, Var};

use crate::cells::Mark;
use crate::code::Branch;
use crate::label::Label;

use super::query::Query;
use super::world_values::Value;
use super::worlds::WorldId;
use super::{Emission, Frame, Machine, Said};

/// What the register that an instruction assigns held before.
pub(super) struct Old {
    pub(super) var: Var,
    pub(super) value: Value,
    pub(super) beside: Vec<(WorldId, Value)>,
}

impl Machine<'_> {
    /// Runs an instruction in all worlds.
    pub(super) fn step_everywhere(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        place: u32,
    ) -> Result<(), Fault> {
        match inst {
            // What a call does is done by the steps of the function; `call` hands over the rest.
            Inst::Call { .. } => self.step(frame, inst, place),
            Inst::Store { .. }
            | Inst::Add { .. }
            | Inst::StoreAll { .. }
            | Inst::SetStore { .. }
            | Inst::SetUpdate { .. } => self.write_everywhere(frame, inst, place),
            Inst::TryBegin => self.try_everywhere(frame, inst, place),
            Inst::TryEnd => self.untry_everywhere(frame, inst, place),
            Inst::Emit { .. } | Inst::Outcome { .. } => self.tell_everywhere(frame, inst, place),
            _ => match inst.assigns() {
                Some(var) => self.assign_everywhere(frame, inst, var, place),
                None => self.step(frame, inst, place),
            },
        }
    }

    fn assign_everywhere(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        var: Var,
        place: u32,
    ) -> Result<(), Fault> {
        let old = Old { var, value: frame.value(var), beside: frame.beside.take(var) };
        self.step(frame, inst, place)?;
        let mut worlds = self.parted_by(frame.condition(), *frame.value(var).label_mut());
        let origin = match var {
            Var::Set(_) => {
                worlds.extend(self.parted_sets(frame, inst, &old));
                worlds.sort_unstable();
                worlds.dedup();
                self.made(frame, inst)
            }
            _ => None,
        };
        for world in worlds {
            if let Some(value) = self.again(frame, inst, place, world, Some(&old))? {
                frame.beside.put(var, world, value);
            }
        }
        if let Var::Set(reg) = var {
            frame.beside.set_origin(reg, origin);
        }
        Ok(())
    }

    /// Lists a move or gives a result, and again where it is another or comes for other reasons.
    fn tell_everywhere(&mut self, frame: &mut Frame, inst: &Inst, place: u32) -> Result<(), Fault> {
        self.step(frame, inst, place)?;
        let label = match inst {
            Inst::Emit { .. } => self.emitted.last().map(|it: &Emission| it.label),
            _ => self.said.last().map(|it: &Said| it.label),
        };
        for world in self.parted_by(frame.condition(), label.unwrap_or(Label::NONE)) {
            self.again(frame, inst, place, world, None)?;
        }
        Ok(())
    }

    /// Writes cells. A world in which something else is written, or written elsewhere, gets cells of
    /// its own first; worlds that have some write to them whatever is written.
    fn write_everywhere(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        place: u32,
    ) -> Result<(), Fault> {
        let label = self.write_label(frame, inst);
        for world in self.parted_by(frame.condition(), label) {
            self.set_apart(world);
        }
        self.step(frame, inst, place)?;
        for world in self.apart() {
            self.again(frame, inst, place, world, None)?;
        }
        Ok(())
    }

    /// What the operands of a write depend on, and what it adds to if it adds.
    fn write_label(&mut self, frame: &Frame, inst: &Inst) -> Label {
        let mut label = Label::NONE;
        for var in inst.uses() {
            let own = match var {
                Var::Set(reg) => frame.set(reg).total(&mut self.labels),
                _ => *frame.value(var).label_mut(),
            };
            label = self.labels.union(label, own);
        }
        if let &Inst::Add { array, index, .. } = inst
            && let (Some(cell), _) = self.cell(frame, array, index)
        {
            label = self.query(cell, label, Query::Value);
        }
        label
    }

    /// The worlds that have cells of their own.
    fn apart(&self) -> Vec<WorldId> {
        let all = 0..self.worlds.all.len();
        all.filter(|&it| self.worlds.all[it].own.is_some()).collect()
    }

    fn try_everywhere(&mut self, frame: &mut Frame, inst: &Inst, place: u32) -> Result<(), Fault> {
        self.step(frame, inst, place)?;
        for world in self.apart() {
            self.again(frame, inst, place, world, None)?;
        }
        Ok(())
    }

    /// Undoes writes. A world whose first own write is undone is as the others again.
    fn untry_everywhere(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        place: u32,
    ) -> Result<(), Fault> {
        let begin = |tries: &[Mark]| tries.last().map_or(0, Mark::log_len);
        let here = begin(&self.tries);
        self.step(frame, inst, place)?;
        for world in self.apart() {
            let own = &mut self.worlds.all[world].own;
            own.take_if(|it| here.max(begin(&it.tries)) <= it.since);
            if own.is_some() {
                self.again(frame, inst, place, world, None)?;
            }
        }
        Ok(())
    }

    /// The relevant-slice step in the other worlds: what the branch may have assigned there depends
    /// on its condition too.
    pub(super) fn close_everywhere(&mut self, frame: &mut Frame, branch: &Branch, label: Label) {
        let flags = branch.flags.iter().map(|&(reg, _)| Var::Int(reg));
        for var in flags.chain(branch.vars.iter().copied()) {
            frame.beside.because(var, label, &mut self.labels);
        }
        for world in self.apart() {
            let Some(own) = &mut self.worlds.all[world].own else { continue };
            for &array in &branch.writes {
                own.cells.add_star(array, label, &mut self.labels);
            }
        }
    }

    /// Runs an instruction again in a world; gives what it assigns there.
    fn again(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        place: u32,
        world: WorldId,
        old: Option<&Old>,
    ) -> Result<Option<Value>, Fault> {
        self.spend(1, place)?;
        let assigned = old.map(|it| frame.value(it.var));
        let own = self.put_on(frame, inst, world, old)?;
        let (there, elsewhere): (Vec<_>, Vec<_>) =
            std::mem::take(&mut frame.beside.counted).into_iter().partition(|it| it.0 == world);
        frame.beside.counted = elsewhere;
        let there = there.into_iter().map(|(_, reg, set)| (reg, set)).collect();
        let counted = std::mem::replace(&mut frame.counted, there);

        let done = self.inside(world, |machine| machine.step(frame, inst, place))?;

        let there = std::mem::replace(&mut frame.counted, counted);
        frame.beside.counted.extend(there.into_iter().map(|(reg, set)| (world, reg, set)));
        let value = done.and_then(|()| old.map(|it| frame.value(it.var)));
        for (var, value) in own.into_iter().rev() {
            frame.hold(var, value);
        }
        if let (Some(old), Some(assigned)) = (old, assigned) {
            frame.hold(old.var, assigned);
        }
        Ok(value)
    }

    /// Makes the operands of an instruction what they are in a world; gives what they were.
    fn put_on(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        world: WorldId,
        old: Option<&Old>,
    ) -> Result<Vec<(Var, Value)>, Fault> {
        let mut own = Vec::new();
        for var in inst.uses() {
            let there = match (old.filter(|it| it.var == var), var) {
                (Some(old), _) => Some(self.before(frame, old, world)?),
                (None, Var::Set(reg)) => self.set_in(frame, reg, world)?.map(Value::Set),
                (None, _) => frame.beside.value(var, world).cloned(),
            };
            if let Some(there) = there {
                own.push((var, frame.value(var)));
                frame.hold(var, there);
            }
        }
        Ok(own)
    }

    /// What the register that an instruction has assigned held before, in a world.
    fn before(&mut self, frame: &Frame, old: &Old, world: WorldId) -> Result<Value, Fault> {
        if let Some((_, value)) = old.beside.iter().find(|it| it.0 == world) {
            return Ok(value.clone());
        }
        match (old.var, &old.value) {
            (Var::Set(reg), Value::Set(set)) => {
                let origin = frame.beside.origin(reg).cloned();
                Ok(Value::Set(self.made_in(origin.as_ref(), set, world)?))
            }
            (_, value) => Ok(value.clone()),
        }
    }
}
