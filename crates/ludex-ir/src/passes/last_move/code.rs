//! Writing the function that answers for the last move.
//!
//! A test is written as code that goes to one block if it holds and to another
//! if not. Numbers stand in block 0; everything else where it is first needed.

use std::collections::BTreeMap;

use super::plan::{Cells, Spot, Test};
use super::shapes::{Join, Line, apart};
use super::symbols::{Expr, Node, Symbols};
use crate::bits::Bits;
use crate::inst::{
    BOARD, Binary, Block, End, Inst, OutcomeKind, PathReg, Reg, SetBinary, SetId, SetReg, TableId,
    Var,
};
use crate::operands::Access;
use crate::passes::edit;
use crate::program::{BlockData, Function, Operand, Program, SetFamily, Table};

/// An outcome, and the tests each of which is enough for it.
pub(super) type Planned = (OutcomeKind, u32, Vec<Vec<Test>>);

/// The function that runs the tests and says the outcomes.
pub(super) fn write(
    program: &mut Program,
    symbols: &Symbols,
    name: String,
    operands: &[Operand],
    clauses: &[Planned],
) -> Function {
    let mut code = Code::new(program, symbols, name, operands);
    for (kind, place, ways) in clauses {
        let (says, next) = (code.new_block(), code.new_block());
        for way in ways {
            code.way(way, says);
        }
        code.end(End::Jump(next));
        code.begin(says);
        code.function
            .block_mut(says)
            .insts
            .push((Inst::Outcome { kind: *kind, score: None }, *place));
        code.end(End::Jump(next));
        code.begin(next);
    }
    code.function
}

struct Code<'a> {
    program: &'a mut Program,
    symbols: &'a Symbols,
    function: Function,
    /// The block that is being written.
    at: Block,
    /// What has been computed on the way to it.
    values: BTreeMap<Node, Var>,
    numbers: BTreeMap<i64, Reg>,
}

impl<'a> Code<'a> {
    fn new(
        program: &'a mut Program,
        symbols: &'a Symbols,
        name: String,
        operands: &[Operand],
    ) -> Self {
        let (mut ints, mut paths) = (1, 0);
        let mut params = vec![Var::Int(Reg(0))];
        for operand in operands {
            if operand.kind.is_path() {
                params.push(PathReg(paths).into());
                paths += 1;
            } else {
                params.push(Reg(ints).into());
                ints += 1;
            }
        }
        let names = operands.iter().map(|it| it.name.clone());
        let names = params.iter().copied().zip(std::iter::once("me".to_owned()).chain(names));
        let function = Function {
            name,
            names: names.collect(),
            params,
            result: None,
            ints,
            sets: 0,
            paths,
            blocks: Vec::new(),
        };
        let mut code = Self {
            program,
            symbols,
            function,
            at: Block(0),
            values: BTreeMap::new(),
            numbers: BTreeMap::new(),
        };
        let (head, first) = (code.new_block(), code.new_block());
        code.begin(head);
        code.end(End::Jump(first));
        code.begin(first);
        code
    }

    fn new_block(&mut self) -> Block {
        self.function.add_block(BlockData { insts: Vec::new(), end: (End::Return, 0) })
    }

    fn begin(&mut self, block: Block) {
        self.at = block;
    }

    fn end(&mut self, end: End) {
        self.function.block_mut(self.at).end = (end, 0);
    }

    fn push(&mut self, inst: Inst) {
        self.function.block_mut(self.at).insts.push((inst, 0));
    }

    /// Writes an instruction whose result goes to a new number register.
    fn int(&mut self, inst: impl FnOnce(Reg) -> Inst) -> Reg {
        let dst = self.function.fresh_int();
        self.push(inst(dst));
        dst
    }

    /// Writes an instruction whose result goes to a new set register.
    fn set(&mut self, inst: impl FnOnce(SetReg) -> Inst) -> SetReg {
        let dst = self.function.fresh_set();
        self.push(inst(dst));
        dst
    }

    fn number(&mut self, value: i64) -> Reg {
        if let Some(&reg) = self.numbers.get(&value) {
            return reg;
        }
        let dst = self.function.fresh_int();
        self.function.block_mut(Block(0)).insts.push((Inst::Const { dst, value }, 0));
        self.numbers.insert(value, dst);
        dst
    }

    /// Goes on in a new block if a number is not 0, else at `no`.
    fn require(&mut self, cond: Reg, no: Block) {
        let yes = self.new_block();
        self.end(End::Branch { cond, yes, no });
        self.begin(yes);
    }

    /// Goes to `yes` if all tests of a way hold, else on.
    fn way(&mut self, tests: &[Test], yes: Block) {
        let before = self.values.clone();
        let no = self.new_block();
        for test in tests {
            self.test(test, no);
        }
        self.end(End::Jump(yes));
        self.begin(no);
        self.values = before;
    }

