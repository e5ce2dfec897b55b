//! The course of learning: random games, self-play, and a contest of what was learned.

use std::sync::Arc;

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, GameExt, Player, Random};

use super::Learned;
use super::model::{Model, Played};
use super::weights::{Pace, Sample, Weights, WindowWeights};
use crate::error::SearchError;
use crate::evaluation::patterns::Shape;
use crate::evaluation::{Evaluate, EvaluationTraining};
use crate::support::opponents;

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingConfig {
    /// Seed of every random choice.
    pub seed: u64,
    /// How much may be done: moves played and positions counted, in random games and self-play
    /// together.
    pub work: u64,
    /// The share of the work that goes into random games.
    pub random_share: f64,
    /// Lambda of TD(lambda): how far results reach back, from 0 to 1.
    pub lambda: f64,
    /// The share of random moves in self-play, at the beginning and at the end.
    pub epsilon: (f64, f64),
    /// Length of a step.
    pub rate: f32,
    /// How strongly differences between squares are drawn towards nothing.
    pub decay: f32,
    /// Moves looked at in one position of self-play, at most; fewer where they are counted too.
    pub widest: usize,
    /// Whether rows of squares have values: by default if that wins more games.
    pub rows: Option<bool>,
    /// A game that has not ended after this many turns is drawn.
    pub longest: u32,
}

impl Default for TrainingConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            work: 3_000_000,
            random_share: 0.1,
            lambda: 0.8,
            epsilon: (0.15, 0.03),
            rate: 0.05,
            decay: 1e-4,
            widest: 250,
            rows: None,
            longest: 600,
        }
    }
}

/// Positions taken from a random game, about.
const SAMPLES: u32 = 10;

/// How often what random games teach is gone through.
const PASSES: usize = 3;

/// How much better the correlation with results must be for mobility to be counted.
const CLEARLY: f64 = 0.01;

/// The share of the work after which the models play against each other.
const CONTEST: f64 = 0.97;

/// Fewer games of a contest say nothing.
const LEAST_CONTESTS: u32 = 6;

/// The share of the points of a contest that the richer evaluation needs: more than by chance.
const ENOUGH: f64 = 0.52;

/// A game being learned, a little at a time.
pub struct Training<G: Game> {
    config: TrainingConfig,
    random: Random,
    work: u64,
    games: u64,
    samples: Vec<Sample>,
    /// How many random games there were, and the turns of all of them.
    randoms: u64,
    plies: u64,
    /// The model that collects samples; then those that learn, the simplest first.
    models: Vec<Model>,
    is_fitted: bool,
    /// Games of the contest, and the points of the last model.
    contests: u32,
    points: f64,
    moves: Vec<G::Move>,
}

impl<G: Game> std::fmt::Debug for Training<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("work", &self.work)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

impl<G: Game> EvaluationTraining<G> for Training<G> {
    fn step(&mut self, game: &G) -> Result<(), SearchError> {
        Self::step(self, game)
    }

    fn is_done(&self) -> bool {
        Self::is_done(self)
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn evaluation(&mut self) -> Arc<dyn Evaluate<G>> {
        Arc::new(self.learned())
    }
}

impl<G: Game> Training<G> {
    /// Training that has not begun.
    pub fn new(game: &G, config: TrainingConfig) -> Self {
        let men = &game.board().men;
        let mut weights = Weights::new(game.board().squares, men.len());
        let shape = if config.rows == Some(false) { None } else { Shape::of(game) };
        weights.windows = shape.map(|it| WindowWeights::new(Arc::new(it), men));
        Self {
            random: Random::stream(config.seed, 0x1ea4, 0),
            config,
            work: 0,
            games: 0,
            samples: Vec::new(),
            plies: 0,
            randoms: 0,
            models: vec![Model::new(weights, men.clone(), game.board().kinds)],
            is_fitted: false,
            contests: 0,
            points: 0.0,
            moves: Vec::new(),
        }
    }

    /// What has been done so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        // A contest of a few games is finished, even where the work is little.
        let is_open = self.models.len() > 1 && self.contests < LEAST_CONTESTS;
        self.work >= self.config.work + if is_open { self.config.work / 4 } else { 0 }
    }

