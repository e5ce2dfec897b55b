//! Legality guard: which moves are legal without being tried.
//!
//! If `illegal` says no in the present position, and a move changes nothing that
//! this answer was made from, then it says no after the move as well. So a copy of
//! `illegal` is made that gives the *guarded squares*: whatever stands elsewhere,
//! the answer is the same. A move that writes to no guarded square is legal
//! without being tried. In chess these are the lines from the king up to the
//! first man on each, and the squares a knight or a pawn could give check from.
//!
//! Code that *only finds* (it looks for squares, says yes when there is one, and
//! more squares to look at never make it say no) says no as long as nothing is added
//! to the sets it looks at. Those sets are "the squares with these men". So a move
//! must put no such man anywhere, which is known from the man it moves. What rays
//! pass through (empty squares, say) is added to wherever a man leaves: there, the
//! squares that the rays reach are guarded, and no others; and even these only if
//! the rays would find something once the first man on each is gone. (A statement
//! that leaves more than one square is always tried, and so is one that may be at fault.)
//!
//! Of other code this is guarded:
//! - of `rays`, every square that is reached: it is reached because those before
//!   it let it through;
//! - of an intersection with what stands on the board, the other set;
//! - of any other use of "the squares with these men", all of them; a move must
//!   then put no such man elsewhere;
//! - of a test of a square, the square.
//!
//! If `illegal` says yes at present, every square is guarded. Code that looks at
//! anything else has no guard.

use std::collections::BTreeMap;

use super::faults::may_fault;
use super::inline::{calls, inline};
use super::liveness::Liveness;
use super::loops::{Loops, predecessors, reverse_postorder};
use super::members::all_squares;
use super::{constant_folding, tidy};
use crate::inst::{ArrayId, BOARD, Block, End, Func, Inst, Reg, SetBinary, SetReg, Var};
use crate::program::{BlockData, Function, Program, Statement};
use crate::summary::Summaries;

/// How often calls are put in line before the code counts as too deep.
const MOST_CALLS: usize = 16;

/// What is known about the legality of one player's moves before they are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalityGuard {
    /// Gives the guarded squares; takes `me`.
    pub func: Func,
    /// A mask of contents of squares: what is moved must not be among them.
    pub men: u64,
    /// For each statement what makes a move of it legal untried; `None` if its moves must always
    /// be tried.
    pub guards: Vec<Option<StatementGuard>>,
}

/// What makes a move legal without being tried. Operands are told by number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StatementGuard {
    /// Squares that are not guarded.
    pub unguarded: Vec<usize>,
    /// Squares on which none of the [`men`](LegalityGuard::men) stands.
    pub sources: Vec<usize>,
}

/// Something that makes a move doubtful, so that it must be tried. Operands are told by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The operand is a guarded square.
    Guarded(usize),
    /// One of the [`men`](LegalityGuard::men) stands on the square of the operand.
    Man(usize),
    /// The operand is no square: what is moved from there is nothing, and that is looked for.
    NoSquare(usize),
}

impl LegalityGuard {
    /// What makes a move of a statement doubtful; `None` if such moves must always be tried.
    pub fn doubts(&self, statement: usize) -> Option<Vec<Doubt>> {
        let guard = self.guards.get(statement)?.as_ref()?;
        let nothing_counts = self.men & 1 == 1;
        let guarded = guard.unguarded.iter().map(|&it| Doubt::Guarded(it));
        let men = guard.sources.iter().map(|&it| Doubt::Man(it));
        let nothing = guard.sources.iter().filter(|_| nothing_counts);
        Some(guarded.chain(men).chain(nothing.map(|&it| Doubt::NoSquare(it))).collect())
    }
}

