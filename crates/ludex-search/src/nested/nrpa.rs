//! NRPA: nested rollout policy adaptation.
//!
//! Christopher D. Rosin, "Nested rollout policy adaptation for Monte Carlo tree search", IJCAI
//! 2011. A search of level 0 plays to the end by a policy: a weight for each code of a move, drawn
//! by softmax. A search of level n calls level n - 1 with a copy of its policy N times, and after
//! each call adapts its own policy towards the best game so far (the newest of equals), by one step
//! of gradient ascent: the weight of each of its moves rises by alpha, that of every alternative
//! falls by alpha times its probability.
//!
//! Two later ideas can be switched on:
//!
//! * *stabilised* (Cazenave, Sevestre and Toulemont, 2020): level 1 plays several games before
//!   it adapts, and adapts to the best so far as always (`playouts=4`);
//! * *limited repetitions* (Cazenave, 2024): a level that meets its best game again and again has
//!   converged, and ends early (`repeat=3`).
//!
//! Which moves are the same is said by [`GameExt::move_code`], which comes from the rules. Codes and
//! choices of a game are noted as it is played, so that adapting needs no rules; and positions that
//! are met again are kept (see `positions.rs`), so that playing through them needs none either.
//!
//! A node of the budget is a playout. Start reading at `Search::level`.

use ludex_core::{Game, GameExt, Payoff, PositionOf};

use super::policy::{Codes, Decision, Gradient, Policy};
use super::positions::{Known, NOWHERE, Number, Positions};
use super::runs::{SequencePlayer, Sequences, Worker};
use crate::error::SearchError;
use crate::spec::{Spec, SpecError};

/// What NRPA does by default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NrpaConfig {
    /// How deep searches are nested. A run has `n` to the power of `level` playouts.
    pub level: u32,
    /// How often each level calls the one below.
    pub n: u32,
    /// The step of the gradient ascent.
    pub alpha: f64,
    /// How many games level 1 plays between two adaptations.
    pub playouts: u32,
    /// A level ends when it has met its best game this many times again; 0 for never.
    pub repeat: u32,
    /// A game that has not ended after this many moves is broken off.
    pub plies: u32,
}

impl Default for NrpaConfig {
    /// As in the paper, but for the level, which takes hours there.
    fn default() -> Self {
        Self { level: 3, n: 100, alpha: 1.0, playouts: 1, repeat: 0, plies: 10_000 }
    }
}

/// The player `nrpa`.
pub type Nrpa = SequencePlayer<NrpaConfig>;

impl NrpaConfig {
    /// The same with the options of a spec.
    pub(crate) fn with(self, spec: &mut Spec) -> Result<Self, SpecError> {
        Ok(Self {
            level: spec.take_within("level", self.level, 0..=super::HIGHEST)?,
            n: spec.take("n", self.n)?.max(1),
            alpha: spec.take_within("alpha", self.alpha, 0.0..=1e6)?,
            playouts: spec.take("playouts", self.playouts)?.max(1),
            repeat: spec.take("repeat", self.repeat)?,
            plies: spec.take_within("plies", self.plies, 1..=u32::MAX)?,
        })
    }
}

impl<G: Game> Sequences<G> for NrpaConfig {
    fn describe(&self) -> String {
        let NrpaConfig { level, n, .. } = *self;
        format!("nested rollout policy adaptation of level {level} with {n} calls")
    }

    fn run(&self, worker: &mut Worker<'_, G>) -> Result<(), SearchError> {
        let levels = self.level as usize + 1;
        let mut search = Search {
            config: self,
            positions: Positions::new(worker.memory / 2),
            position: worker.root.position.clone(),
            worker,
            codes: Codes::default(),
            policies: vec![Policy::default(); levels],
            best: (0..levels).map(|_| Run::default()).collect(),
            scratch: Scratch::default(),
        };
        search.level(levels - 1)
    }
}

/// A game that was played, with all that there was to choose from.
struct Run<M> {
    /// What it gave; nothing where it did not end.
    score: f64,
    moves: Vec<M>,
    /// For each move where its alternatives begin in `codes`, and which of them it is.
    steps: Vec<(u32, u32)>,
    /// The numbers of the codes of all alternatives, move after move.
    codes: Vec<u32>,
}

