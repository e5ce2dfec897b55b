//! Code on sets in the place of a walk.

use super::super::members::no_squares;
use super::super::path_conditions::PathConditions;
use super::super::range::Range;
use super::super::range_analysis::RangeAnalysis;
use super::super::setwise::code::Code;
use super::super::setwise::plane;
use super::body::Effects;
use super::shape::{Question, Until, Walk, question};
use crate::inst::{Binary, Block, End, Inst, Reg, SetBinary, SetReg, Unary};
use crate::program::{BlockData, Function, Program};

/// The function with a walk taken out.
pub(super) fn rewrite(
    program: &mut Program,
    code: &Code<'_>,
    walk: &Walk<'_>,
    effects: &Effects,
) -> Option<Function> {
    let place = code.function.block(walk.latch).end.1;
    let mut writer = Writer { function: code.function.clone(), insts: Vec::new(), place };
    match walk.until {
        Until::No { question, from } => {
            let list = plane::list_number(program, &[walk.dir.1])?;
            let (passed, last) = writer.ray(from, question, list);
            let asked = writer.effects(program, code, walk, effects, passed);
            let before_all = writer.number(-1);
            writer.push(Inst::NextMember { dst: walk.walker, set: last, after: before_all });
            writer.ask_last(code, walk, last);
            Some(writer.finish(walk, &asked))
        }
        Until::Steps { count, guard, .. } => {
            let count = match guard {
                Some(_) => count,
                None => writer.at_least_one(count),
            };
            let (walker, dir) = (walk.walker, walk.dir.0);
            let passed = writer.function.fresh_set();
            writer.push(Inst::Reach { dst: passed, from: walker, dir, count });
            let asked = writer.effects(program, code, walk, effects, passed);
            writer.push(Inst::Hop { dst: walker, from: walker, dir, count });
            let needless = guard.is_some_and(|it| is_needless(program, code, walk, it));
            let mut function = writer.finish(walk, &asked);
            if let (true, Some(guard)) = (needless, guard) {
                let end = &mut function.block_mut(walk.entry).end.0;
                let past = end.successors().find(|&it| it != guard);
                past.into_iter().for_each(|to| *end = End::Jump(to));
            }
            Some(function)
        }
    }
}

/// Whether the code that stands for a walk, and what comes after it, does what it should if there is no step
/// at all: then it need not be asked.
fn is_needless(program: &Program, code: &Code<'_>, walk: &Walk<'_>, guard: Block) -> bool {
    let facts = RangeAnalysis::of(program, code.function);
    let Some(known) = facts.exit(walk.entry) else { return false };
    let on_board = Range { lo: -1, hi: program.squares as i64 - 1 };
    let stays = known[walk.walker.0 as usize].is_within(on_board);
    let after = code.function.block(walk.exit);
    let goes_to = match after.end.0 {
        End::Branch { cond, yes, no } if after.insts.is_empty() => {
            code.constant(walk.entry, cond).map(|it| if it == 0 { no } else { yes })
        }
        _ => None,
    };
    stays && (guard == walk.exit || Some(guard) == goes_to)
}

/// A flag that is set if a question is answered with yes: question, flag, number.
type Asked = (Reg, Reg, i64);

struct Writer {
    function: Function,
    insts: Vec<(Inst, u32)>,
    place: u32,
}

impl Writer {
    fn push(&mut self, inst: Inst) {
        self.insts.push((inst, self.place));
    }

    fn number(&mut self, value: i64) -> Reg {
        let dst = self.function.fresh_int();
        self.push(Inst::Const { dst, value });
        dst
    }

    fn op(&mut self, op: SetBinary, a: SetReg, b: SetReg) -> SetReg {
        let dst = self.function.fresh_set();
        self.push(Inst::SetBinary { op, dst, a, b });
        dst
    }

    /// A loop that asks at its end only goes round once at least.
    fn at_least_one(&mut self, count: Reg) -> Reg {
        let one = self.number(1);
        let dst = self.function.fresh_int();
        self.push(Inst::Binary { op: Binary::Max, dst, a: count, b: one });
        dst
    }

    /// The squares of which the answer to a question is yes.
    fn squares_with(&mut self, question: Question) -> SetReg {
        match question {
            Question::In(set) => set,
            Question::Where(mask) => {
                let dst = self.function.fresh_set();
                self.push(Inst::SetWhere { dst, mask });
                dst
            }
        }
    }