/// The guard of a player, if the code allows it.
pub fn legality_guard(
    program: &mut Program,
    illegal: Func,
    effects: &[Func],
) -> Option<LegalityGuard> {
    let summaries = Summaries::of(program);
    let reads = &summaries.function(illegal).reads;
    if reads.iter().any(|&array| array != BOARD) {
        return None;
    }
    let plain = in_line(program, illegal)?;
    let (function, masks) = GuardWriter::new(plain)?.written(program)?;
    let guards = effects
        .iter()
        .zip(&program.statements)
        .map(|(&effect, statement)| statement_guard(program, &summaries, effect, statement, masks))
        .collect();
    program.functions.push(function);
    let func = Func(program.functions.len() as u16 - 1);
    Some(LegalityGuard { func, men: masks.looked_for | masks.through, guards })
}

/// The contents of squares that the code asks for.
#[derive(Clone, Copy, Debug, Default)]
struct Masks {
    /// No move may put these anywhere.
    looked_for: u64,
    /// These may be put on squares that are not guarded.
    through: u64,
    /// Whether whatever else is written must be on squares that are not guarded as well.
    all_writes: bool,
}

/// A copy of a function with every call in line.
fn in_line(program: &mut Program, func: Func) -> Option<Function> {
    let mut function = program.function(func).clone();
    for _ in 0..MOST_CALLS {
        let first = calls(&function).next();
        let Some((site, _)) = first else {
            tidy(program, &mut function);
            return Some(function);
        };
        inline(program, &mut function, site)?;
    }
    None
}

/// An instruction that follows rays.
struct SeenRays {
    dst: SetReg,
    from: Reg,
    through: SetReg,
    list: Reg,
}

struct GuardWriter {
    function: Function,
    constants: BTreeMap<Var, i64>,
    /// Set registers that are always the squares with certain men, and the mask of these.
    raw: BTreeMap<SetReg, u64>,
    guarded: SetReg,
    masks: Masks,
    answer: Reg,
}

