//! The board as the study needs it: steps forwards and backwards, lines, and
//! plain sets of squares.
//!
//! These are the definitions of [`ludex_ir::inst`] written down square by square;
//! the interpreter has faster ones, and a test holds the two together.

use ludex_interp::numbers::Plane;
use ludex_ir::{Bits, Program};

/// Steps of a board.
#[derive(Debug)]
pub(crate) struct Board {
    /// How many squares there are.
    pub(crate) squares: usize,
    /// For each direction and square the square one step away.
    steps: Vec<Vec<Option<usize>>>,
    /// For each direction and square the squares one step away from it.
    sources: Vec<Vec<Vec<usize>>>,
    opposites: Vec<usize>,
    compass: Vec<bool>,
    lists: Vec<Vec<usize>>,
    /// Column and row of each square of the grid.
    places: Vec<Option<(i64, i64)>>,
}

impl Board {
    pub(crate) fn new(program: &Program) -> Self {
        let directions = &program.geometry.directions;
        let steps: Vec<Vec<Option<usize>>> = directions
            .iter()
            .map(|it| it.steps.iter().map(|&to| usize::try_from(to).ok()).collect())
            .collect();
        let list = |list: &Vec<u16>| list.iter().map(|&dir| dir as usize).collect();
        Self {
            squares: program.squares,
            sources: steps.iter().map(|steps| sources(steps)).collect(),
            steps,
            opposites: directions.iter().map(|it| it.opposite as usize).collect(),
            compass: directions.iter().map(|it| it.compass).collect(),
            lists: program.geometry.lists.iter().map(list).collect(),
            places: places(program),
        }
    }

    /// The number of a square as an index, if it is one.
    pub(crate) fn square(&self, number: i64) -> Option<usize> {
        usize::try_from(number).ok().filter(|&it| it < self.squares)
    }

    /// The number of a direction as an index, if it is one.
    pub(crate) fn direction(&self, number: i64) -> Option<usize> {
        usize::try_from(number).ok().filter(|&it| it < self.steps.len())
    }

    /// The square one step away.
    pub(crate) fn next(&self, from: usize, dir: usize) -> Option<usize> {
        self.steps[dir][from]
    }

    /// The squares from which a step of `dir` leads to `to`.
    pub(crate) fn sources(&self, to: usize, dir: usize) -> &[usize] {
        &self.sources[dir][to]
    }

    /// The square one step away, or -1.
    pub(crate) fn step(&self, from: i64, dir: i64) -> i64 {
        let to = self.square(from).zip(self.direction(dir)).and_then(|(a, d)| self.next(a, d));
        to.map_or(-1, |it| it as i64)
    }

    /// A list of directions; empty if there is no such list.
    pub(crate) fn list(&self, number: i64) -> &[usize] {
        usize::try_from(number).ok().and_then(|it| self.lists.get(it)).map_or(&[], Vec::as_slice)
    }

    /// The `count` squares `from`, `from + dir`, ...; empty if it runs off.
    pub(crate) fn line(&self, from: i64, dir: i64, count: i64) -> Bits {
        let empty = Bits::empty(self.squares);
        let (Some(mut square), Some(dir)) = (self.square(from), self.direction(dir)) else {
            return empty;
        };
        if count <= 0 {
            return empty;
        }
        let mut line = empty.clone();
        line.insert(square);
        // More steps than squares only go round in circles.
        for _ in 1..count.min(self.squares as i64 + 1) {
            match self.next(square, dir) {
                Some(next) => square = next,
                None => return empty,
            }
            line.insert(square);
        }
        line
    }

    /// All squares on the line through `from` along `dir` and its opposite.
    pub(crate) fn axis(&self, from: i64, dir: i64) -> Bits {
        let mut axis = Bits::empty(self.squares);
        let (Some(from), Some(ahead)) = (self.square(from), self.direction(dir)) else {
            return axis;
        };
        axis.insert(from);
        for dir in [ahead, self.opposites[ahead]] {
            let mut square = from;
            for _ in 0..self.squares {
                match self.next(square, dir) {
                    Some(next) if next != from => square = next,
                    _ => break,
                }
                axis.insert(square);
            }
        }
        axis
    }

    /// The squares strictly between `a` and `b` on the shortest straight line.
    pub(crate) fn between(&self, a: i64, b: i64) -> Bits {
        let mut between = Bits::empty(self.squares);
        let (Some(a), Some(b)) = (self.square(a), self.square(b)) else { return between };
        if a == b {
            return between;
        }
        let lines = (0..self.steps.len()).filter(|&dir| self.compass[dir]);
        let lengths = lines.filter_map(|dir| Some((self.steps_between(a, b, dir)?, dir)));
        let Some((steps, dir)) = lengths.min_by_key(|&(steps, _)| steps) else { return between };
        let mut square = a;
        for _ in 1..steps {
            square = self.next(square, dir).unwrap_or(square);
            between.insert(square);
        }
        between
    }

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

fn sources(steps: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut sources = vec![Vec::new(); steps.len()];
    for (from, to) in steps.iter().enumerate() {
        if let Some(to) = *to {
            sources[to].push(from);
        }
    }
    sources
}

fn places(program: &Program) -> Vec<Option<(i64, i64)>> {
    let mut places = vec![None; program.squares];
    let columns = program.look.columns.max(1);
    for (index, &square) in program.look.at.iter().enumerate() {
        if let Some(place) = usize::try_from(square).ok().and_then(|it| places.get_mut(it)) {
            *place = Some(((index % columns) as i64, (index / columns) as i64));
        }
    }
    places
}

impl Plane for Board {
    fn opposite(&self, dir: i64) -> i64 {
        self.direction(dir).map_or(-1, |it| self.opposites[it] as i64)
    }

    fn distance(&self, a: i64, b: i64) -> i64 {
        let place = |square| self.square(square).and_then(|it| self.places[it]);
        match (place(a), place(b)) {
            (Some(a), Some(b)) => (a.0 - b.0).abs().max((a.1 - b.1).abs()),
            _ => -1,
        }
    }
}
