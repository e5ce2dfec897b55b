//! The computer's moves.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use ludex_core::{Budget, Random};
use ludex_ir::PackedMove;
use ludex_search::{UctConfig, uct};

use super::session::Session;
use crate::args::ThinkArgs;
use crate::clock::RealClock;
use crate::failure::Mistake;
use crate::place::Place;

/// How the computer thinks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thinker {
    /// Nodes, depth, seed and memory.
    pub(super) think: ThinkArgs,
    /// How long to think about a move.
    pub(super) time: Option<Duration>,
    /// Ends a search when it is raised.
    pub(super) stop: &'static AtomicBool,
}

/// What the computer came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thought {
    /// Its move.
    pub(super) mv: PackedMove,
    /// What it expects, from -1 to 1.
    pub(super) value: f64,
    /// How many playouts that rests on.
    pub(super) playouts: u64,
}

impl Thinker {
    /// Thinks about the present position of a game that is not over.
    pub(super) fn choose(&self, session: &Session<'_>) -> Result<Thought> {
        let Place { state, trail } = &session.place;
        // Each move of a game has a stream of its own, so that an undone move is thought of alike.
        let seed = Random::stream(self.think.seed, session.length() as u64, 0).next_u64();
        let config = UctConfig { seed, memory: self.think.memory, ..UctConfig::default() };
        let budget = Budget {
            nodes: self.think.nodes,
            time: self.time,
            depth: self.think.depth,
            stop: Some(self.stop),
        };
        let game = &session.loaded.game;
        let report = uct(game, state, trail, &config, &budget, &RealClock::start());
        let report = report.map_err(|it| session.loaded.blame(it))?;
        let line = report.decisions.first().and_then(|it| it.lines.first());
        let line = line.ok_or_else(|| Mistake::new("the computer finds no move"))?;
        Ok(Thought { mv: line.mv, value: line.value, playouts: report.playouts })
    }
}
