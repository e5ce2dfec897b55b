//! Values learned by self-play, for a game that nobody has an opinion of.
//!
//! What is learned is linear: a value for each man on each square, for the right to move, for
//! being the first player and, where it helps, for mobility. The sum of a position is read as the
//! logarithm of the odds that the first player wins.
//!
//! 1. *Random games.* Some thousands of them; positions from them, with their results, give the
//!    first values by logistic regression. It is seen here whether mobility helps.
//! 2. *Self-play.* Games by the values themselves, one ply deep and with some moves at random, and
//!    TD(lambda): the value of a position is moved towards a mean of what the following positions
//!    were thought to be worth and of the result (Richard Sutton, "Learning to predict by the
//!    methods of temporal differences", 1988). Nothing is learned from before a random move.
//!
//! Steps are as long as the past of each value allows (John Duchi, Elad Hazan and Yoram Singer,
//! "Adaptive subgradient methods", 2011). A man on a square has the value of the man everywhere
//! and a difference; differences are drawn towards nothing, so that squares that are hardly ever
//! met say nothing by accident.
//!
//! The work is counted and not timed: equal seeds give equal values. Before each game of step 2 is
//! learned from, it is predicted; how well that goes is the `correlation` that tells whether such
//! an evaluation is worth having.

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, Player, Random, TextError, Turn};

use super::{Evaluate, Squares, mobility};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// Seed of every random choice.
    pub seed: u64,
    /// How much may be done: moves played and positions counted, in random games and self-play
    /// together.
    pub work: u64,
    /// The share of the work that goes into random games.
    pub random_share: f64,
    /// How far results reach back past what was thought meanwhile, from 0 to 1.
    pub lambda: f64,
    /// The share of random moves in self-play, at the beginning and at the end.
    pub epsilon: (f64, f64),
    /// Length of a step.
    pub rate: f32,
    /// How strongly differences between squares are drawn towards nothing.
    pub decay: f32,
    /// Moves looked at in one position of self-play, at most.
    pub widest: usize,
    /// A game that has not ended after so many turns is drawn.
    pub longest: u32,
}

impl Default for Learning {
    fn default() -> Self {
        Self {
            seed: 0,
            work: 3_000_000,
            random_share: 0.15,
            lambda: 0.8,
            epsilon: (0.15, 0.03),
            rate: 0.05,
            decay: 1e-4,
            widest: 60,
            longest: 600,
        }
    }
}

/// What an evaluation of thousandths is for odds of 1 to e: then the usual reading of an
/// evaluation as a utility is the probability that was learned.
const UNIT: f32 = 2000.0;

/// Positions taken from a random game, about.
const SAMPLES: u32 = 10;

/// A position as the learner sees it.
#[derive(Clone, Debug)]
struct Sample {
    /// Numbers of men on squares.
    men: Vec<u32>,
    /// 1 if the first player is to move, else -1.
    mover: f32,
    /// Moves of the first player less those of the second.
    mobility: f32,
    /// From 0 (the second player wins) to 1.
    target: f32,
}

/// The values, with the past of each.
#[derive(Clone, Debug)]
struct Weights {
    squares: usize,
    /// For each man on each square; then each man anywhere; then [`Weights::rest`].
    values: Vec<f32>,
    past: Vec<f32>,
    uses_mobility: bool,
    /// What a difference in moves is multiplied by, so that it is about 1.
    scale: f32,
}

/// The last values: being first, the right to move, mobility.
const REST: usize = 3;

impl Weights {
    fn new(squares: usize, codes: usize) -> Self {
        let size = squares * codes + codes + REST;
        Self {
            squares,
            values: vec![0.0; size],
            past: vec![1e-3; size],
            uses_mobility: true,
            scale: 0.1,
        }
    }

    fn rest(&self) -> usize {
        self.values.len() - REST
    }

    fn codes(&self) -> usize {
        self.rest() / (self.squares + 1)
    }

    /// Where the value of a man is, wherever it stands.
    fn anywhere(&self, man: u32) -> usize {
        self.codes() * self.squares + man as usize / self.squares.max(1)
    }

    /// The probability that the first player wins.
    fn predict(&self, sample: &Sample) -> f32 {
        let at = self.rest();
        let mut sum = self.values[at] + sample.mover * self.values[at + 1];
        if self.uses_mobility {
            sum += sample.mobility * self.scale * self.values[at + 2];
        }
        for &man in &sample.men {
            sum += self.values[man as usize] + self.values[self.anywhere(man)];
        }
        1.0 / (1.0 + (-sum).exp())
    }