    /// Goes on if a test holds, else to `no`.
    fn test(&mut self, test: &Test, no: Block) {
        match test {
            Test::Whole(node, wanted) => {
                let Var::Int(cond) = self.value(*node) else { return };
                let next = self.new_block();
                let (yes, no) = if *wanted { (next, no) } else { (no, next) };
                self.end(End::Branch { cond, yes, no });
                self.begin(next);
            }
            Test::Near(spots) => {
                let found = self.new_block();
                let before = self.values.clone();
                for spot in spots {
                    let next = self.new_block();
                    match spot {
                        Spot::Line { line, square, certain } => {
                            self.line(*line, *square, *certain, found, next);
                        }
                        Spot::Cells(cells) => self.cells(cells, found, next),
                    }
                    self.begin(next);
                    self.values.clone_from(&before);
                }
                self.end(End::Jump(no));
                self.begin(found);
            }
            Test::Joined { join, square, certain } => self.joined(join, *square, *certain, no),
        }
    }

    /// The register that holds the value of an expression.
    fn value(&mut self, node: Node) -> Var {
        if let Some(&var) = self.values.get(&node) {
            return var;
        }
        let var = match self.symbols.expr(node).clone() {
            Expr::Operand(index) => return self.function.params[index + 1],
            Expr::Const(value) => return self.number(value).into(),
            Expr::Apply { inst, args, .. } => self.apply(inst, &args),
            // A register that is never assigned. The plan has none of the others; see
            // `plan::is_writable`.
            Expr::Empty | Expr::Unknown(_) | Expr::Part { .. } | Expr::Select { .. } => {
                self.function.fresh_set().into()
            }
        };
        self.values.insert(node, var);
        var
    }

    fn apply(&mut self, mut inst: Inst, args: &[Node]) -> Var {
        let mut args: Vec<Var> = args.iter().map(|&it| self.value(it)).collect();
        let dst = self.function.fresh_like(inst.assigns().unwrap_or(Var::Int(Reg(0))));
        if let (Inst::SetInsert { .. } | Inst::SetRemove { .. }, Some(&src)) = (&inst, args.first())
        {
            // It changes its set, which may be wanted as it was.
            edit::copy(dst, src).into_iter().for_each(|copy| self.push(copy));
            args.remove(0);
        }
        let mut args = args.into_iter();
        inst.rename(|access, var| match access {
            Access::Reads => args.next().unwrap_or(var),
            Access::Assigns | Access::Changes => dst,
        });
        self.push(inst);
        dst
    }

    fn square(&mut self, node: Node) -> Reg {
        match self.value(node) {
            Var::Int(reg) => reg,
            // A square is a number.
            Var::Set(_) | Var::Path(_) => self.number(-1),
        }
    }

    fn holds(&mut self, square: Reg, mask: u64) -> Reg {
        let mask = self.number(mask as i64);
        self.int(|dst| Inst::Test { dst, array: BOARD, index: Some(square), mask })
    }

    fn step(&mut self, from: Reg, direction: u16) -> Reg {
        let dir = self.number(i64::from(direction));
        self.int(|dst| Inst::Step { dst, from, dir })
    }

    fn binary(&mut self, op: Binary, a: Reg, b: Reg) -> Reg {
        self.int(|dst| Inst::Binary { op, dst, a, b })
    }

    /// Goes to `found` if a line passes the square, else to `no`. Where the line is long, both of
    /// the two nearest squares on one side must belong to it; that is tested first and without a
    /// branch for each, because it seldom holds.
    fn line(&mut self, line: Line, square: Node, certain: bool, found: Block, no: Block) {
        let square = self.square(square);
        if !certain {
            let there = self.holds(square, line.mask);
            self.require(there, no);
        }
        let ahead = self.step(square, line.direction);
        let behind = self.step(square, line.opposite);
        if line.count >= 4 {
            let a = self.pair(ahead, line.direction, line.mask);
            let b = self.pair(behind, line.opposite, line.mask);
            let either = self.binary(Binary::Add, a, b);
            self.require(either, no);
        }
        let one = self.number(1);
        let run = self.int(|dst| Inst::Copy { dst, src: one });
        self.walk(run, ahead, (line.direction, line), found);
        self.walk(run, behind, (line.opposite, line), found);
        self.end(End::Jump(no));
    }

    /// 1 if a square and the next in a direction both hold one of `mask`, else 0.
    fn pair(&mut self, first: Reg, direction: u16, mask: u64) -> Reg {
        let second = self.step(first, direction);
        let a = self.holds(first, mask);
        let b = self.holds(second, mask);
        self.binary(Binary::Mul, a, b)
    }

