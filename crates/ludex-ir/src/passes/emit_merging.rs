//! Emit merging: several moves of one man become one `emit_all`.
//!
//! ```text
//! for a in men: if c: if b is empty: emit m(a, b)     for a in men: s = ({b} & empty & g(c)) | ...
//!               if e: if f is empty: emit m(a, f)                   emit_all m s (a, member)
//! ```
//!
//! The branches go, the moves of a man can be counted by counting squares, and it
//! is plain that none is listed twice. It pays where the questions are cheap and
//! cannot be foretold: everything is worked out, whatever the answers.

use std::collections::{BTreeMap, BTreeSet};

use super::dead_code::is_removable;
use super::if_conversion::{Single, none_or_all};
use super::members::no_squares;
use super::path_conditions::PathConditions;
use super::setwise::code::{Code, MemberLoop, change_loops};
use crate::inst::{
    BOARD, Block, End, Func, Inst, Reg, SetBinary, SetReg, Spread, StatementId, Unary, Var,
};
use crate::program::{Function, Program};

/// Loops with more instructions than this are left alone.
const MOST_INSTRUCTIONS: usize = 400;

/// Lists moves together in the loops over members of a function.
pub fn run(program: &mut Program, func: Func) {
    if lists_several(program.function(func)) {
        change_loops(program, func, one_change);
    }
}

fn one_change(
    program: &mut Program,
    code: &Code<'_>,
    tried: &mut BTreeSet<Block>,
) -> Option<Function> {
    if !lists_several(code.function) {
        return None;
    }
    let known = Single::of(code.function);
    code.loops.all().iter().find_map(|it| {
        if !tried.insert(it.header) {
            return None;
        }
        let it = MemberLoop::of(code, it)?;
        let round = Round::of(code, &known, &it)?;
        let lists = round.lists()?;
        Some(round.together(program, &lists))
    })
}

fn lists_several(function: &Function) -> bool {
    let insts = function.blocks.iter().flat_map(|it| &it.insts);
    insts.filter(|(it, _)| matches!(it, Inst::Emit { .. })).count() > 1
}

/// One round of a loop over members, without loops in it.
struct Round<'a> {
    code: &'a Code<'a>,
    known: &'a Single<'a>,
    it: &'a MemberLoop,
    /// Its blocks, each after all that lead to it, with the answers that lead there.
    blocks: Vec<(Block, PathConditions<Reg>)>,
}

/// Moves of a statement that differ in one operand.
struct List {
    statement: StatementId,
    /// Where each is listed: the block and the instruction, and the square.
    sites: Vec<(Block, usize, Reg)>,
    args: Vec<Spread>,
}

impl<'a> Round<'a> {
    fn of(code: &'a Code<'a>, known: &'a Single<'a>, it: &'a MemberLoop) -> Option<Self> {
        let inner = code.loops.all().iter().any(|other| it.blocks.contains(&other.header));
        let insts = it.blocks.iter().map(|&block| code.function.block(block).insts.len());
        if inner || !it.leaves.is_empty() || insts.sum::<usize>() > MOST_INSTRUCTIONS {
            return None;
        }
        let mut round = Self { code, known, it, blocks: Vec::new() };
        round.follow()?;
        round.may_all_run().then_some(round)
    }

    /// Finds the answers that lead to each block.
    fn follow(&mut self) -> Option<()> {
        let mut arrivals = BTreeMap::from([(self.it.body, PathConditions::always())]);
        for &block in self.code.order.iter().filter(|it| self.it.blocks.contains(it)) {
            let ways = arrivals.remove(&block)?;
            match self.code.function.block(block).end.0 {
                End::Jump(to) => self.arrive(&mut arrivals, to, ways.clone())?,
                End::Branch { cond, yes, no } => {
                    let (cond, answer) = self.asked(cond)?;
                    self.arrive(&mut arrivals, yes, ways.and(cond, answer))?;
                    self.arrive(&mut arrivals, no, ways.and(cond, !answer))?;
                }
                End::Return => return None,
            }
            self.blocks.push((block, ways));
        }
        Some(())
    }

    fn arrive(
        &self,
        arrivals: &mut BTreeMap<Block, PathConditions<Reg>>,
        to: Block,
        ways: PathConditions<Reg>,
    ) -> Option<()> {
        if to == self.it.head {
            return Some(());
        }
        let ways = match arrivals.remove(&to) {
            Some(others) => others.or(ways)?,
            None => ways,
        };
        arrivals.insert(to, ways);
        Some(())
    }

