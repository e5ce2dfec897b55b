//! The interpreter's tables of a board hold what the definitions of [`ludex_ir::inst`] say, written
//! down here square by square.

use std::collections::BTreeSet;

use ludex_interp::geometry::{Board, each};
use ludex_interp::numbers::Plane;
use ludex_ir::Program;

type Squares = BTreeSet<usize>;

/// The geometry of a program by its definitions.
struct Definitions<'a> {
    program: &'a Program,
}

impl Definitions<'_> {
    fn square(&self, number: i64) -> Option<usize> {
        usize::try_from(number).ok().filter(|&it| it < self.program.squares)
    }

    fn direction(&self, number: i64) -> Option<usize> {
        let directions = self.program.geometry.directions.len();
        usize::try_from(number).ok().filter(|&it| it < directions)
    }

    fn next(&self, from: usize, dir: usize) -> Option<usize> {
        usize::try_from(self.program.geometry.directions[dir].steps[from]).ok()
    }

    fn step(&self, from: i64, dir: i64) -> i64 {
        let to = self.square(from).zip(self.direction(dir)).and_then(|(a, d)| self.next(a, d));
        to.map_or(-1, |it| it as i64)
    }

    fn opposite(&self, dir: i64) -> i64 {
        let directions = &self.program.geometry.directions;
        self.direction(dir).map_or(-1, |it| i64::from(directions[it].opposite))
    }

    /// The squares that `from` and up to `count` steps lead to, until the board ends or `from`
    /// comes again, and whether the board did not end.
    fn walk(&self, from: usize, dir: usize, count: usize) -> (Vec<usize>, bool) {
        let mut walked = vec![from];
        for _ in 0..count {
            match self.next(walked[walked.len() - 1], dir) {
                Some(next) if next == from => break,
                Some(next) => walked.push(next),
                None => return (walked, false),
            }
        }
        (walked, true)
    }

    fn line(&self, from: i64, dir: i64, count: i64) -> Squares {
        let (Some(from), Some(dir)) = (self.square(from), self.direction(dir)) else {
            return Squares::new();
        };
        // More steps than squares only go round in circles.
        let steps = count.min(self.program.squares as i64 + 1).saturating_sub(1);
        match usize::try_from(steps).map(|it| self.walk(from, dir, it)) {
            Ok((walked, true)) => walked.into_iter().collect(),
            _ => Squares::new(),
        }
    }

    fn axis(&self, from: i64, dir: i64) -> Squares {
        let (Some(from), Some(_)) = (self.square(from), self.direction(dir)) else {
            return Squares::new();
        };
        let both = [dir, self.opposite(dir)].into_iter().filter_map(|it| self.direction(it));
        both.flat_map(|it| self.walk(from, it, self.program.squares).0).collect()
    }

    fn between(&self, a: i64, b: i64) -> Squares {
        let (Some(a), Some(b)) = (self.square(a), self.square(b)) else { return Squares::new() };
        let directions = &self.program.geometry.directions;
        let compass = (0..directions.len()).filter(|&it| directions[it].compass);
        let ways = compass.filter_map(|dir| {
            let (walked, _) = self.walk(a, dir, self.program.squares);
            let steps = walked.iter().position(|&it| it == b).filter(|&it| it > 0)?;
            Some(walked[1..steps].to_vec())
        });
        ways.min_by_key(Vec::len).into_iter().flatten().collect()
    }

    /// Column and row of a square: the last place of the grid that shows it.
    fn place(&self, square: i64) -> Option<(i64, i64)> {
        let look = &self.program.look;
        let square = self.square(square)?;
        let index = look.at.iter().rposition(|&it| usize::try_from(it) == Ok(square))?;
        let columns = look.columns.max(1);
        Some(((index % columns) as i64, (index / columns) as i64))
    }

    fn distance(&self, a: i64, b: i64) -> i64 {
        match (self.place(a), self.place(b)) {
            (Some(a), Some(b)) => (a.0 - b.0).abs().max((a.1 - b.1).abs()),
            _ => -1,
        }
    }
}

/// A set that the interpreter fills, which was not empty before.
fn filled(board: &Board, fill: impl FnOnce(&mut [u64])) -> Squares {
    let mut words = vec![u64::MAX; board.words];
    fill(&mut words);
    let mut squares = Squares::new();
    each(&words, |it| {
        squares.insert(it);
    });
    squares
}

/// Every number of a thing, and some that are none.
fn numbers(count: usize) -> impl Iterator<Item = i64> + Clone {
    (-1..=count as i64).chain([i64::MIN, i64::MAX])
}

fn compare_lines(name: &str, board: &Board, naive: &Definitions<'_>, from: i64, dir: i64) {
    let at = format!("{name}: square {from}, direction {dir}");
    assert_eq!(board.step(from, dir), naive.step(from, dir), "step, {at}");
    assert_eq!(filled(board, |it| board.axis(it, from, dir)), naive.axis(from, dir), "axis, {at}");
    let squares = board.squares as i64;
    for count in [i64::MIN, -1, 0, 1, 2, 3, 4, 5, 8, squares, squares + 1, i64::MAX] {
        let line = filled(board, |it| board.line(it, from, dir, count));
        assert_eq!(line, naive.line(from, dir, count), "line of {count}, {at}");
    }
}

fn compare_pairs(name: &str, board: &Board, naive: &Definitions<'_>, a: i64, b: i64) {
    let at = format!("{name}: squares {a} and {b}");
    assert_eq!(board.distance(a, b), naive.distance(a, b), "distance, {at}");
    assert_eq!(filled(board, |it| board.between(it, a, b)), naive.between(a, b), "between, {at}");
}

#[test]
fn the_interpreter_follows_the_definitions_of_geometry() {
    let mut boards = 0;
    for game in crate::common::games() {
        let (name, program) = (game.name_of_game(), game.program());
        let (board, naive) = (Board::new(program), Definitions { program });
        let (squares, directions) =
            (numbers(program.squares), numbers(program.geometry.directions.len()));
        for dir in directions.clone() {
            assert_eq!(board.opposite(dir), naive.opposite(dir), "{name}: direction {dir}");
        }
        for from in squares.clone() {
            directions.clone().for_each(|dir| compare_lines(name, &board, &naive, from, dir));
            squares.clone().for_each(|to| compare_pairs(name, &board, &naive, from, to));
        }
        boards += 1;
    }
    assert!(boards > 20, "too few boards: do the games compile?");
}