impl GuardWriter {
    fn new(mut function: Function) -> Option<Self> {
        let Some(Var::Int(answer)) = function.result else { return None };
        keep_men_apart(&mut function);
        let constants = constant_folding::constants(&function);
        let mut raw: BTreeMap<SetReg, Option<u64>> = BTreeMap::new();
        for (inst, _) in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Some(Var::Set(dst)) = inst.assigns() {
                let mask = match *inst {
                    Inst::SetWhere { mask, .. } => constants.get(&mask.into()).copied(),
                    _ => None,
                };
                let once = mask.map(|it| it as u64);
                raw.entry(dst).and_modify(|it| *it = None).or_insert(once);
            }
            if !understood(inst) {
                return None;
            }
        }
        let raw = raw.into_iter().filter_map(|(reg, mask)| Some((reg, mask?))).collect();
        let guarded = function.fresh_set();
        let masks = Masks { all_writes: true, ..Masks::default() };
        Some(Self { function, constants, raw, guarded, masks, answer })
    }

    /// The function that gives the guarded squares, and the men it was sure of.
    fn written(mut self, program: &mut Program) -> Option<(Function, Masks)> {
        if let Some(masks) = self.only_finds() {
            self.masks = masks;
        }
        let blocks: Vec<Block> = self.function.all_blocks().collect();
        let sought = self.sought();
        for block in blocks {
            let data = self.function.block_mut(block);
            let end = data.end.clone();
            let insts = std::mem::take(&mut data.insts);
            let (mut at, mut new) = (block, Vec::with_capacity(insts.len()));
            for (inst, place) in insts {
                if let (Inst::Rays { dst, from, through, list }, false) =
                    (inst.clone(), self.masks.all_writes)
                    && let Some(&mask) = sought.get(&dst)
                {
                    new.push((inst, place));
                    let rays = SeenRays { dst, from, through, list };
                    new.extend(self.beyond(rays, mask).into_iter().map(|it| (it, place)));
                    at = self.guard_if_found(at, std::mem::take(&mut new), dst);
                    continue;
                }
                let (before, after) = self.guards(&inst)?;
                new.extend(before.into_iter().map(|it| (it, place)));
                new.push((inst, place));
                new.extend(after.into_iter().map(|it| (it, place)));
            }
            *self.function.block_mut(at) = BlockData { insts: new, end };
        }
        self.finish(program);
        let mut function = self.function;
        function.result = Some(self.guarded.into());
        function.name = format!("guard of {}", function.name);
        tidy(program, &mut function);
        Some((function, self.masks))
    }

    /// For rays that are only met with men: the mask of these men.
    fn sought(&self) -> BTreeMap<SetReg, u64> {
        let mut sought: BTreeMap<SetReg, Option<u64>> = BTreeMap::new();
        let mut note = |set: SetReg, mask: Option<u64>| {
            let both = |old: Option<u64>| Some(old? | mask?);
            sought.entry(set).and_modify(|it| *it = both(*it)).or_insert(mask);
        };
        for (inst, _) in self.function.blocks.iter().flat_map(|block| &block.insts) {
            match *inst {
                Inst::SetBinary { op: SetBinary::Intersection, a, b, .. } => {
                    note(a, self.raw.get(&b).copied());
                    note(b, self.raw.get(&a).copied());
                }
                _ => inst.uses().iter().for_each(|var| {
                    if let Var::Set(set) = *var {
                        note(set, None);
                    }
                }),
            }
        }
        sought.into_iter().filter_map(|(set, mask)| Some((set, mask?))).collect()
    }

    /// What tells whether rays would find one of some men if the first man on each ray were gone;
    /// the last instruction gives it in a number.
    fn beyond(&mut self, rays: SeenRays, mask: u64) -> Vec<Inst> {
        let SeenRays { dst, from, through, list } = rays;
        let mut set = || self.function.fresh_set();
        let (first, open, further, men, met) = (set(), set(), set(), set(), set());
        let (number, found) = (self.function.fresh_int(), self.function.fresh_int());
        vec![
            Inst::SetBinary { op: SetBinary::Difference, dst: first, a: dst, b: through },
            Inst::SetBinary { op: SetBinary::Union, dst: open, a: through, b: first },
            Inst::Rays { dst: further, from, through: open, list },
            Inst::Const { dst: number, value: mask as i64 },
            Inst::SetWhere { dst: men, mask: number },
            Inst::SetBinary { op: SetBinary::Intersection, dst: met, a: further, b: men },
            Inst::Any { dst: found, set: met },
        ]
    }

    /// Ends a block: its last number says whether a set is guarded. Gives the block to go on in.
    fn guard_if_found(&mut self, block: Block, insts: Vec<(Inst, u32)>, set: SetReg) -> Block {
        let cond = match insts.last().and_then(|(inst, _)| inst.assigns()) {
            Some(Var::Int(cond)) => cond,
            _ => self.answer,
        };
        let add = (self.add(set), 0);
        let nothing = || BlockData { insts: Vec::new(), end: (End::Return, 0) };
        let on = self.function.add_block(nothing());
        let yes = BlockData { insts: vec![add], end: (End::Jump(on), 0) };
        let yes = self.function.add_block(yes);
        let end = (End::Branch { cond, yes, no: on }, 0);
        *self.function.block_mut(block) = BlockData { insts, end };
        on
    }

    fn add(&self, set: SetReg) -> Inst {
        let (dst, a) = (self.guarded, self.guarded);
        Inst::SetBinary { op: SetBinary::Union, dst, a, b: set }
    }

    fn is_raw(&self, set: SetReg) -> bool {
        self.raw.contains_key(&set)
    }

    /// Guards all squares of a set of men, so that the set cannot change.
    fn hold(&mut self, set: SetReg) -> Vec<Inst> {
        let Some(&mask) = self.raw.get(&set) else { return Vec::new() };
        self.masks.looked_for |= mask;
        vec![self.add(set)]
    }

    /// What is to be guarded before and after an instruction; `None` if that is not known.
    fn guards(&mut self, inst: &Inst) -> Option<(Vec<Inst>, Vec<Inst>)> {
        let none = Vec::new;
        if !self.masks.all_writes {
            let reached =
                if let Inst::Rays { dst, .. } = *inst { Some(self.add(dst)) } else { None };
            return Some((none(), reached.into_iter().collect()));
        }
        Some(match *inst {
            Inst::Test { array: BOARD, index: Some(square), mask, .. } => {
                self.constants.get(&mask.into())?;
                (vec![Inst::SetInsert { set: self.guarded, square }], none())
            }
            Inst::SetBinary { op, a, b, .. } => match (op, self.is_raw(a), self.is_raw(b)) {
                (_, false, false) => (none(), none()),
                (SetBinary::Intersection, true, false) => (vec![self.add(b)], none()),
                (SetBinary::Intersection | SetBinary::Difference, false, true) => {
                    (vec![self.add(a)], none())
                }
                _ => (self.hold(a).into_iter().chain(self.hold(b)).collect(), none()),
            },
            Inst::Rays { dst, .. } => (none(), vec![self.add(dst)]),
            Inst::SetWhere { dst, .. } if self.is_raw(dst) => (none(), none()),
            Inst::SetWhere { .. } | Inst::Load { .. } | Inst::Test { .. } => return None,
            _ => {
                let used = inst.uses().into_iter();
                let sets =
                    used.filter_map(|var| if let Var::Set(set) = var { Some(set) } else { None });
                let sets: Vec<SetReg> = sets.collect();
                (sets.into_iter().flat_map(|set| self.hold(set)).collect(), none())
            }
        })
    }

    /// Whether the code only finds: the masks that it then asks for.
    fn only_finds(&self) -> Option<Masks> {
        let mut masks = Masks::default();
        let mut found: Vec<Reg> = Vec::new();
        let mut goes_on: Vec<Reg> = Vec::new();
        for (inst, _) in self.function.blocks.iter().flat_map(|block| &block.insts) {
            match *inst {
                Inst::Any { dst, .. } => found.push(dst),
                Inst::Binary { op: crate::inst::Binary::Lt, dst, a, .. }
                    if self.constants.get(&a.into()) == Some(&-1) =>
                {
                    goes_on.push(dst);
                }
                Inst::Const { .. }
                | Inst::SetConst { index: None, .. }
                | Inst::SetWhere { .. }
                | Inst::SetCopy { .. }
                | Inst::SetInsert { .. }
                | Inst::SetRemove { .. }
                | Inst::Shift { .. }
                | Inst::Leap { .. }
                | Inst::Neighbours { .. }
                | Inst::Rays { .. }
                | Inst::NextMember { .. }
                | Inst::SetBinary { op: SetBinary::Union | SetBinary::Intersection, .. } => {}
                _ => return None,
            }
            for var in inst.uses() {
                let Var::Set(set) = var else { continue };
                let Some(&mask) = self.raw.get(&set) else { continue };
                match *inst {
                    Inst::Rays { .. } => masks.through |= mask,
                    _ => masks.looked_for |= mask,
                }
            }
            // A set of men that is not known beforehand could be anything.
            if matches!(*inst, Inst::SetWhere { dst, .. } if !self.is_raw(dst)) {
                return None;
            }
        }
        let finds = self.function.blocks.iter().all(|it| self.finds(it, &found, &goes_on));
        let monotone =
            finds && self.yes_is_found(&found) && self.loops_are_whole() && self.rounds_only_add();
        monotone.then_some(masks)
    }

    /// Whether the answer becomes yes only in blocks that are reached because something was found.
    fn yes_is_found(&self, found: &[Reg]) -> bool {
        let function = &self.function;
        function.all_blocks().all(|block| {
            let answers = |inst: &Inst| inst.assigns() == Some(self.answer.into());
            let silent = |inst: &Inst| matches!(*inst, Inst::Const { value: 0, .. });
            let data = function.block(block);
            let quiet = data.insts.iter().all(|(inst, _)| !answers(inst) || silent(inst));
            let reached_by_finding = || {
                function.blocks.iter().all(|from| match from.end.0 {
                    End::Branch { cond, yes, no } => {
                        no != block && (yes != block || found.contains(&cond))
                    }
                    End::Jump(to) => to != block,
                    End::Return => true,
                })
            };
            quiet || block != Block(0) && self.says_yes(block) && reached_by_finding()
        })
    }

    /// Whether members are only taken from sets in loops over all of them.
    fn loops_are_whole(&self) -> bool {
        let insts = || self.function.blocks.iter().flat_map(|it| &it.insts).map(|(inst, _)| inst);
        let nexts = insts().filter(|it| matches!(it, Inst::NextMember { .. })).count();
        let removed = insts().filter(|it| matches!(it, Inst::SetRemove { .. })).count();
        let whole = self.function.blocks.iter().filter(|it| self.is_whole_loop(it)).count();
        nexts == whole && removed == whole
    }

    /// Whether what one round of a loop leaves to the next, or to what comes after the loop, only
    /// grows. Else a round less could make the code find more: of a set that each round makes anew,
    /// only what the last member has put there counts.
    fn rounds_only_add(&self) -> bool {
        let live = Liveness::of(&self.function);
        Loops::of(&self.function).all().iter().all(|around| {
            let own = self.function.block(around.header).insts.first().map(|(inst, _)| inst);
            let wanted = |block: Block, var: Var| live.entry(block).contains(live.dense.index(var));
            let is_left = |var: Var| {
                wanted(around.header, var) || around.exits.iter().any(|&(_, to)| wanted(to, var))
            };
            let insts = around.blocks.iter().flat_map(|&block| &self.function.block(block).insts);
            insts.map(|(inst, _)| inst).all(|inst| match inst.assigns() {
                Some(var) if is_left(var) => {
                    only_adds(inst) || takes_member(inst, own) || self.says_no(inst)
                }
                _ => true,
            })
        })
    }

    /// Whether an instruction makes the answer no, which it is unless something is found.
    fn says_no(&self, inst: &Inst) -> bool {
        matches!(*inst, Inst::Const { dst, value: 0 } if dst == self.answer)
    }

    /// Whether a block is the head of a loop over all members of a set.
    fn is_whole_loop(&self, head: &BlockData) -> bool {
        let End::Branch { cond, yes, .. } = head.end.0 else { return false };
        let [(next, _), (test, _)] = &head.insts[..] else { return false };
        let Inst::NextMember { dst: member, set, after } = *next else { return false };
        let less = crate::inst::Binary::Lt;
        let on = matches!(*test, Inst::Binary { op, dst, b, .. } if op == less && dst == cond && b == member);
        let first = self.function.block(yes).insts.first().map(|(inst, _)| inst);
        on && self.constants.get(&after.into()) == Some(&-1)
            && first == Some(&Inst::SetRemove { set, square: member })
    }

    /// Whether a block ends by going on, or by saying yes because something was found.
    fn finds(&self, block: &BlockData, found: &[Reg], goes_on: &[Reg]) -> bool {
        match block.end.0 {
            End::Jump(_) => true,
            End::Return => true,
            End::Branch { cond, yes, .. } => {
                goes_on.contains(&cond) || found.contains(&cond) && self.says_yes(yes)
            }
        }
    }

    /// Whether a block does nothing but say yes.
    fn says_yes(&self, block: Block) -> bool {
        let data = self.function.block(block);
        let yes = |inst: &Inst| matches!(*inst, Inst::Const { dst, value } if dst == self.answer && value != 0);
        let only = |inst: &Inst| matches!(*inst, Inst::Const { .. });
        data.end.0 == End::Return
            && data.insts.iter().any(|(inst, _)| yes(inst))
            && data.insts.iter().all(|(inst, _)| only(inst))
    }

    /// Where the answer is yes, every square is guarded.
    fn finish(&mut self, program: &mut Program) {
        let all = all_squares(program);
        let (guarded, answer) = (self.guarded, self.answer);
        let end = self.function.add_block(BlockData { insts: Vec::new(), end: (End::Return, 0) });
        let inst = Inst::SetConst { dst: guarded, family: all, index: None };
        let full = BlockData { insts: vec![(inst, 0)], end: (End::Jump(end), 0) };
        let full = self.function.add_block(full);
        let last = Block(end.0);
        for block in self.function.all_blocks() {
            let data = self.function.block_mut(block);
            if block != last && data.end.0 == End::Return {
                data.end.0 = End::Branch { cond: answer, yes: full, no: end };
            }
        }
    }
}

