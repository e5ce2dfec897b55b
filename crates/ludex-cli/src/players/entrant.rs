//! From `SPEC` to somebody who sits down in the arena.
//!
//! What a match or a tournament is told is an [`Entrant`]: read once, before anything is played, so
//! that what is wrong is said at once. Every thread of the arena seats contestants of its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use ludex_arena::{
    Allowance, Answer, Choice, Contestant, Failure, FailureKind, Opinion, Pace, Situation, Time,
};
use ludex_core::{Budget, Clock, Fault, Game, Player};
use ludex_search::seats::plays_only;
use ludex_search::timing::{TimingConfig, share};
use ludex_search::{Limits, Means, Task, nested};

use super::outside::{Brought, is_outside};
use super::{Recipe, Thinker};
use crate::clock::RealClock;
use crate::engine::Engine;
use crate::failure::Mistake;
use crate::load::{Loaded, split};
use crate::thinking::{Thought, prepare, proved_text, think_within};

/// How long a player may take to get to know the game, before its first one begins.
const TIME_TO_PREPARE: Duration = Duration::from_secs(10);

/// Somebody who takes part, ready to be seated as often as one likes.
#[derive(Clone, Debug)]
pub(crate) enum Entrant {
    /// A player of ours, by name or by file.
    Own(Recipe),
    /// A program from outside.
    Outside(Brought),
}

/// Somebody who has sat down.
type Seat<'a> = Box<dyn Contestant<Engine> + 'a>;

impl Entrant {
    /// What `spec` stands for in a game.
    pub(crate) fn read(spec: &str, game: &Loaded) -> Result<Self> {
        let entrant = if is_outside(spec) {
            Self::Outside(Brought::read(spec, game)?)
        } else {
            Self::Own(Recipe::read(spec, game)?)
        };
        if let Some(others) = entrant.plays_only(game)? {
            let (game, seats) = (game.source.spec(), game.game.players());
            let message = format!("`{spec}` plays {others}; `{game}` has {seats} players");
            return Err(Mistake::with_help(message, "`auto` and `uct` play any game").into());
        }
        Ok(entrant)
    }

    /// The games that it plays, where this one is for too many. Searches say so when they are asked to
    /// think.
    fn plays_only(&self, game: &Loaded) -> Result<Option<&'static str>> {
        let is_for_more = game.game.players() > 2;
        let recipe = match self {
            Self::Outside(_) => return Ok(is_for_more.then_some("games of two only")),
            // Nobody need think whose search plays all games of two.
            Self::Own(recipe) if !is_for_more && !is_nested(recipe.search()) => return Ok(None),
            Self::Own(recipe) => recipe,
        };
        let mut thinker = recipe.thinker(Means { memory: 1 << 20, ..Means::default() })?;
        let (state, trail) = game.game.start();
        let task = Task { game: &game.game, state: &state, trail: &trail };
        let (budget, clock) = (Budget::of_nodes(1), RealClock::start());
        let thought =
            thinker.think(task, &mut Limits { budget, clock: &clock, watch: &mut |_| {} });
        Ok(thought.err().as_ref().and_then(plays_only))
    }

    /// How many threads it thinks with, where `means` are given to those who do not say.
    pub(crate) fn threads(&self, means: Means) -> usize {
        match self {
            Self::Own(recipe) => recipe.threads(means),
            Self::Outside(program) => program.threads(),
        }
    }

    /// The name that was asked for in its `SPEC`, if one was.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Own(_) => None,
            Self::Outside(program) => program.asked_name(),
        }
    }

    /// A hash of the file it comes from, if it does: another text is another player.
    pub(crate) fn text_hash(&self) -> Option<u64> {
        match self {
            Self::Own(recipe) => recipe.text_hash(),
            Self::Outside(_) => None,
        }
    }

    /// What went wrong in a game that it lost by a failure, with the line of its file where there is
    /// one.
    pub(crate) fn blame(&self, game: &Loaded, failure: &Failure) -> String {
        match (self, &failure.fault) {
            (Self::Own(recipe), Some(fault)) => recipe.blame(game, fault.clone()).to_string(),
            (Self::Own(_), None) | (Self::Outside(_), _) => failure.reason.clone(),
        }
    }

    /// Seats it for games at this pace.
    pub(crate) fn seat<'a>(&self, game: &'a Loaded, means: Means, pace: &Pace) -> Result<Seat<'a>> {
        match self {
            Self::Own(recipe) => {
                let thinker = recipe.thinker(means)?;
                let must_prepare = thinker.is_timed_at(pace);
                Ok(Box::new(SeatedThinker { thinker, loaded: game, must_prepare }))
            }
            Self::Outside(program) => Ok(Box::new(program.seat(game))),
        }
    }
}

