//! From `SPEC` to a contestant in the arena.
//!
//! A match or a tournament reads every `SPEC` once into an [`Entrant`], before the first game, so that
//! errors are reported at once. Every thread of the arena makes contestants of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex_arena::{
    Answer, BestMove, Contestant, Failure, FailureKind, GameView, MoveLimits, ReportedScore,
    TimeControl, TimeLimit,
};
use ludex_core::{Clock, GameExt, Limits, Player};
use ludex_jit::CompiledGame;
use ludex_search::timing::{TimingConfig, move_time};
use ludex_search::{PlayerOptions, SearchError, Unsupported};

use super::external::{ExternalEngine, is_external};
use super::{LoadedPlayer, PlayerSpec};
use crate::analysis::{SearchResult, prepare, proved_text, think_within};
use crate::clock::RealClock;
use crate::error::{Error, Result};
use crate::game::LoadedGame;

/// The time to analyse the game before the first one begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(10);

/// A player of a match, from which any number of contestants are made.
#[derive(Clone, Debug)]
pub enum Entrant {
    /// A player of ours, by name or by file.
    Own(PlayerSpec),
    /// An external engine.
    External(ExternalEngine),
}

/// A contestant.
type Seat<'a> = Box<dyn Contestant<CompiledGame> + 'a>;

impl Entrant {
    /// The entrant of `spec` in a game.
    pub fn read(spec: &str, game: &LoadedGame) -> Result<Self> {
        let entrant = if is_external(spec) {
            Self::External(ExternalEngine::read(spec, game)?)
        } else {
            Self::Own(PlayerSpec::read(spec, game)?)
        };
        if let Err(unsupported) = entrant.supports(game) {
            let (game, seats) = (game.source.spec(), game.game.players());
            let message = format!("`{spec}` {unsupported}; `{game}` has {seats} players");
            return Err(Error::with_help(message, "`auto` and `uct` play any game"));
        }
        Ok(entrant)
    }

    /// Whether it plays games like this one.
    fn supports(&self, game: &LoadedGame) -> Result<(), Unsupported> {
        match self {
            Self::Own(spec) => spec.supports(game),
            Self::External(_) if game.game.players() > 2 => Err(Unsupported::TwoPlayersOnly),
            Self::External(_) => Ok(()),
        }
    }

    /// Its number of search threads; `means` has the default.
    pub fn threads(&self, means: PlayerOptions) -> usize {
        match self {
            Self::Own(spec) => spec.threads(means),
            Self::External(program) => program.threads(),
        }
    }

    /// The name in its `SPEC`, if there is one.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Own(_) => None,
            Self::External(program) => program.asked_name(),
        }
    }

    /// A hash of its player file, if it has one: another text is another player.
    pub fn text_hash(&self) -> Option<u64> {
        match self {
            Self::Own(spec) => spec.text_hash(),
            Self::External(_) => None,
        }
    }

    /// The message of a failure that lost a game, with the line of its file where there is one.
    pub fn blame(&self, game: &LoadedGame, failure: &Failure) -> String {
        match (self, &failure.fault) {
            (Self::Own(spec), Some(fault)) => spec.blame(game, fault.clone()).to_string(),
            (Self::Own(_), None) | (Self::External(_), _) => failure.reason.clone(),
        }
    }

    /// Makes a contestant for games at this time control.
    pub fn seat<'a>(
        &self,
        game: &'a LoadedGame,
        means: PlayerOptions,
        time_control: &TimeControl,
    ) -> Result<Seat<'a>> {
        match self {
            Self::Own(spec) => {
                let player = spec.player(means)?;
                let must_prepare = player.is_timed_at(time_control);
                Ok(Box::new(SeatedPlayer { player, loaded: game, must_prepare }))
            }
            Self::External(program) => Ok(Box::new(program.seat(game))),
        }
    }
}

/// The names of the players: those in their specs, else the specs. A name that two players would
/// share is replaced by the spec.
pub fn titles(specs: &[String], entrants: &[Entrant]) -> Vec<String> {
    let named = |number: usize| entrants[number].name().unwrap_or(&specs[number]);
    let is_taken =
        |number: usize| (0..specs.len()).any(|it| it != number && named(it) == named(number));
    let title = |it: usize| if is_taken(it) { specs[it].clone() } else { named(it).to_owned() };
    (0..specs.len()).map(title).collect()
}

