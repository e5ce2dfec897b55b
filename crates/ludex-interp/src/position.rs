//! Positions as text.
//!
//! ```text
//! rnbq/8/…/RNBQ   w   ep=e3 hand.White=P2G1
//! rows from the top, the player to move, and each other cell that differs from its default
//! ```
//!
//! A file may put cells in fixed places instead ([`PositionField`]); what it does
//! not mention is still written as `name=value`, so nothing is ever lost.
//! [`write`] and [`read`] are inverse to each other; what is read comes from
//! outside and may be anything.

mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::{settings, write};

use ludex_ir::{Array, ArrayRole, IndexKind, PositionField, Program};

/// The layout of a position text.
fn fields(program: &Program) -> Vec<PositionField> {
    let usual = || vec![PositionField::Board, PositionField::Turn];
    program.look.position.clone().unwrap_or_else(usual)
}

/// Whether an array is written as numbers of kinds, `P2G1`, for each of its other indices.
fn counts_kinds(program: &Program, array: &Array) -> bool {
    let symbols = &program.look.kinds;
    let plain = |symbol: &String| {
        !symbol.is_empty() && !symbol.contains(|it: char| it.is_ascii_digit() || it == '-')
    };
    let distinct = symbols.iter().enumerate().all(|(i, it)| !symbols[..i].contains(it));
    array.role == ArrayRole::Number
        && array.indices.last() == Some(&IndexKind::Kind)
        && symbols.len() == program.kinds.len()
        && symbols.iter().all(plain)
        && distinct
}

/// The squares that are not on the grid.
fn places(program: &Program) -> Vec<usize> {
    let mut on_grid = vec![false; program.squares];
    for &square in &program.look.at {
        if let Some(found) = usize::try_from(square).ok().and_then(|it| on_grid.get_mut(it)) {
            *found = true;
        }
    }
    (0..program.squares).filter(|&square| !on_grid[square]).collect()
}
