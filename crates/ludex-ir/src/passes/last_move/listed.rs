//! What is known about the operands of a move from the places that list it.
//!
//! A move can only be played if `moves` or `stuck` listed it, so what was
//! tested on the way to `emit`, and what the set of an `emit_all` is made of,
//! says what stood on the squares that are its operands.

use std::collections::{BTreeMap, BTreeSet};

use super::products::{Map, Planes};
use super::symbols::{Expr, Literal, Node, Symbols, Trace};
use crate::inst::{BOARD, Binary, Func, Inst, Spread, StatementId, TableId};
use crate::program::{Function, OperandKind, Program};
use crate::summary::Summaries;

/// What may be found at a square: bit `c` for the board code `c`, the top bit for no square.
pub(in crate::passes) type Codes = u64;

/// The bit for no square.
pub(in crate::passes) const OFF: Codes = 1 << 63;

/// Anything that may stand on a square.
pub(in crate::passes) fn every_code(program: &Program) -> Codes {
    (1 << (program.men.len() + 1)) - 1
}

/// For each statement and each of its operands, what stands there (if it is a square) when a move
/// has been listed by one of the functions, run for player `me`, or by a function that they call.
pub(in crate::passes) fn operands(
    symbols: &mut Symbols,
    program: &Program,
    summaries: &Summaries,
    (me, roots): (usize, &[Func]),
) -> Vec<Vec<Codes>> {
    let everything = called(program, roots);
    let inner: BTreeSet<Func> =
        everything.iter().flat_map(|&it| callees(program.function(it))).collect();
    let anything = every_code(program) | OFF;
    let mut all: Vec<Vec<Codes>> =
        program.statements.iter().map(|it| vec![0; it.operands.len()]).collect();
    for func in everything {
        let function = program.function(func);
        if !function.blocks.iter().flat_map(|it| &it.insts).any(|it| listed(&it.0).is_some()) {
            continue;
        }
        let mut params: Vec<Node> = function.params.iter().map(|_| symbols.unknown()).collect();
        if !inner.contains(&func) {
            params[0] = symbols.number(me as i64);
        }
        match Trace::of(symbols, program, summaries, func, &params) {
            Some(trace) => add_sites(symbols, program, (function, &trace), &mut all),
            None => all.iter_mut().for_each(|it| it.fill(anything)),
        }
    }
    // What is no square may be changed a little by being remembered.
    for (codes, statement) in all.iter_mut().zip(&program.statements) {
        for (codes, operand) in codes.iter_mut().zip(&statement.operands) {
            if operand.kind != OperandKind::Square {
                *codes = anything;
            }
        }
    }
    all
}

/// The statement that an instruction lists.
fn listed(inst: &Inst) -> Option<StatementId> {
    match inst {
        Inst::Emit { statement, .. } | Inst::EmitAll { statement, .. } => Some(*statement),
        _ => None,
    }
}

/// Adds what is known at each place of a function that lists a move.
fn add_sites(
    symbols: &Symbols,
    program: &Program,
    (function, trace): (&Function, &Trace),
    all: &mut [Vec<Codes>],
) {
    for &block in &trace.order {
        let Some(seen) = trace.block(block) else { continue };
        for ((inst, _), seen) in function.block(block).insts.iter().zip(&seen.insts) {
            let Some(statement) = listed(inst) else { continue };
            let literals = trace.conditions(function, block);
            let mut facts = RangeAnalysis::new(symbols, program, &literals);
            let found: Vec<Codes> = match inst {
                Inst::EmitAll { args, .. } => facts.spread(args, &seen.args),
                _ => seen.args.iter().map(|&it| facts.square(it)).collect(),
            };
            let known = all[statement.0 as usize].iter_mut();
            known.zip(found).for_each(|(known, new)| *known |= new);
        }
    }
}

/// The functions that some functions call, themselves included.
pub(in crate::passes) fn called(program: &Program, roots: &[Func]) -> BTreeSet<Func> {
    let mut all = BTreeSet::new();
    let mut todo = roots.to_vec();
    while let Some(func) = todo.pop() {
        if all.insert(func) {
            todo.extend(callees(program.function(func)));
        }
    }
    all
}

fn callees(function: &Function) -> impl Iterator<Item = Func> + '_ {
    let insts = function.blocks.iter().flat_map(|it| &it.insts);
    insts.filter_map(|(inst, _)| match inst {
        Inst::Call { func, .. } => Some(*func),
        _ => None,
    })
}

/// What branches that were taken say about squares.
pub(in crate::passes) struct RangeAnalysis<'a> {
    symbols: &'a Symbols,
    program: &'a Program,
    literals: &'a [Literal],
    planes: Planes<'a>,
}

impl<'a> RangeAnalysis<'a> {
    /// What some branches say.
    pub(in crate::passes) fn new(
        symbols: &'a Symbols,
        program: &'a Program,
        literals: &'a [Literal],
    ) -> Self {
        Self { symbols, program, literals, planes: Planes::new(program) }
    }

