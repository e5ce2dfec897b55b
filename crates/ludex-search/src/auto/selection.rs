//! How `auto` gets to know a game and chooses a player, step by step.

use std::sync::Arc;

use ludex_core::{Game, Limits};

use super::Auto;
use super::trial::{Rivals, Terms, Trial};
use super::win_probe::WinThresholds;
use super::win_thresholds::ThresholdMeasurement;
use crate::alphabeta::table::looks_back;
use crate::alphabeta::{AlphaBeta, AlphaBetaConfig};
use crate::baselines::uct::Uct;
use crate::error::SearchError;
use crate::evaluation::{
    AuthorEvaluation, Evaluate, LazyEvaluation, MobilityCount, Training, TrainingConfig,
    has_author_evaluation,
};
use crate::montecarlo::{McConfig, Mcts};
use crate::nested::{Nrpa, NrpaConfig};
use crate::player::GamePlayer;
use crate::profile::ProfileMeasurement;
use crate::support::opponents;

/// Steps of the rules that learning may take, if every position were listed: with more than some
/// thousand for a position there is less to learn from.
const LEARNING_STEPS: f64 = 2e10;

/// Where a trial was cut short and tells nothing, alpha-beta has the game if what it has learned
/// agrees so well with the results of the games that it was learned from, or if nothing had to be
/// learned.
const PROMISING: f64 = 0.2;

/// How far the choice has come.
pub(super) enum Stage<G: Game> {
    /// Random games are looked at; the player plays meanwhile.
    Profiling(ProfileMeasurement, Box<dyn GamePlayer<G>>),
    /// An evaluation is being learned, when the mobility of men has been counted; the other plays
    /// meanwhile.
    Training(Box<Training<G>>, Box<MobilityCount<G>>, Box<dyn GamePlayer<G>>),
    /// Alpha-beta with one evaluation and with another play against each other; the third plays
    /// meanwhile.
    Judging(Box<Trial<G>>, Rivals<G>, Box<dyn GamePlayer<G>>),
    /// Alpha-beta and Monte-Carlo play against each other; this one of them plays meanwhile.
    Trying(Box<Trial<G>>, Rivals<G>, usize),
    /// It is clear who plays; the thresholds of a win that is near are being measured.
    Measuring(Box<ThresholdMeasurement<G>>, Box<dyn GamePlayer<G>>),
    /// It is clear who plays.
    Chosen(Box<dyn GamePlayer<G>>),
    /// No game has been seen.
    Blank,
}

