//! MAST: the mean reward of every move, wherever in a game it was played.
//!
//! Hilmar Finnsson and Yngvi Björnsson, "Simulation-based approach to general game playing",
//! 2008 (the move-average sampling technique).

use ludex_core::Player;

use crate::montecarlo::backup::Played;
use crate::montecarlo::code_table::{CodeTable, Mean, MoveCode};
use crate::montecarlo::reward_table;

use super::greedy::MoveScorer;

/// Mean rewards by code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mast {
    options: CodeTable<Mean>,
}

impl MoveScorer for Mast {
    fn value(&self, code: MoveCode, mover: Player, players: usize, _played: &[Played]) -> f64 {
        // A move never seen is worth as much as any.
        self.options.get(code).map_or(0.5, |it| reward_table::read(it.value(), mover, players))
    }

    fn learn(&mut self, played: &[Played], rewards: &[f64]) {
        for it in played {
            self.options.entry(it.code).add(reward_table::write(rewards, it.mover));
        }
    }
}
