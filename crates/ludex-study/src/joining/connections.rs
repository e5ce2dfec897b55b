//! Connections: what can be joined whatever the opponent does.
//!
//! The ends of a connection are groups of men, the two sides of the board and empty squares. One is
//! *sure* if its owner can join its ends although the opponent moves first, and *near* if he can
//! when he moves first himself; its *carrier* are the empty squares that this takes. Neighbours are
//! joined by a sure connection that takes nothing, and the others come by two rules (Anshelevich
//! 2002), as long as there are any:
//!
//! - *and*: two sure connections with one end in common and nothing else. If that end is a group, the
//!   other two are surely joined; if it is an empty square, they are nearly: with a man there.
//! - *or*: near connections of the same ends whose carriers have no square in common. The opponent
//!   can spoil all but one of them by one move: the ends are surely joined.
//!
//! Not all connections are found that way, and of each pair of ends only the smallest few are kept.
//! What is found holds, wherever it is broken off.

use std::collections::VecDeque;

use super::{Men, Patience, Side, Squares, squares_of};

/// So many sure connections of two ends are kept, and so many near ones.
const MOST_SURE: usize = 8;
const MOST_NEAR: usize = 16;

/// So many near connections make a sure one at most.
const MOST_TOGETHER: usize = 4;

/// Of so many connections that wait, the smallest goes first.
const LOOKED_AT: usize = 64;

/// The clock is read once in so many steps, which are some hundred microseconds.
const CLOCK: u64 = 4_000;

/// The numbers of the two sides among the ends.
const FROM: usize = 0;
const TO: usize = 1;

/// The connections of one player in a position.
#[derive(Debug)]
pub(super) struct Connections {
    ends: Vec<End>,
    /// By pairs of ends, both ways round.
    sure: Vec<Vec<Squares>>,
    /// By pairs of ends, the lower number first.
    near: Vec<Vec<Near>>,
    /// Sure connections from which nothing has been made yet.
    waiting: VecDeque<(usize, usize, Squares)>,
    /// How much was tried.
    pub(super) steps: u64,
}

/// What can be joined.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The square, if it is an empty one; no square for men and sides.
    square: Squares,
    /// The squares next to it.
    around: Squares,
}

impl End {
    fn is_group(self) -> bool {
        self.square == 0
    }
}

/// A connection that lacks one move.
#[derive(Clone, Copy, Debug)]
struct Near {
    carrier: Squares,
    /// The move.
    key: Squares,
}

impl Connections {
    pub(super) fn build(side: &Side, men: Men, patience: &Patience<'_>) -> Self {
        let mut built = Self::of_neighbours(side, men);
        let mut next_look = CLOCK;
        while built.sure_ways().is_empty()
            && let Some((one, other, carrier)) = built.next()
        {
            if built.steps >= next_look {
                if patience.is_over(built.steps) {
                    break;
                }
                next_look = built.steps + CLOCK;
            }
            built.join(one, other, carrier);
            built.join(other, one, carrier);
        }
        built
    }

    /// How the sides can be joined whatever happens.
    fn sure_ways(&self) -> &[Squares] {
        &self.sure[self.pair(FROM, TO)]
    }

    /// How they can be joined with the next move.
    fn near_ways(&self) -> &[Near] {
        &self.near[self.pair(FROM, TO)]
    }

    /// A square on which the player wins if he moves first, any if there is none, with all squares
    /// that this takes; `None` if no such thing is known.
    pub(super) fn winning_square(&self) -> Option<(Option<usize>, Squares)> {
        let size = |it: &Squares| it.count_ones();
        if let Some(&carrier) = self.sure_ways().iter().min_by_key(|it| size(it)) {
            return Some((squares_of(carrier).next(), carrier));
        }
        let near = self.near_ways().iter().min_by_key(|it| size(&it.carrier))?;
        Some((squares_of(near.key).next(), near.carrier))
    }

    /// The squares on which the opponent has to move to prevent a win of this player, who moves
    /// next; `None` if no such win is known, no squares if nothing helps.
    pub(super) fn needed(&self) -> Option<Squares> {
        if !self.sure_ways().is_empty() {
            return Some(0);
        }
        let carriers = self.near_ways().iter().map(|it| it.carrier);
        carriers.reduce(|one, other| one & other)
    }

    /// The groups and empty squares, with neighbours joined.
    fn of_neighbours(side: &Side, men: Men) -> Self {
        let mut left = men.own;
        let mut ends = Vec::new();
        for squares in [side.from, side.to] {
            ends.push(take_group(side, squares & men.own, squares, &mut left));
        }
        while left != 0 {
            let seed = left & left.wrapping_neg();
            ends.push(take_group(side, seed, 0, &mut left));
        }
        let groups = ends.len();
        let square = |it: usize| End { square: 1 << it, around: side.steps[it] };
        ends.extend(squares_of(men.empty).map(square));
        let pairs = ends.len() * ends.len();
        let (sure, near) = (vec![Vec::new(); pairs], vec![Vec::new(); pairs]);
        let mut built = Self { ends, sure, near, waiting: VecDeque::new(), steps: 0 };
        for other in groups..built.ends.len() {
            for one in 0..other {
                if built.ends[one].around & built.ends[other].square != 0 {
                    built.add_sure(one, other, 0);
                }
            }
        }
        built
    }

