//! What the registers of an activation hold in worlds where it is something else.
//!
//! A register whose label is broken by a change has a value *beside* its own for
//! that world. Where the label holds, its own value speaks for the world. Sets
//! are different: most depend on every square, and most of their squares are
//! never asked about. A set is made anew for a world when it is asked about
//! there, from its origin; only a set whose common label is broken, or whose cells
//! had been written, has one beside it.

use std::collections::BTreeMap;
use std::rc::Rc;

use ludex_ir::moves::Path;
use ludex_ir::{Block, Reg, SetReg, Var};

use crate::label::{Label, Labels};
use crate::set::LabelledSet;

use super::lazy_sets::Origin;
use super::worlds::{Own, WorldId};
use super::{Frame, Machine};

/// What a register of any class holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Int(i64, Label),
    Path(Path, Label),
    Set(LabelledSet),
}

impl Value {
    /// What it depends on; of a set, the common label.
    pub(super) fn label_mut(&mut self) -> &mut Label {
        match self {
            Self::Int(_, label) | Self::Path(_, label) => label,
            Self::Set(set) => &mut set.common,
        }
    }
}

/// A world that went another way, waiting where the ways meet.
#[derive(Debug)]
pub(super) struct AwayWorld {
    pub(super) meet: Option<Block>,
    pub(super) world: WorldId,
    pub(super) frame: Frame,
    /// Its cells, if they may be different where the ways meet.
    pub(super) own: Option<Own>,
}

/// All that an activation knows about other worlds.
#[derive(Debug, Default)]
pub(super) struct WorldValues {
    values: BTreeMap<(Var, WorldId), Value>,
    origins: BTreeMap<SetReg, Rc<Origin>>,
    /// Registers that were given the size of a set in the present block, in a world.
    pub(super) counted: Vec<(WorldId, Reg, LabelledSet)>,
    pub(super) away: Vec<AwayWorld>,
}

impl WorldValues {
    /// What a register holds in a world, if that is something else.
    pub(super) fn value(&self, var: Var, world: WorldId) -> Option<&Value> {
        self.values.get(&(var, world))
    }

    /// The worlds in which a register holds something else, and what.
    pub(super) fn of(&self, var: Var) -> impl Iterator<Item = (WorldId, &Value)> {
        let all = (var, WorldId::MIN)..=(var, WorldId::MAX);
        self.values.range(all).map(|(&(_, world), value)| (world, value))
    }

    /// All registers that hold something else in a world, and what.
    pub(super) fn in_world(&self, world: WorldId) -> impl Iterator<Item = (Var, &Value)> {
        self.values.iter().filter(move |it| it.0.1 == world).map(|(&(var, _), value)| (var, value))
    }

    pub(super) fn put(&mut self, var: Var, world: WorldId, value: Value) {
        self.values.insert((var, world), value);
    }

    pub(super) fn remove(&mut self, var: Var, world: WorldId) {
        self.values.remove(&(var, world));
    }

    /// Makes what a register holds elsewhere depend on something more.
    pub(super) fn because(&mut self, var: Var, label: Label, labels: &mut Labels) {
        let all = (var, WorldId::MIN)..=(var, WorldId::MAX);
        for value in self.values.range_mut(all).map(|it| it.1.label_mut()) {
            *value = labels.union(*value, label);
        }
    }

    /// Takes out all that is known about a register, which is going to hold something new.
    pub(super) fn take(&mut self, var: Var) -> Vec<(WorldId, Value)> {
        if let Var::Int(reg) = var {
            self.counted.retain(|it| it.1 != reg);
        }
        let worlds: Vec<WorldId> = self.of(var).map(|it| it.0).collect();
        let take = |world| Some((world, self.values.remove(&(var, world))?));
        worlds.into_iter().filter_map(take).collect()
    }

    /// How the set in a register came to be.
    pub(super) fn origin(&self, reg: SetReg) -> Option<&Rc<Origin>> {
        self.origins.get(&reg)
    }

    pub(super) fn set_origin(&mut self, reg: SetReg, origin: Option<Rc<Origin>>) {
        match origin {
            Some(origin) => self.origins.insert(reg, origin),
            None => self.origins.remove(&reg),
        };
    }
}

impl Frame {
    /// What a register holds.
    pub(super) fn value(&self, var: Var) -> Value {
        match var {
            Var::Int(reg) => {
                let (value, label) = self.ints[reg.0 as usize];
                Value::Int(value, label)
            }
            Var::Path(reg) => {
                let (path, label) = self.paths[reg.0 as usize];
                Value::Path(path, label)
            }
            Var::Set(reg) => Value::Set(self.sets[reg.0 as usize].clone()),
        }
    }

    /// Makes a register hold something; nothing else changes.
    pub(super) fn hold(&mut self, var: Var, value: Value) {
        match (var, value) {
            (Var::Int(reg), Value::Int(value, label)) => {
                self.ints[reg.0 as usize] = (value, label);
            }
            (Var::Path(reg), Value::Path(path, label)) => {
                self.paths[reg.0 as usize] = (path, label);
            }
            (Var::Set(reg), Value::Set(set)) => self.sets[reg.0 as usize] = set,
            // A register has values of its own class only.
            _ => {}
        }
    }
}

impl Machine<'_> {
    /// Hands on, with a value, what it is in other worlds.
    pub(super) fn copy_beside(&mut self, (from, a): (&Frame, Var), (to, b): (&mut Frame, Var)) {
        if !self.sharing {
            return;
        }
        to.beside.take(b);
        for (world, value) in from.beside.of(a) {
            let mut value = value.clone();
            let label = value.label_mut();
            *label = self.labels.union(*label, to.condition());
            to.beside.put(b, world, value);
        }
        if let (Var::Set(a), Var::Set(b)) = (a, b) {
            to.beside.set_origin(b, from.beside.origin(a).cloned());
        }
    }
}
