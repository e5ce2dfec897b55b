//! The board of a program: its squares, how they lie, and its men.

use ludex_core::{Board, Player};
use ludex_ir::{Direction, Program};

/// The board of a program.
pub(crate) fn board(program: &Program) -> Board {
    Board {
        squares: program.squares,
        neighbours: neighbours(program),
        lines: lines(program),
        kinds: program.kinds.len(),
        men: program.men.iter().map(|man| (man.owner.map(Player), man.kind)).collect(),
    }
}

/// The squares one step away from each, in the directions of the compass that the rules use.
fn neighbours(program: &Program) -> Vec<Vec<u16>> {
    let single = || program.geometry.directions.iter().filter(|it| it.compass);
    let from = |square: usize| {
        let step = |steps: &Vec<i16>| steps.get(square).and_then(|&it| u16::try_from(it).ok());
        let mut near: Vec<u16> = single().filter_map(|it| step(&it.steps)).collect();
        near.sort_unstable();
        near.dedup();
        near
    };
    (0..program.squares).map(from).collect()
}

/// The rows of squares along the directions of the compass, each as long as it is and in one
/// of its two directions.
fn lines(program: &Program) -> Vec<(u16, Vec<u16>)> {
    let directions = &program.geometry.directions;
    let back =
        |it: &Direction| directions.get(usize::from(it.opposite)).is_some_and(|it| it.compass);
    let mut rows = Vec::new();
    for (number, direction) in directions.iter().enumerate() {
        let is_first = number <= usize::from(direction.opposite) || !back(direction);
        if direction.compass && is_first {
            let squares = rows_along(&direction.steps, program.squares);
            rows.extend(squares.into_iter().map(|it| (number as u16, it)));
        }
    }
    rows
}

/// The rows that steps lead along: first from the squares that no step leads to, then round
/// whatever goes in a circle.
fn rows_along(steps: &[i16], squares: usize) -> Vec<Vec<u16>> {
    let step = |square: usize| steps.get(square).and_then(|&it| usize::try_from(it).ok());
    let mut is_led_to = vec![false; squares];
    let mut is_done = vec![false; squares];
    for to in (0..squares).filter_map(step).filter(|&it| it < squares) {
        is_led_to[to] = true;
    }
    let starts = (0..squares).filter(|&it| !is_led_to[it]).chain(0..squares);
    let mut rows = Vec::new();
    for start in starts {
        let mut row = Vec::new();
        let mut next = Some(start);
        while let Some(square) = next.filter(|&it| it < squares && !is_done[it]) {
            is_done[square] = true;
            row.push(square as u16);
            next = step(square);
        }
        if row.len() > 1 {
            rows.push(row);
        }
    }
    rows
}
