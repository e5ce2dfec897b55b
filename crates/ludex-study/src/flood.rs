//! Why a flood reaches what it reaches.
//!
//! - A square is reached because of **one way** to it: the start is in `from`,
//!   every square of the way is in `within`.
//! - A square outside `within` is not reached because it is outside.
//! - A square of `within` that is not reached lies in a part of `within` that
//!   the flood does not enter: because of the **border** of that part (squares
//!   not in `within`, from which it could be entered) and because no square of
//!   the part is in `from`. If a way led there from a start, then followed
//!   backwards it would leave the part, through the border, or start in it.
//! - Any square is not reached if the flood is **sealed**: the squares around what
//!   is reached are not in `within`, and no other square is a start. That reason is
//!   given if it has no more conditions than the square's own reason.
//! - The flood as a **whole** is sealed, and there are ways to all its squares.

use std::collections::VecDeque;

use ludex_ir::Bits;

use crate::board::Board;
use crate::label::{Label, Labels};
use crate::set::LabelledSet;

/// The squares of `within` that can be reached from `from & within` by steps of `dirs` inside `within`.
pub(crate) fn flood(
    board: &Board,
    from: &LabelledSet,
    within: &LabelledSet,
    dirs: &[usize],
    labels: &mut Labels,
) -> LabelledSet {
    let common = labels.union(from.common, within.common);
    let (reached, ways) = ways(board, from, within, dirs, labels);
    if from.is_constant() && within.is_constant() {
        return LabelledSet::constant(reached, common);
    }
    let sealed = sealed(board, from, within, dirs, &reached, labels);
    // All ways together are all starts and all squares on them.
    let on_ways = |it| if from.contains(it) { ways[it] } else { within.label(it) };
    let whole = labels.union_all(reached.iter().map(on_ways).chain([sealed]));
    let mut each = ways;
    let mut asked = reached.clone();
    for square in 0..board.squares {
        if !within.contains(square) {
            each[square] = labels.smaller(sealed, within.label(square));
        } else if !asked.contains(square) {
            let part = part(board, within, dirs, square);
            let entered = part.iter().any(|&it| reached.contains(it));
            let label = if entered {
                sealed
            } else {
                let cut = cut(board, from, within, dirs, &part, labels);
                labels.smaller(sealed, cut)
            };
            for &it in part.iter().filter(|&&it| !reached.contains(it)) {
                asked.insert(it);
                each[it] = label;
            }
        }
    }
    LabelledSet::new(reached, common, Some(each), Some(whole))
}

/// What is reached, and for each square of it the label of a shortest way.
fn ways(
    board: &Board,
    from: &LabelledSet,
    within: &LabelledSet,
    dirs: &[usize],
    labels: &mut Labels,
) -> (Bits, Vec<Label>) {
    let mut reached = Bits::empty(board.squares);
    let mut ways = vec![Label::NONE; board.squares];
    let mut starts: Vec<usize> = from.squares().iter().filter(|&it| within.contains(it)).collect();
    for &start in &starts {
        ways[start] = labels.union(from.label(start), within.label(start));
        reached.insert(start);
    }
    // Of ways of equal length those from starts with few conditions come first.
    starts.sort_by_key(|&it| labels.len(ways[it]));
    let mut queue = VecDeque::from(starts);
    while let Some(square) = queue.pop_front() {
        for to in dirs.iter().filter_map(|&dir| board.next(square, dir)) {
            if within.contains(to) && !reached.contains(to) {
                reached.insert(to);
                ways[to] = labels.union(ways[square], within.label(to));
                queue.push_back(to);
            }
        }
    }
    (reached, ways)
}

/// Why nothing but these squares is reached: nothing around them is in `within`,
/// and nothing begins elsewhere.
fn sealed(
    board: &Board,
    from: &LabelledSet,
    within: &LabelledSet,
    dirs: &[usize],
    reached: &Bits,
    labels: &mut Labels,
) -> Label {
    let mut parts: Vec<Label> = Vec::new();
    for square in reached.iter() {
        let next = dirs.iter().filter_map(|&dir| board.next(square, dir));
        parts.extend(next.filter(|&to| !reached.contains(to)).map(|to| within.label(to)));
    }
    // Every other square is no start: it is not in one of the two.
    for square in (0..board.squares).filter(|&it| !reached.contains(it)) {
        parts.push(match (from.contains(square), within.contains(square)) {
            (false, false) => labels.smaller(from.label(square), within.label(square)),
            (false, true) => from.label(square),
            (true, _) => within.label(square),
        });
    }
    labels.union_all(parts)
}

/// The squares of `within` that hang together with `square`, steps taken both ways.
fn part(board: &Board, within: &LabelledSet, dirs: &[usize], square: usize) -> Vec<usize> {
    let mut seen = Bits::empty(board.squares);
    seen.insert(square);
    let mut part = vec![square];
    let mut done = 0;
    while let Some(&at) = part.get(done) {
        done += 1;
        for &dir in dirs {
            let near =
                board.next(at, dir).into_iter().chain(board.sources(at, dir).iter().copied());
            for to in near {
                if within.contains(to) && !seen.contains(to) {
                    seen.insert(to);
                    part.push(to);
                }
            }
        }
    }
    part
}

/// Why nothing of a part is reached: no square of it is in `from`, and no
/// square that leads into it is in `within`.
fn cut(
    board: &Board,
    from: &LabelledSet,
    within: &LabelledSet,
    dirs: &[usize],
    part: &[usize],
    labels: &mut Labels,
) -> Label {
    let inside = part.iter().map(|&it| from.label(it));
    let entrances =
        part.iter().flat_map(|&it| dirs.iter().flat_map(move |&dir| board.sources(it, dir)));
    let border = entrances.filter(|&&it| !within.contains(it)).map(|&it| within.label(it));
    labels.union_all(inside.chain(border))
}