/// A player of ours in the arena.
struct SeatedPlayer<'a> {
    player: LoadedPlayer,
    loaded: &'a LoadedGame,
    /// Whether it still has to analyse the game. A player with a node budget must not depend on the
    /// speed of the machine: it does that with its first move.
    must_prepare: bool,
}

impl SeatedPlayer<'_> {
    /// The failure of a search: a fault is that of the player file, if there is one, and else of the
    /// rules.
    fn failure(&self, error: SearchError) -> Failure {
        let SearchError::Rules(fault) = error else {
            return Failure::new(FailureKind::Protocol, error.to_string());
        };
        if self.player.is_file() {
            let reason = self.player.blame_shortly(self.loaded, &fault.clone().into());
            Failure { reason, ..Failure::of_file(fault) }
        } else {
            Failure::of_rules(fault)
        }
    }

    fn result(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        limits: &MoveLimits,
    ) -> Result<SearchResult, SearchError> {
        let MoveLimits { nodes, depth, .. } = *limits;
        let time = match limits.time {
            TimeLimit::Game { own, .. } => return self.thought_by_clock(view, own),
            TimeLimit::Move(time) => Some(time),
            TimeLimit::Unlimited => None,
        };
        let clock = RealClock::start();
        let limits = Limits { nodes, time, depth, stop: Some(view.stop), clock: &clock };
        self.player.search(view.root(), limits, &mut |_| {})
    }

    fn thought_by_clock(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        own: ludex_search::timing::GameClock,
    ) -> Result<SearchResult, SearchError> {
        let share = move_time(own, &TimingConfig::default());
        let clock = Stoppable { real: RealClock::start(), stop: view.stop };
        let enough = AtomicBool::new(false);
        think_within(&mut self.player, view.root(), share, &enough, &clock)
    }
}

/// A clock that runs out as soon as the match is stopped.
struct Stoppable<'a> {
    real: RealClock,
    stop: &'a AtomicBool,
}

/// Later than anything.
const TOO_LATE: Duration = Duration::from_hours(1 << 20);

impl Clock for Stoppable<'_> {
    fn elapsed(&self) -> Duration {
        if self.stop.load(Ordering::Relaxed) { TOO_LATE } else { self.real.elapsed() }
    }
}

impl Contestant<CompiledGame> for SeatedPlayer<'_> {
    fn begin(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        _seat: Player,
        seed: u64,
    ) -> Result<(), Failure> {
        self.player.forget();
        self.player.reseed(seed);
        if self.must_prepare {
            self.must_prepare = false;
            let done = prepare(&mut self.player, view.game, TIME_TO_PREPARE, view.stop);
            done.map_err(|it| self.failure(it))?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        view: &GameView<'_, CompiledGame>,
        limits: &MoveLimits,
    ) -> Result<BestMove<<CompiledGame as ludex_core::Game>::Move>, Failure> {
        let result = self.result(view, limits).map_err(|it| self.failure(it))?;
        let Some(line) = result.lines.first() else {
            return Err(Failure::new(FailureKind::Protocol, "it has found no move"));
        };
        // A search without nodes has no score.
        let has_score = result.nodes > 0 || line.proved.is_some();
        let text = Some(proved_text(line.proved)).filter(|it| !it.is_empty());
        let score = has_score.then(|| ReportedScore { text, ..ReportedScore::new(line.value) });
        Ok(BestMove {
            answer: Answer::Move(line.mv),
            score,
            depth: Some(result.depth).filter(|&it| it > 0),
            nodes: Some(result.nodes),
        })
    }

    fn ponder(&mut self, view: &GameView<'_, CompiledGame>, stop: &AtomicBool) {
        let clock = &RealClock::start();
        let limits = Limits { stop: Some(stop), clock, ..Limits::default() };
        // A fault occurs again at its own turn, and is reported then.
        let _ = self.player.search(view.root(), limits, &mut |_| {});
    }

    fn has_own_limits(&self) -> bool {
        self.player.has_own_limits()
    }

    fn describe(&self) -> String {
        self.player.describe()
    }
}
