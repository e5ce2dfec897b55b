//! The root: iterative deepening, aspiration windows, several lines, and what may be called proved.
//!
//! David Slate and Larry Atkin, "Chess 4.5", 1977: a search of depth 1, then of depth 2 and so on,
//! each with what the last one has left in the table. A window around the last value makes the
//! next search shorter; a value outside of it is searched again with a wider one.

use ludex_core::{Game, Player};

use super::config::AlphaBetaConfig;
use super::ordering::Ordering;
use super::table::Bound;
use super::worker::{Window, Worker};
use crate::error::SearchError;
use crate::evaluation::scale::{self, Aim, INFINITE};
use crate::evaluation::{Evaluate, MOST};
use crate::result::{Line, Proved};

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct Root<M> {
    pub(super) mv: M,
    /// Its value and bound.
    pub(super) found: Found,
    /// Whether the last search of it used no evaluation.
    pub(super) is_finished: bool,
    pub(super) pv: Vec<M>,
    pub(super) nodes: u64,
}

/// What a search has found of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Its value, or a bound of it, in the last iteration that had something to say.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// Whether no evaluation had a say in it.
    pub(super) is_complete: bool,
    /// Whether a won or lost game needs no second search, or has stood it.
    pub(super) is_verified: bool,
}

impl Found {
    /// What is known of the move.
    fn proved(self, aim: Aim) -> Option<Proved> {
        let Self { value, bound, is_complete, is_verified } = self;
        if scale::is_decided(value) {
            // At least won, or at most lost, is as good as the value itself.
            let known = if value > 0 { Proved::WIN } else { Proved::LOSS };
            let says = bound != if value > 0 { Bound::AtMost } else { Bound::AtLeast };
            return (is_verified && says).then_some(Proved { plies: scale::plies(value), ..known });
        }
        if !is_complete || bound != Bound::Exact {
            return None;
        }
        let (utility, points) = match aim {
            Aim::Utility => (f64::from(value) / f64::from(MOST), None),
            Aim::Score => (f64::from(value.signum()), scale::points(value)),
        };
        Some(Proved { points, ..Proved::exactly(utility) })
    }

    /// Whether the move was seen to lose.
    pub(super) fn is_lost(self) -> bool {
        self.value < -MOST && self.bound != Bound::AtLeast
    }

    /// Whether it says nothing: who is at most won may be anything.
    fn is_empty(self) -> bool {
        match self.bound {
            Bound::Exact => false,
            Bound::AtMost => self.value > MOST,
            Bound::AtLeast => self.value < -MOST,
        }
    }
}

impl<M: Copy> Root<M> {
    pub(super) fn new(mv: M) -> Self {
        let (bound, is_complete, is_verified) = (Bound::AtLeast, false, false);
        let found = Found { value: -INFINITE, bound, is_complete, is_verified };
        Self { mv, found, is_finished: false, pv: vec![mv], nodes: 0 }
    }

    /// Takes note that it wins, with a value that says how soon at the latest.
    pub(super) fn win(&mut self, value: i32) {
        let (bound, is_complete, is_verified) = (Bound::AtLeast, true, true);
        self.found = Found { value, bound, is_complete, is_verified };
    }

    /// Takes note of what was found, unless more was known before.
    fn learn(&mut self, found: Found, aim: Aim) {
        self.is_finished = found.is_complete;
        let is_less = self.found.proved(aim).is_some() && found.proved(aim).is_none();
        if !is_less && !found.is_empty() {
            self.found = found;
        }
    }

    /// What to tell of the move.
    pub(super) fn line<G: Game<Move = M>>(
        &self,
        evaluation: &dyn Evaluate<G>,
        aim: Aim,
    ) -> Line<M> {
        let value = self.found.value;
        if self.found.is_empty() {
            return Line { visits: self.nodes, ..Line::new(self.mv) };
        }
        let proved = self.found.proved(aim);
        let believed = if scale::is_decided(value) {
            f64::from(value.signum())
        } else {
            evaluation.utility(value)
        };
        let unit = if aim == Aim::Score { scale::POINT as f64 } else { 1.0 };
        Line {
            mv: self.mv,
            value: proved.map_or(believed, |it| it.utility),
            is_at_most: proved.is_none() && self.found.bound == Bound::AtMost,
            score: Some(f64::from(value) / unit),
            proved,
            visits: self.nodes,
            pv: self.pv.clone(),
        }
    }
}

