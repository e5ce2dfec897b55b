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

/// A position and what is remembered of the way to it.
struct Place<G: Game> {
    state: G::State,
    trail: G::Trail,
}

impl<G: Game> Place<G> {
    fn new(state: &G::State, trail: &G::Trail) -> Self {
        Self { state: state.clone(), trail: trail.clone() }
    }

    /// Becomes the position after `turn` in `above`, in the memory it has.
    fn follow(&mut self, game: &G, above: &Self, turn: &[G::Move]) -> Result<(), Fault> {
        self.state.clone_from(&above.state);
        self.trail.clone_from(&above.trail);
        game.apply(&mut self.state, &mut self.trail, turn)
    }
}

/// One position on the way down, and the turns that are still to be tried in it.
struct Frame<G: Game> {
    place: Place<G>,
    choices: Choices<G::Move>,
    next: u64,
}

impl<G: Game> Frame<G> {
    fn new(state: &G::State, trail: &G::Trail) -> Self {
        Self { place: Place::new(state, trail), choices: Choices::default(), next: 0 }
    }

    /// Lists the turns of the position just reached; gives their number.
    fn enter(&mut self, game: &G) -> Result<u64, Fault> {
        self.next = 0;
        self.choices.fill(game, &self.place.state, &self.place.trail)?;
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
fn walk<G: Game>(
    game: &G,
    state: &G::State,
    trail: &G::Trail,
    depth: u32,
) -> Result<Vec<u64>, Fault> {
    // Below this level turns are only counted: the positions there need no list.
    let Some(lowest) = (depth as usize).checked_sub(2) else {
        return Ok(vec![game.count_moves(state, trail)?]);
    };
    // Frames beyond `level` in the vector lend their memory to the next descent.
    let mut frames = vec![Frame::<G>::new(state, trail)];
    let mut below = Place::new(state, trail);
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
    below: &mut Place<G>,
    turn: &mut Vec<G::Move>,
) -> Result<u64, Fault> {
    let mut turns = 0_u64;
    while frame.try_next(turn) {
        below.follow(game, &frame.place, turn)?;
        turns = turns.saturating_add(game.count_moves(&below.state, &below.trail)?);
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
        let above = &frames[level - 1].place;
        let fresh = Frame::new(&above.state, &above.trail);
        frames.push(fresh);
    }
    let (above, below) = frames.split_at_mut(level);
    below[0].place.follow(game, &above[level - 1].place, turn)?;
    Ok(&mut below[0])
}
