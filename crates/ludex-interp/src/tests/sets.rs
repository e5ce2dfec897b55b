//! Set operations against their definitions.

use std::collections::BTreeSet;

use ludex_core::{Game, Random};
use ludex_ir::{
    ArrayRole, Direction, IndexKind, Inst, PackedMove, Program, RoleFunctions, SetBinary, SetReg,
};

use super::build::*;
use crate::geometry::{Board, each, insert, lowest};

/// Boards of one word, of two and of many, wrapped and not, and a graph without any order.
fn boards() -> Vec<Program> {
    let mut graph = square_board(9, 9, false);
    let mut random = Random::stream(5, 0, 0);
    let steps = |random: &mut Random| (0..81).map(|_| random.below(82) as i16 - 1).collect();
    for (name, opposite) in [("here", 9), ("there", 8)] {
        let steps = steps(&mut random);
        let dir = Direction { name: name.to_owned(), compass: true, opposite, steps };
        graph.geometry.directions.push(dir);
    }
    graph.geometry.lists.push(vec![8, 9]);
    vec![
        square_board(3, 3, false),
        square_board(8, 8, false),
        square_board(8, 8, true),
        square_board(19, 19, false),
        square_board(40, 40, true),
        graph,
    ]
}

fn draw(random: &mut Random, squares: usize) -> BTreeSet<usize> {
    let one_in = 1 + random.below(8);
    (0..squares).filter(|_| random.below(one_in) == 0).collect()
}

fn words(set: &BTreeSet<usize>, squares: usize) -> Vec<u64> {
    let mut words = vec![0; squares.div_ceil(64)];
    for &square in set {
        insert(&mut words, square);
    }
    words
}

fn members(words: &[u64]) -> BTreeSet<usize> {
    let mut set = BTreeSet::new();
    each(words, |square| {
        set.insert(square);
    });
    set
}

fn next(program: &Program, square: usize, dir: usize) -> Option<usize> {
    usize::try_from(program.geometry.directions[dir].steps[square]).ok()
}

#[test]
fn shifts_move_every_square() {
    let mut random = Random::stream(6, 0, 0);
    for program in boards() {
        let board = Board::new(&program);
        for _ in 0..20 {
            let set = draw(&mut random, program.squares);
            for dir in 0..program.geometry.directions.len() {
                let mut into = vec![0; board.words];
                board.shift(&mut into, &words(&set, program.squares), dir);
                let expected: BTreeSet<usize> =
                    set.iter().filter_map(|&it| next(&program, it, dir)).collect();
                assert_eq!(members(&into), expected);
            }
        }
    }
}

#[test]
fn lines_run_as_they_are_stepped() {
    let mut random = Random::stream(7, 0, 0);
    for program in boards() {
        let board = Board::new(&program);
        let directions = program.geometry.directions.len();
        for _ in 0..200 {
            let from = random.below(program.squares as u32) as usize;
            let dir = random.below(directions as u32) as usize;
            let count = i64::from(random.below(12)) - 1;
            let mut into = vec![u64::MAX; board.words];
            board.line(&mut into, from as i64, dir as i64, count);
            let mut expected = BTreeSet::new();
            let mut square = Some(from);
            for _ in 0..count {
                match square {
                    Some(it) => {
                        expected.insert(it);
                        square = next(&program, it, dir);
                    }
                    None => expected.clear(),
                }
                if expected.is_empty() {
                    break;
                }
            }
            assert_eq!(members(&into), expected, "{count} from {from} along {dir}");
        }
    }
}

#[test]
fn hostile_lines_end() {
    let program = square_board(8, 8, true);
    let board = Board::new(&program);
    let mut into = vec![0; 1];
    board.line(&mut into, 0, 2, i64::MAX);
    assert_eq!(members(&into), (0..8).collect());
    board.line(&mut into, 0, 0, i64::MAX);
    assert_eq!(into, [0]);
    for (from, dir) in [(-1, 0), (64, 0), (0, -1), (0, 8), (i64::MIN, i64::MAX)] {
        into.fill(u64::MAX);
        board.line(&mut into, from, dir, 1);
        assert_eq!(into, [0]);
        into.fill(u64::MAX);
        board.axis(&mut into, from, dir);
        assert_eq!(into, [0]);
    }
}

#[test]
fn axes_go_both_ways() {
    let program = square_board(8, 8, false);
    let board = Board::new(&program);
    let mut into = vec![0; 1];
    board.axis(&mut into, 9, 4);
    assert_eq!(members(&into), (0..8).map(|it| it * 9).collect());
    let cylinder = square_board(8, 8, true);
    Board::new(&cylinder).axis(&mut into, 9, 2);
    assert_eq!(members(&into), (8..16).collect());
}

