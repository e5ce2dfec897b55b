//! Playouts that mostly play what looks best.
//!
//! With probability epsilon a move is drawn by lot, which needs no list; else all are listed and
//! the best is played. With a temperature they are drawn by `exp(value / temperature)` instead.
//! Mandy Tak, Mark Winands and Yngvi Björnsson, "N-grams and the last-good-reply policy applied in
//! general game playing", 2012.

use ludex_core::playout::payoffs;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, GameExt, Player, Random, Turn};

use crate::montecarlo::backup::Played;
use crate::montecarlo::code_table::{MoveCode, code};

use super::uniform::note;
use super::{Ended, Start};

/// Scores of moves by their codes.
pub(crate) trait MoveScorer {
    /// What a move of `mover` is worth after what was played, from 0 to 1.
    fn value(&self, code: MoveCode, mover: Player, players: usize, played: &[Played]) -> f64;

    /// Learns from how a game ended.
    fn learn(&mut self, played: &[Played], rewards: &[f64]);
}

/// Plays what a judge likes.
pub(crate) struct Greedy<G: Game, J> {
    scorer: J,
    epsilon: f64,
    temperature: Option<f64>,
    choices: Choices<G::Move>,
    turn: Vec<G::Move>,
    weights: Vec<f64>,
}

impl<G: Game, J: MoveScorer> Greedy<G, J> {
    pub(crate) fn new(scorer: J, epsilon: f64, temperature: Option<f64>) -> Self {
        let (choices, turn) = (Choices::default(), Vec::new());
        Self { scorer, epsilon, temperature, choices, turn, weights: Vec::new() }
    }

    pub(crate) fn learn(&mut self, played: &[Played], rewards: &[f64]) {
        self.scorer.learn(played, rewards);
    }

    pub(crate) fn play(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, position, random, limit } = start;
        for ply in 0..=limit {
            let by_lot = ply < limit && random.chance() < self.epsilon;
            if by_lot && let Some(mv) = game.random_move(position, random)? {
                played.push(note(game, position, mv)?);
                game.apply(position, &[mv])?;
                continue;
            }
            match self.choices.fill(game, position)? {
                Turn::Over => {
                    let payoffs = Some(payoffs(game, position)?);
                    return Ok(Ended { plies: ply, payoffs });
                }
                _ if ply == limit => break,
                Turn::Of(mover) => {
                    let moves = &self.choices.lists()[0];
                    let code_of = |mv| code(game.move_code(&position.state, mv));
                    let players = game.players();
                    let value = |mv| self.scorer.value(code_of(mv), mover, players, played);
                    let pick = match self.temperature {
                        None => best(moves, random, value),
                        Some(heat) => drawn(moves, random, heat, &mut self.weights, value),
                    };
                    played.push(Played { code: code_of(pick), mover });
                    game.apply(position, &[pick])?;
                }
                Turn::Joint(_) | Turn::Chance => {
                    self.choices.draw(random, &mut self.turn);
                    game.apply(position, &self.turn)?;
                }
            }
        }
        Ok(Ended { plies: limit, payoffs: None })
    }
}

/// The best of some moves; of equals, the first from a place drawn by lot.
fn best<M: Copy>(moves: &[M], random: &mut Random, value: impl Fn(M) -> f64) -> M {
    let first = random.below(moves.len() as u32) as usize;
    let mut best = (moves[first], f64::NEG_INFINITY);
    for &mv in moves[first..].iter().chain(&moves[..first]) {
        let value = value(mv);
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// One of some moves by `exp(value / heat)`.
fn drawn<M: Copy>(
    moves: &[M],
    random: &mut Random,
    heat: f64,
    weights: &mut Vec<f64>,
    value: impl Fn(M) -> f64,
) -> M {
    weights.clear();
    weights.extend(moves.iter().map(|&mv| (value(mv) / heat).exp()));
    moves[by_weight(weights, random)]
}

/// A number drawn by its weight.
pub(crate) fn by_weight(weights: &[f64], random: &mut Random) -> usize {
    let total: f64 = weights.iter().sum();
    let mut left = random.chance() * total;
    for (number, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return number;
        }
    }
    weights.len() - 1
}
