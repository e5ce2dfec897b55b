//! Minimax: a position is worth what the best of its moves is worth.
//!
//! John von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; with a depth and an evaluation
//! at the horizon, Claude Shannon, "Programming a computer for playing chess", 1950 (his type A).
//!
//! Nothing is left out, ordered or remembered, which makes it the truth that every other search
//! for two opponents is held against. The trail travels along, so that rules that look back
//! (repetition) are right as well.
//!
//! Start reading at `Search::value`.

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Game, Limits, PositionOf};

use super::evaluation::BaselineEvaluation;
use super::root_moves::{DEEPEST, MoveValue, UNIT, score_moves};
use crate::error::SearchError;
use crate::evaluation::scale;
use crate::evaluation::{Evaluate, EvaluationChoice, Standpoint};
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::SearchResult;
use crate::support::opponents;

/// Plain minimax as a player. A node is a position looked at.
#[derive(Debug)]
pub struct Minimax<G: Game> {
    /// How many plies to look ahead, the move itself counted; to the end where nothing is said.
    depth: Option<u32>,
    evaluation: BaselineEvaluation<G>,
}

impl<G: Game> Minimax<G> {
    /// Minimax to a depth, with an evaluation at the horizon.
    pub fn new(
        depth: Option<u32>,
        evaluation: EvaluationChoice<G>,
        options: PlayerOptions,
    ) -> Self {
        Self { depth, evaluation: BaselineEvaluation::new(evaluation, UNIT, options) }
    }
}

impl<G: Game> GamePlayer<G> for Minimax<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let view = opponents(root.game)?;
        let evaluation = self.evaluation.of(root.game)?;
        let depth = limits.depth.or(self.depth);
        let lines = SearchResult::unsearched(root.game, root.position)?.lines;
        score_moves(root, (limits, observer), depth, evaluation, lines, |position, mover, nodes| {
            let mut search =
                Search { view, evaluation, side: mover, nodes, is_exact: true, limits };
            let below = depth.map_or(u32::MAX, |it| it.saturating_sub(1));
            let value = search.value(position, mover, below, 1)?;
            Ok(MoveValue { value, is_exact: search.is_exact, is_whole: true })
        })
    }

    fn describe(&self) -> String {
        match self.depth {
            Some(depth) => format!("minimax, {depth} plies deep"),
            None => "minimax".to_owned(),
        }
    }
}

/// The value of a position by plain minimax, `depth` plies deep, for the player to move; how far
/// the position is from the root of the question is `ply`, which counts in ends.
pub fn minimax<G: Game>(
    game: &G,
    position: &PositionOf<G>,
    depth: u32,
    evaluation: &dyn Evaluate<G>,
) -> Result<i32, SearchError> {
    let view = opponents(game)?;
    let Some(side) = view.mover(position)? else { return Ok(0) };
    let (nodes, limits) = (&mut 0, Limits::default());
    let mut search = Search { view, evaluation, side, nodes, is_exact: true, limits };
    search.value(position, side, depth, 0)
}

struct Search<'s, 'l, G: Game> {
    view: TwoPlayer<'s, G>,
    evaluation: &'s dyn Evaluate<G>,
    /// Whom the search is for.
    side: ludex_core::Player,
    nodes: &'s mut u64,
    /// Whether no evaluation had a say so far.
    is_exact: bool,
    limits: Limits<'l>,
}

impl<G: Game> Search<'_, '_, G> {
    /// What the position is worth to `viewer`.
    fn value(
        &mut self,
        position: &PositionOf<G>,
        viewer: ludex_core::Player,
        depth: u32,
        ply: u32,
    ) -> Result<i32, SearchError> {
        *self.nodes += 1;
        if self.limits.is_reached(*self.nodes) {
            return Err(SearchError::Stopped);
        }
        let Some(mover) = self.view.mover(position)? else {
            return Ok(scale::end(self.view, position, viewer, ply)?);
        };
        let best = if depth == 0 || ply >= DEEPEST {
            self.is_exact = false;
            let from = Standpoint { mover, side: self.side, depth: ply };
            scale::of_evaluation(self.evaluation.evaluate(self.view.game(), position, from)?)
        } else {
            self.best(position, mover, depth, ply)?
        };
        Ok(if viewer == opponent(mover) { -best } else { best })
    }

    /// What the best move is worth to `mover`.
    fn best(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        depth: u32,
        ply: u32,
    ) -> Result<i32, SearchError> {
        let mut moves = Vec::new();
        self.view.moves(position, mover, &mut moves)?;
        let mut best = -scale::INFINITE;
        for mv in moves {
            let mut position = position.clone();
            self.view.apply(&mut position, mv)?;
            best = best.max(self.value(&position, mover, depth - 1, ply + 1)?);
        }
        Ok(best)
    }
}
