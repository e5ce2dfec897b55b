//! Forcings: what the rules would produce if a cell, or two, were different.
//!
//! ```text
//! state ──> attainable changes ──> one run for all of them ──> new items ──> ForcedItem
//! ```
//!
//! A *forcing* (Pitrat) goes on at a test as if it had come out otherwise. It
//! finds the moves and results that are one change away, with the conditions that are
//! missing and those that hold already. See docs/how/forcings.md; the run itself
//! is in [`crate::run`], `round` asks it, `attainable` says which changes a player's
//! moves can bring about.

mod attainable;
mod round;

use std::collections::BTreeSet;

use ludex_core::{Fault, Player, Position, State};
use ludex_interp::{Write, cells};
use ludex_ir::inst::TURN;
use ludex_ir::{ArrayRole, PackedMove};

use crate::run::Machine;
use crate::run::worlds::RawChange;
use crate::study::{Explained, Given, Listed, Reason, Study};

pub use attainable::Attainable;
use round::Round;

/// A cell and the value that it would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The cell.
    pub cell: usize,
    /// Its value.
    pub value: i64,
}

/// Something that the rules do not produce in a state, but would if some cells were different.
///
/// In every state that satisfies the reasons and has the values of the changes the rules produce
/// it; the reasons hold already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedItem<T> {
    /// What would be produced.
    pub item: T,
    /// What is missing, in the order of the cells. None of them could be left out.
    pub changes: Vec<Change>,
    /// The conditions on other cells.
    pub reasons: Vec<Reason>,
    /// Whether it depends on the history as well.
    pub history: bool,
    /// The place of the statement that produces it, as a number of the front end; 0 for none.
    pub place: u32,
}

/// What is to be forced.
#[derive(Clone, Copy, Debug)]
pub struct Forcing<'a> {
    /// The changes that may be made.
    pub attainable: &'a Attainable,
    /// Whether two cells may be changed at once.
    pub pairs: bool,
    /// Whether other cells than those of squares may be changed. The turn is never.
    pub scalars: bool,
    /// How many steps it may take.
    pub steps: u64,
}

/// All that was forced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forcings<T> {
    /// The items, those with one change first.
    pub items: Vec<ForcedItem<T>>,
    /// Whether there are no others; if not, the steps did not suffice.
    pub complete: bool,
    /// How many steps it took.
    pub steps: u64,
}

impl Study {
    /// What the moves of a player can write at all.
    pub fn attainable(&self, player: Player) -> Attainable {
        Attainable::of(&self.code, player)
    }

    /// The moves that player `me`, were it that player's turn, would have after a change, and of
    /// these the wanted ones. A move that would write something else is another move.
    pub fn forced_moves(
        &self,
        position: &Position,
        me: Player,
        forcing: &Forcing<'_>,
        wanted: &dyn Fn(&Listed) -> bool,
    ) -> Result<Forcings<Listed>, Fault> {
        let machine = || Machine::new(&self.code, position, Some(me.index()));
        let round = |machine: &mut Machine<'_>| self.round_of_moves(machine, me, wanted);
        self.forced(&position.state, forcing, &machine, &round)
    }

    /// What player `me` would be given after a change, by `result` or else by `adjudicate`, and of
    /// that the wanted. The turn is that of the state.
    pub fn forced_results(
        &self,
        position: &Position,
        me: Player,
        forcing: &Forcing<'_>,
        wanted: &dyn Fn(&Given) -> bool,
    ) -> Result<Forcings<Given>, Fault> {
        let machine = || Machine::new(&self.code, position, None);
        let round = |machine: &mut Machine<'_>| self.round_of_results(machine, me, wanted);
        self.forced(&position.state, forcing, &machine, &round)
    }

    fn forced<'a, T: Item>(
        &'a self,
        state: &State,
        forcing: &Forcing<'_>,
        machine: &dyn Fn() -> Machine<'a>,
        round: &dyn Fn(&mut Machine<'_>) -> Result<Round<T>, Fault>,
    ) -> Result<Forcings<T>, Fault> {
        let mut task = Task {
            study: self,
            changes: self.changes(state, forcing),
            all: Forcings { items: Vec::new(), complete: true, steps: 0 },
            steps: forcing.steps,
            known: BTreeSet::new(),
        };
        match task.force(forcing.pairs, machine, round) {
            Err(fault) if fault.code == "step-budget" => task.all.complete = false,
            done => done?,
        }
        task.all.steps = forcing.steps - task.steps;
        Ok(task.all)
    }