    /// The truth value that a condition is, or the contrary of.
    fn asked(&self, cond: Reg) -> Option<(Reg, bool)> {
        let (reg, answer) = match self.known.maker(cond.into())? {
            &Inst::Unary { op: Unary::Not, src, .. } => (src, false),
            _ => (cond, true),
        };
        self.known.is_truth(reg).then_some((reg, answer))
    }

    /// Whether all instructions but those that list moves may run in every round, in order.
    fn may_all_run(&self) -> bool {
        let always = PathConditions::always();
        self.blocks.iter().all(|&(block, ref ways)| {
            self.code.function.block(block).insts.iter().all(|(inst, _)| match inst {
                Inst::Emit { weight, .. } => weight.is_none(),
                _ if !is_removable(inst) || matches!(inst, Inst::Reply { .. }) => false,
                _ => {
                    let var = inst.assigns();
                    *ways == always || var.is_some_and(|var| self.is_own(var))
                }
            })
        })
    }

    /// Whether a register is given one value in each round, which nothing else reads.
    fn is_own(&self, var: Var) -> bool {
        let gone = |block| !self.code.wanted(block, var);
        self.known.maker(var).is_some() && gone(self.it.head) && gone(self.it.exit)
    }

    /// The moves that are listed, if all can be listed together and that is fewer lists.
    fn lists(&self) -> Option<Vec<List>> {
        type Site<'a> = (Block, usize, &'a Vec<Var>);
        let mut sites: BTreeMap<StatementId, Vec<Site<'_>>> = BTreeMap::new();
        for &(block, _) in &self.blocks {
            for (index, (inst, _)) in self.code.function.block(block).insts.iter().enumerate() {
                if let Inst::Emit { statement, args, .. } = inst {
                    sites.entry(*statement).or_default().push((block, index, args));
                }
            }
        }
        let several = sites.values().any(|it| it.len() > 1);
        let lists = sites.into_iter().map(|(statement, sites)| self.list(statement, &sites));
        lists.collect::<Option<Vec<_>>>().filter(|_| several)
    }

    fn list(&self, statement: StatementId, sites: &[(Block, usize, &Vec<Var>)]) -> Option<List> {
        let (_, _, first) = sites.first()?;
        let differs = |place: &usize| sites.iter().any(|it| it.2[*place] != first[*place]);
        let asked = |place: &usize| sites.iter().all(|it| self.is_square(it.0, it.2[*place]));
        let mut different = (0..first.len()).filter(differs);
        let place = match (different.next(), different.next()) {
            (Some(place), None) => place,
            (None, _) if sites.len() == 1 => (0..first.len()).find(asked)?,
            _ => return None,
        };
        if !asked(&place) {
            return None;
        }
        let spread = |(at, var): (usize, &Var)| match *var {
            _ if at == place => Some(Spread::Member),
            Var::Int(reg) => self.is_kept(reg).then_some(Spread::Same(reg)),
            Var::Set(_) | Var::Path(_) => None,
        };
        let args = first.iter().enumerate().map(spread).collect::<Option<_>>()?;
        let site = |&(block, index, args): &(Block, usize, &Vec<Var>)| match args[place] {
            Var::Int(square) => Some((block, index, square)),
            Var::Set(_) | Var::Path(_) => None,
        };
        let sites = sites.iter().map(site).collect::<Option<_>>()?;
        Some(List { statement, sites, args })
    }

    /// Whether a register holds a square wherever a block is reached: a question about that
    /// square was answered with yes.
    fn is_square(&self, block: Block, var: Var) -> bool {
        let Var::Int(square) = var else { return false };
        let ways = self.blocks.iter().find(|it| it.0 == block).map(|it| &it.1);
        self.is_kept(square)
            && ways.is_some_and(|ways| {
                ways.all().all(|way| {
                    way.iter().any(|&(cond, yes)| yes && self.question(cond, square).is_some())
                })
            })
    }

    /// Whether a register has one value throughout a round.
    fn is_kept(&self, reg: Reg) -> bool {
        let assigned = self.code.assigned(&self.it.blocks);
        !assigned.contains(&reg.into()) || self.is_own(reg.into())
    }

    /// What a truth value says about a square.
    fn question(&self, cond: Reg, square: Reg) -> Option<Question> {
        match *self.known.maker(cond.into())? {
            Inst::Test { array: BOARD, index: Some(index), mask, .. } if index == square => {
                self.is_kept(mask).then_some(Question::Where(mask))
            }
            Inst::Contains { set, square: at, .. } if at == square => {
                let assigned = self.code.assigned(&self.it.blocks);
                let kept = !assigned.contains(&set.into()) || self.is_own(set.into());
                kept.then_some(Question::In(set))
            }
            _ => None,
        }
    }

    /// The function with one block for the round.
    fn together(&self, program: &mut Program, lists: &[List]) -> Function {
        let (empty, gates) = (no_squares(program), none_or_all(program));
        let mut writer = Writer {
            function: self.code.function.clone(),
            insts: Vec::new(),
            place: 0,
            single: BTreeMap::new(),
        };
        let mut sets: Vec<Option<SetReg>> = vec![None; lists.len()];
        for &(block, ref ways) in &self.blocks {
            for (index, (inst, place)) in self.code.function.block(block).insts.iter().enumerate() {
                writer.place = *place;
                let listed = lists.iter().enumerate().find_map(|(list, it)| {
                    let site = it.sites.iter().find(|it| (it.0, it.1) == (block, index))?;
                    Some((list, site.2))
                });
                let Some((list, square)) = listed else {
                    writer.push(inst.clone());
                    continue;
                };
                let here = writer.single(empty, square);
                for way in ways.all() {
                    let set = self.squares(&mut writer, gates, here, square, way);
                    let all = sets[list];
                    sets[list] = Some(all.map_or(set, |all| writer.op(SetBinary::Union, all, set)));
                }
            }
        }
        for (list, set) in lists.iter().zip(sets) {
            if let Some(set) = set {
                let (statement, args) = (list.statement, list.args.clone());
                writer.push(Inst::EmitAll { statement, set, args });
            }
        }
        let Writer { mut function, insts, .. } = writer;
        let body = function.block_mut(self.it.body);
        body.insts = insts;
        body.end.0 = End::Jump(self.it.head);
        function
    }

    /// The square, if the answers of a way are given.
    fn squares(
        &self,
        writer: &mut Writer,
        gates: crate::inst::SetId,
        here: SetReg,
        square: Reg,
        way: &[(Reg, bool)],
    ) -> SetReg {
        let about = |it: &&(Reg, bool)| self.question(it.0, square).is_some();
        // What is asked of several squares comes first: it may be worked out once for all.
        let (last, first): (Vec<_>, Vec<_>) = way.iter().partition(about);
        let mut set = here;
        for &(cond, answer) in first.into_iter().chain(last) {
            let with = match self.question(cond, square) {
                Some(Question::In(set)) => set,
                Some(Question::Where(mask)) => writer.make(|dst| Inst::SetWhere { dst, mask }),
                None => writer.make(|dst| Inst::SetConst { dst, family: gates, index: Some(cond) }),
            };
            let op = if answer { SetBinary::Intersection } else { SetBinary::Difference };
            set = writer.op(op, set, with);
        }
        set
    }
}

/// A question about a square.
enum Question {
    Where(Reg),
    In(SetReg),
}

struct Writer {
    function: Function,
    insts: Vec<(Inst, u32)>,
    place: u32,
    /// The sets of one square that have been made.
    single: BTreeMap<Reg, SetReg>,
}

impl Writer {
    fn push(&mut self, inst: Inst) {
        self.insts.push((inst, self.place));
    }

    fn make(&mut self, inst: impl FnOnce(SetReg) -> Inst) -> SetReg {
        let dst = self.function.fresh_set();
        self.push(inst(dst));
        dst
    }

    fn op(&mut self, op: SetBinary, a: SetReg, b: SetReg) -> SetReg {
        self.make(|dst| Inst::SetBinary { op, dst, a, b })
    }

    /// The set of one square, which is empty if there is none.
    fn single(&mut self, empty: crate::inst::SetId, square: Reg) -> SetReg {
        if let Some(&set) = self.single.get(&square) {
            return set;
        }
        let set = self.make(|dst| Inst::SetConst { dst, family: empty, index: None });
        self.push(Inst::SetInsert { set, square });
        self.single.insert(square, set);
        set
    }
}
