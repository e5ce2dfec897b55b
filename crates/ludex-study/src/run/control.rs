//! The control stack: the conditions that what runs now depends on.
//!
//! **Flags.** A register that a branch can only make 1, and that is 1 already,
//! will be 1 at the conjugate whatever happens. It keeps the label that it had
//! at the branch. So "some man must capture" depends on the first man found to
//! and not on what the others could do.

use ludex_ir::{Block, Var};

use crate::label::Label;

use super::{Frame, Machine};

/// A branch that has been passed and whose conjugate has not been reached.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The block that it ends.
    branch: usize,
    /// Where its sides meet; `None`: where the function is left.
    conjugate: Option<Block>,
    /// Its condition and all that it ran under.
    label: Label,
    /// Where the labels of its flags begin.
    flags: usize,
}

/// The open branches of an activation.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// The condition that the function was called under.
    base: Label,
    entries: Vec<Entry>,
    /// For each flag of each open branch the label it had there, if it was set already.
    flags: Vec<Option<Label>>,
}

impl Control {
    pub(super) fn new(base: Label) -> Self {
        Self { base, entries: Vec::new(), flags: Vec::new() }
    }

    /// The label that everything runs under at present.
    pub(super) fn condition(&self) -> Label {
        self.entries.last().map_or(self.base, |it| it.label)
    }
}

impl Machine<'_> {
    /// Takes a branch at the end of a block on a condition with this label.
    ///
    /// A branch that comes round again in a loop, or meets where the one below it meets, is merged
    /// with the entry on top: it lies in that one's region, which therefore holds all that it may assign.
    pub(super) fn part(&mut self, frame: &mut Frame, block: usize, cond: Label) {
        let now = frame.condition();
        let label = self.labels.union(cond, now);
        if label == now {
            return;
        }
        let branch = self.code.branch(frame.function, block);
        let conjugate = branch.conjugate;
        let control = &mut frame.control;
        match control.entries.last_mut() {
            Some(top) if top.conjugate == conjugate => top.label = label,
            _ => {
                let flags = control.flags.len();
                control.entries.push(Entry { branch: block, conjugate, label, flags });
                control.flags.extend(branch.flags.iter().map(|&(reg, value)| {
                    let (now, label) = frame.ints[reg.0 as usize];
                    (now == value).then_some(label)
                }));
            }
        }
    }

    /// Arrives at a block: the branches that meet here are over.
    pub(super) fn arrive(&mut self, frame: &mut Frame, block: usize) {
        let here = Some(Block(block as u32));
        while let Some(&top) = frame.control.entries.last() {
            if top.conjugate != here {
                return;
            }
            frame.control.entries.pop();
            self.close(frame, top);
        }
    }

    /// Leaves the function: all branches are over.
    pub(super) fn leave(&mut self, frame: &mut Frame) {
        while let Some(top) = frame.control.entries.pop() {
            self.close(frame, top);
        }
    }

    /// The relevant-slice step: what a branch may have assigned depends on its condition.
    fn close(&mut self, frame: &mut Frame, entry: Entry) {
        let flags = frame.control.flags.split_off(entry.flags);
        if !self.code.relevant_slice {
            return;
        }
        let branch = self.code.branch(frame.function, entry.branch);
        for (&(reg, _), before) in branch.flags.iter().zip(flags) {
            let label = &mut frame.ints[reg.0 as usize].1;
            *label = before.unwrap_or_else(|| self.labels.union(*label, entry.label));
        }
        for &var in &branch.vars {
            let label = match var {
                Var::Int(reg) => &mut frame.ints[reg.0 as usize].1,
                Var::Set(reg) => &mut frame.sets[reg.0 as usize].common,
                Var::Path(reg) => &mut frame.paths[reg.0 as usize].1,
            };
            *label = self.labels.union(*label, entry.label);
        }
        for &array in &branch.writes {
            self.cells.add_star(array, entry.label, &mut self.labels);
        }
        if self.sharing {
            self.close_everywhere(frame, branch, entry.label);
        }
        let writes = !branch.writes.is_empty() && self.tries.is_empty();
        if writes || branch.speaks {
            self.done_because(entry.label);
        }
        if branch.decides {
            self.undecided = self.labels.union(self.undecided, entry.label);
        }
    }
}
