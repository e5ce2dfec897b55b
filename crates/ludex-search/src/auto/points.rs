//! Where it is known who wins, points count.
//!
//! In games that count points, to win by many is better than to win by few, and to lose by few better than
//! by many; but only among the moves that are known to be worth the same. So
//! alpha-beta thinks about points with what is left of the budget when a proof has come early, and what is
//! proved comes before all that it believes of points.

use ludex_core::{Fault, Game, Limits};

use super::Auto;
use super::endgame::{Known, is_settled};
use crate::evaluation::scale::Aim;
use crate::player::{SearchRoot, Watch};
use crate::proof::Value;
use crate::thought::Thought;

impl<G: Game + 'static> Auto<G> {
    /// Goes on with points where a thought has come to know who wins and has left something to spend.
    pub(super) fn go_on_with_points(
        &mut self,
        task: SearchRoot<'_, G>,
        (limits, watch): (Limits<'_>, &mut Watch<'_, G::Move>),
        thought: Thought<G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        // Who asks for so many plies asks for no more.
        let is_done = limits.depth.is_some() || limits.is_reached(thought.nodes);
        if !self.counts_points || is_done || !is_settled(&thought) {
            return Ok(thought);
        }
        let known = Known { value: decided(&thought), thought };
        if is_worth_it(&known) {
            self.think_of_points(task, (limits, watch), &known)
        } else {
            Ok(known.thought)
        }
    }

    /// Thinks about points with what is left of the budget, when so much is known of who wins.
    pub(super) fn think_of_points(
        &mut self,
        task: SearchRoot<'_, G>,
        (limits, watch): (Limits<'_>, &mut Watch<'_, G::Move>),
        known: &Known<G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        let mut tell = |it: &Thought<G::Move>| {
            if is_news(known, it) {
                watch(&with_points(known, it.clone()));
            }
        };
        self.aim_at(Aim::Score);
        let found = self.think_within(task, known.rest(limits), &mut tell);
        self.aim_at(Aim::Utility);
        let found = found?;
        Ok(if is_news(known, &found) {
            with_points(known, found)
        } else {
            let nodes = known.thought.nodes + found.nodes;
            Thought { nodes, elapsed: found.elapsed, ..known.thought.clone() }
        })
    }

    fn aim_at(&mut self, aim: Aim) {
        if let Some(player) = self.present() {
            player.aim_at(aim);
        }
    }
}

/// Who wins, where somebody does.
fn decided<M>(thought: &Thought<M>) -> Option<Value> {
    let utility = thought.lines.first()?.proved?.utility;
    let is_win = (utility > 0.0).then_some(Value::Win);
    is_win.or_else(|| (utility < 0.0).then_some(Value::Loss))
}

/// Whether points can make a difference: a draw is a draw, and who has no choice need not think.
pub(super) fn is_worth_it<M>(known: &Known<M>) -> bool {
    let is_decided = matches!(known.value, Some(Value::Win | Value::Loss));
    is_decided && known.thought.lines.len() > 1
}

/// Whether a thought about points has something to say: it knows them, or is as deep as what was thought before.
fn is_news<M>(known: &Known<M>, points: &Thought<M>) -> bool {
    let best = points.lines.first().and_then(|it| it.proved);
    best.is_some_and(|it| it.points.is_some()) || points.depth >= known.thought.depth.max(1)
}

/// A thought about points with what is known of who wins.
fn with_points<M: Copy + Ord>(known: &Known<M>, mut points: Thought<M>) -> Thought<M> {
    for line in &mut points.lines {
        // What is only believed of points is measured otherwise than what was told before.
        let are_known = line.proved.is_some_and(|it| it.points.is_some());
        line.score = line.score.filter(|_| are_known);
    }
    known.add_to_points(&mut points);
    points
}
