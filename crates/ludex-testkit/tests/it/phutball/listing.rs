//! The players of the Berder tournament once more, by hand and without the rules language: numbers
//! for points, arrays for the board, the readings of the printed text as plain code. It is slow and
//! obvious, and what the player files are held against.
//!
//! A point is `(y - 1) * 19 + (x - 1)`; the two goals beyond the board have numbers of their own.

/// Points of the board.
pub(crate) const POINTS: i32 = 361;
/// Beyond the first column.
pub(crate) const LEFT: i32 = 361;
/// Beyond the last column.
pub(crate) const RIGHT: i32 = 362;
/// More than any evaluation.
pub(crate) const INFINI: i32 = 1_000_000;

/// Steps in the order of the listings: 1, -1, 19, -19, 20, -20, 18, -18.
const STEPS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (-1, 1), (1, -1)];

/// A position: where the men are, where the ball is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pitch {
    pub(crate) stones: [bool; POINTS as usize],
    pub(crate) ball: i32,
}

/// Who plays: the one who aims at the last column, or the one who aims at the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The programs of the tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Platon,
    LaoTseu,
    Socrate,
    Kant,
    KantIntended,
    Descartes,
    Introspect,
    Simplet,
}

pub(crate) const ALL: [Who; 8] = [
    Who::Platon,
    Who::LaoTseu,
    Who::Socrate,
    Who::Introspect,
    Who::Kant,
    Who::Descartes,
    Who::Simplet,
    Who::KantIntended,
];

/// The column of a point, from 1; the goals are one further.
pub(crate) fn x(point: i32) -> i32 {
    match point {
        LEFT => 0,
        RIGHT => 20,
        _ => point % 19 + 1,
    }
}

/// The row of a point, from 1.
pub(crate) fn y(point: i32) -> i32 {
    point / 19 + 1
}

fn step(point: i32, (dx, dy): (i32, i32)) -> Option<i32> {
    let (x, y) = (x(point) + dx, y(point) + dy);
    let inside = (1..=19).contains(&x) && (1..=19).contains(&y);
    inside.then_some((y - 1) * 19 + x - 1)
}

fn on_border(point: i32) -> bool {
    [1, 19].contains(&x(point)) || [1, 19].contains(&y(point))
}

impl Pitch {
    pub(crate) fn start() -> Self {
        Self { stones: [false; POINTS as usize], ball: 180 }
    }

    pub(crate) fn is_empty(&self, point: i32) -> bool {
        !self.stones[point as usize] && point != self.ball
    }

    fn is_stone(&self, point: i32) -> bool {
        self.stones[point as usize]
    }

    /// Whether the rules end the game here.
    pub(crate) fn is_over(&self) -> bool {
        self.ball >= POINTS || [1, 19].contains(&x(self.ball))
    }

    /// The position after the ball's jump in a direction, as the listings find it: the scan stops
    /// at any border point.
    fn jumped(&self, direction: (i32, i32)) -> Option<Self> {
        let from = self.ball;
        let mut next = *self;
        let mut at = step(from, direction)?;
        if !self.is_stone(at) {
            return None;
        }
        while !on_border(at) && self.is_stone(at) {
            next.stones[at as usize] = false;
            at = step(at, direction).expect("what is not on the border has neighbours");
        }
        next.ball = if self.is_empty(at) {
            at
        } else if x(at) == 1 {
            LEFT
        } else if x(at) == 19 {
            RIGHT
        } else {
            return None;
        };
        next.stones[at as usize] = false;
        Some(next)
    }

    /// All positions after chains of jumps, depth first, each before those that follow from it.
    pub(crate) fn chains(&self) -> Vec<Self> {
        let mut found = Vec::new();
        self.add_chains(&mut found);
        found
    }

    fn add_chains(&self, found: &mut Vec<Self>) {
        if self.ball >= POINTS {
            return;
        }
        for direction in STEPS {
            if let Some(next) = self.jumped(direction) {
                found.push(next);
                next.add_chains(found);
            }
        }
    }

    fn with_stone(&self, point: i32) -> Self {
        let mut next = *self;
        next.stones[point as usize] = true;
        next
    }

    /// The ball's point and where chains end on the board, with or without those points
    /// themselves, and what is next to them: the points to put a stone on, in order.
    fn points_nearby(&self, chains: &[Self], itself: bool) -> Vec<i32> {
        let mut near: Vec<i32> = Vec::new();
        let ends = chains.iter().map(|it| it.ball).filter(|&it| it < POINTS);
        for end in std::iter::once(self.ball).chain(ends) {
            let own = itself.then_some(end);
            near.extend(own.into_iter().chain(STEPS.iter().filter_map(|&it| step(end, it))));
        }
        near.retain(|&it| self.is_empty(it));
        let mut seen = [false; POINTS as usize];
        near.retain(|&it| !std::mem::replace(&mut seen[it as usize], true));
        near
    }

    /// The positions that a program looks at, in its order, each once.
    pub(crate) fn candidates(&self, who: Who, side: Side, depth: u32) -> Vec<Self> {
        let chains = self.chains();
        let mut list: Vec<Self> = Vec::new();
        if who == Who::Platon && depth.is_multiple_of(2) {
            list.extend(self.policy(side).map(|it| self.with_stone(it)));
            list.extend(&chains);
        } else {
            list.extend(&chains);
            let near = self.points_nearby(&chains, who != Who::Platon);
            list.extend(near.into_iter().map(|it| self.with_stone(it)));
        }
        keep_first(&mut list);
        list
    }

