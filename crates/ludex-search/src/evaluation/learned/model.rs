//! One who learns: values, how well they have predicted, and how moves are chosen by them.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, GameExt, Player, PositionOf, Turn};

use super::Learned;
use super::correlation::Correlation;
use super::incremental::IncrementalEvaluation;
use super::training::half;
use super::weights::{Pace, Sample, Weights, WindowWeights};
use crate::evaluation::{Patterns, Squares, mobility};

/// What an evaluation of thousandths is for odds of 1 to e: then the usual reading of an
/// evaluation as a utility is the probability that was learned.
const UNIT: f32 = 2000.0;

/// Values are averaged every this many games.
const REMEMBERED: u64 = 8;

/// A self-played game: each position, and whether the move that was played there was a good one.
pub(super) type Played = Vec<(Sample, bool)>;

/// One who learns.
#[derive(Clone, Debug)]
pub(super) struct Model {
    weights: Weights,
    /// Owners and kinds of men, by code.
    men_codes: Vec<(Option<Player>, u8)>,
    kinds: usize,
    /// How random games were predicted, and how self-play.
    pub(super) of_random: f64,
    of_play: Correlation,
    /// What its self-play has cost, and how many games it was.
    pub(super) work: u64,
    lessons: u64,
    incremental: IncrementalEvaluation,
    men: Vec<(u16, u8)>,
    board: Vec<u8>,
}

impl Model {
    pub(super) fn new(
        weights: Weights,
        men_codes: Vec<(Option<Player>, u8)>,
        kinds: usize,
    ) -> Self {
        Self {
            weights,
            men_codes,
            kinds,
            of_random: 0.0,
            of_play: Correlation::default(),
            work: 0,
            lessons: 0,
            incremental: IncrementalEvaluation::default(),
            men: Vec::new(),
            board: Vec::new(),
        }
    }

    /// The same, with mobility and rows of squares or without.
    pub(super) fn with(&self, mobility: bool, rows: bool) -> Self {
        let mut model = self.clone();
        model.weights.uses_mobility = mobility;
        model.weights.windows = model.weights.windows.filter(|_| rows);
        model
    }

    /// Whether rows of squares have values.
    pub(super) fn has_rows(&self) -> bool {
        self.weights.windows.is_some()
    }

    /// What looking at a position costs, in positions without mobility.
    pub(super) fn effort(&self) -> u64 {
        1 + 2 * u64::from(self.weights.uses_mobility)
    }

    /// How many times fewer moves it can look at: counting moves takes long where there are many.
    pub(super) fn slowness(&self) -> usize {
        if self.weights.uses_mobility { 5 } else { 1 }
    }

    /// Measures how large things are in random games, and tells whether mobility ever differs.
    pub(super) fn measure(&mut self, samples: &[Sample]) -> bool {
        let squares: f32 = samples.iter().map(|it| it.mobility * it.mobility).sum();
        self.weights.scale = 1.0 / (squares / samples.len().max(1) as f32).sqrt().max(1.0);
        if let Some(windows) = &mut self.weights.windows {
            windows.measure(samples);
        }
        squares > 0.5 * samples.len() as f32
    }

    /// Logistic regression on most of the samples; the rest tells how well that went.
    pub(super) fn fit(&mut self, samples: &[Sample], passes: usize, pace: Pace) {
        let (tests, lessons) = samples.split_at(samples.len() / 5);
        for sample in (0..passes).flat_map(|_| lessons) {
            self.weights.learn(sample, sample.target, pace);
        }
        let mut how_well = Correlation::default();
        for sample in tests {
            how_well.add(f64::from(self.weights.predict(sample)), f64::from(sample.target));
        }
        self.of_random = how_well.value();
    }

    /// Goes on with full steps.
    pub(super) fn forget_past(&mut self) {
        self.weights.forget_past();
    }

    /// Makes what was learned ready for choosing moves.
    pub(super) fn get_ready(&mut self) {
        self.incremental.learn(&self.weights);
    }

    /// A position as features.
    pub(super) fn sample<G: Game>(
        &mut self,
        game: &G,
        position: &PositionOf<G>,
        mover: Player,
    ) -> Result<Sample, Fault> {
        game.men(&position.state, &mut self.men);
        let squares = self.weights.squares as u32;
        let men = self.men.iter().map(|&(at, code)| u32::from(code) * squares + u32::from(at));
        let men = men.collect();
        let windows = self.windows(mover);
        let mobility = self.mobility(game, position, mover)?;
        let mover = if mover == Player(0) { 1.0 } else { -1.0 };
        Ok(Sample { men, windows, mover, mobility, target: 0.5 })
    }

    /// Moves of the first player less those of the second, if that is used.
    fn mobility<G: Game>(
        &self,
        game: &G,
        position: &PositionOf<G>,
        mover: Player,
    ) -> Result<f32, Fault> {
        if !self.weights.uses_mobility {
            return Ok(0.0);
        }
        let more = mobility::difference(game, position)? as f32;
        Ok(if mover == Player(0) { more } else { -more })
    }

