//! Labelled sets: what each membership depends on.
//!
//! A set has a *common* label, for how the set came to be this set at all (the
//! condition it was computed under, the direction of a shift), and a label for
//! each square: in every state that satisfies both, this square is in the set
//! if it is here, and out of it if it is not here. Operations choose, square
//! by square, a label that is enough: of an intersection it is enough that one
//! side lacks the square.
//!
//! A question about the set as a whole (how many squares, none at all) depends
//! on all squares. Some sets have a better answer to that than all their
//! squares together: a flooded region is what it is because of the region and
//! its border, wherever else there may be more of the same. Such a set has a
//! *whole* label: in every state that satisfies it and the common one, the set
//! is this set.

use std::rc::Rc;

use ludex_ir::{Bits, SetBinary};

use crate::board::Board;
use crate::label::{Label, Labels};

/// A set of squares and what it depends on.
#[derive(Clone, Debug)]
pub(crate) struct LabelledSet {
    /// What all of it depends on.
    pub(crate) common: Label,
    body: Rc<Body>,
}

#[derive(Clone, Debug)]
struct Body {
    squares: Bits,
    /// A label for each square; `None` where all are empty.
    each: Option<Vec<Label>>,
    whole: Option<Label>,
}

impl LabelledSet {
    /// A set that is the same in every state that satisfies `common`.
    pub(crate) fn constant(squares: Bits, common: Label) -> Self {
        Self { common, body: Rc::new(Body { squares, each: None, whole: None }) }
    }

    /// A set with a label for each square, and perhaps one for the whole.
    pub(crate) fn new(
        squares: Bits,
        common: Label,
        each: Option<Vec<Label>>,
        whole: Option<Label>,
    ) -> Self {
        let each = each.filter(|it| it.iter().any(|&label| label != Label::NONE));
        let whole = whole.filter(|_| each.is_some());
        Self { common, body: Rc::new(Body { squares, each, whole }) }
    }

    /// The squares.
    pub(crate) fn squares(&self) -> &Bits {
        &self.body.squares
    }

    /// Whether a square is in the set.
    pub(crate) fn contains(&self, square: usize) -> bool {
        self.body.squares.contains(square)
    }

    /// What the membership of a square depends on besides the common label.
    pub(crate) fn label(&self, square: usize) -> Label {
        self.body.each.as_ref().map_or(Label::NONE, |it| it[square])
    }

    /// Whether all squares have empty labels.
    pub(crate) fn is_constant(&self) -> bool {
        self.body.each.is_none()
    }

    /// What the set as a whole depends on besides the common label, if that is
    /// known to be less than all squares together.
    pub(crate) fn whole(&self) -> Option<Label> {
        self.body.whole
    }

    /// What the memberships of all squares together depend on, common label included.
    pub(crate) fn total(&self, labels: &mut Labels) -> Label {
        let all = match (&self.body.each, self.body.whole) {
            (None, _) => Label::NONE,
            (Some(_), Some(whole)) => whole,
            (Some(each), None) => labels.union_all(each.iter().copied()),
        };
        labels.union(self.common, all)
    }

    /// Whether there is a square, and why: one witness if there is (the one with
    /// the fewest conditions, the lowest of equals), all squares if there is none.
    pub(crate) fn any(&self, labels: &mut Labels) -> (bool, Label) {
        let witness = self.squares().iter().min_by_key(|&it| labels.len(self.label(it)));
        match witness {
            Some(square) => (true, labels.union(self.common, self.label(square))),
            None => (false, self.total(labels)),
        }
    }

    /// Why there are at least `most` squares: as many witnesses, those with the fewest conditions.
    pub(crate) fn at_least(&self, most: usize, labels: &mut Labels) -> Label {
        let mut members: Vec<Label> = self.squares().iter().map(|it| self.label(it)).collect();
        members.sort_by_key(|&it| labels.len(it));
        members.truncate(most);
        labels.union_all(members.into_iter().chain([self.common]))
    }

