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

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};
use std::time::Duration;

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Budget, Clock, Game, Player};

use super::advice::Guidance;
use super::config::{Config, Null};
use super::halt::Halt;
use super::ordering::{Hints, Ordering, Ranked, bring_best, prefer};
use super::profile::Profile;
use super::table::{Bound, Entry, Key, NO_MOVE, Table, looks_back};
use crate::evaluation::scale::{self, Aim, INFINITE};
use crate::evaluation::{Evaluate, MOST, Standpoint};
use crate::looks::Looks;

/// No line is followed further than this.
pub(super) const LONGEST: usize = 200;

/// What a man is worth of which nobody knows better.
const A_MAN: i32 = 1000;

/// What all threads share.
pub(super) struct Shared<'a, G: Game> {
    pub(super) view: TwoPlayer<'a, G>,
    pub(super) config: &'a Config,
    pub(super) evaluation: &'a dyn Evaluate<G>,
    pub(super) profile: &'a Profile,
    pub(super) table: &'a Table,
    pub(super) budget: Budget<'a>,
    pub(super) clock: &'a dyn Clock,
    /// What part the author's candidates have.
    pub(super) guidance: Guidance,
    /// Nodes of all threads, as far as they have told.
    pub(super) nodes: &'a AtomicU64,
    /// Raised when all are to stop.
    pub(super) stop: &'a AtomicBool,
}

impl<G: Game> Shared<'_, G> {
    /// What a man of a kind is about worth.
    pub(super) fn man(&self, kind: u8) -> i32 {
        let seen = || self.profile.men.get(usize::from(kind)).copied().flatten();
        self.evaluation.man(kind).or_else(seen).unwrap_or(A_MAN)
    }

    /// Whether the table gives values that belong to another way.
    pub(super) fn is_forgetful(&self) -> bool {
        looks_back(self.view.game()) && !self.config.strict
    }
}

/// One ply of the line being looked at.
pub(super) struct Frame<G: Game> {
    pub(super) state: G::State,
    pub(super) trail: G::Trail,
    /// A name of the positions up to here, in their order; kept in strict searches only.
    way: Key,
    pub(super) list: Vec<G::Move>,
    /// Whether the rules have said whose turn it is.
    is_asked: bool,
    ranked: Vec<Ranked>,
    /// What the author would look at, best first.
    pub(super) advised: Vec<G::Move>,
    killers: [Option<G::Move>; 2],
    /// The place of the move that led here.
    pub(super) last: Option<u16>,
    /// Whether who is to move has to answer a check; nothing where that was not asked yet.
    pub(super) check: Option<bool>,
    /// The best line from here on.
    pub(super) pv: Vec<G::Move>,
}

/// One thread's search.
pub(super) struct Worker<'a, G: Game> {
    pub(super) shared: &'a Shared<'a, G>,
    /// Whom the search is for.
    pub(super) side: Player,
    pub(super) frames: Vec<Frame<G>>,
    ordering: Ordering<G::Move>,
    pub(super) nodes: u64,
    pub(super) looks: Looks,
    /// How many nodes the others know of.
    told: u64,
    /// When to look at the budget again, and how often.
    next_look: u64,
    interval: u64,
    looked: Duration,
    /// Nodes after which this search stops, whatever the budget.
    pub(super) cap: u64,
    /// How often an evaluation had a say.
    pub(super) guesses: u64,
    /// Whether values of the table are believed, or only its moves.
    pub(super) trusts_table: bool,
    /// Depth of the iteration.
    pub(super) depth: i32,
}

