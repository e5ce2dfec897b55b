//! How a set came to be, so that it can be made anew for a changed world.
//!
//! A set that depends on every square is different in almost every world, and
//! its squares are seldom read there. So it is computed lazily: its origin is kept,
//! and when a square of it matters in a world, the set is made again there, from
//! the cells on.

use std::rc::Rc;

use ludex_core::Fault;
use ludex_ir::inst::BOARD;
use ludex_ir::{Bits, Inst, Reg, SetBinary, SetReg, Var};

use crate::flood::flood;
use crate::label::Label;
use crate::set::LabelledSet;

use super::query::Query;
use super::world_steps::Old;
use super::worlds::{RawChange, WorldId};
use super::{Frame, Machine};

/// Sets of worlds that are remembered at one time.
const MAX_SETS: usize = 1 << 14;

/// A set and where it came from.
#[derive(Debug)]
pub(super) struct Origin {
    number: usize,
    set: LabelledSet,
    made: Made,
}

#[derive(Debug)]
enum Made {
    /// It depends on nothing.
    Constant,
    /// From the cells of the squares, beginning with `base`; those that had been written do not tell
    /// about the state.
    Read {
        base: usize,
        asked: Query,
        star: Label,
        written: Bits,
    },
    Both {
        op: SetBinary,
        a: Rc<Origin>,
        b: Rc<Origin>,
    },
    Stepped {
        dirs: Vec<usize>,
        of: Rc<Origin>,
    },
    Flooded {
        dirs: Vec<usize>,
        from: Rc<Origin>,
        within: Rc<Origin>,
    },
    Inserted {
        square: Option<usize>,
        into: Rc<Origin>,
    },
}

