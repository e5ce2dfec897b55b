//! The player for a game that nobody knows: looks at the game, then chooses.
//!
//! It decides on counted work, never on seconds, so that with a budget of nodes and a seed it is
//! the same every time:
//!
//! 1. Random games tell how long games are and how many moves there are to choose from
//!    ([`Facts`]).
//! 2. For two opponents an evaluation is learned by self-play, unless the author of the rules has
//!    given one.
//! 3. Where men differ and can be taken, values by how freely they move are tried out against what
//!    was learned.
//! 4. Alpha-beta with that evaluation and Monte-Carlo play a few quick games against each
//!    other (`trial.rs`): who wins has the game. (How well an evaluation predicts results is no
//!    guide by itself: where both sides play by it, games are close.)
//!
//! One player alone looks for the best sequence by nested rollout policy adaptation; more than two
//! players, chance and joint turns are left to plain UCT.
//!
//! Near the end of a game of two, part of every budget goes into proofs, and so does what is left
//! where alpha-beta believes that the game is about decided (`endgame.rs`). In games with checks it is
//! looked first whether a forced win is near (`win_probe.rs`), as far as that can be told (`win_thresholds.rs`).
//! Where it is known who wins, what is left goes into points, if they are counted (`points.rs`).
//!
//! Until all that is done, or where a clock leaves no time for it, Monte-Carlo plays.
//! [`GamePlayer::describe`] tells what was chosen and why.

mod endgame;
mod points;
mod trial;
mod win_probe;
mod win_thresholds;

use ludex_core::two_player::TwoPlayer;
use ludex_core::{Fault, Game, Limits};

use crate::alphabeta::table::looks_back;
use crate::alphabeta::{AlphaBeta, AlphaBetaConfig};
use crate::evaluation::{
    AuthorEvaluation, Chosen, Evaluate, MobilityCount, Training, TrainingConfig,
    has_author_evaluation,
};
use crate::facts::{Facts, Looked};
use crate::montecarlo::{McConfig, Mcts};
use crate::player::{GamePlayer, Observer, PlayerOptions, SearchRoot};
use crate::proof::player::Wanted;
use crate::result::SearchResult;
use crate::spec::{Spec, SpecError};
use crate::timing::Steps;
use crate::{baselines, nested};
use endgame::Endgame;
use trial::{Rivals, Terms, Trial};
use win_probe::{WinProbe, WinThresholds};
use win_thresholds::ThresholdMeasurement;

/// The names of these players, each with what it is in a line.
pub const NAMES: &[(&str, &str)] =
    &[("auto", "looks at the game and chooses; says what and why with -v")];

/// Steps of the rules that learning may take, if every position were listed: with more than some
/// thousand for a position there is less to learn from.
const LEARNING_STEPS: f64 = 2e10;

/// Where a trial was cut short and tells nothing, alpha-beta has the game if what it has learned agrees
/// so well with the results of the games that it was learned from, or if nothing had to be learned.
const PROMISING: f64 = 0.2;

/// The part of the memory that proofs get: one in so many.
const PROOFS: usize = 8;

/// What decides.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoConfig {
    /// How many random games are looked at.
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

/// The player that was asked for, if it is one of these.
pub fn player<G: Game + 'static>(
    spec: &mut Spec,
    options: &PlayerOptions,
) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError> {
    if spec.name != "auto" {
        return Ok(None);
    }
    let usual = AutoConfig::default();
    let config = AutoConfig {
        games: spec.take("games", usual.games)?.clamp(1, 10_000),
        work: spec.take("work", usual.work)?,
        trials: spec.take("trials", usual.trials)?,
        trial_work: spec.take("trial", usual.trial_work)?,
    };
    Ok(Some(Box::new(Auto::new(config, *options))))
}

/// A player that chooses when it sees the game.
pub struct Auto<G: Game> {
    config: AutoConfig,
    options: PlayerOptions,
    /// The first position of the game that the rest belongs to.
    game: Option<G::State>,
    stage: Stage<G>,
    /// What random games have told.
    facts: Facts,
    /// How long learning and trying take, a game or a move at a time.
    steps: Steps,
    /// The seed of the games to come, until there is somebody to tell. What is learned and tried out
    /// follows from the first seed alone, whichever game comes first.
    games_seed: Option<u64>,
    endgame: Endgame,
    /// What says that a forced win is near, where something does.
    thresholds: Option<WinThresholds>,
    /// Whether alpha-beta was chosen.
    is_alphabeta: bool,
    /// Whether it goes for points when it is known who wins.
    counts_points: bool,
    /// Whether what alpha-beta thinks of positions is worth something, as far as that is known without
    /// a trial.
    is_promising: bool,
    why: String,
}

