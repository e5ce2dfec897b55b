//! A player of a loaded game: a search, the file it evaluates with, and the limits it keeps.

use std::sync::Arc;
use std::time::Duration;

use ludex_arena::TimeControl;
use ludex_core::Limits;
use ludex_diagnostics::{Diagnostic, Span};
use ludex_ir::PackedMove;
use ludex_jit::CompiledGame;
use ludex_search::{GamePlayer, Observer, PlayerOptions, SearchError, SearchRoot};

use super::PlayerSpec;
use super::file::PlayerFile;
use super::own::OwnLimits;
use crate::analysis::SearchResult;
use crate::error::{Error, Result};
use crate::game::LoadedGame;

/// A player of whatever game was loaded.
pub struct LoadedPlayer {
    player: Box<dyn GamePlayer<CompiledGame>>,
    own: OwnLimits,
    file: Option<Arc<PlayerFile>>,
}

impl LoadedPlayer {
    /// The player that a text asks for, in a game.
    pub fn make(spec: &str, means: PlayerOptions, game: &LoadedGame) -> Result<Self> {
        PlayerSpec::read(spec, game)?.player(means)
    }

    pub(crate) fn new(
        player: Box<dyn GamePlayer<CompiledGame>>,
        own: OwnLimits,
        file: Option<Arc<PlayerFile>>,
    ) -> Self {
        Self { player, own, file }
    }

    /// Thinks about a position of the game it was made for.
    pub fn search(
        &mut self,
        root: SearchRoot<'_, CompiledGame>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, PackedMove>,
    ) -> Result<SearchResult, SearchError> {
        let limits = self.own.within(limits);
        let Some(file) = &self.file else {
            return self.player.search(root, limits, observer);
        };
        let mut told = |result: &SearchResult| observer(&crossed(file, result.clone()));
        let root = SearchRoot { game: file.engine(), ..root };
        let result = self.player.search(root, limits, &mut told)?;
        Ok(crossed(file, result))
    }

    /// Gets to know the game before its clock starts.
    pub fn prepare(&mut self, game: &CompiledGame, limits: Limits<'_>) -> Result<(), SearchError> {
        let game = self.file.as_ref().map_or(game, |it| it.engine());
        self.player.prepare(game, limits)
    }

    /// Forgets what was kept: the next position belongs to another game.
    pub fn forget(&mut self) {
        self.player.forget();
    }

    /// The random choices of the games to come follow from this seed.
    pub fn reseed(&mut self, seed: u64) {
        self.player.reseed(seed);
    }

    /// What it is and why, in a line.
    pub fn describe(&self) -> String {
        match &self.file {
            Some(file) => format!("{}; {}", file.title(), self.player.describe()),
            None => self.player.describe(),
        }
    }

    /// How long it may think, where `usual` is the time if neither the limits nor the player say.
    pub fn time_or(&self, limits: &Limits<'_>, usual: Duration) -> Option<Duration> {
        self.own.time_or(limits, usual)
    }

    /// Whether it is time that ends its thinking, and not a number of nodes or plies.
    pub fn is_timed(&self, limits: &Limits<'_>) -> bool {
        self.own.is_timed(limits)
    }

    /// The same in the arena, at this time control.
    pub fn is_timed_at(&self, time_control: &TimeControl) -> bool {
        self.own.is_timed_at(time_control)
    }

    /// Whether it has limits of its own.
    pub fn has_own_limits(&self) -> bool {
        self.own.any()
    }

    /// Whether it comes from a file: then a fault in its thinking is its own, and not the game's.
    pub fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// The file, or else the rules, in which a fault of its thinking is.
    fn blamed<'a>(&'a self, game: &'a LoadedGame) -> &'a LoadedGame {
        self.file.as_ref().map_or(game, |it| &it.loaded)
    }

    /// Why it has no answer; a fault is shown with its line.
    pub fn blame(&self, game: &LoadedGame, error: SearchError) -> Error {
        self.blamed(game).blame(error)
    }

    /// Why it has no answer, as a diagnostic of the file.
    pub fn diagnostic(&self, game: &LoadedGame, error: &SearchError) -> Diagnostic {
        match error {
            SearchError::Rules(fault) => self.blamed(game).diagnostic(fault),
            _ => Diagnostic::error("unsupported-game", Span::default(), error.to_string()),
        }
    }

    /// The same in one line.
    pub fn blame_shortly(&self, game: &LoadedGame, error: &SearchError) -> String {
        match error {
            SearchError::Rules(fault) => self.blamed(game).blame_shortly(fault),
            _ => error.to_string(),
        }
    }
}

/// What was thought, in moves of the game.
fn crossed(file: &PlayerFile, mut result: SearchResult) -> SearchResult {
    for line in &mut result.lines {
        line.mv = file.bridge.cross(line.mv);
        line.pv.iter_mut().for_each(|it| *it = file.bridge.cross(*it));
    }
    result
}
