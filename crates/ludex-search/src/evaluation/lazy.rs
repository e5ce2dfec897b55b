//! An evaluation that is made when the game is known, within the limits of a search.

use std::sync::Arc;

use ludex_core::{Game, Limits};

use super::{Evaluate, EvaluationChoice, EvaluationStart, EvaluationTraining, TrainingConfig};
use crate::error::SearchError;
use crate::timing::Steps;

/// An evaluation that is made when the game is known, and kept.
pub struct LazyEvaluation<G: Game> {
    choice: EvaluationChoice<G>,
    config: TrainingConfig,
    /// The first position of the game that the rest belongs to.
    game: Option<G::State>,
    made: Option<Arc<dyn Evaluate<G>>>,
    training: Option<Box<dyn EvaluationTraining<G>>>,
    /// How long steps of the training take.
    steps: Steps,
}

impl<G: Game> std::fmt::Debug for LazyEvaluation<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LazyEvaluation")
            .field("choice", &self.choice.name())
            .finish_non_exhaustive()
    }
}

impl<G: Game> LazyEvaluation<G> {
    /// Nothing made yet.
    pub fn new(choice: EvaluationChoice<G>, config: TrainingConfig) -> Self {
        let (game, made, training, steps) = (None, None, None, Steps::default());
        Self { choice, config, game, made, training, steps }
    }

    /// An evaluation that is there.
    pub fn ready(evaluation: Arc<dyn Evaluate<G>>) -> Self {
        Self::new(EvaluationChoice::ready("given", evaluation), TrainingConfig::default())
    }

    /// The evaluation, made to the end.
    pub fn of(&mut self, game: &G) -> Result<&dyn Evaluate<G>, SearchError> {
        self.advance(game, u64::MAX, |_| false)?;
        Ok(self.made.as_deref().expect("training without a limit ends"))
    }

    /// The evaluation as far as it can be made within the limits. What is not learned by then is
    /// learned the next time.
    pub fn within(&mut self, game: &G, limits: Limits<'_>) -> Result<(), SearchError> {
        // Without a clock the work is counted, and done whole: then it is repeatable. It is in
        // some proportion to the nodes of the search that follows.
        let timed = limits.is_timed();
        let most = match limits.nodes {
            Some(nodes) if !timed => nodes.saturating_mul(20).max(50_000),
            _ => u64::MAX,
        };
        let mut steps = self.steps;
        steps.begin();
        let stop = |work| timed && !steps.fit(limits) && work > 0;
        self.advance(game, most, stop)?;
        self.steps = steps;
        Ok(())
    }

    /// Whether there is nothing left to learn.
    pub fn is_ready(&self) -> bool {
        self.made.is_some() && self.training.is_none()
    }

    /// The evaluation as far as it is made.
    pub fn made(&self) -> Option<&dyn Evaluate<G>> {
        self.made.as_deref()
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        self.made.as_ref().map_or_else(|| self.choice.describe(), |it| it.describe())
    }

    fn advance(
        &mut self,
        game: &G,
        most: u64,
        mut stop: impl FnMut(u64) -> bool,
    ) -> Result<(), SearchError> {
        let start = game.start().state;
        if self.game.as_ref() != Some(&start) {
            (self.game, self.made, self.training) = (Some(start), None, None);
        }
        if self.made.is_none() && self.training.is_none() {
            let work = self.config.work.min(most);
            let config = TrainingConfig { work, ..self.config.clone() };
            match self.choice.start(game, &config)? {
                EvaluationStart::Ready(made) => self.made = Some(made),
                EvaluationStart::Training(training) => self.training = Some(training),
            }
        }
        let Some(training) = &mut self.training else { return Ok(()) };
        let before = training.work();
        while !training.is_done() && !stop(training.work() - before) {
            training.step(game)?;
        }
        self.made = Some(training.evaluation());
        if training.is_done() {
            self.training = None;
        }
        Ok(())
    }
}