    /// Moves the values so that `sample` is predicted a little better.
    fn learn(&mut self, sample: &Sample, target: f32, rate: f32, decay: f32) {
        let wrong = target - self.predict(sample);
        let at = self.rest();
        self.nudge(at, wrong, rate);
        self.nudge(at + 1, wrong * sample.mover, rate);
        if self.uses_mobility {
            self.nudge(at + 2, wrong * sample.mobility * self.scale, rate);
        }
        for &man in &sample.men {
            let number = man as usize;
            let pull = decay * self.values[number];
            self.nudge(number, wrong - pull, rate);
            self.nudge(self.anywhere(man), wrong, rate);
        }
    }

    fn nudge(&mut self, number: usize, gradient: f32, rate: f32) {
        self.past[number] += gradient * gradient;
        self.values[number] += rate * gradient / self.past[number].sqrt();
    }
}

/// How two rows of numbers go together.
#[derive(Clone, Copy, Debug, Default)]
struct Correlation {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// From -1 to 1; 0 where nothing can be said.
    fn value(&self) -> f64 {
        let spread = |sum: f64, squares: f64| self.n * squares - sum * sum;
        let both = spread(self.x, self.xx) * spread(self.y, self.yy);
        if self.n < 2.0 || both <= 1e-12 {
            0.0
        } else {
            (self.n * self.xy - self.x * self.y) / both.sqrt()
        }
    }
}

/// A game being learned, a little at a time.
pub struct Learner<G: Game> {
    config: Learning,
    random: Random,
    weights: Weights,
    men_codes: Vec<(Option<Player>, u8)>,
    kinds: usize,
    work: u64,
    games: u64,
    /// Turns of all random games.
    plies: u64,
    samples: Vec<Sample>,
    is_fitted: bool,
    /// How random games were predicted, and how self-play.
    of_random: f64,
    of_play: Correlation,
    men: Vec<(u16, u8)>,
    moves: Vec<G::Move>,
}

impl<G: Game> std::fmt::Debug for Learner<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("work", &self.work)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

/// A self-played game: each position, and whether the move that was played there was a good one.
type Played = Vec<(Sample, bool)>;

