//! Counting the sequences of turns of a given length.
//!
//! The counts are known for many games, and a single wrong rule changes them.
//! The walk keeps its own stack: a depth given by a user must not overflow the
//! program's.

use crate::game::{Fault, Game};
use crate::turns::{Choices, turn_name};

/// How many sequences of `depth` turns can be played from `state`.
///
/// A turn is a whole one, however many steps or players it has; each outcome of
/// chance counts as one. A game that ends earlier adds nothing. The last turn is
/// counted and not played.
pub fn perft<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    depth: u32,
) -> Result<u64, Fault> {
    let Some(last) = depth.checked_sub(1) else { return Ok(1) };
    Ok(walk(game, state, trail, depth)?.get(last as usize).copied().unwrap_or(0))
}

/// How many sequences of 1, 2, … `depth` turns can be played from `state`, in
/// one walk.
///
/// The answer has `depth` entries, zeros at the end included.
pub fn perft_counts<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    depth: u32,
) -> Result<Vec<u64>, Fault> {
    let mut counts = if depth > 0 { walk(game, state, trail, depth)? } else { Vec::new() };
    counts.resize(depth as usize, 0);
    Ok(counts)
}

/// [`perft`] for each turn that can be played in `state`: its name, and how many
/// sequences of `depth` turns begin with it. Sorted by name.
pub fn divide<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    depth: u32,
) -> Result<Vec<(String, u64)>, Fault> {
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let mut choices = Choices::default();
    choices.fill(game, state, trail)?;
    let mut turn = Vec::new();
    let mut parts = Vec::new();
    for index in 0..choices.count() {
        choices.nth(index, &mut turn);
        let (mut state_after, mut trail_after) = (state.clone(), trail.clone());
        game.apply(&mut state_after, &mut trail_after, &turn)?;
        let count = perft(game, &state_after, &trail_after, below)?;
        parts.push((turn_name(game, state, &turn), count));
    }
    parts.sort();
    Ok(parts)
}

/// One position on the way down, and the turns that are still to be tried in it.
struct Frame<G: Game> {
    state: G::State,
    trail: G::Trail,
    choices: Choices<G::Move>,
    next: u64,
}

impl<G: Game> Frame<G> {
    fn new(state: &G::State, trail: &G::Trail) -> Self {
        Self { state: state.clone(), trail: trail.clone(), choices: Choices::default(), next: 0 }
    }
}

/// Visits every position fewer than `depth` turns away and counts the turns on
/// each level, down to the deepest level reached.
fn walk<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    depth: u32,
) -> Result<Vec<u64>, Fault> {
    // Frames above `level` in the vector lend their memory to the next descent.
    let mut frames = vec![Frame::<G>::new(state, trail)];
    let mut counts = vec![0];
    let mut level = 0;
    let mut turn = Vec::new();
    enter(game, &mut frames[0], &mut counts[0])?;
    loop {
        let frame = &mut frames[level];
        if level + 1 == depth as usize || frame.next == frame.choices.count() {
            let Some(up) = level.checked_sub(1) else { return Ok(counts) };
            level = up;
            continue;
        }
        frame.choices.nth(frame.next, &mut turn);
        frame.next += 1;
        level += 1;
        counts.resize(counts.len().max(level + 1), 0);
        descend(game, &mut frames, level, &turn)?;
        enter(game, &mut frames[level], &mut counts[level])?;
    }
}

/// Makes the frame at `level` the position after `turn` in the one above it.
fn descend<G: Game>(
    game: &G,
    frames: &mut Vec<Frame<G>>,
    level: usize,
    turn: &[G::Move],
) -> Result<(), Fault> {
    if frames.len() == level {
        let above = &frames[level - 1];
        let fresh = Frame::new(&above.state, &above.trail);
        frames.push(fresh);
    } else {
        let (above, below) = frames.split_at_mut(level);
        below[0].state.clone_from(&above[level - 1].state);
        below[0].trail.clone_from(&above[level - 1].trail);
    }
    let Frame { state, trail, .. } = &mut frames[level];
    game.apply(state, trail, turn)
}

/// Lists the turns of a frame just reached and counts them.
fn enter<G: Game>(game: &G, frame: &mut Frame<G>, count: &mut u64) -> Result<(), Fault> {
    frame.next = 0;
    frame.choices.fill(game, &frame.state, &frame.trail)?;
    *count = count.saturating_add(frame.choices.count());
    Ok(())
}
