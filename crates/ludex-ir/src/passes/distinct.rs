//! Which statements never list a move twice in one run of `moves`.
//!
//! A list of moves must have its repeats taken out, unless it is known that there
//! are none. Two moves of one statement are the same if their operands are. So
//! a statement is distinct if
//!
//! - one place that lists it never gives the same operands twice: every loop
//!   around it goes through different values, and each of these can be told
//!   from the operands;
//! - two places never give the same operands: they exclude each other, or some
//!   operand differs, or what stands on some operand's square does, or one
//!   operand is never where it is at the other place as seen from another operand
//!   (`value_sets`).
//!
//! Everything else may have repeats.

use std::collections::BTreeSet;

use super::inline::{calls, inline};
use super::last_move::listed::{Codes, OFF, RangeAnalysis, called, table_map};
use super::last_move::products::{Planes, Product, inverse};
use super::last_move::symbols::{Expr, Literal, Node, Symbols, Trace};
use super::loops::Loop;
use super::value_sets::{ValueSet, ValueSets};
use crate::inst::{Binary, Block, End, Func, Inst, Spread, StatementId, Var};
use crate::program::{Function, OperandKind, Program};
use crate::summary::Summaries;

/// The most instructions of code that is looked at with calls written out.
const LARGEST: usize = 4000;

/// For each statement whether one run of a function never lists two of its moves with the same
/// operands.
pub fn distinct(program: &Program, moves: Func) -> Vec<bool> {
    let written_out = with_listing_calls_inlined(program, moves);
    let program = written_out.as_ref().unwrap_or(program);
    let all = program.statements.len();
    let summaries = Summaries::of(program);
    let mut symbols = Symbols::default();
    let function = program.function(moves);
    let params: Vec<Node> = function.params.iter().map(|_| symbols.unknown()).collect();
    let Some(trace) = Trace::of(&mut symbols, program, &summaries, moves, &params) else {
        return vec![false; all];
    };
    let elsewhere = listed_elsewhere(program, moves);
    let values = ValueSets::new(program, &symbols, function, &trace);
    let find = Find { program, symbols: &symbols, function, trace: &trace, values };
    let sites = find.sites();
    (0..all as u16)
        .map(StatementId)
        .map(|statement| !elsewhere.contains(&statement) && find.is_distinct(&sites, statement))
        .collect()
}

/// The program with all calls inlined that list moves, if there are such calls, but for functions
/// that call themselves.
fn with_listing_calls_inlined(program: &Program, moves: Func) -> Option<Program> {
    let worth = |program: &Program, func: Func| {
        let below = called(program, &[func]);
        let again = below.iter().flat_map(|&it| calls(program.function(it)));
        !again.into_iter().any(|(_, it)| it == func)
            && below.iter().any(|&it| listed(program.function(it)).next().is_some())
    };
    let next = |program: &Program, function: &Function| {
        calls(function).find(|&(_, func)| func != moves && worth(program, func))
    };
    next(program, program.function(moves))?;
    let mut program = program.clone();
    let mut function = program.function(moves).clone();
    while let Some((site, func)) = next(&program, &function) {
        if function.size() + program.function(func).size() > LARGEST {
            break;
        }
        inline(&mut program, &mut function, site)?;
    }
    program.functions[moves.0 as usize] = function;
    Some(program)
}

/// The statements that a function itself lists.
fn listed(function: &Function) -> impl Iterator<Item = StatementId> + '_ {
    let insts = function.blocks.iter().flat_map(|it| &it.insts);
    insts.filter_map(|(inst, _)| match inst {
        Inst::Emit { statement, .. } | Inst::EmitAll { statement, .. } => Some(*statement),
        _ => None,
    })
}

/// The statements that functions called by `moves` list.
fn listed_elsewhere(program: &Program, moves: Func) -> BTreeSet<StatementId> {
    let mut others = called(program, &[moves]);
    let calls_itself =
        others.iter().any(|&func| calls(program.function(func)).any(|(_, callee)| callee == moves));
    if !calls_itself {
        others.remove(&moves);
    }
    others.iter().flat_map(|&func| listed(program.function(func))).collect()
}

/// A square that decides operands: a value, or the member of an `emit_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Value(Node),
    Member,
}

