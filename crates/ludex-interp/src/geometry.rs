//! The board as tables: steps, shifts of whole sets, lines and distances.
//!
//! Most directions move almost every square by the same number, so a shift of a
//! set is a few shifts of its bits (`Shift`): one for a plain grid, two where an
//! edge is wrapped. Directions of free graphs go square by square.

use crate::numbers::Plane;
use ludex_ir::Program;

/// A direction that needs more shifts of bits than this goes square by square.
const MOST_RUNS: usize = 4;

/// Squares that a direction moves by the same number.
#[derive(Clone, Debug)]
struct Run {
    /// What is added to the number of the square.
    offset: isize,
    /// The squares.
    from: Vec<u64>,
}

/// Steps of the board and what follows from them.
#[derive(Clone, Debug)]
pub struct Board {
    /// How many squares there are.
    pub squares: usize,
    /// Words of a set.
    pub words: usize,
    /// How many directions there are.
    directions: usize,
    /// The square one step from square `s` in direction `d`, at `d * squares + s`.
    steps: Vec<i16>,
    opposites: Vec<i64>,
    compass: Vec<bool>,
    lists: Vec<Vec<u16>>,
    /// The bit shifts of each direction; none where there would be too many.
    shifts: Vec<Option<Vec<Run>>>,
    /// Column and row of each square of the grid.
    places: Vec<Option<(i32, i32)>>,
}

impl Board {
    /// The board of a program.
    pub fn new(program: &Program) -> Self {
        let directions = &program.geometry.directions;
        let opposite = |it: u16| if (it as usize) < directions.len() { i64::from(it) } else { -1 };
        Self {
            squares: program.squares,
            words: program.squares.div_ceil(64),
            directions: directions.len(),
            steps: directions.iter().flat_map(|it| it.steps.iter().copied()).collect(),
            opposites: directions.iter().map(|it| opposite(it.opposite)).collect(),
            compass: directions.iter().map(|it| it.compass).collect(),
            lists: program.geometry.lists.clone(),
            shifts: directions.iter().map(|it| runs(&it.steps)).collect(),
            places: places(program),
        }
    }

    /// The number of a square as an index, if it is one.
    #[inline]
    pub fn square(&self, number: i64) -> Option<usize> {
        ((number as u64) < self.squares as u64).then_some(number as usize)
    }

    /// The number of a direction as an index, if it is one.
    #[inline]
    pub fn direction(&self, number: i64) -> Option<usize> {
        ((number as u64) < self.directions as u64).then_some(number as usize)
    }

    /// The square one step away, or -1.
    #[inline]
    pub fn step(&self, from: i64, dir: i64) -> i64 {
        match (self.square(from), self.direction(dir)) {
            (Some(from), Some(dir)) => i64::from(self.steps[dir * self.squares + from]),
            _ => -1,
        }
    }

    /// The square one step away, if there is one.
    #[inline]
    pub fn next(&self, from: usize, dir: usize) -> Option<usize> {
        usize::try_from(self.steps[dir * self.squares + from]).ok()
    }

    /// A list of directions; empty if there is no such list.
    #[inline]
    pub fn list(&self, number: i64) -> &[u16] {
        usize::try_from(number).ok().and_then(|it| self.lists.get(it)).map_or(&[], Vec::as_slice)
    }

    /// Adds to `into` the squares one step in direction `dir` from those of `from`.
    pub fn shift(&self, into: &mut [u64], from: &[u64], dir: usize) {
        match &self.shifts[dir] {
            Some(runs) => {
                for run in runs {
                    add_shifted(into, from, &run.from, run.offset);
                }
            }
            None => each(from, |square| {
                if let Some(next) = self.next(square, dir) {
                    insert(into, next);
                }
            }),
        }
    }

    /// Adds to `into` the squares one step in a direction of `list` from those of `from`.
    pub fn neighbours(&self, into: &mut [u64], from: &[u64], list: &[u16]) {
        for &dir in list {
            self.shift(into, from, dir as usize);
        }
    }

