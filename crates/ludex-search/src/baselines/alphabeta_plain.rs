//! Alpha-beta: minimax that leaves out what cannot matter.
//!
//! Donald Knuth and Ronald Moore, "An analysis of alpha-beta pruning", 1975; in the negamax form,
//! fail-soft. `alpha` is what the player to move has for sure elsewhere, `beta` what the opponent
//! lets happen: a value outside this window is only a bound, and enough of one.
//!
//! There is no table, no deepening and no order but that of the file: candidates are looked at as
//! they are listed, and of equal moves the first is played. Where most values are equal the list
//! *is* the policy.
//!
//! Start reading at `Search::value`.

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Fault, Game, GameExt, Limits, PositionOf};

use super::evaluation::BaselineEvaluation;
use super::root_moves::{DEEPEST, MoveValue, UNIT, score_moves};
use crate::error::SearchError;
use crate::evaluation::scale::{self, INFINITE};
use crate::evaluation::{Evaluate, EvaluationChoice, Standpoint};
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::result::{Line, SearchResult};
use crate::support::opponents;

/// What plain alpha-beta does by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainConfig {
    /// How many plies to look ahead, the move itself counted; to the end where nothing is said.
    pub depth: Option<u32>,
    /// Whether the file's candidates say in which order moves are looked at, and which ones.
    pub candidates: bool,
    /// Whether the candidates of a file that looks at nothing else are taken at their word inside
    /// the tree, and not compared with the legal moves. The moves of the position itself always
    /// are.
    pub trust: bool,
    /// What a finished game is worth.
    pub ends: Ends,
    /// Whether every move of the position gets its exact value, as on the slide. Otherwise one that
    /// is not better than the best before it has a bound, which is faster and plays the same.
    pub exact: bool,
    /// How many steps of the file's own evaluation are told apart between 0 and 1.
    pub unit: u32,
}

impl Default for PlainConfig {
    fn default() -> Self {
        Self {
            depth: None,
            candidates: true,
            trust: false,
            ends: Ends::Rules,
            exact: true,
            unit: UNIT,
        }
    }
}

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// What the rules say.
    Rules,
    /// What the file's own evaluation says, as of any other position; it is asked for the player
    /// after the one who moved.
    File,
}

impl std::str::FromStr for Ends {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "rules" => Ok(Self::Rules),
            "file" => Ok(Self::File),
            _ => Err(()),
        }
    }
}

/// Plain alpha-beta as a player. A node is a position looked at.
#[derive(Debug)]
pub struct AlphaBetaPlain<G: Game> {
    config: PlainConfig,
    evaluation: BaselineEvaluation<G>,
}

impl<G: Game> AlphaBetaPlain<G> {
    /// Alpha-beta with an evaluation at the horizon.
    pub fn new(
        config: PlainConfig,
        evaluation: EvaluationChoice<G>,
        options: PlayerOptions,
    ) -> Self {
        Self { config, evaluation: BaselineEvaluation::new(evaluation, config.unit, options) }
    }
}

impl<G: Game> GamePlayer<G> for AlphaBetaPlain<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let view = opponents(root.game)?;
        let mut config = self.config;
        if !self.evaluation.is_author(root.game)? {
            config.ends = Ends::Rules;
        }
        let evaluation = self.evaluation.of(root.game)?;
        let depth = limits.depth.or(config.depth);
        let Listed { moves, all } = Listed::at_root(view, root, config.candidates)?;
        let lines = moves.into_iter().map(Line::new).collect();
        let mut alpha = -INFINITE;
        score_moves(root, (limits, observer), depth, evaluation, lines, |position, mover, nodes| {
            let mut search = Search {
                view,
                evaluation,
                config,
                side: mover,
                nodes,
                is_exact: true,
                is_whole: all,
                limits,
            };
            let below = depth.map_or(u32::MAX, |it| it.saturating_sub(1));
            let value = search.value(position, mover, below, 1, (alpha, INFINITE))?;
            // A bound is no value, even if no evaluation had a say.
            let is_exact = search.is_exact && value > alpha;
            let is_whole = search.is_whole && (config.exact || value > alpha);
            if !config.exact {
                alpha = alpha.max(value);
            }
            Ok(MoveValue { value, is_exact, is_whole })
        })
    }

    fn describe(&self) -> String {
        match self.config.depth {
            Some(depth) => format!("plain alpha-beta, {depth} plies deep"),
            None => "plain alpha-beta".to_owned(),
        }
    }
}

/// The moves to look at, in their order.
struct Listed<M> {
    moves: Vec<M>,
    /// Whether they are all that are legal.
    all: bool,
}

