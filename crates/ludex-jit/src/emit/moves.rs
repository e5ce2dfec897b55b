//! Moves as they are listed: packed into sixteen bytes, counted, or kept as sets.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;
use ludex_ir::moves::{NUMBER_BITS, PATH_LENGTH_BITS};
use ludex_ir::{OperandKind, Reg, SetReg, Spread, StatementId, Var};

use super::frame::{Frame, Operand, PathValue};
use super::sets::Set;
use super::{Emitter, Mode, Written};
use crate::context::{CAP, FOUND, LEN, MOVES, STOPPED, WEIGHTS};
use crate::error::NativeError;

/// A set that moves of one statement are listed for, to be chosen from.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) statement: StatementId,
    pub(super) set: Vec<Variable>,
    pub(super) args: Vec<Choice>,
}

/// An operand of a move that is chosen by its square.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    Member,
    /// The address of a table of numbers.
    Table(i64),
    Same(Variable),
}

/// A move being packed, in two words.
struct Packed {
    low: Value,
    high: Value,
    shift: u32,
}

impl Emitter<'_, '_> {
    /// Lists a move.
    pub(super) fn emit(
        &mut self,
        frame: &Frame<'_>,
        statement: StatementId,
        args: &[Var],
        weight: Option<Reg>,
    ) -> Written {
        match frame.mode {
            Mode::Off | Mode::Sample => return Ok(()),
            Mode::Any => {
                self.found();
                return Ok(());
            }
            Mode::Count => {
                let one = self.number(1);
                self.count_in(one);
                return Ok(());
            }
            Mode::List | Mode::Weigh | Mode::CountLegal => {}
        }
        let operands: Vec<Operand> = args.iter().map(|&arg| self.operand(frame, arg)).collect();
        let (low, high) = self.pack(statement, &operands);
        let len = self.room_for_one()?;
        self.put_move(len, low, high);
        if frame.mode == Mode::Weigh {
            let weight = match weight {
                Some(weight) => self.int(frame, weight),
                None => self.number(f64::NAN.to_bits() as i64),
            };
            let weights = self.load(self.ctx, WEIGHTS);
            let byte = self.shl(len, 3);
            let at = self.add(weights, byte);
            self.store(weight, at, 0);
        }
        let len = self.plus(len, 1);
        self.store(len, self.ctx, LEN);
        Ok(())
    }

    /// Ends the run: there is a move.
    fn found(&mut self) {
        let status = self.number(FOUND);
        self.stop(status);
        // What follows is never reached.
        let unreachable = self.b.create_block();
        self.go_on_in(unreachable);
    }

    fn count_in(&mut self, count: Value) {
        let len = self.load(self.ctx, LEN);
        let len = self.add(len, count);
        self.stop_if_too_many(len);
        self.store(len, self.ctx, LEN);
    }

    /// Stops where there are more moves than may be listed, even if they are only counted.
    pub(super) fn stop_if_too_many(&mut self, count: Value) {
        let most = self.unit.most_moves.min(i64::MAX as u64);
        let many = self.is_number(IntCC::UnsignedGreaterThan, count, most as i64);
        self.stop_if(many, STOPPED);
    }

    /// Makes sure that there is room for one move more; gives how many there are.
    fn room_for_one(&mut self) -> Written<Value> {
        let one = self.number(1);
        self.room_for(one)
    }

