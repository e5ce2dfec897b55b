//! Candidate moves: those of the author of the rules, or those that the policy of the evaluation
//! prefers.

use ludex_core::{Candidates, Fault, Game, GameExt, Player};

use super::worker::Worker;
use crate::evaluation::{Evaluate, Standpoint, usable_weights};
use crate::player::SearchRoot;

/// What part candidates have in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum CandidateMode {
    /// None: there are no candidates, or they are not to be used.
    #[default]
    None,
    /// The moves that the evaluation's policy prefers are searched first.
    Policy,
    /// The author's are searched first.
    First,
    /// Only the author's are searched, and so nothing is proved.
    Only,
}

impl CandidateMode {
    /// What the author says at the root, with the moves to search there.
    pub(super) fn of_author<G: Game>(
        root: SearchRoot<'_, G>,
        side: Player,
    ) -> Result<(Self, Vec<G::Move>), Fault> {
        let candidates = root.game.candidates(root.position, side, 0)?;
        Ok(match candidates {
            None => (Self::None, Vec::new()),
            Some(Candidates { moves, only }) => {
                let moves = moves.into_iter().map(|it| it.0).collect();
                (if only { Self::Only } else { Self::First }, moves)
            }
        })
    }

    /// What the evaluation's policy says at the root, with the moves that it prefers there.
    pub(super) fn of_policy<G: Game>(
        evaluation: &dyn Evaluate<G>,
        root: SearchRoot<'_, G>,
        side: Player,
        moves: &[G::Move],
    ) -> Result<(Self, Vec<G::Move>), Fault> {
        let from = Standpoint { mover: side, side, depth: 0 };
        let weights = evaluation.policy(root.game, root.position, from, moves)?;
        Ok(match weights {
            None => (Self::None, Vec::new()),
            Some(weights) => (Self::Policy, preferred(moves, &usable_weights(weights))),
        })
    }
}

/// The moves with more than the mean weight, the best first.
fn preferred<M: Copy>(moves: &[M], weights: &[f32]) -> Vec<M> {
    let mean = weights.iter().sum::<f32>() / weights.len().max(1) as f32;
    let weighed = moves.iter().copied().zip(weights.iter().copied());
    let mut better: Vec<(M, f32)> = weighed.filter(|it| it.1 > mean).collect();
    better.sort_by(|one, other| other.1.total_cmp(&one.1));
    better.into_iter().map(|it| it.0).collect()
}

impl<G: Game> Worker<'_, G> {
    /// Notes the candidates at `ply`, whose moves are in `list` and where `mover` is to move, and
    /// leaves out what the author does not want searched.
    pub(super) fn apply_candidates(
        &mut self,
        ply: usize,
        mover: Player,
        list: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        let (shared, frame) = (self.shared, &mut self.frames[ply]);
        match shared.candidate_mode {
            CandidateMode::None => {}
            CandidateMode::Policy => {
                let from = Standpoint { mover, side: self.side, depth: ply as u32 };
                let (game, position) = (shared.view.game(), &frame.position);
                let weights = shared.evaluation.policy(game, position, from, list)?;
                frame.candidates =
                    weights.map_or_else(Vec::new, |it| preferred(list, &usable_weights(it)));
            }
            CandidateMode::First | CandidateMode::Only => {
                frame.candidates.clear();
                let game = shared.view.game();
                let author = game.candidates(&frame.position, self.side, ply as u32)?;
                let Some(Candidates { moves, only }) = author else { return Ok(()) };
                frame.candidates.extend(moves.iter().map(|it| it.0));
                if only && !frame.candidates.is_empty() {
                    list.retain(|mv| frame.candidates.contains(mv));
                    // What was left out might have been better: the value is an estimate.
                    self.guesses += 1;
                }
            }
        }
        Ok(())
    }
}
