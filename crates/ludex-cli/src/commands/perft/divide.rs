//! Counts for each first move.

use std::iter;

use ludex::clock::{RealClock, per_second};
use ludex::stoppable::was_stopped;
use ludex::{EngineKind, Result};
use ludex_core::perft::perft_counts;
use ludex_core::turns::{Choices, turn_name};
use ludex_core::{Game, Position};
use ludex_ir::PackedMove;
use serde_json::json;

use super::{Root, spinner};
use crate::failure::{Answer, Done};
use crate::output::Out;

/// How many sequences begin with one move.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What the move is called.
    pub(super) name: String,
    /// How many sequences of 1, 2, … moves begin with it.
    pub(super) counts: Vec<u64>,
}

impl Part {
    /// How many sequences of the full length there are.
    pub(super) fn last(&self) -> u64 {
        self.counts.last().copied().unwrap_or(0)
    }
}

/// Prints the parts as they are counted, then their sum.
pub(super) fn run(root: &Root, depth: u32, out: &mut Out) -> Done {
    let clock = RealClock::start();
    let progress = spinner();
    let mut parts: Vec<Part> = Vec::new();
    let mut answer = Answer::Yes;
    for (name, turn) in turns(root, &root.place)? {
        progress.set_message(name.clone());
        let Some(counts) = below(root, &root.place, &turn, depth)? else {
            answer = Answer::Interrupted;
            break;
        };
        let part = Part { name, counts };
        if !out.is_json() {
            progress.suspend(|| out.line(format_args!("{:<10} {:>20}", part.name, part.last())))?;
        }
        parts.push(part);
    }
    // Sums over some of the moves only are no counts.
    let counts = if answer == Answer::Interrupted { Vec::new() } else { sums(&parts, depth) };
    let total = counts.last().copied().unwrap_or(0);
    let seconds = clock.seconds();
    if out.is_json() {
        let mut value = json!({
            "counts": counts,
            "divide": parts.iter().map(|it| json!({ "move": it.name, "count": it.last() })).collect::<Vec<_>>(),
            "nodes_per_second": per_second(total, seconds),
            "seconds": seconds,
            "engine": EngineKind::of(&root.game).name(),
        });
        if answer == Answer::Interrupted {
            value["interrupted"] = json!(true);
        }
        out.json(&value)?;
    } else if answer != Answer::Interrupted {
        out.line(format_args!("{:<10} {total:>20}", "total"))?;
    }
    Ok(answer)
}

/// All parts of a position, sorted by name; nothing if Ctrl-C was pressed.
pub(super) fn parts(root: &Root, place: &Position, depth: u32) -> Result<Option<Vec<Part>>> {
    let mut parts = Vec::new();
    for (name, turn) in turns(root, place)? {
        let Some(counts) = below(root, place, &turn, depth)? else { return Ok(None) };
        parts.push(Part { name, counts });
    }
    Ok(Some(parts))
}

/// The sums of the parts, depth 1 first.
pub(super) fn sums(parts: &[Part], depth: u32) -> Vec<u64> {
    let sum = |at: usize| parts.iter().filter_map(|it| it.counts.get(at)).sum();
    (0..depth as usize).map(sum).collect()
}

/// The turns of a position with their names, sorted by name.
pub(super) fn turns(root: &Root, place: &Position) -> Result<Vec<(String, Vec<PackedMove>)>> {
    let mut choices = Choices::default();
    choices.fill(&root.game, place).map_err(|it| root.loaded.blame(it))?;
    let mut turns = Vec::new();
    for index in 0..choices.count() {
        let mut turn = Vec::new();
        choices.nth(index, &mut turn);
        turns.push((turn_name(&root.game, &place.state, &turn), turn));
    }
    turns.sort();
    Ok(turns)
}

/// The position after a turn.
pub(super) fn after(root: &Root, place: &Position, turn: &[PackedMove]) -> Result<Position> {
    let mut place = place.clone();
    let played = root.game.apply(&mut place, turn);
    played.map_err(|it| root.loaded.blame(it))?;
    Ok(place)
}

/// How many sequences of 1, 2, … `depth` moves begin with `turn`; nothing if Ctrl-C was pressed.
fn below(
    root: &Root,
    place: &Position,
    turn: &[PackedMove],
    depth: u32,
) -> Result<Option<Vec<u64>>> {
    let place = after(root, place, turn)?;
    match perft_counts(&root.watched(), &place, depth - 1) {
        Ok(counts) => Ok(Some(iter::once(1).chain(counts).collect())),
        Err(fault) if was_stopped(&fault) => Ok(None),
        Err(fault) => Err(root.loaded.blame(fault)),
    }
}
