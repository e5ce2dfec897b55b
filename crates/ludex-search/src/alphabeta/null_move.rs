//! The null move: who stands well even after passing need not look further.
//!
//! Don Beal, "A generalised quiescence search algorithm", 1990; Chrilly Donninger, "Null move and
//! deep search", 1993. Passing need not be legal for that, but it must be bad: where being to move
//! is a burden (zugzwang) the argument is wrong. Two guards:
//!
//! * *The game.* [`Calibration`](super::calibration) compares, on sample positions, what null moves would
//!   cut off with what a full search finds, and the null move is off where they disagree.
//! * *The position.* A cut high in the tree is verified by a shallower search of real moves (Omid
//!   David-Tabibi and Nathan Netanyahu, "Verified null-move pruning", 2002).
//!
//! What a null move says is a guess and never a proof. That it says "lost" tells something else:
//! the opponent threatens to win, and the answers to that deserve to be looked at deeper.

use ludex_core::{Game, GameExt, Player};

use super::config::NullMove;
use super::table::looks_back;
use super::worker::{Shared, Window, Worker, as_guess};
use crate::error::SearchError;
use crate::evaluation::scale::Aim;

/// From this depth on, cuts are verified.
const VERIFIED: i32 = 6;

impl<G: Game> Worker<'_, G> {
    /// Whether a null move may be tried at all.
    pub(super) fn may_try_null(&self, depth: i32, may_pass: bool) -> bool {
        let Shared { config, calibration, .. } = self.shared;
        let allowed = match config.null {
            NullMove::No => false,
            NullMove::Yes => true,
            // A cut is a guess, and one guess leaves points unknown; a won game is known in spite
            // of it.
            NullMove::Tested => calibration.may_pass && config.aim == Aim::Utility,
        };
        // A null move is no move of the game: a table of paths must not store what follows it.
        let is_way_kept = config.strict && looks_back(self.game());
        allowed && may_pass && depth >= 2 && self.trusts_table && !is_way_kept
    }

    /// What the position at `ply`, whose moves are in `list`, is worth to `mover` who passes.
    pub(super) fn try_null(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        list: &[G::Move],
    ) -> Result<i32, SearchError> {
        let Some(passed) = self.game().null_move(&self.frames[ply].position.state) else {
            return Ok(as_guess(window.alpha));
        };
        self.reserve(ply + 1);
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        lower[0].position.state = passed;
        lower[0].position.trail.clone_from(&upper[ply].position.trail);
        lower[0].last = None;
        lower[0].check = None;
        let less = 3 + depth / 6;
        let narrow = Window::above(window.beta - 1);
        let value = self.visit(ply + 1, mover, depth - less, narrow, false)?;
        if value < window.beta {
            return Ok(value);
        }
        self.guesses += 1;
        let value = as_guess(value);
        if depth < VERIFIED {
            return Ok(value);
        }
        let verified = self.try_moves(ply, mover, depth - less, narrow, None, false, list)?;
        Ok(as_guess(verified.0).min(value))
    }
}
