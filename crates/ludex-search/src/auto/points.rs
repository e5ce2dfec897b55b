//! Where it is known who wins, points count.
//!
//! In games that count points, as Othello counts discs, to win by many is better than to win by few, and
//! to lose by few better than by many; but only among the moves that are known to be worth the same. So
//! alpha-beta thinks about points with what is left of the budget when a proof has come early, and what is
//! proved comes before all that it believes of points.

use ludex_core::{Fault, Game};

use super::Auto;
use super::endgame::{Known, is_settled};
use crate::evaluation::scale::Aim;
use crate::player::{Limits, Task};
use crate::thought::Thought;

impl<G: Game + 'static> Auto<G> {
    /// Whether it matters by how much a game is won, and the player that was chosen can tell.
    pub(super) fn counts_points(&self) -> bool {
        self.facts.points && self.is_alphabeta
    }

    /// Goes on with points where a thought has come to know who wins and has left something to spend.
    pub(super) fn go_on_with_points(
        &mut self,
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
        thought: Thought<G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        let is_alone = thought.lines.len() <= 1;
        if !self.counts_points() || is_alone || !is_settled(&thought) {
            return Ok(thought);
        }
        if limits.budget.depth.is_some() || limits.is_spent(thought.nodes) {
            return Ok(thought);
        }
        let known = Known { value: None, thought };
        let found = self.think_of_points(task, limits, &known)?;
        let Known { thought, .. } = known;
        let has_thought = found.depth > 0;
        Ok(if has_thought { found } else { thought })
    }

    /// Thinks about points with what is left of the budget, when so much is known of who wins.
    pub(super) fn think_of_points(
        &mut self,
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
        known: &Known<G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        let (budget, watch) = (known.rest(limits.budget), &mut *limits.watch);
        let mut tell = |it: &Thought<G::Move>| watch(&with_points(known, it.clone()));
        let mut rest = Limits { budget, clock: limits.clock, watch: &mut tell };
        self.aim_at(Aim::Score);
        let found = self.think_within(task, &mut rest, budget);
        self.aim_at(Aim::Utility);
        Ok(with_points(known, found?))
    }

    fn aim_at(&mut self, aim: Aim) {
        if let Some(player) = self.present() {
            player.aim_at(aim);
        }
    }
}

/// A thought about points with what is known of who wins.
fn with_points<M: Copy + Ord>(known: &Known<M>, mut points: Thought<M>) -> Thought<M> {
    // So many points at most are no points to tell of.
    points.lines.iter_mut().filter(|it| it.is_at_most).for_each(|it| it.score = None);
    known.add_to_points(&mut points);
    points
}
