//! The cells of a run: the state, and over it what the run has written.
//!
//! A cell that nothing has written has the value of the state, and to look at
//! it is a condition on that cell. A cell that was written has the label of
//! what was written. What a branch *may* have written, it may have written to
//! any cell of an array: that label is kept for the array as a whole (its
//! *star*) and counts for every cell of it.

use ludex_ir::ArrayId;

use crate::label::{Label, Labels};

/// What stands in a cell, and whether it was written.
#[derive(Clone, Copy, Debug)]
struct Cell {
    raw: u16,
    /// The label of what was written; `None` if nothing was.
    written: Option<Label>,
    /// Why nothing else was written since.
    spared: Label,
}

/// How far writes have come, to go back to.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    log: usize,
    stars: Vec<Label>,
}

/// A working copy of a state that can go back to any mark.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The state as it is.
    state: Vec<u16>,
    now: Vec<Cell>,
    stars: Vec<Label>,
    /// The cells written and what they were before, oldest first.
    log: Vec<(u32, Cell)>,
}

impl Mark {
    /// How many writes there were.
    pub(crate) fn log_len(&self) -> usize {
        self.log
    }
}

impl Cells {
    pub(crate) fn new(state: Vec<u16>, arrays: usize) -> Self {
        let cell = |&raw: &u16| Cell { raw, written: None, spared: Label::NONE };
        Self {
            now: state.iter().map(cell).collect(),
            state,
            stars: vec![Label::NONE; arrays],
            log: Vec::new(),
        }
    }

    /// The raw value of a cell.
    pub(crate) fn raw(&self, cell: usize) -> u16 {
        self.now[cell].raw
    }

    /// The raw value of a cell in the state, before anything was written.
    pub(crate) fn untouched(&self, cell: usize) -> u16 {
        self.state[cell]
    }

    /// The label of what was written to a cell, if anything was, and the label of what was not.
    pub(crate) fn written(&self, cell: usize) -> (Option<Label>, Label) {
        let Cell { written, spared, .. } = self.now[cell];
        (written, spared)
    }

    /// The label of what may have been written anywhere in an array.
    pub(crate) fn star(&self, array: ArrayId) -> Label {
        self.stars[array.0 as usize]
    }

    /// Gives a cell of the state itself another value, under all that was written; tells the one it had.
    pub(crate) fn change(&mut self, cell: usize, raw: u16) -> u16 {
        let logged = self.log.iter_mut().filter(|it| it.0 as usize == cell).map(|it| &mut it.1);
        for state in logged.chain([&mut self.now[cell]]).filter(|it| it.written.is_none()) {
            state.raw = raw;
        }
        std::mem::replace(&mut self.state[cell], raw)
    }

    /// Sets a cell.
    pub(crate) fn write(&mut self, cell: usize, raw: u16, label: Label) {
        self.log.push((cell as u32, self.now[cell]));
        self.now[cell] = Cell { raw, written: Some(label), spared: Label::NONE };
    }

    /// Leaves a cell as it is, for a reason.
    pub(crate) fn spare(&mut self, cell: usize, label: Label, labels: &mut Labels) {
        let before = self.now[cell];
        self.log.push((cell as u32, before));
        self.now[cell].spared = labels.union(before.spared, label);
    }

    /// Adds a label to every cell of an array.
    pub(crate) fn add_star(&mut self, array: ArrayId, label: Label, labels: &mut Labels) {
        let star = &mut self.stars[array.0 as usize];
        *star = labels.union(*star, label);
    }

    /// How many writes could be undone.
    pub(crate) fn log_len(&self) -> usize {
        self.log.len()
    }

    /// The cells whose labels are not those of the state, some of them several times.
    pub(crate) fn touched(&self) -> impl Iterator<Item = usize> + '_ {
        self.log.iter().map(|it| it.0 as usize)
    }

    /// Whether a cell has been written, or left as it is for a reason, since `mark`.
    pub(crate) fn written_since(&self, mark: &Mark, cell: usize) -> bool {
        self.log[mark.log..].iter().any(|it| it.0 as usize == cell)
    }

    /// A mark after the writes made until now.
    pub(crate) fn mark(&self) -> Mark {
        Mark { log: self.log.len(), stars: self.stars.clone() }
    }

    /// Undoes every write since `mark`, and what may have been written.
    pub(crate) fn back(&mut self, mark: Mark) {
        for (cell, before) in self.log.drain(mark.log..).rev() {
            self.now[cell as usize] = before;
        }
        self.stars = mark.stars;
    }
}