    /// Plays and learns from one game more.
    pub fn step(&mut self, game: &G) -> Result<(), SearchError> {
        let view = opponents(game)?;
        self.games += 1;
        // A game that is over at once would never finish its work.
        self.work += 1;
        let done = self.work as f64 / self.config.work as f64;
        if done < self.config.random_share {
            return Ok(self.random_game(view)?);
        }
        if !self.is_fitted {
            self.fit();
        }
        if done > CONTEST && self.models.len() > 1 {
            if self.contests == 0 {
                self.models.iter_mut().for_each(Model::settle);
            }
            self.contest(view)?;
        } else {
            self.self_play(view)?;
        }
        Ok(())
    }

    /// What has been learned so far.
    pub fn learned(&mut self) -> Learned {
        if !self.is_fitted && !self.samples.is_empty() {
            // Rows need more than random games to be of any use.
            let mut early = self.models[0].with(true, false);
            early.fit(&self.samples, 1, self.pace());
            return early.learned(self.games);
        }
        self.best().learned(self.games)
    }

    /// The last model if the contest has shown that it is better than the first.
    fn best(&self) -> &Model {
        let is_known = self.contests >= LEAST_CONTESTS;
        let is_better = is_known && self.points > ENOUGH * f64::from(self.contests);
        let last = self.models.len() - 1;
        &self.models[if is_better { last } else { 0 }]
    }

    fn pace(&self) -> Pace {
        Pace { rate: self.config.rate, decay: self.config.decay }
    }

    /// Step 1: a random game, from which some positions are taken.
    fn random_game(&mut self, view: TwoPlayer<'_, G>) -> Result<(), Fault> {
        let game = view.game();
        let moves = self.random_moves(game)?;
        let mut position = game.start();
        let first = self.samples.len();
        let plies = (moves.len() as u32).max(20);
        for (ply, &mv) in moves.iter().enumerate() {
            if ply > 0
                && self.random.below(plies) < SAMPLES
                && let Some(mover) = view.mover(&position)?
            {
                let sample = self.models[0].sample(game, &position, mover)?;
                self.samples.push(sample);
                self.work += 2;
            }
            game.apply(&mut position, &[mv])?;
        }
        self.work += moves.len() as u64;
        self.plies += moves.len() as u64;
        self.randoms += 1;
        self.moves = moves;
        let is_over = view.mover(&position)?.is_none();
        let result = if is_over { half(view.value(&position, Player(0))?) } else { 0.5 };
        self.samples[first..].iter_mut().for_each(|it| it.target = result);
        Ok(())
    }

    /// The moves of a random game, drawn by the engine where it can do that without listing.
    fn random_moves(&mut self, game: &G) -> Result<Vec<G::Move>, Fault> {
        let mut moves = std::mem::take(&mut self.moves);
        let mut position = game.start();
        let (random, longest) = (&mut self.random, self.config.longest);
        match game.traced_playout(&mut position, random, longest, &mut moves) {
            Some(played) => played.map(|_| moves),
            None => {
                moves.clear();
                while moves.len() < longest as usize
                    && let Some(mv) = game.random_move(&position, random)?
                {
                    game.apply(&mut position, &[mv])?;
                    moves.push(mv);
                }
                Ok(moves)
            }
        }
    }

    /// The end of step 1: logistic regression, with mobility and without; the simpler one stays
    /// unless the other predicts the games that were kept aside clearly better. The same with rows
    /// of squares is the second model.
    fn fit(&mut self) {
        self.is_fitted = true;
        let samples = std::mem::take(&mut self.samples);
        let pace = self.pace();
        let mut rich = self.models.remove(0);
        let varies = rich.measure(&samples);
        let fitted = |mobility: bool, rows: bool| {
            let mut model = rich.with(mobility, rows);
            model.fit(&samples, PASSES, pace);
            model
        };
        let (plain, counted) = (fitted(false, false), fitted(true, false));
        // Where men on squares say nothing at all, mobility is the best guess there is, unless it
        // never differs.
        let (without, with) = (plain.of_random, counted.of_random);
        let mobility = varies && (with > without + CLEARLY || without < 0.05);
        let simple = if mobility { counted } else { plain };
        let rows = rich.has_rows().then(|| fitted(mobility, true));
        self.models = match rows {
            Some(rows) if self.config.rows == Some(true) => vec![rows],
            rows => std::iter::once(simple).chain(rows).collect(),
        };
        self.models.iter_mut().for_each(Model::forget_past);
    }

