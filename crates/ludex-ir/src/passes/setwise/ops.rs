//! What an instruction gives, as a function of the member.

use std::rc::Rc;

use super::super::arith;
use super::body::{Act, Body};
use super::plane;
use super::questions::MOST_SPOTS;
use super::sets::Set;
use super::value::{Cell, Env, Group, Num, Spots, Value, Way};
use crate::bits::Bits;
use crate::inst::{BOARD, Binary, Inst, Reg, SetBinary, SetId, Unary, Var};

impl Body<'_> {
    /// Runs one instruction for all members that reach it.
    pub(crate) fn inst(&mut self, inst: &Inst, place: u32, env: &mut Env) -> Option<()> {
        if self.scope.lenient && self.passed_over(inst, env)? {
            return Some(());
        }
        match inst {
            Inst::Emit { statement, args, weight: None } => {
                let mut nums = Vec::new();
                for arg in args {
                    let Var::Int(reg) = *arg else { return None };
                    nums.push(self.read(reg, env));
                }
                let act = Act::Emit(*statement, nums);
                self.found.acts.push((act, self.mask?, place));
            }
            Inst::Outcome { kind, score } => {
                let score = score.map(|reg| self.read(reg, env));
                self.found.acts.push((Act::Outcome(*kind, score), self.mask?, place));
            }
            _ => {
                let dst = inst.assigns()?;
                let value = self.value(inst, env)?;
                self.assign(dst, value, inst, env, place)?;
            }
        }
        Some(())
    }

    /// Whether only the ways matter and the instruction does not decide them.
    fn passed_over(&mut self, inst: &Inst, env: &mut Env) -> Option<bool> {
        match inst {
            Inst::TryBegin => self.tries += 1,
            Inst::TryEnd => self.tries = self.tries.checked_sub(1)?,
            Inst::Emit { .. } | Inst::EmitAll { .. } | Inst::Outcome { .. } => {}
            _ if inst.writes_array().is_some() => {
                if self.tries == 0 {
                    return None;
                }
            }
            _ => {
                let looks = inst.reads_array().is_some() || matches!(inst, Inst::Call { .. });
                if self.tries == 0 && !matches!(inst, Inst::Call { .. }) {
                    return Some(false);
                }
                let Some(dst) = inst.assigns() else { return Some(true) };
                if !looks {
                    return Some(false);
                }
                env.insert(dst, unknown(dst));
            }
        }
        Some(true)
    }

    fn assign(
        &mut self,
        dst: Var,
        value: Value,
        inst: &Inst,
        env: &mut Env,
        place: u32,
    ) -> Option<()> {
        let (Var::Int(reg), true) = (dst, self.scope.carried.contains(&dst)) else {
            env.insert(dst, value);
            return Some(());
        };
        if self.scope.lenient {
            env.insert(dst, Value::Num(Num::Unknown));
            return Some(());
        }
        // The member itself, when a walk is looked at, is carried but known.
        if let Some(known) = env.get_mut(&dst) {
            *known = value;
            return Some(());
        }
        let act = match (value, inst) {
            (Value::Num(Num::Known(value)), _) => Act::Flag(reg, value),
            (_, &Inst::Binary { op: Binary::Add, a, b, .. }) if a == reg || b == reg => {
                let other = if a == reg { b } else { a };
                match self.read(other, env) {
                    Num::Known(by) if other != reg => Act::Bump(reg, by),
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.found.acts.push((act, self.mask?, place));
        Some(())
    }

    fn value(&mut self, inst: &Inst, env: &Env) -> Option<Value> {
        if let Some(value) = self.simple(inst, env) {
            return Some(value);
        }
        if let Some(value) = self.hoisted(inst, env) {
            return Some(value);
        }
        let num = |reg: Reg, body: &Self| body.read(reg, env);
        Some(match *inst {
            Inst::Unary { op, src, .. } => {
                let src = num(src, self);
                Value::Num(self.unary(op, &src))
            }
            Inst::Binary { op, a, b, .. } => {
                let (a, b) = (num(a, self), num(b, self));
                Value::Num(self.binary(op, &a, &b))
            }
            Inst::Lookup { table, i, j, .. } => {
                let (i, j) = (num(i, self), j.map(|it| num(it, self)));
                Value::Num(self.lookup(table.0 as usize, &i, j.as_ref()))
            }
            Inst::Pair { i, j, rows, columns, .. } => {
                let (i, j) = (num(i, self), num(j, self));
                let inside = |x: i64, len: u32| x >= 0 && x < i64::from(len);
                Value::Num(self.pointwise(&[&i, &j], |x| {
                    let fits = inside(x[0], rows) && inside(x[1], columns);
                    Some(if fits { x[0] * i64::from(columns) + x[1] } else { -1 })
                }))
            }
            Inst::Step { from, dir, .. } => {
                let (from, dir) = (num(from, self), num(dir, self));
                Value::Num(self.lift(&from, |body, from| body.step(from, &dir)))
            }
            Inst::Load { array: BOARD, index: Some(index), .. } => {
                let codes = (0..=self.program.men.len() as i64).collect();
                Value::Num(self.cell(&num(index, self), codes, -1))
            }
            Inst::Test { array: BOARD, index: Some(index), mask, .. } => {
                let index = num(index, self);
                let mask = num(mask, self);
                Value::Num(self.test(&index, &mask))
            }
            Inst::TestRange { array: BOARD, index: Some(index), lo, hi, .. } => {
                let codes = 0..=self.program.men.len() as i64;
                let inside = codes.map(|it| i64::from(lo <= it && it <= hi)).collect();
                Value::Num(self.cell(&num(index, self), inside, 0))
            }
            Inst::Contains { set, square, .. } => {
                let square = num(square, self);
                match self.read_set(set, env) {
                    Group::Fixed(set) => Value::Num(self.lift(&square, |body, square| {
                        body.preimage(set, square).map_or(Num::Unknown, Num::Truth)
                    })),
                    _ => Value::Num(Num::Unknown),
                }
            }
            Inst::Any { set, .. } => {
                let group = self.read_set(set, env);
                Value::Num(self.any(&group).map_or(Num::Unknown, Num::Truth))
            }
            Inst::Count { set, .. } => Value::Num(match self.read_set(set, env) {
                Group::Spots(spots) => Num::Count(spots),
                _ => Num::Unknown,
            }),
            Inst::SetInsert { set, square } => {
                let (group, square) = (self.read_set(set, env), num(square, self));
                Value::Group(self.insert(group, &square))
            }
            Inst::SetBinary { op, a, b, .. } => {
                let (a, b) = (self.read_set(a, env), self.read_set(b, env));
                Value::Group(self.set_binary(op, a, b))
            }
            Inst::Shift { src, dir, .. } => {
                let (src, dir) = (self.read_set(src, env), num(dir, self));
                Value::Group(self.stepped(&src, &[dir]))
            }
            Inst::Neighbours { src, list, .. } => {
                let src = self.read_set(src, env);
                let Num::Known(list) = num(list, self) else { return Some(unknown_set()) };
                let lists = &self.program.geometry.lists;
                let list = usize::try_from(list).ok().and_then(|it| lists.get(it));
                let list: Vec<Num> =
                    list.into_iter().flatten().map(|&it| Num::Known(i64::from(it))).collect();
                Value::Group(self.stepped(&src, &list))
            }
            Inst::Line { from, dir, count, .. } => {
                let (from, dir, count) = (num(from, self), num(dir, self), num(count, self));
                Value::Group(self.line(&from, &dir, &count))
            }
            // What looks at nothing but registers and cells, but is not understood.
            _ if is_pure(inst) => unknown(inst.assigns()?),
            _ => return None,
        })
    }

    /// Copies and constants.
    fn simple(&mut self, inst: &Inst, env: &Env) -> Option<Value> {
        Some(match *inst {
            Inst::Const { value, .. } => Value::Num(Num::Known(value)),
            Inst::Copy { src, .. } => Value::Num(self.read(src, env)),
            Inst::SetCopy { src, .. } => Value::Group(self.read_set(src, env)),
            Inst::SetConst { family, index, .. } => {
                let index = index.map_or(Num::Known(0), |it| self.read(it, env));
                let Num::Known(index) = index else { return None };
                Value::Group(Group::Fixed(self.constant_set(family, index)))
            }
            Inst::SetWhere { mask, .. } => {
                let Num::Known(mask) = self.read(mask, env) else { return None };
                Value::Group(Group::Fixed(self.sets.cells(mask as u64)))
            }
            Inst::Shift { src, dir, .. } => {
                let Num::Known(dir) = self.read(dir, env) else { return None };
                let Group::Fixed(src) = self.read_set(src, env) else { return None };
                let dir = u16::try_from(dir).ok()?;
                plane::steps(self.program, dir)?;
                Value::Group(Group::Fixed(self.sets.moved(src, dir, 1)))
            }
            _ => return None,
        })
    }

    pub(crate) fn constant_set(&mut self, family: SetId, index: i64) -> Set {
        let sets = &self.program.families[family.0 as usize].sets;
        let bits = usize::try_from(index).ok().and_then(|it| sets.get(it)).cloned();
        let mut bits = bits.unwrap_or_else(|| Bits::empty(self.program.squares));
        bits.words.resize(self.program.squares.div_ceil(64), 0);
        self.sets.known(bits)
    }

    /// An instruction that is the same for all members is moved in front of the loop.
    fn hoisted(&mut self, inst: &Inst, env: &Env) -> Option<Value> {
        if !is_pure(inst) || inst.changes_in_place() {
            return None;
        }
        let mut same = inst.uses().into_iter().map(|var| match var {
            Var::Int(reg) => matches!(self.read(reg, env), Num::Known(_) | Num::Same(_)),
            Var::Set(reg) => matches!(self.read_set(reg, env), Group::Fixed(_)),
            Var::Path(_) => false,
        });
        let all_same = same.all(|it| it);
        drop(same);
        if !all_same {
            return None;
        }
        if let Some(value) = self.folded(inst, env) {
            return Some(Value::Num(Num::Known(value)));
        }
        if let &Inst::SetBinary { op, a, b, .. } = inst {
            let (Group::Fixed(a), Group::Fixed(b)) = (self.read_set(a, env), self.read_set(b, env))
            else {
                return None;
            };
            return Some(Value::Group(Group::Fixed(self.combine(op, a, b))));
        }
        let mut moved = inst.clone();
        let mut names = std::collections::BTreeMap::new();
        for var in inst.uses() {
            let name: Var = match var {
                Var::Int(reg) => self.register(&self.read(reg, env))?.into(),
                Var::Set(reg) => {
                    let Group::Fixed(set) = self.read_set(reg, env) else { return None };
                    self.writer.set(self.program, &self.sets, set).into()
                }
                Var::Path(_) => return None,
            };
            names.insert(var, name);
        }
        moved.rename_reads(|var| names.get(&var).copied().unwrap_or(var));
        Some(match self.writer.hoist(&moved)? {
            Var::Int(reg) => Value::Num(Num::Same(reg)),
            Var::Set(reg) => Value::Group(Group::Fixed(self.sets.held(reg))),
            Var::Path(_) => return None,
        })
    }

    /// A register that holds a number that is the same for all members.
    pub(crate) fn register(&mut self, num: &Num) -> Option<Reg> {
        match *num {
            Num::Known(value) => Some(self.writer.number(value)),
            Num::Same(reg) => Some(reg),
            _ => None,
        }
    }

    fn folded(&self, inst: &Inst, env: &Env) -> Option<i64> {
        let known = |reg: Reg| match self.read(reg, env) {
            Num::Known(value) => Some(value),
            _ => None,
        };
        match *inst {
            Inst::Unary { op, src, .. } => arith::unary(self.program, op, known(src)?),
            Inst::Binary { op, a, b, .. } => arith::binary(op, known(a)?, known(b)?),
            Inst::Step { from, dir, .. } => {
                Some(plane::step(self.program, known(from)?, known(dir)?))
            }
            Inst::Lookup { table, i, j, .. } => {
                let j = j.map_or(Some(0), known)?;
                Some(self.entry(table.0 as usize, known(i)?, j))
            }
            // Off the board every test fails.
            Inst::Test { index: Some(index), .. } | Inst::TestRange { index: Some(index), .. } => {
                (known(index)? < 0).then_some(0)
            }
            Inst::Load { index: Some(index), .. } => (known(index)? < 0).then_some(-1),
            Inst::Contains { square, .. } => (known(square)? < 0).then_some(0),
            _ => None,
        }
    }

    fn entry(&self, table: usize, i: i64, j: i64) -> i64 {
        let table = &self.program.tables[table];
        let inside = i >= 0 && j >= 0 && i < table.rows as i64 && j < table.columns as i64;
        if inside { table.data[i as usize * table.columns + j as usize] } else { -1 }
    }

    fn lookup(&mut self, table: usize, i: &Num, j: Option<&Num>) -> Num {
        if let (Num::Cell(cell), None) = (i, j) {
            let by_code = cell.by_code.iter().map(|&it| self.entry(table, it, 0)).collect();
            let off = self.entry(table, cell.off, 0);
            return Num::Cell(Rc::new(Cell { at: Rc::clone(&cell.at), by_code, off }));
        }
        if let (Num::Known(i), Some(Num::Cell(cell))) = (i, j) {
            let by_code = cell.by_code.iter().map(|&it| self.entry(table, *i, it)).collect();
            let off = self.entry(table, *i, cell.off);
            return Num::Cell(Rc::new(Cell { at: Rc::clone(&cell.at), by_code, off }));
        }
        let zero = Num::Known(0);
        let j = j.unwrap_or(&zero);
        let squares = self.program.squares;
        let entry = |square| Some(self.entry(table, i.at(square)?, j.at(square)?));
        let to: Option<Vec<i64>> = (0..squares).map(entry).collect();
        to.map_or(Num::Unknown, |to| Num::table(to, None))
    }

    /// A function of numbers that are known for each square.
    fn pointwise(&self, nums: &[&Num], apply: impl Fn(&[i64]) -> Option<i64>) -> Num {
        let at = |square| {
            let values: Option<Vec<i64>> = nums.iter().map(|it| it.at(square)).collect();
            apply(&values?)
        };
        let to: Option<Vec<i64>> = (0..self.program.squares).map(at).collect();
        to.map_or(Num::Unknown, |to| Num::table(to, None))
    }

    /// Applies a function to each piece of a number.
    pub(crate) fn lift(&mut self, num: &Num, mut apply: impl FnMut(&mut Self, &Num) -> Num) -> Num {
        match num {
            Num::Pieces(pieces) => {
                let mapped =
                    pieces.iter().map(|(mask, it)| (*mask, apply(self, it))).collect::<Vec<_>>();
                if mapped.iter().any(|it| it.1 == Num::Unknown) {
                    return Num::Unknown;
                }
                self.num_pieces(mapped)
            }
            num => apply(self, num),
        }
    }

    fn step(&mut self, from: &Num, dir: &Num) -> Num {
        let (Num::Of(way), &Num::Known(dir)) = (from, dir) else { return Num::Unknown };
        let to = way.to.iter().map(|&it| plane::step(self.program, it, dir)).collect();
        let path = way.path.as_ref().and_then(|path| {
            let dir = u16::try_from(dir).ok()?;
            Some(path.iter().copied().chain([dir]).collect())
        });
        Num::table(to, path)
    }

    fn cell(&mut self, at: &Num, by_code: Vec<i64>, off: i64) -> Num {
        match at {
            Num::Of(at) if at.path.is_some() => {
                Num::Cell(Rc::new(Cell { at: Rc::clone(at), by_code, off }))
            }
            _ => Num::Unknown,
        }
    }

    fn test(&mut self, index: &Num, mask: &Num) -> Num {
        let cells = match *mask {
            Num::Known(mask) => self.sets.cells(mask as u64),
            Num::Same(mask) => {
                let dst = crate::inst::SetReg(0);
                match self.writer.hoist(&Inst::SetWhere { dst, mask }) {
                    Some(Var::Set(reg)) => self.sets.held(reg),
                    _ => return Num::Unknown,
                }
            }
            _ => return Num::Unknown,
        };
        self.lift(index, |body, index| body.preimage(cells, index).map_or(Num::Unknown, Num::Truth))
    }

    fn unary(&mut self, op: Unary, num: &Num) -> Num {
        self.lift(num, |body, num| match num {
            Num::Truth(truth) => {
                let values = [0, 1].map(|it| arith::unary(body.program, op, it));
                body.choice(*truth, values)
            }
            Num::Cell(cell) => {
                let apply = |it: &i64| arith::unary(body.program, op, *it);
                let by_code: Option<Vec<i64>> = cell.by_code.iter().map(apply).collect();
                mapped_cell(cell, by_code, apply(&cell.off))
            }
            num => body.pointwise(&[num], |x| arith::unary(body.program, op, x[0])),
        })
    }

    /// One value where a set has no member, another where it has.
    fn choice(&mut self, truth: Set, values: [Option<i64>; 2]) -> Num {
        match values {
            [Some(0), Some(1)] => Num::Truth(truth),
            [Some(1), Some(0)] => Num::Truth(self.sets.complement(truth)),
            [Some(a), Some(b)] if a == b => Num::Known(a),
            [Some(a), Some(b)] => {
                let others = self.sets.complement(truth);
                self.num_pieces(vec![(others, Num::Known(a)), (truth, Num::Known(b))])
            }
            _ => Num::Unknown,
        }
    }

    fn binary(&mut self, op: Binary, a: &Num, b: &Num) -> Num {
        if matches!(a, Num::Pieces(_)) {
            return self.lift(a, |body, a| body.binary(op, a, b));
        }
        if matches!(b, Num::Pieces(_)) {
            return self.lift(b, |body, b| body.binary(op, a, b));
        }
        match (a, b) {
            (Num::Truth(truth), Num::Known(b)) => {
                self.choice(*truth, [0, 1].map(|it| arith::binary(op, it, *b)))
            }
            (Num::Known(a), Num::Truth(truth)) => {
                self.choice(*truth, [0, 1].map(|it| arith::binary(op, *a, it)))
            }
            (Num::Truth(a), Num::Truth(b)) => match op {
                Binary::Min | Binary::Mul => Num::Truth(self.sets.and(*a, *b)),
                Binary::Max => Num::Truth(self.sets.or(*a, *b)),
                _ => Num::Unknown,
            },
            (Num::Cell(cell), Num::Known(b)) => {
                let apply = |it: &i64| arith::binary(op, *it, *b);
                mapped_cell(cell, cell.by_code.iter().map(apply).collect(), apply(&cell.off))
            }
            (Num::Known(a), Num::Cell(cell)) => {
                let apply = |it: &i64| arith::binary(op, *a, *it);
                mapped_cell(cell, cell.by_code.iter().map(apply).collect(), apply(&cell.off))
            }
            (Num::Of(way), &Num::Same(reg)) | (&Num::Same(reg), Num::Of(way)) => {
                let equal = match op {
                    Binary::Eq | Binary::Ne => self.equal(way, reg),
                    _ => None,
                };
                match (equal, op) {
                    (Some(equal), Binary::Eq) => Num::Truth(equal),
                    (Some(equal), _) => Num::Truth(self.sets.complement(equal)),
                    _ => Num::Unknown,
                }
            }
            (Num::Count(spots), &Num::Known(number)) => self.counted(op, spots, number, false),
            (&Num::Known(number), Num::Count(spots)) => self.counted(op, spots, number, true),
            (Num::Known(-1), Num::End(walk)) if op == Binary::Lt => {
                let all = self.sets.all();
                self.ends_in(walk, all).map_or(Num::Unknown, Num::Truth)
            }
            _ => self.pointwise(&[a, b], |x| arith::binary(op, x[0], x[1])),
        }
    }

    fn insert(&mut self, group: Group, square: &Num) -> Group {
        let Num::Of(way) = square else { return Group::Unknown };
        if way.path.is_none() {
            return Group::Unknown;
        }
        match group {
            Group::Fixed(set) if self.sets.is_empty(set) => Group::Spots(Rc::new(Spots {
                ways: vec![Rc::clone(way)],
                whole: Bits::full(self.program.squares),
                within: self.sets.all(),
            })),
            Group::Start(reg) if way.path == Some(Vec::new()) => Group::Grown(reg),
            Group::Spots(spots) if self.is_plain(&spots) => {
                let mut spots = (*spots).clone();
                spots.ways.push(Rc::clone(way));
                Group::Spots(Rc::new(spots))
            }
            _ => Group::Unknown,
        }
    }

    /// Whether all the squares count, for every member.
    fn is_plain(&mut self, spots: &Spots) -> bool {
        spots.whole.len() == self.program.squares
            && spots.within == self.sets.all()
            && spots.ways.len() < MOST_SPOTS
    }

    pub(crate) fn combine(&mut self, op: SetBinary, a: Set, b: Set) -> Set {
        match op {
            SetBinary::Union => self.sets.or(a, b),
            SetBinary::Intersection => self.sets.and(a, b),
            SetBinary::Difference => self.sets.minus(a, b),
        }
    }

    fn set_binary(&mut self, op: SetBinary, a: Group, b: Group) -> Group {
        match (op, a, b) {
            (_, Group::Fixed(a), Group::Fixed(b)) => Group::Fixed(self.combine(op, a, b)),
            (SetBinary::Union, group, Group::Fixed(none))
            | (SetBinary::Union, Group::Fixed(none), group)
                if self.sets.is_empty(none) =>
            {
                group
            }
            (SetBinary::Union, Group::Start(reg), Group::Spots(spots))
            | (SetBinary::Union, Group::Spots(spots), Group::Start(reg))
                if self.is_plain(&spots)
                    && matches!(&spots.ways[..], [only] if only.path == Some(Vec::new())) =>
            {
                Group::Grown(reg)
            }
            (SetBinary::Union, Group::Spots(a), Group::Spots(b))
                if self.is_plain(&a) && self.is_plain(&b) =>
            {
                let mut spots = (*a).clone();
                spots.ways.extend(b.ways.iter().cloned());
                Group::Spots(Rc::new(spots))
            }
            (SetBinary::Intersection, Group::Spots(spots), Group::Fixed(set))
            | (SetBinary::Intersection, Group::Fixed(set), Group::Spots(spots)) => {
                let within = self.sets.and(spots.within, set);
                Group::Spots(Rc::new(Spots { within, ..(*spots).clone() }))
            }
            (SetBinary::Difference, Group::Spots(spots), Group::Fixed(set)) => {
                let within = self.sets.minus(spots.within, set);
                Group::Spots(Rc::new(Spots { within, ..(*spots).clone() }))
            }
            _ => Group::Unknown,
        }
    }

    /// The squares one step from those of a group, in any of some directions.
    fn stepped(&mut self, group: &Group, dirs: &[Num]) -> Group {
        let Group::Spots(from) = group else { return Group::Unknown };
        if !self.is_plain(from) || from.ways.len() * dirs.len() > MOST_SPOTS {
            return Group::Unknown;
        }
        let mut spots = Vec::new();
        for way in &from.ways {
            for dir in dirs {
                match self.step(&Num::Of(Rc::clone(way)), dir) {
                    Num::Of(way) if way.path.is_some() => spots.push(way),
                    Num::Known(-1) => {}
                    _ => return Group::Unknown,
                }
            }
        }
        Group::Spots(Rc::new(Spots { ways: spots, ..(**from).clone() }))
    }

    fn line(&mut self, from: &Num, dir: &Num, count: &Num) -> Group {
        let (Num::Of(from), Num::Known(_), &Num::Known(count)) = (from, dir, count) else {
            return Group::Unknown;
        };
        if count < 1 || count > MOST_SPOTS as i64 || from.path.is_none() {
            return Group::Unknown;
        }
        let mut spots: Vec<Rc<Way>> = vec![Rc::clone(from)];
        while (spots.len() as i64) < count {
            match self.step(&Num::Of(Rc::clone(&spots[spots.len() - 1])), dir) {
                Num::Of(way) => spots.push(way),
                Num::Known(-1) => return Group::Fixed(self.sets.none()),
                _ => return Group::Unknown,
            }
        }
        let mut whole = Bits::empty(self.program.squares);
        let last = Rc::clone(&spots[spots.len() - 1]);
        (0..self.program.squares).filter(|&it| last.to[it] >= 0).for_each(|it| whole.insert(it));
        Group::Spots(Rc::new(Spots { ways: spots, whole, within: self.sets.all() }))
    }
}

fn mapped_cell(cell: &Cell, by_code: Option<Vec<i64>>, off: Option<i64>) -> Num {
    match (by_code, off) {
        (Some(by_code), Some(off)) => {
            Num::Cell(Rc::new(Cell { at: Rc::clone(&cell.at), by_code, off }))
        }
        _ => Num::Unknown,
    }
}

fn unknown(var: Var) -> Value {
    match var {
        Var::Set(_) => unknown_set(),
        _ => Value::Num(Num::Unknown),
    }
}

fn unknown_set() -> Value {
    Value::Group(Group::Unknown)
}

/// Whether an instruction only gives a register a value that follows from registers and cells.
pub(crate) fn is_pure(inst: &Inst) -> bool {
    let asks = matches!(
        inst,
        Inst::Call { .. }
            | Inst::Repeats { .. }
            | Inst::Reply { .. }
            | Inst::Side { .. }
            | Inst::Depth { .. }
            | Inst::PathEmpty { .. }
            | Inst::PathCopy { .. }
            | Inst::PathPush { .. }
    );
    !asks && inst.assigns().is_some()
}
