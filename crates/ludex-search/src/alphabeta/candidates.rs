//! What the author of the rules would look at: first, or nothing else.

use ludex_core::{Candidates, Fault, Game, GameExt};

use super::worker::Worker;
use crate::player::SearchRoot;

/// What part the author's candidates have in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum CandidateMode {
    /// None: there are no candidates, or they were not asked for.
    #[default]
    None,
    /// They are looked at first.
    First,
    /// Nothing else is looked at, and so nothing is proved.
    Only,
}

impl CandidateMode {
    /// What the author says at the root, with the moves to look at there.
    pub(super) fn at_root<G: Game>(
        root: SearchRoot<'_, G>,
        side: ludex_core::Player,
    ) -> Result<(Self, Vec<G::Move>), Fault> {
        let policy = root.game.candidates(root.position, side, 0)?;
        Ok(match policy {
            None => (Self::None, Vec::new()),
            Some(Candidates { moves, only }) => {
                let moves = moves.into_iter().map(|it| it.0).collect();
                (if only { Self::Only } else { Self::First }, moves)
            }
        })
    }
}

impl<G: Game> Worker<'_, G> {
    /// Asks the author about the position at `ply`, whose moves are in `list`: what is to be
    /// looked at first is noted, and what is not to be looked at is left out.
    pub(super) fn apply_candidates(
        &mut self,
        ply: usize,
        list: &mut Vec<G::Move>,
    ) -> Result<(), Fault> {
        if self.shared.candidate_mode == CandidateMode::None {
            return Ok(());
        }
        let frame = &mut self.frames[ply];
        frame.candidates.clear();
        let game = self.shared.view.game();
        let Some(policy) = game.candidates(&frame.position, self.side, ply as u32)? else {
            return Ok(());
        };
        frame.candidates.extend(policy.moves.iter().map(|it| it.0));
        if policy.only && !frame.candidates.is_empty() {
            list.retain(|mv| frame.candidates.contains(mv));
            // What was left out might have been better: the value is a belief.
            self.guesses += 1;
        }
        Ok(())
    }
}