impl<G: Game> Learner<G> {
    /// A learner who knows nothing of the game yet.
    pub fn new(game: &G, config: Learning) -> Self {
        let men_codes = game.man_codes();
        Self {
            random: Random::stream(config.seed, 0x1ea4, 0),
            weights: Weights::new(game.squares(), men_codes.len()),
            men_codes,
            kinds: game.kinds(),
            config,
            work: 0,
            games: 0,
            plies: 0,
            samples: Vec::new(),
            is_fitted: false,
            of_random: 0.0,
            of_play: Correlation::default(),
            men: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// What has been done so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.work >= self.config.work
    }

    /// Plays and learns from one game more.
    pub fn step(&mut self, game: &G) -> Result<(), Fault> {
        let view = TwoPlayer::new(game).ok_or_else(|| Fault {
            code: "two-player-count",
            message: "values are learned for two opponents only".to_owned(),
            place: None,
        })?;
        self.games += 1;
        // A game that is over at once would never come to an end of its work.
        self.work += 1;
        let of_random = self.config.random_share * self.config.work as f64;
        if (self.work as f64) < of_random {
            self.random_game(view)
        } else {
            if !self.is_fitted {
                self.fit();
            }
            self.self_play(view)
        }
    }

    /// What has been learned so far.
    pub fn learned(&mut self) -> Learned {
        if !self.is_fitted && !self.samples.is_empty() {
            let (mut early, samples) = (self.weights.clone(), &self.samples);
            for sample in samples {
                early.learn(sample, sample.target, self.config.rate, self.config.decay);
            }
            return self.of_weights(&early);
        }
        self.of_weights(&self.weights)
    }

    fn of_weights(&self, weights: &Weights) -> Learned {
        let whole = |value: f32| (value * UNIT).clamp(-500_000.0, 500_000.0).round() as i32;
        let at = weights.rest();
        let men = weights.squares * weights.codes();
        let man = |it: usize| weights.values[it] + weights.values[weights.anywhere(it as u32)];
        let a_move = weights.values[at + 2] * weights.scale;
        let mobility = if weights.uses_mobility { 100.0 * a_move } else { 0.0 };
        let squares = Squares {
            squares: weights.squares,
            table: (0..men).map(|it| whole(man(it))).collect(),
            bias: whole(weights.values[at]),
            tempo: whole(weights.values[at + 1]),
            mobility: whole(mobility),
            kinds: (0..self.kinds).map(|kind| whole(self.worth(weights, kind))).collect(),
        };
        let correlation =
            if self.of_play.n > 100.0 { self.of_play.value() } else { self.of_random };
        Learned { squares, correlation, games: self.games }
    }

    /// What a man of a kind is worth to its owner, on the average of its codes.
    fn worth(&self, weights: &Weights, kind: usize) -> f32 {
        let first = weights.codes() * weights.squares;
        let codes = self.men_codes.iter().enumerate().filter(|(_, it)| usize::from(it.1) == kind);
        let values: Vec<f32> = codes
            .filter_map(|(code, (owner, _))| {
                let value = weights.values[first + code];
                owner.map(|it| if it == Player(0) { value } else { -value })
            })
            .collect();
        values.iter().sum::<f32>() / values.len().max(1) as f32
    }

    /// A position as features.
    fn sample(
        &mut self,
        game: &G,
        state: &G::State,
        trail: &G::Trail,
        mover: Player,
    ) -> Result<Sample, Fault> {
        game.men(state, &mut self.men);
        let squares = self.weights.squares as u32;
        let men = self.men.iter().map(|&(at, code)| u32::from(code) * squares + u32::from(at));
        let men = men.collect();
        let mover = if mover == Player(0) { 1.0 } else { -1.0 };
        let mobility = if self.weights.uses_mobility {
            self.work += 2;
            mobility::difference(game, state, trail)? as f32 * mover
        } else {
            0.0
        };
        Ok(Sample { men, mover, mobility, target: 0.5 })
    }

    /// Step 1: a random game, from which some positions are taken.
    fn random_game(&mut self, view: TwoPlayer<'_, G>) -> Result<(), Fault> {
        let game = view.game();
        let (mut state, mut trail) = game.start();
        let first = self.samples.len();
        let expected = (self.plies / self.games.max(1)).max(20) as u32;
        let mut result = 0.5;
        for ply in 0..=self.config.longest {
            let Some(mv) = game.random_move(&state, &trail, &mut self.random)? else {
                if view.mover(&state, &trail)?.is_none() {
                    result = half(view.value(&state, &trail, Player(0))?);
                }
                break;
            };
            if ply > 0
                && self.random.below(expected) < SAMPLES
                && let Some(mover) = view.mover(&state, &trail)?
            {
                let sample = self.sample(game, &state, &trail, mover)?;
                self.samples.push(sample);
            }
            game.apply(&mut state, &mut trail, &[mv])?;
            self.work += 1;
            self.plies += 1;
        }
        for sample in &mut self.samples[first..] {
            sample.target = result;
        }
        Ok(())
    }

    /// The end of step 1: logistic regression, with mobility and without; the simpler one stays
    /// unless the other predicts the games that were kept aside clearly better.
    fn fit(&mut self) {
        self.is_fitted = true;
        let samples = std::mem::take(&mut self.samples);
        let kept = samples.len() / 5;
        let (tests, lessons) = samples.split_at(kept);
        let (rate, decay) = (self.config.rate, self.config.decay);
        let squares: f32 = samples.iter().map(|it| it.mobility * it.mobility).sum();
        self.weights.scale = 1.0 / (squares / samples.len().max(1) as f32).sqrt().max(1.0);
        let fitted = |uses_mobility: bool| {
            let mut weights = Weights { uses_mobility, ..self.weights.clone() };
            for _ in 0..4 {
                for sample in lessons {
                    weights.learn(sample, sample.target, rate, decay);
                }
            }
            let mut how_well = Correlation::default();
            for sample in tests {
                how_well.add(f64::from(weights.predict(sample)), f64::from(sample.target));
            }
            (weights, how_well.value())
        };
        let (plain, without) = fitted(false);
        let (counted, with) = fitted(true);
        // Where men on squares say nothing at all, mobility is the best guess there is, unless it
        // never differs.
        let differs = squares > 0.5 * samples.len() as f32;
        let helps = differs && (with > without + 0.01 || without < 0.05);
        (self.weights, self.of_random) = if helps { (counted, with) } else { (plain, without) };
        self.weights.past.fill(1e-3);
    }

    /// Step 2: a game by the values themselves, and what is to be learned from it.
    fn self_play(&mut self, view: TwoPlayer<'_, G>) -> Result<(), Fault> {
        let (played, result) = self.play(view)?;
        let predictions: Vec<f32> = played.iter().map(|(it, _)| self.weights.predict(it)).collect();
        // The middle of a game: its beginning is always the same, its end foregone.
        if self.work > self.config.work / 2 {
            for value in &predictions[played.len() / 4..played.len() - played.len() / 4] {
                self.of_play.add(f64::from(*value), f64::from(result));
            }
        }
        let lambda = self.config.lambda as f32;
        let (mut target, mut next) = (result, result);
        for ((sample, is_good), value) in played.iter().zip(predictions).rev() {
            target = lambda * target + (1.0 - lambda) * next;
            if *is_good {
                self.weights.learn(sample, target, self.config.rate, self.config.decay);
            } else {
                // What came of a random move says nothing about the position before it.
                target = value;
            }
            next = value;
        }
        Ok(())
    }

    fn play(&mut self, view: TwoPlayer<'_, G>) -> Result<(Played, f32), Fault> {
        let game = view.game();
        let (mut state, mut trail) = game.start();
        let mut played = Vec::new();
        let done = (self.work as f64 / self.config.work as f64).min(1.0);
        let (from, to) = self.config.epsilon;
        let epsilon = from + (to - from) * done;
        let opening = self.random.below(6);
        for ply in 0..self.config.longest {
            let Some(mover) = view.mover(&state, &trail)? else {
                return Ok((played, half(view.value(&state, &trail, Player(0))?)));
            };
            let at_random = ply < opening || self.random.chance() < epsilon;
            let mut moves = std::mem::take(&mut self.moves);
            let chosen = self.choose(view, &state, &trail, mover, at_random, &mut moves);
            self.moves = moves;
            let sample = self.sample(game, &state, &trail, mover)?;
            played.push((sample, !at_random));
            game.apply(&mut state, &mut trail, &[chosen?])?;
            self.work += 1;
        }
        Ok((played, 0.5))
    }

    /// The best move one ply deep, or any.
    fn choose(
        &mut self,
        view: TwoPlayer<'_, G>,
        state: &G::State,
        trail: &G::Trail,
        mover: Player,
        at_random: bool,
        moves: &mut Vec<G::Move>,
    ) -> Result<G::Move, Fault> {
        view.moves(state, trail, mover, moves)?;
        let none =
            || Fault { code: "no-move", message: "a turn without a move".to_owned(), place: None };
        self.shuffle(moves);
        if at_random {
            return moves.first().copied().ok_or_else(none);
        }
        let (mut next, mut past) = (state.clone(), trail.clone());
        let mut best: Option<(f32, G::Move)> = None;
        for &mv in moves.iter().take(self.config.widest) {
            next.clone_from(state);
            past.clone_from(trail);
            view.apply(&mut next, &mut past, mv)?;
            self.work += 1;
            let value = self.value(view, &next, &past)?;
            let mine = if mover == Player(0) { value } else { 1.0 - value };
            if best.is_none_or(|it| mine > it.0) {
                best = Some((mine, mv));
            }
        }
        best.map(|it| it.1).ok_or_else(none)
    }

    /// The probability that the first player wins, or what is known.
    fn value(
        &mut self,
        view: TwoPlayer<'_, G>,
        state: &G::State,
        trail: &G::Trail,
    ) -> Result<f32, Fault> {
        let game = view.game();
        match game.turn(state, trail)? {
            Turn::Over => Ok(match half(view.value(state, trail, Player(0))?) {
                // A won game beats any prediction.
                won if won >= 1.0 => 2.0,
                lost if lost <= 0.0 => -1.0,
                drawn => drawn,
            }),
            Turn::Of(mover) => {
                let sample = self.sample(game, state, trail, mover)?;
                Ok(self.weights.predict(&sample))
            }
            _ => view.mover(state, trail).map(|_| 0.5),
        }
    }

    /// Puts the moves in any order, as far as they will be looked at.
    fn shuffle(&mut self, moves: &mut [G::Move]) {
        let most = self.config.widest.min(moves.len());
        for place in 0..most {
            let other = place + self.random.below((moves.len() - place) as u32) as usize;
            moves.swap(place, other);
        }
    }
}

/// A utility as a probability.
fn half(utility: f64) -> f32 {
    f64::midpoint(utility, 1.0) as f32
}

/// Values learned by self-play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// The values.
    pub squares: Squares,
    /// How well the values predict games that they were not learned from, from -1 to 1: the
    /// correlation of prediction and result in the middle of self-played games.
    pub correlation: f64,
    /// How many games they were learned from.
    pub games: u64,
}

