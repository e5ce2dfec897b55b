//! Reasons as people read them: many squares with the same condition are one line.

use std::collections::BTreeSet;

use ludex_core::Player;
use ludex_ir::Program;
use ludex_study::Reason;
use ludex_study::text::{condition_text, reason_text};

/// Up to this number, squares with the same condition have a line each.
const FEW: usize = 8;

/// The lines of some reasons, in the order of their cells, as `me` sees them.
pub(super) fn lines<'r>(
    program: &Program,
    reasons: impl Iterator<Item = &'r Reason>,
    me: Player,
) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&Reason>)> = Vec::new();
    for reason in reasons {
        // Only squares are grouped: other cells have names of their own.
        let asked = condition_text(program, reason.cell, reason.allowed, me);
        let is_square = reason.cell < program.squares;
        match groups.iter_mut().find(|it| is_square && it.0 == asked) {
            Some(group) => group.1.push(reason),
            None => groups.push((asked, vec![reason])),
        }
    }
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (asked, group) in groups {
        if group.len() > FEW {
            let squares: BTreeSet<usize> = group.iter().map(|it| it.cell).collect();
            lines.push((group[0].cell, format!("{}: {asked}", together(program, &squares))));
        } else {
            lines.extend(group.iter().map(|it| (it.cell, reason_text(program, it, me))));
        }
    }
    lines.sort();
    lines.into_iter().map(|it| it.1).collect()
}

/// The names of squares, with runs along a row as `a1-e1`.
fn together(program: &Program, squares: &BTreeSet<usize>) -> String {
    if squares.len() == program.squares {
        return format!("all {} squares", squares.len());
    }
    let mut names = Vec::new();
    for row in program.look.at.chunks(program.look.columns.max(1)) {
        let is_in = |it: &i16| usize::try_from(*it).is_ok_and(|it| squares.contains(&it));
        for run in row.chunk_by(|a, b| is_in(a) && is_in(b)).filter(|it| is_in(&it[0])) {
            let name = |it: i16| program.cell_name(it as usize);
            match *run {
                [first, _, .., last] => names.push(format!("{}-{}", name(first), name(last))),
                _ => names.extend(run.iter().map(|&it| name(it))),
            }
        }
    }
    // Squares beside the board.
    let drawn = |it: usize| program.look.at.iter().any(|&at| usize::try_from(at) == Ok(it));
    names.extend(squares.iter().filter(|&&it| !drawn(it)).map(|&it| program.cell_name(it)));
    format!("{} squares ({})", squares.len(), names.join(", "))
}
