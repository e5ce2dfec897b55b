//! What each instruction becomes.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, Value};
use ludex_ir::inst::{BOARD, TURN};
use ludex_ir::{ArrayId, Inst, OutcomeKind, PathOf, PathReg, Reg, SetBinary, SetReg};

use super::frame::{Frame, PathValue};
use super::{Emitter, Wanted, Written};
use crate::context::{
    CUT, DEPTH, FEATURES, HYPOTHETICAL, IRREVERSIBLE, KEYS, KEYS_LEN, NEXT, SAID, SAID_DIFFERS,
    SAID_OTHER, SAID_OTHER_PLACE, SAID_PLACES, SAID_SCORE, SIDE, STOPPED,
};

/// Words of a table of lines beyond which a helper does it.
const MOST_LINE_WORDS: usize = 1 << 15;

impl Emitter<'_, '_> {
    /// Writes one instruction, at a depth of open `try`.
    pub(super) fn inst(
        &mut self,
        frame: &Frame<'_>,
        inst: &Inst,
        place: u32,
        depth: usize,
        slots: &[StackSlot],
    ) -> Written {
        match *inst {
            Inst::Const { dst, value } => {
                let value = self.number(value);
                self.set_int(frame, dst, value);
            }
            Inst::Copy { dst, src } => {
                let value = self.int(frame, src);
                self.set_int(frame, dst, value);
            }
            Inst::Unary { op, dst, src } => {
                let value = self.int(frame, src);
                let value = self.unary(op, value)?;
                self.set_int(frame, dst, value);
            }
            Inst::Binary { op, dst, a, b } => {
                let (a, b) = (self.int(frame, a), self.int(frame, b));
                let value = self.binary(op, a, b)?;
                self.set_int(frame, dst, value);
            }
            Inst::Lookup { dst, table, i, j } => {
                let (i, j) = (self.int(frame, i), j.map(|j| self.int(frame, j)));
                let value = self.lookup(table, i, j);
                self.set_int(frame, dst, value);
            }
            Inst::Pair { dst, i, j, rows, columns } => {
                let (i, j) = (self.int(frame, i), self.int(frame, j));
                let value = self.pair(i, j, rows as usize, columns as usize);
                self.set_int(frame, dst, value);
            }
            Inst::Step { dst, from, dir } => {
                let known = frame.known(dir);
                let (from, dir) = (self.int(frame, from), self.int(frame, dir));
                let value = self.step(from, dir, known);
                self.set_int(frame, dst, value);
            }
            Inst::Hop { dst, from, dir, count } => {
                let value = self.hop(frame, from, dir, count)?;
                self.set_int(frame, dst, value);
            }
            Inst::ListLen { dst, list } => {
                let list = self.int(frame, list);
                let lists = &self.unit.program.geometry.lists;
                let lengths: Vec<i64> = lists.iter().map(|it| it.len() as i64).collect();
                let len = self.table_entry(lengths, list);
                let zero = self.number(0);
                let len = self.b.ins().smax(len, zero);
                self.set_int(frame, dst, len);
            }
            Inst::ListItem { dst, list, index } => self.list_item(frame, dst, list, index),

            Inst::Load { dst, array, index } => self.load_cell(frame, dst, array, index),
            Inst::Test { dst, array, index, mask } => self.test(frame, dst, array, index, mask),
            Inst::TestRange { dst, array, index, lo, hi } => {
                let (value, inside) = self.cell(frame, array, index);
                let [lo, hi] = [lo, hi].map(|it| self.number(it));
                let low = self.is(IntCC::SignedLessThanOrEqual, lo, value);
                let high = self.is(IntCC::SignedLessThanOrEqual, value, hi);
                let mut found = self.b.ins().band(low, high);
                if let Some(inside) = inside {
                    found = self.b.ins().band(found, inside);
                }
                self.set_flag(frame, dst, found);
            }
            Inst::Store { array, index, value } => self.store_cell(frame, array, index, value),
            Inst::Add { array, index, delta } => self.add_cell(frame, array, index, delta),
            Inst::StoreAll { set, value } => {
                let known = frame.known(value);
                let (set, value) = (self.set(frame, set), self.int(frame, value));
                let some = self.has_any(&set);
                let wrong = self.outside(BOARD, value);
                let wrong = self.b.ins().band(some, wrong);
                self.stop_if(wrong, STOPPED);
                self.each_member(&set, |it, square| {
                    it.put_code(square, value, known);
                    Ok(())
                })?;
            }

            Inst::SetConst { dst, family, index } => {
                self.set_const(frame, dst, family.0 as usize, index);
            }
            Inst::SetWhere { dst, mask } => {
                let set = match frame.known(mask) {
                    Some(mask) => self.squares_with(mask as u64),
                    None => {
                        let mask = self.int(frame, mask);
                        self.squares_with_any(mask)
                    }
                };
                self.set_set(frame, dst, &set);
            }
            Inst::SetLoad { dst, array, index } => {
                let index = index.map(|index| self.int(frame, index));
                let (at, inside) = self.set_address(array, index);
                let mut set = self.load_set(at);
                if let Some(inside) = inside {
                    let empty = self.empty();
                    set = self.zip(&set, &empty, |it, word, zero| it.choose(inside, word, zero));
                }
                self.set_set(frame, dst, &set);
            }
            Inst::SetStore { array, index, src } => {
                let index = index.map(|index| self.int(frame, index));
                let address = self.set_address(array, index);
                let set = self.set(frame, src);
                self.put_set(array, address, &set)?;
            }
            Inst::SetUpdate { array, index, src, add } => {
                let index = index.map(|index| self.int(frame, index));
                let address = self.set_address(array, index);
                let (old, set) = (self.load_set(address.0), self.set(frame, src));
                let new = if add { self.union(&old, &set) } else { self.difference(&old, &set) };
                self.put_set(array, address, &new)?;
            }
            Inst::SetCopy { dst, src } => {
                let set = self.set(frame, src);
                self.set_set(frame, dst, &set);
            }
            Inst::SetBinary { op, dst, a, b } => {
                let (a, b) = (self.set(frame, a), self.set(frame, b));
                let set = match op {
                    SetBinary::Union => self.union(&a, &b),
                    SetBinary::Intersection => self.intersection(&a, &b),
                    SetBinary::Difference => self.difference(&a, &b),
                };
                self.set_set(frame, dst, &set);
            }
            Inst::SetInsert { set: reg, square } => {
                let (set, square) = (self.set(frame, reg), self.int(frame, square));
                let single = self.single(square);
                let set = self.union(&set, &single);
                self.set_set(frame, reg, &set);
            }
            Inst::SetRemove { set: reg, square } => {
                let (set, square) = (self.set(frame, reg), self.int(frame, square));
                let single = self.single(square);
                let set = self.difference(&set, &single);
                self.set_set(frame, reg, &set);
            }
            Inst::Shift { dst, src, dir } => self.leap_inst(frame, dst, src, dir, 1)?,
            Inst::Leap { dst, src, dir, count } => self.leap_inst(frame, dst, src, dir, count)?,
            Inst::Neighbours { dst, src, list } => {
                let set = self.set(frame, src);
                let done = self.known_list(frame, list).and_then(|it| self.neighbours(&set, &it));
                let set = match done {
                    Some(set) => set,
                    None => {
                        let list = self.int(frame, list);
                        self.set_helper("neighbours", &[list], &[&set])?
                    }
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Slide { dst, from, through, dir } => {
                let (set, open) = (self.set(frame, from), self.set(frame, through));
                let done = self.known_dir(frame, dir).and_then(|it| self.slide(&set, &open, it));
                let set = match done {
                    Some(set) => set,
                    None => {
                        let dir = self.int(frame, dir);
                        self.set_helper("slide", &[dir], &[&set, &open])?
                    }
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Rays { dst, from, through, list } => {
                let (from, open) = (self.int(frame, from), self.set(frame, through));
                let done = self.known_list(frame, list).and_then(|it| self.rays(from, &open, &it));
                let set = match done {
                    Some(set) => set,
                    None => {
                        let list = self.int(frame, list);
                        self.set_helper("rays", &[from, list], &[&open])?
                    }
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Flood { dst, from, within, list } => {
                let (from, within) = (self.set(frame, from), self.set(frame, within));
                let set = self.flood_inst(frame, &from, &within, list)?;
                self.set_set(frame, dst, &set);
            }
            Inst::Line { dst, from, dir, count } => {
                let known = frame.known(count).filter(|&it| (1..=64).contains(&it));
                let [from, dir, count] = [from, dir, count].map(|reg| self.int(frame, reg));
                let table = known.and_then(|count| self.line_table(count));
                let set = match table {
                    Some(table) => self.line_row(table, from, dir),
                    None => self.set_helper("line", &[from, dir, count], &[])?,
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Reach { dst, from, dir, count } => {
                let set = self.reach(frame, from, dir, count)?;
                self.set_set(frame, dst, &set);
            }
            Inst::Axis { dst, from, dir } => {
                let [from, dir] = [from, dir].map(|reg| self.int(frame, reg));
                let set = match self.axis_table() {
                    Some(table) => self.line_row(table, from, dir),
                    None => self.set_helper("axis", &[from, dir], &[])?,
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Between { dst, a, b } => {
                let [a, b] = [a, b].map(|reg| self.int(frame, reg));
                let set = match self.between_table() {
                    Some(table) => self.between_row(table, a, b),
                    None => self.set_helper("between", &[a, b], &[])?,
                };
                self.set_set(frame, dst, &set);
            }
            Inst::Contains { dst, set, square } => {
                let (set, square) = (self.set(frame, set), self.int(frame, square));
                let found = self.contains(&set, square);
                self.set_int(frame, dst, found);
            }
            Inst::Count { dst, set } => {
                let set = self.set(frame, set);
                let count = self.count(&set);
                self.set_int(frame, dst, count);
            }
            Inst::Any { dst, set } => {
                let set = self.set(frame, set);
                let any = self.has_any(&set);
                self.set_flag(frame, dst, any);
            }
            Inst::NextMember { dst, set, after } => {
                let mut set = self.set(frame, set);
                if frame.known(after) != Some(-1) {
                    let after = self.int(frame, after);
                    set = self.above(&set, after);
                }
                let next = self.lowest(&set);
                self.set_int(frame, dst, next);
            }

            Inst::PathEmpty { dst } => {
                let zero = self.number(0);
                let items = self.wide_number(zero, zero);
                self.set_path(frame, dst, PathValue { len: zero, items });
            }
            Inst::PathCopy { dst, src } => {
                let path = self.path(frame, src);
                self.set_path(frame, dst, path);
            }
            Inst::PathPush { dst, src, item, of } => self.path_push(frame, dst, src, item, of),
            Inst::PathLen { dst, path } => {
                let path = self.path(frame, path);
                self.set_int(frame, dst, path.len);
            }
            Inst::PathItem { dst, path, index, of } => self.path_item(frame, dst, path, index, of),

            Inst::Call { func, ref args, result } => self.call(frame, func, args, result, depth)?,
            Inst::TryBegin => self.try_begin(slots[depth]),
            Inst::TryEnd => self.try_end(slots[depth - 1]),
            Inst::Emit { statement, ref args, weight } => {
                self.emit(frame, statement, args, weight)?;
            }
            Inst::EmitAll { statement, set, ref args } => {
                self.emit_all(frame, statement, set, args)?;
            }
            Inst::Outcome { kind, score } => self.outcome(frame, kind, score, place),
            Inst::Feature { index, value } => {
                let value = self.int(frame, value);
                let value = self.real(value);
                let value = self.bits(value);
                let features = self.load(self.ctx, FEATURES);
                self.store(value, features, i32::from(index) * 8);
            }
            // Names are the interpreter's affair.
            Inst::Say(_) => {}
            // What is said inside a `try` is not said.
            Inst::Irreversible => {
                if depth == 0 {
                    let one = self.number(1);
                    self.store(one, self.ctx, IRREVERSIBLE);
                }
            }
            Inst::Next { player } => {
                if depth == 0 {
                    let player = self.int(frame, player);
                    let old = self.load(self.ctx, NEXT);
                    let right = self.inside(player, self.unit.program.players.len());
                    let next = self.choose(right, player, old);
                    self.store(next, self.ctx, NEXT);
                }
            }
            Inst::Repeats { dst } => {
                let count = self.repeats();
                self.set_int(frame, dst, count);
            }
            Inst::Reply { dst, player } => self.reply(frame, dst, player)?,
            Inst::Side { dst } => {
                let side = self.load(self.ctx, SIDE);
                self.set_int(frame, dst, side);
            }
            Inst::Depth { dst } => {
                let depth = self.load(self.ctx, DEPTH);
                self.set_int(frame, dst, depth);
            }
        }
        Ok(())
    }

    pub(super) fn known_dir(&self, frame: &Frame<'_>, dir: Reg) -> Option<u16> {
        let dir = u16::try_from(frame.known(dir)?).ok()?;
        ((dir as usize) < self.unit.program.geometry.directions.len()).then_some(dir)
    }

    fn known_list(&self, frame: &Frame<'_>, list: Reg) -> Option<Vec<u16>> {
        let list = usize::try_from(frame.known(list)?).ok()?;
        self.unit.program.geometry.lists.get(list).cloned()
    }

    fn list_item(&mut self, frame: &Frame<'_>, dst: Reg, list: Reg, index: Reg) {
        let lists = &self.unit.program.geometry.lists;
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let rows = lists.len();
        let item = |list: &Vec<u16>, it: usize| list.get(it).map_or(-1, |&it| i64::from(it));
        let table: Vec<i64> =
            lists.iter().flat_map(|list| (0..longest).map(move |it| item(list, it))).collect();
        let (list, index) = (self.int(frame, list), self.int(frame, index));
        let place = self.pair(list, index, rows, longest);
        let value = self.table_entry(table, place);
        self.set_int(frame, dst, value);
    }

    /// The value of a cell and whether it is one; `None` if it certainly is.
    fn cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
    ) -> (Value, Option<Value>) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, len) = (data.lo, data.len);
        let (index, inside) = match index {
            Some(index) => {
                let index = self.int(frame, index);
                let (index, inside) = self.clamped(index, len);
                (Some(index), Some(inside))
            }
            None => (None, None),
        };
        let raw = self.raw_cell(array, index);
        (self.plus(raw, lo), inside)
    }

    fn load_cell(&mut self, frame: &Frame<'_>, dst: Reg, array: ArrayId, index: Option<Reg>) {
        let (mut value, inside) = self.cell(frame, array, index);
        if let Some(inside) = inside {
            let none = self.number(-1);
            value = self.choose(inside, value, none);
        }
        self.set_int(frame, dst, value);
    }

    fn test(&mut self, frame: &Frame<'_>, dst: Reg, array: ArrayId, index: Option<Reg>, mask: Reg) {
        let found = match (frame.known(mask), index) {
            (Some(mask), Some(square)) if array == BOARD => {
                let square = self.int(frame, square);
                self.square_has(square, mask as u64)
            }
            _ => {
                let lo = self.unit.program.arrays[array.0 as usize].lo;
                let (value, inside) = self.cell(frame, array, index);
                let raw = self.plus(value, -lo);
                let mask = self.int(frame, mask);
                let bit = self.bit_of(mask, raw);
                let zero = self.number(0);
                inside.map_or(bit, |inside| self.choose(inside, bit, zero))
            }
        };
        self.set_int(frame, dst, found);
    }

    /// Whether a value is outside the domain of an array.
    fn outside(&mut self, array: ArrayId, value: Value) -> Value {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, values) = (data.lo, data.hi - data.lo + 1);
        let raw = self.plus(value, -lo);
        self.is_number(IntCC::UnsignedGreaterThanOrEqual, raw, values)
    }

    /// Runs code with the index of a cell, if there is such a cell.
    fn if_cell(
        &mut self,
        frame: &Frame<'_>,
        array: ArrayId,
        index: Option<Reg>,
        code: impl FnOnce(&mut Self, Option<Value>),
    ) {
        let Some(index) = index else { return code(self, None) };
        let len = self.unit.program.arrays[array.0 as usize].len;
        let index = self.int(frame, index);
        let inside = self.inside(index, len);
        let (there, done) = (self.b.create_block(), self.b.create_block());
        self.branch(inside, there, done);
        self.go_on_in(there);
        code(self, Some(index));
        self.jump(done);
        self.go_on_in(done);
    }

    fn store_cell(&mut self, frame: &Frame<'_>, array: ArrayId, index: Option<Reg>, value: Reg) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let (lo, hi) = (data.lo, data.hi);
        let known = frame.known(value);
        let value = self.int(frame, value);
        self.if_cell(frame, array, index, |it, index| {
            if !known.is_some_and(|value| (lo..=hi).contains(&value)) {
                let wrong = it.outside(array, value);
                it.stop_if(wrong, STOPPED);
            }
            let raw = it.plus(value, -lo);
            match index {
                Some(square) if array == BOARD => it.put_code(square, raw, known),
                None if array == BOARD => {
                    let square = it.number(0);
                    it.put_code(square, raw, known);
                }
                _ => it.put_raw(array, index, raw),
            }
        });
    }

    fn add_cell(&mut self, frame: &Frame<'_>, array: ArrayId, index: Option<Reg>, delta: Reg) {
        let data = &self.unit.program.arrays[array.0 as usize];
        let values = data.hi - data.lo + 1;
        let delta = self.int(frame, delta);
        self.if_cell(frame, array, index, |it, index| {
            // A delta beyond the size of the domain is as good as its size.
            let (least, most) = (it.number(-values), it.number(values));
            let delta = it.b.ins().smax(delta, least);
            let delta = it.b.ins().smin(delta, most);
            let raw = it.raw_cell(array, index);
            let sum = it.add(raw, delta);
            let (zero, top) = (it.number(0), it.number(values - 1));
            let sum = it.b.ins().smax(sum, zero);
            let sum = it.b.ins().smin(sum, top);
            match index {
                Some(square) if array == BOARD => it.put_code(square, sum, None),
                None if array == BOARD => it.put_code(zero, sum, None),
                _ => it.put_raw(array, index, sum),
            }
        });
    }

    fn set_const(&mut self, frame: &Frame<'_>, dst: SetReg, family: usize, index: Option<Reg>) {
        let sets = &self.unit.program.families[family].sets;
        let known = index.map_or(Some(0), |index| frame.known(index));
        let set = if let Some(known) = known {
            let found = usize::try_from(known).ok().and_then(|it| sets.get(it)).cloned();
            self.constant_set(&found.map_or_else(Vec::new, |it| it.words))
        } else if let ([none, one], Some(index)) = (&sets[..], index)
            && none.is_empty()
        {
            // A choice between nothing and one set needs no table.
            let one = one.words.clone();
            let index = self.int(frame, index);
            let chosen = self.is_number(IntCC::Equal, index, 1);
            let (one, empty) = (self.constant_set(&one), self.empty());
            self.zip(&one, &empty, |it, word, zero| it.choose(chosen, word, zero))
        } else {
            let words = self.words();
            let rows = sets.len();
            let row = |it: &ludex_ir::Bits| -> Vec<u64> {
                (0..words).map(|word| it.words.get(word).copied().unwrap_or(0)).collect()
            };
            let mut table: Vec<u64> = sets.iter().flat_map(row).collect();
            table.extend(std::iter::repeat_n(0, words));
            let table = self.unit.pool.words(table);
            let index = match index {
                Some(index) => self.int(frame, index),
                None => self.number(0),
            };
            let inside = self.inside(index, rows);
            let last = self.number(rows as i64);
            let index = self.choose(inside, index, last);
            self.entries(table, index, words)
        };
        self.set_set(frame, dst, &set);
    }

    fn leap_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        src: SetReg,
        dir: Reg,
        count: u16,
    ) -> Written {
        let set = self.set(frame, src);
        let done = self.known_dir(frame, dir).and_then(|dir| self.leap(&set, dir, count));
        let set = match done {
            Some(set) => set,
            None => {
                let (dir, count) = (self.int(frame, dir), self.number(i64::from(count)));
                self.set_helper("leap", &[dir, count], &[&set])?
            }
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    fn flood_inst(
        &mut self,
        frame: &Frame<'_>,
        from: &Vec<Value>,
        within: &Vec<Value>,
        list: Reg,
    ) -> Written<Vec<Value>> {
        let known = self.known_list(frame, list);
        let inline = known.filter(|it| self.neighbours(from, it).is_some());
        match inline {
            Some(list) => Ok(self.flood(from, within, |it, set| {
                // It could be done for another set of the same board.
                it.neighbours(set, &list).unwrap_or_else(|| set.clone())
            })),
            None => {
                let list = self.int(frame, list);
                self.set_helper("flood", &[list], &[from, within])
            }
        }
    }

    /// Lets a helper make a set.
    pub(super) fn set_helper(
        &mut self,
        name: &'static str,
        numbers: &[Value],
        sets: &[&Vec<Value>],
    ) -> Written<Vec<Value>> {
        self.spend(self.words() as i64 * 8);
        let mut args = vec![self.ctx];
        args.extend(numbers);
        for set in sets {
            let at = self.set_slot();
            self.store_set(set, at);
            args.push(at);
        }
        let out = self.set_slot();
        args.push(out);
        self.call_helper(name, &args)?;
        Ok(self.load_set(out))
    }

    /// A table of sets, one for each direction and square, if it is small; an empty one last.
    fn rows(&mut self, row: impl Fn(i64, i64) -> Vec<u64>) -> Option<i64> {
        let program = self.unit.program;
        let (squares, dirs) = (program.squares, program.geometry.directions.len());
        let words = self.words();
        if squares * dirs * words > MOST_LINE_WORDS {
            return None;
        }
        let places = (0..dirs * squares).map(|it| ((it % squares) as i64, (it / squares) as i64));
        let mut table: Vec<u64> = places.flat_map(|(from, dir)| row(from, dir)).collect();
        table.extend(std::iter::repeat_n(0, words));
        Some(self.unit.pool.words(table))
    }

    fn line_table(&mut self, count: i64) -> Option<i64> {
        let board = self.unit.board.clone();
        self.rows(|from, dir| board.line(from, dir, count))
    }

    fn axis_table(&mut self) -> Option<i64> {
        let board = self.unit.board.clone();
        self.rows(|from, dir| board.axis(from, dir))
    }

    fn line_row(&mut self, table: i64, from: Value, dir: Value) -> Vec<Value> {
        let program = self.unit.program;
        let (squares, dirs) = (program.squares, program.geometry.directions.len());
        self.row(table, dir, from, dirs, squares)
    }

    fn between_table(&mut self) -> Option<i64> {
        let squares = self.unit.program.squares;
        let words = self.words();
        if squares * squares * words > MOST_LINE_WORDS {
            return None;
        }
        let board = self.unit.board.clone();
        let pairs = (0..squares * squares).map(|it| ((it / squares) as i64, (it % squares) as i64));
        let mut table: Vec<u64> = pairs.flat_map(|(a, b)| board.between(a, b)).collect();
        table.extend(std::iter::repeat_n(0, words));
        Some(self.unit.pool.words(table))
    }

    fn between_row(&mut self, table: i64, a: Value, b: Value) -> Vec<Value> {
        let squares = self.unit.program.squares;
        self.row(table, a, b, squares, squares)
    }

    fn row(&mut self, table: i64, i: Value, j: Value, rows: usize, columns: usize) -> Vec<Value> {
        let place = self.pair(i, j, rows, columns);
        let none = self.is_number(IntCC::SignedLessThan, place, 0);
        let last = self.number((rows * columns) as i64);
        let place = self.choose(none, last, place);
        self.entries(table, place, self.words())
    }

    fn path_shape(&self, of: PathOf) -> (u32, usize) {
        let kind = of.into();
        (self.unit.original.operand_bits(kind), self.unit.original.path_capacity(kind))
    }

    fn path_push(&mut self, frame: &Frame<'_>, dst: PathReg, src: PathReg, item: Reg, of: PathOf) {
        let (bits, capacity) = self.path_shape(of);
        let (path, item) = (self.path(frame, src), self.int(frame, item));
        let full = self.is_number(
            IntCC::UnsignedGreaterThanOrEqual,
            path.len,
            i64::try_from(capacity).unwrap_or(0),
        );
        self.stop_if(full, STOPPED);
        let wrong = self.is_number(IntCC::UnsignedGreaterThanOrEqual, item, 1 << bits);
        self.stop_if(wrong, STOPPED);
        let shift = self.times(path.len, i64::from(bits));
        let zero = self.number(0);
        let item = self.wide_number(item, zero);
        let item = self.b.ins().ishl(item, shift);
        let items = self.b.ins().bor(path.items, item);
        let len = self.plus(path.len, 1);
        self.set_path(frame, dst, PathValue { len, items });
    }

    fn path_item(&mut self, frame: &Frame<'_>, dst: Reg, path: PathReg, index: Reg, of: PathOf) {
        let (bits, capacity) = self.path_shape(of);
        let (path, index) = (self.path(frame, path), self.int(frame, index));
        let in_path = self.is(IntCC::UnsignedLessThan, index, path.len);
        let in_kind = self.inside(index, capacity);
        let inside = self.b.ins().band(in_path, in_kind);
        let zero = self.number(0);
        let index = self.choose(inside, index, zero);
        let shift = self.times(index, i64::from(bits));
        let items = self.b.ins().ushr(path.items, shift);
        let (low, _) = self.b.ins().isplit(items);
        let item = self.masked(low, (1 << bits) - 1);
        let none = self.number(-1);
        let item = self.choose(inside, item, none);
        self.set_int(frame, dst, item);
    }

    /// Notes what was said; the same thing once.
    fn outcome(&mut self, frame: &Frame<'_>, kind: OutcomeKind, score: Option<Reg>, place: u32) {
        let (new, done) = (self.b.create_block(), self.b.create_block());
        let bit = kind as i64;
        let kinds = self.load(self.ctx, SAID);
        let known = self.masked(kinds, 1 << bit);
        let score = score.map(|reg| self.int(frame, reg));
        let again = self.b.create_block();
        let place = self.number(i64::from(place));
        self.branch(known, again, new);
        self.go_on_in(new);
        let flag = self.number(1 << bit);
        let kinds = self.or(kinds, flag);
        self.store(kinds, self.ctx, SAID);
        self.store(place, self.ctx, SAID_PLACES + bit as i32 * 8);
        if let Some(score) = score {
            self.store(score, self.ctx, SAID_SCORE);
        }
        self.jump(done);
        self.go_on_in(again);
        if let Some(score) = score {
            let first = self.load(self.ctx, SAID_SCORE);
            let differs = self.is(IntCC::NotEqual, score, first);
            let other = self.b.create_block();
            self.branch(differs, other, done);
            self.go_on_in(other);
            self.store(score, self.ctx, SAID_OTHER);
            self.store(place, self.ctx, SAID_OTHER_PLACE);
            let one = self.number(1);
            self.store(one, self.ctx, SAID_DIFFERS);
        }
        self.jump(done);
        self.go_on_in(done);
    }

    /// How many earlier positions had the key of this one.
    fn repeats(&mut self) -> Value {
        let keys = self.load(self.ctx, KEYS);
        let len = self.load(self.ctx, KEYS_LEN);
        let byte = self.unit.layout.key_byte() as i32;
        let key = self.state_word(byte);
        let (at, count) = (self.new_var(), self.new_var());
        let zero = self.number(0);
        self.b.def_var(at, zero);
        self.b.def_var(count, zero);
        let [head, body, done] = std::array::from_fn(|_| self.b.create_block());
        self.jump(head);
        self.go_on_in(head);
        let index = self.b.use_var(at);
        let more = self.is(IntCC::UnsignedLessThan, index, len);
        self.branch(more, body, done);
        self.go_on_in(body);
        let byte = self.shl(index, 3);
        let address = self.add(keys, byte);
        let other = self.load(address, 0);
        let same = self.is(IntCC::Equal, key, other);
        let same = self.wide(same);
        let sum = self.b.use_var(count);
        let sum = self.add(sum, same);
        self.b.def_var(count, sum);
        let next = self.plus(index, 1);
        self.b.def_var(at, next);
        self.jump(head);
        self.go_on_in(done);
        let sum = self.b.use_var(count);
        let layers = self.load(self.ctx, HYPOTHETICAL);
        let present = self.is_number(IntCC::Equal, layers, 0);
        let present = self.wide(present);
        let earlier = self.sub(sum, present);
        let earlier = self.b.ins().smax(earlier, zero);
        let cut = self.load(self.ctx, CUT);
        self.choose(cut, zero, earlier)
    }

    /// Whether a player, being to move, has a legal move.
    fn reply(&mut self, frame: &Frame<'_>, dst: Reg, player: Reg) -> Written {
        let known = frame.known(player);
        let player = self.int(frame, player);
        let answer = self.new_var();
        let zero = self.number(0);
        self.b.def_var(answer, zero);
        let done = self.b.create_block();
        for it in 0..self.unit.program.players.len() {
            if known.is_some_and(|known| known != it as i64) {
                continue;
            }
            let (this, other) = (self.b.create_block(), self.b.create_block());
            let same = self.is_number(IntCC::Equal, player, it as i64);
            self.branch(same, this, other);
            self.go_on_in(this);
            let slot = self.block_slot();
            self.save_block(slot);
            self.add_hypothetical(1);
            let turn = self.number(it as i64);
            self.put_raw(TURN, None, turn);
            let found = self.call_native(Wanted::HasLegal(it), &[])?;
            self.add_hypothetical(-1);
            self.restore_block(slot);
            self.b.def_var(answer, found);
            self.jump(done);
            self.go_on_in(other);
        }
        self.jump(done);
        self.go_on_in(done);
        let answer = self.b.use_var(answer);
        self.set_int(frame, dst, answer);
        Ok(())
    }
}