    /// Counts squares of the line in one direction; goes to `found` when they are enough, else on.
    fn walk(&mut self, run: Reg, first: Reg, (direction, line): (u16, Line), found: Block) {
        let (one, enough) = (self.number(1), self.number(line.count as i64));
        let dir = self.number(i64::from(direction));
        let square = self.int(|dst| Inst::Copy { dst, src: first });
        let (head, body, further, done) =
            (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.end(End::Jump(head));
        self.begin(head);
        let there = self.holds(square, line.mask);
        self.end(End::Branch { cond: there, yes: body, no: done });
        self.begin(body);
        self.push(Inst::Binary { op: Binary::Add, dst: run, a: run, b: one });
        let short = self.binary(Binary::Lt, run, enough);
        self.end(End::Branch { cond: short, yes: further, no: found });
        self.begin(further);
        self.push(Inst::Step { dst: square, from: square, dir });
        self.end(End::Jump(head));
        self.begin(done);
    }

    /// Goes to `found` if the cells around a square are as they must be, else to `no`.
    fn cells(&mut self, cells: &Cells, found: Block, no: Block) {
        let square = self.square(cells.square);
        if let Some(allowed) = &cells.allowed {
            let inside = self.contains(allowed, square);
            self.require(inside, no);
        }
        for (map, mask, inside) in &cells.tests {
            let place = self.mapped(map, square);
            let holds = self.holds(place, *mask);
            if *inside {
                self.require(holds, no);
            } else {
                let next = self.new_block();
                self.end(End::Branch { cond: holds, yes: no, no: next });
                self.begin(next);
            }
        }
        self.end(End::Jump(found));
    }

    /// The square that a map gives.
    fn mapped(&mut self, map: &[i16], square: Reg) -> Reg {
        if map.iter().enumerate().all(|(from, &to)| to == from as i16) {
            return square;
        }
        let directions = &self.program.geometry.directions;
        if let Some(direction) = directions.iter().position(|it| it.steps == map) {
            return self.step(square, direction as u16);
        }
        let data: Vec<i64> = map.iter().map(|&it| i64::from(it)).collect();
        let table = self.table("square near", data);
        self.int(|dst| Inst::Lookup { dst, table, i: square, j: None })
    }

    fn contains(&mut self, bits: &Bits, square: Reg) -> Reg {
        let set = self.constant_set(bits);
        self.int(|dst| Inst::Contains { dst, set, square })
    }

    fn constant_set(&mut self, bits: &Bits) -> SetReg {
        let known = self.program.families.iter().position(|it| it.sets == [bits.clone()]);
        let family = known.unwrap_or_else(|| {
            let sets = vec![bits.clone()];
            self.program.families.push(SetFamily { name: "near".to_owned(), sets });
            self.program.families.len() - 1
        });
        self.set(|dst| Inst::SetConst { dst, family: SetId(family as u16), index: None })
    }

    fn table(&mut self, name: &str, data: Vec<i64>) -> TableId {
        let known = self.program.tables.iter().position(|it| it.columns == 1 && it.data == data);
        let table = known.unwrap_or_else(|| {
            let (name, rows) = (name.to_owned(), data.len());
            self.program.tables.push(Table { name, rows, columns: 1, data });
            self.program.tables.len() - 1
        });
        TableId(table as u16)
    }

    /// Goes on if the square joins the two sets, else to `no`. A square that is in neither set
    /// joins nothing unless it touches squares that did not touch each other.
    fn joined(&mut self, join: &Join, square: Node, certain: bool, no: Block) {
        let square = self.square(square);
        if !certain {
            let there = self.holds(square, join.mask);
            self.require(there, no);
        }
        if self.program.geometry.lists[join.list].len() <= 8 {
            self.touches_several(join, square, no);
        }
        let mask = self.number(join.mask as i64);
        let list = self.number(join.list as i64);
        let from = self.function.fresh_set();
        self.push(Inst::SetInsert { set: from, square });
        let within = self.set(|dst| Inst::SetWhere { dst, mask });
        let group = self.set(|dst| Inst::Flood { dst, from, within, list });
        for side in [&join.from, &join.to] {
            let side = self.constant_set(side);
            let op = SetBinary::Intersection;
            let met = self.set(|dst| Inst::SetBinary { op, dst, a: group, b: side });
            let any = self.int(|dst| Inst::Any { dst, set: met });
            self.require(any, no);
        }
    }

    fn touches_several(&mut self, join: &Join, square: Reg, no: Block) {
        let (ring, flood) = (self.new_block(), self.new_block());
        let sides = join.from.zip(&join.to, |a, b| a | b);
        let inside = self.contains(&sides, square);
        self.end(End::Branch { cond: inside, yes: flood, no: ring });
        self.begin(ring);
        let list = self.program.geometry.lists[join.list].clone();
        let mut pattern = self.number(0);
        for &direction in list.iter().rev() {
            let beside = self.step(square, direction);
            let there = self.holds(beside, join.mask);
            let twice = self.binary(Binary::Add, pattern, pattern);
            pattern = self.binary(Binary::Add, twice, there);
        }
        let data = apart(self.program, join.list);
        let table = self.table("apart", data);
        let several = self.int(|dst| Inst::Lookup { dst, table, i: pattern, j: None });
        self.end(End::Branch { cond: several, yes: flood, no });
        self.begin(flood);
    }
}
