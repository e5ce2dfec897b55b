//! What the plain searches have in common: they judge the moves of a position one by one.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, Limits, Player, PositionOf};

use crate::alphabeta::halt::Halt;
use crate::evaluation::{Evaluate, scale};
use crate::player::{SearchRoot, Watch};
use crate::seats::FOR_TWO;
use crate::thought::{Line, Proved, Thought, mover};

/// Nobody looks further ahead than this many plies: the stack of calls has an end.
pub(crate) const DEEPEST: u32 = 400;

/// How many steps of its own evaluation a plain search tells apart between 0 and 1.
pub(crate) const UNIT: u32 = 1000;

/// A game of two opponents, or the fault of not being one.
pub(crate) fn two_player<G: Game>(game: &G) -> Result<TwoPlayer<'_, G>, Fault> {
    TwoPlayer::new(game).ok_or_else(|| Fault {
        code: FOR_TWO,
        message: "this search is for two opponents who take turns".to_owned(),
        place: None,
    })
}

/// What a search has come to about one move.
pub(crate) struct Judged {
    /// Its value for the player whose move it is, counted from the root.
    pub(crate) value: i32,
    /// Whether no evaluation had a say.
    pub(crate) is_exact: bool,
    /// Whether no legal move was left out without a reason that holds: else nothing is proved.
    pub(crate) is_whole: bool,
}

/// Judges the moves of `lines` in their order with `judge`, which is given the position after
/// each, until the budget is spent: what is not judged by then comes last. Of equal moves the
/// first is played.
pub(crate) fn judge_moves<G: Game>(
    task: SearchRoot<'_, G>,
    (limits, watch): (Limits<'_>, &mut Watch<'_, G::Move>),
    depth: Option<u32>,
    evaluation: &dyn Evaluate<G>,
    lines: Vec<Line<G::Move>>,
    mut judge: impl FnMut(&PositionOf<G>, Player, &mut u64) -> Result<Judged, Halt>,
) -> Result<Thought<G::Move>, Fault> {
    let mut thought = Thought { lines, ..Thought::default() };
    let Some(mover) = mover(task.game, task.position)? else { return Ok(thought) };
    let mut judged = Vec::new();
    for number in 0..thought.lines.len() {
        let mut position = task.position.clone();
        task.game.apply(&mut position, &[thought.lines[number].mv])?;
        let before = thought.nodes;
        match judge(&position, mover, &mut thought.nodes) {
            Ok(found) => {
                let line = &mut thought.lines[number];
                line.visits = thought.nodes - before;
                fill(line, &found, evaluation);
                judged.push((found.value, number));
            }
            Err(halt) => {
                halt.fault()?;
                break;
            }
        }
    }
    judged.sort_by_key(|&(value, number)| (std::cmp::Reverse(value), number));
    let mut lines: Vec<Line<G::Move>> =
        judged.iter().map(|&(_, number)| thought.lines[number].clone()).collect();
    lines.extend(thought.lines.drain(..).skip(judged.len()));
    thought.lines = lines;
    thought.depth = depth.unwrap_or(0);
    thought.elapsed = limits.clock.elapsed();
    thought.found = thought.elapsed;
    watch(&thought);
    Ok(thought)
}

fn fill<M, G: Game>(line: &mut Line<M>, found: &Judged, evaluation: &dyn Evaluate<G>) {
    line.score = Some(f64::from(found.value));
    let known = if !found.is_whole {
        None
    } else if found.value > scale::of_evaluation(found.value) {
        Some(Proved::WIN)
    } else if found.value < scale::of_evaluation(found.value) {
        Some(Proved::LOSS)
    } else if found.is_exact {
        let utility = f64::from(found.value) / f64::from(crate::evaluation::MOST);
        Some(Proved::exactly(utility))
    } else {
        None
    };
    line.proved = known.map(|it| Proved { plies: scale::plies(found.value), ..it });
    line.value = known.map_or_else(|| evaluation.utility(found.value), |it| it.utility);
}
