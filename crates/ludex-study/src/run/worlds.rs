//! Changed worlds: states that differ from the present one in a cell.
//!
//! Labels tell which worlds are different where. A label that still holds in a
//! world speaks for it as well: what has the label is the same there. One that
//! does not hold there is *broken* by the change, and what has it must be
//! found out for that world by itself.

use std::collections::HashMap;
use std::rc::Rc;

use ludex_core::Fault;

use crate::cells::{Cells, Mark};
use crate::label::{Label, Labels, Quick};
use crate::set::LabelledSet;

use super::{Emission, Machine, Said};

/// The number of a world.
pub(crate) type WorldId = usize;

/// A cell and the raw value that it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RawChange {
    pub(crate) cell: usize,
    pub(crate) raw: u16,
}

/// A state with one change, and what the rules say there that they need not say here.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) change: RawChange,
    pub(crate) emitted: Vec<Emission>,
    pub(crate) said: Vec<Said>,
    /// Whether anything at all depends on the change.
    pub(crate) touched: bool,
    /// Whether the rules met a fault there.
    pub(crate) failed: bool,
    /// Cells of its own, once it has written something else than the present state.
    pub(super) own: Option<Own>,
}

/// The cells of a world that has written something else.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub(super) cells: Cells,
    pub(super) tries: Vec<Mark>,
    /// How many writes there were before the first that was different.
    pub(super) since: usize,
}

/// All worlds that a run is about besides the present one.
#[derive(Debug, Default)]
pub(crate) struct Worlds {
    pub(crate) all: Vec<World>,
    /// The worlds that change a cell.
    by_cell: HashMap<u32, Vec<WorldId>, Quick>,
    /// The worlds that break a label, as far as that was asked.
    broken: HashMap<Label, Rc<[WorldId]>, Quick>,
    /// Sets as they are in worlds, by the number of their origin.
    pub(super) sets: HashMap<(usize, WorldId), LabelledSet, Quick>,
    /// How many origins there are.
    pub(super) origins: usize,
    /// The world that is being run by itself.
    inside: Option<WorldId>,
}

impl Worlds {
    pub(crate) fn new(changes: &[RawChange]) -> Self {
        let mut worlds = Self::default();
        for (id, &change) in changes.iter().enumerate() {
            worlds.by_cell.entry(change.cell as u32).or_default().push(id);
            worlds.all.push(World {
                change,
                emitted: Vec::new(),
                said: Vec::new(),
                touched: false,
                failed: false,
                own: None,
            });
        }
        worlds
    }

    /// The worlds that break a label.
    pub(crate) fn broken(&mut self, labels: &Labels, label: Label) -> Rc<[WorldId]> {
        if let Some(known) = self.broken.get(&label) {
            return Rc::clone(known);
        }
        let mut broken = Vec::new();
        for condition in labels.conditions(label) {
            let here = self.by_cell.get(&condition.cell).map_or(&[] as &[WorldId], Vec::as_slice);
            let outside = |&&it: &&WorldId| !condition.allowed.contains(self.all[it].change.raw);
            broken.extend(here.iter().filter(outside));
        }
        let broken: Rc<[WorldId]> = Rc::from(broken);
        self.broken.insert(label, Rc::clone(&broken));
        broken
    }

    /// Whether a world breaks a label.
    pub(crate) fn breaks(&self, labels: &Labels, world: WorldId, label: Label) -> bool {
        let RawChange { cell, raw } = self.all[world].change;
        !labels.allows(label, cell, raw)
    }
}

impl Machine<'_> {
    /// Extends a run to changed worlds, with a limit on its steps.
    pub(crate) fn with_worlds(mut self, changes: &[RawChange], steps: u64) -> Self {
        self.worlds = Worlds::new(changes);
        self.left = steps;
        self
    }

    /// Makes the run about another state: one with a change.
    pub(crate) fn change(&mut self, change: RawChange) {
        self.cells.change(change.cell, change.raw);
    }

    /// How many steps are left.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Runs something for all worlds together.
    pub(crate) fn everywhere<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.sharing = !self.worlds.all.is_empty();
        let result = run(self);
        self.sharing = false;
        result
    }

    /// The cell that is different in the world that is being run by itself.
    pub(super) fn changed_cell(&self) -> Option<usize> {
        self.worlds.inside.map(|it| self.worlds.all[it].change.cell)
    }

    /// The worlds that run along under `condition` and break `label`. From here on they count as touched.
    pub(super) fn parted_by(&mut self, condition: Label, label: Label) -> Vec<WorldId> {
        if label == condition || label == Label::NONE {
            return Vec::new();
        }
        let broken = self.worlds.broken(&self.labels, label);
        let along = |&&it: &&WorldId| {
            !self.worlds.all[it].failed && !self.worlds.breaks(&self.labels, it, condition)
        };
        let parted: Vec<WorldId> = broken.iter().filter(along).copied().collect();
        for &world in &parted {
            self.worlds.all[world].touched = true;
        }
        parted
    }

    /// Runs something in a world by itself; `None` if the rules fail there.
    pub(crate) fn inside<T>(
        &mut self,
        world: WorldId,
        run: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let RawChange { cell, raw } = self.worlds.all[world].change;
        let mut own = self.worlds.all[world].own.take();
        let before = own.is_none().then(|| self.cells.change(cell, raw));
        self.trade(world, own.as_mut());
        self.worlds.inside = Some(world);
        let sharing = std::mem::replace(&mut self.sharing, false);
        let kept = (self.depth, self.silent, self.hypothetical, self.cut, self.tries.len());
        let deeds = std::mem::take(&mut self.deeds);
        let mark = self.cells.mark();

        let result = run(self);

        self.deeds = deeds;
        if result.is_err() {
            // A fault leaves things as they were when it came.
            (self.depth, self.silent, self.hypothetical, self.cut, _) = kept;
            self.tries.truncate(kept.4);
            self.cells.back(mark);
        }
        self.sharing = sharing;
        self.worlds.inside = None;
        self.trade(world, own.as_mut());
        if let Some(before) = before {
            self.cells.change(cell, before);
        }
        self.worlds.all[world].own = own;
        self.survived(world, result)
    }

    /// Puts what belongs to a world in the place of what belongs to the run, and the other way round.
    fn trade(&mut self, world: WorldId, own: Option<&mut Own>) {
        let it = &mut self.worlds.all[world];
        std::mem::swap(&mut self.emitted, &mut it.emitted);
        std::mem::swap(&mut self.said, &mut it.said);
        if let Some(own) = own {
            std::mem::swap(&mut self.cells, &mut own.cells);
            std::mem::swap(&mut self.tries, &mut own.tries);
        }
    }

    /// A fault in a world is the end of that world, unless it is the end of the budget.
    fn survived<T>(
        &mut self,
        world: WorldId,
        result: Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(fault) if fault.code == "step-budget" => Err(fault),
            Err(_) => {
                self.worlds.all[world].failed = true;
                self.worlds.all[world].own = None;
                Ok(None)
            }
        }
    }

    /// Gives a world cells of its own, as they are now.
    pub(super) fn set_apart(&mut self, world: WorldId) {
        let RawChange { cell, raw } = self.worlds.all[world].change;
        if self.worlds.all[world].own.is_some() {
            return;
        }
        let mut cells = self.cells.clone();
        cells.change(cell, raw);
        let (tries, since) = (self.tries.clone(), cells.log_len());
        self.worlds.all[world].own = Some(Own { cells, tries, since });
    }
}