    /// Platon's point: beside the ball towards the other's goal or, if that is taken, the second
    /// of the next two empty points in a row, which may be a row further.
    fn policy(&self, side: Side) -> Option<i32> {
        let (on, last) = if side == Side::Left { (1, 19) } else { (-1, 1) };
        let beside = self.ball + on;
        if self.is_empty(beside) {
            return Some(beside);
        }
        let mut at = beside;
        while (0..POINTS).contains(&at) {
            if self.is_empty(at) && x(at) != last && self.is_empty(at + on) {
                return Some(at + on);
            }
            at += on;
        }
        None
    }

    /// What a program thinks of the position when it plays for `side`.
    pub(crate) fn evaluation(&self, who: Who, side: Side) -> i32 {
        let for_left = |it: i32| if side == Side::Left { it } else { -it };
        match self.ball {
            RIGHT => return for_left(INFINI),
            LEFT => return for_left(-INFINI),
            _ => {}
        }
        let here = x(self.ball);
        match who {
            Who::Platon if here == 19 => for_left(INFINI),
            Who::Platon if here == 1 => for_left(-INFINI),
            Who::Platon => 0,
            Who::Simplet => for_left(here),
            Who::Socrate => {
                let ends = self.chains();
                let ends = ends.iter().map(|it| it.ball).filter(|&it| it < POINTS).map(x);
                let all: Vec<i32> = ends.chain([here]).collect();
                for_left(all.iter().max().unwrap() + all.iter().min().unwrap())
            }
            Who::Descartes | Who::Introspect => {
                let ways: i32 = self.chains().iter().map(|it| x(it.ball) - here).sum();
                for_left(here + ways)
            }
            Who::LaoTseu => self.lao_tseu(side),
            Who::Kant => self.kant(side, 0, 0),
            Who::KantIntended => {
                let gain = |it: &Self| relative(it.ball, side) - relative(self.ball, side);
                self.kant(side, self.ball, self.chains().iter().map(gain).sum())
            }
        }
    }

    /// How far the ball has come, and the stones at odd distances before it.
    fn lao_tseu(&self, side: Side) -> i32 {
        let (here, row) = (x(self.ball), (y(self.ball) - 1) * 19);
        let odd = |column: i32| {
            let far = (column - here).abs();
            if far % 2 == 1 && self.is_stone(row + column - 1) { 19 - far } else { 0 }
        };
        match side {
            Side::Left => here + (here + 1..=19).map(odd).sum::<i32>(),
            Side::Right => 19 - here + (1..here).map(odd).sum::<i32>(),
        }
    }

    fn kant(&self, side: Side, old: i32, mobility: i32) -> i32 {
        let row = (y(old) - 10).abs();
        let (mut sum, mut rows, mut count) = (0, 0, 0);
        for point in (0..POINTS).filter(|&it| self.is_stone(it)) {
            sum += relative(point, side);
            rows += ((y(point) - 10).abs() - row).abs();
            count += 1;
        }
        let mut value = 5 * mobility + 100 * relative(old, side) + 100 * row;
        if count > 0 {
            let adds = side == Side::Right || relative(old, side) > 10;
            value += 20 * (sum + if adds { rows } else { -rows }) / count;
        }
        value
    }
}

/// Leaves the first of positions that are the same.
pub(crate) fn keep_first(list: &mut Vec<Pitch>) {
    let mut kept: Vec<Pitch> = Vec::new();
    for next in list.drain(..) {
        if !kept.contains(&next) {
            kept.push(next);
        }
    }
    *list = kept;
}

/// How far a point is towards the other's goal: 1 to 19 for one, 0 to 18 for the other.
fn relative(point: i32, side: Side) -> i32 {
    if side == Side::Left { x(point) } else { 19 - x(point) }
}

/// How deep a program looks.
pub(crate) fn depth(who: Who) -> u32 {
    match who {
        Who::Platon => 6,
        Who::LaoTseu => 1,
        Who::Simplet | Who::Introspect => 3,
        _ => 4,
    }
}

/// The place in the list of what the program plays, and its value: the first of equals.
pub(crate) fn best(pitch: &Pitch, who: Who, side: Side) -> Option<(usize, i32)> {
    let mut found: Option<(usize, i32)> = None;
    for (index, next) in pitch.candidates(who, side, 0).iter().enumerate() {
        let alpha = found.map_or(-INFINI - 1, |it| it.1);
        let value = value(next, who, side, 1, alpha, INFINI + 1);
        if value > alpha {
            found = Some((index, value));
        }
    }
    found
}

/// Alpha-beta, seen by the side that the program plays for.
fn value(pitch: &Pitch, who: Who, side: Side, ply: u32, mut alpha: i32, mut beta: i32) -> i32 {
    if ply == depth(who) || pitch.is_over() {
        return pitch.evaluation(who, side);
    }
    let ours = ply.is_multiple_of(2);
    let mut best = if ours { -INFINI - 1 } else { INFINI + 1 };
    for next in pitch.candidates(who, side, ply) {
        let found = value(&next, who, side, ply + 1, alpha, beta);
        if ours {
            best = best.max(found);
            alpha = alpha.max(best);
        } else {
            best = best.min(found);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}
