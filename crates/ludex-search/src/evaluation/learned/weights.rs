//! What is learned: a linear sum, read as the logarithm of the odds that the first player wins.

use std::sync::Arc;

use ludex_core::Player;

use crate::evaluation::patterns::Shape;

/// A position by its features.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Numbers of men on squares.
    pub(super) men: Vec<u32>,
    /// Fillings of windows, and how often each is there.
    pub(super) windows: Vec<(u32, u16)>,
    /// 1 if the first player is to move, else -1.
    pub(super) mover: f32,
    /// Moves of the first player less those of the second.
    pub(super) mobility: f32,
    /// From 0 (the second player wins) to 1.
    pub(super) target: f32,
}

/// The length of a step and what draws differences towards nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) rate: f32,
    pub(super) decay: f32,
}

/// Values, with the past of each: steps are the shorter the more has been learned.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) now: Vec<f32>,
    past: Vec<f32>,
    /// The sum of the values at certain times.
    sum: Vec<f32>,
}

/// Nothing has been learned: the first step has full length.
const NO_PAST: f32 = 1e-3;

impl Values {
    fn new(size: usize) -> Self {
        Self { now: vec![0.0; size], past: vec![NO_PAST; size], sum: vec![0.0; size] }
    }

    fn nudge(&mut self, number: usize, gradient: f32, rate: f32) {
        self.past[number] += gradient * gradient;
        self.now[number] += rate * gradient / self.past[number].sqrt();
    }

    fn forget_past(&mut self) {
        self.past.fill(NO_PAST);
    }

    fn remember(&mut self) {
        self.sum.iter_mut().zip(&self.now).for_each(|(sum, now)| *sum += now);
    }

    fn settle(&mut self, times: f32) {
        self.now = self.sum.iter().map(|it| it / times).collect();
    }
}

/// All values.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub(super) squares: usize,
    /// For each man on each square; then each man anywhere; then [`Weights::rest`].
    pub(super) values: Values,
    pub(super) uses_mobility: bool,
    /// What a difference in moves is multiplied by, so that it is about 1.
    pub(super) scale: f32,
    /// Values of windows, where they are used.
    pub(super) windows: Option<WindowWeights>,
    /// How often the values were remembered.
    times: u32,
}

/// The last values: being first, the right to move, mobility.
const REST: usize = 3;

impl Weights {
    pub(super) fn new(squares: usize, codes: usize) -> Self {
        Self {
            squares,
            values: Values::new(squares * codes + codes + REST),
            uses_mobility: true,
            scale: 0.1,
            windows: None,
            times: 0,
        }
    }

    pub(super) fn rest(&self) -> usize {
        self.values.now.len() - REST
    }

    pub(super) fn codes(&self) -> usize {
        self.rest() / (self.squares + 1)
    }

    /// Where the value of a man is, wherever it stands.
    pub(super) fn anywhere(&self, man: u32) -> usize {
        self.codes() * self.squares + man as usize / self.squares.max(1)
    }

    /// What a man on a square is worth in all.
    pub(super) fn man(&self, man: u32) -> f32 {
        self.values.now[man as usize] + self.values.now[self.anywhere(man)]
    }

    /// What does not hang on men: the players, the turn, mobility.
    pub(super) fn apart_from_men(&self, mover: f32, mobility: f32) -> f32 {
        let rest = &self.values.now[self.rest()..];
        let of_moves = if self.uses_mobility { mobility * self.scale * rest[2] } else { 0.0 };
        rest[0] + mover * rest[1] + of_moves
    }

    /// The probability that the first player wins.
    pub(super) fn predict(&self, sample: &Sample) -> f32 {
        let mut sum = self.apart_from_men(sample.mover, sample.mobility);
        sum += sample.men.iter().map(|&it| self.man(it)).sum::<f32>();
        if let Some(windows) = &self.windows {
            sum += sample.mover * windows.sum(&sample.windows);
        }
        probability(sum)
    }

    /// Moves the values so that `sample` is predicted a little better.
    pub(super) fn learn(&mut self, sample: &Sample, target: f32, pace: Pace) {
        let wrong = target - self.predict(sample);
        let at = self.rest();
        self.values.nudge(at, wrong, pace.rate);
        self.values.nudge(at + 1, wrong * sample.mover, pace.rate);
        if self.uses_mobility {
            self.values.nudge(at + 2, wrong * sample.mobility * self.scale, pace.rate);
        }
        for &man in &sample.men {
            let number = man as usize;
            let pull = pace.decay * self.values.now[number];
            self.values.nudge(number, wrong - pull, pace.rate);
            self.values.nudge(self.anywhere(man), wrong, pace.rate);
        }
        if let Some(windows) = &mut self.windows {
            windows.learn(&sample.windows, wrong * sample.mover, pace);
        }
    }

