//! The board as the study needs it: the interpreter's, with steps backwards and
//! plain sets of squares.

use ludex_interp::geometry;
use ludex_interp::numbers::Plane;
use ludex_ir::{Bits, Program};

/// Steps of a board.
#[derive(Debug)]
pub(crate) struct Board {
    plain: geometry::Board,
    /// How many squares there are.
    pub(crate) squares: usize,
    /// For each direction and square the squares one step away from it.
    sources: Vec<Vec<Vec<usize>>>,
    lists: Vec<Vec<usize>>,
}

impl Board {
    pub(crate) fn new(program: &Program) -> Self {
        let list = |list: &Vec<u16>| list.iter().map(|&dir| dir as usize).collect();
        Self {
            plain: geometry::Board::new(program),
            squares: program.squares,
            sources: program.geometry.directions.iter().map(|it| sources(&it.steps)).collect(),
            lists: program.geometry.lists.iter().map(list).collect(),
        }
    }

    /// The number of a square as an index, if it is one.
    pub(crate) fn square(&self, number: i64) -> Option<usize> {
        self.plain.square(number)
    }

    /// The number of a direction as an index, if it is one.
    pub(crate) fn direction(&self, number: i64) -> Option<usize> {
        self.plain.direction(number)
    }

    /// The square one step away.
    pub(crate) fn next(&self, from: usize, dir: usize) -> Option<usize> {
        self.plain.next(from, dir)
    }

    /// The squares from which a step of `dir` leads to `to`.
    pub(crate) fn sources(&self, to: usize, dir: usize) -> &[usize] {
        &self.sources[dir][to]
    }

    /// The square one step away, or -1.
    pub(crate) fn step(&self, from: i64, dir: i64) -> i64 {
        self.plain.step(from, dir)
    }

    /// A list of directions; empty if there is no such list.
    pub(crate) fn list(&self, number: i64) -> &[usize] {
        usize::try_from(number).ok().and_then(|it| self.lists.get(it)).map_or(&[], Vec::as_slice)
    }

    /// The `count` squares `from`, `from + dir`, ...; empty if it runs off.
    pub(crate) fn line(&self, from: i64, dir: i64, count: i64) -> Bits {
        self.set(|into| self.plain.line(into, from, dir, count))
    }

    /// All squares on the line through `from` along `dir` and its opposite.
    pub(crate) fn axis(&self, from: i64, dir: i64) -> Bits {
        self.set(|into| self.plain.axis(into, from, dir))
    }

    /// The squares strictly between `a` and `b` on the shortest straight line.
    pub(crate) fn between(&self, a: i64, b: i64) -> Bits {
        self.set(|into| self.plain.between(into, a, b))
    }

    fn set(&self, fill: impl FnOnce(&mut [u64])) -> Bits {
        let mut set = Bits::empty(self.squares);
        fill(&mut set.words);
        set
    }
}

fn sources(steps: &[i16]) -> Vec<Vec<usize>> {
    let mut sources = vec![Vec::new(); steps.len()];
    for (from, &to) in steps.iter().enumerate() {
        if let Ok(to) = usize::try_from(to) {
            sources[to].push(from);
        }
    }
    sources
}

impl Plane for Board {
    fn opposite(&self, dir: i64) -> i64 {
        self.plain.opposite(dir)
    }

    fn distance(&self, a: i64, b: i64) -> i64 {
        self.plain.distance(a, b)
    }
}