    /// Adds to `into` the squares that steps in `dir` lead to from `from`, as far as the squares
    /// on the way are in `through`.
    pub fn ray(&self, into: &mut [u64], from: usize, through: &[u64], dir: usize) {
        let mut square = from;
        // A line that is still on the board after as many steps as there are squares goes round in circles.
        for _ in 0..self.squares {
            let Some(next) = self.next(square, dir) else { return };
            insert(into, next);
            if !contains(through, next) {
                return;
            }
            square = next;
        }
    }

    /// The square `count` steps away, or -1; the square itself for no steps or fewer.
    pub fn hop(&self, from: i64, dir: i64, count: i64) -> i64 {
        let (Some(mut square), Some(dir)) = (self.square(from), self.direction(dir)) else {
            return if count <= 0 && self.square(from).is_some() { from } else { -1 };
        };
        let mut rest = count.max(0);
        // A walk that is still on the board after as many steps as there are squares goes round in
        // a circle, of no more squares than there are.
        if rest > self.squares as i64 {
            for _ in 0..self.squares {
                let Some(next) = self.next(square, dir) else { return -1 };
                square = next;
            }
            let circle = std::iter::successors(self.next(square, dir), |&it| self.next(it, dir));
            let length = circle.take_while(|&it| it != square).count() as i64 + 1;
            rest = (rest - self.squares as i64) % length;
        }
        for _ in 0..rest {
            let Some(next) = self.next(square, dir) else { return -1 };
            square = next;
        }
        square as i64
    }

    /// Makes `into` the first `count` of the squares `from`, `from + dir`, ..., as far as the
    /// board goes.
    pub fn reach(&self, into: &mut [u64], from: i64, dir: i64, count: i64) {
        into.fill(0);
        let (Some(mut square), Some(dir)) = (self.square(from), self.direction(dir)) else {
            if let Some(square) = self.square(from).filter(|_| count > 0) {
                insert(into, square);
            }
            return;
        };
        for _ in 0..count.min(self.squares as i64) {
            insert(into, square);
            let Some(next) = self.next(square, dir) else { return };
            square = next;
        }
    }

    /// Makes `into` the `count` squares `from`, `from + dir`, ...; empty if it runs off.
    pub fn line(&self, into: &mut [u64], from: i64, dir: i64, count: i64) {
        into.fill(0);
        let (Some(mut square), Some(dir)) = (self.square(from), self.direction(dir)) else {
            return;
        };
        // After as many steps as there are squares a line that is still on the
        // board goes round in circles.
        for _ in 1..count.min(self.squares as i64 + 1) {
            insert(into, square);
            match self.next(square, dir) {
                Some(next) => square = next,
                None => return into.fill(0),
            }
        }
        if count > 0 {
            insert(into, square);
        }
    }

    /// Makes `into` all squares on the line through `from` along `dir` and its opposite.
    pub fn axis(&self, into: &mut [u64], from: i64, dir: i64) {
        into.fill(0);
        let (Some(start), Some(_)) = (self.square(from), self.direction(dir)) else { return };
        insert(into, start);
        for dir in [dir, self.opposite(dir)] {
            let Some(dir) = self.direction(dir) else { continue };
            let mut square = start;
            for _ in 0..self.squares {
                match self.next(square, dir) {
                    Some(next) if next != start => square = next,
                    _ => break,
                }
                insert(into, square);
            }
        }
    }

    /// Makes `into` the squares strictly between `a` and `b` on the shortest straight line.
    pub fn between(&self, into: &mut [u64], a: i64, b: i64) {
        into.fill(0);
        let (Some(a), Some(b)) = (self.square(a), self.square(b)) else { return };
        if a == b {
            return;
        }
        let lines = (0..self.directions).filter(|&dir| self.compass[dir]);
        let lengths = lines.filter_map(|dir| Some((self.steps_between(a, b, dir)?, dir)));
        let Some((steps, dir)) = lengths.min_by_key(|&(steps, _)| steps) else { return };
        let mut square = a;
        for _ in 1..steps {
            square = self.next(square, dir).unwrap_or(square);
            insert(into, square);
        }
    }