    /// Step 2: a game of the student who has done least, against itself.
    fn self_play(&mut self, view: TwoPlayer<'_, G>) -> Result<(), Fault> {
        let numbers = 0..self.models.len();
        let who = numbers.min_by_key(|&it| self.models[it].work).expect("there is a student");
        let done = (self.work as f64 / self.config.work as f64).min(1.0);
        let (from, to) = self.config.epsilon;
        let epsilon = from + (to - from) * done;
        let opening = self.random.below(6);
        let before = self.work;
        let (played, result) = self.play(view, [who, who], opening, epsilon)?;
        let (lambda, pace) = (self.config.lambda as f32, self.pace());
        let model = &mut self.models[who];
        model.work += self.work - before;
        model.learn_from(&played, result, lambda, pace, done > 0.5);
        Ok(())
    }

    /// Step 3: a game of the first model against the last, from the same opening as the next or
    /// the one before.
    fn contest(&mut self, view: TwoPlayer<'_, G>) -> Result<(), Fault> {
        let (pair, turned) = (self.contests / 2, self.contests % 2 == 1);
        self.random = Random::stream(self.config.seed, 0xc0_7e57, u64::from(pair));
        let last = self.models.len() - 1;
        let sides = if turned { [last, 0] } else { [0, last] };
        let (_, result) = self.play(view, sides, OPENING, 0.0)?;
        self.points += f64::from(if turned { result } else { 1.0 - result });
        self.contests += 1;
        Ok(())
    }

    /// A game by the values of these models, one ply deep, with some moves at random.
    fn play(
        &mut self,
        view: TwoPlayer<'_, G>,
        sides: [usize; 2],
        opening: u32,
        epsilon: f64,
    ) -> Result<(Played, f32), Fault> {
        let game = view.game();
        let mut position = game.start();
        let mut played = Vec::new();
        self.models.iter_mut().for_each(Model::get_ready);
        let widest = self.width();
        for ply in 0..self.config.longest {
            let Some(mover) = view.mover(&position)? else {
                return Ok((played, half(view.value(&position, Player(0))?)));
            };
            let at_random = ply < opening || self.random.chance() < epsilon;
            view.moves(&position, mover, &mut self.moves)?;
            self.shuffle();
            let model = &mut self.models[sides[mover.index().min(1)]];
            let most = if at_random { 1 } else { widest / model.slowness() };
            let moves = &self.moves[..most.max(1).min(self.moves.len())];
            let chosen = model.choose(view, &position, mover, moves)?;
            self.work += moves.len() as u64 * model.effort() + 1;
            if sides[0] == sides[1] {
                let sample = model.sample(game, &position, mover)?;
                played.push((sample, !at_random));
            }
            game.apply(&mut position, &[chosen])?;
        }
        Ok((played, 0.5))
    }

    /// How many moves are looked at in a position: fewer in long games, so that no game takes long.
    fn width(&self) -> usize {
        let length = (self.plies / self.randoms.max(1)).max(1) as usize;
        self.config.widest.min(MOST_LOOKS / length).max(LEAST_WIDE)
    }

    /// Puts the moves in any order, as far as they will be looked at.
    fn shuffle(&mut self) {
        let all = self.moves.len();
        for place in 0..self.width().min(all) {
            let other = place + self.random.below((all - place) as u32) as usize;
            self.moves.swap(place, other);
        }
    }
}

/// Positions looked at in a game of self-play, about; the least in one position.
const MOST_LOOKS: usize = 20_000;
const LEAST_WIDE: usize = 10;

/// Random moves that open a game of the contest.
const OPENING: u32 = 5;

/// A utility as a probability.
pub(super) fn half(utility: f64) -> f32 {
    f64::midpoint(utility, 1.0) as f32
}