/// An operand as far as it is known.
#[derive(Clone, Debug)]
struct Arg {
    /// What it depends on, and what it is for each square that that may be.
    map: Option<(Source, Vec<i64>)>,
    /// What it is, if it is always the same.
    constant: Option<i64>,
}

/// A place that lists a statement.
struct Site {
    statement: StatementId,
    block: Block,
    args: Vec<Arg>,
    /// The values among the operands.
    nodes: Vec<Option<Node>>,
    /// For each operand what may stand there.
    codes: Vec<Codes>,
    /// The squares that the member of an `emit_all` may be; `None` for an `emit`.
    members: Option<Vec<usize>>,
    /// The set of an `emit_all`.
    set: Option<Node>,
}

impl Site {
    /// A move remembers of a truth value only whether it is 0.
    fn know_only_truth(&mut self, index: usize) {
        let constant = self.args[index].constant.map(|it| i64::from(it != 0));
        self.args[index] = Arg { map: None, constant };
        self.nodes[index] = None;
        self.codes[index] = Codes::MAX;
    }
}

struct Find<'a> {
    program: &'a Program,
    symbols: &'a Symbols,
    function: &'a Function,
    trace: &'a Trace,
    values: ValueSets<'a>,
}

impl Find<'_> {
    fn sites(&self) -> Vec<Site> {
        let mut sites = self.places();
        for site in &mut sites {
            let operands = &self.program.statements[site.statement.0 as usize].operands;
            for (index, operand) in operands.iter().enumerate() {
                if operand.kind == OperandKind::Bool {
                    site.know_only_truth(index);
                }
            }
        }
        sites
    }

    fn places(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        for &block in &self.trace.order {
            let Some(seen) = self.trace.block(block) else { continue };
            let literals = self.trace.conditions(self.function, block);
            let insts = self.function.block(block).insts.iter().zip(&seen.insts);
            for ((inst, _), seen) in insts {
                match inst {
                    Inst::Emit { statement, args, .. } => {
                        let nodes = &seen.args[..args.len()];
                        sites.push(self.emit((*statement, block), nodes, &literals));
                    }
                    Inst::EmitAll { statement, args, .. } => {
                        let at = (*statement, block);
                        sites.push(self.emit_all(at, args, &seen.args, &literals));
                    }
                    _ => {}
                }
            }
        }
        sites
    }

    fn emit(
        &self,
        (statement, block): (StatementId, Block),
        nodes: &[Node],
        literals: &[Literal],
    ) -> Site {
        let mut facts = RangeAnalysis::new(self.symbols, self.program, literals);
        Site {
            statement,
            block,
            args: nodes.iter().map(|&it| self.arg(it)).collect(),
            nodes: nodes.iter().copied().map(Some).collect(),
            codes: nodes.iter().map(|&it| facts.square(it)).collect(),
            members: None,
            set: None,
        }
    }

    fn emit_all(
        &self,
        (statement, block): (StatementId, Block),
        args: &[Spread],
        used: &[Node],
        literals: &[Literal],
    ) -> Site {
        let mut facts = RangeAnalysis::new(self.symbols, self.program, literals);
        let mut same = used[1..].iter().copied();
        let nodes: Vec<Option<Node>> = args
            .iter()
            .map(|it| if matches!(it, Spread::Same(_)) { same.next() } else { None })
            .collect();
        let squares = self.program.squares as i64;
        let args_known = args.iter().zip(&nodes).map(|(arg, node)| match (arg, node) {
            (_, Some(node)) => self.arg(*node),
            (Spread::Table(table), _) => {
                let map = table_map(self.program, *table);
                let map = map.map(|it| it.iter().map(|&it| i64::from(it)).collect());
                Arg { map: map.map(|it| (Source::Member, it)), constant: None }
            }
            _ => Arg { map: Some((Source::Member, (0..squares).collect())), constant: None },
        });
        Site {
            statement,
            block,
            args: args_known.collect(),
            codes: facts.spread(args, used),
            nodes,
            members: Some(self.members(used[0])),
            set: Some(used[0]),
        }
    }

    /// The squares that may be in a set.
    fn members(&self, set: Node) -> Vec<usize> {
        match Planes::new(self.program).of(self.symbols, set) {
            Some(products) => {
                let domains: Vec<_> = products.iter().map(Product::domain).collect();
                (0..self.program.squares)
                    .filter(|&square| domains.iter().any(|it| it.contains(square)))
                    .collect()
            }
            None => (0..self.program.squares).collect(),
        }
    }

    /// What an operand depends on: follows steps and tables back to where they start.
    fn arg(&self, node: Node) -> Arg {
        let squares = self.program.squares;
        if let Some(value) = self.symbols.constant(node) {
            return Arg { map: None, constant: Some(value) };
        }
        let (mut source, mut map) = (node, (0..squares as i64).collect::<Vec<i64>>());
        while let Some((from, step)) = self.step(source) {
            // First the step, then what was there.
            let through =
                |&to: &i64| usize::try_from(to).map_or(Some(-1), |to| map.get(to).copied());
            match step.iter().map(through).collect::<Option<Vec<i64>>>() {
                Some(composed) => (source, map) = (from, composed),
                None => break,
            }
        }
        Arg { map: Some((Source::Value(source), map)), constant: None }
    }

    /// The square that a step or a table of one column begins at, and what it leads to.
    fn step(&self, node: Node) -> Option<(Node, Vec<i64>)> {
        let (inst, args, _) = self.symbols.applied(node)?;
        match inst {
            Inst::Step { .. } => {
                let direction = usize::try_from(self.symbols.constant(args[1])?).ok()?;
                let direction = self.program.geometry.directions.get(direction)?;
                Some((args[0], direction.steps.iter().map(|&it| i64::from(it)).collect()))
            }
            // Other rows would lead from what is no square.
            Inst::Lookup { table, j: None, .. } if self.values.has_row_each(table.0) => {
                let map = table_map(self.program, *table)?;
                Some((args[0], map.iter().map(|&it| i64::from(it)).collect()))
            }
            _ => None,
        }
    }

    fn is_distinct(&self, sites: &[Site], statement: StatementId) -> bool {
        let own: Vec<&Site> = sites.iter().filter(|it| it.statement == statement).collect();
        own.iter().enumerate().all(|(index, site)| {
            self.never_repeats(site) && own[..index].iter().all(|other| self.differ(other, site))
        })
    }

    /// Whether one place never lists the same operands twice.
    fn never_repeats(&self, site: &Site) -> bool {
        let spread = site.members.as_ref().is_none_or(|members| {
            site.args.iter().any(|arg| match &arg.map {
                Some((Source::Member, map)) => all_different(map, members),
                _ => false,
            })
        });
        spread && self.around(site.block).iter().all(|it| self.told_by(it, site).is_some())
    }

    fn around(&self, block: Block) -> Vec<&Loop> {
        self.trace.loops.all().iter().filter(|it| it.contains(block)).collect()
    }

    /// The operand that tells which round of a loop a move was listed in.
    fn told_by(&self, around: &Loop, site: &Site) -> Option<usize> {
        let key = self.member_key(around).or_else(|| self.counter_key(around));
        let walkers = self.values.walkers(around);
        (0..site.args.len()).find(|&index| match &site.args[index].map {
            Some((Source::Value(source), map)) => {
                let is_key = Some(*source) == key;
                let itself = is_key && site.nodes[index] == key;
                let on_board = site.codes[index] & OFF == 0;
                itself || (is_key || walkers.contains(source)) && on_board && is_injective(map)
            }
            _ => false,
        })
    }

    /// The member in a loop that takes one member after the other out of a set.
    fn member_key(&self, around: &Loop) -> Option<Node> {
        let data = self.function.block(around.header);
        let seen = self.trace.block(around.header)?;
        let End::Branch { yes, no, .. } = data.end.0 else { return None };
        let place = data.insts.iter().position(|it| matches!(it.0, Inst::NextMember { .. }))?;
        let Inst::NextMember { dst, set, .. } = data.insts[place].0 else { return None };
        let removes = matches!(
            self.function.block(yes).insts.first(),
            Some((Inst::SetRemove { set: from, square }, _)) if *from == set && *square == dst
        );
        let once =
            self.assignments(around, dst.into()) == 1 && self.assignments(around, set.into()) == 1;
        let inside = around.contains(yes) && !around.contains(no);
        let member = seen.insts[place].value?;
        let lowest = self.symbols.constant(*seen.insts[place].args.get(1)?) == Some(-1);
        let found = self.is_found(seen.cond?, member);
        (removes && once && inside && lowest && found).then_some(member)
    }

    /// Whether a condition says that there was a member.
    fn is_found(&self, cond: Node, member: Node) -> bool {
        match self.symbols.applied(cond) {
            Some((Inst::Binary { op: Binary::Lt, .. }, args, _)) => {
                self.symbols.constant(args[0]) == Some(-1) && args[1] == member
            }
            _ => false,
        }
    }

    /// A number that only grows, by a fixed step, on every way round the loop.
    fn counter_key(&self, around: &Loop) -> Option<Node> {
        let [latch] = around.latches[..] else { return None };
        let insts = &self.function.block(latch).insts;
        let seen = self.trace.block(latch)?;
        insts.iter().zip(&seen.insts).find_map(|((inst, _), seen)| {
            let &Inst::Binary { op: Binary::Add, dst, a, .. } = inst else { return None };
            let step = self.symbols.constant(seen.args[1])?;
            let key = seen.args[0];
            let fresh = matches!(self.symbols.expr(key), Expr::Unknown(_));
            let once = self.assignments(around, dst.into()) == 1;
            let grows = (1..=1 << 31).contains(&step);
            (a == dst && grows && fresh && once).then_some(key)
        })
    }

    fn assignments(&self, around: &Loop, var: Var) -> usize {
        let blocks = around.blocks.iter().map(|&it| self.function.block(it));
        blocks.flat_map(|it| &it.insts).filter(|(it, _)| it.assigns() == Some(var)).count()
    }

    /// Whether two places never list the same operands.
    fn differ(&self, a: &Site, b: &Site) -> bool {
        self.exclude_each_other(a, b)
            || a.codes.iter().zip(&b.codes).any(|(a, b)| a & b == 0)
            || self.maps_differ(a, b)
            || self.values_differ(a, b)
    }

    /// Whether one operand, as seen from another, is never where it is at the other place.
    fn values_differ(&self, a: &Site, b: &Site) -> bool {
        let on_board = |index: usize| (a.codes[index] | b.codes[index]) & OFF == 0;
        let operands: Vec<usize> = (0..a.nodes.len()).filter(|&it| on_board(it)).collect();
        let seen_from = |from: usize| {
            let Some((own, other)) = a.nodes[from].zip(b.nodes[from]) else { return false };
            let others_men =
                |it: usize| a.codes[it] & a.codes[from] == 0 || b.codes[it] & b.codes[from] == 0;
            operands.iter().filter(|&&it| it != from).any(|&it| {
                let values = self.values(a, own, it).zip(self.values(b, other, it));
                values.is_some_and(|(a, b)| are_apart(&a, &b, others_men(it)))
            })
        };
        operands.iter().any(|&it| seen_from(it))
    }

    /// Where an operand can be as seen from another, if it is a square.
    fn values(&self, site: &Site, source: Node, index: usize) -> Option<ValueSet> {
        if let Some(node) = site.nodes[index] {
            return Some(self.values.of(node, source));
        }
        let values = self.values.of(site.set?, source);
        let Some((Source::Member, map)) = &site.args[index].map else { return None };
        let map: Vec<i16> = map.iter().map(|&it| it as i16).collect();
        Some(self.values.image(&values, &map))
    }

    /// Whether in one round of all loops around both only one can be reached, and rounds are told
    /// apart by the same operand.
    fn exclude_each_other(&self, a: &Site, b: &Site) -> bool {
        let same_way = |around: &&Loop| {
            let told = self.told_by(around, a);
            told.is_some_and(|index| {
                told == self.told_by(around, b)
                    && a.nodes[index].is_some()
                    && a.nodes[index] == b.nodes[index]
            })
        };
        let common: Vec<&Loop> =
            self.around(a.block).into_iter().filter(|it| it.contains(b.block)).collect();
        common.iter().all(same_way)
            && a.block != b.block
            && !self.leads_to(a.block, b.block, &common)
            && !self.leads_to(b.block, a.block, &common)
    }

    /// Whether there is a way between blocks that begins no new round of some loops. It may well
    /// begin one of other loops: a loop around the first block ends, and the second comes after.
    fn leads_to(&self, from: Block, to: Block, within: &[&Loop]) -> bool {
        let begins_round = |block: Block| within.iter().any(|it| it.header == block);
        let mut seen = BTreeSet::new();
        let mut todo = vec![from];
        while let Some(block) = todo.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                let next = self.function.block(block).end.0.successors();
                todo.extend(next.filter(|&next| !begins_round(next)));
            }
        }
        false
    }

    /// Whether the operands, as far as they follow from one square each, are never all the same.
    fn maps_differ(&self, a: &Site, b: &Site) -> bool {
        if a.args
            .iter()
            .zip(&b.args)
            .any(|(a, b)| a.constant.zip(b.constant).is_some_and(|(a, b)| a != b))
        {
            return true;
        }
        let sources = |site: &Site| -> Vec<Source> {
            let mut all: Vec<Source> = Vec::new();
            for (source, _) in site.args.iter().filter_map(|it| it.map.as_ref()) {
                if !all.contains(source) {
                    all.push(*source);
                }
            }
            all
        };
        let pairs =
            sources(a).into_iter().flat_map(|a| sources(b).into_iter().map(move |b| (a, b)));
        pairs.into_iter().any(|pair| self.never_equal((a, pair.0), (b, pair.1)))
    }

    /// Whether for no two squares all operands that follow from them are equal.
    fn never_equal(&self, (a, from_a): (&Site, Source), (b, from_b): (&Site, Source)) -> bool {
        let pairs: Vec<(&Vec<i64>, &Vec<i64>)> = a
            .args
            .iter()
            .zip(&b.args)
            .filter_map(|(a, b)| {
                let ((own, a), (other, b)) = a.map.as_ref().zip(b.map.as_ref())?;
                (*own == from_a && *other == from_b).then_some((a, b))
            })
            .collect();
        let Some(((first_a, first_b), rest)) = pairs.split_first() else { return false };
        let squares = |site: &Site, source| self.squares(site, source);
        let mut by_value: Vec<Vec<usize>> = vec![Vec::new(); self.program.squares + 1];
        for square in squares(b, from_b) {
            by_value[(first_b[square] + 1) as usize].push(square);
        }
        squares(a, from_a).into_iter().all(|square| {
            let same = &by_value[(first_a[square] + 1) as usize];
            same.iter().all(|&other| rest.iter().any(|(a, b)| a[square] != b[other]))
        }) && self.is_always_square(a, from_a)
            && self.is_always_square(b, from_b)
    }

    /// The squares that a source may be where a place is reached.
    fn squares(&self, site: &Site, source: Source) -> Vec<usize> {
        let mut squares = match (&site.members, source) {
            (Some(members), Source::Member) => members.clone(),
            _ => (0..self.program.squares).collect(),
        };
        for (arg, codes) in site.args.iter().zip(&site.codes) {
            if let Some((_, map)) = arg.map.as_ref().filter(|it| it.0 == source && codes & OFF == 0)
            {
                squares.retain(|&square| map[square] >= 0);
            }
        }
        squares
    }

    /// Whether a source is a square whenever the place is reached: then its maps say all.
    fn is_always_square(&self, site: &Site, source: Source) -> bool {
        match source {
            Source::Member => true,
            Source::Value(node) => {
                let literals = self.trace.conditions(self.function, site.block);
                RangeAnalysis::new(self.symbols, self.program, &literals).square(node) & OFF == 0
            }
        }
    }
}

/// Whether two value sets have nothing in common, but for the square that they are seen from if that
/// does not count.
fn are_apart(a: &ValueSet, b: &ValueSet, but_for_itself: bool) -> bool {
    a.iter().zip(b.iter()).enumerate().all(|(square, (a, b))| {
        a.words.iter().zip(&b.words).enumerate().all(|(index, (a, b))| {
            let itself = but_for_itself && index == square / 64;
            a & b & !(u64::from(itself) << (square % 64)) == 0
        })
    })
}

/// Whether a map gives different squares for different members, and always a square.
fn all_different(map: &[i64], members: &[usize]) -> bool {
    let mut values: Vec<i64> = members.iter().map(|&it| map[it]).collect();
    values.sort_unstable();
    values.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether different squares that a map leads somewhere are led to different squares.
fn is_injective(map: &[i64]) -> bool {
    inverse(&map.iter().map(|&it| it as i16).collect::<Vec<i16>>()).is_some()
}
