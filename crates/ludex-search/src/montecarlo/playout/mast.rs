//! MAST: the mean reward of every move, wherever in a game it was played.
//!
//! Hilmar Finnsson and Yngvi Björnsson, "Simulation-based approach to general game playing",
//! 2008 (the move-average sampling technique).

use ludex_core::Player;

use crate::montecarlo::backup::Played;
use crate::montecarlo::codes::{Code, Codes, Mean};
use crate::montecarlo::credit;

use super::greedy::Judge;

/// Mean rewards by code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mast {
    means: Codes<Mean>,
}

impl Judge for Mast {
    fn value(&self, code: Code, mover: Player, players: usize, _played: &[Played]) -> f64 {
        // A move never seen is worth as much as any.
        self.means.get(code).map_or(0.5, |it| credit::read(it.value(), mover, players))
    }

    fn learn(&mut self, played: &[Played], rewards: &[f64]) {
        for it in played {
            self.means.entry(it.code).add(credit::write(rewards, it.mover));
        }
    }
}