#[test]
fn between_is_the_shortest_line() {
    let mut into = vec![0; 1];
    let board = Board::new(&square_board(8, 8, false));
    let mut between = |board: &Board, a, b| {
        board.between(&mut into, a, b);
        members(&into)
    };
    assert_eq!(between(&board, 0, 27), [9, 18].into());
    assert_eq!(between(&board, 27, 0), [9, 18].into());
    assert_eq!(between(&board, 0, 1), [].into());
    assert_eq!(between(&board, 0, 10), [].into());
    assert_eq!(between(&board, 5, 5), [].into());
    assert_eq!(between(&board, -1, 5), [].into());
    let cylinder = Board::new(&square_board(8, 8, true));
    assert_eq!(between(&cylinder, 0, 6), [7].into());
    // Four steps either way: east comes first.
    assert_eq!(between(&cylinder, 0, 4), [1, 2, 3].into());
}

#[test]
fn lowest_goes_up() {
    let set: BTreeSet<usize> = [0, 63, 64, 100, 360].into();
    let words = words(&set, 361);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(square) = lowest(&words, from) {
        found.push(square);
        from = square + 1;
    }
    assert_eq!(found, [0, 63, 64, 100, 360]);
    assert_eq!(lowest(&words, 100_000), None);
}

/// The set in `sets` number 2 after an instruction on numbers 0 and 1, run as a move's effect.
fn run(
    mut program: Program,
    given: [&BTreeSet<usize>; 2],
    instruct: impl Fn(&mut Code, [SetReg; 3]),
) -> BTreeSet<usize> {
    add_kind(&mut program, "man", ["M", "m"]);
    let sets = [IndexKind::Number(3)];
    let array = add_cells(&mut program, "sets", ArrayRole::Set, &sets, (0, 1));
    let mut effect = Code::new("effect");
    let [zero, one, two] = [0, 1, 2].map(|it| effect.number(it));
    let regs = [effect.set(), effect.set(), effect.set()];
    effect.inst(Inst::SetLoad { dst: regs[0], array, index: None });
    effect.inst(Inst::SetLoad { dst: regs[1], array, index: Some(one) });
    instruct(&mut effect, regs);
    effect.inst(Inst::SetStore { array, index: Some(two), src: regs[2] });
    // Sets that are not there are empty, and nothing can be put into them.
    effect.inst(Inst::SetUpdate { array, index: Some(zero), src: regs[0], add: false });
    let none = effect.number(3);
    effect.inst(Inst::SetLoad { dst: regs[0], array, index: Some(none) });
    effect.inst(Inst::SetStore { array, index: Some(none), src: regs[1] });
    effect.inst(Inst::SetUpdate { array, index: Some(zero), src: regs[0], add: true });
    add_statement(&mut program, &[], false, effect);
    let moves = add(&mut program, Code::new("moves"));
    program.roles = RoleFunctions::of(moves);

    let squares = program.squares;
    let base = program.arrays[array.0 as usize].base;
    for (number, set) in given.into_iter().enumerate() {
        for square in set {
            program.start[base + number * squares + square] = 1;
        }
    }
    let game = super::games::game(program);
    let mut position = game.start();
    game.apply(&mut position, &[PackedMove(0)]).expect("no fault");
    let values = game.layout().values(&position.state);
    let read = |number: usize| {
        (0..squares).filter(|it| values[base + number * squares + it] == 1).collect()
    };
    assert_eq!(read(0), BTreeSet::new());
    assert_eq!(read(1), *given[1]);
    read(2)
}

#[test]
fn instructions_on_sets_mean_what_they_say() {
    let mut random = Random::stream(8, 0, 0);
    for program in boards() {
        let squares = program.squares;
        let (a, b) = (draw(&mut random, squares), draw(&mut random, squares));
        let binary = |op| {
            run(program.clone(), [&a, &b], |code, [a, b, dst]| {
                code.inst(Inst::SetBinary { op, dst, a, b });
            })
        };
        assert_eq!(binary(SetBinary::Union), &a | &b);
        assert_eq!(binary(SetBinary::Intersection), &a & &b);
        assert_eq!(binary(SetBinary::Difference), &a - &b);
        for (number, list) in program.geometry.lists.iter().enumerate() {
            let around = |set: &BTreeSet<usize>| -> BTreeSet<usize> {
                let steps = |it: usize| list.iter().map(move |&dir| (it, dir as usize));
                let steps = set.iter().flat_map(|&it| steps(it));
                steps.filter_map(|(it, dir)| next(&program, it, dir)).collect()
            };
            // The register of an operand is also where the answer goes.
            let neighbours = run(program.clone(), [&a, &b], |code, [a, _, dst]| {
                let list = code.number(number as i64);
                code.inst(Inst::SetCopy { dst, src: a });
                code.inst(Inst::Neighbours { dst, src: dst, list });
            });
            assert_eq!(neighbours, around(&a));

            let flooded = run(program.clone(), [&a, &b], |code, [a, b, dst]| {
                let list = code.number(number as i64);
                code.inst(Inst::SetCopy { dst, src: a });
                code.inst(Inst::Flood { dst, from: dst, within: b, list });
            });
            let mut reached = &a & &b;
            loop {
                let more = &reached | &(&around(&reached) & &b);
                if more == reached {
                    break;
                }
                reached = more;
            }
            assert_eq!(flooded, reached);
        }
    }
}
