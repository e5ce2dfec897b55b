//! PPA: a playout policy that follows the winners.
//!
//! Tristan Cazenave, "Playout policy adaptation for games", 2015, and "Playout policy adaptation
//! with move features", 2016 (PPAF; with the policy kept from move to move, PPAFM).
//!
//! A move is drawn by `exp(weight of its code)`. After a playout the weight of each of the winner's
//! moves grows by `rate`, and that of each move which could have been played instead, the move
//! itself included, shrinks by `rate` times its probability.

use ludex_core::playout::payoffs;
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, Player, Turn};

use crate::montecarlo::backup::Played;
use crate::montecarlo::codes::{Code, Codes, code};

use super::features::Features;
use super::greedy::by_weight;
use super::{Ended, Start};

/// A weight and its exponential, which is asked far more often than the weight changes.
#[derive(Clone, Copy, Debug)]
struct Weight {
    weight: f32,
    exp: f32,
}

impl Default for Weight {
    fn default() -> Self {
        Self { weight: 0.0, exp: 1.0 }
    }
}

/// One turn of a playout: which of the listed moves was played, and by whom.
#[derive(Clone, Copy, Debug)]
struct Ply {
    mover: Player,
    /// Where its moves begin in the lists, and how many there are.
    first: usize,
    count: usize,
    pick: usize,
}

/// A policy and how it learns.
pub(crate) struct Ppa<G: Game> {
    rate: f64,
    features: Option<Features>,
    weights: Codes<Weight>,
    choices: Choices<G::Move>,
    turn: Vec<G::Move>,
    plies: Vec<Ply>,
    /// The codes of all moves that could be played in the playout, ply by ply.
    codes: Vec<Code>,
    /// How likely each was.
    odds: Vec<f64>,
}

impl<G: Game> Ppa<G> {
    pub(crate) fn new(rate: f64, features: bool) -> Self {
        Self {
            rate,
            features: features.then(Features::default),
            weights: Codes::default(),
            choices: Choices::default(),
            turn: Vec::new(),
            plies: Vec::new(),
            codes: Vec::new(),
            odds: Vec::new(),
        }
    }

    pub(crate) fn play(
        &mut self,
        start: Start<'_, G>,
        played: &mut Vec<Played>,
    ) -> Result<Ended, Fault> {
        let Start { game, state, trail, random, limit } = start;
        self.plies.clear();
        self.codes.clear();
        self.odds.clear();
        for ply in 0..=limit {
            match self.choices.fill(game, state, trail)? {
                Turn::Over => {
                    let payoffs = Some(payoffs(game, state, trail)?);
                    return Ok(Ended { plies: ply, payoffs });
                }
                _ if ply == limit => break,
                Turn::Of(mover) => {
                    let first = self.codes.len();
                    self.list(game, state, trail)?;
                    let pick = by_weight(&self.odds[first..], random);
                    self.plies.push(Ply { mover, first, count: self.codes.len() - first, pick });
                    let mv = self.choices.lists()[0][pick];
                    let code = code(game.move_code(state, mv));
                    played.push(Played { code, mover });
                    game.apply(state, trail, &[mv])?;
                }
                Turn::Joint(_) | Turn::Chance => {
                    self.choices.draw(random, &mut self.turn);
                    game.apply(state, trail, &self.turn)?;
                }
            }
        }
        Ok(Ended { plies: limit, payoffs: None })
    }

    /// Adds the codes and weights of the moves that can be played.
    fn list(&mut self, game: &G, state: &G::State, trail: &G::Trail) -> Result<(), Fault> {
        if let Some(features) = &mut self.features {
            features.look(game, state);
        }
        for &mv in &self.choices.lists()[0] {
            let mut code = code(game.move_code(state, mv));
            if let Some(features) = &mut self.features {
                code = features.refine(game, state, trail, (mv, code))?;
            }
            self.codes.push(code);
            self.odds.push(f64::from(self.weights.get(code).unwrap_or_default().exp));
        }
        Ok(())
    }

    /// Follows the winner of the last playout; a draw has none.
    pub(crate) fn learn(&mut self, rewards: &[f64]) {
        let Some(winner) = winner(rewards) else { return };
        for ply in self.plies.iter().filter(|it| it.mover == winner) {
            let range = ply.first..ply.first + ply.count;
            let total: f64 = self.odds[range.clone()].iter().sum();
            for (number, at) in range.enumerate() {
                let gain = if number == ply.pick { 1.0 } else { 0.0 } - self.odds[at] / total;
                let entry = self.weights.entry(self.codes[at]);
                entry.weight += (self.rate * gain) as f32;
            }
        }
        for ply in self.plies.iter().filter(|it| it.mover == winner) {
            for &code in &self.codes[ply.first..ply.first + ply.count] {
                let entry = self.weights.entry(code);
                // Kept within what an exponential in single precision holds.
                entry.weight = entry.weight.clamp(-30.0, 30.0);
                entry.exp = entry.weight.exp();
            }
        }
    }
}

/// Who has won, where somebody has.
fn winner(rewards: &[f64]) -> Option<Player> {
    let best = rewards.iter().copied().fold(0.5, f64::max);
    let number = rewards.iter().position(|&it| it >= best && it > 0.5)?;
    Some(Player(number as u8))
}