impl<M> Default for Run<M> {
    fn default() -> Self {
        let (steps, codes) = (Vec::new(), Vec::new());
        Self { score: f64::NEG_INFINITY, moves: Vec::new(), steps, codes }
    }
}

impl<M: Copy> Run<M> {
    fn clear(&mut self) {
        self.score = f64::NEG_INFINITY;
        self.moves.clear();
        self.steps.clear();
        self.codes.clear();
    }

    fn copy_from(&mut self, other: &Self) {
        self.score = other.score;
        self.moves.clone_from(&other.moves);
        self.steps.clone_from(&other.steps);
        self.codes.clone_from(&other.codes);
    }

    fn push(&mut self, mv: M, codes: &[u32], chosen: usize) {
        self.moves.push(mv);
        self.steps.push((self.codes.len() as u32, chosen as u32));
        self.codes.extend_from_slice(codes);
    }

    /// The alternatives of the move with a number.
    fn alternatives(&self, number: usize) -> &[u32] {
        let end = self.steps.get(number + 1).map_or(self.codes.len(), |next| next.0 as usize);
        &self.codes[self.steps[number].0 as usize..end]
    }

    fn decisions(&self) -> impl Iterator<Item = Decision<'_>> {
        (0..self.steps.len()).map(|number| {
            let chosen = self.steps[number].1 as usize;
            Decision { codes: self.alternatives(number), chosen }
        })
    }
}

/// Memory that is used again and again.
struct Scratch<M> {
    moves: Vec<M>,
    codes: Vec<u32>,
    odds: Vec<f64>,
    gradient: Gradient,
}

// Not derived: a derive would ask moves to have a default.
impl<M> Default for Scratch<M> {
    fn default() -> Self {
        let (codes, odds, gradient) = (Vec::new(), Vec::new(), Gradient::default());
        Self { moves: Vec::new(), codes, odds, gradient }
    }
}

/// What a step of a playout has led to.
enum Step {
    /// A position, of the graph or the one at hand.
    To(Number),
    /// The end.
    Over(Payoff),
}

struct Search<'s, 'w, G: Game> {
    config: &'s NrpaConfig,
    worker: &'s mut Worker<'w, G>,
    codes: Codes,
    positions: Positions<G>,
    /// The position at hand, where a playout has left the graph.
    position: PositionOf<G>,
    /// The policy of each level; that of level 0 is not used.
    policies: Vec<Policy>,
    /// The best game of the present call of each level; for level 0 the last one played.
    best: Vec<Run<G::Move>>,
    scratch: Scratch<G::Move>,
}

impl<G: Game> Search<'_, '_, G> {
    /// Searches with the policy of this level. What it finds becomes the best of this level.
    fn level(&mut self, level: usize) -> Result<(), SearchError> {
        if level == 0 {
            return self.playout(0);
        }
        self.best[level].clear();
        let mut repeated = 0;
        for _ in 0..self.config.n {
            let games = if level == 1 { self.config.playouts } else { 1 };
            for _ in 0..games {
                self.call(level)?;
                let is_known = self.best[level - 1].moves == self.best[level].moves;
                repeated = if is_known { repeated + 1 } else { repeated };
                if !is_known && self.best[level - 1].score >= self.best[level].score {
                    repeated = 0;
                    self.keep(level);
                }
            }
            self.adapt(level);
            if self.config.repeat > 0 && repeated >= self.config.repeat {
                break;
            }
        }
        Ok(())
    }

    /// Calls the level below with a copy of this level's policy.
    fn call(&mut self, level: usize) -> Result<(), SearchError> {
        if level == 1 {
            // A playout does not change the policy: no copy is needed.
            return self.playout(1);
        }
        let (below, here) = self.policies.split_at_mut(level);
        below[level - 1].copy_from(&here[0]);
        self.level(level - 1)
    }

    /// Makes the game that the level below has found the best of this level.
    fn keep(&mut self, level: usize) {
        let (below, here) = self.best.split_at_mut(level);
        if level == 1 {
            std::mem::swap(&mut below[0], &mut here[0]);
        } else {
            here[0].copy_from(&below[level - 1]);
        }
    }

