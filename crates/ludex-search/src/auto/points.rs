//! Where it is known who wins, points count.
//!
//! In games that count points, to win by many is better than to win by few, and to lose by few better than
//! by many; but only among the moves that are known to be worth the same. So
//! alpha-beta thinks about points with what is left of the budget when a proof has come early, and what is
//! proved comes before all that it believes of points.

use ludex_core::{Fault, Game, Limits};

use super::Auto;
use super::endgame::{ProofOutcome, is_settled};
use crate::evaluation::scale::Aim;
use crate::player::{Observer, SearchRoot};
use crate::proof::GameValue;
use crate::result::SearchResult;

impl<G: Game + 'static> Auto<G> {
    /// Goes on with points where a thought has come to know who wins and has left something to spend.
    pub(super) fn go_on_with_points(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        result: SearchResult<G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault> {
        // Who asks for so many plies asks for no more.
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

    /// Thinks about points with what is left of the budget, when so much is known of who wins.
    pub(super) fn think_of_points(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        known: &ProofOutcome<G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault> {
        let mut tell = |it: &SearchResult<G::Move>| {
            if is_news(known, it) {
                observer(&with_points(known, it.clone()));
            }
        };
        self.aim_at(Aim::Score);
        let found = self.think_within(root, known.rest(limits), &mut tell);
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

/// Who wins, where somebody does.
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

/// Whether a thought about points has something to say: it knows them, or is as deep as what was thought before.
fn is_news<M>(known: &ProofOutcome<M>, points: &SearchResult<M>) -> bool {
    let best = points.lines.first().and_then(|it| it.proved);
    best.is_some_and(|it| it.points.is_some()) || points.depth >= known.result.depth.max(1)
}

/// A thought about points with what is known of who wins.
fn with_points<M: Copy + Ord>(
    known: &ProofOutcome<M>,
    mut points: SearchResult<M>,
) -> SearchResult<M> {
    for line in &mut points.lines {
        // What is only believed of points is measured otherwise than what was told before.
        let are_known = line.proved.is_some_and(|it| it.points.is_some());
        line.score = line.score.filter(|_| are_known);
    }
    known.add_to_points(&mut points);
    points
}
