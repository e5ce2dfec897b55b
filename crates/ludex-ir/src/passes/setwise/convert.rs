//! From what one iteration does, for all members at once, to code.

use super::super::reverse::standing;
use super::body::{Act, Body, Found, Scope};
use super::code::{Code, MemberLoop};
use super::sets::Set;
use super::value::{Env, Num, Value};
use crate::inst::{Block, End, Inst, OutcomeKind, Reg, SetReg, Spread, StatementId, TableId, Var};
use crate::program::{BlockData, Function, Program, Table};

/// A loop is left alone if its set code would have more instructions than this.
const MOST_SET_CODE: usize = 400;

/// The fewest steps that a loop takes for each member.
const LEAST_STEPS: usize = 8;

/// The function with a loop over members turned into set code.
pub(crate) fn convert(program: &mut Program, code: &Code<'_>, it: &MemberLoop) -> Option<Function> {
    let assigned = code.assigned(&it.blocks);
    let carried = super::commute::carried(code, it.head, &assigned, &[it.set.into()]);
    if carried.iter().any(|var| !matches!(var, Var::Int(_))) {
        return None;
    }
    let scope = Scope {
        blocks: it.blocks.clone(),
        entry: (it.body, 1),
        carried,
        assigned: assigned.clone(),
        home: it.entry,
        lenient: false,
        next: (!it.leaves.is_empty()).then_some(it.head),
    };
    let mut body = Body::new(program, code, scope);
    let members = body.before_loop(it.set);
    let member = Value::Num(body.identity());
    body.run(members, Env::from([(it.member.into(), member)]))?;
    let found = std::mem::take(&mut body.found);
    let leaving = leaving(&mut body, it, &found)?;
    let mut tail = Tail::default();
    if leaving.is_some() && !found.acts.is_empty() {
        return None;
    }
    for (act, mask, place) in found.acts {
        body.writer.place = place;
        tail.act(&mut body, act, mask, place)?;
    }
    let tail = tail.write(&mut body, leaving);
    let size = body.writer.insts.len();
    if size > MOST_SET_CODE || size > expected_steps(&body, it, members) {
        return None;
    }
    Some(replaced(&body, it, tail))
}

/// How many instructions the loop would run, judged by the members it has at the start of the
/// game. Who has none there gets men later.
fn expected_steps(body: &Body<'_>, it: &MemberLoop, members: Set) -> usize {
    let at_start = body.sets.most_cells(members).map(|mask| standing(body.program, mask));
    let members = match at_start {
        Some(0) | None => body.program.squares.div_ceil(4),
        Some(members) => members,
    };
    let blocks = it.blocks.iter().map(|&block| body.code.function.block(block).insts.len() + 1);
    members * blocks.sum::<usize>().max(LEAST_STEPS)
}

/// The members that leave the loop early and the block they go to; `None` if the order of the
/// members would matter.
#[allow(clippy::option_option, reason = "it cannot be done, or none leaves, or these")]
fn leaving(body: &mut Body<'_>, it: &MemberLoop, found: &Found) -> Option<Option<(Set, Block)>> {
    let mut leaving: Option<(Set, Block)> = None;
    for (to, mask, _) in &found.leaves {
        let mask = (*mask)?;
        if *to == it.head || body.sets.is_empty(mask) {
            continue;
        }
        let wanted = |var: &Var| body.code.wanted(*to, *var);
        if body.scope.assigned.iter().any(wanted) || wanted(&it.member.into()) {
            return None;
        }
        leaving = Some(match leaving {
            None => (mask, *to),
            Some((before, target)) => {
                let same = super::commute::same_code(body.code.function, target, *to);
                (same).then(|| (body.sets.or(before, mask), target))?
            }
        });
    }
    Some(leaving)
}

/// What is done after the sets are known: what is said and which flags are set.
#[derive(Default)]
struct Tail {
    outcomes: Vec<(OutcomeKind, Option<Num>, Set, u32)>,
    flags: Vec<(Reg, i64, Set, u32)>,
}

/// A condition and what is done if it holds.
type Step = (Reg, Vec<(Inst, u32)>);

/// Conditions with what they bring about, and the last one with the block it leads to.
struct Written {
    steps: Vec<Step>,
    leaving: Option<(Reg, Block)>,
}

