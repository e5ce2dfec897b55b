//! Operations on numbers, as [`ludex_ir::inst`] defines them.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value};
use ludex_ir::{Binary, TableId, Unary};

use super::{Emitter, Written};

/// Boards with at most this many squares have a table of distances.
const MOST_DISTANCE_SQUARES: usize = 128;

impl Emitter<'_, '_> {
    pub(super) fn unary(&mut self, op: Unary, x: Value) -> Written<Value> {
        Ok(match op {
            Unary::Neg => self.b.ins().ineg(x),
            Unary::Not => {
                let zero = self.is_number(IntCC::Equal, x, 0);
                self.wide(zero)
            }
            Unary::Abs => self.b.ins().iabs(x),
            Unary::Real => {
                let real = self.b.ins().fcvt_from_sint(cranelift_codegen::ir::types::F64, x);
                self.bits(real)
            }
            Unary::RNeg => {
                let real = self.real(x);
                let real = self.b.ins().fneg(real);
                self.bits(real)
            }
            Unary::RAbs => {
                let real = self.real(x);
                let real = self.b.ins().fabs(real);
                self.bits(real)
            }
            Unary::RExp => self.call_helper("exp", &[x])?,
            Unary::RTanh => self.call_helper("tanh", &[x])?,
            Unary::RSqrt => {
                let real = self.real(x);
                let zero = self.b.ins().f64const(0.0);
                let positive = self.is_real(FloatCC::GreaterThan, real, zero);
                let root = self.b.ins().sqrt(real);
                let root = self.choose(positive, root, zero);
                self.bits(root)
            }
            Unary::Opposite => {
                let directions = &self.unit.program.geometry.directions;
                let count = directions.len();
                let known = |it: u16| if (it as usize) < count { i64::from(it) } else { -1 };
                let table: Vec<i64> = directions.iter().map(|it| known(it.opposite)).collect();
                self.table_entry(table, x)
            }
        })
    }

    /// Entry `x` of a table, -1 if it is outside.
    pub(super) fn table_entry(&mut self, mut table: Vec<i64>, x: Value) -> Value {
        let len = table.len();
        table.push(-1);
        let table = self.unit.pool.numbers(table);
        let inside = self.inside(x, len);
        let outside = self.number(len as i64);
        let x = self.choose(inside, x, outside);
        self.entry(table, x)
    }

    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Written<Value> {
        let real = |it: &mut Self, op: fn(&mut Self, Value, Value) -> Value| {
            let (a, b) = (it.real(a), it.real(b));
            let real = op(it, a, b);
            it.bits(real)
        };
        Ok(match op {
            Binary::Add => self.add(a, b),
            Binary::Sub => self.sub(a, b),
            Binary::Mul => self.b.ins().imul(a, b),
            Binary::Div => self.divide(a, b, false),
            Binary::Rem => self.divide(a, b, true),
            Binary::Min => self.b.ins().smin(a, b),
            Binary::Max => self.b.ins().smax(a, b),
            Binary::Eq => self.compared(IntCC::Equal, a, b),
            Binary::Ne => self.compared(IntCC::NotEqual, a, b),
            Binary::Lt => self.compared(IntCC::SignedLessThan, a, b),
            Binary::Le => self.compared(IntCC::SignedLessThanOrEqual, a, b),
            Binary::Distance => self.distance(a, b)?,
            Binary::RAdd => real(self, |it, a, b| it.b.ins().fadd(a, b)),
            Binary::RSub => real(self, |it, a, b| it.b.ins().fsub(a, b)),
            Binary::RMul => real(self, |it, a, b| it.b.ins().fmul(a, b)),
            Binary::RDiv => real(self, |it, a, b| {
                let zero = it.b.ins().f64const(0.0);
                let by_zero = it.is_real(FloatCC::Equal, b, zero);
                let quotient = it.b.ins().fdiv(a, b);
                it.choose(by_zero, zero, quotient)
            }),
            Binary::RMin => real(self, |it, a, b| {
                let less = it.is_real(FloatCC::LessThan, a, b);
                it.choose(less, a, b)
            }),
            Binary::RMax => real(self, |it, a, b| {
                let more = it.is_real(FloatCC::GreaterThan, a, b);
                it.choose(more, a, b)
            }),
            Binary::REq => self.compared_reals(FloatCC::Equal, a, b),
            Binary::RLt => self.compared_reals(FloatCC::LessThan, a, b),
            Binary::RLe => self.compared_reals(FloatCC::LessThanOrEqual, a, b),
        })
    }

