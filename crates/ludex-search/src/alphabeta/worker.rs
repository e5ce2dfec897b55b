//! One thread's search: what it has, what it counts and what it asks the rules.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};
use std::time::Duration;

use ludex_core::two_player::{TwoPlayer, opponent};
use ludex_core::{Game, GameExt, Limits, Player, PositionOf};

use super::calibration::Calibration;
use super::candidates::CandidateMode;
use super::config::AlphaBetaConfig;
use super::ordering::{Ordering, Ranked};
use super::table::{Key, TranspositionTable, looks_back};
use crate::error::SearchError;
use crate::evaluation::scale::{self, Aim, INFINITE};
use crate::evaluation::{Evaluate, MOST, Standpoint};
use crate::prover_budget::ProverBudget;

/// No line is followed further than this.
pub(super) const LONGEST: usize = 200;

/// The value of a man whose value is unknown.
const A_MAN: i32 = 1000;

/// What all threads share.
pub(super) struct Shared<'a, G: Game> {
    pub(super) view: TwoPlayer<'a, G>,
    pub(super) config: &'a AlphaBetaConfig,
    pub(super) evaluation: &'a dyn Evaluate<G>,
    pub(super) calibration: &'a Calibration,
    pub(super) table: &'a TranspositionTable,
    pub(super) limits: Limits<'a>,
    /// What part the author's candidates have.
    pub(super) candidate_mode: CandidateMode,
    /// Nodes of all threads, as far as they have reported them.
    pub(super) nodes: &'a AtomicU64,
    /// Raised when all are to stop.
    pub(super) stop: &'a AtomicBool,
}

impl<G: Game> Shared<'_, G> {
    /// What a man of a kind is about worth.
    pub(super) fn man(&self, kind: u8) -> i32 {
        let seen = || self.calibration.men.get(usize::from(kind)).copied().flatten();
        self.evaluation.man(kind).or_else(seen).unwrap_or(A_MAN)
    }

    /// Whether the table gives values that belong to another way.
    pub(super) fn is_forgetful(&self) -> bool {
        looks_back(self.view.game()) && !self.config.strict
    }
}

/// One ply of the line being looked at.
pub(super) struct Frame<G: Game> {
    pub(super) position: PositionOf<G>,
    /// A name of the positions up to here, in their order; kept in strict searches only.
    pub(super) way: Key,
    pub(super) list: Vec<G::Move>,
    /// Whether the rules have said whose turn it is.
    pub(super) is_asked: bool,
    pub(super) ranked: Vec<Ranked>,
    /// What the author would look at, best first.
    pub(super) candidates: Vec<G::Move>,
    pub(super) killers: [Option<G::Move>; 2],
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
    pub(super) ordering: Ordering<G::Move>,
    pub(super) nodes: u64,
    pub(super) prover_budget: ProverBudget,
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
    /// Whether values of the table are used, or only its moves.
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

    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(shared: &'a Shared<'a, G>, position: &PositionOf<G>, side: Player) -> Self {
        let mut worker = Self {
            shared,
            side,
            frames: Vec::new(),
            ordering: Ordering::new(),
            nodes: 0,
            prover_budget: ProverBudget::default(),
            told: 0,
            next_look: 1,
            interval: 1,
            looked: Duration::ZERO,
            cap: u64::MAX,
            guesses: 0,
            trusts_table: true,
            depth: 0,
        };
        worker.push_frame(position);
        worker
    }