impl Tail {
    fn act(&mut self, body: &mut Body<'_>, act: Act, mask: Set, place: u32) -> Option<()> {
        match act {
            Act::Emit(statement, args) => emit(body, statement, &args, mask)?,
            Act::Outcome(kind, score) => {
                if let Some(score) = &score {
                    body.register(score)?;
                }
                let same = self.outcomes.iter_mut().find(|it| it.0 == kind && it.1 == score);
                match same {
                    Some(same) => same.2 = body.sets.or(same.2, mask),
                    None => self.outcomes.push((kind, score, mask, place)),
                }
            }
            Act::Flag(reg, value) => match self.flags.iter_mut().find(|it| it.0 == reg) {
                Some(same) if same.1 == value => same.2 = body.sets.or(same.2, mask),
                // The last member decides.
                Some(_) => return None,
                None => self.flags.push((reg, value, mask, place)),
            },
            Act::Bump(reg, by) => {
                let set = body.writer.set(body.program, &body.sets, mask);
                let mut more = body.writer.fresh_int();
                body.writer.push(Inst::Count { dst: more, set });
                if by != 1 {
                    let (times, dst) = (body.writer.number(by), body.writer.fresh_int());
                    let op = crate::inst::Binary::Mul;
                    body.writer.push(Inst::Binary { op, dst, a: more, b: times });
                    more = dst;
                }
                let op = crate::inst::Binary::Add;
                body.writer.push(Inst::Binary { op, dst: reg, a: reg, b: more });
                // A register that is both set and added to depends on the order.
                if self.flags.iter().any(|it| it.0 == reg) {
                    return None;
                }
            }
        }
        Some(())
    }

    fn write(self, body: &mut Body<'_>, leaving: Option<(Set, Block)>) -> Written {
        let mut steps: Vec<Step> = Vec::new();
        for (kind, score, mask, place) in self.outcomes {
            body.writer.place = place;
            let score = score.as_ref().and_then(|it| body.register(it));
            let cond = any(body, mask);
            steps.push((cond, vec![(Inst::Outcome { kind, score }, place)]));
        }
        for (dst, value, mask, place) in self.flags {
            body.writer.place = place;
            let cond = any(body, mask);
            steps.push((cond, vec![(Inst::Const { dst, value }, place)]));
        }
        let leaving = leaving.map(|(mask, to)| (any(body, mask), to));
        Written { steps, leaving }
    }
}

fn any(body: &mut Body<'_>, set: Set) -> Reg {
    let set = body.writer.set(body.program, &body.sets, set);
    let dst = body.writer.fresh_int();
    body.writer.push(Inst::Any { dst, set });
    dst
}

/// Lists a move for each member of a set.
fn emit(body: &mut Body<'_>, statement: StatementId, args: &[Num], mask: Set) -> Option<()> {
    if body.sets.is_empty(mask) {
        return Some(());
    }
    if let Some(at) = args.iter().position(|it| matches!(it, Num::Pieces(_) | Num::Truth(_))) {
        let pieces = match &args[at] {
            Num::Pieces(pieces) => pieces.to_vec(),
            Num::Truth(truth) => {
                vec![(*truth, Num::Known(1)), (body.sets.complement(*truth), Num::Known(0))]
            }
            _ => return None,
        };
        for (within, num) in pieces {
            let mut args = args.to_vec();
            args[at] = num;
            let mask = body.sets.and(mask, within);
            emit(body, statement, &args, mask)?;
        }
        return Some(());
    }
    let mut spreads = Vec::new();
    for arg in args {
        spreads.push(spread(body, arg, mask)?);
    }
    let set: SetReg = body.writer.set(body.program, &body.sets, mask);
    body.writer.push(Inst::EmitAll { statement, set, args: spreads });
    Some(())
}

fn spread(body: &mut Body<'_>, arg: &Num, mask: Set) -> Option<Spread> {
    let Num::Of(way) = arg else { return body.register(arg).map(Spread::Same) };
    let members = body.sets.bound(mask);
    if way.is_identity_on(members) {
        return Some(Spread::Member);
    }
    if let Some(value) = way.constant_on(members) {
        return Some(Spread::Same(body.writer.number(value)));
    }
    Some(Spread::Table(table(body.program, &way.to)))
}

/// The number of a table of one column, which is added if there is none like it.
fn table(program: &mut Program, data: &[i64]) -> TableId {
    let found = program.tables.iter().position(|it| it.columns == 1 && it.data == data);
    let index = found.unwrap_or_else(|| {
        let (name, rows) = ("moved".to_owned(), data.len());
        program.tables.push(Table { name, rows, columns: 1, data: data.to_vec() });
        program.tables.len() - 1
    });
    TableId(index as u16)
}

/// The function with the set code in place of the loop.
fn replaced(body: &Body<'_>, it: &MemberLoop, written: Written) -> Function {
    let mut function = body.code.function.clone();
    (function.ints, function.sets) = (body.writer.ints, body.writer.sets);
    let place = function.block(it.entry).end.1;
    let mut last = it.entry;
    function.block_mut(last).insts.extend(body.writer.insts.iter().cloned());
    for (cond, insts) in written.steps {
        let end = (End::Return, place);
        let next = function.add_block(BlockData { insts: Vec::new(), end });
        let done = function.add_block(BlockData { insts, end: (End::Jump(next), place) });
        function.block_mut(last).end.0 = End::Branch { cond, yes: done, no: next };
        last = next;
    }
    function.block_mut(last).end.0 = match written.leaving {
        Some((cond, to)) => End::Branch { cond, yes: to, no: it.exit },
        None => End::Jump(it.exit),
    };
    function
}