/// Whether an instruction adds to a set what it has not yet.
fn only_adds(inst: &Inst) -> bool {
    match *inst {
        Inst::SetInsert { .. } => true,
        Inst::SetBinary { op: SetBinary::Union, dst, a, b } => dst == a || dst == b,
        _ => false,
    }
}

/// Whether an instruction takes the member out of a set that a loop, which begins with `own`, goes
/// through.
fn takes_member(inst: &Inst, own: Option<&Inst>) -> bool {
    match (inst, own) {
        (Inst::SetRemove { set, square }, Some(Inst::NextMember { dst, set: members, .. })) => {
            set == members && square == dst
        }
        _ => false,
    }
}

/// Gives each "the squares with these men" a register that nothing else changes: a loop may take
/// its members out of the set as it is.
fn keep_men_apart(function: &mut Function) {
    let mut assigned: BTreeMap<Var, usize> = BTreeMap::new();
    for (inst, _) in function.blocks.iter().flat_map(|block| &block.insts) {
        inst.assigns().into_iter().for_each(|var| *assigned.entry(var).or_default() += 1);
    }
    for block in function.all_blocks() {
        let insts = std::mem::take(&mut function.block_mut(block).insts);
        for (inst, place) in insts {
            match inst {
                Inst::SetWhere { dst, mask } if assigned[&dst.into()] > 1 => {
                    let men = function.fresh_set();
                    let insts = &mut function.block_mut(block).insts;
                    insts.push((Inst::SetWhere { dst: men, mask }, place));
                    insts.push((Inst::SetCopy { dst, src: men }, place));
                }
                _ => function.block_mut(block).insts.push((inst, place)),
            }
        }
    }
}