impl<G: Game + 'static> Auto<G> {
    /// Looks at the game as far as the limits allow, and chooses.
    pub(super) fn get_ready(&mut self, game: &G, limits: Limits<'_>) -> Result<(), SearchError> {
        let start = game.start().state;
        if self.game.as_ref() != Some(&start) {
            self.why = String::from("Monte-Carlo, before the game is known");
            self.stage = Stage::Profiling(self.measurement(), self.monte_carlo());
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

    /// Hands the seed of the games to come to the player that was chosen.
    pub(super) fn hand_on_seed(&mut self) {
        if let Stage::Chosen(player) = &mut self.stage
            && let Some(seed) = self.games_seed.take()
        {
            player.reseed(seed);
        }
    }

    /// Whether two opponents take turns, as far as is known.
    pub(super) fn is_duel(&self) -> bool {
        self.profile.players == 2 && self.profile.single_turns
    }

    pub(super) fn has_chosen(&self) -> bool {
        matches!(self.stage, Stage::Chosen(_))
    }

    /// One step more.
    fn advance(
        &mut self,
        game: &G,
        stage: Stage<G>,
        limits: Limits<'_>,
    ) -> Result<Stage<G>, SearchError> {
        Ok(match stage {
            Stage::Profiling(measurement, meanwhile) => {
                self.measure(game, measurement, meanwhile)?
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
                let learned = self.alphabeta(Arc::new(learned));
                match counting.piece_mobility() {
                    Some(piece_mobility) => {
                        let other = self.alphabeta(Arc::new(piece_mobility));
                        self.judge([learned, other], meanwhile)
                    }
                    None => self.compare(learned, meanwhile, 1),
                }
            }
            Stage::Judging(mut trial, mut rivals, meanwhile) if !trial.is_over() => {
                trial.step(opponents(game)?, &mut rivals, limits)?;
                Stage::Judging(trial, rivals, meanwhile)
            }
            Stage::Judging(trial, [mut learned, mut other], meanwhile) => {
                learned.forget();
                other.forget();
                let better = if trial.share() >= 0.5 { learned } else { other };
                self.compare(better, meanwhile, 1)
            }
            Stage::Trying(mut trial, mut rivals, meanwhile) if !trial.is_over() => {
                trial.step(opponents(game)?, &mut rivals, limits)?;
                Stage::Trying(trial, rivals, meanwhile)
            }
            Stage::Trying(trial, rivals, _) => self.decide(&trial, rivals),
            Stage::Measuring(mut win_thresholds, mut player) if !win_thresholds.is_done() => {
                win_thresholds.step(opponents(game)?, &mut *player, &mut self.endgame, limits)?;
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
    fn begin(
        &mut self,
        game: &G,
        meanwhile: Box<dyn GamePlayer<G>>,
    ) -> Result<Stage<G>, SearchError> {
        let profile = self.profile;
        if profile.players == 1 && profile.single_turns {
            let nrpa = Nrpa { config: NrpaConfig::default(), options: self.options };
            return Ok(self.hand_over(Box::new(nrpa), "nrpa: one player alone"));
        }
        if profile.players != 2 || !profile.single_turns {
            let uct = Box::new(Uct::new(self.options));
            return Ok(self.hand_over(uct, "uct: not two opponents who take turns"));
        }
        if has_author_evaluation(game)? {
            // The evaluation of an author is worth more than one that was never tried.
            let alphabeta = self.alphabeta(Arc::new(AuthorEvaluation));
            return Ok(self.compare(alphabeta, meanwhile, 0));
        }
        let affordable = (LEARNING_STEPS / profile.steps.max(1.0)) as u64;
        let (seed, work) = (self.options.seed, self.config.work.min(affordable));
        let training =
            Training::new(game, TrainingConfig { seed, work, ..TrainingConfig::default() });
        self.why = String::from("Monte-Carlo, while an evaluation is being learned");
        let counting = MobilityCount::new(game, seed);
        Ok(Stage::Training(Box::new(training), Box::new(counting), meanwhile))
    }

    /// Leaves the game to a player with its usual settings.
    fn hand_over(&mut self, player: Box<dyn GamePlayer<G>>, why: &str) -> Stage<G> {
        self.why = String::from(why);
        Stage::Chosen(player)
    }

    /// The profile that has to be measured.
    fn measurement(&self) -> ProfileMeasurement {
        ProfileMeasurement::new(self.config.games, self.options.seed)
    }

    /// Plays one more random game for the profile, unless the profile is known.
    fn measure(
        &mut self,
        game: &G,
        mut measurement: ProfileMeasurement,
        meanwhile: Box<dyn GamePlayer<G>>,
    ) -> Result<Stage<G>, SearchError> {
        let known = self.profiles.get(game, self.config.games, self.options.seed);
        if known.is_none() && !measurement.is_done() {
            measurement.step(game)?;
            return Ok(Stage::Profiling(measurement, meanwhile));
        }
        self.profile = known.unwrap_or_else(|| self.profiles.add(game, &measurement));
        // Where the rules look back, points are hardly ever known.
        self.profile.points &= !looks_back(game);
        self.begin(game, meanwhile)
    }

    fn monte_carlo(&self) -> Box<dyn GamePlayer<G>> {
        let config = McConfig::default();
        Box::new(Mcts::new("mcts", config, self.options, Box::new(|_| Ok(None))))
    }

    fn alphabeta(&self, evaluation: Arc<dyn Evaluate<G>>) -> Box<dyn GamePlayer<G>> {
        let evaluation = LazyEvaluation::ready(evaluation);
        Box::new(AlphaBeta::new(AlphaBetaConfig::default(), evaluation, self.options))
    }

    /// What the trials are like.
    fn terms(&self) -> Terms {
        Terms::of(&self.profile, self.config.trials / 2 * 2, self.config.trial_work)
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
        self.counts_points = is_alphabeta && self.profile.points;
        if self.counts_points {
            self.why += "; points count when it is known who wins";
        }
        if self.is_alphabeta && self.profile.has_checks() {
            self.endgame.forget::<G>();
            return Stage::Measuring(
                Box::new(ThresholdMeasurement::new(self.options.seed)),
                winner,
            );
        }
        Stage::Chosen(winner)
    }

    /// Who plays at present.
    pub(super) fn present(&mut self) -> Option<&mut Box<dyn GamePlayer<G>>> {
        match &mut self.stage {
            Stage::Profiling(_, player)
            | Stage::Training(_, _, player)
            | Stage::Judging(_, _, player)
            | Stage::Measuring(_, player)
            | Stage::Chosen(player) => Some(player),
            Stage::Trying(_, rivals, meanwhile) => Some(&mut rivals[*meanwhile]),
            Stage::Blank => None,
        }
    }
}
