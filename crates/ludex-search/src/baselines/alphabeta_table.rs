//! Alpha-beta with a table of positions, keyed by their hashes.
//!
//! Albert Zobrist, "A new hashing method with application for game playing", 1970; Richard
//! Greenblatt and others used such a table first, in 1967. A position met again at the same depth
//! is not searched again: what is in the table is its value, or a bound of it.
//!
//! **History.** Where the rules look back, the same cells reached on another way can be worth
//! something else: a table that forgets the way is wrong there. The key then holds the whole way
//! from the root, each position in its order, so that what is found is right; it is found less
//! often.
//!
//! Start reading at `Search::value`.

use std::collections::HashMap;

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Game, GameExt, Limits, PositionOf};

use super::evaluation::BaselineEvaluation;
use super::root_moves::{DEEPEST, MoveValue, UNIT, score_moves};
use crate::alphabeta::table::{looks_back, step};
use crate::error::SearchError;
use crate::evaluation::scale::{self, INFINITE};
use crate::evaluation::{Evaluate, EvaluationChoice, Standpoint};
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::SearchResult;
use crate::support::opponents;

/// Plain alpha-beta with a table as a player. A node is a position looked at.
#[derive(Debug)]
pub struct AlphaBetaTable<G: Game> {
    /// How many plies to look ahead, the move itself counted; to the end where nothing is said.
    depth: Option<u32>,
    evaluation: BaselineEvaluation<G>,
    /// How many positions the table holds at most. A full one takes no more.
    most: usize,
}

impl<G: Game> AlphaBetaTable<G> {
    /// Alpha-beta with a table to a depth, with an evaluation at the horizon.
    pub fn new(
        depth: Option<u32>,
        evaluation: EvaluationChoice<G>,
        options: PlayerOptions,
    ) -> Self {
        let bytes = 2 * size_of::<(Key, Entry)>();
        Self {
            depth,
            evaluation: BaselineEvaluation::new(evaluation, UNIT, options),
            most: options.memory / bytes,
        }
    }
}

/// Both hashes of a position, the way to it where that counts, and the depth of the search.
type Key = (u64, u64, u64, u32);

/// What is known of a position: its value is between these, from the view of the player to move,
/// with ends counted from the position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: i32,
    high: i32,
    is_exact: bool,
}

impl<G: Game> GamePlayer<G> for AlphaBetaTable<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let view = opponents(root.game)?;
        let evaluation = self.evaluation.of(root.game)?;
        let depth = limits.depth.or(self.depth);
        let mut table = HashMap::new();
        let most = self.most;
        let lines = SearchResult::unsearched(root.game, root.position)?.lines;
        score_moves(root, (limits, observer), depth, evaluation, lines, |position, mover, nodes| {
            let table = &mut table;
            let mut search = Search {
                view,
                evaluation,
                side: mover,
                nodes,
                is_exact: true,
                limits,
                table,
                most,
            };
            let below = depth.map_or(u32::MAX, |it| it.saturating_sub(1));
            let window = (-INFINITE, INFINITE);
            let value = search.value(position, mover, below, 1, 0, window)?;
            Ok(MoveValue { value, is_exact: search.is_exact, is_whole: true })
        })
    }

    fn describe(&self) -> String {
        match self.depth {
            Some(depth) => format!("plain alpha-beta with a table, {depth} plies deep"),
            None => "plain alpha-beta with a table".to_owned(),
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
    limits: Limits<'l>,
    table: &'s mut HashMap<Key, Entry>,
    most: usize,
}

impl<G: Game> Search<'_, '_, G> {
    /// What the position is worth to `viewer`, whose window it is. `way` is a hash of the
    /// positions from the root to here, in their order.
    #[allow(clippy::too_many_arguments, reason = "they are the lines of the slide")]
    fn value(
        &mut self,
        position: &PositionOf<G>,
        viewer: ludex_core::Player,
        depth: u32,
        ply: u32,
        way: u64,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, SearchError> {
        *self.nodes += 1;
        if self.limits.is_reached(*self.nodes) {
            return Err(SearchError::Stopped);
        }
        let Some(mover) = self.view.mover(position)? else {
            return Ok(scale::end(self.view, position, viewer, ply)?);
        };
        let turned = viewer == opponent(mover);
        let window = if turned { (-beta, -alpha) } else { (alpha, beta) };
        let best = if depth == 0 || ply >= DEEPEST {
            self.is_exact = false;
            let from = Standpoint { mover, side: self.side, depth: ply };
            scale::of_evaluation(self.evaluation.evaluate(self.view.game(), position, from)?)
        } else {
            self.known_or_best(position, mover, depth, ply, way, window)?
        };
        Ok(if turned { -best } else { best })
    }

    /// What the table knows, if that is enough, and else what a search finds.
    #[allow(clippy::too_many_arguments, reason = "they are the lines of the slide")]
    fn known_or_best(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        depth: u32,
        ply: u32,
        way: u64,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, SearchError> {
        let game = self.view.game();
        let hash = game.hash(&position.state);
        let way = if looks_back(game) { step(way, hash) } else { 0 };
        let key = (hash, game.second_hash(&position.state), way, depth);
        if let Some(&Entry { low, high, is_exact }) = self.table.get(&key) {
            let (low, high) = (scale::to_root(low, ply), scale::to_root(high, ply));
            if low >= beta || low == high {
                self.is_exact &= is_exact;
                return Ok(low);
            }
            if high <= alpha {
                self.is_exact &= is_exact;
                return Ok(high);
            }
        }
        let outside = std::mem::replace(&mut self.is_exact, true);
        let best = self.best(position, mover, depth, ply, way, (alpha, beta))?;
        let seen = scale::from_root(best, ply);
        if self.table.len() < self.most {
            self.table.insert(
                key,
                Entry {
                    low: if best > alpha { seen } else { -INFINITE },
                    high: if best < beta { seen } else { INFINITE },
                    is_exact: self.is_exact,
                },
            );
        }
        self.is_exact &= outside;
        Ok(best)
    }

    /// What the best move is worth to `mover`.
    #[allow(clippy::too_many_arguments, reason = "they are the lines of the slide")]
    fn best(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        depth: u32,
        ply: u32,
        way: u64,
        (mut alpha, beta): (i32, i32),
    ) -> Result<i32, SearchError> {
        let mut moves = Vec::new();
        self.view.moves(position, mover, &mut moves)?;
        let mut best = -INFINITE;
        for mv in moves {
            let mut position = position.clone();
            self.view.apply(&mut position, mv)?;
            let window = (alpha, beta);
            best = best.max(self.value(&position, mover, depth - 1, ply + 1, way, window)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}