/// Whether an instruction only looks at the board, in a way that can be guarded.
fn understood(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Const { .. }
            | Inst::Copy { .. }
            | Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Lookup { .. }
            | Inst::Pair { .. }
            | Inst::Step { .. }
            | Inst::ListLen { .. }
            | Inst::ListItem { .. }
            | Inst::Test { .. }
            | Inst::SetConst { .. }
            | Inst::SetWhere { .. }
            | Inst::SetCopy { .. }
            | Inst::SetBinary { .. }
            | Inst::SetInsert { .. }
            | Inst::SetRemove { .. }
            | Inst::Shift { .. }
            | Inst::Leap { .. }
            | Inst::Neighbours { .. }
            | Inst::Rays { .. }
            | Inst::Line { .. }
            | Inst::Axis { .. }
            | Inst::Between { .. }
            | Inst::Contains { .. }
            | Inst::Count { .. }
            | Inst::Any { .. }
            | Inst::NextMember { .. }
    )
}

/// What makes a move of a statement legal untried.
fn statement_guard(
    program: &Program,
    summaries: &Summaries,
    effect: Func,
    statement: &Statement,
    masks: Masks,
) -> Option<StatementGuard> {
    // Trying a move is also how its faults are found.
    if may_fault(program, effect, statement) {
        return None;
    }
    let function = program.function(effect);
    let constants = constant_folding::constants(function);
    let params: BTreeMap<Reg, usize> = function
        .params
        .iter()
        .skip(1)
        .take(statement.operands.len())
        .enumerate()
        .filter_map(|(index, &var)| if let Var::Int(reg) = var { Some((reg, index)) } else { None })
        .collect();
    let guard = StatementGuard::default();
    let loaded = BTreeMap::new();
    let mut effect = Effect { masks, constants, params, loaded, changed: false, guard };
    for block in in_order(function)? {
        for (inst, _) in &function.block(block).insts {
            effect.see(inst, summaries)?;
        }
    }
    for list in [&mut effect.guard.unguarded, &mut effect.guard.sources] {
        list.sort_unstable();
        list.dedup();
    }
    // One square that is left opens one place on a ray, and that is what was looked at.
    (masks.all_writes || effect.guard.unguarded.len() <= 1).then_some(effect.guard)
}