/// The first line of values as text.
const HEADER: &str = "ludex-values 1";

impl Learned {
    /// Learns a game from nothing but its rules.
    pub fn from_self_play<G: Game>(game: &G, config: &Learning) -> Result<Self, Fault> {
        let mut learner = Learner::new(game, config.clone());
        while !learner.is_done() {
            learner.step(game)?;
        }
        Ok(learner.learned())
    }

    /// Whether these can be values of a game.
    pub fn fits<G: Game>(&self, game: &G) -> bool {
        let Squares { squares, table, .. } = &self.squares;
        *squares == game.squares() && table.len() == squares * game.man_codes().len()
    }

    /// The values as text, to be stored beside the rules.
    pub fn to_text(&self) -> String {
        let Squares { squares, table, bias, tempo, mobility, kinds } = &self.squares;
        let row = |values: &[i32]| {
            let words: Vec<String> = values.iter().map(i32::to_string).collect();
            words.join(" ")
        };
        let codes = table.len().checked_div(*squares).unwrap_or(0);
        let mut text = format!(
            "{HEADER}\nsquares {squares}\ncodes {codes}\ngames {}\ncorrelation {}\nbias {bias}\n\
             tempo {tempo}\nmobility {mobility}\nkinds {}\n",
            self.games,
            self.correlation,
            row(kinds)
        );
        for man in table.chunks((*squares).max(1)) {
            text += &format!("man {}\n", row(man));
        }
        text
    }

