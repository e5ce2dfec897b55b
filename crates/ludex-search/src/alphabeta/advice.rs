//! What the author of the rules would look at: first, or nothing else.

use ludex_core::{Advice, Fault, Game, Player as Side};

use super::search::Worker;
use crate::player::Task;

/// What part the author's candidates have in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Guidance {
    /// None: there are no candidates, or they were not asked for.
    #[default]
    None,
    /// They are looked at first.
    First,
    /// Nothing else is looked at, and so nothing is proved.
    Only,
}

impl Guidance {
    /// What the author says at the root, with the moves to look at there.
    pub(super) fn at_root<G: Game>(
        task: Task<'_, G>,
        side: ludex_core::Player,
    ) -> Result<(Self, Vec<G::Move>), Fault> {
        let advice = task.game.advice(task.state, task.trail, side, 0)?;
        Ok(match advice {
            None => (Self::None, Vec::new()),
            Some(Advice { moves, only }) => {
                let moves = moves.into_iter().map(|it| it.0).collect();
                (if only { Self::Only } else { Self::First }, moves)
            }
        })
    }
}

impl<G: Game> Worker<'_, G> {
    /// Lists what the author looks at, and nothing else, at its word: `None` if that was not asked for
    /// or comes to nothing; else who is to move, if anybody is. Only what has a weight goes before
    /// all that a search finds out by itself.
    pub(super) fn list_at_its_word(&mut self, ply: usize) -> Result<Option<Option<Side>>, Fault> {
        let frame = &mut self.frames[ply];
        frame.is_at_its_word = false;
        if self.shared.guidance != Guidance::Only || !self.shared.config.trust || ply == 0 {
            return Ok(None);
        }
        let view = self.shared.view;
        let Some(mover) = view.mover(&frame.state, &frame.trail)? else { return Ok(Some(None)) };
        let game = view.game();
        let advice = game.unchecked_advice(&frame.state, &frame.trail, self.side, ply as u32)?;
        let Some(advice) = advice.filter(|it| !it.moves.is_empty()) else { return Ok(None) };
        frame.list.clear();
        frame.list.extend(advice.moves.iter().map(|it| it.0));
        frame.advised.clear();
        frame.advised.extend(advice.moves.iter().filter(|it| it.1 > 0.0).map(|it| it.0));
        frame.is_asked = true;
        frame.is_at_its_word = true;
        Ok(Some(Some(mover)))
    }

    /// Asks the author about the position at `ply`, whose moves are in `list`: what is to be
    /// looked at first is noted, and what is not to be looked at is left out.
    pub(super) fn take_advice(&mut self, ply: usize, list: &mut Vec<G::Move>) -> Result<(), Fault> {
        if self.shared.guidance == Guidance::None {
            return Ok(());
        }
        let frame = &mut self.frames[ply];
        if frame.is_at_its_word {
            self.guesses += 1;
            return Ok(());
        }
        frame.advised.clear();
        let game = self.shared.view.game();
        let Some(advice) = game.advice(&frame.state, &frame.trail, self.side, ply as u32)? else {
            return Ok(());
        };
        frame.advised.extend(advice.moves.iter().map(|it| it.0));
        if advice.only && !frame.advised.is_empty() {
            list.retain(|mv| frame.advised.contains(mv));
            // What was left out might have been better: the value is a belief.
            self.guesses += 1;
        }
        Ok(())
    }
}
