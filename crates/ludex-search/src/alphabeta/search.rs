//! The search itself: negamax with principal variation search.
//!
//! Tony Marsland, "A review of game-tree pruning", 1986, names most of what is here; Judea Pearl,
//! "Scout", 1980, and Tony Marsland and Murray Campbell, 1982, the search with an empty window.
//! Late-move reductions are folklore of the years around 2000.
//!
//! **What is proved.** A value beyond all evaluations comes from a real end of the game and from
//! nothing else: whatever is left out (by a null move, by reductions, beyond the horizon) answers
//! with something between the evaluations' bounds, which proves nothing. Besides, it is counted
//! how often an evaluation had a say (`guesses`): a search in which none had is the whole truth,
//! draws included.
//!
//! Whose turn it is the rules are not always asked (`Worker::list`); where something is proved they
//! are, every time.
//!
//! **History.** Where the rules look back, a value belongs to the way as well as to the position,
//! and the table forgets the way. A value that the table had a say in is then never proved; the
//! root searches wins and losses again without the table's values (`trusts_table`).
//!
//! Start reading at `Worker::visit`, which looks at a position, and `Worker::search`, which looks
//! at its moves.

use ludex_core::two_player::opponent;
use ludex_core::{Game, Player};

use super::ordering::{Hints, Ordering, Ranked, bring_best, prefer};
use super::table::{Bound, Entry, Key, NO_MOVE};
use super::worker::{Frame, LONGEST, Shared, Window, Worker};
use crate::error::SearchError;
use crate::evaluation::scale::{self, INFINITE};

