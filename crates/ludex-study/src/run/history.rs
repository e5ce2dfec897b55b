//! Questions about the history, and labels of whole states.

use crate::label::{Allowed, Label};

use super::Machine;
use super::query::Query;

impl Machine<'_> {
    /// How many earlier positions had the key of the present state. In the present position itself
    /// that is what the history cell stands for. In a hypothetical one it depends on the key, and on
    /// that of the present position, which is one of the earlier ones.
    pub(super) fn repeats(&mut self) -> (i64, Label) {
        if self.code.program.history == ludex_ir::History::None {
            return (0, Label::NONE);
        }
        let present = !self.hypothetical && self.tries.is_empty();
        let count = if self.cut { 0 } else { self.standings() };
        let mut label = self.history();
        if !present && !self.silent {
            let cells = (0..self.code.program.cells()).filter(|&it| self.code.keyed[it]);
            let state: Vec<Label> = cells.map(|cell| self.untouched(cell, Query::Value)).collect();
            let now = self.all_cells(true);
            label = self.labels.union_all(state.into_iter().chain([label, now]));
        }
        ((count - i64::from(present)).max(0), label)
    }

    /// How often the state as it is now stands in the history. The state that the questions are
    /// about, even if it is a changed one, stands there as often as the one it was made from.
    fn standings(&self) -> i64 {
        let now = self.key(|cell| self.cells.raw(cell));
        let is_turn = |cell: usize| cell == self.code.turn_cell;
        let before =
            self.key(|cell| if is_turn(cell) { self.turn } else { self.cells.untouched(cell) });
        self.trail.count(if now == before { self.present } else { now }) as i64
    }

    /// The key of a state in the history.
    fn key(&self, raw: impl Fn(usize) -> u16) -> u64 {
        let value = |cell| i64::from(raw(cell)) + self.lo(self.code.array_of(cell));
        let values: Vec<i64> = (0..self.code.program.cells()).map(value).collect();
        self.code.layout.state(&values).key
    }

    /// The label of what depends on the history.
    pub(super) fn history(&mut self) -> Label {
        if self.silent {
            return Label::NONE;
        }
        self.labels.condition(self.code.history_cell(), Allowed::Values(1))
    }

    /// What the exact values of all cells depend on, or of those that make up the key of the history.
    pub(super) fn all_cells(&mut self, keyed: bool) -> Label {
        let cells: Vec<usize> =
            (0..self.code.program.cells()).filter(|&it| !keyed || self.code.keyed[it]).collect();
        let labels: Vec<Label> =
            cells.into_iter().map(|cell| self.query(cell, Label::NONE, Query::Value)).collect();
        self.labels.union_all(labels)
    }
}
