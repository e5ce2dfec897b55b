//! Virtual connections: what a player can connect whatever the opponent does.
//!
//! The ends of a connection are groups of men, the two sides of the board and empty squares. A
//! *virtual connection* (here: full) holds even if the opponent moves first; a *semi-virtual* one
//! (here: semi) needs the first move. The *carrier* is the set of empty squares that it takes.
//! Neighbours have a full connection with an empty carrier. The others follow by two rules
//! (Anshelevich 2002), applied until nothing new follows:
//!
//! - *and*: two full connections with one end in common and disjoint otherwise. If that end is a
//!   group, the other two ends have a full connection; if it is an empty square, a semi connection
//!   whose key is that square.
//! - *or*: semi connections of the same ends whose carriers have no square in common to all. The
//!   opponent cannot spoil all of them by one move: the ends have a full connection.
//!
//! These rules do not find all connections, and only the smallest few of each pair of ends are kept.
//! Every connection that is found holds, wherever the search stops.

use std::collections::VecDeque;

use ludex_core::Limits;

use super::{Men, Side, Squares, is_late, squares_of};

/// Connections of two ends that are kept, at most: full and semi.
const MOST_FULL: usize = 8;
const MOST_SEMI: usize = 16;

/// Semi connections that the *or* rule combines, at most.
const MOST_TOGETHER: usize = 4;

/// Length of the front of the queue of which the smallest connection is taken next.
const CANDIDATES: usize = 64;

/// Steps between two readings of the clock: some hundred microseconds.
const CLOCK: u64 = 4_000;

/// The numbers of the two sides among the ends.
const FROM: usize = 0;
const TO: usize = 1;

/// The connections of one player in a position.
#[derive(Debug)]
pub(super) struct VirtualConnections {
    ends: Vec<End>,
    /// By pairs of ends, both ways round.
    full: Vec<Vec<Squares>>,
    /// By pairs of ends, the lower number first.
    semi: Vec<Vec<SemiConnection>>,
    /// Full connections to which the rules have not been applied yet.
    waiting: VecDeque<(usize, usize, Squares)>,
    /// Pairs of connections tried.
    pub(super) steps: u64,
}

/// An end of a connection.
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

/// A connection that needs one move of its owner.
#[derive(Clone, Copy, Debug)]
struct SemiConnection {
    carrier: Squares,
    /// The square of that move.
    key: Squares,
}

impl VirtualConnections {
    pub(super) fn build(side: &Side, men: Men, limits: Limits<'_>) -> Self {
        let mut built = Self::of_neighbours(side, men);
        let mut next_check = CLOCK;
        while built.full_connections().is_empty()
            && let Some((one, other, carrier)) = built.next()
        {
            if built.steps >= next_check {
                if is_late(limits, built.steps) {
                    break;
                }
                next_check = built.steps + CLOCK;
            }
            built.and_rule(one, other, carrier);
            built.and_rule(other, one, carrier);
        }
        built
    }

    /// The full connections of the two sides.
    fn full_connections(&self) -> &[Squares] {
        &self.full[self.pair(FROM, TO)]
    }

    /// Their semi connections.
    fn semi_connections(&self) -> &[SemiConnection] {
        &self.semi[self.pair(FROM, TO)]
    }

    /// A square on which the player wins if he moves first (`None`: any square), with the carrier;
    /// `None` if no win is known.
    pub(super) fn winning_square(&self) -> Option<(Option<usize>, Squares)> {
        let size = |it: &Squares| it.count_ones();
        if let Some(&carrier) = self.full_connections().iter().min_by_key(|it| size(it)) {
            return Some((squares_of(carrier).next(), carrier));
        }
        let semi = self.semi_connections().iter().min_by_key(|it| size(&it.carrier))?;
        Some((squares_of(semi.key).next(), semi.carrier))
    }

    /// The must-play region: the squares on which the opponent has to move to prevent a win of this
    /// player. `None` if no win is known; the empty set if no move prevents it.
    pub(super) fn must_play(&self) -> Option<Squares> {
        if !self.full_connections().is_empty() {
            return Some(0);
        }
        let carriers = self.semi_connections().iter().map(|it| it.carrier);
        carriers.reduce(|one, other| one & other)
    }

    /// The groups and empty squares, with neighbours connected.
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
        let (full, semi) = (vec![Vec::new(); pairs], vec![Vec::new(); pairs]);
        let mut built = Self { ends, full, semi, waiting: VecDeque::new(), steps: 0 };
        for other in groups..built.ends.len() {
            for one in 0..other {
                if built.ends[one].around & built.ends[other].square != 0 {
                    built.add_full(one, other, 0);
                }
            }
        }
        built
    }

    fn pair(&self, one: usize, other: usize) -> usize {
        one * self.ends.len() + other
    }

    /// A small connection to which the rules have not been applied yet.
    fn next(&mut self) -> Option<(usize, usize, Squares)> {
        let some = 0..self.waiting.len().min(CANDIDATES);
        let smallest = some.min_by_key(|&at| self.waiting[at].2.count_ones())?;
        self.waiting.swap_remove_front(smallest)
    }

    /// The *and* rule, for every connection that leads on from `middle`, which has a full connection
    /// to `one`.
    fn and_rule(&mut self, one: usize, middle: usize, carrier: Squares) {
        // A side does not connect two groups that touch it.
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
            // The list does not change meanwhile: what is added below has other ends.
            for at in 0..self.full[from_here].len() {
                let next = self.full[from_here][at];
                self.steps += 1;
                let meets =
                    next & (carrier | self.ends[one].square) | carrier & self.ends[other].square;
                if meets != 0 {
                    continue;
                }
                if self.ends[middle].is_group() {
                    self.add_full(low, high, carrier | next);
                } else {
                    let carrier = carrier | next | square;
                    self.add_semi(low, high, SemiConnection { carrier, key: square });
                }
            }
        }
    }

    fn add_full(&mut self, one: usize, other: usize, carrier: Squares) {
        let (there, back) = (self.pair(one, other), self.pair(other, one));
        if !make_room(&mut self.full[there], carrier, MOST_FULL, |it| *it) {
            return;
        }
        self.full[there].push(carrier);
        self.full[back] = self.full[there].clone();
        self.semi[there].retain(|it| carrier & !it.carrier != 0);
        self.waiting.push_back((one, other, carrier));
    }

    fn add_semi(&mut self, one: usize, other: usize, semi: SemiConnection) {
        let there = self.pair(one, other);
        let is_full = self.full[there].iter().any(|it| it & !semi.carrier == 0);
        if is_full || !make_room(&mut self.semi[there], semi.carrier, MOST_SEMI, |it| it.carrier) {
            return;
        }
        let others: Vec<Squares> = self.semi[there].iter().map(|it| it.carrier).collect();
        self.semi[there].push(semi);
        self.or_rule((one, other), &others, (semi.carrier, semi.carrier), 1);
    }

    /// The *or* rule: combines semi connections until no square is common to all of them. `common` is
    /// the intersection of the carriers that were chosen before, `all` their union.
    fn or_rule(
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
                self.add_full(one, other, more);
            } else if less != common && count + 1 < MOST_TOGETHER {
                self.or_rule((one, other), &others[..at], (less, more), count + 1);
            }
        }
    }
}

/// Takes the group of men that contains `seed` from those that are left. Its neighbourhood is that of
/// its men and `around`.
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

/// Makes room for a carrier in a list, and says whether it is worth keeping. Supersets of it are
/// dropped, and the largest carrier if the list is full.
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
