//! Futility and razoring: near the horizon, what is so good or so bad that nothing quiet will
//! change it.
//!
//! John Birmingham and Peter Kent, "Tree-searching and tree-pruning techniques", 1977; Ernst Heinz,
//! "Extended futility pruning", 1998. Only in games that are hardly ever decided by a quiet move;
//! see [`Calibration`](super::calibration).

use ludex_core::{Game, Player};

use super::worker::{Shared, Window, Worker};
use crate::error::SearchError;
use crate::evaluation::scale;

impl<G: Game> Worker<'_, G> {
    /// Near the horizon: a position so good that a quiet move hardly spoils it, or so bad that
    /// only captures could mend it.
    pub(super) fn give_up_early(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        static_eval: i32,
        list: &[G::Move],
    ) -> Result<Option<i32>, SearchError> {
        let Shared { config, calibration, .. } = self.shared;
        if !config.futility || depth > 3 || calibration.sudden {
            return Ok(None);
        }
        let margin = 2 * depth * calibration.swing;
        if static_eval.saturating_sub(margin) >= window.beta {
            self.guesses += 1;
            return Ok(Some(static_eval.saturating_sub(margin)));
        }
        if depth <= 2 && static_eval.saturating_add(2 * margin) < window.alpha {
            let value = self.quiesce_among(ply, mover, window, 0, list)?;
            if value <= window.alpha && !scale::is_decided(value) {
                self.guesses += 1;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