    /// Why there are at most `most` squares: all others are not there, but for as many as could be
    /// added; those with the most conditions are let go.
    pub(crate) fn at_most(&self, most: usize, count: usize, labels: &mut Labels) -> Label {
        let mut others: Vec<Label> =
            (0..count).filter(|&it| !self.contains(it)).map(|it| self.label(it)).collect();
        others.sort_by_key(|&it| labels.len(it));
        others.truncate(others.len().saturating_sub(most.saturating_sub(self.squares().len())));
        let others = labels.union_all(others.into_iter().chain([self.common]));
        match self.whole() {
            Some(_) => {
                let total = self.total(labels);
                labels.smaller(others, total)
            }
            None => others,
        }
    }

    /// The lowest square above `after`, and why: it is there, and those between are not.
    pub(crate) fn next(&self, after: i64, count: usize, labels: &mut Labels) -> (i64, Label) {
        let first = after.saturating_add(1).clamp(0, count as i64) as usize;
        let found = (first..count).find(|&it| self.contains(it));
        let last = found.map_or(count, |it| it + 1);
        let passed = labels.union_all((first..last).map(|it| self.label(it)));
        let why = self.whole().map_or(passed, |whole| labels.smaller(passed, whole));
        (found.map_or(-1, |it| it as i64), labels.union(self.common, why))
    }

    /// The same set, but for one square.
    pub(crate) fn with_square(&self, square: usize, member: bool, label: Label) -> Self {
        let mut one = Bits::empty(square + 1);
        one.words.resize(self.squares().words.len(), 0);
        one.insert(square);
        let squares = self.squares().zip(&one, |a, b| if member { a | b } else { a & !b });
        let mut each = self.body.each.clone().unwrap_or_default();
        each[square] = label;
        Self::new(squares, self.common, Some(each), None)
    }

    /// Adds a square that is known under `label`. The others stay as they are.
    pub(crate) fn insert(
        &mut self,
        square: usize,
        label: Label,
        count: usize,
        labels: &mut Labels,
    ) {
        let body = Rc::make_mut(&mut self.body);
        body.squares.insert(square);
        if body.each.is_some() || label != Label::NONE {
            body.each.get_or_insert_with(|| vec![Label::NONE; count])[square] = label;
        }
        body.whole = body.whole.map(|it| labels.union(it, label));
    }

    /// `a op b`: square by square, one side if it decides alone, both if not.
    pub(crate) fn binary(op: SetBinary, a: &Self, b: &Self, labels: &mut Labels) -> Self {
        // A union is decided by a side that has the square; an intersection, and a difference
        // (an intersection with what the second lacks), by a side that has not.
        let decides_a = |it: usize| a.contains(it) == (op == SetBinary::Union);
        let decides_b = |it: usize| match op {
            SetBinary::Union | SetBinary::Difference => b.contains(it),
            SetBinary::Intersection => !b.contains(it),
        };
        let squares = a.squares().zip(b.squares(), |a, b| match op {
            SetBinary::Union => a | b,
            SetBinary::Intersection => a & b,
            SetBinary::Difference => a & !b,
        });
        let common = labels.union(a.common, b.common);
        let Some(count) = a.body.each.as_ref().or(b.body.each.as_ref()).map(Vec::len) else {
            return Self::constant(squares, common);
        };
        let each = (0..count)
            .map(|it| match (decides_a(it), decides_b(it)) {
                (true, true) => labels.smaller(a.label(it), b.label(it)),
                (true, false) => a.label(it),
                (false, true) => b.label(it),
                (false, false) => labels.union(a.label(it), b.label(it)),
            })
            .collect();
        // Where one side is known as a whole, the other matters only where that side does not decide.
        let mut whole = None;
        for (known, decides, other) in [
            (a.whole(), &decides_a as &dyn Fn(usize) -> bool, b),
            (b.whole(), &decides_b as &dyn Fn(usize) -> bool, a),
        ] {
            let Some(known) = known else { continue };
            let open = (0..count).filter(|&it| !decides(it)).map(|it| other.label(it));
            let label = labels.union_all(open.chain([known]));
            whole = Some(whole.map_or(label, |it| labels.smaller(it, label)));
        }
        Self::new(squares, common, Some(each), whole)
    }