    fn compared(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let cond = self.is(cc, a, b);
        self.wide(cond)
    }

    fn compared_reals(&mut self, cc: FloatCC, a: Value, b: Value) -> Value {
        let (a, b) = (self.real(a), self.real(b));
        let cond = self.is_real(cc, a, b);
        self.wide(cond)
    }

    /// Division that never traps: 0 by 0, and wrapping at the least number.
    fn divide(&mut self, a: Value, b: Value, remainder: bool) -> Value {
        let one = self.number(1);
        let zero = self.is_number(IntCC::Equal, b, 0);
        let minus = self.is_number(IntCC::Equal, b, -1);
        let special = self.b.ins().bor(zero, minus);
        let safe = self.choose(special, one, b);
        let nothing = self.number(0);
        if remainder {
            let rest = self.b.ins().srem(a, safe);
            return self.choose(special, nothing, rest);
        }
        let quotient = self.b.ins().sdiv(a, safe);
        let negated = self.b.ins().ineg(a);
        let quotient = self.choose(minus, negated, quotient);
        self.choose(zero, nothing, quotient)
    }

    fn distance(&mut self, a: Value, b: Value) -> Written<Value> {
        let squares = self.unit.program.squares;
        if squares > MOST_DISTANCE_SQUARES {
            return self.call_helper("distance", &[self.ctx, a, b]);
        }
        let board = self.unit.board.clone();
        let all = (0..squares * squares)
            .map(|it| board.distance((it / squares) as i64, (it % squares) as i64));
        let table: Vec<i64> = all.collect();
        let place = self.pair(a, b, squares, squares);
        Ok(self.table_entry(table, place))
    }

    /// `i * columns + j` if both are inside, else -1.
    pub(super) fn pair(&mut self, i: Value, j: Value, rows: usize, columns: usize) -> Value {
        let (i_in, j_in) = (self.inside(i, rows), self.inside(j, columns));
        let both = self.b.ins().band(i_in, j_in);
        let row = self.times(i, columns as i64);
        let place = self.add(row, j);
        let none = self.number(-1);
        self.choose(both, place, none)
    }

    pub(super) fn lookup(&mut self, table: TableId, i: Value, j: Option<Value>) -> Value {
        let table = &self.unit.program.tables[table.0 as usize];
        let (rows, columns, data) = (table.rows, table.columns, table.data.clone());
        match j {
            Some(j) => {
                let place = self.pair(i, j, rows, columns);
                self.table_entry(data, place)
            }
            None => self.table_entry(data, i),
        }
    }

    /// The square one step away, or -1; the direction may be known.
    pub(super) fn step(&mut self, from: Value, dir: Value, known: Option<i64>) -> Value {
        let program = self.unit.program;
        let directions = &program.geometry.directions;
        if let Some(dir) = known {
            let Some(dir) = usize::try_from(dir).ok().and_then(|it| directions.get(it)) else {
                return self.number(-1);
            };
            let table = dir.steps.iter().map(|&it| i64::from(it)).collect();
            return self.table_entry(table, from);
        }
        let all = directions.iter().flat_map(|it| it.steps.iter().map(|&it| i64::from(it)));
        let table: Vec<i64> = all.collect();
        let place = self.pair(dir, from, directions.len(), program.squares);
        self.table_entry(table, place)
    }
}
