//! Points count where it is proved who wins.
//!
//! In games that count points, to win by many is better than to win by few, and to lose by few
//! better than by many; but only among the moves that are proved to be worth the same. So
//! alpha-beta searches for points with what is left of the limits when a proof has come early, and
//! what is proved comes before its estimates of points.

use ludex_core::{Game, Limits};

use super::Auto;
use super::endgame::{ProofOutcome, is_settled};
use crate::error::SearchError;
use crate::evaluation::scale::Aim;
use crate::player::{Observer, SearchRoot};
use crate::proof::GameValue;
use crate::result::SearchResult;

impl<G: Game + 'static> Auto<G> {
    /// Searches for points where a search has proved who wins before its limits were reached.
    pub(super) fn go_on_with_points(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        result: SearchResult<G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        // A limit of plies asks for no more than these.
        let is_done = limits.depth.is_some() || limits.is_reached(result.nodes);
        if !self.counts_points || is_done || !is_settled(&result) {
            return Ok(result);
        }
        let known = ProofOutcome { value: decided(&result), result };
        if is_worth_it(&known) {
            self.think_of_points(root, (limits, observer), &known)
        } else {
            Ok(known.result)
        }
    }

    /// Searches for points with what is left of the limits, when it is proved who wins.
    pub(super) fn think_of_points(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        known: &ProofOutcome<G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let mut tell = |it: &SearchResult<G::Move>| {
            if is_news(known, it) {
                observer(&with_points(known, it.clone()));
            }
        };
        self.aim_at(Aim::Score);
        let found = self.search_within(root, known.rest(limits), &mut tell);
        self.aim_at(Aim::Utility);
        let found = found?;
        Ok(if is_news(known, &found) {
            with_points(known, found)
        } else {
            let nodes = known.result.nodes + found.nodes;
            SearchResult { nodes, elapsed: found.elapsed, ..known.result.clone() }
        })
    }

    fn aim_at(&mut self, aim: Aim) {
        if let Some(player) = self.present() {
            player.aim_at(aim);
        }
    }
}

/// Who wins; nothing in a draw.
fn decided<M>(result: &SearchResult<M>) -> Option<GameValue> {
    let utility = result.lines.first()?.proved?.utility;
    let is_win = (utility > 0.0).then_some(GameValue::Win);
    is_win.or_else(|| (utility < 0.0).then_some(GameValue::Loss))
}

/// Whether points can make a difference: a draw is a draw, and who has no choice need not think.
pub(super) fn is_worth_it<M>(known: &ProofOutcome<M>) -> bool {
    let is_decided = matches!(known.value, Some(GameValue::Win | GameValue::Loss));
    is_decided && known.result.lines.len() > 1
}

/// Whether a search for points has something new: proved points, or a search as deep as the one
/// before.
fn is_news<M>(known: &ProofOutcome<M>, points: &SearchResult<M>) -> bool {
    let best = points.lines.first().and_then(|it| it.proved);
    best.is_some_and(|it| it.points.is_some()) || points.depth >= known.result.depth.max(1)
}

/// A search for points with what is proved of who wins.
fn with_points<M: Copy + Ord>(
    known: &ProofOutcome<M>,
    mut points: SearchResult<M>,
) -> SearchResult<M> {
    for line in &mut points.lines {
        // An estimate in points has another measure than the results before.
        let are_known = line.proved.is_some_and(|it| it.points.is_some());
        line.score = line.score.filter(|_| are_known);
    }
    known.add_to_points(&mut points);
    points
}
