//! Squares in a line, along an axis or between two: rows of tables where these are small.

use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use ludex_ir::{Reg, SetReg};

use crate::emit::frame::Frame;
use crate::emit::sets::Set;
use crate::emit::{Emitter, Written};

/// Words of a table of lines beyond which a helper does it.
const MOST_LINE_WORDS: usize = 1 << 15;

impl Emitter<'_, '_> {
    pub(super) fn line_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        (from, dir): (Reg, Reg),
        count: Reg,
    ) -> Written {
        let known = frame.known(count).filter(|&it| (1..=64).contains(&it));
        let [from, dir, count] = [from, dir, count].map(|reg| self.int(frame, reg));
        let table = known.and_then(|count| self.line_table(count));
        let set = match table {
            Some(table) => self.line_row(table, from, dir),
            None => self.set_helper("line", &[from, dir, count], &[])?,
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn reach_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        (from, dir): (Reg, Reg),
        count: Reg,
    ) -> Written {
        let set = self.reach(frame, from, dir, count)?;
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn axis_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        from: Reg,
        dir: Reg,
    ) -> Written {
        let [from, dir] = [from, dir].map(|reg| self.int(frame, reg));
        let set = match self.axis_table() {
            Some(table) => self.line_row(table, from, dir),
            None => self.set_helper("axis", &[from, dir], &[])?,
        };
        self.set_set(frame, dst, &set);
        Ok(())
    }

    pub(super) fn between_inst(
        &mut self,
        frame: &Frame<'_>,
        dst: SetReg,
        a: Reg,
        b: Reg,
    ) -> Written {
        let [a, b] = [a, b].map(|reg| self.int(frame, reg));
        let set = match self.between_table() {
            Some(table) => self.between_row(table, a, b),
            None => self.set_helper("between", &[a, b], &[])?,
        };
        self.set_set(frame, dst, &set);
        Ok(())
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

    fn line_row(&mut self, table: i64, from: Value, dir: Value) -> Set {
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

    fn between_row(&mut self, table: i64, a: Value, b: Value) -> Set {
        let squares = self.unit.program.squares;
        self.row(table, a, b, squares, squares)
    }

    fn row(&mut self, table: i64, i: Value, j: Value, rows: usize, columns: usize) -> Set {
        let place = self.pair(i, j, rows, columns);
        let none = self.is_number(IntCC::SignedLessThan, place, 0);
        let last = self.number((rows * columns) as i64);
        let place = self.choose(none, last, place);
        self.entries(table, place, self.words())
    }
}