    fn push_frame(&mut self, position: &PositionOf<G>) {
        self.frames.push(Frame {
            position: position.clone(),
            way: Key::default(),
            list: Vec::new(),
            is_asked: false,
            ranked: Vec::new(),
            candidates: Vec::new(),
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
    pub(super) fn count(&mut self) -> Result<(), SearchError> {
        self.nodes += 1;
        if self.nodes >= self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), SearchError> {
        let Shared { limits, nodes, stop, .. } = self.shared;
        let fresh = self.nodes - self.told;
        self.told = self.nodes;
        let all = nodes.fetch_add(fresh, Atomic::Relaxed) + fresh;
        if stop.load(Atomic::Relaxed) || self.nodes >= self.cap {
            return Err(SearchError::Stopped);
        }
        if limits.is_reached(all) {
            stop.store(true, Atomic::Relaxed);
            return Err(SearchError::Stopped);
        }
        if limits.time.is_some() {
            // Nodes cost what the rules cost: the clock is read about five times a millisecond.
            let now = limits.clock.elapsed();
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
        let left = limits.nodes.map_or(u64::MAX, |it| it.saturating_sub(all)).max(1);
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
    pub(super) fn play(&mut self, ply: usize, mv: G::Move, place: u16) -> Result<(), SearchError> {
        self.reserve(ply + 1);
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        let (from, to) = (&upper[ply], &mut lower[0]);
        to.position.clone_from(&from.position);
        to.last = Some(place);
        to.check = None;
        self.shared.view.apply(&mut to.position, mv)?;
        Ok(())
    }

    pub(super) fn reserve(&mut self, ply: usize) {
        while self.frames.len() <= ply {
            let last = &self.frames[self.frames.len() - 1];
            let position = last.position.clone();
            self.push_frame(&position);
        }
    }

    /// What the finished game at `ply` is worth to `viewer`.
    pub(super) fn end(&mut self, ply: usize, viewer: Player) -> Result<i32, SearchError> {
        let Shared { view, config, calibration, .. } = self.shared;
        let Frame { position, .. } = &self.frames[ply];
        if config.aim == Aim::Utility {
            return Ok(scale::end(*view, position, viewer, ply as u32)?);
        }
        let scores = [viewer, opponent(viewer)].map(|it| self.game().payoff(position, it));
        let [mine, theirs] = scores.map(|it| it.map(|it| it.score));
        let lead = calibration.scores.lead(mine?, theirs?);
        // Points that do not tell who has won prove nothing about winning.
        let apart = view.value(position, viewer)? - lead.points.signum() as f64;
        self.guesses += u64::from(!lead.is_sure || apart.abs() > 1e-9);
        Ok(scale::of_points(lead.points))
    }

    /// Lists the moves of the position at `ply`; `None` if the game is over, else who moves.
    ///
    /// The usual player is asked for moves before the rules are asked whose turn it is: where
    /// there are some, that says it. One position in sixteen is asked in full, so that a game in
    /// which both choose at once is found out.
    pub(super) fn list(
        &mut self,
        ply: usize,
        usual: Player,
    ) -> Result<Option<Player>, SearchError> {
        let view = self.shared.view;
        let frame = &mut self.frames[ply];
        view.moves(&frame.position, usual, &mut frame.list)?;
        frame.is_asked = frame.list.is_empty() || self.nodes.is_multiple_of(16);
        if !frame.is_asked {
            return Ok(Some(usual));
        }
        let Some(mover) = view.mover(&frame.position)? else { return Ok(None) };
        if mover != usual {
            view.moves(&frame.position, mover, &mut frame.list)?;
        }
        if frame.list.is_empty() {
            let message = "a player is to move and has no move".to_owned();
            return Err(ludex_core::Fault { code: "no-move", message, place: None }.into());
        }
        Ok(Some(mover))
    }

    /// Makes sure that it is the turn of `mover` alone, where the rules have not been asked yet.
    pub(super) fn confirm(&mut self, ply: usize, mover: Player) -> Result<(), SearchError> {
        let frame = &mut self.frames[ply];
        if frame.is_asked {
            return Ok(());
        }
        frame.is_asked = true;
        if self.shared.view.mover(&frame.position)? == Some(mover) {
            return Ok(());
        }
        let message = "a player has moves and is not to move".to_owned();
        Err(ludex_core::Fault { code: "no-turn", message, place: None }.into())
    }

    /// Whether who is to move at `ply` has to answer a check.
    pub(super) fn in_check(&mut self, ply: usize) -> bool {
        if !self.shared.calibration.checks {
            return false;
        }
        let Frame { position, check, .. } = &mut self.frames[ply];
        if let Some(known) = *check {
            return known;
        }
        // It is a hint: where the rules cannot answer, they have something to say themselves.
        let found = self.shared.view.game().in_check(position).unwrap_or(false);
        *check = Some(found);
        found
    }

    /// What an evaluation says of the position at `ply`: a guess.
    pub(super) fn evaluate(&mut self, ply: usize, mover: Player) -> Result<i32, SearchError> {
        let Frame { position, .. } = &self.frames[ply];
        let from = Standpoint { mover, side: self.side, depth: ply as u32 };
        let value = self.shared.evaluation.evaluate(self.game(), position, from)?;
        Ok(scale::of_evaluation(value))
    }
}

/// Values that prove nothing lie between the bounds of evaluations.
pub(super) fn as_guess(value: i32) -> i32 {
    value.clamp(-MOST, MOST)
}
