//! Many steps at once: where they lead, and what lies on the way.
//!
//! Both are read from tables with a row for each square and a column for each
//! number of steps up to the first that leads off the board from everywhere. A
//! direction that goes round in a circle has no such number: a helper counts.

use cranelift_codegen::ir::{InstBuilder, Value};
use ludex_ir::Reg;

use super::frame::Frame;
use super::sets::{Set, steps};
use super::{Emitter, Written};

/// Words of a table beyond which a helper does it.
const MOST_WORDS: usize = 1 << 15;

impl Emitter<'_, '_> {
    /// The square that a number of steps leads to, or -1.
    pub(super) fn hop(
        &mut self,
        frame: &Frame<'_>,
        from: Reg,
        dir: Reg,
        count: Reg,
    ) -> Written<Value> {
        let known = self.known_dir(frame, dir).and_then(|dir| Some((dir, self.columns(dir, 1)?)));
        let [from, way, count] = [from, dir, count].map(|reg| self.int(frame, reg));
        let Some((dir, columns)) = known else {
            self.spend(8);
            return self.call_helper("hop", &[self.ctx, from, way, count]);
        };
        let board = self.unit.board.clone();
        let places = self.places(columns);
        let table = places.map(|(from, count)| board.hop(from, i64::from(dir), count) as u64);
        let table = self.unit.pool.words(table.collect());
        let place = self.place(from, count, columns);
        Ok(self.entry(table, place))
    }

    /// The squares that a number of steps passes, the first among them.
    pub(super) fn reach(
        &mut self,
        frame: &Frame<'_>,
        from: Reg,
        dir: Reg,
        count: Reg,
    ) -> Written<Set> {
        let words = self.words();
        let known = self.known_dir(frame, dir);
        let known = known.and_then(|dir| Some((dir, self.columns(dir, words)?)));
        let [from, way, count] = [from, dir, count].map(|reg| self.int(frame, reg));
        let Some((dir, columns)) = known else {
            return self.set_helper("reach", &[from, way, count], &[]);
        };
        let board = self.unit.board.clone();
        let places = self.places(columns);
        let table = places.flat_map(|(from, count)| board.reach(from, i64::from(dir), count));
        let table = self.unit.pool.words(table.collect());
        let place = self.place(from, count, columns);
        Ok(self.entries(table, place, words))
    }

    /// How many columns the tables of a direction have; `None` if a helper must do it.
    fn columns(&self, dir: u16, words: usize) -> Option<usize> {
        let program = self.unit.program;
        let off = |count: &u16| (0..program.squares).all(|it| steps(program, it, dir, *count) < 0);
        let most = u16::try_from(program.squares).ok()?;
        let columns = usize::from((0..=most).find(off)?) + 1;
        // One more row, for what is no square.
        ((program.squares + 1) * columns * words <= MOST_WORDS).then_some(columns)
    }

    /// The square and the number of steps of each entry of a table.
    fn places(&self, columns: usize) -> impl Iterator<Item = (i64, i64)> + use<> {
        let entries = (self.unit.program.squares + 1) * columns;
        (0..entries).map(move |it| ((it / columns) as i64, (it % columns) as i64))
    }

    /// The entry for a square and a number of steps, both of which may be any numbers.
    fn place(&mut self, from: Value, count: Value, columns: usize) -> Value {
        let squares = self.unit.program.squares;
        let inside = self.inside(from, squares);
        let none = self.number(squares as i64);
        let row = self.choose(inside, from, none);
        let (least, most) = (self.number(0), self.number(columns as i64 - 1));
        let count = self.b.ins().smax(count, least);
        let count = self.b.ins().smin(count, most);
        let row = self.times(row, columns as i64);
        self.add(row, count)
    }
}