    /// Goes on as if nothing had been learned yet, with the values that there are.
    pub(super) fn forget_past(&mut self) {
        self.values.forget_past();
        if let Some(windows) = &mut self.windows {
            windows.own.forget_past();
            windows.shared.forget_past();
        }
    }

    /// Remembers the values as they are.
    pub(super) fn remember(&mut self) {
        self.times += 1;
        self.values.remember();
        if let Some(windows) = &mut self.windows {
            windows.own.remember();
            windows.shared.remember();
        }
    }

    /// The mean of what was remembered: values that are still moving to and fro settle.
    pub(super) fn settled(&self) -> Self {
        let mut settled = self.clone();
        if self.times > 0 {
            let times = self.times as f32;
            settled.values.settle(times);
            if let Some(windows) = &mut settled.windows {
                windows.own.settle(times);
                windows.shared.settle(times);
            }
        }
        settled
    }
}

/// The logarithm of odds as a probability.
pub(super) fn probability(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// Values of windows for the player to move.
///
/// Each filling has the value of its like (the same seen by the other player, in another direction
/// or from the other end) and a difference of its own: the first is soon learned, the
/// second is there where directions, ends or players differ.
#[derive(Clone, Debug)]
pub(super) struct WindowWeights {
    pub(super) shape: Arc<Shape>,
    /// Differences, for each player to move, each direction and each filling.
    own: Values,
    /// Values of those alike.
    shared: Values,
    /// Which are alike.
    like: Arc<Vec<u32>>,
    /// What counts are multiplied by, so that they are about 1.
    scale: Arc<Vec<f32>>,
}

impl WindowWeights {
    /// Values for the windows of a board, all 0; `men` are the owners and kinds by code.
    pub(super) fn new(shape: Arc<Shape>, men: &[(Option<Player>, u8)]) -> Self {
        let size = 2 * shape.directions * shape.fillings;
        let like = (0..size).map(|number| likeness(&shape, men, number)).collect();
        Self {
            own: Values::new(size),
            shared: Values::new(shape.fillings),
            like: Arc::new(like),
            scale: Arc::new(vec![1.0; shape.fillings]),
            shape,
        }
    }

    /// Measures how often fillings are met.
    pub(super) fn measure(&mut self, samples: &[Sample]) {
        let mut squares = vec![0.0_f32; self.shape.fillings];
        for sample in samples {
            for &(number, count) in &sample.windows {
                squares[self.like[number as usize] as usize] += f32::from(count).powi(2);
            }
        }
        let all = samples.len().max(1) as f32;
        // What is hardly ever met counts as it is when it is met.
        self.scale = Arc::new(squares.iter().map(|it| 1.0 / (it / all).sqrt().max(0.5)).collect());
    }

    fn sum(&self, windows: &[(u32, u16)]) -> f32 {
        windows.iter().map(|&(number, count)| f32::from(count) * self.value(number as usize)).sum()
    }

    /// What one window is worth.
    pub(super) fn value(&self, number: usize) -> f32 {
        let like = self.like[number] as usize;
        (self.own.now[number] + self.shared.now[like]) * self.scale[like]
    }

    /// The values of all, as they are looked up.
    pub(super) fn table(&self) -> Vec<f32> {
        (0..self.own.now.len()).map(|it| self.value(it)).collect()
    }

    fn learn(&mut self, windows: &[(u32, u16)], wrong: f32, pace: Pace) {
        for &(number, count) in windows {
            let number = number as usize;
            let like = self.like[number] as usize;
            let gradient = wrong * f32::from(count) * self.scale[like];
            let pull = pace.decay * self.own.now[number];
            self.own.nudge(number, gradient - pull, pace.rate);
            self.shared.nudge(like, gradient, pace.rate);
        }
    }
}

/// The filling that stands for all that are like one: as its mover sees it, and the lesser of both
/// directions.
fn likeness(shape: &Shape, men: &[(Option<Player>, u8)], number: usize) -> u32 {
    let mover = number / (shape.directions * shape.fillings);
    let filling = number % shape.fillings;
    let seen = |content: usize| match content.checked_sub(1) {
        Some(code) if mover == 1 => exchanged(men, code) + 1,
        _ => content,
    };
    let contents: Vec<usize> = shape.contents_of(filling).into_iter().map(seen).collect();
    let ahead = shape.number(contents.iter().copied());
    let back = shape.number(contents.iter().rev().copied());
    ahead.min(back) as u32
}

/// The code of the same man of the other player.
fn exchanged(men: &[(Option<Player>, u8)], code: usize) -> usize {
    let (owner, kind) = men[code];
    let other = owner.map(|it| Player(1 - it.0.min(1)));
    men.iter().position(|&it| it == (other, kind)).unwrap_or(code)
}