    /// The squares one step, in one of `dirs`, from squares of the set: a square is reached because
    /// of one square it is reached from, and is not because of all it could be reached from.
    pub(crate) fn stepped(&self, board: &Board, dirs: &[usize], labels: &mut Labels) -> Self {
        let mut squares = Bits::empty(board.squares);
        for square in self.squares().iter() {
            dirs.iter()
                .filter_map(|&dir| board.next(square, dir))
                .for_each(|to| squares.insert(to));
        }
        if self.is_constant() {
            return Self::constant(squares, self.common);
        }
        let each = (0..board.squares)
            .map(|to| {
                let from = dirs.iter().flat_map(|&dir| board.sources(to, dir)).copied();
                if squares.contains(to) {
                    let members = from.filter(|&it| self.contains(it)).map(|it| self.label(it));
                    members.reduce(|a, b| labels.smaller(a, b)).unwrap_or(Label::NONE)
                } else {
                    from.fold(Label::NONE, |all, it| labels.union(all, self.label(it)))
                }
            })
            .collect();
        Self::new(squares, self.common, Some(each), self.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Allowed;

    /// A set of four squares whose membership of square `i` depends on cell `first + i`.
    fn set(labels: &mut Labels, members: &[usize], first: usize) -> LabelledSet {
        let mut squares = Bits::empty(4);
        for &it in members {
            squares.insert(it);
        }
        let each = (0..4).map(|it| labels.condition(first + it, Allowed::Values(1))).collect();
        LabelledSet::new(squares, Label::NONE, Some(each), None)
    }

    fn cells(labels: &Labels, label: Label) -> Vec<u32> {
        labels.conditions(label).iter().map(|it| it.cell).collect()
    }

    #[test]
    fn one_side_may_be_enough() {
        let mut labels = Labels::new();
        let a = set(&mut labels, &[0, 1], 10);
        let b = set(&mut labels, &[1, 2], 20);
        let of = |labels: &mut Labels, op| {
            let set = LabelledSet::binary(op, &a, &b, labels);
            (0..4).map(|it| cells(labels, set.label(it))).collect::<Vec<_>>()
        };
        // Square 0 is in a only, 1 in both, 2 in b only, 3 in neither.
        assert_eq!(of(&mut labels, SetBinary::Union), [vec![10], vec![11], vec![22], vec![13, 23]]);
        assert_eq!(
            of(&mut labels, SetBinary::Intersection),
            [vec![20], vec![11, 21], vec![12], vec![13]]
        );
        assert_eq!(
            of(&mut labels, SetBinary::Difference),
            [vec![10, 20], vec![21], vec![12], vec![13]]
        );
    }

    #[test]
    fn a_witness_or_all() {
        let mut labels = Labels::new();
        let some = set(&mut labels, &[2, 3], 10);
        let (found, why) = some.any(&mut labels);
        assert_eq!((found, cells(&labels, why)), (true, vec![12]));
        let none = set(&mut labels, &[], 10);
        let (found, why) = none.any(&mut labels);
        assert_eq!((found, cells(&labels, why)), (false, vec![10, 11, 12, 13]));
    }

    #[test]
    fn as_many_as_are_needed() {
        let mut labels = Labels::new();
        let set = set(&mut labels, &[1, 2, 3], 10);
        let why = set.at_least(2, &mut labels);
        assert_eq!(cells(&labels, why), [11, 12]);
        let why = set.at_most(3, 4, &mut labels);
        assert_eq!(cells(&labels, why), [10]);
        let why = set.at_most(4, 4, &mut labels);
        assert_eq!(why, Label::NONE);
    }

    #[test]
    fn the_next_square_is_why_the_others_are_not() {
        let mut labels = Labels::new();
        let set = set(&mut labels, &[0, 2], 10);
        let (square, why) = set.next(0, 4, &mut labels);
        assert_eq!((square, cells(&labels, why)), (2, vec![11, 12]));
        let (square, why) = set.next(2, 4, &mut labels);
        assert_eq!((square, cells(&labels, why)), (-1, vec![13]));
    }

    #[test]
    fn a_known_whole_limits_an_intersection() {
        let mut labels = Labels::new();
        let few = set(&mut labels, &[1], 10);
        let known = labels.condition(99, Allowed::Values(1));
        let few = LabelledSet::new(
            few.squares().clone(),
            Label::NONE,
            few.body.each.clone(),
            Some(known),
        );
        let other = set(&mut labels, &[0, 1], 20);
        let both = LabelledSet::binary(SetBinary::Intersection, &few, &other, &mut labels);
        let total = both.total(&mut labels);
        assert_eq!(cells(&labels, total), [21, 99]);
    }
}
