//! Algorithm selection: the player `auto` measures an unknown game, then chooses.
//!
//! It decides on counted work, never on seconds, so that with a budget of nodes and a seed it is
//! the same every time:
//!
//! 1. Random games give the game profile: how long games are, how many moves there are
//!    ([`GameProfile`]).
//! 2. For two opponents an evaluation is learned by self-play, unless the author of the rules has
//!    given one.
//! 3. Where men differ and can be taken, values by their mobility play a trial against what was
//!    learned.
//! 4. Alpha-beta with the better evaluation and Monte-Carlo play a trial (`trial.rs`); the winner
//!    is chosen. (How well an evaluation predicts results is no guide by itself: where both sides
//!    play by it, games are close.)
//!
//! `selection.rs` does these steps. A puzzle goes to nested rollout policy adaptation; games with
//! more than two players, with chance or with joint turns go to plain UCT.
//!
//! `search.rs` shares the limits of a search between the player and proofs:
//!
//! | when | what |
//! | --- | --- |
//! | the end of the game is near | proofs first (`endgame.rs`) |
//! | there are checks | a probe for a forced win first (`win_probe.rs`, `win_thresholds.rs`) |
//! | alpha-beta's value says that the game is about decided | proofs with the rest |
//! | it is proved who wins, and points count | points with the rest (`points.rs`) |
//!
//! Until a player is chosen, or where a clock leaves no time for that, Monte-Carlo plays.
//! [`GamePlayer::describe`] tells what was chosen and why.

mod endgame;
mod points;
mod search;
mod selection;
mod trial;
mod win_probe;
mod win_thresholds;

use ludex_core::{Game, Limits};

use crate::error::SearchError;
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::profile::{GameProfile, Profiles};
use crate::registry::PlayerFamily;
use crate::result::SearchResult;
use crate::support;
use crate::timing::Steps;
use endgame::Endgame;
use selection::Stage;
use win_probe::WinThresholds;

/// One part in this many of the memory is for proofs.
const PROOFS: usize = 8;

/// How much work goes into the choice.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoConfig {
    /// How many random games the profile is measured in.
    pub games: u32,
    /// How much self-play an evaluation is learned from, in positions.
    pub work: u64,
    /// How many games the trial has.
    pub trials: u32,
    /// How much work the trial is, in turns of playouts.
    pub trial_work: f64,
}

impl Default for AutoConfig {
    fn default() -> Self {
        Self { games: 40, work: 3_000_000, trials: 8, trial_work: 8e6 }
    }
}

/// The player of this folder.
pub(crate) fn families<G: Game + 'static>() -> Vec<PlayerFamily<G>> {
    let summary = "looks at the game and chooses; says what and why with -v";
    let any = support::perfect_information;
    vec![PlayerFamily::new("auto", summary, any, |spec, registry, options| {
        let usual = AutoConfig::default();
        let config = AutoConfig {
            games: spec.take("games", usual.games)?.clamp(1, 10_000),
            work: spec.take("work", usual.work)?,
            trials: spec.take("trials", usual.trials)?,
            trial_work: spec.take("trial", usual.trial_work)?,
        };
        Ok(Box::new(Auto::new(config, options, registry.profiles().clone())))
    })]
}

/// A player that chooses when it sees the game.
pub struct Auto<G: Game> {
    config: AutoConfig,
    options: PlayerOptions,
    /// The first position of the game that the rest belongs to.
    game: Option<G::State>,
    stage: Stage<G>,
    /// What random games have shown.
    profile: GameProfile,
    profiles: Profiles<G>,
    /// How long learning and trying take, a game or a move at a time.
    steps: Steps,
    /// The seed of the games to come, until a player is chosen. What is learned and tried out
    /// follows from the first seed alone, whichever game comes first.
    games_seed: Option<u64>,
    endgame: Endgame,
    /// What says that a forced win is near, where something does.
    thresholds: Option<WinThresholds>,
    /// Whether alpha-beta was chosen.
    is_alphabeta: bool,
    /// Whether it goes for points when it is known who wins.
    counts_points: bool,
    /// Whether what alpha-beta thinks of positions is worth something, as far as that is known
    /// without a trial.
    is_promising: bool,
    why: String,
}

impl<G: Game> std::fmt::Debug for Auto<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auto").field("why", &self.why).finish_non_exhaustive()
    }
}

impl<G: Game + 'static> Auto<G> {
    /// A player that has not seen a game yet.
    pub(crate) fn new(config: AutoConfig, options: PlayerOptions, profiles: Profiles<G>) -> Self {
        let why = "has not seen the game yet".to_owned();
        let (stage, steps) = (Stage::Blank, Steps::default());
        let profile = GameProfile::default();
        // Both are kept from move to move, and share what memory there is.
        let endgame = Endgame::new(options.memory / PROOFS);
        let options = PlayerOptions { memory: options.memory - options.memory / PROOFS, ..options };
        Self {
            config,
            options,
            game: None,
            stage,
            profile,
            profiles,
            steps,
            games_seed: None,
            endgame,
            thresholds: None,
            is_alphabeta: false,
            counts_points: false,
            is_promising: true,
            why,
        }
    }
}

impl<G: Game + 'static> GamePlayer<G> for Auto<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        // Half of the time of a move at most goes into getting to know the game.
        self.get_ready(root.game, Limits { nodes: None, ..limits.part_of_time(2) })?;
        let known = if self.is_duel() { self.endgame.prove_near_end(root, limits) } else { None };
        let Some(known) = known else {
            let result = self.search_far_from_the_end(root, limits, observer)?;
            return self.go_on_with_points(root, (limits, observer), result);
        };
        if self.counts_points && points::is_worth_it(&known) {
            return self.think_of_points(root, (limits, observer), &known);
        }
        let mut tell = |it: &SearchResult<G::Move>| {
            let mut told = it.clone();
            known.add_to(&mut told);
            observer(&told);
        };
        let mut result = self.search_within(root, known.rest(limits), &mut tell)?;
        known.add_to(&mut result);
        self.go_on_with_points(root, (limits, observer), result)
    }

    fn prepare(&mut self, game: &G, limits: Limits<'_>) -> Result<(), SearchError> {
        self.get_ready(game, limits)?;
        match self.present() {
            Some(player) => player.prepare(game, limits),
            None => Ok(()),
        }
    }

    fn forget(&mut self) {
        self.endgame.forget::<G>();
        if let Some(player) = self.present() {
            player.forget();
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.games_seed = Some(seed);
        self.hand_on_seed();
    }

    fn describe(&self) -> String {
        self.why.clone()
    }
}