    /// The fillings of the windows of the position whose men have just been asked for. Empty
    /// windows say nothing.
    fn windows(&mut self, mover: Player) -> Vec<(u32, u16)> {
        let Some(WindowWeights { shape, .. }) = &self.weights.windows else { return Vec::new() };
        shape.fill(&self.men, &mut self.board);
        let first = mover.index().min(1) * shape.directions * shape.fillings;
        let mut numbers = Vec::new();
        shape.for_each(&self.board, |direction, filling| {
            if filling != 0 {
                numbers.push((first + direction * shape.fillings + filling) as u32);
            }
        });
        numbers.sort_unstable();
        let runs = numbers.chunk_by(|a, b| a == b);
        runs.map(|it| (it[0], it.len() as u16)).collect()
    }

    /// The best of the moves, one ply deep; the first where there is only one.
    pub(super) fn choose<G: Game>(
        &mut self,
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
        mover: Player,
        moves: &[G::Move],
    ) -> Result<G::Move, Fault> {
        let none =
            || Fault { code: "no-move", message: "a turn without a move".to_owned(), place: None };
        let (&first, others) = moves.split_first().ok_or_else(none)?;
        if others.is_empty() {
            return Ok(first);
        }
        self.incremental.look(&self.weights, view.game(), &position.state);
        let mut next = position.clone();
        let mut best: Option<(f32, G::Move)> = None;
        for &mv in moves {
            next.clone_from(position);
            view.apply(&mut next, mv)?;
            let value = self.value(view, &next)?;
            let mine = if mover == Player(0) { value } else { 1.0 - value };
            if best.is_none_or(|it| mine > it.0) {
                best = Some((mine, mv));
            }
        }
        Ok(best.map_or(first, |it| it.1))
    }

    /// The probability that the first player wins, or what is known.
    fn value<G: Game>(
        &mut self,
        view: TwoPlayer<'_, G>,
        position: &PositionOf<G>,
    ) -> Result<f32, Fault> {
        let game = view.game();
        match game.turn(position)? {
            Turn::Over => Ok(match half(view.value(position, Player(0))?) {
                // A won game beats any prediction.
                won if won >= 1.0 => 2.0,
                lost if lost <= 0.0 => -1.0,
                drawn => drawn,
            }),
            Turn::Of(mover) => {
                let mobility = self.mobility(game, position, mover)?;
                Ok(self.incremental.predict(&self.weights, game, &position.state, mover, mobility))
            }
            _ => view.mover(position).map(|_| 0.5),
        }
    }

    /// TD(lambda) along a game; `is_judged` where values are good enough to be judged and kept.
    pub(super) fn learn_from(
        &mut self,
        played: &Played,
        result: f32,
        lambda: f32,
        pace: Pace,
        is_judged: bool,
    ) {
        let predictions: Vec<f32> = played.iter().map(|(it, _)| self.weights.predict(it)).collect();
        // The middle of a game: its beginning is always the same, its end foregone.
        if is_judged {
            for value in &predictions[played.len() / 4..played.len() - played.len() / 4] {
                self.of_play.add(f64::from(*value), f64::from(result));
            }
        }
        let (mut target, mut next) = (result, result);
        for ((sample, is_good), value) in played.iter().zip(predictions).rev() {
            target = lambda * target + (1.0 - lambda) * next;
            if *is_good {
                self.weights.learn(sample, target, pace);
            } else {
                // What came of a random move says nothing about the position before it.
                target = value;
            }
            next = value;
        }
        self.lessons += 1;
        if is_judged && self.lessons.is_multiple_of(REMEMBERED) {
            self.weights.remember();
        }
    }

    /// Goes over to the mean of what was learned.
    pub(super) fn settle(&mut self) {
        self.weights = self.weights.settled();
    }

    /// What it has learned from `games` games.
    pub(super) fn learned(&self, games: u64) -> Learned {
        let weights = &self.weights.settled();
        let rest = &weights.values.now[weights.rest()..];
        let men = weights.squares * weights.codes();
        let mobility = if weights.uses_mobility { 100.0 * rest[2] * weights.scale } else { 0.0 };
        let squares = Squares {
            squares: weights.squares,
            table: (0..men).map(|it| whole(weights.man(it as u32))).collect(),
            bias: whole(rest[0]),
            tempo: whole(rest[1]),
            mobility: whole(mobility),
            kinds: (0..self.kinds).map(|kind| whole(self.worth(kind))).collect(),
        };
        let patterns = weights.windows.as_ref().and_then(|it| {
            let table = it.table().into_iter().map(whole).collect();
            Patterns::new(it.shape.contents, it.shape.width, it.shape.directions, table)
        });
        let correlation =
            if self.of_play.n > 100.0 { self.of_play.value() } else { self.of_random };
        Learned { squares, patterns, correlation, games }
    }

    /// What a man of a kind is worth to its owner, on the average of its codes.
    fn worth(&self, kind: usize) -> f32 {
        let first = self.weights.codes() * self.weights.squares;
        let codes = self.men_codes.iter().enumerate().filter(|(_, it)| usize::from(it.1) == kind);
        let values: Vec<f32> = codes
            .filter_map(|(code, (owner, _))| {
                let value = self.weights.values.now[first + code];
                owner.map(|it| if it == Player(0) { value } else { -value })
            })
            .collect();
        values.iter().sum::<f32>() / values.len().max(1) as f32
    }
}

/// A learned value in thousandths.
fn whole(value: f32) -> i32 {
    (value * UNIT).clamp(-500_000.0, 500_000.0).round() as i32
}