/// The window of a search: what lies outside matters only as a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const OPEN: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// A window that only tells whether a value is above `alpha`.
    pub(super) fn above(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The opponent's view of it.
    pub(super) fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(
        shared: &'a Shared<'a, G>,
        state: &G::State,
        trail: &G::Trail,
        side: Player,
    ) -> Self {
        let mut worker = Self {
            shared,
            side,
            frames: Vec::new(),
            ordering: Ordering::new(),
            nodes: 0,
            looks: Looks::default(),
            told: 0,
            next_look: 1,
            interval: 1,
            looked: Duration::ZERO,
            cap: u64::MAX,
            guesses: 0,
            trusts_table: true,
            depth: 0,
        };
        worker.push_frame(state, trail);
        worker
    }

    fn push_frame(&mut self, state: &G::State, trail: &G::Trail) {
        self.frames.push(Frame {
            state: state.clone(),
            trail: trail.clone(),
            way: Key::default(),
            list: Vec::new(),
            is_asked: false,
            ranked: Vec::new(),
            advised: Vec::new(),
            killers: [None; 2],
            last: None,
            check: None,
            pv: Vec::new(),
        });
    }

    pub(super) fn game(&self) -> &'a G {
        self.shared.view.game()
    }

    /// Counts a node, and looks at the budget now and then.
    pub(super) fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes >= self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Halt> {
        let Shared { budget, clock, nodes, stop, .. } = self.shared;
        let fresh = self.nodes - self.told;
        self.told = self.nodes;
        let all = nodes.fetch_add(fresh, Atomic::Relaxed) + fresh;
        if stop.load(Atomic::Relaxed) || self.nodes >= self.cap {
            return Err(Halt::Spent);
        }
        if budget.is_spent(all, *clock) {
            stop.store(true, Atomic::Relaxed);
            return Err(Halt::Spent);
        }
        if budget.time.is_some() {
            // Nodes cost what the rules cost: the clock is read about five times a millisecond.
            let now = clock.elapsed();
            let passed = now.saturating_sub(self.looked);
            self.looked = now;
            let (quick, slow) = (Duration::from_micros(100), Duration::from_micros(400));
            if passed < quick {
                self.interval = (self.interval * 2).min(1024);
            } else if passed > slow {
                self.interval = (self.interval / 2).max(1);
            }
        } else {
            self.interval = 64;
        }
        let left = budget.nodes.map_or(u64::MAX, |it| it.saturating_sub(all)).max(1);
        let most = self.cap.saturating_sub(self.nodes).max(1);
        self.next_look = self.nodes + self.interval.min(left).min(most);
        Ok(())
    }

    /// Lets the budget be looked at with the next node: a cap has changed.
    pub(super) fn set_cap(&mut self, cap: u64) {
        self.cap = cap;
        self.next_look = self.nodes + 1;
    }

    /// Tells the others of the nodes they do not know of.
    pub(super) fn tell(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Atomic::Relaxed);
        self.told = self.nodes;
    }

    /// A new iteration begins.
    pub(super) fn begin(&mut self, depth: u32) {
        self.depth = depth as i32;
        if depth == 1 {
            self.ordering.fade();
        }
    }

    /// Plays a move of the position at `ply`; the one after it stands at `ply + 1`.
    pub(super) fn play(&mut self, ply: usize, mv: G::Move, place: u16) -> Result<(), Halt> {
        self.reserve(ply + 1);
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let (from, to) = (&upper[ply], &mut lower[0]);
        to.state.clone_from(&from.state);
        to.trail.clone_from(&from.trail);
        to.last = Some(place);
        to.check = None;
        self.shared.view.apply(&mut to.state, &mut to.trail, mv)?;
        Ok(())
    }

    pub(super) fn reserve(&mut self, ply: usize) {
        while self.frames.len() <= ply {
            let last = &self.frames[self.frames.len() - 1];
            let (state, trail) = (last.state.clone(), last.trail.clone());
            self.push_frame(&state, &trail);
        }
    }

    /// What the position at `ply`, which a move of `viewer` led to, is worth to `viewer`.
    pub(super) fn visit(
        &mut self,
        ply: usize,
        viewer: Player,
        depth: i32,
        window: Window,
        may_pass: bool,
    ) -> Result<i32, Halt> {
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

    /// The key of a position in the table.
    fn key(&mut self, ply: usize) -> Key {
        let (game, state) = (self.game(), &self.frames[ply].state);
        let key = Key { first: game.hash(state), second: game.second_hash(state) };
        if !self.shared.config.strict || !looks_back(game) {
            return key;
        }
        let way = if ply == 0 { Key::default() } else { self.frames[ply - 1].way };
        self.frames[ply].way = way.step(key);
        self.frames[ply].way
    }

    /// What the finished game at `ply` is worth to `viewer`.
    pub(super) fn end(&mut self, ply: usize, viewer: Player) -> Result<i32, Halt> {
        let Shared { view, config, .. } = self.shared;
        let Frame { state, trail, .. } = &self.frames[ply];
        let value = scale::end(*view, state, trail, viewer, ply as u32, config.aim)?;
        // Points that do not tell who has won prove nothing about winning.
        if config.aim == Aim::Score {
            let apart = view.value(state, trail, viewer)? - f64::from(value.signum());
            self.guesses += u64::from(apart.abs() > 1e-9);
        }
        Ok(value)
    }

    /// What the table says about a position, where that is enough.
    fn known(
        &mut self,
        entry: &Entry,
        ply: usize,
        viewer: Player,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        let strict = self.shared.config.strict;
        let complete = entry.is_complete && !self.shared.is_forgetful();
        let deep = if strict {
            i32::from(entry.depth) == depth
        } else {
            complete || i32::from(entry.depth) >= depth
        };
        // A line that shows how a value comes about is better than one that ends in the table.
        let is_shown = window.is_open() && !complete && !strict;
        if !self.trusts_table || !deep || is_shown || ply == 0 {
            return None;
        }
        let is_viewers = entry.mover == viewer.0;
        let seen = if is_viewers { window } else { window.turned() };
        let value = scale::to_root(entry.value, ply as u32);
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= seen.beta,
            Bound::AtMost => value <= seen.alpha,
        };
        if !enough {
            return None;
        }
        self.frames[ply].pv.clear();
        if !complete {
            self.guesses += 1;
        }
        Some(if is_viewers { value } else { -value })
    }

    /// Lists the moves of the position at `ply`; `None` if the game is over, else who moves.
    ///
    /// The usual player is asked for moves before the rules are asked whose turn it is: where
    /// there are some, that says it. One position in sixteen is asked in full, so that a game in
    /// which both choose at once is found out.
    pub(super) fn list(&mut self, ply: usize, usual: Player) -> Result<Option<Player>, Halt> {
        let view = self.shared.view;
        let frame = &mut self.frames[ply];
        view.moves(&frame.state, &frame.trail, usual, &mut frame.list)?;
        frame.is_asked = frame.list.is_empty() || self.nodes.is_multiple_of(16);
        if !frame.is_asked {
            return Ok(Some(usual));
        }
        let Some(mover) = view.mover(&frame.state, &frame.trail)? else { return Ok(None) };
        if mover != usual {
            view.moves(&frame.state, &frame.trail, mover, &mut frame.list)?;
        }
        if frame.list.is_empty() {
            let message = "a player is to move and has no move".to_owned();
            return Err(ludex_core::Fault { code: "no-move", message, place: None }.into());
        }
        Ok(Some(mover))
    }

    /// Makes sure that it is the turn of `mover` alone, where the rules have not been asked yet.
    pub(super) fn confirm(&mut self, ply: usize, mover: Player) -> Result<(), Halt> {
        let frame = &mut self.frames[ply];
        if frame.is_asked {
            return Ok(());
        }
        frame.is_asked = true;
        if self.shared.view.mover(&frame.state, &frame.trail)? == Some(mover) {
            return Ok(());
        }
        let message = "a player has moves and is not to move".to_owned();
        Err(ludex_core::Fault { code: "no-turn", message, place: None }.into())
    }

    /// Whether who is to move at `ply` has to answer a check.
    pub(super) fn in_check(&mut self, ply: usize) -> bool {
        if !self.shared.profile.checks {
            return false;
        }
        let Frame { state, trail, check, .. } = &mut self.frames[ply];
        if let Some(known) = *check {
            return known;
        }
        // It is a hint: where the rules cannot answer, they have something to say themselves.
        let found = self.shared.view.game().in_check(state, trail).unwrap_or(false);
        *check = Some(found);
        found
    }

    /// What an evaluation says of the position at `ply`: a guess.
    pub(super) fn evaluate(&mut self, ply: usize, mover: Player) -> Result<i32, Halt> {
        let Frame { state, trail, .. } = &self.frames[ply];
        let from = Standpoint { mover, side: self.side, depth: ply as u32 };
        let value = self.shared.evaluation.evaluate(self.game(), state, trail, from)?;
        Ok(scale::of_evaluation(value))
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
    ) -> Result<i32, Halt> {
        let config = self.shared.config;
        let is_single = self.frames[ply].list.len() == 1;
        let (mut depth, mut key, mut remembered) = (depth, key, remembered);
        if config.extend && (ply as i32) < 2 * self.depth {
            if self.in_check(ply) {
                // Nobody has asked the table about a position at the horizon.
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
        self.take_advice(ply, &mut list)?;
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
    ) -> Result<(i32, Option<u16>), Halt> {
        let config = self.shared.config;
        let mut threatened = false;
        let is_quiet_question = !window.is_open() && !scale::is_decided(window.beta);
        let dares = is_quiet_question && (config.futility || self.may_try_null(depth, may_pass));
        if dares && !self.in_check(ply) {
            let looks = self.evaluate(ply, mover)?;
            if let Some(value) = self.give_up_early(ply, mover, depth, window, looks, list)? {
                return Ok((value, None));
            }
            if self.may_try_null(depth, may_pass) && looks >= window.beta {
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
    ) -> Result<(i32, Option<u16>), Halt> {
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
                Err(halt) => {
                    outcome = Err(halt);
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
        let Shared { config, profile, .. } = self.shared;
        let Frame { state, last, killers, .. } = &self.frames[ply];
        let captures = profile.captures && (config.captures || config.lmr);
        let hints = Hints { mover, last: *last, killers: *killers, first, captures };
        let worth = |kind| self.shared.man(kind);
        self.ordering.rank(self.game(), state, config, worth, list, &hints, ranked);
        prefer(ranked, list, &self.frames[ply].advised);
    }

    /// What the move that was just played at `ply` is worth to `mover`: the first one with the
    /// whole window, the others with an empty one and, where they are better than thought, again.
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
    ) -> Result<i32, Halt> {
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

    /// Near the horizon: a position so good that a quiet move hardly spoils it, or so bad that
    /// only captures could mend it.
    ///
    /// Only in games that are hardly ever decided by a quiet move; see [`Profile`].
    fn give_up_early(
        &mut self,
        ply: usize,
        mover: Player,
        depth: i32,
        window: Window,
        looks: i32,
        list: &[G::Move],
    ) -> Result<Option<i32>, Halt> {
        let Shared { config, profile, .. } = self.shared;
        if !config.futility || depth > 3 || profile.sudden {
            return Ok(None);
        }
        let margin = 2 * depth * profile.swing;
        if looks.saturating_sub(margin) >= window.beta {
            self.guesses += 1;
            return Ok(Some(looks.saturating_sub(margin)));
        }
        if depth <= 2 && looks.saturating_add(2 * margin) < window.alpha {
            let value = self.quiesce_among(ply, mover, window, 0, list)?;
            if value <= window.alpha && !scale::is_decided(value) {
                self.guesses += 1;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn may_try_null(&self, depth: i32, may_pass: bool) -> bool {
        let Shared { config, profile, .. } = self.shared;
        let allowed = match config.null {
            Null::No => false,
            Null::Yes => true,
            Null::Tested => profile.may_pass,
        };
        // Nobody has gone the way that a null move goes: a table of ways must not hear of it.
        let is_way_kept = config.strict && looks_back(self.game());
        allowed && may_pass && depth >= 2 && self.trusts_table && !is_way_kept
    }
}

/// How many plies less deep a late move is searched.
fn reduction(depth: i32, tried: usize, is_open: bool, rank: i32) -> i32 {
    let steps = (depth.max(1) as u32).ilog2() as i32 * (tried.max(1) as u32).ilog2() as i32;
    let less = steps / 4 + 1 - i32::from(is_open) - i32::from(rank > 4096) + i32::from(rank < 0);
    less.clamp(0, depth - 2)
}

/// Values that prove nothing lie between the bounds of evaluations.
pub(super) fn as_guess(value: i32) -> i32 {
    value.clamp(-MOST, MOST)
}