    /// How many steps along `dir` lead from `a` to `b`.
    fn steps_between(&self, a: usize, b: usize, dir: usize) -> Option<usize> {
        let mut square = a;
        for steps in 1..=self.squares {
            square = self.next(square, dir)?;
            if square == b {
                return Some(steps);
            }
            if square == a {
                return None;
            }
        }
        None
    }
}

/// Column and row of each square that the grid shows.
fn places(program: &Program) -> Vec<Option<(i32, i32)>> {
    let mut places = vec![None; program.squares];
    for (index, &square) in program.look.at.iter().enumerate() {
        let columns = program.look.columns.max(1);
        if let Some(place) = usize::try_from(square).ok().and_then(|it| places.get_mut(it)) {
            *place = Some(((index % columns) as i32, (index / columns) as i32));
        }
    }
    places
}

/// The squares of a direction by how far it moves them; none if there are too many distances.
fn runs(steps: &[i16]) -> Option<Vec<Run>> {
    let words = steps.len().div_ceil(64);
    let mut runs: Vec<Run> = Vec::new();
    for (square, &to) in steps.iter().enumerate().filter(|&(_, &to)| to >= 0) {
        let offset = to as isize - square as isize;
        let index = runs.iter().position(|it| it.offset == offset).unwrap_or_else(|| {
            runs.push(Run { offset, from: vec![0; words] });
            runs.len() - 1
        });
        insert(&mut runs[index].from, square);
        if runs.len() > MOST_RUNS {
            return None;
        }
    }
    Some(runs)
}

/// Adds to `into` the squares of `from` and `mask`, each moved by `offset`.
#[inline]
fn add_shifted(into: &mut [u64], from: &[u64], mask: &[u64], offset: isize) {
    let (words, bits) = (offset.unsigned_abs() / 64, offset.unsigned_abs() % 64);
    for (index, (from, mask)) in from.iter().zip(mask).enumerate() {
        let moved = from & mask;
        if moved == 0 {
            continue;
        }
        // The mask holds only squares that stay on the board, so the bits that
        // leave a word have a word to go to.
        if offset >= 0 {
            into[index + words] |= moved << bits;
            let carried = moved.checked_shr(64 - bits as u32).unwrap_or(0);
            if carried != 0 {
                into[index + words + 1] |= carried;
            }
        } else {
            let low = moved >> bits;
            if low != 0 {
                into[index - words] |= low;
            }
            let carried = moved.checked_shl(64 - bits as u32).unwrap_or(0);
            if carried != 0 {
                into[index - words - 1] |= carried;
            }
        }
    }
}

/// Adds a square to a set.
#[inline]
pub fn insert(set: &mut [u64], square: usize) {
    set[square / 64] |= 1 << (square % 64);
}

/// Takes a square out of a set.
#[inline]
pub fn remove(set: &mut [u64], square: usize) {
    set[square / 64] &= !(1 << (square % 64));
}

/// Whether a square is in a set.
#[inline]
pub fn contains(set: &[u64], square: usize) -> bool {
    set[square / 64] >> (square % 64) & 1 == 1
}

/// Calls `visit` with each square of a set, lowest first.
#[inline]
pub fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (index, &word) in set.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(index * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The lowest square of a set that is not below `from`.
#[inline]
pub fn lowest(set: &[u64], from: usize) -> Option<usize> {
    let first = from / 64;
    let mut word = set.get(first)? & (u64::MAX << (from % 64));
    let mut index = first;
    loop {
        if word != 0 {
            return Some(index * 64 + word.trailing_zeros() as usize);
        }
        index += 1;
        word = *set.get(index)?;
    }
}

impl Plane for Board {
    #[inline]
    fn opposite(&self, dir: i64) -> i64 {
        self.direction(dir).map_or(-1, |dir| self.opposites[dir])
    }

    fn distance(&self, a: i64, b: i64) -> i64 {
        let place = |square| self.square(square).and_then(|it| self.places[it]);
        match (place(a), place(b)) {
            (Some(a), Some(b)) => i64::from((a.0 - b.0).abs().max((a.1 - b.1).abs())),
            _ => -1,
        }
    }
}
