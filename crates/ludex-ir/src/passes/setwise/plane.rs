//! Questions to the geometry: which direction undoes which, where lists lead.

use crate::bits::Bits;
use crate::program::{OperandKind, Program};

/// The direction that undoes `dir` exactly: it leads from `b` to `a` if and only if `dir` leads
/// from `a` to `b`.
pub(crate) fn inverse(program: &Program, dir: u16) -> Option<u16> {
    let table: Vec<i64> = steps(program, dir)?.iter().map(|&it| i64::from(it)).collect();
    inverse_of(program, &table)
}

/// The direction that undoes a way from each square to another (or to none).
pub(crate) fn inverse_of(program: &Program, table: &[i64]) -> Option<u16> {
    let mut back = vec![-1; program.squares];
    for (from, &to) in table.iter().enumerate() {
        let Ok(to) = usize::try_from(to) else { continue };
        let entry = back.get_mut(to)?;
        if *entry != -1 {
            return None;
        }
        *entry = i16::try_from(from).ok()?;
    }
    let found = program.geometry.directions.iter().position(|it| it.steps == back)?;
    u16::try_from(found).ok()
}

/// A direction, with one that undoes it, that leads from each of some squares where a way does.
pub(crate) fn step_like(program: &Program, table: &[i64], squares: &Bits) -> Option<u16> {
    let alike = |steps: &[i16]| {
        squares.iter().all(|square| {
            steps.get(square).is_some_and(|&it| table.get(square) == Some(&i64::from(it)))
        })
    };
    let directions = program.geometry.directions.iter().enumerate();
    let mut alike = directions.filter(|(_, it)| alike(&it.steps)).map(|(dir, _)| dir as u16);
    alike.find(|&dir| inverse(program, dir).is_some())
}

/// Where a direction leads from each square.
pub(crate) fn steps(program: &Program, dir: u16) -> Option<&[i16]> {
    let direction = program.geometry.directions.get(dir as usize)?;
    (direction.steps.len() == program.squares).then_some(&direction.steps)
}

/// The square one step away, or -1.
pub(crate) fn step(program: &Program, from: i64, dir: i64) -> i64 {
    let dir = usize::try_from(dir).ok().and_then(|it| program.geometry.directions.get(it));
    let to = usize::try_from(from).ok().and_then(|from| dir?.steps.get(from).copied());
    to.map_or(-1, i64::from)
}

/// Whether a walk along a direction always ends.
pub(crate) fn ends(program: &Program, dir: u16) -> bool {
    (0..program.squares).all(|start| walk(program, start, dir).count() < program.squares)
}

/// The squares that steps in a direction lead to, at most as many as there are.
fn walk(program: &Program, start: usize, dir: u16) -> impl Iterator<Item = usize> + '_ {
    let next = move |&at: &usize| usize::try_from(step(program, at as i64, i64::from(dir))).ok();
    std::iter::successors(Some(start), next).skip(1).take(program.squares)
}

/// Whether, from every square, the directions of a list lead to different squares, none of them
/// the square itself: after one step, or anywhere along the rays.
pub(crate) fn apart(program: &Program, list: &[u16], rays: bool) -> bool {
    let length = if rays { usize::MAX } else { 1 };
    let mut seen = vec![usize::MAX; program.squares];
    (0..program.squares).all(|start| {
        if rays {
            seen[start] = start;
        }
        list.iter().all(|&dir| {
            walk(program, start, dir)
                .take(length)
                .all(|at| std::mem::replace(&mut seen[at], start) != start)
        })
    })
}

/// The number of a list of directions, in whatever order, which is added if the program has none. `None`
/// where that would change how moves are packed.
pub(crate) fn list_number(program: &mut Program, list: &[u16]) -> Option<i64> {
    let sorted = |list: &[u16]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    let wanted = sorted(list);
    if let Some(found) = program.geometry.lists.iter().position(|it| sorted(it) == wanted) {
        return Some(found as i64);
    }
    let remembered = program.statements.iter().flat_map(|it| &it.operands);
    if remembered.into_iter().any(|it| it.kind == OperandKind::Directions) {
        return None;
    }
    program.geometry.lists.push(list.to_vec());
    Some(program.geometry.lists.len() as i64 - 1)
}