/// Whether a search is of the kind that is for one player, or for two.
fn is_nested(search: &str) -> bool {
    nested::NAMES.iter().any(|(name, _)| *name == split(search).0)
}

/// What to call those who play: by the names that were asked for, and else by what they are. A name
/// that would stand for two of them is not taken.
pub(crate) fn titles(specs: &[String], entrants: &[Entrant]) -> Vec<String> {
    let named = |number: usize| entrants[number].name().unwrap_or(&specs[number]);
    let is_taken =
        |number: usize| (0..specs.len()).any(|it| it != number && named(it) == named(number));
    let title = |it: usize| if is_taken(it) { specs[it].clone() } else { named(it).to_owned() };
    (0..specs.len()).map(title).collect()
}

/// A player of ours in the arena.
struct SeatedThinker<'a> {
    thinker: Thinker,
    loaded: &'a Loaded,
    /// Whether it is yet to get to know the game. What is limited by nodes must not depend on the
    /// speed of the machine: such a player does it with its first move.
    must_prepare: bool,
}

impl SeatedThinker<'_> {
    /// Whose fault a fault is: that of the player's file, if it has one, and else of the rules.
    fn failure(&self, fault: Fault) -> Failure {
        if self.thinker.is_file() {
            let reason = self.thinker.blame_shortly(self.loaded, &fault);
            Failure { reason, ..Failure::of_file(fault) }
        } else {
            Failure::of_rules(fault)
        }
    }

    fn thought(
        &mut self,
        situation: &Situation<'_, Engine>,
        allowance: &Allowance,
    ) -> Result<Thought, Fault> {
        let Allowance { nodes, depth, .. } = *allowance;
        let time = match allowance.time {
            Time::Game { own, .. } => return self.thought_by_clock(situation, own),
            Time::Move(time) => Some(time),
            Time::Unlimited => None,
        };
        let clock = RealClock::start();
        let budget = Budget { nodes, time, depth, stop: Some(situation.stop) };
        let mut limits = Limits { budget, clock: &clock, watch: &mut |_| {} };
        self.thinker.think(situation.task(), &mut limits)
    }

    fn thought_by_clock(
        &mut self,
        situation: &Situation<'_, Engine>,
        own: ludex_search::timing::GameClock,
    ) -> Result<Thought, Fault> {
        let share = share(own, &TimingConfig::default());
        let clock = Stoppable { real: RealClock::start(), stop: situation.stop };
        let enough = AtomicBool::new(false);
        think_within(&mut self.thinker, situation.task(), share, &enough, &clock)
    }
}

/// A clock on which it is too late as soon as somebody wants an end.
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

impl Contestant<Engine> for SeatedThinker<'_> {
    fn begin(
        &mut self,
        situation: &Situation<'_, Engine>,
        _seat: Player,
        seed: u64,
    ) -> Result<(), Failure> {
        self.thinker.forget();
        self.thinker.reseed(seed);
        if self.must_prepare {
            self.must_prepare = false;
            let done = prepare(&mut self.thinker, situation.game, TIME_TO_PREPARE, situation.stop);
            done.map_err(|it| self.failure(it))?;
        }
        Ok(())
    }

    fn think(
        &mut self,
        situation: &Situation<'_, Engine>,
        allowance: &Allowance,
    ) -> Result<Choice<<Engine as ludex_core::Game>::Move>, Failure> {
        let thought = self.thought(situation, allowance).map_err(|it| self.failure(it))?;
        let Some(line) = thought.lines.first() else {
            return Err(Failure::new(FailureKind::Protocol, "it has found no move"));
        };
        // Who has looked at nothing has no opinion.
        let has_opinion = thought.nodes > 0 || line.proved.is_some();
        let told = Some(proved_text(line.proved)).filter(|it| !it.is_empty());
        let opinion = has_opinion.then(|| Opinion { told, ..Opinion::new(line.value) });
        Ok(Choice {
            answer: Answer::Move(line.mv),
            opinion,
            depth: Some(thought.depth).filter(|&it| it > 0),
            nodes: Some(thought.nodes),
        })
    }

    fn ponder(&mut self, situation: &Situation<'_, Engine>, stop: &AtomicBool) {
        let budget = Budget { stop: Some(stop), ..Budget::default() };
        let clock = RealClock::start();
        let mut limits = Limits { budget, clock: &clock, watch: &mut |_| {} };
        // What goes wrong goes wrong again at its own turn, and is told then.
        let _ = self.thinker.think(situation.task(), &mut limits);
    }

    fn has_own_limits(&self) -> bool {
        self.thinker.has_own_limits()
    }

    fn describe(&self) -> String {
        self.thinker.describe()
    }
}