    /// What may stand on a square in the state of version 0.
    pub(in crate::passes) fn square(&mut self, square: Node) -> Codes {
        let every = every_code(self.program);
        let mut codes = every | OFF;
        if let Some((Inst::NextMember { .. }, args, _)) = self.symbols.applied(square) {
            codes &= self.member(args[0]) | OFF;
        }
        for &(test, holds) in self.literals {
            let Some((inst, args, version)) = self.symbols.applied(test) else { continue };
            match inst {
                Inst::Test { array: BOARD, index: Some(_), .. }
                    if version == 0 && args[0] == square =>
                {
                    let Some(mask) = self.symbols.constant(args[1]) else { continue };
                    let inside = mask as Codes & every;
                    codes &= if holds { inside } else { !inside };
                }
                Inst::Contains { .. } if holds && args[1] == square => {
                    codes &= self.member(args[0]);
                }
                Inst::Binary { op: Binary::Lt, .. } if holds && args[1] == square => {
                    if self.symbols.constant(args[0]) == Some(-1) && self.is_square(square) {
                        codes &= !OFF;
                    }
                }
                Inst::Any { .. } if holds && self.is_lowest_of(square, args[0]) => codes &= !OFF,
                _ => {}
            }
        }
        codes
    }

    /// Whether a number is the lowest square of a set that has at least the squares of `part`.
    fn is_lowest_of(&self, number: Node, part: Node) -> bool {
        match self.symbols.applied(number) {
            Some((Inst::NextMember { .. }, args, _)) => {
                let is_lowest = self.symbols.constant(args[1]) == Some(-1);
                is_lowest && self.is_part(part, args[0], &mut BTreeSet::new())
            }
            _ => false,
        }
    }

    /// Whether a set is seen to have no squares but those of another; those in `seen` have not.
    fn is_part(&self, part: Node, whole: Node, seen: &mut BTreeSet<Node>) -> bool {
        use crate::inst::SetBinary::{Difference, Intersection};
        if part == whole || !seen.insert(part) {
            return part == whole;
        }
        match self.symbols.applied(part) {
            Some((Inst::SetBinary { op: Intersection, .. }, args, _)) => {
                args.iter().any(|&it| self.is_part(it, whole, seen))
            }
            Some((Inst::SetBinary { op: Difference, .. }, args, _)) => {
                self.is_part(args[0], whole, seen)
            }
            _ => false,
        }
    }

    /// Whether a number is a square or -1, whatever the state.
    fn is_square(&self, number: Node) -> bool {
        let found = self.symbols.applied(number);
        found.is_some_and(|it| matches!(it.0, Inst::NextMember { .. } | Inst::Step { .. }))
    }

    /// For each operand of an `emit_all`, what may stand there; `used` is what the instruction
    /// works on, the set first.
    pub(in crate::passes) fn spread(&mut self, args: &[Spread], used: &[Node]) -> Vec<Codes> {
        let mut same = used[1..].iter();
        let same_map = self.planes.same().clone();
        args.iter()
            .map(|arg| match *arg {
                Spread::Member => self.through(used[0], &same_map),
                Spread::Table(table) => table_map(self.program, table)
                    .map_or(every_code(self.program) | OFF, |map| self.through(used[0], &map)),
                Spread::Same(_) => {
                    same.next().map_or(every_code(self.program) | OFF, |&it| self.square(it))
                }
            })
            .collect()
    }

    /// What may stand on a member of a set.
    fn member(&mut self, set: Node) -> Codes {
        let same = self.planes.same().clone();
        self.through(set, &same) & !OFF
    }

    /// What may stand on the square that a map gives for a member of a set.
    fn through(&mut self, set: Node, map: &Map) -> Codes {
        self.through_known(set, map, &mut BTreeMap::new())
    }

    /// The same, with what is known of sets that have been looked at: a set that two others are
    /// made from is looked at once.
    fn through_known(&mut self, set: Node, map: &Map, known: &mut BTreeMap<Node, Codes>) -> Codes {
        if let Some(&codes) = known.get(&set) {
            return codes;
        }
        let codes = self.through_parts(set, map, known);
        known.insert(set, codes);
        codes
    }

    fn through_parts(&mut self, set: Node, map: &Map, parts: &mut BTreeMap<Node, Codes>) -> Codes {
        let every = every_code(self.program);
        if let Expr::Part { of, .. } = *self.symbols.expr(set) {
            return self.through_known(of, map, parts);
        }
        if let Some(products) = self.planes.of(self.symbols, set) {
            return products.iter().fold(0, |codes, product| {
                let domain = product.domain();
                let agrees = |origin: &Map| domain.iter().all(|it| origin[it] == map[it]);
                let on = domain.iter().all(|it| map[it] >= 0);
                let all = if on { every } else { every | OFF };
                let known = product.factors.iter().filter(|it| agrees(&it.origin));
                codes
                    | known.fold(all, |codes, it| {
                        let inside = it.mask & every;
                        codes & if it.inside { inside } else { !inside }
                    })
            });
        }
        let all = if map.iter().all(|&it| it >= 0) { every } else { every | OFF };
        match self.symbols.applied(set) {
            Some((Inst::SetBinary { op, .. }, args, _)) => {
                use crate::inst::SetBinary::{Difference, Intersection, Union};
                let (a, b) = (args[0], args[1]);
                match op {
                    Intersection => {
                        self.through_known(a, map, parts) & self.through_known(b, map, parts)
                    }
                    Union => self.through_known(a, map, parts) | self.through_known(b, map, parts),
                    Difference => self.through_known(a, map, parts),
                }
            }
            _ => all,
        }
    }
}

/// A table of one column as a map of squares, if it is one.
pub(in crate::passes) fn table_map(program: &Program, table: TableId) -> Option<Map> {
    let table = program.tables.get(table.0 as usize)?;
    let squares = program.squares;
    let right = table.columns == 1 && table.rows >= squares;
    let entries = table.data.iter().take(squares);
    let inside = |&it: &i64| it >= -1 && it < squares as i64;
    (right && entries.clone().all(inside)).then(|| entries.map(|&it| it as i16).collect())
}
