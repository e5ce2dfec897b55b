//! Alpha-beta: minimax that leaves out what cannot matter.
//!
//! Donald Knuth and Ronald Moore, "An analysis of alpha-beta pruning", 1975; in the negamax form,
//! fail-soft. `alpha` is what the player to move has for sure elsewhere, `beta` what the opponent
//! lets happen: a value outside this window is only a bound, and enough of one.
//!
//! Start reading at `Search::value`.

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Fault, Game};

use super::root::{DEEPEST, Judged, judge_moves, two_player};
use crate::alphabeta::halt::Halt;
use crate::evaluation::scale::{self, Aim, INFINITE};
use crate::evaluation::{Choice, Chosen, Evaluate};
use crate::player::{Limits, Means, Player, Task};
use crate::thought::Thought;

/// Plain alpha-beta as a player. A node is a position looked at.
#[derive(Debug)]
pub struct AlphaBetaPlain<G: Game> {
    /// How many plies to look ahead, the move itself counted; to the end where nothing is said.
    depth: Option<u32>,
    evaluation: Chosen<G>,
}

impl<G: Game> AlphaBetaPlain<G> {
    /// Alpha-beta to a depth, with an evaluation at the horizon.
    pub fn new(depth: Option<u32>, choice: Choice, means: Means) -> Self {
        Self { depth, evaluation: Chosen::new(choice, means) }
    }
}

impl<G: Game> Player<G> for AlphaBetaPlain<G> {
    fn think(
        &mut self,
        task: Task<'_, G>,
        limits: &mut Limits<'_, G::Move>,
    ) -> Result<Thought<G::Move>, Fault> {
        let view = two_player(task.game)?;
        let evaluation = self.evaluation.of(task.game)?;
        let depth = limits.budget.depth.or(self.depth);
        // Every move is judged with an open window: each value is exact, as on the slide.
        judge_moves(task, limits, depth, evaluation, |state, trail, mover, limits, nodes| {
            let mut search =
                Search { view, evaluation, side: mover, nodes, is_exact: true, limits };
            let below = depth.map_or(u32::MAX, |it| it.saturating_sub(1));
            let value = search.value(state, trail, mover, below, 1, (-INFINITE, INFINITE))?;
            Ok(Judged { value, is_exact: search.is_exact })
        })
    }

    fn describe(&self) -> String {
        match self.depth {
            Some(depth) => format!("plain alpha-beta, {depth} plies deep"),
            None => "plain alpha-beta".to_owned(),
        }
    }
}

struct Search<'s, 'l, G: Game> {
    view: TwoPlayer<'s, G>,
    evaluation: &'s dyn Evaluate<G>,
    /// Whom the search is for.
    side: ludex_core::Player,
    nodes: &'s mut u64,
    /// Whether no evaluation had a say so far.
    is_exact: bool,
    limits: &'s Limits<'l, G::Move>,
}

impl<G: Game> Search<'_, '_, G> {
    /// What the position is worth to `viewer`, whose window it is.
    fn value(
        &mut self,
        state: &G::State,
        trail: &G::Trail,
        viewer: ludex_core::Player,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, Halt> {
        *self.nodes += 1;
        if self.limits.is_spent(*self.nodes) {
            return Err(Halt::Spent);
        }
        let Some(mover) = self.view.mover(state, trail)? else {
            return Ok(scale::end(self.view, state, trail, viewer, ply, Aim::Utility)?);
        };
        let turned = viewer == opponent(mover);
        let window = if turned { (-beta, -alpha) } else { (alpha, beta) };
        let best = if depth == 0 || ply >= DEEPEST {
            self.is_exact = false;
            let game = self.view.game();
            scale::of_evaluation(self.evaluation.evaluate(game, state, trail, self.side, ply)?)
        } else {
            self.best(state, trail, mover, depth, ply, window)?
        };
        Ok(if turned { -best } else { best })
    }

    /// What the best move is worth to `mover`.
    fn best(
        &mut self,
        state: &G::State,
        trail: &G::Trail,
        mover: ludex_core::Player,
        depth: u32,
        ply: u32,
        (mut alpha, beta): (i32, i32),
    ) -> Result<i32, Halt> {
        let mut moves = Vec::new();
        self.view.moves(state, trail, mover, &mut moves)?;
        let mut best = -INFINITE;
        for mv in moves {
            let (mut state, mut trail) = (state.clone(), trail.clone());
            self.view.apply(&mut state, &mut trail, mv)?;
            best =
                best.max(self.value(&state, &trail, mover, depth - 1, ply + 1, (alpha, beta))?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
