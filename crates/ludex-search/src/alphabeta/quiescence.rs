//! Beyond the horizon: captures are followed until the position is quiet.
//!
//! Alan Turing, "Digital computers applied to games", 1953, and Claude Shannon, 1950, both saw that
//! an evaluation in the middle of an exchange is worth nothing. Who is to move may stand pat on the
//! evaluation or take something; where every move takes, standing pat is not allowed. A capture
//! that wins enough for a cut even if the man that takes is lost is not played out.
//!
//! Where men are not taken at all, or the engine cannot tell, this is the evaluation alone.

use ludex_core::two_player::opponent;
use ludex_core::{Capture, Game, GameExt, Player};

use super::ordering::{Ordering, by_exchange};
use super::worker::{LONGEST, Shared, Window, Worker, as_guess};
use crate::error::SearchError;
use crate::evaluation::scale::{self, INFINITE};

/// Exchanges are not followed further than this.
const LONGEST_EXCHANGE: i32 = 12;

/// Checks in an exchange are answered in this many of its first moves.
const LONGEST_CHASE: i32 = 4;

/// Captures come before other replies to a check.
const A_CAPTURE: i32 = 1 << 24;

impl<G: Game> Worker<'_, G> {
    /// What the position at `ply`, whose moves are listed, is worth to `mover`.
    pub(super) fn quiesce(
        &mut self,
        ply: usize,
        mover: Player,
        window: Window,
        far: i32,
    ) -> Result<i32, SearchError> {
        let list = std::mem::take(&mut self.frames[ply].list);
        let value = self.quiesce_among(ply, mover, window, far, &list);
        self.frames[ply].list = list;
        value
    }

    /// The same where the moves are in `list`.
    pub(super) fn quiesce_among(
        &mut self,
        ply: usize,
        mover: Player,
        window: Window,
        far: i32,
        list: &[G::Move],
    ) -> Result<i32, SearchError> {
        let Shared { config, calibration, .. } = self.shared;
        self.guesses += 1;
        let static_eval = self.evaluate(ply, mover)?;
        let follows = config.quiesce && calibration.captures && far < LONGEST_EXCHANGE;
        if !follows || ply + 2 >= LONGEST {
            return Ok(static_eval);
        }
        let value = if far < LONGEST_CHASE && self.in_check(ply) {
            self.escape(ply, mover, window, far, list)?
        } else {
            self.exchange(ply, mover, window, far, static_eval, list)?
        };
        if scale::is_decided(value) {
            self.confirm(ply, mover)?;
        }
        Ok(value)
    }

    /// Who has to answer a check may not stand pat: every reply is looked at.
    fn escape(
        &mut self,
        ply: usize,
        mover: Player,
        window: Window,
        far: i32,
        list: &[G::Move],
    ) -> Result<i32, SearchError> {
        let mut replies: Vec<(i32, usize)> = (list.iter().enumerate())
            .map(|(number, &mv)| {
                let gain = self.gain(ply, mv);
                (gain.map_or(0, |it| -A_CAPTURE - by_exchange(it, self.risk(ply, mv))), number)
            })
            .collect();
        replies.sort_unstable();
        let mut best = -INFINITE;
        for (_, number) in replies {
            let mv = list[number];
            self.play(ply, mv, Ordering::place(mv, mover))?;
            let open = Window { alpha: window.alpha.max(best), beta: window.beta };
            best = best.max(self.visit_quietly(ply + 1, mover, open, far + 1)?);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    fn exchange(
        &mut self,
        ply: usize,
        mover: Player,
        window: Window,
        far: i32,
        static_eval: i32,
        list: &[G::Move],
    ) -> Result<i32, SearchError> {
        // One quiet move is enough to be free to stand pat: mostly that is seen at once.
        let is_quiet = |worker: &Self, mv| worker.gain(ply, mv).is_none();
        let is_free = !list.iter().all(|&mv| !is_quiet(self, mv));
        let mut best = if is_free { static_eval } else { -INFINITE };
        let mut alpha = window.alpha.max(best);
        if best >= window.beta {
            return Ok(best);
        }
        let mut captures: Vec<(i32, usize, i32)> = (list.iter().enumerate())
            .filter_map(|(number, &mv)| {
                let gain = self.gain(ply, mv)?;
                Some((-by_exchange(gain, self.risk(ply, mv)), number, gain))
            })
            .collect();
        captures.sort_unstable();
        if is_free
            && let Some(sure) = self.sure_gain(ply, window.beta, static_eval, list, &captures)
        {
            return Ok(sure);
        }
        for (_, number, gain) in captures {
            let hoped =
                static_eval.saturating_add(gain).saturating_add(self.shared.calibration.swing);
            if is_free
                && self.shared.config.futility
                && hoped <= alpha
                && !self.shared.calibration.sudden
            {
                best = best.max(as_guess(hoped));
                continue;
            }
            let mv = list[number];
            self.play(ply, mv, Ordering::place(mv, mover))?;
            let open = Window { alpha, beta: window.beta };
            let value = self.visit_quietly(ply + 1, mover, open, far + 1)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// What a capture brings that is enough for a cut: who takes a man with a lesser one has won
    /// the difference even if that one is taken back. It is a guess, as standing pat is, and not
    /// played out.
    fn sure_gain(
        &self,
        ply: usize,
        beta: i32,
        static_eval: i32,
        list: &[G::Move],
        captures: &[(i32, usize, i32)],
    ) -> Option<i32> {
        let Shared { config, calibration, .. } = self.shared;
        if !config.futility || calibration.sudden || scale::is_decided(beta) {
            return None;
        }
        captures.iter().find_map(|&(_, number, gain)| {
            // Who cannot tell which man takes cannot tell what is risked.
            let with = self.game().mover_kind(&self.frames[ply].position.state, list[number])?;
            let sure = gain.saturating_sub(self.shared.man(with).max(0));
            let value = as_guess(static_eval.saturating_add(sure));
            (sure > 0 && value >= beta).then_some(value)
        })
    }

    /// What the position at `ply`, which a capture of `viewer` led to, is worth to `viewer`.
    fn visit_quietly(
        &mut self,
        ply: usize,
        viewer: Player,
        window: Window,
        far: i32,
    ) -> Result<i32, SearchError> {
        self.count()?;
        self.frames[ply].pv.clear();
        let Some(mover) = self.list(ply, opponent(viewer))? else { return self.end(ply, viewer) };
        if mover == viewer {
            self.quiesce(ply, mover, window, far)
        } else {
            Ok(-self.quiesce(ply, mover, window.turned(), far)?)
        }
    }

    /// The value of the man that makes a move.
    fn risk(&self, ply: usize, mv: G::Move) -> i32 {
        let kind = self.game().mover_kind(&self.frames[ply].position.state, mv);
        kind.map_or(0, |it| self.shared.man(it))
    }

    /// The value of the man that a move takes; `None` for a move that takes nothing.
    fn gain(&self, ply: usize, mv: G::Move) -> Option<i32> {
        match self.game().capture(&self.frames[ply].position.state, mv) {
            Capture::Man(kind) => Some(self.shared.man(kind)),
            Capture::Nothing | Capture::Unknown => None,
        }
    }
}
