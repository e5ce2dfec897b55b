//! Instructions on numbers, cells and paths, and calls: one arm for each.
//!
//! The meaning of each is its doc comment in [`ludex_ir::inst`]; what its value
//! depends on is defined here. Unless said otherwise: on all its operands.

use ludex_core::Fault;
use ludex_interp::Write;
use ludex_ir::moves::Path;
use ludex_ir::{ArrayId, Func, Inst, PathOf, PathReg, Reg, StatementId, Var};

use crate::label::{Allowed, Label};
use ludex_interp::numbers::{binary, unary};

use super::query::Query;
use super::{Emission, Frame, Machine, Said, fault};

/// Writes that may have to be undone at one time.
const MAX_LOG: usize = 1 << 22;

impl Machine<'_> {
    pub(super) fn step(&mut self, frame: &mut Frame, inst: &Inst, place: u32) -> Result<(), Fault> {
        let code = self.code;
        let board = &code.board;
        match *inst {
            Inst::Const { dst, value } => self.set_int(frame, dst, value, Label::NONE),
            Inst::Copy { dst, src } => {
                let (value, label) = frame.int(src);
                let counted = frame.counted(src).cloned();
                self.set_int(frame, dst, value, label);
                frame.counted.extend(counted.map(|set| (dst, set)));
            }
            Inst::Unary { op, dst, src } => {
                let (value, label) = frame.int(src);
                self.set_int(frame, dst, unary(board, op, value), label);
            }
            Inst::Binary { op, dst, a, b } => {
                let label = match self.compared(frame, op, a, b) {
                    Some(label) => label,
                    None => self.labels.union(frame.int(a).1, frame.int(b).1),
                };
                let value = binary(board, op, frame.int(a).0, frame.int(b).0);
                self.set_int(frame, dst, value, label);
            }
            Inst::Lookup { dst, table, i, j } => {
                let ([i, j], label) = match j {
                    Some(j) => self.ints(frame, [i, j]),
                    None => ([frame.int(i).0, 0], frame.int(i).1),
                };
                let table = &code.program.tables[table.0 as usize];
                let inside = (i as u64) < table.rows as u64 && (j as u64) < table.columns as u64;
                let value =
                    if inside { table.data[i as usize * table.columns + j as usize] } else { -1 };
                self.set_int(frame, dst, value, label);
            }
            Inst::Pair { dst, i, j, rows, columns } => {
                let ([i, j], label) = self.ints(frame, [i, j]);
                let inside = (i as u64) < u64::from(rows) && (j as u64) < u64::from(columns);
                let value = if inside { i * i64::from(columns) + j } else { -1 };
                self.set_int(frame, dst, value, label);
            }
            Inst::Step { dst, from, dir } => {
                let ([from, dir], label) = self.ints(frame, [from, dir]);
                self.set_int(frame, dst, board.step(from, dir), label);
            }
            Inst::ListLen { dst, list } => {
                let (list, label) = frame.int(list);
                self.set_int(frame, dst, board.list(list).len() as i64, label);
            }
            Inst::ListItem { dst, list, index } => {
                let ([list, index], label) = self.ints(frame, [list, index]);
                let index = usize::try_from(index).ok();
                let item = index.and_then(|it| board.list(list).get(it));
                self.set_int(frame, dst, item.map_or(-1, |&it| it as i64), label);
            }

            Inst::Load { dst, array, index } => {
                let (cell, label) = self.cell(frame, array, index);
                let Some(cell) = cell else {
                    self.set_int(frame, dst, -1, label);
                    return Ok(());
                };
                let value = i64::from(self.cells.raw(cell)) + self.lo(array);
                let label = self.query(cell, label, Query::Value);
                self.set_int(frame, dst, value, label);
            }
            Inst::Test { dst, array, index, mask } => {
                let (cell, label) = self.cell(frame, array, index);
                let (mask, asked) = frame.int(mask);
                let label = self.labels.union(label, asked);
                self.test(frame, dst, cell, label, Query::Mask(mask as u64));
            }
            Inst::TestRange { dst, array, index, lo, hi } => {
                let (cell, label) = self.cell(frame, array, index);
                let first = self.lo(array);
                self.test(frame, dst, cell, label, Query::Between(lo - first, hi - first));
            }
            Inst::Store { array, index, value } => {
                let (cell, address) = self.cell(frame, array, index);
                let (value, label) = frame.int(value);
                self.store(frame, array, cell, address, (value, label), place)?;
            }
            Inst::Add { array, index, delta } => {
                let (cell, address) = self.cell(frame, array, index);
                let (delta, label) = frame.int(delta);
                self.add(frame, array, cell, address, (delta, label), place)?;
            }

            Inst::StoreAll { .. }
            | Inst::SetConst { .. }
            | Inst::SetWhere { .. }
            | Inst::SetLoad { .. }
            | Inst::SetStore { .. }
            | Inst::SetUpdate { .. }
            | Inst::SetCopy { .. }
            | Inst::SetBinary { .. }
            | Inst::SetInsert { .. }
            | Inst::Shift { .. }
            | Inst::Neighbours { .. }
            | Inst::Flood { .. }
            | Inst::Line { .. }
            | Inst::Axis { .. }
            | Inst::Between { .. }
            | Inst::Contains { .. }
            | Inst::Count { .. }
            | Inst::Any { .. }
            | Inst::NextMember { .. } => return self.set_step(frame, inst, place),

            Inst::PathEmpty { dst } => self.set_path(frame, dst, Path::default(), Label::NONE),
            Inst::PathCopy { dst, src } => {
                let (path, label) = frame.paths[src.0 as usize];
                self.set_path(frame, dst, path, label);
            }
            Inst::PathPush { dst, src, item, of } => {
                let (path, label) = frame.paths[src.0 as usize];
                let (item, other) = frame.int(item);
                let path = self.pushed(path, item, of, place)?;
                let label = self.labels.union(label, other);
                self.set_path(frame, dst, path, label);
            }
            Inst::PathLen { dst, path } => {
                let (path, label) = frame.paths[path.0 as usize];
                self.set_int(frame, dst, i64::from(path.len), label);
            }
            Inst::PathItem { dst, path, index, of } => {
                let (path, label) = frame.paths[path.0 as usize];
                let (index, other) = frame.int(index);
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                let item = path.item(index, code.path(of).bits).unwrap_or(-1);
                let label = self.labels.union(label, other);
                self.set_int(frame, dst, item, label);
            }

            Inst::Call { func, ref args, result } => self.call(frame, func, args, result, place)?,
            Inst::TryBegin => self.tries.push(self.cells.mark()),
            Inst::TryEnd => {
                if let Some(mark) = self.tries.pop() {
                    self.cells.back(mark);
                }
            }
            Inst::Emit { statement, ref args, .. } => self.emit(frame, statement, args, place)?,
            Inst::Outcome { kind, score } => {
                let (score, label) = score.map_or((None, Label::NONE), |reg| {
                    let (value, label) = frame.int(reg);
                    (Some(value), label)
                });
                let label = self.labels.union(label, frame.condition());
                self.said.push(Said { kind, score, label, place });
            }
            // Only optimised code has these, and the study reads rules as they were written.
            Inst::SetRemove { .. }
            | Inst::Leap { .. }
            | Inst::Slide { .. }
            | Inst::Rays { .. }
            | Inst::Hop { .. }
            | Inst::Reach { .. }
            | Inst::EmitAll { .. } => {
                let message = "reasons are asked of optimised code".to_owned();
                return Err(fault("optimised-code", message, place));
            }
            // Names and features are no part of what is explained.
            Inst::Feature { .. } | Inst::Say { .. } => {}
            // What is said inside a `try` is not said.
            Inst::Irreversible | Inst::Next { .. } if self.trying() => {}
            Inst::Irreversible => {
                self.deeds.irreversible = true;
                self.done_because(frame.condition());
            }
            Inst::Next { player } => {
                let (player, label) = frame.int(player);
                let player = usize::try_from(player).ok();
                if let Some(player) = player.filter(|&it| it < code.program.players.len()) {
                    self.deeds.next = Some(player);
                }
                let label = self.labels.union(label, frame.condition());
                self.done_because(label);
            }
            Inst::Repeats { dst } => {
                let (count, label) = self.repeats();
                self.set_int(frame, dst, count, label);
            }
            Inst::Reply { dst, player } => {
                let (player, label) = frame.int(player);
                let (found, why) = self.reply(player, place)?;
                let label = self.labels.union(label, why);
                self.set_int(frame, dst, i64::from(found), label);
            }
            Inst::Side { dst } => self.set_int(frame, dst, -1, Label::NONE),
            Inst::Depth { dst } => self.set_int(frame, dst, 0, Label::NONE),
        }
        Ok(())
    }

    /// Assigns a number register.
    pub(super) fn set_int(&mut self, frame: &mut Frame, reg: Reg, value: i64, label: Label) {
        let label = self.labels.union(label, frame.condition());
        frame.ints[reg.0 as usize] = (value, label);
        if !frame.counted.is_empty() {
            frame.counted.retain(|it| it.0 != reg);
        }
    }

    fn set_path(&mut self, frame: &mut Frame, reg: PathReg, path: Path, label: Label) {
        let label = self.labels.union(label, frame.condition());
        frame.paths[reg.0 as usize] = (path, label);
    }

    /// The values of number registers and what all of them depend on.
    pub(super) fn ints<const N: usize>(
        &mut self,
        frame: &Frame,
        regs: [Reg; N],
    ) -> ([i64; N], Label) {
        let mut label = Label::NONE;
        for reg in regs {
            label = self.labels.union(label, frame.int(reg).1);
        }
        (regs.map(|reg| frame.int(reg).0), label)
    }

    /// The lowest value of the cells of an array.
    pub(super) fn lo(&self, array: ArrayId) -> i64 {
        self.code.program.arrays[array.0 as usize].lo
    }

    /// The cell that an instruction means, `None` if it is off, and what that depends on.
    pub(super) fn cell(
        &self,
        frame: &Frame,
        array: ArrayId,
        index: Option<Reg>,
    ) -> (Option<usize>, Label) {
        let (index, label) = index.map_or((0, Label::NONE), |reg| frame.int(reg));
        let array = &self.code.program.arrays[array.0 as usize];
        let inside = (index as u64) < array.len as u64;
        (inside.then(|| array.base + index as usize), label)
    }

    /// Asks a cell a question: `dst` is 1 if it is on and the answer is yes.
    fn test(
        &mut self,
        frame: &mut Frame,
        dst: Reg,
        cell: Option<usize>,
        label: Label,
        asked: Query,
    ) {
        let Some(cell) = cell else { return self.set_int(frame, dst, 0, label) };
        let found = asked.holds(self.cells.raw(cell));
        let label = self.query(cell, label, asked);
        self.set_int(frame, dst, i64::from(found), label);
    }

    /// What the answer of a cell to a question depends on, besides `label`: on the state, or, if it
    /// was written, on what that depends on; and on what might have been written instead.
    pub(super) fn query(&mut self, cell: usize, label: Label, asked: Query) -> Label {
        if self.silent {
            return Label::NONE;
        }
        let (written, spared) = self.cells.written(cell);
        let own = written.unwrap_or_else(|| self.untouched(cell, asked));
        let star = self.cells.star(self.code.array_of(cell));
        let label = self.labels.union(label, star);
        let label = self.labels.union(label, spared);
        self.labels.union(label, own)
    }

    /// What the answer of a cell that nothing has written depends on: that its value is one of
    /// those that give this answer. The turn belongs to every reason and is not listed.
    pub(super) fn untouched(&mut self, cell: usize, asked: Query) -> Label {
        self.answered(cell, self.cells.untouched(cell), asked)
    }

    /// The same, if the cell had this value.
    pub(super) fn answered(&mut self, cell: usize, raw: u16, asked: Query) -> Label {
        let size = self.code.domain(cell);
        let allowed = asked.allowed(raw, size);
        if cell == self.code.turn_cell || allowed == Allowed::anything(size) {
            return Label::NONE;
        }
        self.labels.condition(cell, allowed)
    }

    /// Sets a cell of an array. If the address depends on something, then so does every cell of the
    /// array: it might have been the one.
    fn store(
        &mut self,
        frame: &Frame,
        array: ArrayId,
        cell: Option<usize>,
        address: Label,
        (value, label): (i64, Label),
        place: u32,
    ) -> Result<(), Fault> {
        let label = self.writes_because(frame, array, address, label);
        let Some(cell) = cell else { return Ok(()) };
        self.write(array, cell, value, label, place)
    }

    /// What a write to a cell of an array depends on: its value, its address, and that it is made.
    fn writes_because(
        &mut self,
        frame: &Frame,
        array: ArrayId,
        address: Label,
        value: Label,
    ) -> Label {
        let label = self.labels.union(value, address);
        let label = self.labels.union(label, frame.condition());
        self.cells.add_star(array, address, &mut self.labels);
        self.written_because(label);
        label
    }

    /// Sets a cell of an array to a value that must be in its domain.
    pub(super) fn write(
        &mut self,
        array: ArrayId,
        cell: usize,
        value: i64,
        label: Label,
        place: u32,
    ) -> Result<(), Fault> {
        let &ludex_ir::Array { lo, hi, .. } = &self.code.program.arrays[array.0 as usize];
        if value < lo || value > hi {
            let name = self.code.program.cell_name(cell);
            let message = format!("`{name}` cannot become {value}: its range is {lo}..{hi}");
            return Err(fault("out-of-range", message, place));
        }
        if self.cells.log_len() >= MAX_LOG {
            return Err(fault("step-budget", "too many writes".to_owned(), place));
        }
        self.remember(Write::Set(cell, value), (lo, hi));
        self.cells.write(cell, (value - lo) as u16, label);
        Ok(())
    }

    /// Adds to a cell. To do so is to write something relative: the cell's own value matters only
    /// when it is read afterwards.
    fn add(
        &mut self,
        frame: &Frame,
        array: ArrayId,
        cell: Option<usize>,
        address: Label,
        (delta, label): (i64, Label),
        place: u32,
    ) -> Result<(), Fault> {
        let label = self.writes_because(frame, array, address, label);
        let Some(cell) = cell else { return Ok(()) };
        if self.cells.log_len() >= MAX_LOG {
            return Err(fault("step-budget", "too many writes".to_owned(), place));
        }
        let label = self.query(cell, label, Query::Value);
        let &ludex_ir::Array { lo, hi, .. } = &self.code.program.arrays[array.0 as usize];
        let value = i64::from(self.cells.raw(cell)) + lo;
        let value = value.saturating_add(delta).clamp(lo, hi);
        self.remember(Write::Add(cell, delta), (lo, hi));
        self.cells.write(cell, (value - lo) as u16, label);
        Ok(())
    }

    /// Runs another function under the present condition.
    fn call(
        &mut self,
        caller: &mut Frame,
        func: Func,
        args: &[Var],
        result: Option<Var>,
        place: u32,
    ) -> Result<(), Fault> {
        let function = self.code.program.function(func);
        let mut frame = self.frame(func, caller.condition());
        for (&arg, &param) in args.iter().zip(&function.params) {
            self.copy((caller, arg), (&mut frame, param));
            self.copy_beside((caller, arg), (&mut frame, param));
        }
        self.exec(function, &mut frame, place)?;
        if let (Some(to), Some(from)) = (result, function.result) {
            self.copy((&frame, from), (caller, to));
            self.copy_beside((&frame, from), (caller, to));
        }
        Ok(())
    }

    fn copy(&mut self, (from, a): (&Frame, Var), (to, b): (&mut Frame, Var)) {
        match (a, b) {
            (Var::Int(a), Var::Int(b)) => {
                let (value, label) = from.int(a);
                self.set_int(to, b, value, label);
            }
            (Var::Set(a), Var::Set(b)) => {
                let set = from.set(a).clone();
                self.set_set(to, b, set);
            }
            (Var::Path(a), Var::Path(b)) => {
                let (path, label) = from.paths[a.0 as usize];
                self.set_path(to, b, path, label);
            }
            // The verifier has ruled out any other pair.
            _ => {}
        }
    }

    /// Lists a move: because of the condition it is listed under and of its operands.
    fn emit(
        &mut self,
        frame: &Frame,
        statement: StatementId,
        args: &[Var],
        place: u32,
    ) -> Result<(), Fault> {
        let mut label = frame.condition();
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            let (value, other) = match arg {
                Var::Int(reg) => {
                    let (value, label) = frame.int(reg);
                    (ludex_ir::moves::Value::Int(value), label)
                }
                Var::Path(reg) => {
                    let (path, label) = frame.paths[reg.0 as usize];
                    (ludex_ir::moves::Value::Path(path), label)
                }
                Var::Set(_) => continue,
            };
            values.push(value);
            label = self.labels.union(label, other);
        }
        let Some(mv) = self.code.program.pack(statement, &values) else {
            return Err(fault(
                "number-too-large",
                "a move cannot remember so much".to_owned(),
                place,
            ));
        };
        if self.emitted.len() >= self.code.limits.moves {
            return Err(fault(
                "too-many-moves",
                "a position with too many moves".to_owned(),
                place,
            ));
        }
        self.emitted.push(Emission { mv, label, place });
        Ok(())
    }

    fn pushed(&self, path: Path, item: i64, of: PathOf, place: u32) -> Result<Path, Fault> {
        let shape = self.code.path(of);
        path.push(item, shape.bits, shape.capacity).ok_or_else(|| {
            let message = "a path gets an element that does not fit".to_owned();
            fault("path-too-long", message, place)
        })
    }
}