/// The blocks of a function, each after all that may come before it; `None` if there is a loop.
fn in_order(function: &Function) -> Option<Vec<Block>> {
    let (order, before) = (reverse_postorder(function), predecessors(function));
    let mut read = vec![false; function.blocks.len()];
    for block in &order {
        let is_read = |it: &Block| read[it.0 as usize];
        if !before[block.0 as usize].iter().all(is_read) {
            return None;
        }
        read[block.0 as usize] = true;
    }
    Some(order)
}

/// An effect being read.
struct Effect {
    masks: Masks,
    constants: BTreeMap<Var, i64>,
    params: BTreeMap<Reg, usize>,
    /// Registers that hold what stood on the square of an operand before the move.
    loaded: BTreeMap<Reg, usize>,
    /// Whether the board may have been written to: it is then not the board before the move.
    changed: bool,
    guard: StatementGuard,
}

impl Effect {
    /// Takes an instruction of an effect into account; `None` if it writes what is not known.
    fn see(&mut self, inst: &Inst, summaries: &Summaries) -> Option<()> {
        // A parameter that changes is no operand any more.
        if let Some(Var::Int(dst)) = inst.assigns()
            && (self.params.contains_key(&dst) || self.loaded.contains_key(&dst))
        {
            return None;
        }
        match *inst {
            Inst::Load { dst, array: BOARD, index: Some(square) } => {
                if let Some(&operand) = self.params.get(&square).filter(|_| !self.changed) {
                    self.loaded.insert(dst, operand);
                }
            }
            Inst::Binary { op: crate::inst::Binary::Max, dst, a, b } => {
                let zero = self.constants.get(&b.into()) == Some(&0);
                if let Some(&operand) = self.loaded.get(&a).filter(|_| zero) {
                    self.loaded.insert(dst, operand);
                }
            }
            Inst::Store { array: BOARD, index: Some(square), value } => {
                self.changed = true;
                let to = *self.params.get(&square)?;
                if self.masks.all_writes {
                    self.guard.unguarded.push(to);
                }
                match (self.loaded.get(&value), self.constants.get(&value.into())) {
                    (Some(&from), _) => self.guard.sources.push(from),
                    (None, Some(&code)) => {
                        let asked = |mask: u64| mask >> code.clamp(0, 63) & 1 == 1;
                        if asked(self.masks.looked_for) {
                            return None;
                        }
                        if asked(self.masks.through) {
                            self.guard.unguarded.push(to);
                        }
                    }
                    (None, None) => return None,
                }
            }
            Inst::TryBegin => return None,
            _ => {
                let writes_board = |it: ArrayId| it == BOARD;
                let called = match *inst {
                    Inst::Call { func, .. } => {
                        summaries.function(func).acts.writes.iter().any(|&it| writes_board(it))
                    }
                    _ => false,
                };
                if called || inst.writes_array().is_some_and(writes_board) {
                    return None;
                }
            }
        }
        Some(())
    }
}