/// How far the choice has come.
enum Stage<G: Game> {
    /// Random games are looked at; the player plays meanwhile.
    Looking(Looked, Box<dyn GamePlayer<G>>),
    /// An evaluation is being learned, when the freedom of men has been counted; the other plays
    /// meanwhile.
    Training(Box<Training<G>>, Box<MobilityCount<G>>, Box<dyn GamePlayer<G>>),
    /// Alpha-beta with one evaluation and with another play against each other; the third plays
    /// meanwhile.
    Judging(Box<Trial<G>>, Rivals<G>, Box<dyn GamePlayer<G>>),
    /// Alpha-beta and Monte-Carlo play against each other; this one of them plays meanwhile.
    Trying(Box<Trial<G>>, Rivals<G>, usize),
    /// It is clear who plays; it is being found out what is usual in the game.
    Measuring(Box<ThresholdMeasurement<G>>, Box<dyn GamePlayer<G>>),
    /// It is clear who plays.
    Chosen(Box<dyn GamePlayer<G>>),
    /// No game has been seen.
    Blank,
}

impl<G: Game> std::fmt::Debug for Auto<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auto").field("why", &self.why).finish_non_exhaustive()
    }
}

impl<G: Game + 'static> Auto<G> {
    /// A player that has not seen a game yet.
    pub fn new(config: AutoConfig, options: PlayerOptions) -> Self {
        let why = "has not seen the game yet".to_owned();
        let (stage, steps) = (Stage::Blank, Steps::default());
        let facts = Facts::default();
        // Both are kept from move to move, and share what memory there is.
        let endgame = Endgame::new(options.memory / PROOFS);
        let options = PlayerOptions { memory: options.memory - options.memory / PROOFS, ..options };
        Self {
            config,
            options,
            game: None,
            stage,
            facts,
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

    /// Looks at the game as far as the limits allow, and chooses.
    fn get_ready(&mut self, game: &G, limits: Limits<'_>) -> Result<(), Fault> {
        let start = game.start().state;
        if self.game.as_ref() != Some(&start) {
            self.why = String::from("Monte-Carlo, before the game is known");
            self.stage = Stage::Looking(Looked::default(), self.monte_carlo());
            self.endgame.forget::<G>();
            (self.is_alphabeta, self.is_promising) = (false, true);
            self.counts_points = false;
            self.thresholds = None;
            self.game = Some(start);
        }
        // Without a clock the work is counted, and done whole: then it is repeatable.
        self.steps.begin();
        while !self.has_chosen() {
            if limits.is_timed() && !self.steps.fit(limits) {
                return Ok(());
            }
            let stage = std::mem::replace(&mut self.stage, Stage::Blank);
            self.stage = self.advance(game, stage, limits)?;
        }
        self.hand_on_seed();
        Ok(())
    }

    /// Tells the seed of the games to come to whoever was chosen.
    fn hand_on_seed(&mut self) {
        if let Stage::Chosen(player) = &mut self.stage
            && let Some(seed) = self.games_seed.take()
        {
            player.reseed(seed);
        }
    }

    /// Whether two opponents take turns, as far as is known.
    fn is_duel(&self) -> bool {
        self.facts.players == 2 && self.facts.single_turns
    }

    fn has_chosen(&self) -> bool {
        matches!(self.stage, Stage::Chosen(_))
    }

    /// One step more.
    fn advance(
        &mut self,
        game: &G,
        stage: Stage<G>,
        limits: Limits<'_>,
    ) -> Result<Stage<G>, Fault> {
        Ok(match stage {
            Stage::Looking(mut looked, meanwhile) if looked.games < self.config.games => {
                looked.add(game, self.options.seed)?;
                Stage::Looking(looked, meanwhile)
            }
            Stage::Looking(looked, meanwhile) => {
                self.facts = looked.facts(game);
                // Where the rules look back, points are hardly ever known.
                self.facts.points &= !looks_back(game);
                self.begin(game, meanwhile)?
            }
            Stage::Training(training, mut counting, meanwhile) if !counting.is_done() => {
                counting.step(game)?;
                Stage::Training(training, counting, meanwhile)
            }
            Stage::Training(mut training, counting, meanwhile) if !training.is_done() => {
                training.step(game)?;
                Stage::Training(training, counting, meanwhile)
            }
            Stage::Training(mut training, counting, meanwhile) => {
                let learned = training.learned();
                self.is_promising = learned.correlation > PROMISING;
                let learned = self.alphabeta(game, Box::new(learned));
                match counting.piece_mobility() {
                    Some(piece_mobility) => {
                        let other = self.alphabeta(game, Box::new(piece_mobility));
                        self.judge([learned, other], meanwhile)
                    }
                    None => self.compare(learned, meanwhile, 1),
                }
            }
            Stage::Judging(mut trial, mut rivals, meanwhile) if !trial.is_over() => {
                trial.step(two_player(game)?, &mut rivals, limits)?;
                Stage::Judging(trial, rivals, meanwhile)
            }
            Stage::Judging(trial, [mut learned, mut other], meanwhile) => {
                learned.forget();
                other.forget();
                let better = if trial.share() >= 0.5 { learned } else { other };
                self.compare(better, meanwhile, 1)
            }
            Stage::Trying(mut trial, mut rivals, meanwhile) if !trial.is_over() => {
                trial.step(two_player(game)?, &mut rivals, limits)?;
                Stage::Trying(trial, rivals, meanwhile)
            }
            Stage::Trying(trial, rivals, _) => self.decide(&trial, rivals),
            Stage::Measuring(mut win_thresholds, mut player) if !win_thresholds.is_done() => {
                win_thresholds.step(two_player(game)?, &mut *player, &mut self.endgame, limits)?;
                Stage::Measuring(win_thresholds, player)
            }
            Stage::Measuring(win_thresholds, mut player) => {
                player.forget();
                self.endgame.forget::<G>();
                self.thresholds = win_thresholds.thresholds();
                self.why += &match self.thresholds {
                    Some(WinThresholds { near, .. }) => {
                        format!("; a forced win is near above {near:.2}")
                    }
                    None => String::from("; nothing tells whether a forced win is near"),
                };
                Stage::Chosen(player)
            }
            Stage::Chosen(_) | Stage::Blank => stage,
        })
    }

    /// When the game has been looked at: what needs no learning is chosen at once.
    fn begin(&mut self, game: &G, meanwhile: Box<dyn GamePlayer<G>>) -> Result<Stage<G>, Fault> {
        let facts = self.facts;
        if facts.players == 1 && facts.single_turns {
            return self.hand_over("nrpa", "one player alone", nested::player);
        }
        if facts.players != 2 || !facts.single_turns {
            let why = "not two opponents who take turns";
            return self.hand_over("uct", why, baselines::player);
        }
        if has_author_evaluation(game)? {
            // What the author thinks is worth more than what nobody has tried.
            let alphabeta = self.alphabeta(game, Box::new(AuthorEvaluation));
            return Ok(self.compare(alphabeta, meanwhile, 0));
        }
        let affordable = (LEARNING_STEPS / facts.steps.max(1.0)) as u64;
        let (seed, work) = (self.options.seed, self.config.work.min(affordable));
        let training =
            Training::new(game, TrainingConfig { seed, work, ..TrainingConfig::default() });
        self.why = String::from("Monte-Carlo, while an evaluation is being learned");
        let counting = MobilityCount::new(game, seed);
        Ok(Stage::Training(Box::new(training), Box::new(counting), meanwhile))
    }

    /// Leaves the game to a player with its usual settings.
    fn hand_over(
        &mut self,
        name: &str,
        why: &str,
        family: impl Fn(&mut Spec, &PlayerOptions) -> Result<Option<Box<dyn GamePlayer<G>>>, SpecError>,
    ) -> Result<Stage<G>, Fault> {
        let mut spec: Spec = name.parse().map_err(|it: SpecError| unfit(&it.message))?;
        let made = family(&mut spec, &self.options).map_err(|it| unfit(&it.message))?;
        self.why = format!("{name}: {why}");
        Ok(Stage::Chosen(made.ok_or_else(|| unfit(&format!("there is no player `{name}`")))?))
    }

    fn monte_carlo(&self) -> Box<dyn GamePlayer<G>> {
        let config = McConfig::default();
        Box::new(Mcts::new("mcts", config, self.options, Box::new(|_| Ok(None))))
    }

    fn alphabeta(&self, game: &G, evaluation: Box<dyn Evaluate<G>>) -> Box<dyn GamePlayer<G>> {
        let chosen = Chosen::given(game, evaluation);
        Box::new(AlphaBeta::new(AlphaBetaConfig::default(), chosen, self.options))
    }

    /// What the trials are like.
    fn terms(&self) -> Terms {
        Terms::of(&self.facts, self.config.trials / 2 * 2, self.config.trial_work)
    }

    /// Sets up the trial of two evaluations.
    fn judge(&mut self, rivals: Rivals<G>, meanwhile: Box<dyn GamePlayer<G>>) -> Stage<G> {
        let trial = Trial::new(self.terms().of_evaluations(), self.options.seed);
        self.why = String::from("Monte-Carlo, while two evaluations are tried out");
        Stage::Judging(Box::new(trial), rivals, meanwhile)
    }

    /// Sets up the trial of alpha-beta against Monte-Carlo.
    fn compare(
        &mut self,
        alphabeta: Box<dyn GamePlayer<G>>,
        monte_carlo: Box<dyn GamePlayer<G>>,
        meanwhile: usize,
    ) -> Stage<G> {
        let terms = self.terms();
        let names = ["alpha-beta", "Monte-Carlo"];
        let (is, other) = (names[meanwhile], names[1 - meanwhile]);
        self.why = format!("{is}, while it is tried out against {other}");
        let rivals: Rivals<G> = [alphabeta, monte_carlo];
        Stage::Trying(Box::new(Trial::new(terms, self.options.seed)), rivals, meanwhile)
    }

    /// The end of the trial.
    fn decide(&mut self, trial: &Trial<G>, rivals: Rivals<G>) -> Stage<G> {
        let [mut alphabeta, mut monte_carlo] = rivals;
        alphabeta.forget();
        monte_carlo.forget();
        let (share, games) = (trial.share(), trial.games());
        let has_ties = !trial.is_cut_short() || self.is_promising;
        let is_alphabeta = if has_ties { share >= 0.5 } else { share > 0.5 };
        let (winner, loser, share) = if is_alphabeta {
            (alphabeta, monte_carlo, share)
        } else {
            (monte_carlo, alphabeta, 1.0 - share)
        };
        let (is, was) = (winner.describe(), loser.describe());
        self.is_alphabeta = is_alphabeta;
        let cut = if trial.is_cut_short() { ", cut short," } else { "" };
        self.why = match games {
            0 if trial.is_cut_short() => {
                format!("{is}: no pair of quick games against {was} came to an end")
            }
            0 => format!("{is}: not tried out against {was}"),
            _ => {
                let share = 100.0 * share;
                format!("{is}: made {share:.0} % of {games} quick games{cut} against {was}")
            }
        };
        self.counts_points = is_alphabeta && self.facts.points;
        if self.counts_points {
            self.why += "; points count when it is known who wins";
        }
        if self.is_alphabeta && self.facts.has_checks() {
            self.endgame.forget::<G>();
            return Stage::Measuring(
                Box::new(ThresholdMeasurement::new(self.options.seed)),
                winner,
            );
        }
        Stage::Chosen(winner)
    }

    /// Lets the player think and, where it believes that the game is about decided, proofs with
    /// what is left. Monte-Carlo proves what it can by itself.
    fn think_far_from_the_end(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault> {
        // Who asks for so many plies asks for no more.
        let may_prove = endgame::is_limited(limits) && limits.depth.is_none();
        if !may_prove || !self.is_alphabeta || !self.has_chosen() {
            return self.think_within(root, limits, observer);
        }
        if let Some(thresholds) = self.thresholds {
            return self.think_among_checks(root, (limits, observer), thresholds);
        }
        let mut first = self.think_within(root, endgame::before_the_rest(limits), observer)?;
        let rest = limits.after(first.nodes);
        if endgame::is_about_decided(&first) {
            // How soon a win comes matters less than by how much.
            let win = if self.counts_points { Wanted::Win } else { Wanted::QuickWin };
            self.endgame.confirm_value(root, (limits, observer), &mut first, win);
            return Ok(first);
        }
        if endgame::is_settled(&first) || limits.is_reached(first.nodes) {
            return Ok(first);
        }
        // It begins at the beginning again, with all that it remembers: what it says before it is
        // as deep as it was is no news.
        let second = self.think_on(root, (rest, observer), (first.nodes, first.depth))?;
        if second.depth < first.depth && !endgame::is_settled(&second) {
            (first.nodes, first.elapsed) = (second.nodes, second.elapsed);
            return Ok(first);
        }
        Ok(second)
    }

    /// The same in a game with checks: where a forced win is near, most of the budget is for proofs.
    fn think_among_checks(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        thresholds: WinThresholds,
    ) -> Result<SearchResult<G::Move>, Fault> {
        let WinProbe { is_near, nodes } = self.endgame.probe_for_win(root, limits, thresholds);
        if !is_near {
            return self.think_on(root, (limits.after(nodes), observer), (nodes, 0));
        }
        let before = win_probe::before_pursuit(limits, nodes);
        let mut result = self.think_on(root, (before, &mut *observer), (nodes, 0))?;
        if !endgame::is_settled(&result) {
            self.endgame.pursue_win(root, (limits, observer), &mut result, thresholds);
        }
        Ok(result)
    }

    /// Lets who plays think when so many nodes are spent; it tells nothing that is not so deep.
    fn think_on(
        &mut self,
        root: SearchRoot<'_, G>,
        (limits, observer): (Limits<'_>, &mut Observer<'_, G::Move>),
        (spent, depth): (u64, u32),
    ) -> Result<SearchResult<G::Move>, Fault> {
        let mut tell = |it: &SearchResult<G::Move>| {
            if it.depth >= depth {
                observer(&SearchResult { nodes: it.nodes + spent, ..it.clone() });
            }
        };
        let mut result = self.think_within(root, limits, &mut tell)?;
        result.nodes += spent;
        Ok(result)
    }

    /// Lets who plays at present think within a budget.
    fn think_within(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault> {
        let Some(player) = self.present() else {
            return SearchResult::unsearched(root.game, root.position);
        };
        player.search(root, limits, observer)
    }

    /// Who plays at present.
    fn present(&mut self) -> Option<&mut Box<dyn GamePlayer<G>>> {
        match &mut self.stage {
            Stage::Looking(_, player)
            | Stage::Training(_, _, player)
            | Stage::Judging(_, _, player)
            | Stage::Measuring(_, player)
            | Stage::Chosen(player) => Some(player),
            Stage::Trying(_, rivals, meanwhile) => Some(&mut rivals[*meanwhile]),
            Stage::Blank => None,
        }
    }
}

fn two_player<G: Game>(game: &G) -> Result<TwoPlayer<'_, G>, Fault> {
    TwoPlayer::new(game).ok_or_else(|| unfit("two players are wanted"))
}

fn unfit(message: &str) -> Fault {
    Fault { code: "no-player", message: message.to_owned(), place: None }
}

impl<G: Game + 'static> GamePlayer<G> for Auto<G> {
    fn search(
        &mut self,
        root: SearchRoot<'_, G>,
        limits: Limits<'_>,
        observer: &mut Observer<'_, G::Move>,
    ) -> Result<SearchResult<G::Move>, Fault> {
        // Half of the time of a move at most goes into getting to know the game.
        self.get_ready(root.game, Limits { nodes: None, ..limits.part_of_time(2) })?;
        let known = if self.is_duel() { self.endgame.prove_near_end(root, limits) } else { None };
        let Some(known) = known else {
            let result = self.think_far_from_the_end(root, limits, observer)?;
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
        let mut result = self.think_within(root, known.rest(limits), &mut tell)?;
        known.add_to(&mut result);
        self.go_on_with_points(root, (limits, observer), result)
    }

    fn prepare(&mut self, game: &G, limits: Limits<'_>) -> Result<(), Fault> {
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
