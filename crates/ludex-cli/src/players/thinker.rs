//! A player at the table: a search, the opinions it thinks with, and the limits it keeps.

use std::sync::Arc;
use std::time::Duration;

use ludex_arena::Pace;
use ludex_core::Fault;
use ludex_ir::PackedMove;
use ludex_rules::Diagnostic;
use ludex_search::{Limits, Player, Task};

use super::file::PlayerFile;
use super::own::OwnLimits;
use crate::args::ThinkArgs;
use crate::engine::Engine;
use crate::load::Loaded;
use crate::thinking::Thought;

/// A player of whatever game was loaded.
pub(crate) struct Thinker {
    player: Box<dyn Player<Engine>>,
    own: OwnLimits,
    file: Option<Arc<PlayerFile>>,
}

impl Thinker {
    pub(super) fn new(
        player: Box<dyn Player<Engine>>,
        own: OwnLimits,
        file: Option<Arc<PlayerFile>>,
    ) -> Self {
        Self { player, own, file }
    }

    /// Thinks about a position of the game it was made for.
    pub(crate) fn think(
        &mut self,
        task: Task<'_, Engine>,
        limits: &mut Limits<'_, PackedMove>,
    ) -> Result<Thought, Fault> {
        let budget = self.own.within(limits.budget);
        let Some(file) = &self.file else {
            return self.player.think(task, &mut Limits { budget, ..borrowed(limits) });
        };
        let Limits { clock, watch, .. } = limits;
        let mut told = |thought: &Thought| watch(&crossed(file, thought.clone()));
        let mut limits = Limits { budget, clock: *clock, watch: &mut told };
        let thought = self.player.think(Task { game: file.engine(), ..task }, &mut limits)?;
        Ok(crossed(file, thought))
    }

    /// Gets to know the game before its clock starts.
    pub(crate) fn prepare(
        &mut self,
        game: &Engine,
        limits: &mut Limits<'_, PackedMove>,
    ) -> Result<(), Fault> {
        let game = self.file.as_ref().map_or(game, |it| it.engine());
        self.player.prepare(game, limits)
    }

    /// Forgets what was kept: the next position belongs to another game.
    pub(crate) fn forget(&mut self) {
        self.player.forget();
    }

    /// The random choices of the games to come follow from this seed.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.player.reseed(seed);
    }

    /// What it is and why, in a line.
    pub(crate) fn describe(&self) -> String {
        match &self.file {
            Some(file) => format!("{}; {}", file.title(), self.player.describe()),
            None => self.player.describe(),
        }
    }

    /// How long it may think, where `usual` is the time if nobody says anything.
    pub(crate) fn time_or(&self, think: &ThinkArgs, usual: Duration) -> Option<Duration> {
        self.own.time_or(think, usual)
    }

    /// Whether it is time that ends its thinking, and not a number of nodes or plies.
    pub(crate) fn is_timed(&self, think: &ThinkArgs) -> bool {
        self.own.is_timed(think)
    }

    /// The same in the arena, at this pace.
    pub(crate) fn is_timed_at(&self, pace: &Pace) -> bool {
        self.own.is_timed_at(pace)
    }

    /// Whether it has limits of its own.
    pub(crate) fn has_own_limits(&self) -> bool {
        self.own.any()
    }

    /// Whether it comes from a file: then a fault in its thinking is its own, and not the game's.
    pub(crate) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// The file, or else the rules, in which a fault of its thinking is.
    fn blamed<'a>(&'a self, game: &'a Loaded) -> &'a Loaded {
        self.file.as_ref().map_or(game, |it| &it.loaded)
    }

    /// The error for a fault of its thinking, with the line that is at fault.
    pub(crate) fn blame(&self, game: &Loaded, fault: Fault) -> anyhow::Error {
        self.blamed(game).blame(fault)
    }

    /// A fault of its thinking as a diagnostic of the file.
    pub(crate) fn diagnostic(&self, game: &Loaded, fault: &Fault) -> Diagnostic {
        self.blamed(game).diagnostic(fault)
    }

    /// The same in one line.
    pub(crate) fn blame_shortly(&self, game: &Loaded, fault: &Fault) -> String {
        self.blamed(game).blame_shortly(fault)
    }
}

fn borrowed<'a, 'b>(limits: &'b mut Limits<'a, PackedMove>) -> Limits<'b, PackedMove>
where
    'a: 'b,
{
    Limits { budget: limits.budget, clock: limits.clock, watch: &mut *limits.watch }
}

/// What was thought, in moves of the game.
fn crossed(file: &PlayerFile, mut thought: Thought) -> Thought {
    for line in &mut thought.lines {
        line.mv = file.bridge.cross(line.mv);
        line.pv.iter_mut().for_each(|it| *it = file.bridge.cross(*it));
    }
    thought
}
