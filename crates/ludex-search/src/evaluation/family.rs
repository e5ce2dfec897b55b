//! Evaluations by name: how one is chosen, and how it is made for a game.

use std::sync::Arc;

use ludex_core::{Fault, Game};

use super::{Evaluate, TrainingConfig};
use crate::error::SearchError;
use crate::spec::{Spec, SpecError};

/// An evaluation that is made step by step: by self-play, or by looking at random games.
pub trait EvaluationTraining<G: Game>: Send {
    /// Works a little more.
    fn step(&mut self, game: &G) -> Result<(), SearchError>;

    /// Whether there is nothing left to do.
    fn is_done(&self) -> bool;

    /// What has been done until now, in a measure of its own.
    fn work(&self) -> u64;

    /// The evaluation as far as it is made.
    fn evaluation(&mut self) -> Arc<dyn Evaluate<G>>;
}

/// How an evaluation of a game begins.
pub enum EvaluationStart<G: Game> {
    /// It is there at once.
    Ready(Arc<dyn Evaluate<G>>),
    /// It has to be trained.
    Training(Box<dyn EvaluationTraining<G>>),
}

/// Begins an evaluation of a game.
type Start<G> = dyn Fn(&G, &TrainingConfig) -> Result<EvaluationStart<G>, Fault> + Send + Sync;

/// An evaluation that was chosen, before the game is known.
pub struct EvaluationChoice<G: Game> {
    name: String,
    source: Source<G>,
}

enum Source<G: Game> {
    Ready(Arc<dyn Evaluate<G>>),
    Start(Box<Start<G>>),
}

impl<G: Game> EvaluationChoice<G> {
    /// An evaluation that is the same in all games.
    pub fn ready(name: impl Into<String>, evaluation: Arc<dyn Evaluate<G>>) -> Self {
        Self { name: name.into(), source: Source::Ready(evaluation) }
    }

    /// An evaluation that is made for each game.
    pub fn new(
        name: impl Into<String>,
        start: impl Fn(&G, &TrainingConfig) -> Result<EvaluationStart<G>, Fault> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), source: Source::Start(Box::new(start)) }
    }

    /// The name it was chosen by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, as far as that is known without a game.
    pub fn describe(&self) -> String {
        match &self.source {
            Source::Ready(evaluation) => evaluation.describe(),
            Source::Start(_) => self.name.clone(),
        }
    }

    /// Begins the evaluation of a game.
    pub fn start(&self, game: &G, config: &TrainingConfig) -> Result<EvaluationStart<G>, Fault> {
        match &self.source {
            Source::Ready(evaluation) => Ok(EvaluationStart::Ready(Arc::clone(evaluation))),
            Source::Start(start) => start(game, config),
        }
    }

    /// The evaluation of a game, trained to the end.
    pub fn make(
        &self,
        game: &G,
        config: &TrainingConfig,
    ) -> Result<Arc<dyn Evaluate<G>>, SearchError> {
        match self.start(game, config)? {
            EvaluationStart::Ready(evaluation) => Ok(evaluation),
            EvaluationStart::Training(mut training) => {
                while !training.is_done() {
                    training.step(game)?;
                }
                Ok(training.evaluation())
            }
        }
    }
}

/// Reads the options of an evaluation.
type Choose<G> = dyn Fn(&mut Spec) -> Result<EvaluationChoice<G>, SpecError> + Send + Sync;

/// An evaluation that can be chosen by name, with `eval=NAME`.
pub struct EvaluationFamily<G: Game> {
    name: String,
    summary: String,
    choose: Box<Choose<G>>,
}

impl<G: Game + 'static> EvaluationFamily<G> {
    /// An evaluation with its name, what it is in a line, and how its options are read.
    pub fn new(
        name: impl Into<String>,
        summary: impl Into<String>,
        choose: impl Fn(&mut Spec) -> Result<EvaluationChoice<G>, SpecError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), summary: summary.into(), choose: Box::new(choose) }
    }

    /// An evaluation without options that is the same in all games.
    pub fn ready(
        name: &'static str,
        summary: impl Into<String>,
        evaluation: Arc<dyn Evaluate<G>>,
    ) -> Self {
        Self::new(name, summary, move |_| Ok(EvaluationChoice::ready(name, evaluation.clone())))
    }
}

impl<G: Game> EvaluationFamily<G> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The evaluation with the options that a spec has for it.
    pub fn choose(&self, spec: &mut Spec) -> Result<EvaluationChoice<G>, SpecError> {
        (self.choose)(spec)
    }
}
