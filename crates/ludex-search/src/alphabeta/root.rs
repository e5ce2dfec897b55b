//! The root: iterative deepening, aspiration windows, several lines, and what may be called proved.
//!
//! David Slate and Larry Atkin, "Chess 4.5", 1977: a search of depth 1, then of depth 2 and so on,
//! each with what the last one has left in the table. A window around the last value makes the
//! next search shorter; a value outside of it is searched again with a wider one.

use ludex_core::{Game, Player};

use super::config::Config;
use super::halt::Halt;
use super::ordering::Ordering;
use super::search::{Window, Worker};
use crate::evaluation::scale::{self, Aim, INFINITE};
use crate::evaluation::{Evaluate, MOST};
use crate::thought::{Line, Proved};

/// A move of the root.
#[derive(Clone, Debug)]
pub(super) struct Root<M> {
    pub(super) mv: M,
    /// Its value, or an upper bound of it, in the last iteration that came to it.
    pub(super) value: i32,
    /// Whether that is the value itself.
    pub(super) is_exact: bool,
    /// Whether no evaluation had a say in it.
    pub(super) is_complete: bool,
    /// Whether a won or lost game was searched again, where that is needed.
    pub(super) is_verified: bool,
    pub(super) pv: Vec<M>,
    pub(super) nodes: u64,
}

impl<M: Copy> Root<M> {
    pub(super) fn new(mv: M) -> Self {
        Self {
            mv,
            value: -INFINITE,
            is_exact: false,
            is_complete: false,
            is_verified: false,
            pv: vec![mv],
            nodes: 0,
        }
    }

    /// What is known of the move.
    fn proved(&self, has_history: bool, aim: Aim) -> Option<Proved> {
        let sure = !has_history || self.is_verified;
        if scale::is_decided(self.value) && sure {
            // Of a move that is only known to be bad, the bound is enough.
            let won = self.value > 0;
            if !won || self.is_exact {
                let known = if won { Proved::WIN } else { Proved::LOSS };
                return Some(Proved { plies: scale::plies(self.value), ..known });
            }
        }
        if self.is_complete && self.is_exact && !scale::is_decided(self.value) {
            let utility = match aim {
                Aim::Utility => f64::from(self.value) / f64::from(MOST),
                Aim::Score => f64::from(self.value.signum()),
            };
            return Some(Proved { utility, exact: true, plies: None });
        }
        None
    }

    /// What to tell of the move.
    pub(super) fn line<G: Game<Move = M>>(
        &self,
        evaluation: &dyn Evaluate<G>,
        has_history: bool,
        aim: Aim,
    ) -> Line<M> {
        let proved = self.proved(has_history, aim);
        if self.value == -INFINITE {
            return Line { visits: self.nodes, ..Line::new(self.mv) };
        }
        let believed = if scale::is_decided(self.value) {
            f64::from(self.value.signum())
        } else {
            evaluation.utility(self.value)
        };
        let points = f64::from(self.value) / if aim == Aim::Score { 1000.0 } else { 1.0 };
        Line {
            mv: self.mv,
            value: proved.map_or(believed, |it| it.utility),
            score: Some(points),
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
    ) -> Result<(), Halt> {
        self.begin(depth);
        let Config { lines, window, .. } = *self.shared.config;
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
    ) -> Result<(), Halt> {
        let last = roots[first].value;
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
    ) -> Result<i32, Halt> {
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
            let root = &mut roots[number];
            root.nodes += self.nodes - nodes;
            root.value = value;
            root.is_exact = value > alpha && value < beta;
            root.is_complete = self.guesses == guesses;
            root.is_verified = false;
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
    ) -> Result<bool, Halt> {
        let Some(best) = roots.first().map(|it| it.value) else { return Ok(false) };
        let cap = self.nodes + self.nodes / 2 + 10_000;
        self.set_cap(cap);
        self.trusts_table = false;
        let found = self.verify_all(roots, mover, depth, best);
        self.trusts_table = true;
        let gave_up = self.nodes >= cap;
        self.set_cap(u64::MAX);
        match found {
            Err(Halt::Spent) if gave_up => Ok(false),
            other => other,
        }
    }

    fn verify_all(
        &mut self,
        roots: &mut [Root<G::Move>],
        mover: Player,
        depth: u32,
        best: i32,
    ) -> Result<bool, Halt> {
        // A win is one move's affair, a loss that of all.
        let count = if best > MOST { 1 } else { roots.len() };
        for root in &mut roots[..count] {
            self.play(0, root.mv, Ordering::place(root.mv, mover))?;
            let border = if best > MOST { MOST } else { -MOST - 1 };
            let value = self.visit(1, mover, depth as i32 - 1, Window::above(border), false)?;
            root.is_verified = if best > MOST { value > MOST } else { value < -MOST };
            if !root.is_verified {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