    fn pair(&self, one: usize, other: usize) -> usize {
        one * self.ends.len() + other
    }

    /// A small connection that was not made use of yet.
    fn next(&mut self) -> Option<(usize, usize, Squares)> {
        let some = 0..self.waiting.len().min(LOOKED_AT);
        let smallest = some.min_by_key(|&at| self.waiting[at].2.count_ones())?;
        self.waiting.swap_remove_front(smallest)
    }

    /// *And*: everything that goes on from `middle`, which is surely joined to `one`.
    fn join(&mut self, one: usize, middle: usize, carrier: Squares) {
        // What two groups have in common with a side they need not have with each other.
        if middle <= TO {
            return;
        }
        let End { square, .. } = self.ends[middle];
        for other in 0..self.ends.len() {
            if other == one || other == middle {
                continue;
            }
            let (low, high) = (one.min(other), one.max(other));
            let from_here = self.pair(middle, other);
            // What is added below is of other ends than these.
            for at in 0..self.sure[from_here].len() {
                let next = self.sure[from_here][at];
                self.steps += 1;
                let meets =
                    next & (carrier | self.ends[one].square) | carrier & self.ends[other].square;
                if meets != 0 {
                    continue;
                }
                if self.ends[middle].is_group() {
                    self.add_sure(low, high, carrier | next);
                } else {
                    let carrier = carrier | next | square;
                    self.add_near(low, high, Near { carrier, key: square });
                }
            }
        }
    }

    fn add_sure(&mut self, one: usize, other: usize, carrier: Squares) {
        let (there, back) = (self.pair(one, other), self.pair(other, one));
        if !make_room(&mut self.sure[there], carrier, MOST_SURE, |it| *it) {
            return;
        }
        self.sure[there].push(carrier);
        self.sure[back] = self.sure[there].clone();
        self.near[there].retain(|it| carrier & !it.carrier != 0);
        self.waiting.push_back((one, other, carrier));
    }

    fn add_near(&mut self, one: usize, other: usize, near: Near) {
        let there = self.pair(one, other);
        let is_sure = self.sure[there].iter().any(|it| it & !near.carrier == 0);
        if is_sure || !make_room(&mut self.near[there], near.carrier, MOST_NEAR, |it| it.carrier) {
            return;
        }
        let others: Vec<Squares> = self.near[there].iter().map(|it| it.carrier).collect();
        self.near[there].push(near);
        self.combine((one, other), &others, (near.carrier, near.carrier), 1);
    }

    /// *Or*: those of `others` that have no square in common, together with what is given by what
    /// all of it has in common and by all that it takes.
    fn combine(
        &mut self,
        (one, other): (usize, usize),
        others: &[Squares],
        (common, all): (Squares, Squares),
        count: usize,
    ) {
        for (at, &carrier) in others.iter().enumerate() {
            self.steps += 1;
            let (less, more) = (common & carrier, all | carrier);
            if less == 0 {
                self.add_sure(one, other, more);
            } else if less != common && count + 1 < MOST_TOGETHER {
                self.combine((one, other), &others[..at], (less, more), count + 1);
            }
        }
    }
}

/// Takes the group of men that `seed` belongs to from those that are left, with what is next to it
/// and `around` besides.
fn take_group(side: &Side, seed: Squares, around: Squares, left: &mut Squares) -> End {
    let mut end = End { square: 0, around };
    let mut front = seed & *left;
    while front != 0 {
        let square = front.trailing_zeros() as usize;
        *left &= !(1 << square);
        end.around |= side.steps[square];
        front = (front | side.steps[square]) & *left;
    }
    end
}

/// Whether a carrier is worth keeping in a list: what contains it is dropped for it, and the largest
/// one where the list is full.
fn make_room<T>(
    list: &mut Vec<T>,
    carrier: Squares,
    most: usize,
    of: impl Fn(&T) -> Squares,
) -> bool {
    if list.iter().any(|it| of(it) & !carrier == 0) {
        return false;
    }
    list.retain(|it| carrier & !of(it) != 0);
    if list.len() < most {
        return true;
    }
    let size = |it: &T| of(it).count_ones();
    let largest = (0..list.len()).max_by_key(|&at| size(&list[at]));
    match largest {
        Some(at) if size(&list[at]) > carrier.count_ones() => {
            list.remove(at);
            true
        }
        _ => false,
    }
}
