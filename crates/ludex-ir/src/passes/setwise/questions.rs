//! For which members something holds.

use std::rc::Rc;

use super::body::Body;
use super::plane;
use super::sets::Set;
use super::value::{Group, Num, Spots, Walk, Way};
use crate::inst::{Binary, Inst, Reg, Var};

/// The most squares of a group at fixed distances.
pub(crate) const MOST_SPOTS: usize = 64;

impl Body<'_> {
    /// The members for which a number is not 0.
    pub(crate) fn truth(&mut self, num: &Num) -> Option<Set> {
        match num {
            Num::Known(0) => Some(self.sets.none()),
            Num::Known(_) => Some(self.sets.all()),
            Num::Same(reg) => {
                let zero = self.writer.number(0);
                let ne = Inst::Binary { op: Binary::Ne, dst: *reg, a: *reg, b: zero };
                let Some(Var::Int(flag)) = self.writer.hoist(&ne) else { return None };
                Some(self.sets.all_if(flag))
            }
            Num::Of(way) => {
                let way = Rc::clone(way);
                Some(self.sets.squares_that(|square| way.to[square] != 0))
            }
            Num::Truth(set) => Some(*set),
            Num::Cell(cell) => {
                let bits = cell.by_code.iter().enumerate().filter(|(_, it)| **it != 0);
                let mask = bits.fold(0, |mask, (code, _)| mask | 1_u64 << code);
                let cells = self.sets.cells(mask);
                let on = self.preimage(cells, &Num::Of(Rc::clone(&cell.at)))?;
                if cell.off == 0 {
                    return Some(on);
                }
                let off = self.off(&cell.at);
                Some(self.sets.or(on, off))
            }
            Num::Pieces(pieces) => {
                let mut whole = self.sets.none();
                for (mask, num) in pieces.iter() {
                    let truth = self.truth(num)?;
                    let part = self.sets.and(*mask, truth);
                    whole = self.sets.or(whole, part);
                }
                Some(whole)
            }
            Num::Count(spots) => self.any(&Group::Spots(Rc::clone(spots))),
            Num::End(_) | Num::Start | Num::Unknown => None,
        }
    }

    /// The members from which a way leads off the board.
    fn off(&mut self, way: &Way) -> Set {
        self.sets.squares_that(|square| way.to[square] < 0)
    }

    /// The members whose number, a square, is in a set.
    pub(crate) fn preimage(&mut self, set: Set, num: &Num) -> Option<Set> {
        match num {
            Num::Of(way) => self.back(set, way),
            Num::Known(-1) => Some(self.sets.none()),
            Num::End(walk) => self.ends_in(walk, set),
            _ => None,
        }
    }

    /// The squares from which a way leads into a set.
    fn back(&mut self, set: Set, way: &Way) -> Option<Set> {
        let path = way.path.as_ref()?;
        if path.is_empty() {
            return Some(set);
        }
        if let super::sets::Node::Known(bits) = self.sets.node(set).clone() {
            let inside = |square: usize| {
                usize::try_from(way.to[square]).is_ok_and(|square| bits.contains(square))
            };
            return Some(self.sets.squares_that(inside));
        }
        if let Some(dir) = plane::inverse_of(self.program, &way.to) {
            return Some(self.sets.moved(set, dir, 1));
        }
        // Only the members that reach this place matter: a single step may do for them.
        if let Some(mask) = self.mask {
            let members = self.sets.bound(mask);
            if way.is_identity_on(members) {
                return Some(set);
            }
            if let Some(dir) = plane::step_like(self.program, &way.to, members) {
                return Some(self.sets.moved(set, plane::inverse(self.program, dir)?, 1));
            }
        }
        let mut set = set;
        for &dir in path.iter().rev() {
            let back = plane::inverse(self.program, dir)?;
            set = self.sets.moved(set, back, 1);
        }
        Some(set)
    }

    /// The members whose way leads to the square in a register.
    pub(crate) fn equal(&mut self, way: &Rc<Way>, reg: Reg) -> Option<Set> {
        way.path.as_ref()?;
        let one = self.sets.one(reg);
        let on = self.back(one, way)?;
        let off = self.off(way);
        let reached = match self.mask {
            Some(mask) => self.sets.and(mask, off),
            None => off,
        };
        if self.sets.is_empty(reached) {
            return Some(on);
        }
        // Off the board it is none, and so may be what the register holds.
        let none = self.writer.number(-1);
        let eq = Inst::Binary { op: Binary::Eq, dst: reg, a: reg, b: none };
        let Some(Var::Int(flag)) = self.writer.hoist(&eq) else { return None };
        let if_none = self.sets.all_if(flag);
        let both = self.sets.and(off, if_none);
        Some(self.sets.or(on, both))
    }

    /// The members whose group has a square.
    pub(crate) fn any(&mut self, group: &Group) -> Option<Set> {
        match group {
            Group::Spots(spots) => {
                let mut whole = self.sets.none();
                for way in &spots.ways {
                    let part = self.back(spots.within, way)?;
                    whole = self.sets.or(whole, part);
                }
                let known = self.sets.known(spots.whole.clone());
                Some(self.sets.and(whole, known))
            }
            Group::Walked(walk) => self.back(walk.through, &walk.first),
            Group::Pieces(pieces) => {
                let mut whole = self.sets.none();
                for (mask, group) in pieces.iter() {
                    let any = self.any(group)?;
                    let part = self.sets.and(*mask, any);
                    whole = self.sets.or(whole, part);
                }
                Some(whole)
            }
            Group::Fixed(set) if self.sets.is_empty(*set) => Some(*set),
            Group::Fixed(set) => {
                let set = self.writer.set(self.program, &self.sets, *set);
                let any = Inst::Any { dst: Reg(0), set };
                let Some(Var::Int(flag)) = self.writer.hoist(&any) else { return None };
                Some(self.sets.all_if(flag))
            }
            Group::Start(_) | Group::Grown(_) | Group::Unknown => None,
        }
    }

    /// Compares how many squares of a group count with a number, which may be none or all of them.
    pub(crate) fn counted(
        &mut self,
        op: Binary,
        spots: &Rc<Spots>,
        number: i64,
        left: bool,
    ) -> Num {
        let most = spots.ways.len() as i64;
        // As "at least this number", or its opposite.
        let (least, yes) = match (op, left) {
            (Binary::Eq, _) if number == most => (most, true),
            (Binary::Ne, _) if number == most => (most, false),
            (Binary::Eq, _) if number == 0 => (1, false),
            (Binary::Ne, _) if number == 0 => (1, true),
            (Binary::Le, true) => (number, true),
            (Binary::Lt, true) => (number + 1, true),
            (Binary::Lt, false) => (number, false),
            (Binary::Le, false) => (number + 1, false),
            _ => return Num::Unknown,
        };
        let holds = match least {
            _ if least > most => Some(self.sets.none()),
            _ if least <= 0 => Some(self.sets.all()),
            1 => self.any(&Group::Spots(Rc::clone(spots))),
            _ if least == most => self.all_there(spots),
            _ => None,
        };
        match holds {
            Some(set) if yes => Num::Truth(set),
            Some(set) => Num::Truth(self.sets.complement(set)),
            None => Num::Unknown,
        }
    }

    /// The members all of whose squares count.
    fn all_there(&mut self, spots: &Spots) -> Option<Set> {
        let differ = |square: usize| {
            let mut seen: Vec<i64> = spots.ways.iter().map(|way| way.to[square]).collect();
            seen.sort_unstable();
            seen.windows(2).all(|pair| pair[0] != pair[1] || pair[0] < 0)
        };
        if !spots.whole.iter().all(differ) {
            return None;
        }
        let mut whole = self.sets.known(spots.whole.clone());
        if let Some(run) = self.run_of(spots)? {
            return Some(self.sets.and(whole, run));
        }
        for way in &spots.ways {
            let part = self.back(spots.within, way)?;
            whole = self.sets.and(whole, part);
        }
        Some(whole)
    }

    /// For squares one after another in one direction, the squares from which all of them are
    /// in the set: twice as many with each intersection.
    #[allow(clippy::option_option, reason = "not understood, or no line, or the set")]
    fn run_of(&mut self, spots: &Spots) -> Option<Option<Set>> {
        let (Some(first), Some(second)) = (spots.ways.first(), spots.ways.get(1)) else {
            return Some(None);
        };
        let (Some(base), Some(path)) = (first.path.as_ref(), second.path.as_ref()) else {
            return None;
        };
        let Some(&dir) = path.last() else { return Some(None) };
        let in_line = spots.ways.iter().enumerate().all(|(steps, way)| {
            way.path.as_ref().is_some_and(|path| {
                path.len() == base.len() + steps
                    && path.starts_with(base)
                    && path[base.len()..].iter().all(|&it| it == dir)
            })
        });
        let Some(back) = plane::inverse(self.program, dir).filter(|_| in_line) else {
            return Some(None);
        };
        let wanted = spots.ways.len() as u16;
        let (mut run, mut length) = (spots.within, 1);
        while length < wanted {
            let more = length.min(wanted - length);
            let moved = self.sets.moved(run, back, more);
            run = self.sets.and(run, moved);
            length += more;
        }
        let first = Rc::clone(first);
        Some(Some(self.back(run, &first)?))
    }

    /// The members whose walk ends on a square of a set.
    pub(crate) fn ends_in(&mut self, walk: &Walk, set: Set) -> Option<Set> {
        let back = plane::inverse(self.program, walk.dir)?;
        let ends = self.sets.minus(set, walk.through);
        let slide = self.sets.slide(ends, walk.through, back);
        // The first step of the walk is one more step of the slide.
        let path = walk.first.path.as_ref()?;
        if path.last() == Some(&walk.dir) {
            let before = self.way(&path[..path.len() - 1]);
            return self.back(slide, &before);
        }
        let inside = self.sets.and(walk.through, slide);
        let starts = self.sets.or(ends, inside);
        self.back(starts, &walk.first)
    }

    /// Where some steps lead from each square.
    fn way(&self, path: &[u16]) -> Way {
        let to = (0..self.program.squares as i64).map(|square| {
            path.iter().fold(square, |at, &dir| plane::step(self.program, at, i64::from(dir)))
        });
        Way { to: to.collect(), path: Some(path.to_vec()) }
    }
}