impl Machine<'_> {
    /// The origin of the set that an instruction has just made. The registers' origins are still
    /// those from before.
    pub(super) fn made(&mut self, frame: &Frame, inst: &Inst) -> Option<Rc<Origin>> {
        let board = &self.code.board;
        let made = match *inst {
            Inst::SetWhere { mask, .. } => {
                let asked = Query::Mask(frame.int(mask).0 as u64);
                self.read(self.code.program.arrays[BOARD.0 as usize].base, asked, Label::NONE)
            }
            Inst::SetLoad { array, index, .. } => match self.set_base(frame, array, index).0 {
                Some(base) => self.read(base, Query::Value, self.cells.star(array)),
                None => Made::Constant,
            },
            Inst::SetCopy { src, .. } => return frame.beside.origin(src).cloned(),
            Inst::SetBinary { op, a, b, .. } => {
                Made::Both { op, a: self.origin(frame, a), b: self.origin(frame, b) }
            }
            Inst::SetInsert { set, square } => {
                let square = board.square(frame.int(square).0);
                Made::Inserted { square, into: self.origin(frame, set) }
            }
            Inst::Shift { src, dir, .. } => {
                let dirs = board.direction(frame.int(dir).0).into_iter().collect();
                Made::Stepped { dirs, of: self.origin(frame, src) }
            }
            Inst::Neighbours { src, list, .. } => {
                Made::Stepped { dirs: self.dirs(frame, list), of: self.origin(frame, src) }
            }
            Inst::Flood { from, within, list, .. } => {
                let (from, within) = (self.origin(frame, from), self.origin(frame, within));
                Made::Flooded { dirs: self.dirs(frame, list), from, within }
            }
            _ => Made::Constant,
        };
        let Some(Var::Set(reg)) = inst.assigns() else { return None };
        Some(self.new_origin(frame.set(reg).clone(), made))
    }

    fn read(&self, base: usize, asked: Query, star: Label) -> Made {
        let mut written = Bits::empty(self.code.board.squares);
        let squares = base..base + self.code.board.squares;
        for cell in self.cells.touched().filter(|it| squares.contains(it)) {
            written.insert(cell - base);
        }
        Made::Read { base, asked, star, written }
    }

    fn dirs(&self, frame: &Frame, list: Reg) -> Vec<usize> {
        self.code.board.list(frame.int(list).0).to_vec()
    }

    fn new_origin(&mut self, set: LabelledSet, made: Made) -> Rc<Origin> {
        self.worlds.origins += 1;
        Rc::new(Origin { number: self.worlds.origins, set, made })
    }

    /// The origin of a register's set. One that nothing was assigned to is empty.
    fn origin(&mut self, frame: &Frame, reg: SetReg) -> Rc<Origin> {
        match frame.beside.origin(reg) {
            Some(origin) => Rc::clone(origin),
            None => self.new_origin(frame.set(reg).clone(), Made::Constant),
        }
    }

    /// The worlds for which a set that has just been made must be made again at once: an operand is
    /// known to be another there, or a cell that was written.
    pub(super) fn parted_sets(&mut self, frame: &Frame, inst: &Inst, old: &Old) -> Vec<WorldId> {
        let mut worlds = Vec::new();
        for var in inst.uses().into_iter().filter(|it| matches!(it, Var::Set(_))) {
            worlds.extend(frame.beside.of(var).map(|it| it.0));
            worlds.extend(old.beside.iter().filter(|_| old.var == var).map(|it| it.0));
        }
        let base = match *inst {
            Inst::SetWhere { .. } => Some(self.code.program.arrays[BOARD.0 as usize].base),
            Inst::SetLoad { array, index, .. } => self.set_base(frame, array, index).0,
            _ => None,
        };
        if let (Some(base), Some(Var::Set(reg))) = (base, inst.assigns()) {
            worlds.extend(self.parted_reads(frame, frame.set(reg), base));
        }
        let condition = frame.condition();
        worlds.retain(|&it| {
            !self.worlds.all[it].failed && !self.worlds.breaks(&self.labels, it, condition)
        });
        worlds
    }

    /// The worlds for which a square of a set read from cells is another, and not just because its
    /// own cell is the one that changes.
    fn parted_reads(&mut self, frame: &Frame, set: &LabelledSet, base: usize) -> Vec<WorldId> {
        let squares = base..base + self.code.board.squares;
        let untouched = self.cells.touched().all(|it| !squares.contains(&it));
        if untouched && self.cells.star(self.code.array_of(base)) == Label::NONE {
            return Vec::new();
        }
        let written: Vec<usize> = self.cells.touched().collect();
        let mut worlds = Vec::new();
        for square in 0..self.code.board.squares {
            let cell = base + square;
            for world in self.parted_by(frame.condition(), set.label(square)) {
                if self.worlds.all[world].change.cell != cell || written.contains(&cell) {
                    worlds.push(world);
                }
            }
        }
        worlds
    }

    /// A register's set as it is in a world; `None` if it is the same.
    pub(super) fn set_in(
        &mut self,
        frame: &Frame,
        reg: SetReg,
        world: WorldId,
    ) -> Result<Option<LabelledSet>, Fault> {
        if let Some(super::world_values::Value::Set(set)) = frame.beside.value(reg.into(), world) {
            return Ok(Some(set.clone()));
        }
        let Some(origin) = frame.beside.origin(reg) else { return Ok(None) };
        let origin = Rc::clone(origin);
        self.made_in(Some(&origin), frame.set(reg), world).map(Some)
    }

    /// A set of this origin as it is in a world.
    pub(super) fn made_in(
        &mut self,
        origin: Option<&Rc<Origin>>,
        set: &LabelledSet,
        world: WorldId,
    ) -> Result<LabelledSet, Fault> {
        let Some(origin) = origin else { return Ok(set.clone()) };
        let mut there = self.anew(origin, world)?;
        // The register may have got its set under more conditions than the set was made under.
        there.common = set.common;
        Ok(there)
    }

    fn anew(&mut self, origin: &Origin, world: WorldId) -> Result<LabelledSet, Fault> {
        if let Some(known) = self.worlds.sets.get(&(origin.number, world)) {
            return Ok(known.clone());
        }
        let there = if self.same(&origin.set, world) {
            origin.set.clone()
        } else {
            self.make(origin, world)?
        };
        if self.worlds.sets.len() >= MAX_SETS {
            self.worlds.sets.clear();
        }
        self.worlds.sets.insert((origin.number, world), there.clone());
        Ok(there)
    }

    /// Whether no square of a set depends on the change.
    fn same(&self, set: &LabelledSet, world: WorldId) -> bool {
        let breaks = |label| self.worlds.breaks(&self.labels, world, label);
        set.whole().is_some_and(|it| !breaks(it))
            || (0..self.code.board.squares).all(|it| !breaks(set.label(it)))
    }

    fn make(&mut self, origin: &Origin, world: WorldId) -> Result<LabelledSet, Fault> {
        self.spend(1, 0)?;
        let board = &self.code.board;
        let mut there = match origin.made {
            Made::Constant => origin.set.clone(),
            Made::Read { base, asked, star, ref written } => {
                let RawChange { cell, raw } = self.worlds.all[world].change;
                let square = cell.checked_sub(base).filter(|&it| it < board.squares);
                let Some(square) = square.filter(|&it| !written.contains(it)) else {
                    return Ok(origin.set.clone());
                };
                let own = self.answered(cell, raw, asked);
                let label = self.labels.union(own, star);
                let member = if let Query::Mask(_) = asked { asked.holds(raw) } else { raw != 0 };
                origin.set.with_square(square, member, label)
            }
            Made::Both { op, ref a, ref b } => {
                let (a, b) = (self.anew(a, world)?, self.anew(b, world)?);
                LabelledSet::binary(op, &a, &b, &mut self.labels)
            }
            Made::Stepped { ref dirs, ref of } => {
                self.anew(of, world)?.stepped(board, dirs, &mut self.labels)
            }
            Made::Flooded { ref dirs, ref from, ref within } => {
                self.spend(board.squares / 4, 0)?;
                let (from, within) = (self.anew(from, world)?, self.anew(within, world)?);
                flood(board, &from, &within, dirs, &mut self.labels)
            }
            Made::Inserted { square, ref into } => {
                let mut set = self.anew(into, world)?;
                if let Some(square) = square {
                    set.insert(square, Label::NONE, board.squares, &mut self.labels);
                }
                set
            }
        };
        there.common = origin.set.common;
        Ok(there)
    }
}