impl<M> Listed<M> {
    /// The moves of a position. `candidates_for` is whom the search plays for and how far it has
    /// come, where the file's candidates are asked.
    fn new<G: Game<Move = M>>(
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        candidates_for: Option<(ludex_core::Player, u32)>,
    ) -> Result<Self, Fault>
    where
        M: Copy + Ord,
    {
        let mut moves = Vec::new();
        if let Some((side, ply)) = candidates_for
            && let Some(candidates) = view.game().candidates(position, side, ply)?
        {
            moves.extend(candidates.moves.iter().map(|it| it.0));
            // A move has to be played, whatever the file says.
            if candidates.only && !moves.is_empty() {
                return Ok(Self { moves, all: false });
            }
        }
        let mut legal = Vec::new();
        view.moves(position, mover, &mut legal)?;
        // The order of an engine is its own affair: sorted, it is the same in all.
        legal.sort_unstable();
        let mut known = moves.clone();
        known.sort_unstable();
        moves.extend(legal.into_iter().filter(|it| known.binary_search(it).is_err()));
        Ok(Self { moves, all: true })
    }

    /// Those of the root; none if the game is over.
    fn at_root<G: Game<Move = M>>(
        view: TwoPlayer<'_, G>,
        root: SearchRoot<'_, G>,
        candidates: bool,
    ) -> Result<Self, Fault>
    where
        M: Copy + Ord,
    {
        let position = root.position;
        match view.mover(position)? {
            Some(mover) => Self::new(view, position, mover, candidates.then_some((mover, 0))),
            None => Ok(Self { moves: Vec::new(), all: true }),
        }
    }
}

struct Search<'s, 'l, G: Game> {
    view: TwoPlayer<'s, G>,
    evaluation: &'s dyn Evaluate<G>,
    config: PlainConfig,
    /// Whom the search is for.
    side: ludex_core::Player,
    nodes: &'s mut u64,
    /// Whether no evaluation had a say so far.
    is_exact: bool,
    /// Whether no legal move was left out because the file does not think of it.
    is_whole: bool,
    limits: Limits<'l>,
}

impl<G: Game> Search<'_, '_, G> {
    /// What the position is worth to `viewer`, who moved last and whose window it is.
    fn value(
        &mut self,
        position: &PositionOf<G>,
        viewer: ludex_core::Player,
        depth: u32,
        ply: u32,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, SearchError> {
        *self.nodes += 1;
        if self.limits.is_reached(*self.nodes) {
            return Err(SearchError::Stopped);
        }
        let Some(mover) = self.view.mover(position)? else {
            return self.end(position, viewer, ply);
        };
        let turned = viewer == opponent(mover);
        let window = if turned { (-beta, -alpha) } else { (alpha, beta) };
        let best = if depth == 0 || ply >= DEEPEST {
            self.evaluate(position, mover, ply)?
        } else {
            self.best(position, mover, depth, ply, window)?
        };
        Ok(if turned { -best } else { best })
    }

    /// What a finished game is worth to `viewer`, who moved last.
    fn end(
        &mut self,
        position: &PositionOf<G>,
        viewer: ludex_core::Player,
        ply: u32,
    ) -> Result<i32, SearchError> {
        match self.config.ends {
            Ends::Rules => Ok(scale::end(self.view, position, viewer, ply)?),
            Ends::File => Ok(-self.evaluate(position, opponent(viewer), ply)?),
        }
    }

    /// What the position looks worth to the player to move.
    fn evaluate(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        ply: u32,
    ) -> Result<i32, SearchError> {
        self.is_exact = false;
        let from = Standpoint { mover, side: self.side, depth: ply };
        let value = self.evaluation.evaluate(self.view.game(), position, from)?;
        Ok(scale::of_evaluation(value))
    }

    /// What the best move is worth to `mover`.
    fn best(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        depth: u32,
        ply: u32,
        (mut alpha, beta): (i32, i32),
    ) -> Result<i32, SearchError> {
        let mut best = -INFINITE;
        for mv in self.moves(position, mover, ply)? {
            let mut position = position.clone();
            self.view.apply(&mut position, mv)?;
            best = best.max(self.value(&position, mover, depth - 1, ply + 1, (alpha, beta))?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The moves to look at, in their order.
    fn moves(
        &mut self,
        position: &PositionOf<G>,
        mover: ludex_core::Player,
        ply: u32,
    ) -> Result<Vec<G::Move>, SearchError> {
        let candidates_for = self.config.candidates.then_some((self.side, ply));
        if let Some(moves) = self.trusted(position, candidates_for)? {
            self.is_whole = false;
            return Ok(moves);
        }
        let Listed { moves, all } = Listed::new(self.view, position, mover, candidates_for)?;
        self.is_whole &= all;
        Ok(moves)
    }

    /// What a file that looks at nothing else lists, if it is taken at its word.
    fn trusted(
        &self,
        position: &PositionOf<G>,
        candidates_for: Option<(ludex_core::Player, u32)>,
    ) -> Result<Option<Vec<G::Move>>, SearchError> {
        let Some((side, ply)) = candidates_for.filter(|_| self.config.trust) else {
            return Ok(None);
        };
        let candidates = self.view.game().unchecked_candidates(position, side, ply)?;
        let candidates = candidates.filter(|it| it.only && !it.moves.is_empty());
        Ok(candidates.map(|it| it.moves.into_iter().map(|it| it.0).collect()))
    }
}