    /// Moves the policy of a level towards its best game.
    fn adapt(&mut self, level: usize) {
        let policy = &mut self.policies[level];
        policy.reach(self.codes.len());
        policy.adapt(self.best[level].decisions(), self.config.alpha, &mut self.scratch.gradient);
    }

    /// Plays to the end by the policy of a level; the game becomes the best of level 0.
    fn playout(&mut self, level: usize) -> Result<(), SearchError> {
        self.worker.budget.begin_playout()?;
        self.policies[level].reach(self.codes.len());
        self.best[0].clear();
        let Some(payoff) = self.play(level)? else { return Ok(()) };
        self.best[0].score = payoff.score as f64;
        self.worker.finish(payoff, &self.best[0].moves);
        Ok(())
    }

    /// Plays through known positions where it can, and else by the rules.
    fn play(&mut self, level: usize) -> Result<Option<Payoff>, SearchError> {
        self.positions.make_room();
        self.position.clone_from(self.worker.root.position);
        let mut at = self.arrive()?;
        while self.best[0].moves.len() < self.config.plies as usize {
            self.worker.budget.tick()?;
            let step = if at == NOWHERE { self.step(level)? } else { self.known_step(level, at)? };
            match step {
                Step::To(next) => at = next,
                Step::Over(payoff) => return Ok(Some(payoff)),
            }
        }
        Ok(None)
    }

    /// Chooses in a position of the graph.
    fn known_step(&mut self, level: usize, at: Number) -> Result<Step, SearchError> {
        let (moves, codes) = self.positions.choices(at);
        let position = &self.positions.at(at).position;
        if moves.is_empty() {
            return Ok(Step::Over(self.worker.payoff(position)?));
        }
        let lot = self.worker.random.chance();
        let chosen = self.policies[level].choose(codes, lot, &mut self.scratch.odds);
        self.best[0].push(moves[chosen], codes, chosen);
        let next = self.positions.child(at, chosen);
        if next != NOWHERE {
            return Ok(Step::To(next));
        }
        self.position.clone_from(position);
        self.worker.root.game.apply(&mut self.position, &[moves[chosen]])?;
        let next = self.arrive()?;
        if next != NOWHERE {
            self.positions.link(at, chosen, next);
        }
        Ok(Step::To(next))
    }

    /// Chooses in the position at hand, which is not in the graph.
    fn step(&mut self, level: usize) -> Result<Step, SearchError> {
        if !self.list()? {
            return Ok(Step::Over(self.worker.payoff(&self.position)?));
        }
        let Scratch { moves, codes, odds, .. } = &mut self.scratch;
        let policy = &mut self.policies[level];
        policy.reach(self.codes.len());
        let chosen = policy.choose(codes, self.worker.random.chance(), odds);
        self.best[0].push(moves[chosen], codes, chosen);
        self.worker.root.game.apply(&mut self.position, &[moves[chosen]])?;
        Ok(Step::To(self.arrive()?))
    }

    /// The number of the position at hand, which joins the graph when it is met again.
    fn arrive(&mut self) -> Result<Number, SearchError> {
        let game = self.worker.root.game;
        match self.positions.meet(game, &self.position) {
            Known::As(number) => Ok(number),
            Known::Again if self.positions.has_room() => {
                self.list()?;
                let Scratch { moves, codes, .. } = &self.scratch;
                Ok(self.positions.add(game, &self.position, moves, codes))
            }
            Known::Again | Known::Not => Ok(NOWHERE),
        }
    }

    /// Lists the moves of the position at hand and their codes; false where the game is over.
    fn list(&mut self) -> Result<bool, SearchError> {
        let game = self.worker.root.game;
        let Scratch { moves, codes, .. } = &mut self.scratch;
        game.moves(&self.position, self.worker.player, moves)?;
        codes.clear();
        codes.extend(
            moves.iter().map(|&mv| self.codes.number(game.move_code(&self.position.state, mv))),
        );
        if moves.is_empty() {
            super::must_be_over(game, &self.position)?;
        }
        Ok(!moves.is_empty())
    }
}