impl<G: Game> Worker<'_, G> {
    /// What the position at `ply`, which a move of `viewer` led to, is worth to `viewer`.
    pub(super) fn visit(
        &mut self,
        ply: usize,
        viewer: Player,
        depth: i32,
        window: Window,
        may_pass: bool,
    ) -> Result<i32, SearchError> {
        self.count()?;
        let mut remembered = None;
        let mut key = Key::default();
        if depth > 0 && self.shared.config.table {
            key = self.key(ply);
            remembered = self.shared.table.probe(key);
            if let Some(value) =
                remembered.and_then(|it| self.known(&it, ply, viewer, depth, window))
            {
                return Ok(value);
            }
        }
        self.frames[ply].pv.clear();
        let Some(mover) = self.list(ply, opponent(viewer))? else { return self.end(ply, viewer) };
        let remembered = remembered.filter(|it| it.mover == mover.0);
        if mover == viewer {
            self.search(ply, mover, depth, window, key, remembered, may_pass)
        } else {
            let turned = window.turned();
            Ok(-self.search(ply, mover, depth, turned, key, remembered, may_pass)?)
        }
    }

    /// What the position at `ply`, whose moves are listed, is worth to `mover`.
    #[allow(clippy::too_many_arguments, reason = "they are one position and one question")]
    fn search(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        key: Key,
        remembered: Option<Entry>,
        may_pass: bool,
    ) -> Result<i32, SearchError> {
        let config = self.shared.config;
        let is_single = self.frames[ply].list.len() == 1;
        let (mut depth, mut key, mut remembered) = (depth, key, remembered);
        if config.extend && (ply as i32) < 2 * self.depth {
            if self.in_check(ply) {
                // The table was not probed for a position at the horizon.
                if depth <= 0 && config.table {
                    key = self.key(ply);
                    remembered = self.shared.table.probe(key).filter(|it| it.mover == mover.0);
                    let entry = remembered.as_ref();
                    if let Some(value) = entry.and_then(|it| self.known(it, ply, mover, 1, window))
                    {
                        return Ok(value);
                    }
                }
                depth = depth.max(0) + 1;
            } else if is_single && depth > 0 {
                depth += 1;
            }
        }
        if depth <= 0 || ply + 2 >= LONGEST {
            return self.quiesce(ply, mover, window, 0);
        }
        if let Some(value) = self.forced((ply, mover), depth, key, remembered)? {
            return Ok(value);
        }
        let before = std::mem::take(&mut self.guesses);
        let mut list = std::mem::take(&mut self.frames[ply].list);
        self.apply_candidates(ply, mover, &mut list)?;
        let found = self.look_below(ply, mover, depth, window, remembered, may_pass, &list);
        self.frames[ply].list = list;
        let (value, best) = found?;
        if self.guesses == 0 || scale::is_decided(value) {
            self.confirm(ply, mover)?;
        }
        if config.table {
            let entry = Entry {
                value: scale::from_root(value, ply as u32),
                bound: Bound::of(value, window.alpha, window.beta),
                depth: depth.min(255) as u8,
                mv: best.or(remembered.map(|it| it.mv)).unwrap_or(NO_MOVE),
                mover: mover.0,
                is_complete: self.guesses == 0,
            };
            self.shared.table.store(key, &entry);
        }
        self.guesses += before;
        Ok(value)
    }

    /// The value of a position, and the number of the move that gives it.
    #[allow(clippy::too_many_arguments, reason = "they are one position and one question")]
    fn look_below(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        remembered: Option<Entry>,
        may_pass: bool,
        list: &[G::Move],
    ) -> Result<(i32, Option<u16>), SearchError> {
        let config = self.shared.config;
        let mut threatened = false;
        let is_quiet_question = !window.is_open() && !scale::is_decided(window.beta);
        let may_prune =
            is_quiet_question && (config.futility || self.may_try_null(depth, may_pass));
        if may_prune && !self.in_check(ply) {
            let static_eval = self.evaluate(ply, mover)?;
            if let Some(value) = self.give_up_early(ply, mover, depth, window, static_eval, list)? {
                return Ok((value, None));
            }
            if self.may_try_null(depth, may_pass) && static_eval >= window.beta {
                match self.try_null(ply, mover, depth, window, list)? {
                    value if value >= window.beta => return Ok((value, None)),
                    value => threatened = scale::is_decided(value),
                }
            }
        }
        let extension = i32::from(threatened && config.extend && (ply as i32) < 2 * self.depth);
        self.try_moves(ply, mover, depth + extension, window, remembered, threatened, list)
    }

    /// Looks at the moves one by one, the most promising first.
    #[allow(clippy::too_many_arguments, reason = "they are one position and one question")]
    pub(super) fn try_moves(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        remembered: Option<Entry>,
        threatened: bool,
        list: &[G::Move],
    ) -> Result<(i32, Option<u16>), SearchError> {
        let config = self.shared.config;
        let last = self.frames[ply].last;
        let is_urgent = threatened || (config.lmr && self.in_check(ply));
        let first = remembered.map(|it| u32::from(it.mv)).filter(|&it| (it as usize) < list.len());
        let mut ranked = std::mem::take(&mut self.frames[ply].ranked);
        ranked.clear();
        let Window { mut alpha, beta } = window;
        let (mut best, mut best_number) = (-INFINITE, None);
        let mut tried = 0;
        let mut is_ranked = false;
        let mut outcome = Ok(());
        while tried < list.len() {
            let pick = match first {
                Some(number) if tried == 0 => {
                    let place = Ordering::place(list[number as usize], mover);
                    Ranked { rank: i32::MAX, number, place, is_capture: false }
                }
                _ => {
                    if !is_ranked {
                        is_ranked = true;
                        self.rank(ply, mover, first, list, &mut ranked);
                    }
                    let at = tried - usize::from(first.is_some());
                    bring_best(&mut ranked, at);
                    ranked[at]
                }
            };
            let mv = list[pick.number as usize];
            let is_late = tried >= 3 && !pick.is_capture && !is_urgent;
            let open = Window { alpha, beta };
            let found = self
                .play(ply, mv, pick.place)
                .and_then(|()| self.try_move(ply, mover, depth, open, tried, is_late, pick.rank));
            let value = match found {
                Ok(value) => value,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            tried += 1;
            if value > best {
                best = value;
                if value > alpha {
                    best_number = u16::try_from(pick.number).ok();
                    alpha = value;
                    if window.is_open() {
                        self.extend_pv(ply, mv);
                    }
                }
                if value >= beta {
                    if !pick.is_capture {
                        let failed = tried.saturating_sub(1 + usize::from(first.is_some()));
                        let failed = &ranked[..failed.min(ranked.len())];
                        self.ordering.refuted(mv, pick.place, last, depth, failed);
                        if config.killers && self.frames[ply].killers[0] != Some(mv) {
                            self.frames[ply].killers[1] = self.frames[ply].killers[0];
                            self.frames[ply].killers[0] = Some(mv);
                        }
                    }
                    break;
                }
            }
        }
        self.frames[ply].ranked = ranked;
        outcome.map(|()| (best, best_number))
    }

    fn rank(
        &self,
        ply: usize,
        mover: Player,
        first: Option<u32>,
        list: &[G::Move],
        ranked: &mut Vec<Ranked>,
    ) {
        let Shared { config, calibration, .. } = self.shared;
        let Frame { position, last, killers, .. } = &self.frames[ply];
        let captures = calibration.captures && (config.captures || config.lmr);
        let hints = Hints { mover, last: *last, killers: *killers, first, captures };
        let worth = |kind| self.shared.man(kind);
        self.ordering.rank(self.game(), &position.state, config, worth, list, &hints, ranked);
        prefer(ranked, list, &self.frames[ply].candidates);
    }

    /// What the move that was just played at `ply` is worth to `mover`: the first one with the
    /// whole window, the others with an empty one and, where they are better than expected, again.
    #[allow(clippy::too_many_arguments, reason = "they are one move and one question")]
    fn try_move(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        tried: usize,
        is_late: bool,
        rank: i32,
    ) -> Result<i32, SearchError> {
        let config = self.shared.config;
        if tried == 0 || !config.pvs {
            return self.visit(ply + 1, mover, depth - 1, window, true);
        }
        let narrow = Window::above(window.alpha);
        if config.lmr && is_late && depth >= 3 && !self.in_check(ply + 1) {
            let less = reduction(depth, tried, window.is_open(), rank);
            if less > 0 {
                let value = self.visit(ply + 1, mover, depth - 1 - less, narrow, true)?;
                if value <= window.alpha {
                    return Ok(value);
                }
            }
        }
        let value = self.visit(ply + 1, mover, depth - 1, narrow, true)?;
        if value > window.alpha && value < window.beta && window.is_open() {
            return self.visit(ply + 1, mover, depth - 1, window, true);
        }
        Ok(value)
    }

    /// The best line at `ply` is `mv` and then the best line after it.
    fn extend_pv(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply].pv, &lower[0].pv);
        line.clear();
        line.push(mv);
        line.extend_from_slice(rest);
    }
}

/// How many plies less deep a late move is searched.
fn reduction(depth: i32, tried: usize, is_open: bool, rank: i32) -> i32 {
    let steps = (depth.max(1) as u32).ilog2() as i32 * (tried.max(1) as u32).ilog2() as i32;
    let less = steps / 4 + 1 - i32::from(is_open) - i32::from(rank > 4096) + i32::from(rank < 0);
    less.clamp(0, depth - 2)
}
