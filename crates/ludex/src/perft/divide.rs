//! Counts for each first move.

use std::{fmt, iter};

use ludex_core::perft::perft_counts;
use ludex_core::turns::{Choices, turn_name};
use ludex_core::{Game, Position};
use ludex_ir::PackedMove;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PerftReport, Root};
use crate::clock::{RealClock, per_second};
use crate::error::Result;
use crate::stoppable::was_stopped;

/// How many sequences begin with a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// How many sequences of the full length begin with it.
    pub count: u64,
    /// How many sequences of 1, 2, … moves begin with it.
    #[serde(skip)]
    pub(super) counts: Vec<u64>,
}

/// A row of the table of moves.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10} {:>20}", self.name, self.count)
    }
}

/// What happens while parts are counted.
#[derive(Clone, Copy, Debug)]
pub enum DivideEvent<'a> {
    /// A move whose sequences are counted next.
    Begins(&'a str),
    /// A move whose sequences are counted.
    Counted(&'a Part),
}

/// Counts the sequences that begin with each move. An error of the observer ends the count.
pub fn divide(
    root: Root<'_>,
    depth: u32,
    observer: &mut dyn FnMut(DivideEvent<'_>) -> Result<()>,
) -> Result<PerftReport> {
    let clock = RealClock::start();
    let mut parts: Vec<Part> = Vec::new();
    let mut interrupted = false;
    for (name, turn) in turns(root)? {
        observer(DivideEvent::Begins(&name))?;
        let Some(part) = part(root, name, &turn, depth)? else {
            interrupted = true;
            break;
        };
        observer(DivideEvent::Counted(&part))?;
        parts.push(part);
    }
    // Sums over a part of the moves are no counts.
    let counts = if interrupted { Vec::new() } else { sums(&parts, depth) };
    let (total, seconds) = (counts.last().copied().unwrap_or(0), clock.seconds());
    Ok(PerftReport {
        counts,
        divide: Some(parts),
        nodes_per_second: per_second(total, seconds),
        seconds,
        interrupted,
        ..PerftReport::new(root.game)
    })
}

/// All parts of a position, sorted by name; nothing if the count was stopped.
pub(super) fn parts(root: Root<'_>, depth: u32) -> Result<Option<Vec<Part>>> {
    let parts = turns(root)?.into_iter().map(|(name, turn)| part(root, name, &turn, depth));
    parts.collect::<Result<Option<Vec<Part>>>>()
}

/// The sums of the parts, depth 1 first.
pub(super) fn sums(parts: &[Part], depth: u32) -> Vec<u64> {
    let sum = |at: usize| parts.iter().filter_map(|it| it.counts.get(at)).sum();
    (0..depth as usize).map(sum).collect()
}

/// The turns of a position with their names, sorted by name.
fn turns(root: Root<'_>) -> Result<Vec<(String, Vec<PackedMove>)>> {
    let (game, position) = (&root.game.game, root.position);
    let mut choices = Choices::default();
    choices.fill(game, position).map_err(|it| root.game.blame(it))?;
    let mut turns = Vec::new();
    for index in 0..choices.count() {
        let mut turn = Vec::new();
        choices.nth(index, &mut turn);
        turns.push((turn_name(game, &position.state, &turn), turn));
    }
    turns.sort();
    Ok(turns)
}

/// The position after the turn called `name`; the same one if there is no such turn.
pub(super) fn follow(root: Root<'_>, name: &str) -> Result<Position> {
    let turns = turns(root)?;
    let turn = turns.iter().find(|(it, _)| it == name);
    turn.map_or_else(|| Ok(root.position.clone()), |(_, turn)| after(root, turn))
}

/// The position after a turn.
fn after(root: Root<'_>, turn: &[PackedMove]) -> Result<Position> {
    let mut position = root.position.clone();
    root.game.game.apply(&mut position, turn).map_err(|it| root.game.blame(it))?;
    Ok(position)
}

/// The sequences that begin with `turn`; nothing if the count was stopped.
fn part(root: Root<'_>, name: String, turn: &[PackedMove], depth: u32) -> Result<Option<Part>> {
    let position = after(root, turn)?;
    match perft_counts(&root.stoppable(), &position, depth - 1) {
        Ok(counts) => {
            let counts: Vec<u64> = iter::once(1).chain(counts).collect();
            Ok(Some(Part { name, count: counts.last().copied().unwrap_or(0), counts }))
        }
        Err(fault) if was_stopped(&fault) => Ok(None),
        Err(fault) => Err(root.game.blame(fault)),
    }
}