    /// The values that a text holds.
    pub fn from_text(text: &str) -> Result<Self, TextError> {
        let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
        if lines.next() != Some(HEADER) {
            return Err(TextError::new(format!("values begin with the line `{HEADER}`")));
        }
        let (mut learned, mut codes) = (Self::default(), 0_usize);
        for line in lines {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "squares" => learned.squares.squares = number(rest)?,
                "codes" => codes = number(rest)?,
                "games" => learned.games = number(rest)?,
                "correlation" => learned.correlation = number(rest)?,
                "bias" => learned.squares.bias = number(rest)?,
                "tempo" => learned.squares.tempo = number(rest)?,
                "mobility" => learned.squares.mobility = number(rest)?,
                "kinds" => learned.squares.kinds = row(rest)?,
                "man" => learned.squares.table.extend(row(rest)?),
                _ => return Err(TextError::new(format!("`{word}` is no part of values"))),
            }
        }
        let all = learned.squares.squares.checked_mul(codes);
        if all != Some(learned.squares.table.len()) {
            return Err(TextError::new("there is not a value for every man on every square"));
        }
        Ok(learned)
    }
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, TextError> {
    word.parse().map_err(|_| TextError::new(format!("`{word}` is not a number")))
}

fn row(words: &str) -> Result<Vec<i32>, TextError> {
    words.split_whitespace().map(number).collect()
}

impl<G: Game> Evaluate<G> for Learned {
    fn evaluate(
        &self,
        game: &G,
        state: &G::State,
        trail: &G::Trail,
        side: Player,
        depth: u32,
    ) -> Result<i32, Fault> {
        self.squares.evaluate(game, state, trail, side, depth)
    }

    fn evaluate_for(
        &self,
        game: &G,
        state: &G::State,
        trail: &G::Trail,
        mover: Player,
        side: Player,
        depth: u32,
    ) -> Result<i32, Fault> {
        self.squares.evaluate_for(game, state, trail, mover, side, depth)
    }

    fn man(&self, kind: u8) -> i32 {
        <Squares as Evaluate<G>>::man(&self.squares, kind)
    }

    fn describe(&self) -> String {
        let Self { correlation, games, .. } = self;
        format!("values learned from {games} games (correlation {correlation:.2})")
    }
}
