//! Counting the sequences of turns of a given length.
//!
//! The counts are known for many games, and a single wrong rule changes them.
//! The walk keeps its own stack: a depth given by a user must not overflow the
//! program's.

use crate::ext::GameExt;
use crate::game::{Fault, Game};
use crate::position::PositionOf;
use crate::turns::{Choices, turn_name};

/// How many sequences of `depth` turns can be played from `state`.
///
/// A turn is a whole one, however many steps or players it has; each outcome of
/// chance counts as one. A game that ends earlier adds nothing. The last turn is
/// counted and not played.
pub fn perft<G: Game>(game: &G, position: &PositionOf<G>, depth: u32) -> Result<u64, Fault> {
    let Some(last) = depth.checked_sub(1) else { return Ok(1) };
    Ok(walk(game, position, depth)?.get(last as usize).copied().unwrap_or(0))
}

/// How many sequences of 1, 2, … `depth` turns can be played from `state`, in
/// one walk.
///
/// The answer has `depth` entries, zeros at the end included.
pub fn perft_counts<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    depth: u32,
) -> Result<Vec<u64>, Fault> {
    let mut counts = if depth > 0 { walk(game, position, depth)? } else { Vec::new() };
    counts.resize(depth as usize, 0);
    Ok(counts)
}

/// [`perft`] for each turn that can be played in `state`: its name, and how many
/// sequences of `depth` turns begin with it. Sorted by name.
pub fn divide<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    depth: u32,
) -> Result<Vec<(String, u64)>, Fault> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let mut choices = Choices::default();
    choices.fill(game, position)?;
    let mut turn = Vec::new();
    let mut parts = Vec::new();
    for index in 0..choices.count() {
        choices.nth(index, &mut turn);
        let mut after = position.clone();
        game.apply(&mut after, &turn)?;
        let count = perft(game, &after, below)?;
        parts.push((turn_name(game, &position.state, &turn), count));
    }
    parts.sort();
    Ok(parts)
}

/// Makes `below` the position after `turn` in `above`, in the memory it has.
fn follow<G: Game>(
    game: &G,
    below: &mut PositionOf<G>,
    above: &PositionOf<G>,
    turn: &[G::Move],
) -> Result<(), Fault> {
    below.clone_from(above);
    game.apply(below, turn)
}

/// One position on the way down, and the turns that are still to be tried in it.
struct Frame<G: Game> {
    position: PositionOf<G>,
    choices: Choices<G::Move>,
    next: u64,
}

impl<G: Game> Frame<G> {
    fn new(position: &PositionOf<G>) -> Self {
        Self { position: position.clone(), choices: Choices::default(), next: 0 }
    }

    /// Lists the turns of the position just reached; gives their number.
    fn enter(&mut self, game: &G) -> Result<u64, Fault> {
        self.next = 0;
        self.choices.fill(game, &self.position)?;
        Ok(self.choices.count())
    }

    /// Puts the next turn to be tried into `turn`, if there is one.
    fn try_next(&mut self, turn: &mut Vec<G::Move>) -> bool {
        let left = self.next < self.choices.count();
        if left {
            self.choices.nth(self.next, turn);
            self.next += 1;
        }
        left
    }
}

/// Visits every position fewer than `depth` turns away and counts the turns on
/// each level, down to the deepest level reached.
fn walk<G: Game>(game: &G, position: &PositionOf<G>, depth: u32) -> Result<Vec<u64>, Fault> {
    // Below this level turns are only counted: the positions there need no list.
    let Some(lowest) = (depth as usize).checked_sub(2) else {
        return Ok(vec![game.count_moves(position)?]);
    };
    // Frames beyond `level` in the vector lend their memory to the next descent.
    let mut frames = vec![Frame::<G>::new(position)];
    let mut below = position.clone();
    let mut counts = vec![frames[0].enter(game)?];
    let mut level = 0;
    let mut turn = Vec::new();
    loop {
        if level == lowest {
            let turns = count_below(game, &mut frames[level], &mut below, &mut turn)?;
            add(&mut counts, level + 1, turns);
        }
        if !frames[level].try_next(&mut turn) {
            let Some(up) = level.checked_sub(1) else { return Ok(counts) };
            level = up;
            continue;
        }
        level += 1;
        let frame = descend(game, &mut frames, level, &turn)?;
        add(&mut counts, level, frame.enter(game)?);
    }
}

/// How many turns there are in all positions one turn below a frame.
fn count_below<G: Game>(
    game: &G,
    frame: &mut Frame<G>,
    below: &mut PositionOf<G>,
    turn: &mut Vec<G::Move>,
) -> Result<u64, Fault> {
    let mut turns = 0_u64;
    while frame.try_next(turn) {
        follow(game, below, &frame.position, turn)?;
        turns = turns.saturating_add(game.count_moves(below)?);
    }
    Ok(turns)
}

fn add(counts: &mut Vec<u64>, level: usize, turns: u64) {
    if counts.len() <= level {
        counts.resize(level + 1, 0);
    }
    counts[level] = counts[level].saturating_add(turns);
}

/// Makes the frame at `level` the position after `turn` in the one above it.
fn descend<'f, G: Game>(
    game: &G,
    frames: &'f mut Vec<Frame<G>>,
    level: usize,
    turn: &[G::Move],
) -> Result<&'f mut Frame<G>, Fault> {
    if frames.len() == level {
        let fresh = Frame::new(&frames[level - 1].position);
        frames.push(fresh);
    }
    let (above, below) = frames.split_at_mut(level);
    follow(game, &mut below[0].position, &above[level - 1].position, turn)?;
    Ok(&mut below[0])
}