    fn room_for(&mut self, count: Value) -> Written<Value> {
        let len = self.load(self.ctx, LEN);
        let cap = self.load(self.ctx, CAP);
        let wanted = self.add(len, count);
        let lacks = self.is(IntCC::UnsignedLessThan, cap, wanted);
        let (grow, on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(grow);
        self.branch(lacks, grow, on);
        self.go_on_in(grow);
        let refused = self.call_helper("more_moves", &[self.ctx, wanted])?;
        self.stop_if(refused, STOPPED);
        self.jump(on);
        self.go_on_in(on);
        Ok(len)
    }

    pub(super) fn put_move(&mut self, index: Value, low: Value, high: Value) {
        let moves = self.load(self.ctx, MOVES);
        let byte = self.shl(index, 4);
        let at = self.add(moves, byte);
        self.store(low, at, 0);
        self.store(high, at, 8);
    }

    /// Lists a move for each square of a set.
    pub(super) fn emit_all(
        &mut self,
        frame: &Frame<'_>,
        statement: StatementId,
        set: SetReg,
        args: &[Spread],
    ) -> Written {
        let set = self.set(frame, set);
        match frame.mode {
            Mode::Off => Ok(()),
            Mode::Any => {
                let any = self.has_any(&set);
                self.stop_if(any, FOUND);
                Ok(())
            }
            Mode::Count => {
                let count = self.count(&set);
                self.count_in(count);
                Ok(())
            }
            Mode::Sample => self.keep_site(frame, statement, &set, args),
            Mode::CountLegal => {
                let doubtful = self.sift(frame, statement, &set, args);
                self.list_all(frame, statement, &doubtful, args)
            }
            Mode::List | Mode::Weigh => self.list_all(frame, statement, &set, args),
        }
    }

    /// Keeps a set to choose from later.
    fn keep_site(
        &mut self,
        frame: &Frame<'_>,
        statement: StatementId,
        set: &Set,
        args: &[Spread],
    ) -> Written {
        let site = self.sites.get(self.filled).filter(|it| it.statement == statement).cloned();
        // The sites were found by walking through the same code in the same order.
        let Some(site) = site else {
            return Err(NativeError::Generator("moves are listed in another order".to_owned()));
        };
        self.filled += 1;
        self.define_set(&site.set, set);
        for (choice, arg) in site.args.iter().zip(args) {
            if let (&Choice::Same(var), &Spread::Same(reg)) = (choice, arg) {
                let value = self.int(frame, reg);
                self.b.def_var(var, value);
            }
        }
        Ok(())
    }

    /// A site with nothing in it yet.
    pub(super) fn new_site(&mut self, statement: StatementId, args: &[Spread]) -> Site {
        let set = self.new_set_vars();
        let empty = self.empty();
        self.define_set(&set, &empty);
        let args = args
            .iter()
            .map(|arg| match *arg {
                Spread::Member => Choice::Member,
                Spread::Table(table) => {
                    let data = self.spread_table(table.0 as usize);
                    Choice::Table(self.unit.pool.numbers(data))
                }
                Spread::Same(_) => {
                    let (var, zero) = (self.new_var(), self.number(0));
                    self.b.def_var(var, zero);
                    Choice::Same(var)
                }
            })
            .collect();
        Site { statement, set, args }
    }

    /// The entries of a table for all squares.
    pub(super) fn spread_table(&self, table: usize) -> Vec<i64> {
        let data = &self.unit.program.tables[table].data;
        (0..self.unit.program.squares).map(|it| data.get(it).copied().unwrap_or(-1)).collect()
    }

    fn list_all(
        &mut self,
        frame: &Frame<'_>,
        statement: StatementId,
        set: &Set,
        args: &[Spread],
    ) -> Written {
        let count = self.count(set);
        self.room_for(count)?;
        let nan = self.number(f64::NAN.to_bits() as i64);
        self.each_member(set, |it, square| {
            let operands: Vec<Operand> = args
                .iter()
                .map(|arg| {
                    Operand::Int(match *arg {
                        Spread::Member => square,
                        Spread::Table(table) => {
                            let data = it.spread_table(table.0 as usize);
                            let table = it.unit.pool.numbers(data);
                            it.entry(table, square)
                        }
                        Spread::Same(reg) => it.int(frame, reg),
                    })
                })
                .collect();
            let (low, high) = it.pack(statement, &operands);
            let len = it.load(it.ctx, LEN);
            it.put_move(len, low, high);
            if frame.mode == Mode::Weigh {
                let weights = it.load(it.ctx, WEIGHTS);
                let byte = it.shl(len, 3);
                let at = it.add(weights, byte);
                it.store(nan, at, 0);
            }
            let len = it.plus(len, 1);
            it.store(len, it.ctx, LEN);
            Ok(())
        })
    }

    /// The two words of a move; a number too large for it stops the code.
    pub(super) fn pack(&mut self, statement: StatementId, operands: &[Operand]) -> (Value, Value) {
        let program = self.unit.original;
        let kinds: Vec<OperandKind> =
            program.statements[statement.0 as usize].operands.iter().map(|it| it.kind).collect();
        let (low, high) = (self.number(i64::from(statement.0 & 0xff)), self.number(0));
        let mut packed = Packed { low, high, shift: 8 };
        for (&kind, operand) in kinds.iter().zip(operands) {
            match operand {
                Operand::Int(value) => {
                    let width = program.operand_bits(kind);
                    let raw = self.raw_operand(kind, width, *value);
                    self.put_bits(&mut packed, raw, width);
                }
                Operand::Path(path) => {
                    self.put_bits(&mut packed, path.len, PATH_LENGTH_BITS);
                    let items = self.b.ins().ishl_imm_u(path.items, i64::from(packed.shift));
                    let (low, high) = self.b.ins().isplit(items);
                    packed.low = self.or(packed.low, low);
                    packed.high = self.or(packed.high, high);
                }
                Operand::Set(_) => {}
            }
        }
        (packed.low, packed.high)
    }

    /// An operand as it stands in a move.
    fn raw_operand(&mut self, kind: OperandKind, width: u32, value: Value) -> Value {
        let raw = match kind {
            OperandKind::Bool => {
                let set = self.is_number(IntCC::NotEqual, value, 0);
                return self.wide(set);
            }
            OperandKind::Number => self.plus(value, 1 << (NUMBER_BITS - 1)),
            _ => self.plus(value, 1),
        };
        let large = self.is_number(IntCC::UnsignedGreaterThanOrEqual, raw, 1 << width);
        self.stop_if(large, STOPPED);
        raw
    }

    fn put_bits(&mut self, packed: &mut Packed, raw: Value, width: u32) {
        let shift = packed.shift;
        if shift < 64 {
            let part = self.shl(raw, i64::from(shift));
            packed.low = self.or(packed.low, part);
        }
        if shift + width > 64 {
            let part = self.moved(raw, i64::from(shift) - 64);
            packed.high = self.or(packed.high, part);
        }
        packed.shift += width;
    }

    /// The operands of a packed move of a statement.
    pub(super) fn unpack(
        &mut self,
        statement: StatementId,
        low: Value,
        high: Value,
    ) -> Vec<Operand> {
        let program = self.unit.original;
        let mut shift = 8;
        let mut operands = Vec::new();
        for operand in &program.statements[statement.0 as usize].operands {
            let width = program.operand_bits(operand.kind);
            if operand.kind.is_path() {
                let capacity = program.path_capacity(operand.kind) as i64;
                let len = self.get_bits(low, high, shift, PATH_LENGTH_BITS);
                let most = self.number(capacity);
                let len = self.b.ins().umin(len, most);
                let all = self.wide_number(low, high);
                let from = i64::from(shift + PATH_LENGTH_BITS);
                let items = self.b.ins().ushr_imm_u(all, from);
                // What lies beyond the path is not part of it.
                let used = self.times(len, i64::from(width));
                let (one, zero) = (self.number(1), self.number(0));
                let one = self.wide_number(one, zero);
                let end = self.b.ins().ishl(one, used);
                let minus = self.number(-1);
                let minus = self.wide_number(minus, minus);
                let mask = self.b.ins().iadd(end, minus);
                let items = self.b.ins().band(items, mask);
                operands.push(Operand::Path(PathValue { len, items }));
                continue;
            }
            let raw = self.get_bits(low, high, shift, width);
            shift += width;
            operands.push(Operand::Int(match operand.kind {
                OperandKind::Bool => raw,
                OperandKind::Number => self.plus(raw, -(1 << (NUMBER_BITS - 1))),
                _ => self.plus(raw, -1),
            }));
        }
        operands
    }

    fn get_bits(&mut self, low: Value, high: Value, shift: u32, width: u32) -> Value {
        let mask = (1_u64 << width) - 1;
        let mut value = None;
        if shift < 64 {
            value = Some(self.shr(low, i64::from(shift)));
        }
        if shift + width > 64 {
            let part = self.moved(high, 64 - i64::from(shift));
            value = Some(value.map_or(part, |value| self.or(value, part)));
        }
        let value = value.unwrap_or(high);
        self.masked(value, mask)
    }
}