impl<G: Game> Worker<'_, G> {
    /// One iteration over all moves, `depth` plies deep. The moves are left in their order, the
    /// best first; an iteration that is cut short leaves what it has found.
    pub(super) fn iterate(
        &mut self,
        roots: &mut [Root<G::Move>],
        mover: Player,
        depth: u32,
    ) -> Result<(), SearchError> {
        self.begin(depth);
        let AlphaBetaConfig { lines, window, .. } = *self.shared.config;
        for line in 0..lines.clamp(1, roots.len().max(1)) {
            self.iterate_from(roots, line, mover, depth, window)?;
        }
        Ok(())
    }

    /// Finds the best of the moves from number `first` on.
    fn iterate_from(
        &mut self,
        roots: &mut [Root<G::Move>],
        first: usize,
        mover: Player,
        depth: u32,
        width: i32,
    ) -> Result<(), SearchError> {
        let last = roots[first].found.value;
        let mut width = width;
        let mut window = Window::OPEN;
        if width > 0 && depth > 2 && last.abs() < MOST {
            window = Window { alpha: last - width, beta: last + width };
        }
        loop {
            let value = self.iterate_window(roots, first, mover, depth, window)?;
            if value <= window.alpha && window.alpha > -INFINITE {
                width = width.saturating_mul(8);
                window.alpha = if width > MOST { -INFINITE } else { value - width };
            } else if value >= window.beta && window.beta < INFINITE {
                width = width.saturating_mul(8);
                window.beta = if width > MOST { INFINITE } else { value + width };
            } else {
                return Ok(());
            }
            window.alpha = window.alpha.max(-INFINITE);
            window.beta = window.beta.min(INFINITE);
        }
    }

    /// Searches the moves from number `first` on within a window.
    fn iterate_window(
        &mut self,
        roots: &mut [Root<G::Move>],
        first: usize,
        mover: Player,
        depth: u32,
        window: Window,
    ) -> Result<i32, SearchError> {
        let Window { mut alpha, beta } = window;
        let mut best = -INFINITE;
        for number in first..roots.len() {
            let mv = roots[number].mv;
            let (nodes, guesses) = (self.nodes, self.guesses);
            self.play(0, mv, Ordering::place(mv, mover))?;
            let below = depth as i32 - 1;
            let is_first = number == first || !self.shared.config.pvs;
            let mut value = if is_first {
                self.visit(1, mover, below, Window { alpha, beta }, true)?
            } else {
                self.visit(1, mover, below, Window::above(alpha), true)?
            };
            if !is_first && value > alpha && value < beta {
                value = self.visit(1, mover, below, Window { alpha, beta }, true)?;
            }
            let found = Found {
                value,
                bound: Bound::of(value, alpha, beta),
                is_complete: self.guesses == guesses,
                is_verified: !self.shared.is_forgetful(),
            };
            let root = &mut roots[number];
            root.nodes += self.nodes - nodes;
            root.learn(found, self.shared.config.aim);
            let better = value > best;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend_from_slice(&self.frames[1].pv);
            }
            if better && number > first && value > window.alpha {
                // The best stands first at any time, in case this is cut short.
                roots[first..=number].rotate_right(1);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Searches again what looks won or lost, without the values of the table: where the rules
    /// look back they may belong to another way. Gives up after as many nodes again as it took.
    pub(super) fn verify(
        &mut self,
        roots: &mut [Root<G::Move>],
        mover: Player,
        depth: u32,
    ) -> Result<bool, SearchError> {
        let Some(best) = roots.first().map(|it| it.found.value) else { return Ok(false) };
        let cap = self.nodes + self.nodes / 2 + 10_000;
        self.set_cap(cap);
        self.trusts_table = false;
        let found = self.verify_all(roots, mover, depth, best);
        self.trusts_table = true;
        let gave_up = self.nodes >= cap;
        self.set_cap(u64::MAX);
        match found {
            Err(SearchError::Stopped) if gave_up => Ok(false),
            other => other,
        }
    }

    fn verify_all(
        &mut self,
        roots: &mut [Root<G::Move>],
        mover: Player,
        depth: u32,
        best: i32,
    ) -> Result<bool, SearchError> {
        // A win is one move's affair, a loss that of all.
        let count = if best > MOST { 1 } else { roots.len() };
        for root in &mut roots[..count] {
            self.play(0, root.mv, Ordering::place(root.mv, mover))?;
            let border = if best > MOST { MOST } else { -MOST - 1 };
            let value = self.visit(1, mover, depth as i32 - 1, Window::above(border), false)?;
            if if best > MOST { value <= MOST } else { value >= -MOST } {
                if best < -MOST {
                    // It is not lost after all, and must not be reported as lost.
                    let (bound, is_complete, is_verified) = (Bound::AtLeast, false, false);
                    root.found = Found { value, bound, is_complete, is_verified };
                }
                return Ok(false);
            }
            // How soon the first search saw the end may be another way's affair, too.
            let bound = if best > MOST { Bound::AtLeast } else { Bound::AtMost };
            root.found = Found { value, bound, is_complete: false, is_verified: true };
        }
        Ok(true)
    }
}