    /// All changes of one cell that may be made.
    fn changes(&self, state: &State, forcing: &Forcing<'_>) -> Vec<RawChange> {
        let program = &self.code.program;
        let squares = |role| matches!(role, ArrayRole::Board | ArrayRole::Set);
        let turn = program.arrays[TURN.0 as usize].base;
        let arrays = program.arrays.iter();
        let arrays = arrays.filter(|it| it.base != turn && (forcing.scalars || squares(it.role)));
        let change = |array: &ludex_ir::Array, cell: usize| {
            let before = i64::from(cells::raw(&state.words, cell)) + array.lo;
            let values = forcing.attainable.values(program, cell, before);
            let lo = array.lo;
            values.into_iter().map(move |it| RawChange { cell, raw: (it - lo) as u16 })
        };
        arrays
            .flat_map(|array| (array.base..array.base + array.len).flat_map(|it| change(array, it)))
            .collect()
    }
}

/// What can be forced.
pub(crate) trait Item {
    /// What tells items apart.
    type Key: Ord;
    fn key(&self) -> Self::Key;
}

impl Item for Given {
    type Key = Self;
    fn key(&self) -> Self {
        *self
    }
}

impl Item for Listed {
    type Key = (PackedMove, Vec<(bool, usize, i64)>);
    fn key(&self) -> Self::Key {
        let key = |write: &Write| match *write {
            Write::Set(cell, value) => (false, cell, value),
            Write::Add(cell, value) => (true, cell, value),
        };
        (self.mv, self.writes.iter().map(key).collect())
    }
}

/// Items that are being forced.
struct Task<'a, T: Item> {
    study: &'a Study,
    changes: Vec<RawChange>,
    all: Forcings<T>,
    /// Steps that are left.
    steps: u64,
    /// Items that fewer changes suffice for: `None` for none, otherwise the number of the change.
    known: BTreeSet<(Option<usize>, T::Key)>,
}

impl<'a, T: Item> Task<'a, T> {
    fn force(
        &mut self,
        pairs: bool,
        machine: &dyn Fn() -> Machine<'a>,
        round: &dyn Fn(&mut Machine<'_>) -> Result<Round<T>, Fault>,
    ) -> Result<(), Fault> {
        let changes: Vec<usize> = (0..self.changes.len()).collect();
        let Round { here, there, touched } = self.ask(machine(), &changes, round)?;
        self.known.extend(here.into_iter().map(|it| (None, it)));
        for (world, explained) in there {
            self.known.insert((Some(world), explained.item.key()));
            self.add(explained, &[world]);
        }
        if !pairs {
            return Ok(());
        }
        // Changes that nothing depends on, neither of them, do nothing together either.
        for first in changes.into_iter().filter(|&it| touched[it]) {
            let cell = self.changes[first].cell;
            let other =
                |it: &usize| self.changes[*it].cell != cell && (*it > first || !touched[*it]);
            let seconds: Vec<usize> = (0..self.changes.len()).filter(other).collect();
            let mut machine = machine();
            machine.change(self.changes[first]);
            match self.ask(machine, &seconds, round) {
                Ok(found) => self.add_pairs(first, &seconds, found),
                Err(fault) if fault.code == "step-budget" => return Err(fault),
                // The rules fail in this state: nothing is known of what lies beyond.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Adds what a second change gives after a first, unless it gives that alone.
    fn add_pairs(&mut self, first: usize, seconds: &[usize], found: Round<T>) {
        for (world, explained) in found.there {
            let second = seconds[world];
            let fewer = [None, Some(second)];
            if !fewer.iter().any(|&it| self.known.contains(&(it, explained.item.key()))) {
                self.add(explained, &[first, second]);
            }
        }
    }

    /// Asks about a state and the worlds that some changes make of it.
    fn ask(
        &mut self,
        machine: Machine<'a>,
        changes: &[usize],
        round: &dyn Fn(&mut Machine<'_>) -> Result<Round<T>, Fault>,
    ) -> Result<Round<T>, Fault> {
        let changes: Vec<RawChange> = changes.iter().map(|&it| self.changes[it]).collect();
        let mut machine = machine.with_worlds(&changes, self.steps);
        let found = round(&mut machine);
        self.steps = machine.left();
        found
    }

    fn add(&mut self, explained: Explained<T>, changes: &[usize]) {
        let Explained { item, mut reasons, history, place } = explained;
        let program = &self.study.code.program;
        let change = |&it: &usize| {
            let RawChange { cell, raw } = self.changes[it];
            Change { cell, value: i64::from(raw) + program.cell(cell).0.lo }
        };
        let mut changes: Vec<Change> = changes.iter().map(change).collect();
        changes.sort_unstable();
        reasons.retain(|it| changes.iter().all(|change| change.cell != it.cell));
        self.all.items.push(ForcedItem { item, changes, reasons, history, place });
    }
}
