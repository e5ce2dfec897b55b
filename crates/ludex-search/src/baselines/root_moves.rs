//! What the plain searches have in common: they judge the moves of a position one by one.

use ludex_core::{Game, Limits, Player, PositionOf};

use crate::error::SearchError;
use crate::evaluation::{Evaluate, scale};
use crate::player::{Observer, SearchRoot};
use crate::result::{Line, Proved, SearchResult, mover};

/// No search looks further ahead than this many plies: the stack of calls has an end.
pub(crate) const DEEPEST: u32 = 400;

/// How many steps of its own evaluation a plain search tells apart between 0 and 1.
pub(crate) const UNIT: u32 = 1000;

/// What a search has found out about one move.
pub(crate) struct MoveValue {
    /// Its value for the player whose move it is, counted from the root.
    pub(crate) value: i32,
    /// Whether no evaluation had a say.
    pub(crate) is_exact: bool,
    /// Whether no legal move was left out without a reason that holds: else nothing is proved.
    pub(crate) is_whole: bool,
}

/// Judges the moves of `lines` in their order with `score`, which is given the position
/// after each, until the budget is spent: what is not judged by then comes last. Of equal moves the
/// first is played.
pub(crate) fn score_moves<G: Game>(
    root: SearchRoot<'_, G>,
    (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
    depth: Option<u32>,
    evaluation: &dyn Evaluate<G>,
    lines: Vec<Line<G::Move>>,
    mut score: impl FnMut(&PositionOf<G>, Player, &mut u64) -> Result<MoveValue, SearchError>,
) -> Result<SearchResult<G::Move>, SearchError> {
    let mut result = SearchResult { lines, ..SearchResult::default() };
    let Some(mover) = mover(root.game, root.position)? else { return Ok(result) };
    let mut evaluated = Vec::new();
    for number in 0..result.lines.len() {
        let mut position = root.position.clone();
        root.game.apply(&mut position, &[result.lines[number].mv])?;
        let before = result.nodes;
        match score(&position, mover, &mut result.nodes) {
            Ok(found) => {
                let line = &mut result.lines[number];
                line.visits = result.nodes - before;
                fill(line, &found, evaluation);
                evaluated.push((found.value, number));
            }
            Err(error) => {
                error.unless_stopped()?;
                break;
            }
        }
    }
    evaluated.sort_by_key(|&(value, number)| (std::cmp::Reverse(value), number));
    let mut lines: Vec<Line<G::Move>> =
        evaluated.iter().map(|&(_, number)| result.lines[number].clone()).collect();
    lines.extend(result.lines.drain(..).skip(evaluated.len()));
    result.lines = lines;
    result.depth = depth.unwrap_or(0);
    result.elapsed = limits.clock.elapsed();
    result.found = result.elapsed;
    observer(&result);
    Ok(result)
}

fn fill<M, G: Game>(line: &mut Line<M>, found: &MoveValue, evaluation: &dyn Evaluate<G>) {
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