    /// The squares that a walk passes, and the one where it ends.
    fn ray(&mut self, from: Reg, question: Question, list: i64) -> (SetReg, SetReg) {
        let through = self.squares_with(question);
        let list = self.number(list);
        let ray = self.function.fresh_set();
        self.push(Inst::Rays { dst: ray, from, through, list });
        let passed = self.op(SetBinary::Intersection, ray, through);
        (passed, self.op(SetBinary::Difference, ray, through))
    }

    /// Gathers squares and sets flags; gives the flags that need a branch.
    fn effects(
        &mut self,
        program: &mut Program,
        code: &Code<'_>,
        walk: &Walk<'_>,
        effects: &Effects,
        passed: SetReg,
    ) -> Vec<Asked> {
        for &(set, ref ways) in &effects.gathers {
            let squares = self.squares(program, passed, ways);
            self.push(Inst::SetBinary { op: SetBinary::Union, dst: set, a: set, b: squares });
        }
        let mut asked = Vec::new();
        for &(flag, value, ref ways) in &effects.flags {
            let set = self.squares(program, passed, ways);
            let old = code.constant(walk.entry, flag);
            match (old, value) {
                (Some(0), 1) => self.push(Inst::Any { dst: flag, set }),
                (Some(1), 0) => {
                    let any = self.function.fresh_int();
                    self.push(Inst::Any { dst: any, set });
                    self.push(Inst::Unary { op: Unary::Not, dst: flag, src: any });
                }
                _ => {
                    let any = self.function.fresh_int();
                    self.push(Inst::Any { dst: any, set });
                    asked.push((any, flag, value));
                }
            }
        }
        asked
    }

    /// The squares among some that the answers of a way are given for.
    fn squares(
        &mut self,
        program: &mut Program,
        among: SetReg,
        ways: &PathConditions<Question>,
    ) -> SetReg {
        let mut all: Option<SetReg> = None;
        for way in ways.all() {
            let squares = way.iter().fold(among, |squares, &(question, answer)| {
                let with = self.squares_with(question);
                let op = if answer { SetBinary::Intersection } else { SetBinary::Difference };
                self.op(op, squares, with)
            });
            all = Some(all.map_or(squares, |all| self.op(SetBinary::Union, all, squares)));
        }
        all.unwrap_or_else(|| {
            let dst = self.function.fresh_set();
            self.push(Inst::SetConst { dst, family: no_squares(program), index: None });
            dst
        })
    }

    /// Puts the questions that are asked right after a walk about the square where it ends to the
    /// set of that square.
    fn ask_last(&mut self, code: &Code<'_>, walk: &Walk<'_>, last: SetReg) {
        if code.before(walk.exit) != [walk.it.header] {
            return;
        }
        let mut insts = std::mem::take(&mut self.function.block_mut(walk.exit).insts).into_iter();
        let mut new = Vec::new();
        for (inst, place) in insts.by_ref() {
            let only_value = super::super::dead_code::is_removable(&inst);
            let asked = question(&inst, walk.walker).zip(inst.assigns());
            let again = inst.assigns() == Some(walk.walker.into());
            match (asked, &inst) {
                (Some((Question::Where(mask), _)), &Inst::Test { dst, .. }) => {
                    let (there, both) = (self.function.fresh_set(), self.function.fresh_set());
                    let op = SetBinary::Intersection;
                    new.push((Inst::SetWhere { dst: there, mask }, place));
                    new.push((Inst::SetBinary { op, dst: both, a: last, b: there }, place));
                    new.push((Inst::Any { dst, set: both }, place));
                }
                _ => new.push((inst, place)),
            }
            if !only_value || again {
                break;
            }
        }
        new.extend(insts);
        self.function.block_mut(walk.exit).insts = new;
    }

    /// Sends what led to the walk here, and then on to where the walk led.
    fn finish(self, walk: &Walk<'_>, asked: &[Asked]) -> Function {
        let Self { mut function, insts, place } = self;
        let mut next = walk.exit;
        for &(cond, flag, value) in asked.iter().rev() {
            let insts = vec![(Inst::Const { dst: flag, value }, place)];
            let yes = function.add_block(BlockData { insts, end: (End::Jump(next), place) });
            let end = (End::Branch { cond, yes, no: next }, place);
            next = function.add_block(BlockData { insts: Vec::new(), end });
        }
        let end = (End::Jump(next), place);
        let first = function.add_block(BlockData { insts, end });
        function.redirect([walk.entry], walk.it.header, first);
        function
    }
}
